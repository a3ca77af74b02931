// SPDX-License-Identifier: MIT
// Derivatives of a wrench with respect to the motion of a body, in 3x3 blocks.

#ifndef KANE_AGEM_GRADIENT_H
#define KANE_AGEM_GRADIENT_H

#include "agem/work.h"

enum { KANE_BODY_STATES = 12 }; // six coordinates, then at most six speeds

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

// Adds the derivatives of one element, one actuator or all wheels to those of the wrenches at the mass centres of the
// pairs of the model (row: whose wrench; column: whose motion), world axes.
kane_status kane_element_derive(const kane_model *model, const kane_work *work, int element, kane_gradient *pairs);
void kane_actuator_derive(const kane_model *model, const kane_work *work, int actuator, kane_gradient *pairs);
kane_status kane_wheels_derive(const kane_model *model, const kane_work *work, kane_gradient *pairs);

#endif
