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

// A x
static inline kane_mat3 kg_times_skew(kane_mat3 A, kane_vec3 a)
{
    return km3_mul(A, km3_skew(a)); // A (a x .)
}

static inline void kg_add(kane_mat3 *sum, kane_mat3 A)
{
    *sum = km3_add(*sum, A);
}

static inline void kg_sub(kane_mat3 *sum, kane_mat3 A)
{
    *sum = km3_sub(*sum, A);
}

static inline void kg_add_all(kane_gradient *sum, const kane_gradient *a)
{
    for (int k = 0; k < KANE_MOTIONS; k++) {
        kg_add(&sum->force[k], a->force[k]);
        kg_add(&sum->torque[k], a->torque[k]);
    }
}

#endif
