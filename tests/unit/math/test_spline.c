// SPDX-License-Identifier: MIT

#include "check.h"

#include "math/spline.h"

enum { N = 12 };

enum { KINDS = 3 };
static const kane_spline_ends kinds[KINDS] = {KANE_SPLINE_NATURAL, KANE_SPLINE_NOT_A_KNOT, KANE_SPLINE_LEVEL};

// Uneven points.
static void points(int n, double *x)
{
    for (int i = 0; i < n; i++)
        x[i] = i + 0.3 * sin(2.0 * i);
}

CHECK_TEST(spline_passes_through_its_points_with_two_continuous_derivatives)
{
    for (int e = 0; e < KINDS; e++)
        for (int n = 2; n <= N; n++) {
            double x[N], y[N], left[4], right[4];
            kane_cubic spline[N];
            points(n, x);
            for (int i = 0; i < n; i++)
                y[i] = cos(3.0 * i);
            kane_spline_fit(n, x, y, kinds[e], spline);
            for (int i = 0; i < n - 1; i++) {
                kane_cubic_eval(&spline[i], 0.0, right);
                check_near(right[0], y[i], 0.0);
                if (i > 0) {
                    check_near(left[1], right[1], 1e-14);
                    check_near(left[2], right[2], 3e-14);
                }
                kane_cubic_eval(&spline[i], x[i + 1] - x[i], left);
                check_near(left[0], y[i + 1], 1e-14); // the terms of the cubic are up to 20
            }
        }
}

CHECK_TEST(natural_spline_is_straight_at_its_ends)
{
    for (int n = 2; n <= N; n++) {
        double x[N], y[N], out[4];
        kane_cubic spline[N];
        points(n, x);
        for (int i = 0; i < n; i++)
            y[i] = exp(0.1 * i);
        kane_spline_fit(n, x, y, KANE_SPLINE_NATURAL, spline);
        kane_spline_eval(n, x, spline, x[0], out);
        check_near(out[2], 0.0, 0.0);
        kane_cubic_eval(&spline[n - 2], x[n - 1] - x[n - 2], out);
        check_near(out[2], 0.0, 1e-16);
    }
}

CHECK_TEST(level_spline_is_level_at_its_ends_and_beyond)
{
    for (int n = 2; n <= N; n++) {
        double x[N], y[N], out[4];
        kane_cubic spline[N];
        points(n, x);
        for (int i = 0; i < n; i++)
            y[i] = exp(0.1 * i);
        kane_spline_fit(n, x, y, KANE_SPLINE_LEVEL, spline);
        for (int end = 0; end < 2; end++)
            for (int beyond = 0; beyond < 2; beyond++) {
                const int i = end ? n - 1 : 0;
                kane_spline_eval(n, x, spline, x[i] + (end ? beyond : -beyond), out);
                check_near(out[0], y[i], 1e-14);
                check_near(out[1], 0.0, 1e-14);
            }
    }
}

// With four points or more a cubic, with three a parabola, with two a line.
CHECK_TEST(spline_without_end_knots_reproduces_a_cubic)
{
    for (int n = 2; n <= N; n++) {
        const double c[4] = {0.7, -1.3, n > 2 ? 0.4 : 0.0, n > 3 ? 0.05 : 0.0};
        double x[N], y[N], out[4];
        kane_cubic spline[N];
        points(n, x);
        for (int i = 0; i < n; i++)
            y[i] = c[0] + x[i] * (c[1] + x[i] * (c[2] + x[i] * c[3]));
        kane_spline_fit(n, x, y, KANE_SPLINE_NOT_A_KNOT, spline);
        for (int i = 0; i <= 20; i++) {
            const double at = x[0] + (x[n - 1] - x[0]) * i / 20.0;
            kane_spline_eval(n, x, spline, at, out);
            check_near(out[0], c[0] + at * (c[1] + at * (c[2] + at * c[3])), 2e-14);
            check_near(out[1], c[1] + at * (2.0 * c[2] + at * 3.0 * c[3]), 2e-13);
            check_near(out[2], 2.0 * c[2] + 6.0 * c[3] * at, 5e-13);
            check_near(out[3], 6.0 * c[3], 5e-13);
        }
    }
}

CHECK_TEST(natural_spline_reproduces_a_line)
{
    double x[N], y[N], out[4];
    kane_cubic spline[N];
    points(N, x);
    for (int i = 0; i < N; i++)
        y[i] = 2.0 - 0.25 * x[i];
    kane_spline_fit(N, x, y, KANE_SPLINE_NATURAL, spline);
    for (int i = -5; i <= 20; i++) {
        kane_spline_eval(N, x, spline, i, out);
        check_near(out[0], 2.0 - 0.25 * i, 1e-15);
        check_near(out[1], -0.25, 1e-15);
        check_near(out[2], 0.0, 1e-15);
    }
}

// The error of a sine falls with the fourth power of the distance of its points.
CHECK_TEST(spline_is_of_fourth_order)
{
    double error[2] = {0.0, 0.0};
    for (int k = 0; k < 2; k++) {
        enum { MANY = 81 };
        const int n = k ? 81 : 41;
        double x[MANY], y[MANY], out[4];
        kane_cubic spline[MANY];
        for (int i = 0; i < n; i++) {
            x[i] = 4.0 * i / (n - 1);
            y[i] = sin(x[i]);
        }
        kane_spline_fit(n, x, y, KANE_SPLINE_NOT_A_KNOT, spline);
        for (int i = 0; i <= 1000; i++) {
            kane_spline_eval(n, x, spline, 0.004 * i, out);
            error[k] = fmax(error[k], fabs(out[0] - sin(0.004 * i)));
        }
    }
    assert_in_range(error[0] / error[1] * 10, 120, 220);
    check_below(error[1], 1e-6);
}

CHECK_TEST(spline_on_equal_steps_is_the_same_spline)
{
    for (int e = 0; e < KINDS; e++)
        for (int n = 2; n <= N; n++) {
            double x[N], y[N], a[4], b[4];
            kane_cubic one[N], other[N];
            for (int i = 0; i < n; i++) {
                x[i] = -3.0 + 0.5 * i;
                y[i] = cos(2.0 * i);
            }
            kane_spline_fit(n, x, y, kinds[e], one);
            kane_spline_fit_uniform(n, 0.5, y, kinds[e], other);
            for (int i = -10; i <= 60; i++) {
                const double at = -3.0 + 0.11 * i;
                kane_spline_eval(n, x, one, at, a);
                kane_spline_eval(n, x, other, at, b);
                for (int j = 0; j < 4; j++)
                    check_near(a[j], b[j], 1e-13);
            }
        }
}

CHECK_TEST(spline_goes_straight_on_beyond_its_ends)
{
    double x[N], y[N], end[4], out[4];
    kane_cubic spline[N];
    points(N, x);
    for (int i = 0; i < N; i++)
        y[i] = cos(1.0 * i);
    kane_spline_fit(N, x, y, KANE_SPLINE_NOT_A_KNOT, spline);
    for (int side = 0; side < 2; side++) {
        const double at = side ? x[N - 1] : x[0], step = side ? 2.5 : -2.5;
        kane_spline_eval(N, x, spline, at, end);
        kane_spline_eval(N, x, spline, at + step, out);
        check_near(out[0], end[0] + step * end[1], 1e-15);
        check_near(out[1], end[1], 1e-15);
        check_near(out[2], 0.0, 0.0);
    }
    kane_spline_eval(N, x, spline, (double)NAN, out);
    assert_true(isnan(out[0]));
}

CHECK_TEST(find_gives_the_interval)
{
    const double x[5] = {0.0, 1.0, 3.0, 4.0, 8.0};
    assert_int_equal(kane_spline_find(5, x, -1.0), 0);
    assert_int_equal(kane_spline_find(5, x, 0.5), 0);
    assert_int_equal(kane_spline_find(5, x, 1.0), 1);
    assert_int_equal(kane_spline_find(5, x, 3.5), 2);
    assert_int_equal(kane_spline_find(5, x, 8.0), 3);
    assert_int_equal(kane_spline_find(5, x, 99.0), 3);
}

CHECK_MAIN(NULL, NULL)
