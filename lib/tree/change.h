// SPDX-License-Identifier: MIT
// Scalars, vectors and matrices that know how they change.
//
// cs, cv, cm hold a value v and its change t with one state: exact derivatives by the rules of calculus. A file that
// defines KANE_TREE_CHANGES before it includes this gets both; any other gets the values alone, at their price.
//
// ms, mv are such numbers in motion: what they are and their derivative in time, d.

#ifndef KANE_TREE_CHANGE_H
#define KANE_TREE_CHANGE_H

#include <kane/math.h>

#ifdef KANE_TREE_CHANGES
#define WITH_CHANGE(...) __VA_ARGS__
#else
#define WITH_CHANGE(...)
#endif

typedef struct cs {
    double v;
    WITH_CHANGE(double t;)
} cs;

typedef struct cv {
    kane_vec3 v;
    WITH_CHANGE(kane_vec3 t;)
} cv;

typedef struct cm { // by columns
    cv x, y, z;
} cm;

typedef struct ms {
    cs v, d;
} ms;

typedef struct mv {
    cv v, d;
} mv;

// --- values and changes ---

// what does not change
static inline cs cs_constant(double a)
{
    return (cs){.v = a};
}

static inline cv cv_constant(kane_vec3 a)
{
    return (cv){.v = a};
}

static inline cs cs_add(cs a, cs b)
{
    return (cs){a.v + b.v, WITH_CHANGE(a.t + b.t)};
}

static inline cs cs_sub(cs a, cs b)
{
    return (cs){a.v - b.v, WITH_CHANGE(a.t - b.t)};
}

static inline cs cs_mul(cs a, cs b)
{
    return (cs){a.v * b.v, WITH_CHANGE(a.t * b.v + a.v * b.t)};
}

// f(a) from the value and the slope that f has there
static inline cs cs_chain(cs a, double f, double slope)
{
    (void)a;
    (void)slope;
    return (cs){f, WITH_CHANGE(slope * a.t)};
}

static inline cv cv_add(cv a, cv b)
{
    return (cv){kv3_add(a.v, b.v), WITH_CHANGE(kv3_add(a.t, b.t))};
}

static inline cv cv_sub(cv a, cv b)
{
    return (cv){kv3_sub(a.v, b.v), WITH_CHANGE(kv3_sub(a.t, b.t))};
}

static inline cv cv_neg(cv a)
{
    return (cv){kv3_neg(a.v), WITH_CHANGE(kv3_neg(a.t))};
}

static inline cv cv_scale(cs s, cv a)
{
    return (cv){kv3_scale(s.v, a.v), WITH_CHANGE(kv3_add_scaled(kv3_scale(s.t, a.v), s.v, a.t))};
}

static inline cs cv_dot(cv a, cv b)
{
    return (cs){kv3_dot(a.v, b.v), WITH_CHANGE(kv3_dot(a.t, b.v) + kv3_dot(a.v, b.t))};
}

static inline cv cv_cross(cv a, cv b)
{
    return (cv){kv3_cross(a.v, b.v), WITH_CHANGE(kv3_add(kv3_cross(a.t, b.v), kv3_cross(a.v, b.t)))};
}

static inline cs cv_get(cv a, int axis)
{
    return (cs){kv3_get(a.v, axis), WITH_CHANGE(kv3_get(a.t, axis))};
}

static inline cv cm_column(const cm *A, int axis)
{
    return axis == 0 ? A->x : axis == 1 ? A->y : A->z;
}

// A a
static inline cv cm_mulv(const cm *A, cv a)
{
    const cv xy = cv_add(cv_scale(cv_get(a, 0), A->x), cv_scale(cv_get(a, 1), A->y));
    return cv_add(xy, cv_scale(cv_get(a, 2), A->z));
}

// A' a
static inline cv cm_tmulv(const cm *A, cv a)
{
    const cs x = cv_dot(A->x, a), y = cv_dot(A->y, a), z = cv_dot(A->z, a);
    return (cv){kv3(x.v, y.v, z.v), WITH_CHANGE(kv3(x.t, y.t, z.t))};
}

// the matrix R, which turns by `turn`: its columns change by turn x column
static inline cm cm_turned(kane_mat3 R, kane_vec3 turn)
{
    (void)turn;
    return (cm){{R.x, WITH_CHANGE(kv3_cross(turn, R.x))},
                {R.y, WITH_CHANGE(kv3_cross(turn, R.y))},
                {R.z, WITH_CHANGE(kv3_cross(turn, R.z))}};
}

// A times a matrix that does not change
static inline cm cm_mul(const cm *A, kane_mat3 B)
{
    return (cm){cm_mulv(A, cv_constant(B.x)), cm_mulv(A, cv_constant(B.y)), cm_mulv(A, cv_constant(B.z))};
}

// a matrix that does not change times A a vector that does
static inline cv cv_turn(kane_mat3 R, cv a)
{
    return (cv){km3_mulv(R, a.v), WITH_CHANGE(km3_mulv(R, a.t))};
}

// --- in motion ---

static inline mv mv_constant(kane_vec3 a)
{
    return (mv){.v = cv_constant(a)};
}

static inline ms ms_add(ms a, ms b)
{
    return (ms){cs_add(a.v, b.v), cs_add(a.d, b.d)};
}

static inline ms ms_mul(ms a, ms b)
{
    return (ms){cs_mul(a.v, b.v), cs_add(cs_mul(a.d, b.v), cs_mul(a.v, b.d))};
}

// what changes with time only, at this rate
static inline ms ms_given(double a, double rate)
{
    return (ms){cs_constant(a), cs_constant(rate)};
}

// f(a) from f and its first two derivatives there
static inline ms ms_chain(ms a, double f, double slope, double bend)
{
    return (ms){cs_chain(a.v, f, slope), cs_mul(cs_chain(a.v, slope, bend), a.d)};
}

static inline mv mv_scale(ms s, mv a)
{
    return (mv){cv_scale(s.v, a.v), cv_add(cv_scale(s.d, a.v), cv_scale(s.v, a.d))};
}

static inline mv mv_sub(mv a, mv b)
{
    return (mv){cv_sub(a.v, b.v), cv_sub(a.d, b.d)};
}

static inline ms mv_dot(mv a, mv b)
{
    return (ms){cv_dot(a.v, b.v), cs_add(cv_dot(a.d, b.v), cv_dot(a.v, b.d))};
}

static inline mv mv_cross(mv a, mv b)
{
    return (mv){cv_cross(a.v, b.v), cv_add(cv_cross(a.d, b.v), cv_cross(a.v, b.d))};
}

static inline ms mv_get(mv a, int axis)
{
    return (ms){cv_get(a.v, axis), cv_get(a.d, axis)};
}

#endif
