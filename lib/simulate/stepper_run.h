// SPDX-License-Identifier: MIT
// A run in steps of fixed cost, with its state: what exported models call ("kane export c --stepper").

#ifndef KANE_SIMULATE_STEPPER_RUN_H
#define KANE_SIMULATE_STEPPER_RUN_H

#include <kane/stepper.h>

#include "base/arena.h"

// For what a stepper begins with.
kane_work *kane_stepper_work(kane_stepper *stepper);

// Steps end at begin + k length, so that many of them do not add up their rounding.
typedef struct kane_fixed_run {
    kane_stepper *stepper;
    const kane_model *model;
    const kane_work *work;         // the stepper's
    const kane_channels *channels; // outputs
    double begin, length, t;       // [s]
    long count;                    // of steps since `begin`
    double *y;                     // at t [kane_model_state_count]
} kane_fixed_run;

// From y at t, in an arena, with inputs and other discrete state of `like`. A first step is tried: it chooses pivots.
// NULL with errors: the method is none of a stepper, or the step has no solution.
kane_fixed_run *kane_fixed_run_create(kane_arena *arena, const kane_model *model, const kane_settings *settings,
                                      const kane_channels *channels, double t, const double *y, const kane_work *like,
                                      kane_errors *errors);
void kane_fixed_run_free(kane_fixed_run *run); // NULL is allowed

// One step. Not KANE_OK: it has no solution, and the state is as it was.
kane_status kane_fixed_run_step(kane_fixed_run *run);

// Outputs at the state. KANE_NOT_SOLVED: it cannot be evaluated, and all are NaN.
kane_status kane_fixed_run_read(kane_fixed_run *run, double *values);

// The state, and its time [s].
double kane_fixed_run_get(const kane_fixed_run *run, double *y);

// Goes on from y at t.
kane_status kane_fixed_run_put(kane_fixed_run *run, double t, const double *y);

double kane_fixed_run_get_input(const kane_fixed_run *run, int input);
kane_status kane_fixed_run_set_input(kane_fixed_run *run, int input, double value);

// Why the last step had no solution.
void kane_fixed_run_fault(const kane_fixed_run *run, kane_errors *errors);

#endif
