// SPDX-License-Identifier: MIT
// The numbers of constraint rows: scalars, vectors and matrices that know how they change (kane/scalar.h).
//
// They hold a value and its changes with four states (tree/changes.h). A file that defines KANE_TREE_CHANGES before it
// includes this gets both; any other gets the values alone, at their price. In motion they are jets (math/jet.h).

#ifndef KANE_TREE_CHANGE_H
#define KANE_TREE_CHANGE_H

#ifdef KANE_SCALAR_H
#error "this header decides how many slopes scalars have: include it before others that know them"
#endif
#ifdef KANE_TREE_CHANGES
#define KANE_SCALAR_TANGENTS 4 // their functions are always inline: five doubles cost more to hand over than to add
#define WITH_CHANGE(...)     __VA_ARGS__
#else
#define KANE_SCALAR_TANGENTS 0
#define WITH_CHANGE(...)
#define KANE_INLINE static inline
#endif

#include "math/jet.h"
#include "math/scalar_matrix.h"
#include "tree/changes.h"

// --- values and changes ---

#ifdef KANE_TREE_CHANGES
static inline kane_tangents changes_load(const double t[KANE_CHANGES])
{
    return (kane_tangents){{t[0], t[1]}, {t[2], t[3]}};
}

static inline void changes_store(kane_tangents t, double out[KANE_CHANGES])
{
    out[0] = t.a[0];
    out[1] = t.a[1];
    out[2] = t.b[0];
    out[3] = t.b[1];
}

static inline kane_scalar with_change(double v, const double t[KANE_CHANGES])
{
    return (kane_scalar){changes_load(t), v};
}

static inline kane_scalar3 with_change3(kane_vec3 v, const kane_changes3 *t)
{
    return (kane_scalar3){with_change(v.x, t->x), with_change(v.y, t->y), with_change(v.z, t->z)};
}

// a vector that turns by `turn`: it changes by turn x a
static inline kane_scalar3 ks3_turned(const kane_changes3 *turn, kane_vec3 a)
{
    const kane_tangents x = changes_load(turn->x), y = changes_load(turn->y), z = changes_load(turn->z);
    return (kane_scalar3){{kane_tangents_sub(kane_tangents_scale(a.z, y), kane_tangents_scale(a.y, z)), a.x},
                          {kane_tangents_sub(kane_tangents_scale(a.x, z), kane_tangents_scale(a.z, x)), a.y},
                          {kane_tangents_sub(kane_tangents_scale(a.y, x), kane_tangents_scale(a.x, y)), a.z}};
}

// the matrix R, which turns by `turn`
static inline cm cm_turned(kane_mat3 R, const kane_changes3 *turn)
{
    return (cm){ks3_turned(turn, R.x), ks3_turned(turn, R.y), ks3_turned(turn, R.z)};
}

// a in the axes R, which turn by `turn` while it changes by da
static inline kane_scalar3 ks3_in_axes(kane_mat3 R, const kane_changes3 *turn, kane_vec3 a, const kane_changes3 *da)
{
    const kane_scalar3 turned = ks3_turned(turn, a);
    kane_scalar3 moved        = with_change3(a, da);
    moved.x.t                 = kane_tangents_sub(moved.x.t, turned.x.t);
    moved.y.t                 = kane_tangents_sub(moved.y.t, turned.y.t);
    moved.z.t                 = kane_tangents_sub(moved.z.t, turned.z.t);
    return ks3_turn(km3_transpose(R), moved);
}

static inline void changes3_store(kane_scalar3 a, kane_changes3 *out)
{
    changes_store(a.x.t, out->x);
    changes_store(a.y.t, out->y);
    changes_store(a.z.t, out->z);
}
#else
#define with_change(v, t)   ks_constant(v) // t is not even looked at
#define with_change3(v, t)  ks3_constant(v)
#define ks3_turned(turn, a) ks3_constant(a)
#define cm_turned(R, turn)  cm_constant(R)
#endif

// Column k of a matrix.
static inline kane_scalar3 cm_column(const cm *A, int axis)
{
    return axis == 0 ? A->x : axis == 1 ? A->y : A->z;
}

#endif
