// SPDX-License-Identifier: MIT
// Numbers with slopes: the arithmetic in which a force law is written once and has its value and its derivatives
// (kane/formula.h).
//
// A *scalar* holds a value v and, beside it, its slopes t in six directions: exact derivatives by the rules of
// calculus. A formula calls the functions below instead of + - * / and sqrt(), and states only the value. k (|x| - L)
// is
//
//   ks_scale(k, ks_shift(ks3_norm(x), -L))
//
// All is inline and by value. Where the slopes of a result are not read, compilers leave them out: the value then costs
// what it costs in plain doubles, and has the same bits. Parameters stay double. Of a function that is not here give
// value and slope to ks_chain. The names are those of kane/number.h, whose numbers know second derivatives in time too.

#ifndef KANE_SCALAR_H
#define KANE_SCALAR_H

#include <kane/base.h>
#include <kane/math.h>

// Of functions that take scalars: compilers shall see through all of them, or they keep unused slopes.
#ifndef KANE_INLINE
#define KANE_INLINE static inline __attribute__((always_inline))
#endif

// Of functions that scalars are made by (ks_chain) and that are not inline: they do nothing but return a value, and
// need not be called where it is not used.
#define KANE_PURE __attribute__((pure))

// How many slopes: 6; libkane itself compiles the same text with 4 and without any (lib/tree/change.h).
#ifndef KANE_SCALAR_TANGENTS
#define KANE_SCALAR_TANGENTS 6
#endif

// --- slopes ---

#if KANE_SCALAR_TANGENTS == 6

// Two doubles side by side, in one register (GCC, clang); libkane brings another pair where numbers are recorded
// (lib/record).
#ifndef KANE_SCALAR_RECORDED
typedef double kane_double2 __attribute__((vector_size(16), aligned(8)));
#endif

typedef struct kane_tangents {
    kane_double2 a, b, c; // directions 0 and 1, 2 and 3, 4 and 5
} kane_tangents;

// p s + q t, and p s
KANE_INLINE kane_tangents kane_tangents_sum(double p, kane_tangents s, double q, kane_tangents t)
{
    return KANE_LITERAL(kane_tangents){p * s.a + q * t.a, p * s.b + q * t.b, p * s.c + q * t.c};
}

KANE_INLINE kane_tangents kane_tangents_scale(double p, kane_tangents s)
{
    return KANE_LITERAL(kane_tangents){p * s.a, p * s.b, p * s.c};
}

// s + t, s - t
KANE_INLINE kane_tangents kane_tangents_add(kane_tangents s, kane_tangents t)
{
    return KANE_LITERAL(kane_tangents){s.a + t.a, s.b + t.b, s.c + t.c};
}

KANE_INLINE kane_tangents kane_tangents_sub(kane_tangents s, kane_tangents t)
{
    return KANE_LITERAL(kane_tangents){s.a - t.a, s.b - t.b, s.c - t.c};
}

// Directions 0 to 2, and 3 to 5.
KANE_INLINE kane_vec3 kane_tangents_first(kane_tangents s)
{
    return KANE_LITERAL(kane_vec3){s.a[0], s.a[1], s.b[0]};
}

KANE_INLINE kane_vec3 kane_tangents_last(kane_tangents s)
{
    return KANE_LITERAL(kane_vec3){s.b[1], s.c[0], s.c[1]};
}

KANE_INLINE kane_tangents kane_tangents_none(void)
{
    return KANE_LITERAL(kane_tangents){{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}};
}

// 1 in one direction, and the slope in one direction (0 to 5).
KANE_INLINE kane_tangents kane_tangents_unit(int i)
{
    return KANE_LITERAL(kane_tangents){{(double)(i == 0), (double)(i == 1)},
                                       {(double)(i == 2), (double)(i == 3)},
                                       {(double)(i == 4), (double)(i == 5)}};
}

KANE_INLINE double kane_tangents_get(kane_tangents s, int i)
{
    return i < 2 ? s.a[i & 1] : i < 4 ? s.b[i & 1] : s.c[i & 1];
}

#elif KANE_SCALAR_TANGENTS == 4

typedef double kane_double2 __attribute__((vector_size(16), aligned(8)));

typedef struct kane_tangents {
    kane_double2 a, b; // directions 0 and 1, 2 and 3
} kane_tangents;

KANE_INLINE kane_tangents kane_tangents_sum(double p, kane_tangents s, double q, kane_tangents t)
{
    return KANE_LITERAL(kane_tangents){p * s.a + q * t.a, p * s.b + q * t.b};
}

KANE_INLINE kane_tangents kane_tangents_scale(double p, kane_tangents s)
{
    return KANE_LITERAL(kane_tangents){p * s.a, p * s.b};
}

KANE_INLINE kane_tangents kane_tangents_add(kane_tangents s, kane_tangents t)
{
    return KANE_LITERAL(kane_tangents){s.a + t.a, s.b + t.b};
}

KANE_INLINE kane_tangents kane_tangents_sub(kane_tangents s, kane_tangents t)
{
    return KANE_LITERAL(kane_tangents){s.a - t.a, s.b - t.b};
}

KANE_INLINE kane_tangents kane_tangents_none(void)
{
    return KANE_LITERAL(kane_tangents){{0.0, 0.0}, {0.0, 0.0}};
}

#endif

#if KANE_SCALAR_TANGENTS > 0
#define KANE_WITH_TANGENTS(...) __VA_ARGS__
#else
#define KANE_WITH_TANGENTS(...)
#endif

typedef struct kane_scalar {
    KANE_WITH_TANGENTS(kane_tangents t;)
    double v;
} kane_scalar;

typedef struct kane_scalar3 {
    kane_scalar x, y, z;
} kane_scalar3;

// --- making scalars, and looking at them ---

KANE_INLINE kane_scalar ks_constant(double value)
{
    return KANE_LITERAL(kane_scalar){KANE_WITH_TANGENTS(kane_tangents_none(), ) value};
}

#if KANE_SCALAR_TANGENTS == 6
// What changes with slope 1 in one direction: the variable of the derivatives in this direction.
KANE_INLINE kane_scalar ks_variable(double value, int direction)
{
    return KANE_LITERAL(kane_scalar){kane_tangents_unit(direction), value};
}
#endif

// The value. A formula may look at it to choose between branches; where they do not join smoothly, it chooses the slope
// too.
KANE_INLINE double ks_value(kane_scalar a)
{
    return a.v;
}

// x where a < b, else y: a choice between values, which is no branch where numbers are recorded.
#ifndef KANE_SCALAR_RECORDED
#define KANE_WHERE_LESS(a, b, x, y) ((a) < (b) ? (x) : (y))
#endif

// x, whose derivatives recorded equations leave out: what the last step of an iteration does not depend on.
#ifndef KANE_SCALAR_RECORDED
#define KANE_WITHOUT_RATE(x) (x)
#endif

// --- sums ---

KANE_INLINE kane_scalar ks_add(kane_scalar a, kane_scalar b)
{
    return KANE_LITERAL(kane_scalar){KANE_WITH_TANGENTS(kane_tangents_add(a.t, b.t), ) a.v + b.v};
}

KANE_INLINE kane_scalar ks_sub(kane_scalar a, kane_scalar b)
{
    return KANE_LITERAL(kane_scalar){KANE_WITH_TANGENTS(kane_tangents_sub(a.t, b.t), ) a.v - b.v};
}

KANE_INLINE kane_scalar ks_scale(double s, kane_scalar a)
{
    return KANE_LITERAL(kane_scalar){KANE_WITH_TANGENTS(kane_tangents_scale(s, a.t), ) s * a.v};
}

KANE_INLINE kane_scalar ks_neg(kane_scalar a)
{
    return KANE_LITERAL(kane_scalar){KANE_WITH_TANGENTS(kane_tangents_scale(-1.0, a.t), ) - a.v};
}

// a + s
KANE_INLINE kane_scalar ks_shift(kane_scalar a, double s)
{
    return KANE_LITERAL(kane_scalar){KANE_WITH_TANGENTS(a.t, ) a.v + s};
}

// --- products and functions ---

// f(a), from the value of f and its slope at the value of a
KANE_INLINE kane_scalar ks_chain(kane_scalar a, double f, double slope)
{
    (void)a;
    (void)slope;
    return KANE_LITERAL(kane_scalar){KANE_WITH_TANGENTS(kane_tangents_scale(slope, a.t), ) f};
}

// f(a, b), from the value of f and its slopes by a and by b
KANE_INLINE kane_scalar ks_chain2(kane_scalar a, kane_scalar b, double f, double by_a, double by_b)
{
    (void)a;
    (void)b;
    (void)by_a;
    (void)by_b;
    return KANE_LITERAL(kane_scalar){KANE_WITH_TANGENTS(kane_tangents_sum(by_a, a.t, by_b, b.t), ) f};
}

KANE_INLINE kane_scalar ks_mul(kane_scalar a, kane_scalar b)
{
    return ks_chain2(a, b, a.v * b.v, b.v, a.v);
}

KANE_INLINE kane_scalar ks_square(kane_scalar a)
{
    return ks_chain(a, a.v * a.v, 2.0 * a.v);
}

KANE_INLINE kane_scalar ks_inverse(kane_scalar a)
{
    const double y = 1.0 / a.v;
    return ks_chain(a, y, -y * y);
}

KANE_INLINE kane_scalar ks_div(kane_scalar a, kane_scalar b)
{
    const double f = a.v / b.v, y = 1.0 / b.v;
    return ks_chain2(a, b, f, y, -f * y);
}

// a/s
KANE_INLINE kane_scalar ks_over(kane_scalar a, double s)
{
    return ks_chain(a, a.v / s, 1.0 / s);
}

KANE_INLINE kane_scalar ks_sqrt(kane_scalar a)
{
    const double s = sqrt(a.v);
    return ks_chain(a, s, 0.5 / s);
}

// a^n for any real n; a must be positive unless n is a whole number
KANE_INLINE kane_scalar ks_power(kane_scalar a, double n)
{
    const double f = pow(a.v, n);
    return ks_chain(a, f, a.v != 0.0 ? n * f / a.v : n != 0.0 ? n * pow(0.0, n - 1.0) : 0.0);
}

// |a|; of 0 the slope is that of a
KANE_INLINE kane_scalar ks_abs(kane_scalar a)
{
#ifdef KANE_SCALAR_RECORDED
    return ks_constant(fabs(a.v)); // slopes come from the tape
#else
    return a.v < 0.0 ? ks_neg(a) : a;
#endif
}

// The lesser of a and s; of a = s the slope is that of a.
KANE_INLINE kane_scalar ks_at_most(kane_scalar a, double s)
{
#ifdef KANE_SCALAR_RECORDED
    return ks_constant(KANE_WHERE_LESS(s, a.v, s, a.v));
#else
    return a.v > s ? ks_constant(s) : a;
#endif
}

KANE_INLINE kane_scalar ks_sin(kane_scalar a)
{
    return ks_chain(a, sin(a.v), cos(a.v));
}

KANE_INLINE kane_scalar ks_cos(kane_scalar a)
{
    return ks_chain(a, cos(a.v), -sin(a.v));
}

KANE_INLINE kane_scalar ks_tan(kane_scalar a)
{
    const double f = tan(a.v);
    return ks_chain(a, f, 1.0 + f * f);
}

KANE_INLINE kane_scalar ks_exp(kane_scalar a)
{
    const double f = exp(a.v);
    return ks_chain(a, f, f);
}

KANE_INLINE kane_scalar ks_log(kane_scalar a)
{
    return ks_chain(a, log(a.v), 1.0 / a.v);
}

KANE_INLINE kane_scalar ks_tanh(kane_scalar a)
{
    const double f = tanh(a.v);
    return ks_chain(a, f, 1.0 - f * f);
}

KANE_INLINE kane_scalar ks_asin(kane_scalar a)
{
    return ks_chain(a, asin(a.v), 1.0 / sqrt(1.0 - a.v * a.v));
}

KANE_INLINE kane_scalar ks_acos(kane_scalar a)
{
    return ks_chain(a, acos(a.v), -1.0 / sqrt(1.0 - a.v * a.v));
}

KANE_INLINE kane_scalar ks_atan(kane_scalar a)
{
    return ks_chain(a, atan(a.v), 1.0 / (1.0 + a.v * a.v));
}

// Angle of the point (x, y), in all quadrants; slopes also across the cut, where the value leaps.
KANE_INLINE kane_scalar ks_atan2(kane_scalar y, kane_scalar x)
{
    const double n = 1.0 / (y.v * y.v + x.v * x.v);
    return ks_chain2(y, x, atan2(y.v, x.v), x.v * n, -y.v * n);
}

// --- vectors ---

KANE_INLINE kane_scalar3 ks3(kane_scalar x, kane_scalar y, kane_scalar z)
{
    return KANE_LITERAL(kane_scalar3){x, y, z};
}

KANE_INLINE kane_scalar3 ks3_constant(kane_vec3 a)
{
    return KANE_LITERAL(kane_scalar3){ks_constant(a.x), ks_constant(a.y), ks_constant(a.z)};
}

KANE_INLINE kane_vec3 ks3_value(kane_scalar3 a)
{
    return KANE_LITERAL(kane_vec3){a.x.v, a.y.v, a.z.v};
}

KANE_INLINE kane_scalar ks3_get(kane_scalar3 a, int axis)
{
    return axis == 0 ? a.x : axis == 1 ? a.y : a.z;
}

KANE_INLINE kane_scalar3 ks3_add(kane_scalar3 a, kane_scalar3 b)
{
    return KANE_LITERAL(kane_scalar3){ks_add(a.x, b.x), ks_add(a.y, b.y), ks_add(a.z, b.z)};
}

KANE_INLINE kane_scalar3 ks3_sub(kane_scalar3 a, kane_scalar3 b)
{
    return KANE_LITERAL(kane_scalar3){ks_sub(a.x, b.x), ks_sub(a.y, b.y), ks_sub(a.z, b.z)};
}

KANE_INLINE kane_scalar3 ks3_neg(kane_scalar3 a)
{
    return KANE_LITERAL(kane_scalar3){ks_neg(a.x), ks_neg(a.y), ks_neg(a.z)};
}

KANE_INLINE kane_scalar3 ks3_scale(kane_scalar s, kane_scalar3 a)
{
    return KANE_LITERAL(kane_scalar3){ks_mul(s, a.x), ks_mul(s, a.y), ks_mul(s, a.z)};
}

KANE_INLINE kane_scalar3 ks3_by(double s, kane_scalar3 a)
{
    return KANE_LITERAL(kane_scalar3){ks_scale(s, a.x), ks_scale(s, a.y), ks_scale(s, a.z)};
}

// a + s b
KANE_INLINE kane_scalar3 ks3_add_scaled(kane_scalar3 a, kane_scalar s, kane_scalar3 b)
{
    return ks3_add(a, ks3_scale(s, b));
}

KANE_INLINE kane_scalar ks3_dot(kane_scalar3 a, kane_scalar3 b)
{
    return ks_add(ks_add(ks_mul(a.x, b.x), ks_mul(a.y, b.y)), ks_mul(a.z, b.z));
}

KANE_INLINE kane_scalar3 ks3_cross(kane_scalar3 a, kane_scalar3 b)
{
    return KANE_LITERAL(kane_scalar3){ks_sub(ks_mul(a.y, b.z), ks_mul(a.z, b.y)),
                                      ks_sub(ks_mul(a.z, b.x), ks_mul(a.x, b.z)),
                                      ks_sub(ks_mul(a.x, b.y), ks_mul(a.y, b.x))};
}

// sqrt(x^2 + y^2); as with ks3_norm.
KANE_INLINE kane_scalar ks_hypot(kane_scalar x, kane_scalar y)
{
    const kane_scalar square = ks_add(ks_square(x), ks_square(y));
    const double length      = sqrt(square.v);
    return ks_chain(square, length, KANE_WHERE_LESS(0.0, length, 0.5 / length, 0.0));
}

// Length. A vector of no length has no slope: it is given as zero, so that |a| a and the like are right there too.
KANE_INLINE kane_scalar ks3_norm(kane_scalar3 a)
{
    const kane_scalar square = ks3_dot(a, a);
    const double length      = sqrt(square.v);
    return ks_chain(square, length, KANE_WHERE_LESS(0.0, length, 0.5 / length, 0.0));
}

// With vectors that do not change: a + s; the part of a along n, n.a; s n; k a component by component; and a matrix.
KANE_INLINE kane_scalar3 ks3_shift(kane_scalar3 a, kane_vec3 s)
{
    return KANE_LITERAL(kane_scalar3){ks_shift(a.x, s.x), ks_shift(a.y, s.y), ks_shift(a.z, s.z)};
}

KANE_INLINE kane_scalar ks3_along(kane_scalar3 a, kane_vec3 n)
{
    return ks_add(ks_add(ks_scale(n.x, a.x), ks_scale(n.y, a.y)), ks_scale(n.z, a.z));
}

KANE_INLINE kane_scalar3 ks3_times(kane_scalar s, kane_vec3 n)
{
    return KANE_LITERAL(kane_scalar3){ks_scale(n.x, s), ks_scale(n.y, s), ks_scale(n.z, s)};
}

// n x a, and a x n
KANE_INLINE kane_scalar3 ks3_cross_left(kane_vec3 n, kane_scalar3 a)
{
    return KANE_LITERAL(kane_scalar3){ks_sub(ks_scale(n.y, a.z), ks_scale(n.z, a.y)),
                                      ks_sub(ks_scale(n.z, a.x), ks_scale(n.x, a.z)),
                                      ks_sub(ks_scale(n.x, a.y), ks_scale(n.y, a.x))};
}

KANE_INLINE kane_scalar3 ks3_cross_right(kane_scalar3 a, kane_vec3 n)
{
    return KANE_LITERAL(kane_scalar3){ks_sub(ks_scale(n.z, a.y), ks_scale(n.y, a.z)),
                                      ks_sub(ks_scale(n.x, a.z), ks_scale(n.z, a.x)),
                                      ks_sub(ks_scale(n.y, a.x), ks_scale(n.x, a.y))};
}

// R a
KANE_INLINE kane_scalar3 ks3_turn(kane_mat3 R, kane_scalar3 a)
{
    return KANE_LITERAL(kane_scalar3){ks3_along(a, KANE_LITERAL(kane_vec3){R.x.x, R.y.x, R.z.x}),
                                      ks3_along(a, KANE_LITERAL(kane_vec3){R.x.y, R.y.y, R.z.y}),
                                      ks3_along(a, KANE_LITERAL(kane_vec3){R.x.z, R.y.z, R.z.z})};
}

KANE_INLINE kane_scalar3 ks3_mul(kane_vec3 k, kane_scalar3 a)
{
    return KANE_LITERAL(kane_scalar3){ks_scale(k.x, a.x), ks_scale(k.y, a.y), ks_scale(k.z, a.z)};
}

#endif
