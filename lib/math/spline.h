// SPDX-License-Identifier: MIT
// Cubic splines through given points, twice continuously differentiable. A spline is its cubics, one for each of the
// n - 1 intervals.

#ifndef KANE_MATH_SPLINE_H
#define KANE_MATH_SPLINE_H

typedef enum kane_spline_ends {
    KANE_SPLINE_NATURAL,    // y'' = 0 at both ends; going straight on beyond them keeps y'' continuous
    KANE_SPLINE_NOT_A_KNOT, // y''' continuous at the first and last inner point: fourth order up to the ends
    KANE_SPLINE_LEVEL       // y' = 0 at both ends; constant beyond them
} kane_spline_ends;

// y = c[0] + c[1] t + c[2] t^2 + c[3] t^3, t counted from the beginning of the interval.
typedef struct kane_cubic {
    double c[4];
} kane_cubic;

// Cubics spline[n - 1] through n >= 2 points, x strictly ascending.
void kane_spline_fit(int n, const double *x, const double *y, kane_spline_ends ends, kane_cubic *spline);

// The same for points at equal distances h > 0.
void kane_spline_fit_uniform(int n, double h, const double *y, kane_spline_ends ends, kane_cubic *spline);

// The interval 0 .. n - 2 that holds `at`, the first or last one beyond the ends.
int kane_spline_find(int n, const double *x, double at);

// Value, first, second and third derivative.
static inline void kane_cubic_eval(const kane_cubic *cubic, double t, double out[4])
{
    const double *c = cubic->c;

    out[0] = c[0] + t * (c[1] + t * (c[2] + t * c[3]));
    out[1] = c[1] + t * (2.0 * c[2] + t * 3.0 * c[3]);
    out[2] = 2.0 * c[2] + 6.0 * c[3] * t;
    out[3] = 6.0 * c[3];
}

// Integral from the beginning of the interval.
static inline double kane_cubic_integral(const kane_cubic *cubic, double t)
{
    const double *c = cubic->c;
    return t * (c[0] + t * (c[1] / 2.0 + t * (c[2] / 3.0 + t * c[3] / 4.0)));
}

// Value and derivatives at any place; beyond the ends the curve goes straight on.
void kane_spline_eval(int n, const double *x, const kane_cubic *spline, double at, double out[4]);

// 10 t^3 - 15 t^4 + 6 t^5 from 0 to 1 between t = 0 and t = 1, with its derivatives.
void kane_step_eval(double t, double out[4]);

// === Gauss-Legendre quadrature.

// Nodes x[n], ascending in (-1, 1), and weights w[n] of the rule with n >= 1 points, exact for polynomials up to degree
// 2n - 1. Nodes and weights are exactly symmetric about 0.
void kane_gauss_legendre(int n, double *x, double *w);

#endif
