// SPDX-License-Identifier: MIT
// One step at a fixed cost, for hard real time: no step size is chosen, nothing is searched
// within a step, nothing is allocated.
//
//   kane_settings settings = kane_settings_default();
//   settings.method        = KANE_BDF2;                           // or KANE_IMEX, KANE_SEMI_IMPLICIT
//   kane_stepper *stepper  = kane_stepper_create(model, &settings, &errors);
//   double *y = ...;                                              // room for kane_model_state_count numbers
//   (void)kane_stepper_start(stepper, y, &errors);                // as the model starts, at t = 0
//   while (kane_stepper_step(stepper, t, h, y) == KANE_OK) {
//       t += h;
//       const kane_work *work = kane_stepper_observe(stepper, t, y); // only where outputs are needed
//       (void)kane_stepper_set_input(stepper, 0, control(work));
//   }
//
// What a simulation (kane/simulate.h) does at events is done at the end of the step in which they happen: frames that
// have passed a section joint of the track move on to the next piece, the prescribed speed to its next piece. Until
// then the formulas of the piece before go on smoothly. Derailments are not detected: kane_get_contact has the lift.
// With fixed steps of a simulation (methods "imex", "bdf2") events cut steps instead.

#ifndef KANE_STEPPER_H
#define KANE_STEPPER_H

#include <kane/base.h>
#include <kane/simulate.h>

KANE_C_BEGIN

typedef struct kane_stepper kane_stepper; // of one thread

// Of the settings method (KANE_IMEX, KANE_BDF2, KANE_SEMI_IMPLICIT) and jacobian_every are read. The model must outlive
// the stepper. NULL with errors filled: another method; a model without rigid wheels for the last one; memory is short.
KANE_API kane_stepper *kane_stepper_create(const kane_model *model, const kane_settings *settings, kane_errors *errors);
KANE_API void kane_stepper_free(kane_stepper *stepper); // NULL is allowed

// The state of the model's start (kane_initial_state) with inputs as they begin. y [kane_model_state_count]
KANE_API kane_status kane_stepper_start(kane_stepper *stepper, double *y, kane_errors *errors);

// From y at t to y at t + h. Goes on from the step before if that has ended at t with this very y; else it begins anew
// here, which may allocate the first time, in pieces of track and speed that are chosen for where the frames are. Not
// KANE_OK: y is as it was, and kane_stepper_fault says why.
KANE_API kane_status kane_stepper_step(kane_stepper *stepper, double t, double h, double *y);
KANE_API void kane_stepper_fault(const kane_stepper *stepper, kane_errors *errors);

// A new value of an input (kane_model_find_input) from here on. KANE_BAD_ARGUMENT: not finite, or there is no such
// input.
KANE_API kane_status kane_stepper_set_input(kane_stepper *stepper, int input, double value);

// All that a state means (kane_eval and kane_observe): for kane_get_... and kane_channels_read_state. NULL: it cannot
// be evaluated.
KANE_API const kane_work *kane_stepper_observe(kane_stepper *stepper, double t, const double *y);

KANE_C_END

#endif
