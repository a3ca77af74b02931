// SPDX-License-Identifier: MIT
// Creep laws alone: published and hand-worked values, limits, symmetry.

#include "unit/contact/patch.h"

#include "oracle/plain_polach.h"

static const double pi = 3.14159265358979323846;

// --- all laws as one ---

static kane_creep_force she(const kane_creep_input *in)
{
    return kane_creep_she(in);
}

static kane_creep_force linear(const kane_creep_input *in)
{
    return kane_creep_linear(in);
}

static kane_creep_force parabolic(const kane_creep_input *in)
{
    const kane_fastsim f = {KANE_BOUND_PARABOLIC, KANE_FLEXIBILITY_THREE, 10, 10};
    return kane_creep_fastsim(in, &f);
}

static kane_creep_force elliptic(const kane_creep_input *in)
{
    const kane_fastsim f = {KANE_BOUND_ELLIPTIC, KANE_FLEXIBILITY_THREE, 10, 10};
    return kane_creep_fastsim(in, &f);
}

static kane_creep_force blended(const kane_creep_input *in)
{
    const kane_fastsim f = {KANE_BOUND_ELLIPTIC, KANE_FLEXIBILITY_BLENDED, 7, 12};
    return kane_creep_fastsim(in, &f);
}

static kane_creep_force polach(const kane_creep_input *in)
{
    return kane_creep_polach(in, &(kane_polach){1.0, 1.0});
}

static kane_creep_force wet(const kane_creep_input *in)
{
    return kane_creep_polach(in, &(kane_polach){0.3, 0.1});
}

typedef kane_creep_force evaluate(const kane_creep_input *in);
static evaluate *const laws[] = {linear, she, parabolic, elliptic, blended, polach, wet};
enum { LAWS = sizeof laws / sizeof *laws, FIRST_LIMITED = 1, BLENDED = 4, FIRST_POLACH = 5 };

static double limit(const kane_creep_input *in)
{
    return in->friction * in->N;
}

// --- values ---

// Kalker at a/b = 2, nu = .28: 5.204, 4.971, 2.657, .799; G ab = 82e9 * 32e-6 = 2.624e6 N.
CHECK_TEST(linear_theory_is_kalkers)
{
    kane_creep_input in = published();
    in.xi_x             = 1e-3;
    in.xi_y             = -2e-3;
    in.phi              = 0.1;
    const double ab     = 32e-6;
    kane_creep_force f  = kane_creep_linear(&in);
    check_relative(f.T_x, -2.624e6 * 5.204 * 1e-3, 2e-4);
    check_relative(f.T_y, -2.624e6 * (4.971 * -2e-3 + sqrt(ab) * 2.657 * 0.1), 2e-4);
    check_relative(f.M_z, -2.624e6 * (-sqrt(ab) * 2.657 * -2e-3 + ab * 0.799 * 0.1), 1e-3);
}

// By hand: F = 2.624e6 * 5.204e-3 = 13655 N, mu N = 24600 N, u = .55510, factor 1 - u/3 + u^2/27 = .82638: 11285 N.
CHECK_TEST(she_is_as_worked_by_hand)
{
    kane_creep_input in = published();
    in.xi_y = in.phi = 0.0;
    in.xi_x          = 1e-3;
    check_relative(kane_creep_she(&in).T_x, -11285.0, 5e-4);
    in.xi_x = 0.3; // u = 166
    check_relative(kane_creep_she(&in).T_x, -24600.0, 1e-12);
    check_near(kane_saturation(1.0, 1.0), 1.0 - 1.0 / 3.0 + 1.0 / 27.0, 1e-15);
    check_near(kane_saturation(3.0, 1.0), 1.0 / 3.0, 1e-15);
    check_near(kane_saturation(5.0, 2.0), 1.0 - 2.5 / 3.0 + 2.5 * 2.5 / 27.0, 1e-15);
}

// F. by hand for pure longitudinal creep, kA = kS = 1: eps = G pi ab C11 xi/(4 mu N) = .43598,
// T = (2/pi) 24600 (.43598/(1 + .43598^2) + atan .43598) = 15661 (.36635 + .41109) = 12176 N.
CHECK_TEST(polach_is_as_worked_by_hand)
{
    kane_creep_input in = published();
    in.xi_y = in.phi = 0.0;
    in.xi_x          = 1e-3;
    check_relative(polach(&in).T_x, -12176.0, 5e-4);
    // wet, kA = .3, kS = .1: 15661 (.130794/(1 + .130794^2) + atan .043598) = 2696 N
    check_relative(wet(&in).T_x, -2696.0, 1e-3);
}

// Spin against lateral creepage: CONTACT's force is -1174 N. With the gradient of translation in the place of that of
// spin it would be +23.8 kN, beyond mu N = 18 kN.
CHECK_TEST(polach_with_spin_stays_near_contact)
{
    const kane_creep_input in = {.N             = 60e3,
                                 .a             = 3.611e-3,
                                 .b             = 1.444e-3,
                                 .xi_x          = 0.0004336,
                                 .xi_y          = 0.006532,
                                 .phi           = -3.685,
                                 .friction      = 0.3,
                                 .shear_modulus = 82e9,
                                 .poisson       = 0.28};
    print_message("Polach: %.0f N along, %.0f N across\n", polach(&in).T_x, polach(&in).T_y);
    check_near(polach(&in).T_x, -763.0, 0.05 * limit(&in));
    check_near(polach(&in).T_y, -1174.0, 0.05 * limit(&in));
}

// A patch and creepages over decades: all from Kalker's theory to full slip, by translation and spin.
static kane_creep_input random_patch(unsigned long long *seed)
{
    kane_creep_input in = published();
    in.a                = 1e-3 * pow(10.0, rig_random(seed, -0.5, 1.2));
    in.b                = in.a * pow(10.0, rig_random(seed, -1.3, 1.3));
    in.N                = pow(10.0, rig_random(seed, 2.0, 5.3));
    const double scale  = limit(&in) / (in.shear_modulus * in.a * in.b);
    in.xi_x             = scale * pow(10.0, rig_random(seed, -2.0, 2.0)) * copysign(1.0, rig_random(seed, -1.0, 1.0));
    in.xi_y             = scale * pow(10.0, rig_random(seed, -2.0, 2.0)) * copysign(1.0, rig_random(seed, -1.0, 1.0));
    in.phi =
        scale / sqrt(in.a * in.b) * pow(10.0, rig_random(seed, -2.0, 2.0)) * copysign(1.0, rig_random(seed, -1.0, 1.0));
    return in;
}

enum { CASES = 20000 };

// By plain code of the published formulas, which know no bound with kA, kS below 1.
CHECK_TEST(polach_is_as_published)
{
    unsigned long long seed = 17;
    double beyond           = 0.0;
    for (int i = 0; i < CASES; i++) {
        const kane_creep_input in = random_patch(&seed);
        const kane_kalker C       = kane_kalker_eval(in.a, in.b, in.poisson);
        plain_polach_patch plain  = {in.a,  in.b,    limit(&in), in.shear_modulus, C.C11, C.C22,
                                     C.C23, in.xi_x, in.xi_y,    in.phi,           1.0,   1.0};
        double T_x, T_y;
        plain_polach(&plain, &T_x, &T_y);
        assert_true(hypot(T_x, T_y) <= limit(&in) * (1.0 + 1e-12));
        check_near(polach(&in).T_x, T_x, 1e-12 * limit(&in));
        check_near(polach(&in).T_y, T_y, 1e-12 * limit(&in));
        plain.kA = 0.3;
        plain.kS = 0.1;
        plain_polach(&plain, &T_x, &T_y);
        const double part = fmin(1.0, limit(&in) / hypot(T_x, T_y));
        beyond            = fmax(beyond, 1.0 / part);
        check_near(wet(&in).T_x, part * T_x, 1e-12 * limit(&in));
        check_near(wet(&in).T_y, part * T_y, 1e-12 * limit(&in));
    }
    print_message("published, kA .3, kS .1: up to %.2f mu N\n", beyond);
    assert_true(beyond > 1.1); // so that shortening is seen
}

// What plain FASTSIM converges to for the published test (Kalker's own theory: -.6074), and its coarse grid.
CHECK_TEST(fastsim_meets_published_values)
{
    const struct {
        kane_traction_bound bound;
        double converged;
    } rows[]                  = {{KANE_BOUND_PARABOLIC, -0.6475}, {KANE_BOUND_ELLIPTIC, -0.5962}};
    const kane_creep_input in = published();
    for (int i = 0; i < 2; i++) {
        kane_fastsim f    = {rows[i].bound, KANE_FLEXIBILITY_THREE, 100, 100};
        const double fine = kane_creep_fastsim(&in, &f).T_y / limit(&in);
        f.strips = f.steps  = 10;
        const double coarse = kane_creep_fastsim(&in, &f).T_y / limit(&in);
        check_figure(fine, "three, %d: 100 x 100", i);
        check_figure(coarse, "three, %d: 10 x 10", i);
        print_message("FASTSIM, %s: %.4f on 100 x 100, %.4f on 10 x 10\n", i ? "elliptic" : "parabolic", fine, coarse);
        check_relative(fine, rows[i].converged, 0.002);
        check_relative(coarse, rows[i].converged, 0.01);
    }
}

// CONTACT's own FASTSIM blends the flexibilities: -.6359 parabolic, -.5956 elliptic on 200 x 200.
CHECK_TEST(blended_flexibilities_come_near_contact)
{
    const double contact[2]   = {-0.6359, -0.5956};
    const kane_creep_input in = published();
    for (int i = 0; i < 2; i++) {
        const kane_fastsim f = {(kane_traction_bound)i, KANE_FLEXIBILITY_BLENDED, 100, 100};
        const double T       = kane_creep_fastsim(&in, &f).T_y / limit(&in);
        check_figure(T, "blended, %d: 100 x 100", i);
        print_message("blended, %s: %.4f on 100 x 100\n", i ? "elliptic" : "parabolic", T);
        check_relative(T, contact[i], 0.025);
    }
}

// 10 x 10 against 100 x 100, from small creepages to full slip with the spin's pole inside of the patch.
CHECK_TEST(a_coarse_grid_is_good_enough)
{
    for (int n = 0; n < 4; n++) {
        const kane_traction_bound bound    = (kane_traction_bound)(n / 2);
        const kane_flexibility flexibility = (kane_flexibility)(n % 2);
        unsigned long long seed            = 11;
        double worst[2] = {0.0}, sum[2] = {0.0};
        int count[2] = {0};
        for (int i = 0; i < 600; i++) {
            kane_creep_input in = random_input(&seed);
            in.phi *= 0.5;
            const kane_fastsim coarse = {bound, flexibility, 10, 10}, fine = {bound, flexibility, 100, 100};
            const kane_creep_force l = kane_creep_linear(&in), p = kane_creep_fastsim(&in, &coarse),
                                   q = kane_creep_fastsim(&in, &fine);
            const double off         = hypot(p.T_x - q.T_x, p.T_y - q.T_y) / limit(&in);
            const int slips          = hypot(l.T_x, l.T_y) > 3.0 * limit(&in);
            worst[slips]             = fmax(worst[slips], off);
            sum[slips] += off;
            count[slips]++;
        }
        for (int slips = 0; slips < 2; slips++) {
            check_figure(sum[slips] / count[slips], "%d%d, %s: mean", bound, flexibility, slips ? "beyond" : "before");
            check_figure(worst[slips], "%d%d, %s: worst", bound, flexibility, slips ? "beyond" : "before");
            print_message(
                "%s%s, linear force %s 3 mu N: 10 x 10 is off by %.2f %% of mu N in the mean, %.2f %% at worst\n",
                bound ? "elliptic" : "parabolic", flexibility ? ", blended" : "", slips ? "above" : "below",
                100.0 * sum[slips] / count[slips], 100.0 * worst[slips]);
        }
        assert_true(sum[0] / count[0] < check_tolerance(0.005) && worst[0] < check_tolerance(0.02));
        assert_true(sum[1] / count[1] < check_tolerance(0.01) && worst[1] < check_tolerance(0.035));
    }
}

// --- limits ---

// The first creepages are resisted as Kalker says.
CHECK_TEST(small_creepages_are_kalkers)
{
    for (double ratio = 0.3; ratio < 4.0; ratio *= 1.5)
        for (int k = FIRST_LIMITED; k < FIRST_POLACH; k++) {
            kane_creep_input in = published();
            in.b                = in.a / ratio;
            for (int which = 0; which < 3; which++) {
                in.xi_x                  = which == 0 ? 1e-9 : 0.0;
                in.xi_y                  = which == 1 ? 1e-9 : 0.0;
                in.phi                   = which == 2 ? 1e-7 : 0.0;
                const kane_creep_force f = laws[k](&in), g = kane_creep_linear(&in);
                check_near(f.T_x, g.T_x, 1e-3 * fabs(g.T_x) + 1e-12);
                check_near(f.T_y, g.T_y, 1e-3 * fabs(g.T_y) + 1e-12);
            }
        }
}

// Polach's translation is Kalker's along the axes, his spin alone too; his reduction factors reduce the first.
CHECK_TEST(small_creepages_are_polachs)
{
    kane_creep_input in = published();
    in.xi_y = in.phi = 0.0;
    in.xi_x          = 1e-9;
    check_relative(polach(&in).T_x, kane_creep_linear(&in).T_x, 1e-6);
    check_relative(wet(&in).T_x, 0.5 * (0.3 + 0.1) * kane_creep_linear(&in).T_x, 1e-6);
    in.xi_x = 0.0;
    in.xi_y = -1e-9;
    check_relative(polach(&in).T_y, kane_creep_linear(&in).T_y, 1e-6);
    in.xi_y = 0.0;
    for (int sign = -1; sign <= 1; sign += 2) {
        in.phi = sign * 1e-6;
        check_relative(polach(&in).T_y, kane_creep_linear(&in).T_y, 1e-4);
    }
}

// FASTSIM's moment for small creepages, by integration over the ellipse: from spin -8 a^2 b^3 phi/(15 L3), from lateral
// creepage pi a^3 b xi_y/(4 L2).
CHECK_TEST(fastsims_moment_is_that_of_its_tractions)
{
    kane_creep_input in  = published();
    const kane_fastsim f = {KANE_BOUND_PARABOLIC, KANE_FLEXIBILITY_THREE, 60, 60};
    const kane_kalker C  = kane_kalker_eval(in.a, in.b, in.poisson);
    const double G = in.shear_modulus, a = in.a, b = in.b;
    const double L2 = 8.0 * a / (3.0 * G * C.C22), L3 = pi * a * sqrt(a / b) / (4.0 * G * C.C23);
    in.xi_y = 0.0;
    in.phi  = 1e-7;
    check_relative(kane_creep_fastsim(&in, &f).M_z, -8.0 * a * a * b * b * b * in.phi / (15.0 * L3), 2e-3);
    in.xi_y = 1e-9;
    in.phi  = 0.0;
    check_relative(kane_creep_fastsim(&in, &f).M_z, 0.25 * pi * a * a * a * b * in.xi_y / L2, 2e-3);
}

// All limited laws slide with mu N when nothing but translation is left; Polach's and FASTSIM with blended
// flexibilities against the slip, the others along the forces of linear theory (C11 : C22).
CHECK_TEST(full_slip_is_friction)
{
    for (int k = FIRST_LIMITED; k < LAWS; k++) {
        kane_creep_input in      = published();
        in.phi                   = 0.0;
        in.xi_x                  = 30.0;
        in.xi_y                  = -40.0;
        const kane_creep_force f = laws[k](&in);
        check_relative(hypot(f.T_x, f.T_y), limit(&in), 1e-3);
        if (k >= BLENDED) {
            check_near(f.T_x / limit(&in), -0.6, 1e-3);
            check_near(f.T_y / limit(&in), 0.8, 1e-3);
        }
    }
}

// No law but the linear one, which has no limit, exceeds mu N.
CHECK_TEST(no_force_exceeds_friction)
{
    static const char *const names[LAWS] = {"linear", "SHE", "parabolic", "elliptic", "blended", "Polach", "wet"};
    for (int k = FIRST_LIMITED; k < LAWS; k++) {
        unsigned long long seed = 23;
        double most             = 0.0;
        for (int i = 0; i < CASES; i++) {
            const kane_creep_input in = random_patch(&seed);
            const kane_creep_force f  = laws[k](&in);
            assert_true(isfinite(f.T_x + f.T_y + f.M_z));
            most = fmax(most, hypot(f.T_x, f.T_y) / limit(&in));
        }
        check_figure(most, "%s: most", names[k]);
        print_message("%s: at most %.15f mu N\n", names[k], most);
        assert_true(most <= 1.0 + check_tolerance(1e-12) && most > 0.99);
    }
}

// Forces go to zero with N and with friction, are within mu N and finite for anything, zero at rest.
CHECK_TEST(nothing_goes_wrong_without_load)
{
    unsigned long long seed = 3;
    for (int i = 0; i < 400; i++)
        for (int k = FIRST_LIMITED; k < LAWS; k++) {
            kane_creep_input in = random_input(&seed);
            assert_true(hypot(laws[k](&in).T_x, laws[k](&in).T_y) <= limit(&in) * (1.0 + 1e-12));
            const double scale = pow(10.0, rig_random(&seed, -120.0, 0.0)), size = cbrt(scale);
            in.N *= scale; // as Hertz: a and b go with the cube root
            in.a *= size;
            in.b *= size;
            const kane_creep_force f = laws[k](&in);
            assert_true(isfinite(f.T_x + f.T_y + f.M_z));
            assert_true(hypot(f.T_x, f.T_y) <= limit(&in) * (1.0 + 1e-12));
            assert_true(fabs(f.M_z) <= 10.0 * limit(&in) * fmax(in.a, in.b));
            in.friction                = 0.0;
            const kane_creep_force ice = laws[k](&in);
            assert_true(ice.T_x == 0.0 && ice.T_y == 0.0 && ice.M_z == 0.0);
            in.friction = 0.3;
            in.xi_x = in.xi_y = in.phi  = 0.0;
            const kane_creep_force rest = laws[k](&in);
            assert_true(rest.T_x == 0.0 && rest.T_y == 0.0 && rest.M_z == 0.0);
            in.a    = 0.0;
            in.xi_x = 1.0;
            assert_true(laws[k](&in).T_x == 0.0);
        }
}

// Left and right are alike, so are pulling and braking; slip costs energy.
CHECK_TEST(laws_are_symmetric_and_dissipate)
{
    unsigned long long seed = 5;
    for (int i = 0; i < 400; i++)
        for (int k = 0; k < LAWS; k++) {
            const kane_creep_input in = random_input(&seed);
            kane_creep_input mirror = in, brake = in;
            mirror.xi_y              = -in.xi_y;
            mirror.phi               = -in.phi;
            brake.xi_x               = -in.xi_x;
            const kane_creep_force f = laws[k](&in), g = laws[k](&mirror), h = laws[k](&brake);
            check_near(g.T_x, f.T_x, 1e-9 * in.N);
            check_near(g.T_y, -f.T_y, 1e-9 * in.N);
            check_near(g.M_z, -f.M_z, 1e-12 * in.N);
            check_near(h.T_x, -f.T_x, 1e-9 * in.N);
            check_near(h.T_y, f.T_y, 1e-9 * in.N);
            if (k < FIRST_POLACH) // Polach gives no moment, so the power is not all there
                assert_true(f.T_x * in.xi_x + f.T_y * in.xi_y + f.M_z * in.phi <= 1e-9 * in.N);
        }
}

CHECK_MAIN(NULL, NULL)
