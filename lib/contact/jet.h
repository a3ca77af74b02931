// SPDX-License-Identifier: MIT
// Derivatives carried along with values: of a function of a wheel's pose, its gradient, and its first and second
// derivative along one path of the pose.

#ifndef KANE_CONTACT_JET_H
#define KANE_CONTACT_JET_H

#include <math.h>

// The pose: centre y, z; axle x, y, z.
enum { KANE_POSE = 5 };

typedef struct jet {
    double v;            // value
    double g[KANE_POSE]; // gradient
    double d, dd;        // first and second derivative along the path
} jet;

static inline jet jet_constant(double v)
{
    return (jet){.v = v};
}

// Coordinate i of the pose: how it moves along the path.
static inline jet jet_coordinate(int i, double v, double d, double dd)
{
    jet a  = {.v = v, .d = d, .dd = dd};
    a.g[i] = 1.0;
    return a;
}

// a + s b
static inline jet jet_add_scaled(jet a, double s, jet b)
{
    jet c = {.v = a.v + s * b.v, .d = a.d + s * b.d, .dd = a.dd + s * b.dd};
    for (int i = 0; i < KANE_POSE; i++)
        c.g[i] = a.g[i] + s * b.g[i];
    return c;
}

static inline jet jet_add(jet a, jet b)
{
    return jet_add_scaled(a, 1.0, b);
}

static inline jet jet_sub(jet a, jet b)
{
    return jet_add_scaled(a, -1.0, b);
}

static inline jet jet_scale(double s, jet a)
{
    return jet_add_scaled((jet){0}, s, a);
}

static inline jet jet_mul(jet a, jet b)
{
    jet c = {.v = a.v * b.v, .d = a.v * b.d + a.d * b.v, .dd = a.v * b.dd + 2.0 * a.d * b.d + a.dd * b.v};
    for (int i = 0; i < KANE_POSE; i++)
        c.g[i] = a.v * b.g[i] + a.g[i] * b.v;
    return c;
}

// f(a) from f, f' and f'' at a
static inline jet jet_apply(jet a, double f, double f1, double f2)
{
    jet c = {.v = f, .d = f1 * a.d, .dd = f1 * a.dd + f2 * a.d * a.d};
    for (int i = 0; i < KANE_POSE; i++)
        c.g[i] = f1 * a.g[i];
    return c;
}

static inline jet jet_sqrt(jet a)
{
    const double root = sqrt(a.v);
    return jet_apply(a, root, 0.5 / root, -0.25 / (root * a.v));
}

static inline jet jet_inverse(jet a)
{
    const double inverse = 1.0 / a.v, square = inverse * inverse;
    return jet_apply(a, inverse, -square, 2.0 * square * inverse);
}

#endif
