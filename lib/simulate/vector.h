// SPDX-License-Identifier: MIT
// The arithmetic of the integrator's vectors.

#ifndef KANE_SIMULATE_VECTOR_H
#define KANE_SIMULATE_VECTOR_H

#include "base/arena.h"

#include <nvector/nvector_serial.h>

// Gives a serial vector, and all that will be cloned from it, operations of this library for what CVODE does in every
// step: linear sums, scaling, filling, weighted norms. Results are those of SUNDIALS' own to round-off; a result may stand
// in the place of an argument.
void kane_vector_speed_up(N_Vector v);

// All vectors of one integrator, made at once: SUNDIALS' N_VClone does not survive that there is no memory for one. NULL if there is
// none. What is cloned from the first one (to be destroyed as any other) comes from here; to be freed last. NULL is allowed.
typedef struct kane_vectors kane_vectors;
kane_vectors *kane_vectors_create(int size, SUNContext context, kane_arena *arena);
N_Vector kane_vectors_first(kane_vectors *all);
void kane_vectors_free(kane_vectors *all);

#endif
