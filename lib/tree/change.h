// SPDX-License-Identifier: MIT
// The numbers of constraint rows: scalars, vectors and matrices that know how they change (kane/scalar.h).
//
// They hold a value and its change with one state. A file that defines KANE_TREE_CHANGES before it includes this gets both; any
// other gets the values alone, at their price.
//
// ms, mv are such numbers in motion: what they are and their derivative in time, d.

#ifndef KANE_TREE_CHANGE_H
#define KANE_TREE_CHANGE_H

#ifdef KANE_SCALAR_H
#error "this header decides how many slopes scalars have: include it before others that know them"
#endif
#ifdef KANE_TREE_CHANGES
#define KANE_SCALAR_SLOPES 1
#define WITH_CHANGE(...)   __VA_ARGS__
#else
#define KANE_SCALAR_SLOPES 0
#define WITH_CHANGE(...)
#endif

#define KANE_INLINE static inline
#include "math/scalar_matrix.h"

typedef struct ms {
    kane_scalar v, d;
} ms;

typedef struct mv {
    kane_scalar3 v, d;
} mv;

// --- values and changes ---

#ifdef KANE_TREE_CHANGES
static inline kane_scalar with_change(double v, double t)
{
    return (kane_scalar){t, v};
}

static inline kane_scalar3 with_change3(kane_vec3 v, kane_vec3 t)
{
    return (kane_scalar3){with_change(v.x, t.x), with_change(v.y, t.y), with_change(v.z, t.z)};
}

// the matrix R, which turns by `turn`: its columns change by turn x column
static inline cm cm_turned(kane_mat3 R, kane_vec3 turn)
{
    return (cm){with_change3(R.x, kv3_cross(turn, R.x)), with_change3(R.y, kv3_cross(turn, R.y)),
                with_change3(R.z, kv3_cross(turn, R.z))};
}

// a in the axes R, which turn by `turn` while it changes by da
static inline kane_scalar3 ks3_in_axes(kane_mat3 R, kane_vec3 turn, kane_vec3 a, kane_vec3 da)
{
    return with_change3(km3_tmulv(R, a), km3_tmulv(R, kv3_sub(da, kv3_cross(turn, a))));
}

static inline kane_vec3 change3(kane_scalar3 a)
{
    return kv3(a.x.t, a.y.t, a.z.t);
}
#else
#define with_change(v, t)  ks_constant(v) // t is not even looked at
#define with_change3(v, t) ks3_constant(v)
#define cm_turned(R, turn) cm_constant(R)
#endif

static inline kane_scalar3 cm_column(const cm *A, int axis)
{
    return axis == 0 ? A->x : axis == 1 ? A->y : A->z;
}

// A times a matrix that does not change
static inline cm cm_mul(const cm *A, kane_mat3 B)
{
    return (cm){cm_mulv(A, ks3_constant(B.x)), cm_mulv(A, ks3_constant(B.y)), cm_mulv(A, ks3_constant(B.z))};
}

// --- in motion ---

static inline mv mv_constant(kane_vec3 a)
{
    return (mv){.v = ks3_constant(a)};
}

static inline ms ms_add(ms a, ms b)
{
    return (ms){ks_add(a.v, b.v), ks_add(a.d, b.d)};
}

static inline ms ms_mul(ms a, ms b)
{
    return (ms){ks_mul(a.v, b.v), ks_add(ks_mul(a.d, b.v), ks_mul(a.v, b.d))};
}

// what changes with time only, at this rate
static inline ms ms_given(double a, double rate)
{
    return (ms){ks_constant(a), ks_constant(rate)};
}

// f(a) from f and its first two derivatives there
static inline ms ms_chain(ms a, double f, double slope, double bend)
{
    return (ms){ks_chain(a.v, f, slope), ks_mul(ks_chain(a.v, slope, bend), a.d)};
}

static inline mv mv_scale(ms s, mv a)
{
    return (mv){ks3_scale(s.v, a.v), ks3_add(ks3_scale(s.d, a.v), ks3_scale(s.v, a.d))};
}

static inline mv mv_sub(mv a, mv b)
{
    return (mv){ks3_sub(a.v, b.v), ks3_sub(a.d, b.d)};
}

static inline ms mv_dot(mv a, mv b)
{
    return (ms){ks3_dot(a.v, b.v), ks_add(ks3_dot(a.d, b.v), ks3_dot(a.v, b.d))};
}

static inline mv mv_cross(mv a, mv b)
{
    return (mv){ks3_cross(a.v, b.v), ks3_add(ks3_cross(a.d, b.v), ks3_cross(a.v, b.d))};
}

static inline ms mv_get(mv a, int axis)
{
    return (ms){ks3_get(a.v, axis), ks3_get(a.d, axis)};
}

#endif
