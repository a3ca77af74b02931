// SPDX-License-Identifier: MIT
// Numbers that know how they change: the arithmetic in which user-defined constraint rows are written (kane/rows.h).
//
// A *number* holds a value and, beside it, everything that the equations of motion want of a formula:
//
//   v             its value
//   d, dd         first and second derivative in time, along the motion
//   slope[k]      derivatives in six directions in which bodies may move (what a multiplier pushes along)
//   and how each of these changes with a state of the system (what the Jacobian is made of), where that is asked for.
//
// A formula calls the functions below instead of + - * / and sqrt(), and states only the value:
// all derivatives follow by the rules of calculus, exactly.  L - |x|  is
//
//   kn_sub(kn_constant(L), kn3_norm(x))
//
// All is inline and by value; nothing is allocated. A number without derivatives (kn_constant) is a plain number.
// Formulas must be smooth (three derivatives) where they are used; of a function that is not here give value and
// derivatives to kn_chain.

#ifndef KANE_NUMBER_H
#define KANE_NUMBER_H

#include <kane/base.h>
#include <kane/math.h>

// Parts of a number: v, d, dd, then the slopes.
enum { KANE_NUMBER_TANGENTS = 6, KANE_NUMBER_PARTS = 3 + KANE_NUMBER_TANGENTS };

typedef struct kane_number {
    double part[KANE_NUMBER_PARTS];   // v, d, dd, slope[0] ...
    double change[KANE_NUMBER_PARTS]; // of each; not read if changes is 0
    int changes;                      // 1: changes are carried along
} kane_number;

typedef struct kane_number3 {
    kane_number x, y, z;
} kane_number3;

// --- making numbers, and looking at them ---

static inline kane_number kn_constant(double value)
{
    return KANE_LITERAL(kane_number){{value}, {0.0}, 0};
}

// The value. A formula may look at it to choose between branches that join smoothly.
static inline double kn_value(kane_number a)
{
    return a.part[0];
}

// --- sums ---

static inline kane_number kn_add(kane_number a, kane_number b)
{
    kane_number r = {{0.0}, {0.0}, a.changes | b.changes};
    for (int k = 0; k < KANE_NUMBER_PARTS; k++)
        r.part[k] = a.part[k] + b.part[k];
    for (int k = 0; k < KANE_NUMBER_PARTS && r.changes; k++)
        r.change[k] = a.change[k] + b.change[k];
    return r;
}

static inline kane_number kn_scale(double s, kane_number a)
{
    kane_number r = {{0.0}, {0.0}, a.changes};
    for (int k = 0; k < KANE_NUMBER_PARTS; k++)
        r.part[k] = s * a.part[k];
    for (int k = 0; k < KANE_NUMBER_PARTS && r.changes; k++)
        r.change[k] = s * a.change[k];
    return r;
}

static inline kane_number kn_neg(kane_number a)
{
    return kn_scale(-1.0, a);
}

static inline kane_number kn_sub(kane_number a, kane_number b)
{
    kane_number r = {{0.0}, {0.0}, a.changes | b.changes};
    for (int k = 0; k < KANE_NUMBER_PARTS; k++)
        r.part[k] = a.part[k] - b.part[k];
    for (int k = 0; k < KANE_NUMBER_PARTS && r.changes; k++)
        r.change[k] = a.change[k] - b.change[k];
    return r;
}

// a + s
static inline kane_number kn_shift(kane_number a, double s)
{
    a.part[0] += s;
    return a;
}

// --- products ---

// (a b)'' = a'' b + 2 a' b' + a b'';  slopes and changes by the product rule.
static inline kane_number kn_mul(kane_number a, kane_number b)
{
    const double *p = a.part, *q = b.part;
    kane_number r = {{0.0}, {0.0}, a.changes | b.changes};
    r.part[0]     = p[0] * q[0];
    for (int k = 1; k < KANE_NUMBER_PARTS; k++)
        r.part[k] = p[k] * q[0] + p[0] * q[k];
    r.part[2] += 2.0 * p[1] * q[1];
    if (!r.changes)
        return r;
    const double *u = a.change, *w = b.change;
    r.change[0] = u[0] * q[0] + p[0] * w[0];
    for (int k = 1; k < KANE_NUMBER_PARTS; k++)
        r.change[k] = u[k] * q[0] + p[k] * w[0] + u[0] * q[k] + p[0] * w[k];
    r.change[2] += 2.0 * (u[1] * q[1] + p[1] * w[1]);
    return r;
}

static inline kane_number kn_square(kane_number a)
{
    return kn_mul(a, a);
}

// --- functions ---

// f(a), from the value of f and its first three derivatives at the value of a:
//   d = f' a',   dd = f'' a'^2 + f' a'',   slope = f' slope
static inline kane_number kn_chain(kane_number a, const double f[4])
{
    const double *p = a.part;
    kane_number r   = {{0.0}, {0.0}, a.changes};
    r.part[0]       = f[0];
    for (int k = 1; k < KANE_NUMBER_PARTS; k++)
        r.part[k] = f[1] * p[k];
    r.part[2] += f[2] * p[1] * p[1];
    if (!r.changes)
        return r;
    const double *u = a.change, slope = f[2] * u[0], bend = f[3] * u[0]; // what f' and f'' change by
    r.change[0] = f[1] * u[0];
    for (int k = 1; k < KANE_NUMBER_PARTS; k++)
        r.change[k] = slope * p[k] + f[1] * u[k];
    r.change[2] += bend * p[1] * p[1] + 2.0 * f[2] * p[1] * u[1];
    return r;
}

// a^n for any real n; a must be positive unless n is a whole number.
static inline kane_number kn_power(kane_number a, double n)
{
    double f[4], factor = 1.0;
    for (int k = 0; k < 4; k++) {
        f[k] = factor != 0.0 ? factor * pow(kn_value(a), n - k) : 0.0;
        factor *= n - k;
    }
    return kn_chain(a, f);
}

static inline kane_number kn_inverse(kane_number a)
{
    const double y    = 1.0 / kn_value(a);
    const double f[4] = {y, -y * y, 2.0 * y * y * y, -6.0 * y * y * y * y};
    return kn_chain(a, f);
}

static inline kane_number kn_div(kane_number a, kane_number b)
{
    return kn_mul(a, kn_inverse(b));
}

static inline kane_number kn_sqrt(kane_number a)
{
    const double s = sqrt(kn_value(a)), y = 1.0 / s, y3 = y * y * y;
    const double f[4] = {s, 0.5 * y, -0.25 * y3, 0.375 * y3 * y * y};
    return kn_chain(a, f);
}

static inline kane_number kn_sin(kane_number a)
{
    const double s = sin(kn_value(a)), c = cos(kn_value(a));
    const double f[4] = {s, c, -s, -c};
    return kn_chain(a, f);
}

static inline kane_number kn_cos(kane_number a)
{
    const double s = sin(kn_value(a)), c = cos(kn_value(a));
    const double f[4] = {c, -s, -c, s};
    return kn_chain(a, f);
}

static inline kane_number kn_tan(kane_number a)
{
    const double t = tan(kn_value(a)), s = 1.0 + t * t;
    const double f[4] = {t, s, 2.0 * t * s, 2.0 * s * (1.0 + 3.0 * t * t)};
    return kn_chain(a, f);
}

static inline kane_number kn_exp(kane_number a)
{
    const double e    = exp(kn_value(a));
    const double f[4] = {e, e, e, e};
    return kn_chain(a, f);
}

static inline kane_number kn_log(kane_number a)
{
    const double y    = 1.0 / kn_value(a);
    const double f[4] = {log(kn_value(a)), y, -y * y, 2.0 * y * y * y};
    return kn_chain(a, f);
}

static inline kane_number kn_asin(kane_number a)
{
    const double x = kn_value(a), u = 1.0 / sqrt(1.0 - x * x), u3 = u * u * u;
    const double f[4] = {asin(x), u, x * u3, u3 * (1.0 + 3.0 * x * x * u * u)};
    return kn_chain(a, f);
}

static inline kane_number kn_acos(kane_number a)
{
    return kn_shift(kn_neg(kn_asin(a)), acos(0.0));
}

static inline kane_number kn_atan(kane_number a)
{
    const double x = kn_value(a), u = 1.0 / (1.0 + x * x);
    const double f[4] = {atan(x), u, -2.0 * x * u * u, (6.0 * x * x - 2.0) * u * u * u};
    return kn_chain(a, f);
}

// Angle of the point (x, y), in all quadrants; derivatives also across the cut, where the value leaps.
static inline kane_number kn_atan2(kane_number y, kane_number x)
{
    const int steep = fabs(kn_value(y)) > fabs(kn_value(x));
    kane_number r   = kn_atan(steep ? kn_neg(kn_div(x, y)) : kn_div(y, x));
    r.part[0]       = atan2(kn_value(y), kn_value(x));
    return r;
}

// --- vectors ---

static inline kane_number3 kn3(kane_number x, kane_number y, kane_number z)
{
    return KANE_LITERAL(kane_number3){x, y, z};
}

static inline kane_number3 kn3_constant(kane_vec3 a)
{
    return KANE_LITERAL(kane_number3){kn_constant(a.x), kn_constant(a.y), kn_constant(a.z)};
}

static inline kane_number3 kn3_add(kane_number3 a, kane_number3 b)
{
    return KANE_LITERAL(kane_number3){kn_add(a.x, b.x), kn_add(a.y, b.y), kn_add(a.z, b.z)};
}

static inline kane_number3 kn3_sub(kane_number3 a, kane_number3 b)
{
    return KANE_LITERAL(kane_number3){kn_sub(a.x, b.x), kn_sub(a.y, b.y), kn_sub(a.z, b.z)};
}

static inline kane_number3 kn3_neg(kane_number3 a)
{
    return KANE_LITERAL(kane_number3){kn_neg(a.x), kn_neg(a.y), kn_neg(a.z)};
}

static inline kane_number3 kn3_scale(kane_number s, kane_number3 a)
{
    return KANE_LITERAL(kane_number3){kn_mul(s, a.x), kn_mul(s, a.y), kn_mul(s, a.z)};
}

static inline kane_number kn3_dot(kane_number3 a, kane_number3 b)
{
    return kn_add(kn_add(kn_mul(a.x, b.x), kn_mul(a.y, b.y)), kn_mul(a.z, b.z));
}

static inline kane_number3 kn3_cross(kane_number3 a, kane_number3 b)
{
    return KANE_LITERAL(kane_number3){kn_sub(kn_mul(a.y, b.z), kn_mul(a.z, b.y)),
                                      kn_sub(kn_mul(a.z, b.x), kn_mul(a.x, b.z)),
                                      kn_sub(kn_mul(a.x, b.y), kn_mul(a.y, b.x))};
}

// Length; of a vector of no length derivatives are not finite.
static inline kane_number kn3_norm(kane_number3 a)
{
    return kn_sqrt(kn3_dot(a, a));
}

#endif
