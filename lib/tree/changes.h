// SPDX-License-Identifier: MIT
// Changes with several states at a time, side by side: what a compiler does for them in one instruction, it does for
// all.
//
// A *tangent* says how the motion of one link changes with one state; *changes* are the tangents of one link with
// KANE_CHANGES states. Constraints and deformed bodies are derived by four states at a time (change.h).

#ifndef KANE_TREE_CHANGES_H
#define KANE_TREE_CHANGES_H

#include <kane/math.h>

enum { KANE_CHANGES = 4 };

// How the motion of a link changes with one state: small rotation, displacement of the origin, and changes of v, w and
// of the full accelerations a + da, al + dal, frame axes.
typedef struct kane_link_tangent {
    kane_vec3 turn, shift;
    kane_vec3 v, w, a, al;
} kane_link_tangent;

// A vector's changes, component by component.
typedef struct kane_changes3 {
    double x[KANE_CHANGES], y[KANE_CHANGES], z[KANE_CHANGES];
} kane_changes3;

// A link's.
typedef struct kane_link_changes {
    kane_changes3 turn, shift;
    kane_changes3 v, w, a, al;
} kane_link_changes;

// A wrench's.
typedef struct kane_wrench_changes {
    kane_changes3 force, torque;
} kane_wrench_changes;

static inline void kane_changes3_set(kane_changes3 *to, int k, kane_vec3 a)
{
    to->x[k] = a.x;
    to->y[k] = a.y;
    to->z[k] = a.z;
}

static inline kane_vec3 kane_changes3_get(const kane_changes3 *from, int k)
{
    return kv3(from->x[k], from->y[k], from->z[k]);
}

// The tangent by the k-th state.
static inline void kane_link_changes_set(kane_link_changes *to, int k, const kane_link_tangent *t)
{
    kane_changes3_set(&to->turn, k, t->turn);
    kane_changes3_set(&to->shift, k, t->shift);
    kane_changes3_set(&to->v, k, t->v);
    kane_changes3_set(&to->w, k, t->w);
    kane_changes3_set(&to->a, k, t->a);
    kane_changes3_set(&to->al, k, t->al);
}

// sum += turn x a
static inline void kane_changes3_add_turned(kane_changes3 *sum, const kane_changes3 *turn, kane_vec3 a)
{
    for (int k = 0; k < KANE_CHANGES; k++) {
        sum->x[k] += turn->y[k] * a.z - turn->z[k] * a.y;
        sum->y[k] += turn->z[k] * a.x - turn->x[k] * a.z;
        sum->z[k] += turn->x[k] * a.y - turn->y[k] * a.x;
    }
}

// sum += s a
static inline void kane_changes3_add_scaled(kane_changes3 *sum, double s, const kane_changes3 *a)
{
    for (int k = 0; k < KANE_CHANGES; k++) {
        sum->x[k] += s * a->x[k];
        sum->y[k] += s * a->y[k];
        sum->z[k] += s * a->z[k];
    }
}

// sum += b x a
static inline void kane_changes3_add_cross(kane_changes3 *sum, kane_vec3 b, const kane_changes3 *a)
{
    for (int k = 0; k < KANE_CHANGES; k++) {
        sum->x[k] += b.y * a->z[k] - b.z * a->y[k];
        sum->y[k] += b.z * a->x[k] - b.x * a->z[k];
        sum->z[k] += b.x * a->y[k] - b.y * a->x[k];
    }
}

// b . a
static inline void kane_changes3_add_dot(double sum[KANE_CHANGES], kane_vec3 b, const kane_changes3 *a)
{
    for (int k = 0; k < KANE_CHANGES; k++)
        sum[k] += b.x * a->x[k] + b.y * a->y[k] + b.z * a->z[k];
}

#endif
