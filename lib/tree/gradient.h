// SPDX-License-Identifier: MIT
// Derivatives of a wrench with respect to the motion of a body, in 3x3 blocks.

#ifndef KANE_TREE_GRADIENT_H
#define KANE_TREE_GRADIENT_H

#include <kane/math.h>

// What the motion of a body or a marker is made of, world axes.
enum {
    KANE_MOVES,
    KANE_TURNS,
    KANE_SPEEDS,
    KANE_SPINS,
    KANE_MOTIONS
}; // displacement, rotation, velocity, angular velocity

// d(force), d(torque) by each of them.
typedef struct kane_gradient {
    kane_mat3 force[KANE_MOTIONS];
    kane_mat3 torque[KANE_MOTIONS];
} kane_gradient;

// A [a]: what A makes of a x .
static inline kane_mat3 kg_times_skew(kane_mat3 A, kane_vec3 a)
{
    return (kane_mat3){kv3_sub(kv3_scale(a.z, A.y), kv3_scale(a.y, A.z)),
                       kv3_sub(kv3_scale(a.x, A.z), kv3_scale(a.z, A.x)),
                       kv3_sub(kv3_scale(a.y, A.x), kv3_scale(a.x, A.y))};
}

// [a] A: a x the columns of A
static inline kane_mat3 kg_skew_times(kane_vec3 a, kane_mat3 A)
{
    return (kane_mat3){kv3_cross(a, A.x), kv3_cross(a, A.y), kv3_cross(a, A.z)};
}

// A += B
static inline void kg_add(kane_mat3 *sum, kane_mat3 A)
{
    *sum = km3_add(*sum, A);
}

// A -= B
static inline void kg_sub(kane_mat3 *sum, kane_mat3 A)
{
    *sum = km3_sub(*sum, A);
}

// Adds force and torque blocks of all motions.
static inline void kg_add_all(kane_gradient *sum, const kane_gradient *a)
{
    for (int k = 0; k < KANE_MOTIONS; k++) {
        kg_add(&sum->force[k], a->force[k]);
        kg_add(&sum->torque[k], a->torque[k]);
    }
}

#endif
