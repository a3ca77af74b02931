// SPDX-License-Identifier: MIT
// What integrators by CVODE need of SUNDIALS: a context whatever the version, and vectors with the arithmetic of this
// library.

#ifndef KANE_SIMULATE_SUNDIALS_H
#define KANE_SIMULATE_SUNDIALS_H

#include "base/arena.h"

#include <nvector/nvector_serial.h>

// --- context (sundials.c: the one file that knows the version of SUNDIALS) ---

// A context for objects of one integrator. It has no communicator and writes nothing to the terminal or to files. Freed
// by SUNContext_Free. NULL without memory.
SUNContext kane_sundials_context(void);

// Text of CVODE's last error, cut to size; "" before there was one.
typedef struct kane_sundials_message {
    char text[256];
} kane_sundials_message;

// Errors of an integrator (of CVodeCreate in this context) are put into message, which must outlive both. 0 without
// memory.
int kane_sundials_report(SUNContext context, void *cvode, kane_sundials_message *message);

// --- vectors (vector.c) ---

// Gives a serial vector, and all that will be cloned from it, operations of this library for what CVODE does in every
// step: linear sums, scaling, filling, weighted norms. Results are those of SUNDIALS' own to round-off; a result may
// stand in the place of an argument.
void kane_vector_set_operations(N_Vector v);

// All vectors of one integrator, made at once: SUNDIALS' N_VClone does not survive that there is no memory for one.
// NULL if there is none. What is cloned from the first one (to be destroyed as any other) comes from here; to be freed
// last. NULL is allowed.
typedef struct kane_vectors kane_vectors;
kane_vectors *kane_vectors_create(int size, SUNContext context, kane_arena *arena);
N_Vector kane_vectors_first(kane_vectors *all);
void kane_vectors_free(kane_vectors *all);

#endif
