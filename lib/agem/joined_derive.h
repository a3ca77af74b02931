// SPDX-License-Identifier: MIT
// Derivatives of the equations of joined bodies: entries of the Jacobian one after another, always in the same order.

#ifndef KANE_AGEM_JOINED_DERIVE_H
#define KANE_AGEM_JOINED_DERIVE_H

#include "agem/joined.h"

#include "agem/guided.h"

typedef struct kane_joined_derivative kane_joined_derivative;

// NULL if memory is short.
kane_joined_derivative *kane_joined_derivative_create(const kane_model *model, kane_arena *arena);
int kane_joined_entry_count(const kane_joined_derivative *derivative);
const kane_entry *kane_joined_entries(const kane_joined_derivative *derivative);

// All entries after one kane_eval: rows of joined bodies, and columns of them in rows of others. pairs: derivatives of the
// wrenches at the mass centres by the motion of bodies, world axes, by pair of the model; states, guided: as in kane_derivative.
kane_status kane_joined_derive(const kane_model *model, kane_work *work, kane_joined_derivative *derivative,
                               const kane_gradient *pairs, const kane_state_gradient *states,
                               kane_guided_column (*guided)[KANE_BODY_STATES], double *values);

// Change of the speeds' derivatives for one more m/s^2 of the frames, where they go with a track: by_a [state_count] gets
// the rows of joined bodies.
void kane_joined_derive_travel(const kane_model *model, kane_work *work, kane_joined_derivative *derivative,
                               double *by_a);

// Writes into P [state_count of the model, squared, by columns] how kane_joined_project answers changes of a state that is
// consistent: rows and columns of clusters held by multipliers. After kane_joined_derive, at the state of the last kane_eval.
kane_status kane_joined_derive_projection(kane_joined_derivative *derivative, double *P);

// Columns of y that a state of the tree (coordinate, or q_count + speed) follows from: itself, or those of its cluster. Returns
// how many; column gets their places in y, slope d(state)/d(column) times size, after kane_joined_derive. NULL: not wanted.
int kane_joined_trace(const kane_joined_derivative *derivative, int state, double size, int *column, double *slope);

#endif
