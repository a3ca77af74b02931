// SPDX-License-Identifier: MIT
// Derivatives of the equations: entries of the Jacobian one after another, always in the same order.

#ifndef KANE_AGEM_DERIVE_H
#define KANE_AGEM_DERIVE_H

#include "agem/gradient.h"

typedef struct kane_derivative kane_derivative;

// NULL if memory is short.
kane_derivative *kane_derivative_create(const kane_model *model, kane_arena *arena);
int kane_derivative_entry_count(const kane_derivative *derivative);
const kane_entry *kane_derivative_entries(const kane_derivative *derivative);

// Adds all entries to the values of a matrix after one kane_eval, each in its place at[entry]; the travel s, v, a of
// the frames is held.
kane_status kane_derive(const kane_model *model, kane_work *work, kane_derivative *derivative, const int *at,
                        double *values);

// Change of the speeds' derivatives for one more m/s^2 of the frames, where they go with a track: by_a [state_count]
// gets their rows.
void kane_derive_travel(const kane_model *model, kane_work *work, kane_derivative *derivative, double *by_a);

// Writes into P [state_count of the model, squared, by columns] the derivative of kane_constraints_project by a state
// that is consistent: rows and columns of clusters held by multipliers, and of trees with wheelsets on joints that
// rails guide. After kane_derive, at the state of the last kane_eval.
kane_status kane_derive_projection(kane_derivative *derivative, double *P);

// kane_jacobian_gaps
void kane_rails_derive_gaps(kane_derivative *derivative, double *gaps);

// Columns of y that a state of the tree (coordinate, or q_count + speed) follows from: itself, or those of its cluster.
// Returns how many; column gets their places in y, slope d(state)/d(column) times size, after kane_derive. NULL: not
// wanted.
int kane_derive_trace(const kane_derivative *derivative, int state, double size, int *column, double *slope);

#endif
