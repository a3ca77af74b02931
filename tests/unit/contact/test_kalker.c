// SPDX-License-Identifier: MIT
// Kalker's coefficients and the saturation of creep forces.

#include "check.h"
#include "contact/half_space.h"

static void check_kalker(kane_kalker c, double C11, double C22, double C23, double C33, double tolerance)
{
    check_near(c.C11, C11, tolerance);
    check_near(c.C22, C22, tolerance);
    check_near(c.C23, C23, tolerance);
    check_near(c.C33, C33, tolerance);
}

// Rows picked from the published table, all three Poisson's ratios.
CHECK_TEST(the_published_rows_are_met)
{
    check_kalker(kane_kalker_eval(0.1, 1.0, 0.0), 2.51, 2.51, .334, 6.42, 1e-12);
    check_kalker(kane_kalker_eval(0.1, 1.0, 0.25), 3.31, 2.52, .473, 8.28, 1e-12);
    check_kalker(kane_kalker_eval(0.5, 1.0, 0.5), 4.83, 3.14, 1.07, 2.22, 1e-12);
    check_kalker(kane_kalker_eval(0.9, 1.0, 0.25), 4.01, 3.54, 1.36, 1.27, 1e-12);
    check_kalker(kane_kalker_eval(2.0, 2.0, 0.25), 4.12, 3.67, 1.47, 1.19, 1e-12);
    check_kalker(kane_kalker_eval(1.0, 0.7, 0.0), 3.82, 3.82, 1.76, 1.05, 1e-12);
    check_kalker(kane_kalker_eval(1.0, 0.4, 0.25), 5.57, 5.48, 3.24, .747, 1e-12);
    check_kalker(kane_kalker_eval(1.0, 0.1, 0.5), 12.9, 16.0, 18.0, .228, 1e-12);
}

// What CONTACT uses at nu = .28.
CHECK_TEST(steel_has_the_known_coefficients)
{
    check_kalker(kane_kalker_eval(1.0, 1.0, 0.28), 4.226, 3.705, 1.488, 1.187, 6e-4);
    check_kalker(kane_kalker_eval(2.0, 1.0, 0.28), 5.204, 4.971, 2.657, .799, 6e-4);
}

CHECK_TEST(between_rows_it_is_linear_in_the_smaller_ratio)
{
    const kane_kalker a = kane_kalker_eval(0.6, 1.0, 0.25), m = kane_kalker_eval(0.65, 1.0, 0.25);
    const kane_kalker b = kane_kalker_eval(0.7, 1.0, 0.25);
    check_kalker(m, 0.5 * (a.C11 + b.C11), 0.5 * (a.C22 + b.C22), 0.5 * (a.C23 + b.C23), 0.5 * (a.C33 + b.C33), 1e-12);
    const kane_kalker n = kane_kalker_eval(1.0, 0.25, 0.25);
    check_kalker(n, 0.5 * (6.34 + 7.78), 0.5 * (6.40 + 8.14), 0.5 * (4.32 + 6.63), 0.5 * (.674 + .601), 1e-12);
}

// Across a = b, and where the table hands over to the asymptotes.
CHECK_TEST(nothing_jumps_with_the_ratio_of_the_axes)
{
    static const double places[] = {1.0, 0.1, 10.0};
    for (int i = 0; i < 3; i++) {
        const kane_kalker a = kane_kalker_eval(places[i] * (1.0 - 1e-9), 1.0, 0.28);
        const kane_kalker b = kane_kalker_eval(places[i] * (1.0 + 1e-9), 1.0, 0.28);
        check_kalker(a, b.C11, b.C22, b.C23, b.C33, 1e-6);
    }
}

CHECK_TEST(slender_ellipses_have_the_asymptotes)
{
    const double pi = 3.14159265358979323846, nu = 0.28, g = 1e-6;
    const kane_kalker s = kane_kalker_eval(g, 1.0, nu);
    check_relative(s.C11, pi * pi / (4.0 * (1.0 - nu)), 1e-4);
    check_relative(s.C22, pi * pi / 4.0, 1e-4);
    check_relative(s.C23, pi * sqrt(g) / (3.0 * (1.0 - nu)) * (1.0 + nu * (log(16.0 / g) - 5.0)), 1e-4);
    check_relative(s.C33, pi * pi / (16.0 * (1.0 - nu) * g), 1e-4);

    const kane_kalker l = kane_kalker_eval(1.0, g, nu);
    const double L = log(16.0 / (g * g)), D = (1.0 - nu) * L + 2.0 * nu;
    check_relative(l.C11, 2.0 * pi / ((L - 2.0 * nu) * g) * (1.0 + (3.0 - log(4.0)) / (L - 2.0 * nu)), 1e-4);
    check_relative(l.C22, 2.0 * pi / (g * D) * (1.0 + (1.0 - nu) * (3.0 - log(4.0)) / D), 1e-4);
    check_relative(l.C23, 2.0 * pi / (3.0 * pow(g, 1.5) * ((1.0 - nu) * L - 2.0 + 4.0 * nu)), 1e-4);
    check_relative(l.C33, 0.25 * pi * (1.0 - nu * (L - 2.0) / ((1.0 - nu) * L - 2.0 + 4.0 * nu)), 1e-4);
}

// The table at .1 and the asymptotes there are of one kind: the correction that joins them is small.
CHECK_TEST(the_asymptotes_nearly_meet_the_table)
{
    for (double nu = 0.0; nu <= 0.5; nu += 0.25) {
        kalker_table t;
        kane_kalker_table_init(&t, nu);
        for (int side = 0; side < 2; side++) {
            check_near(t.excess[side].C11, 0.0, 0.12);
            check_near(t.excess[side].C22, 0.0, 0.12);
            check_near(t.excess[side].C23, 0.0, 0.25);
            check_near(t.excess[side].C33, 0.0, 0.25);
        }
    }
}

CHECK_TEST(without_spin_its_coefficients_alone_vanish)
{
    static const double axes[] = {0.003, 0.02, 0.3, 0.77, 1.0, 1.4, 8.0, 60.0}; // slender ellipses, too
    kalker_table with, without;
    kane_kalker_table_init(&with, 0.27);
    kane_kalker_table_init(&without, 0.27);
    kane_kalker_table_omit_spin(&without);
    for (size_t i = 0; i < sizeof axes / sizeof *axes; i++) {
        const kane_kalker a = kane_kalker_lookup(&with, axes[i], 1.0), b = kane_kalker_lookup(&without, axes[i], 1.0);
        assert_true(a.C11 == b.C11 && a.C22 == b.C22 && a.C23 > 0.0 && a.C33 > 0.0);
        assert_true(b.C23 == 0.0 && b.C33 == 0.0);
    }
}

CHECK_TEST(saturation_follows_shen_hedrick_elkins)
{
    check_near(kane_saturation(0.0, 100.0), 1.0, 0.0);
    check_relative(kane_saturation(100.0, 100.0), 1.0 - 1.0 / 3.0 + 1.0 / 27.0, 1e-15);         // u = 1: 19/27
    check_relative(kane_saturation(150.0, 100.0) * 150.0, 100.0 * (1.5 - 0.75 + 0.125), 1e-15); // u = 1.5: 7/8
    check_relative(kane_saturation(1e4, 100.0) * 1e4, 100.0, 1e-15);
}

CHECK_TEST(the_force_is_smooth_where_it_saturates)
{
    const double h = 1e-4, mu_N = 1.0;
    const double below = kane_saturation(3.0 - h, mu_N) * (3.0 - h), above = kane_saturation(3.0 + h, mu_N) * (3.0 + h);
    check_near(below, 1.0, h * h); // value and slope: force 1, slope 0
    check_near(above, 1.0, 1e-15);
}

CHECK_TEST(an_unloaded_contact_transmits_nothing)
{
    check_near(kane_saturation(5.0, 0.0) * 5.0, 0.0, 0.0);
    check_near(kane_saturation(0.0, 0.0), 1.0, 0.0);
}

CHECK_MAIN(NULL, NULL)
