// SPDX-License-Identifier: MIT
// States of a simulation, to continue from later, in another process, from a file.
//
//   kane_state *state = kane_simulation_get_state(simulation, &errors);
//   (void)kane_state_write("wagon.state", model, state, &errors);
//   ...
//   kane_state *state = kane_state_read("wagon.state", model, &errors); // a model made from the same definition
//   (void)kane_simulation_resume(simulation, state, &errors);
//
// Evaluations then have the same bits as before; the integration continues as after any restart, within its tolerances.

#ifndef KANE_STATE_H
#define KANE_STATE_H

#include <kane/base.h>
#include <kane/simulate.h>

KANE_C_BEGIN

// All that a simulation continues from.
typedef struct kane_state {
    double t;      // [s]
    int count;     // numbers in y: states of the model, and 4 more if work is integrated
    double *y;     // as kane_simulation_state has them [count]
    int has_moved; // of a driven vehicle, 1: it has been moving, so that the next standstill ends the simulation
    kane_discrete *discrete; // pieces of track and speed, independent speeds (kane/agem.h)
} kane_state;

// The present state of the simulation. To be freed. NULL with errors filled if memory is short.
KANE_API kane_state *kane_simulation_get_state(const kane_simulation *simulation, kane_errors *errors);

// The same so that a resumed simulation continues with the same bits as this simulation does: its integrator begins
// anew here, and forgets all that was before. state: one of this simulation to be filled again, which allocates
// nothing; NULL: a new one. Returns it; NULL with errors filled if memory is short or the integrator cannot begin here.
KANE_API kane_state *kane_simulation_save(kane_simulation *simulation, kane_state *state, kane_errors *errors);

// Room for a state of a model, all zero. NULL with errors filled if memory is short.
KANE_API kane_state *kane_state_create(const kane_model *model, int count, kane_errors *errors);
KANE_API void kane_state_free(kane_state *state); // NULL is allowed

// Starts from a state of the same model instead of the start of the simulation's own: time continues from there, and
// distances count from the model's start as before. Sums of what has happened on the way (statistics, impulses) begin
// at zero; work continues from the state's if both have it, else from 0. KANE_BAD_ARGUMENT with an error if it cannot
// be a state of this model; another negative status if it cannot be evaluated, or a wheel is off its rail.
KANE_API kane_status kane_simulation_resume(kane_simulation *simulation, const kane_state *state, kane_errors *errors);

// Writes a state to a file, with all digits, the names of its numbers, and dy/dt, by which a reader knows the model.
// The file is replaced in one step. Errors: the state cannot be evaluated; the file cannot be written.
KANE_API kane_status kane_state_write(const char *file, const kane_model *model, const kane_state *state,
                                      kane_errors *errors);

// Reads it for a model. NULL with errors filled, each with its place in the file: it is no state; it is one of another
// model, because the formulation, the form of constraints or the names of its numbers are others, or because dy/dt has
// other values than were written (to 1e-6 of them and 1e-6 m/s^2, rad/s^2, ...): then masses, elements, drive or track
// have changed.
KANE_API kane_state *kane_state_read(const char *file, const kane_model *model, kane_errors *errors);

KANE_C_END

#endif
