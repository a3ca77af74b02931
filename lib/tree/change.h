// SPDX-License-Identifier: MIT
// The numbers of constraint rows: scalars, vectors and matrices that know how they change (kane/scalar.h).
//
// They hold a value and its change with one state. A file that defines KANE_TREE_CHANGES before it includes this gets both; any
// other gets the values alone, at their price.
// In motion they are jets (math/jet.h).

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
#include "math/jet.h"
#include "math/scalar_matrix.h"

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

#endif
