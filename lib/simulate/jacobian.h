// SPDX-License-Identifier: MIT
// The sparse Jacobian of dy/dt: a pattern that never changes, filled from local derivatives.

#ifndef KANE_SIMULATE_JACOBIAN_H
#define KANE_SIMULATE_JACOBIAN_H

#include "agem/derive.h"
#include "math/pattern.h"

typedef struct kane_jacobian kane_jacobian;

// size: states of the model and of whatever the simulation integrates beside them (rows of zeros).
kane_jacobian *kane_jacobian_create(const kane_model *model, int size);
void kane_jacobian_free(kane_jacobian *jacobian);
const kane_pattern *kane_jacobian_pattern(const kane_jacobian *jacobian);

// Values of all entries in the order of the pattern; while frames are told not to accelerate (work->steady) columns of s and
// v stay zero. ydot [state count of the model]: the rates.
kane_status kane_jacobian_eval(kane_jacobian *jacobian, const kane_model *model, kane_work *work, double t,
                               const double *y, double *ydot, double *values);

// Writes into P [state_count of the model, squared, by columns] how a consistent state is projected onto constraints of joined
// bodies: d(projected y)/dy, where it is not that of states that stay as they are. After kane_jacobian_eval and another kane_eval
// at the same y.
kane_status kane_jacobian_project(const kane_jacobian *jacobian, double *P);

#endif
