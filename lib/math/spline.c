// SPDX-License-Identifier: MIT
// Cubic splines: second derivatives at the points from a tridiagonal system, then coefficients.

#include "math/spline.h"

#include <stddef.h>

// Length of interval i; x NULL: they are all h.
static double interval_length(const double *x, double h, int i)
{
    return x ? x[i + 1] - x[i] : h;
}

// (y[i+1] - y[i])/h[i]
static double chord_slope(const double *x, double h, const double *y, int i)
{
    return (y[i + 1] - y[i]) / interval_length(x, h, i);
}

// Second derivatives m at the points, from y' being continuous at each inner point:
//   h0 m[i-1] + 2 (h0 + h1) m[i] + h1 m[i+1] = 6 (slope[i] - slope[i-1])
// Thomas' algorithm in place: forward, s[i].c[2] becomes the right-hand side and s[i].c[3] the factor of m[i+1];
// backward, s[i].c[2] becomes m[i]. m[n-1] has no interval and is returned.
static double second_derivatives(int n, const double *x, double h, const double *y, kane_spline_ends ends,
                                 kane_cubic *s)
{
    const int loose_ends = ends == KANE_SPLINE_NOT_A_KNOT, level = ends == KANE_SPLINE_LEVEL;
    const double first_slope = chord_slope(x, h, y, 0), last_slope = chord_slope(x, h, y, n - 2);

    for (int i = 1; i < n - 1; i++) {
        const double h0 = interval_length(x, h, i - 1), h1 = interval_length(x, h, i);
        double below = h0, diagonal = 2.0 * (h0 + h1), above = h1;
        double right = 6.0 * (chord_slope(x, h, y, i) - chord_slope(x, h, y, i - 1));

        if (loose_ends && i == 1) { // m[0] = m[1] + (m[1] - m[2]) h0/h1
            diagonal += h0 + h0 * h0 / h1;
            above -= h0 * h0 / h1;
            below = 0.0;
        }
        if (loose_ends && i == n - 2) { // m[n-1] = m[n-2] + (m[n-2] - m[n-3]) h1/h0
            diagonal += h1 + h1 * h1 / h0;
            below -= h1 * h1 / h0;
            above = 0.0;
        }
        if (level && i == 1) { // m[0] = 3 slope[0]/h0 - m[1]/2
            diagonal -= 0.5 * h0;
            right -= 3.0 * first_slope;
        }
        if (level && i == n - 2) { // m[n-1] = -3 slope[n-2]/h1 - m[n-2]/2
            diagonal -= 0.5 * h1;
            right += 3.0 * last_slope;
        }
        const double pivot = i == 1 ? diagonal : diagonal - below * s[i - 1].c[3];

        s[i].c[3] = above / pivot;
        s[i].c[2] = (i == 1 ? right : right - below * s[i - 1].c[2]) / pivot;
    }
    for (int i = n - 3; i >= 1; i--)
        s[i].c[2] -= s[i].c[3] * s[i + 1].c[2];

    if (level) {
        s[0].c[2] = 3.0 * first_slope / interval_length(x, h, 0) - 0.5 * s[1].c[2];
        return -3.0 * last_slope / interval_length(x, h, n - 2) - 0.5 * s[n - 2].c[2];
    }
    if (!loose_ends) {
        s[0].c[2] = 0.0;
        return 0.0;
    }
    const double first = interval_length(x, h, 0) / interval_length(x, h, 1),
                 last  = interval_length(x, h, n - 2) / interval_length(x, h, n - 3);

    s[0].c[2] = s[1].c[2] + (s[1].c[2] - s[2].c[2]) * first;
    return s[n - 2].c[2] + (s[n - 2].c[2] - s[n - 3].c[2]) * last;
}

// As above for the few points that leave no freedom: a line (level at its ends a cubic), and with three points that are
// no knots a parabola.
static double second_derivatives_few(int n, const double *x, double h, const double *y, kane_spline_ends ends,
                                     kane_cubic *s)
{
    const double rise = ends == KANE_SPLINE_LEVEL ? 6.0 * chord_slope(x, h, y, 0) / interval_length(x, h, 0) : 0.0;
    s[0].c[2]         = rise;
    if (n == 2)
        return -rise;
    const double bend = 2.0 * (chord_slope(x, h, y, 1) - chord_slope(x, h, y, 0)) /
                        (interval_length(x, h, 0) + interval_length(x, h, 1));

    if (ends == KANE_SPLINE_NATURAL) {
        s[1].c[2] = 1.5 * bend;
        return 0.0;
    }
    s[0].c[2] = s[1].c[2] = bend;
    return bend;
}

static void fit_cubics(int n, const double *x, double h, const double *y, kane_spline_ends ends, kane_cubic *s)
{
    const int are_few = n == 2 || (n == 3 && ends != KANE_SPLINE_LEVEL);
    const double last = are_few ? second_derivatives_few(n, x, h, y, ends, s) : second_derivatives(n, x, h, y, ends, s);

    for (int i = 0; i < n - 1; i++) {
        const double hi = interval_length(x, h, i), m0 = s[i].c[2], m1 = i == n - 2 ? last : s[i + 1].c[2];

        s[i].c[0] = y[i];
        s[i].c[1] = chord_slope(x, h, y, i) - hi * (2.0 * m0 + m1) / 6.0;
        s[i].c[2] = m0 / 2.0;
        s[i].c[3] = (m1 - m0) / (6.0 * hi);
    }
}

void kane_spline_fit(int n, const double *x, const double *y, kane_spline_ends ends, kane_cubic *s)
{
    fit_cubics(n, x, 0.0, y, ends, s);
}

void kane_spline_fit_uniform(int n, double h, const double *y, kane_spline_ends ends, kane_cubic *s)
{
    fit_cubics(n, NULL, h, y, ends, s);
}

int kane_spline_find(int n, const double *x, double at)
{
    int low = 0, high = n - 1;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (at < x[middle])
            high = middle;
        else
            low = middle;
    }
    return low;
}

// One cubic over its interval of length h; beyond it straight on.
static void eval_interval(const kane_cubic *cubic, double h, double t, double out[4])
{
    const double inside = t > 0.0 ? (t < h ? t : h) : 0.0;

    kane_cubic_eval(cubic, inside, out);
    if (inside != t) {
        out[0] += out[1] * (t - inside);
        out[2] = 0.0;
        out[3] = 0.0;
    }
}

void kane_spline_eval(int n, const double *x, const kane_cubic *s, double at, double out[4])
{
    const int i = kane_spline_find(n, x, at);
    eval_interval(&s[i], x[i + 1] - x[i], at - x[i], out);
}

void kane_step_eval(double t, double out[4])
{
    const double x = t <= 0.0 ? 0.0 : t >= 1.0 ? 1.0 : t, rest = 1.0 - x;
    out[0] = x * x * x * (10.0 + x * (-15.0 + 6.0 * x));
    out[1] = 30.0 * x * x * rest * rest;
    out[2] = 60.0 * x * rest * (1.0 - 2.0 * x);
    out[3] = t == x ? 60.0 * (1.0 - 6.0 * x * rest) : 0.0;
}
