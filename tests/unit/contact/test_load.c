// SPDX-License-Identifier: MIT
// A wheel that touches its rail and rolls: slopes of its tangential forces by the normal force, and derivatives of
// user-defined laws,
//  with and without slopes.

#include "unit/contact/rig.h"
#include "contact/contact.h"

#include <kane/creep_formula.h>

// --- user-defined laws ---

// The example of docs/contact.md: Coulomb's friction with Kalker's stiffness, linear up to the limit.
KANE_CREEP_FORMULA coulomb(void *data, const kane_creep_formula_contact *c, kane_creep_formula_force *out)
{
    const kane_creep_contact *fixed = c->fixed; // all that has no slopes
    const kane_kalker C             = kane_kalker_eval(fixed->a, fixed->b, fixed->poisson);
    const kane_scalar Gab           = ks_scale(-fixed->shear_modulus, ks_mul(c->a, c->b));
    const kane_scalar T_x           = ks_scale(C.C11, ks_mul(Gab, c->xi_x));
    const kane_scalar T_y           = ks_scale(C.C22, ks_mul(Gab, c->xi_y));
    const kane_scalar T = ks_hypot(T_x, T_y), limit = ks_mul(c->friction, c->N);
    const kane_scalar k = ks_value(T) > ks_value(limit) ? ks_div(limit, T) : ks_constant(1.0);
    (void)data;
    out->T_x = ks_mul(k, T_x);
    out->T_y = ks_mul(k, T_y);
    return KANE_OK;
}
KANE_CREEP_FORMULA_FUNCTIONS(coulomb)

// Reads everything that a motion or a load changes, and has a force along the normal.
KANE_CREEP_FORMULA curious(void *data, const kane_creep_formula_contact *c, kane_creep_formula_force *out)
{
    const kane_scalar size = ks_mul(ks_power(c->N, 0.7), ks_add(c->a, ks_square(ks_scale(20.0, c->b))));
    const kane_scalar slip = ks_add(c->xi_x, ks_mul(c->rolling, c->phi)), per = ks_inverse(c->reference);
    const kane_scalar spin = ks_mul(ks3_along(c->wheel_omega, kv3(0.3, 0.2, -0.5)), per);
    const kane_scalar fast = ks_mul(ks3_along(c->wheel_velocity, kv3(0.1, -2.0, 0.4)), per);
    const kane_scalar here = ks_mul(ks3_along(c->velocity, kv3(0.7, 0.4, -0.3)), per);
    (void)data;
    out->T_x = ks_mul(size, ks_add(slip, ks_mul(spin, c->friction)));
    out->T_y = ks_mul(size, ks_add(c->xi_y, fast));
    out->M_z = ks_scale(1e-3, ks_mul(size, ks_tanh(ks_add(spin, here))));
    out->T_n = ks_mul(size, ks_scale(0.01, ks_add(fast, here)));
    return KANE_OK;
}
KANE_CREEP_FORMULA_FUNCTIONS(curious)

typedef struct choice {
    const char *name;
    kane_creep_law creep;
    kane_user_creep own;
    double tolerance;
} choice;

static const choice choices[] = {
    {"linear", KANE_CREEP_LINEAR, {0}, 1e-8},
    {"SHE", KANE_CREEP_SHE, {0}, 1e-8},
    {"FASTSIM", KANE_CREEP_FASTSIM, {0}, 1e-6},
    {"Polach", KANE_CREEP_POLACH, {0}, 1e-8},
    {"given", KANE_CREEP_GIVEN, {0}, 1e-8},
    {"coulomb", KANE_CREEP_USER, {coulomb_eval, coulomb_derive, NULL}, 1e-8},
    {"coulomb without slopes", KANE_CREEP_USER, {coulomb_eval, NULL, NULL}, 1e-8},
    {"curious", KANE_CREEP_USER, {curious_eval, curious_derive, NULL}, 1e-8},
    {"curious without slopes", KANE_CREEP_USER, {curious_eval, NULL, NULL}, 1e-8},
};
enum { CHOICES = sizeof choices / sizeof *choices };

static kane_contact *contact_of(const choice *c)
{
    kane_contact_definition d = kane_contact_definition_default();
    d.laws.creep              = c->creep;
    d.laws.own                = c->own;
    d.laws.given              = (kane_given_creep){1.09e7, 1.21e7, 0.0, 0.1}; // limited by friction
    d.laws.falling            = (kane_falling){0.5, 0.4};
    d.laws.friction[0]        = 0.25;
    return rig_create(d);
}

// A wheel of a wheelset that rolls, slips and spins a little.
static kane_wheel_motion motion_at(const kane_contact *c, kane_side side, double y, double yaw,
                                   unsigned long long *seed)
{
    const rig_pose p    = {y, 0.0, 0.0, yaw};
    kane_wheel_motion m = rig_motion(c, 0.46, side, p, 20.0, 20.0 / 0.46 * rig_random(seed, 0.998, 1.002));
    m.velocity.y        = rig_random(seed, -0.02, 0.02);
    m.velocity.z        = rig_random(seed, -0.02, 0.02);
    m.omega.z += rig_random(seed, -0.05, 0.05);
    return m;
}

static double size_of(const kane_user_force *f)
{
    return fabs(f->T_x) + fabs(f->T_y) + 1e2 * fabs(f->M_z) + fabs(f->T_n);
}

// Against central differences; FASTSIM has small corners.
CHECK_TEST(slopes_by_the_normal_force_are_exact)
{
    for (int n = 0; n < CHOICES; n++) {
        CHECK_OWNED(kane_contact) *c = contact_of(&choices[n]);
        unsigned long long seed      = 3;
        int off                      = 0;
        double worst                 = 0.0;
        for (int i = 0; i < 200; i++) {
            const kane_side side = i % 2 ? KANE_RIGHT : KANE_LEFT;
            const kane_wheel_motion m =
                motion_at(c, side, rig_random(&seed, -0.006, 0.006), rig_random(&seed, -0.01, 0.01), &seed);
            const kane_wheel_path path = {.centre = m.centre, .axle = m.axle};
            const double N = exp(rig_random(&seed, log(1e3), log(2e5))), h = 1e-4 * N;
            kane_gap contact_point;
            rigid_contact r;
            kane_user_force slope, f[2];
            assert_int_equal(kane_contact_gap(c, side, &path, &contact_point), KANE_OK);
            assert_int_equal(kane_rigid_prepare(c, side, &contact_point, &m, &r), KANE_OK);
            assert_int_equal(kane_rigid_slope(&r, N, &slope), KANE_OK);
            assert_int_equal(kane_rigid_forces(&r, N - h, &f[0]), KANE_OK);
            assert_int_equal(kane_rigid_forces(&r, N + h, &f[1]), KANE_OK);
            const kane_user_force error = {
                (f[1].T_x - f[0].T_x) / (2.0 * h) - slope.T_x, (f[1].T_y - f[0].T_y) / (2.0 * h) - slope.T_y,
                (f[1].M_z - f[0].M_z) / (2.0 * h) - slope.M_z, (f[1].T_n - f[0].T_n) / (2.0 * h) - slope.T_n};
            const double part = size_of(&error) / (size_of(&f[1]) / N);
            off += part > check_tolerance(choices[n].tolerance);
            worst = fmax(worst, part);
        }
        print_message("%-23s %d of 200 states are off, the worst by %.1e\n", choices[n].name, off, worst);
        assert_true(off <= (choices[n].creep == KANE_CREEP_FASTSIM ? 2 : 0));
    }
}

// Where nothing presses there is no force and no slope; a load that is no number is refused.
CHECK_TEST(without_a_load_there_is_no_slope)
{
    for (int n = 0; n < CHOICES; n++) {
        CHECK_OWNED(kane_contact) *c = contact_of(&choices[n]);
        unsigned long long seed      = 3;
        const kane_wheel_motion m    = motion_at(c, KANE_LEFT, 0.001, 0.002, &seed);
        const kane_wheel_path path   = {.centre = m.centre, .axle = m.axle};
        kane_gap contact_point;
        rigid_contact r;
        kane_user_force slope;
        assert_int_equal(kane_contact_gap(c, KANE_LEFT, &path, &contact_point), KANE_OK);
        assert_int_equal(kane_rigid_prepare(c, KANE_LEFT, &contact_point, &m, &r), KANE_OK);
        for (double N = 0.0; N > -1e5; N = 10.0 * N - 1.0) {
            assert_int_equal(kane_rigid_slope(&r, N, &slope), KANE_OK);
            check_near(size_of(&slope), 0.0, 0.0);
        }
        assert_int_equal(kane_rigid_slope(&r, (double)NAN, &slope), KANE_RETRY);
    }
}

// Exact slopes and differences of the same law, in all that it reads.
CHECK_TEST(differences_see_all_that_a_law_reads)
{
    for (int n = 5; n < CHOICES; n += 2) {
        CHECK_OWNED(kane_contact) *exact = contact_of(&choices[n]), *plain = contact_of(&choices[n + 1]);
        unsigned long long seed = 9;
        int off                 = 0;
        for (int i = 0; i < 100; i++) {
            const kane_side side = i % 2 ? KANE_RIGHT : KANE_LEFT;
            const rig_pose p =
                rig_place(exact, 0.46, rig_random(&seed, -0.006, 0.006), rig_random(&seed, -0.01, 0.01), 6e4);
            kane_wheel_motion m            = motion_at(exact, side, p.y, p.yaw, &seed);
            const kane_wheel_motion placed = rig_motion(exact, 0.46, side, p, 20.0, 43.0);
            double a[6][12], b[6][12], error = 0.0, size = 0.0;
            m.centre = placed.centre;
            m.axle   = placed.axle;
            assert_int_equal(kane_contact_derive(exact, side, &m, a), KANE_OK);
            assert_int_equal(kane_contact_derive(plain, side, &m, b), KANE_OK);
            for (int row = 0; row < 6; row++)
                for (int j = 6; j < 12; j++) {
                    error = fmax(error, fabs(a[row][j] - b[row][j]));
                    size  = fmax(size, fabs(a[row][j]));
                }
            off += !(error <= check_tolerance(1e-5) * size);
        }
        assert_true(off <= 1); // Coulomb's corner
    }
}

CHECK_MAIN(NULL, NULL)
