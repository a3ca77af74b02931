// SPDX-License-Identifier: MIT
// The shapes of transitions: f(x) from 0 to 1 for x = 0 .. 1, its integral and its derivatives in closed form. All of
// them may be evaluated beyond 0 .. 1.

#ifndef KANE_TRACK_SHAPE_H
#define KANE_TRACK_SHAPE_H

#include <kane/track.h>

#include <math.h>

#define KANE_PI 3.14159265358979323846

typedef struct kane_shape {
    double F;    // integral of f from 0 to x
    double f[5]; // f, f', f'', f''', f''''
} kane_shape;

// no change
static inline kane_shape kane_shape_constant(void)
{
    return (kane_shape){.F = 0.0};
}

// x
static inline kane_shape kane_shape_linear(double x)
{
    return (kane_shape){0.5 * x * x, {x, 1.0, 0.0, 0.0, 0.0}};
}

// (1 - cos(pi x))/2
static inline kane_shape kane_shape_cosine(double x)
{
    const double w = KANE_PI, w2 = w * w, S = 0.5 * sin(w * x), C = 0.5 * cos(w * x);
    return (kane_shape){0.5 * x - S / w, {0.5 - C, w * S, w2 * C, -w2 * w * S, -w2 * w2 * C}};
}

// x - sin(2 pi x)/(2 pi), Klein
static inline kane_shape kane_shape_sine(double x)
{
    const double w = 2.0 * KANE_PI, w2 = w * w, S = sin(w * x), C = cos(w * x);
    return (kane_shape){0.5 * x * x - (1.0 - C) / w2, {x - S / w, 1.0 - C, w * S, w2 * C, -w2 * w * S}};
}

// 3 x^2 - 2 x^3
static inline kane_shape kane_shape_bloss(double x)
{
    return (kane_shape){x * x * x * (1.0 - 0.5 * x),
                        {x * x * (3.0 - 2.0 * x), 6.0 * x * (1.0 - x), 6.0 - 12.0 * x, -12.0, 0.0}};
}

// Helmert up to the middle: 2 x^2
static inline kane_shape kane_shape_helmert_first(double x)
{
    return (kane_shape){2.0 / 3.0 * x * x * x, {2.0 * x * x, 4.0 * x, 4.0, 0.0, 0.0}};
}

// Helmert from the middle on: 1 - 2 (1 - x)^2
static inline kane_shape kane_shape_helmert_second(double x)
{
    const double y = 1.0 - x;
    return (kane_shape){x - 0.5 + 2.0 / 3.0 * y * y * y, {1.0 - 2.0 * y * y, 4.0 * y, -4.0, 0.0, 0.0}};
}

// 35 x^4 - 84 x^5 + 70 x^6 - 20 x^7: f' = 140 x^3 (1 - x)^3
static inline kane_shape kane_shape_wiener(double x)
{
    const double y = 1.0 - x, z = x * y, x4 = x * x * x * x;
    return (kane_shape){x4 * x * (7.0 + x * (-14.0 + x * (10.0 - 2.5 * x))),
                        {x4 * (35.0 + x * (-84.0 + x * (70.0 - 20.0 * x))), 140.0 * z * z * z, 420.0 * z * z * (y - x),
                         840.0 * z * (1.0 - 5.0 * z), 840.0 * (y - x) * (1.0 - 10.0 * z)}};
}

// sum c[i] x^i, i < n: value and derivatives in one pass of Horner's scheme
static inline kane_shape kane_shape_polynomial(const double *c, int n, double x)
{
    double F = 0.0, f = 0.0, f1 = 0.0, f2 = 0.0, f3 = 0.0, f4 = 0.0;
    for (int i = n - 1; i >= 0; i--) {
        f4 = f4 * x + f3;
        f3 = f3 * x + f2;
        f2 = f2 * x + f1;
        f1 = f1 * x + f;
        f  = f * x + c[i];
        F  = F * x + c[i] / (i + 1);
    }
    return (kane_shape){F * x, {f, f1, 2.0 * f2, 6.0 * f3, 24.0 * f4}};
}

// === B-splines: polynomials between knots.

typedef struct kane_spline_interval {
    double at;                            // x where it begins
    double before;                        // integral of f from 0 to there
    double c[KANE_SPLINE_DEGREE_MAX + 1]; // coefficients of (x - at)^0, (x - at)^1, ...
} kane_spline_interval;

// Intervals of a B-spline from 0 to 1: knots [knot_count] ascending within, coefficients [knot_count + degree + 1].
// intervals [knot_count + 1].
void kane_spline_divide(int degree, int knot_count, const double *knots, const double *coefficients,
                        kane_spline_interval *intervals);

// The interval that holds x; below 0 the first, above 1 the last one.
static inline const kane_spline_interval *kane_spline_at(const kane_spline_interval *intervals, int count, double x)
{
    int i = count - 1;
    while (i > 0 && x < intervals[i].at)
        i--;
    return &intervals[i];
}

// f with its derivatives and its integral from 0.
static inline kane_shape kane_shape_spline(const kane_spline_interval *interval, int degree, double x)
{
    kane_shape f = kane_shape_polynomial(interval->c, degree + 1, x - interval->at);
    f.F += interval->before;
    return f;
}

#endif
