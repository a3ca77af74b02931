// SPDX-License-Identifier: MIT
// Hertz' solution: closed forms, published numbers, and the table the contact uses.

#include "check.h"
#include "contact/half_space.h"

static const double pi = 3.14159265358979323846;

CHECK_TEST(a_sphere_on_a_plane)
{
    const double R = 0.3, E = 1.1e11, N = 5e3;
    const kane_hertz h = kane_hertz_eval(0.5 / R, 0.5 / R, E, N);
    const double a     = cbrt(3.0 * N * R / (4.0 * E));
    check_relative(h.a, a, 1e-14);
    check_relative(h.b, a, 1e-14);
    check_relative(h.approach, a * a / R, 1e-14);
    check_relative(h.pressure, 1.5 * N / (pi * a * a), 1e-14);
}

CHECK_TEST(equal_cylinders_crossed_at_right_angles_are_a_sphere)
{
    const kane_hertz crossed = kane_hertz_eval(0.5 / 0.46, 0.5 / 0.46, 1.1e11, 9e4);
    const double a           = cbrt(3.0 * 9e4 * 0.46 / (4.0 * 1.1e11));
    check_relative(crossed.a, a, 1e-14);
    check_relative(crossed.approach, a * a / 0.46, 1e-14);
}

CHECK_TEST(turning_the_bodies_by_ninety_degrees_exchanges_the_axes)
{
    const kane_hertz one = kane_hertz_eval(1.0, 7.0, 1e11, 1e4), other = kane_hertz_eval(7.0, 1.0, 1e11, 1e4);
    check_relative(one.a, other.b, 1e-14);
    check_relative(one.b, other.a, 1e-14);
    check_relative(one.approach, other.approach, 1e-14);
    assert_true(one.a > one.b);
}

// cos(theta) = (B - A)/(A + B); theta in degrees, m, n, r.
CHECK_TEST(published_numbers_are_met)
{
    static const double table[][4] = {{0.5, 60.969, .1022, .0812}, {1, 36.932, .1313, .1211},
                                      {2, 22.243, .1692, .1793},   {3, 16.478, .1966, .2247},
                                      {4, 13.293, .2189, .2631},   {6, 9.788, .2552, .3274},
                                      {8, 7.856, .2851, .3812},    {10, 6.6115, .3110, .4280},
                                      {20, 3.8160, .4121, .6038},  {30, 2.7306, .4931, .7263},
                                      {35, 2.3961, .5306, .7752},  {40, 2.1357, .5673, .8177},
                                      {45, 1.9265, .6038, .8547},  {50, 1.7541, .6407, .8867},
                                      {55, 1.6094, .6783, .9143},  {60, 1.4858, .7171, .9376},
                                      {65, 1.3788, .7575, .9570},  {70, 1.2851, .7999, .9726},
                                      {75, 1.2020, .8448, .9847},  {80, 1.1278, .8927, .9932},
                                      {85, 1.0609, .9442, .9983},  {90, 1, 1, 1}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const double cosine = cos(table[i][0] * pi / 180.0), A = 0.5 * (1.0 - cosine), B = 0.5 * (1.0 + cosine);
        const double E = 1e11, N = 1e4, c = cbrt(3.0 * N / (4.0 * E * (A + B)));
        const kane_hertz h = kane_hertz_eval(A, B, E, N);
        check_relative(h.a / c, table[i][1], 5e-5);
        check_near(h.b / c, table[i][2], 6e-5);
        check_near(h.approach / (c * c * (A + B)), table[i][3], 6e-5);
    }
}

// Displacement under an elliptic pressure (K. L. Johnson, Contact Mechanics, 4.2), which must fill the gap A x^2 + B
// y^2:
//   p0 a b / (2 E*) int_0^inf (1, 1/(a^2 + w), 1/(b^2 + w)) dw / sqrt((a^2 + w)(b^2 + w) w) = (approach, A, B)
CHECK_TEST(the_pressure_presses_the_gap_shut)
{
    const double E = 1.2e11, N = 7e4;
    static const double curvatures[][2] = {{1.0, 1.7}, {1.0, 12.0}, {3.0, 0.4}, {1.0, 300.0}};
    for (int k = 0; k < 4; k++) {
        const double A = curvatures[k][0], B = curvatures[k][1];
        const kane_hertz h = kane_hertz_eval(A, B, E, N);
        const double a2 = h.a * h.a, b2 = h.b * h.b, scale = h.a * h.b;
        double sum_A = 0.0, sum_B = 0.0, sum = 0.0;

        // w = scale sinh^2(t): the integrands fall like exp(-t)
        const double step = 1e-3;
        for (double t = 0.5 * step; t < 45.0; t += step) {
            const double w = scale * sinh(t) * sinh(t), dw = 2.0 * scale * sinh(t) * cosh(t) * step;
            const double f = dw / sqrt((a2 + w) * (b2 + w) * w);
            sum += f;
            sum_A += f / (a2 + w);
            sum_B += f / (b2 + w);
        }
        const double factor = h.pressure * h.a * h.b / (2.0 * E);
        check_relative(factor * sum, h.approach, 1e-6);
        check_relative(factor * sum_A, A, 1e-6);
        check_relative(factor * sum_B, B, 1e-6);
    }
}

CHECK_TEST(no_force_no_contact)
{
    const kane_hertz h = kane_hertz_eval(1.0, 2.0, 1e11, 0.0);
    assert_true(h.a == 0.0 && h.b == 0.0 && h.approach == 0.0 && h.pressure == 0.0);
}

CHECK_TEST(the_table_follows_the_integrals)
{
    static hertz_table table;
    kane_hertz_table_init(&table);
    for (double x = -13.97; x < 14.0; x += 0.0931) {
        const hertz_numbers n = kane_hertz_numbers(x);
        const hertz_shape s   = kane_hertz_shape(&table, x);
        check_relative(s.h, sqrt(1.0 / (1.0 + exp(-x))) * pow(n.r, -1.5), 2e-7);
        check_relative(s.along, n.m / sqrt(n.r), 2e-7);
        check_relative(s.across, n.n / sqrt(n.r), 2e-7);
    }
    const hertz_shape end = kane_hertz_shape(&table, 14.0), beyond = kane_hertz_shape(&table, 1e3);
    check_relative(beyond.h, end.h, 1e-14);
    assert_true(isfinite(kane_hertz_shape(&table, -1e3).h));
}

CHECK_MAIN(NULL, NULL)
