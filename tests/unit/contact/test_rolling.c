// SPDX-License-Identifier: MIT
// The laws in a rolling contact: friction by side, place, distance and slip, dissipation, user-defined laws,
// derivatives by velocities, standstill and unloading with each law.

#include "unit/contact/rig.h"

#include <kane/creep_formula.h>

static const kane_creep_law all[] = {KANE_CREEP_SHE, KANE_CREEP_LINEAR, KANE_CREEP_FASTSIM, KANE_CREEP_POLACH,
                                     KANE_CREEP_USER};
enum { ALL = sizeof all / sizeof *all };

static kane_contact_definition with(kane_contact_definition d, kane_creep_law creep)
{
    d.laws.creep = creep;
    return d;
}

// A wheel of a wheelset at y and yaw, 60 kN on each side, rolling at a speed and turning by a part of slip too fast.
static kane_wheel_motion rolling(const kane_contact *c, kane_side side, double y, double yaw, double speed, double slip)
{
    return rig_motion(c, 0.46, side, rig_place(c, 0.46, y, yaw, 6e4), speed, speed / 0.46 * (1.0 + slip));
}

static double tangential(const kane_contact_result *r)
{
    double T = 0.0;
    for (int i = 0; i < r->patch_count; i++)
        T += hypot(r->patch[i].T_x, r->patch[i].T_y);
    return T;
}

// --- a user-defined law: SHE as anybody would write it, with all that it is told checked on the way ---

typedef struct witness {
    kane_creep_contact seen;
    kane_wheel_motion motion;
    kane_status answer;
    double normal; // T_n over N
} witness;

static kane_creep_input input_of(const kane_creep_contact *c)
{
    return (kane_creep_input){c->N, c->a, c->b, c->xi_x, c->xi_y, c->phi, c->friction, c->shear_modulus, c->poisson};
}

static kane_status she_again(void *data, const kane_creep_contact *c, kane_user_force *out)
{
    witness *w                = data;
    const kane_creep_input in = input_of(c);
    const kane_creep_force f  = kane_creep_she(&in);
    if (w) {
        w->seen   = *c;
        w->motion = *c->motion;
        if (w->answer != KANE_OK)
            return w->answer;
    }
    *out = (kane_user_force){f.T_x, f.T_y, f.M_z, w ? w->normal * c->N : 0.0};
    return KANE_OK;
}

// The same as a formula: Shen-Hedrick-Elkins, from Kalker's coefficients.
KANE_CREEP_FORMULA she_formula(void *data, const kane_creep_formula_contact *c, kane_creep_formula_force *out)
{
    const kane_creep_contact *p = c->fixed;
    const kane_kalker C         = kane_kalker_eval(p->a, p->b, p->poisson);
    const kane_scalar ab = ks_mul(c->a, c->b), Gab = ks_scale(p->shear_modulus, ab), size = ks_sqrt(ab);
    const kane_scalar turn = ks_scale(C.C23, ks_mul(Gab, size)), bound = ks_mul(c->friction, c->N);
    const kane_scalar x = ks_neg(ks_scale(C.C11, ks_mul(Gab, c->xi_x)));
    const kane_scalar y = ks_neg(ks_add(ks_scale(C.C22, ks_mul(Gab, c->xi_y)), ks_mul(turn, c->phi)));
    const kane_scalar M = ks_sub(ks_mul(turn, c->xi_y), ks_scale(C.C33, ks_mul(ks_mul(Gab, ab), c->phi)));
    const kane_scalar u = ks_div(ks_hypot(x, y), bound);
    kane_scalar factor  = ks_inverse(u);
    if (ks_value(u) < 3.0)
        factor = ks_shift(ks_add(ks_over(u, -3.0), ks_over(ks_square(u), 27.0)), 1.0);
    (void)data;
    out->T_x = ks_mul(factor, x);
    out->T_y = ks_mul(factor, y);
    out->M_z = ks_mul(factor, M);
    return KANE_OK;
}
KANE_CREEP_FORMULA_FUNCTIONS(she_formula)

CHECK_TEST(a_law_of_ones_own_is_as_good_as_ours)
{
    witness w                   = {.answer = KANE_OK};
    kane_contact_definition d   = with(kane_contact_definition_default(), KANE_CREEP_USER);
    d.laws.friction[KANE_RIGHT] = 0.2;
    d.laws.own                  = (kane_user_creep){she_again, NULL, &w};
    kane_contact *own           = rig_create(d);
    d.laws.creep                = KANE_CREEP_SHE;
    kane_contact *ours          = rig_create(d);
    for (int k = 0; k < 2; k++) {
        const kane_side side        = k ? KANE_RIGHT : KANE_LEFT;
        const kane_wheel_motion m   = rolling(ours, side, 0.004, 0.003, 25.0, 1e-3);
        const kane_contact_result a = rig_eval(own, side, &m), b = rig_eval(ours, side, &m);
        check_vec3(a.on_wheel.force, b.on_wheel.force, 0.05); // the law alone rolls forward, k = 1 - 2e-6
        check_vec3(a.on_wheel.torque, b.on_wheel.torque, 0.05);

        // what it was told is what is reported
        const kane_patch *p = &a.patch[a.patch_count - 1];
        assert_int_equal(w.seen.side, side);
        check_near(w.seen.xi_x, p->xi_x, 1e-15);
        check_near(w.seen.xi_y, p->xi_y, 1e-15);
        check_near(w.seen.phi, p->phi, 1e-15);
        check_near(w.seen.a, p->a, 0.0);
        check_near(w.seen.b, p->b, 0.0);
        check_near(w.seen.N * p->share, p->N, 1e-9);
        check_near(w.seen.angle, p->angle, 0.0);
        check_near(w.seen.friction, k ? 0.2 : 0.3, 1e-15);
        check_vec3(w.seen.point, p->point, 0.0);
        check_vec3(w.seen.normal, p->normal, 0.0);
        check_vec3(w.motion.velocity, m.velocity, 0.0);
        check_vec3(w.motion.omega, m.omega, 0.0);
        check_vec3(w.motion.axle, m.axle, 0.0);
        check_near(w.motion.centre.y, m.centre.y, 0.0);
        check_vec3(w.seen.velocity, kv3_add(m.velocity, kv3_cross(m.omega, p->point)), 1e-12);
        check_near(w.seen.xi_x * w.seen.reference, w.seen.velocity.x, 1e-12);
        check_near(w.seen.rolling, 1.0, 1e-5);

        // a force along the normal
        w.normal                    = 0.1;
        const kane_contact_result n = rig_eval(own, side, &m);
        w.normal                    = 0.0;
        kane_vec3 more              = kv3_zero();
        for (int i = 0; i < n.patch_count; i++) {
            check_relative(n.patch[i].T_n, 0.1 * n.patch[i].N, 1e-12);
            more = kv3_add_scaled(more, n.patch[i].T_n, n.patch[i].normal);
        }
        check_vec3(kv3_sub(n.on_wheel.force, a.on_wheel.force), more, 1e-8);

        // it may say no
        kane_contact_result none;
        double slopes[6][12];
        w.answer = KANE_RETRY;
        assert_int_equal(kane_contact_eval(own, side, &m, &none), KANE_RETRY);
        assert_int_equal(none.patch_count, 0);
        assert_true(none.on_wheel.force.z == 0.0);
        assert_int_equal(kane_contact_derive(own, side, &m, slopes), KANE_RETRY);
        assert_true(slopes[2][2] == 0.0);
        w.answer = KANE_NOT_SOLVED;
        assert_int_equal(kane_contact_eval(own, side, &m, &none), KANE_NOT_SOLVED);
        w.answer = KANE_OK;
    }
    kane_contact_free(own);
    kane_contact_free(ours);
    d.laws.creep    = KANE_CREEP_USER;
    d.laws.own.eval = NULL;
    assert_null(kane_contact_create(&d, NULL));
}

// --- derivatives by velocity and angular velocity ---

static void set_component(kane_wheel_motion *m, int j, double by)
{
    double *const at[6] = {&m->velocity.x, &m->velocity.y, &m->velocity.z, &m->omega.x, &m->omega.y, &m->omega.z};
    *at[j] += by;
}

static double worst_slope(const kane_contact *c, kane_side side, const kane_wheel_motion *m)
{
    double d[6][12], worst = 0.0;
    assert_int_equal(kane_contact_derive(c, side, m, d), KANE_OK);
    for (int j = 0; j < 6; j++) {
        const double h       = j < 3 ? 1e-6 : 2e-6;
        kane_wheel_motion up = *m, down = *m;
        set_component(&up, j, h);
        set_component(&down, j, -h);
        const kane_wrench a = rig_eval(c, side, &up).on_wheel, b = rig_eval(c, side, &down).on_wheel;
        const kane_vec3 f = kv3_sub(a.force, b.force), t = kv3_sub(a.torque, b.torque);
        const double column[6] = {f.x, f.y, f.z, t.x, t.y, t.z};
        double size = 1.0, off = 0.0;
        for (int i = 0; i < 6; i++) {
            size = fmax(size, fabs(d[i][6 + j]));
            off  = fmax(off, fabs(column[i] / (2.0 * h) - d[i][6 + j]));
        }
        worst = fmax(worst, off / size);
    }
    return worst;
}

CHECK_TEST(derivatives_by_velocities_are_exact)
{
    for (int n = 0; n < ALL + 1; n++) { // once more with a derivative of one's own
        kane_contact_definition d = with(kane_contact_definition_default(), all[n < ALL ? n : ALL - 1]);
        d.laws.own                = n < ALL ? (kane_user_creep){she_again, NULL, NULL}
                                            : (kane_user_creep){she_formula_eval, she_formula_derive, NULL};
        d.laws.falling            = (kane_falling){0.4, 0.6};
        d.laws.flange_friction    = 0.5;
        d.laws.friction[0]        = 0.25;
        d.laws.polach             = (kane_polach){0.6, 0.4};
        if (n % 2)
            d.laws.dissipation_law = KANE_DISSIPATION_KELVIN_VOIGT;
        CHECK_OWNED(kane_contact) *c = rig_create(d);
        unsigned long long seed      = 77;
        int off                      = 0;
        for (int i = 0; i < 60; i++) {
            const kane_side side = i % 2 ? KANE_RIGHT : KANE_LEFT;
            const double speed   = i % 5 == 4 ? rig_random(&seed, -0.2, 0.2) : rig_random(&seed, -40.0, 40.0);
            kane_wheel_motion m  = rolling(c, side, rig_random(&seed, -0.006, 0.006), rig_random(&seed, -5e-3, 5e-3),
                                          all[n < ALL ? n : ALL - 1] == KANE_CREEP_USER ? 5.0 + fabs(speed) : speed,
                                           rig_random(&seed, -2e-3, 2e-3));
            m.velocity.y         = rig_random(&seed, -0.02, 0.02);
            m.velocity.z         = rig_random(&seed, -0.05, 0.05);
            m.friction_change    = rig_random(&seed, -0.5, 0.5);
            off += worst_slope(c, side, &m) > check_tolerance(3e-5);
        }
        print_message("law %d: %d of 60 states are off\n", n, off);
        assert_true(off <= 2); // corners of FASTSIM's elements and of Polach's lateral creepage
    }
}

// --- friction ---

// Full slip to the front shows the coefficient.
static double coefficient(const kane_contact *c, kane_side side, double y, double change)
{
    kane_wheel_motion m         = rolling(c, side, y, 0.0, 20.0, 0.5);
    m.friction_change           = change;
    const kane_contact_result r = rig_eval(c, side, &m);
    return tangential(&r) / rig_normal(&r);
}

CHECK_TEST(friction_is_by_side_and_by_distance)
{
    kane_contact_definition d    = kane_contact_definition_default();
    d.laws.friction[KANE_LEFT]   = 0.5;
    d.laws.friction[KANE_RIGHT]  = 0.1;
    CHECK_OWNED(kane_contact) *c = rig_create(d);
    check_relative(coefficient(c, KANE_LEFT, 0.0, 0.0), 0.5, 1e-9);
    check_relative(coefficient(c, KANE_RIGHT, 0.0, 0.0), 0.1, 1e-9);
    check_relative(coefficient(c, KANE_LEFT, 0.0, 0.2), 0.6, 1e-9);
    check_relative(coefficient(c, KANE_RIGHT, 0.0, -0.4), 0.06, 1e-9);
    check_near(coefficient(c, KANE_LEFT, 0.0, -1.0), 0.0, 1e-15);
    kane_wheel_motion m = rolling(c, KANE_LEFT, 0.0, 0.0, 20.0, 0.0);
    kane_contact_result r;
    m.friction_change = -1.01; // pulls
    assert_int_equal(kane_contact_eval(c, KANE_LEFT, &m, &r), KANE_RETRY);
    m.friction_change = (double)NAN;
    assert_int_equal(kane_contact_eval(c, KANE_LEFT, &m, &r), KANE_RETRY);
}

CHECK_TEST(the_flange_may_be_greased)
{
    kane_contact_definition d    = kane_contact_definition_default();
    d.laws.flange_friction       = 0.2;
    CHECK_OWNED(kane_contact) *c = rig_create(d);
    check_relative(coefficient(c, KANE_LEFT, 0.0, 0.0), 0.3, 1e-9); // tread
    const rig_pose p            = {0.0075, 0.0, 0.0, 0.0};
    rig_pose there              = p;
    there.z                     = rig_height(c, 0.46, KANE_LEFT, p, 2e4);
    const kane_wheel_motion m   = rig_motion(c, 0.46, KANE_LEFT, there, 20.0, 80.0);
    const kane_contact_result r = rig_eval(c, KANE_LEFT, &m);
    int steep                   = 0;
    for (int i = 0; i < r.patch_count; i++)
        if (fabs(r.patch[i].angle) > 0.7) {
            check_relative(hypot(r.patch[i].T_x, r.patch[i].T_y), 0.06 * r.patch[i].N, 1e-9);
            steep++;
        }
    assert_true(steep > 0);
}

// mu ((1 - A) exp(-B w) + A) with w = 10 m/s of slip.
CHECK_TEST(friction_falls_with_slip)
{
    const kane_falling f = {0.4, 0.6};
    check_near(kane_falling_eval(&f, 0.0), 1.0, 1e-15);
    check_near(kane_falling_eval(&f, 2.0), 0.6 * exp(-1.2) + 0.4, 1e-15);
    for (int n = 0; n < ALL; n++) {
        kane_contact_definition d    = with(kane_contact_definition_default(), all[n]);
        d.laws.falling               = f;
        d.laws.own.eval              = she_again;
        CHECK_OWNED(kane_contact) *c = rig_create(d);
        if (all[n] != KANE_CREEP_LINEAR)
            check_relative(coefficient(c, KANE_LEFT, 0.0, 0.0), 0.3 * (0.6 * exp(-0.6 * 10.0) + 0.4), 2e-3);
    }
}

// --- the normal force ---

CHECK_TEST(kelvin_voigt_gives_back_less)
{
    kane_contact_definition d          = rig_cone_on_round();
    d.laws.dissipation_law             = KANE_DISSIPATION_NONE;
    CHECK_OWNED(kane_contact) *elastic = rig_create(d);
    d.laws.dissipation_law             = KANE_DISSIPATION_KELVIN_VOIGT;
    d.laws.restitution                 = 0.6;
    d.laws.transition                  = 0.2;
    CHECK_OWNED(kane_contact) *c       = rig_create(d);
    double before                      = 0.0;
    for (double down = -0.5; down < 0.5; down += 0.01) {
        kane_wheel_motion m = rolling(elastic, KANE_LEFT, 0.0, 0.0, 20.0, 0.0);
        m.velocity.z        = -down;
        const double N0     = rig_eval(elastic, KANE_LEFT, &m).patch[0].N;
        const kane_patch p  = rig_eval(c, KANE_LEFT, &m).patch[0];
        const double rate   = -kv3_dot(kv3_add(m.velocity, kv3_cross(m.omega, p.point)), p.normal);
        const double r      = 0.5 * (rate / 0.2 + 1.0);
        const double factor = r <= 0.0 ? 0.6 : r >= 1.0 ? 1.0 : 0.6 + 0.4 * (3.0 * r * r - 2.0 * r * r * r);
        check_relative(p.N, factor * N0, 1e-9);
        assert_true(p.N >= before);
        before = p.N;
    }
}

// --- with every law ---

CHECK_TEST(every_law_unloads_and_stands_still)
{
    for (int n = 0; n < ALL; n++) {
        kane_contact_definition d    = with(kane_contact_definition_default(), all[n]);
        d.laws.own.eval              = she_again;
        CHECK_OWNED(kane_contact) *c = rig_create(d);
        rig_pose p                   = {0.003, 0.0, 0.0, 0.004};
        const double height          = rig_height(c, 0.46, KANE_LEFT, p, 1e-9);
        double last                  = INFINITY;
        for (double depth = 1e-4; depth > 1e-13; depth *= 0.3) {
            p.z                         = height - depth;
            const kane_wheel_motion m   = rig_motion(c, 0.46, KANE_LEFT, p, 20.0, 43.4);
            const kane_contact_result r = rig_eval(c, KANE_LEFT, &m);
            const kane_vec3 f = r.on_wheel.force, t = r.on_wheel.torque;
            assert_true(isfinite(f.x + f.y + f.z + t.x + t.y + t.z));
            assert_true(tangential(&r) <= last);
            last = tangential(&r);
            double slopes[6][12];
            assert_int_equal(kane_contact_derive(c, KANE_LEFT, &m, slopes), KANE_OK);
            for (int i = 0; i < 72; i++)
                assert_true(isfinite(slopes[i / 12][i % 12]));
        }
        check_below(last, 1e-2);

        // through standstill in steps of 0.2 mm/s: continuous, zero at rest
        const rig_pose q = rig_place(c, 0.46, 0.002, 0.002, 6e4);
        double before    = 0.0;
        for (int i = -1000; i <= 1000; i++) {
            const kane_wheel_motion m   = rig_motion(c, 0.46, KANE_LEFT, q, 2e-4 * i, 2e-4 * i / 0.4598);
            const kane_contact_result r = rig_eval(c, KANE_LEFT, &m);
            assert_true(isfinite(r.on_wheel.force.y + r.on_wheel.torque.z));
            if (i == 0)
                check_near(tangential(&r), 0.0, 0.0);
            if (i > -1000)
                check_near(r.on_wheel.force.y, before, 400.0);
            before = r.on_wheel.force.y;
        }
    }
}

// --- conformal contact ---

// A heavily loaded patch in the gauge corner is bent, one on the crown is not.
CHECK_TEST(wide_patches_in_corners_are_conformal)
{
    CHECK_OWNED(kane_contact) *c = rig_create(kane_contact_definition_default());
    for (int k = 0; k < 2; k++) {
        const kane_side side = k ? KANE_RIGHT : KANE_LEFT;
        rig_pose p           = {rig_outside(side) * 0.004, 0.0, 0.0, 0.0};
        p.z                  = rig_height(c, 0.46, side, p, 6e4);
        kane_wheel_motion m  = rig_motion(c, 0.46, side, p, 20.0, 43.5);
        assert_int_equal(rig_eval(c, side, &m).patch[0].conformal, 0);
        p.y = rig_outside(side) * 0.006;
        p.z = rig_height(c, 0.46, side, p, 8e4);
        m   = rig_motion(c, 0.46, side, p, 20.0, 43.5);
        assert_int_equal(rig_eval(c, side, &m).patch[0].conformal, 1);
        p.z = rig_height(c, 0.46, side, p, 500.0);
        m   = rig_motion(c, 0.46, side, p, 20.0, 43.5);
        assert_int_equal(rig_eval(c, side, &m).patch[0].conformal, 0);
    }
}

CHECK_MAIN(NULL, NULL)
