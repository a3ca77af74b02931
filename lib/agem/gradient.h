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

#endif
