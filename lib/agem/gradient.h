// SPDX-License-Identifier: MIT
// Derivatives of wrenches of elements, actuators and wheels with respect to the motion of bodies.

#ifndef KANE_AGEM_GRADIENT_H
#define KANE_AGEM_GRADIENT_H

#include "agem/work.h"
#include "tree/gradient.h"

enum { KANE_BODY_STATES = 12 }; // six coordinates, then at most six speeds

// Adds the derivatives of one element, one actuator or all wheels to those of the wrenches at the mass centres of the
// pairs of the model (row: whose wrench; column: whose motion), world axes.
kane_status kane_element_derive(const kane_model *model, const kane_work *work, int element, kane_gradient *pairs);
void kane_actuator_derive(const kane_model *model, const kane_work *work, int actuator, kane_gradient *pairs);
kane_status kane_wheels_derive(const kane_model *model, const kane_work *work, kane_gradient *pairs);

#endif
