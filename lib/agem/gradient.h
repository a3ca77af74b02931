// SPDX-License-Identifier: MIT
// Derivatives of wrenches of elements, actuators and wheels with respect to the motion of bodies.

#ifndef KANE_AGEM_GRADIENT_H
#define KANE_AGEM_GRADIENT_H

#include "agem/work.h"
#include "tree/gradient.h"

enum { KANE_BODY_STATES = 12 }; // six coordinates, then at most six speeds

// An entry of the Jacobian: row and column in y. It may occur more than once: values add up.
typedef struct kane_entry {
    int row, column;
} kane_entry;

// Derivatives of an element that has states, world axes; end 0 is a, 1 is b. The rates of its states are rows of a
// gradient: the first three in place of the force, the others in place of the torque.
typedef struct kane_state_gradient {
    kane_wrench by_state[2][KANE_LAW_STATES];     // wrench at the mass centre of the end's body, by each state
    kane_gradient rates[2];                       // of the states, by the motion of the end's body
    double own[KANE_LAW_STATES][KANE_LAW_STATES]; // d(rate)/d(state)
} kane_state_gradient;

// Adds the derivatives of one element, one actuator or all wheels to those of the wrenches at the mass centres of the
// pairs of the model (row: whose wrench; column: whose motion), world axes.
// Of an element with states `states` is filled too.
kane_status kane_element_derive(const kane_model *model, const kane_work *work, int element, kane_gradient *pairs,
                                kane_state_gradient *states);
void kane_actuator_derive(const kane_model *model, const kane_work *work, int actuator, kane_gradient *pairs);
kane_status kane_wheels_derive(const kane_model *model, const kane_work *work, kane_gradient *pairs);

// === Derivatives of the equations: entries of the Jacobian one after another, always in the same order.

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
