// SPDX-License-Identifier: MIT
// Sensitivities of a simulation: how its state and its channels change with parameters p, forward in time.
//
//   dS/dt = J(t, y) S + df/dp,   S = dy/dp,   S(0) = dy(0)/dp
//   dc/dp = (c(y + e S, p + e) - c(y - e S, p - e)) / (2 e)
//
// J is the exact Jacobian (kane/jacobian.h) along the simulated motion y(t). What is not a derivative by y comes from
// two neighbours, the same simulation with p - e and p + e: df/dp, the start, and what events do.
//
//   kane_variation variation      = {.size = e, .neighbour = {less, more}}; // kane_simulation * of p - e, p + e
//   kane_sensitivity *sensitivity = kane_sensitivity_create(simulation, 1, &variation, 1e-4, &errors);
//   (void)kane_sensitivity_choose(sensitivity, 1, (const char *[]){"body.z"}, &errors);
//   if (kane_sensitivity_advance(sensitivity, t, &errors) == KANE_OK)
//       (void)kane_sensitivity_read(sensitivity, values, &errors); // d(body.z)/dp at t

#ifndef KANE_SENSITIVITY_H
#define KANE_SENSITIVITY_H

#include <kane/base.h>
#include <kane/simulate.h>

KANE_C_BEGIN

typedef struct kane_sensitivity kane_sensitivity; // of one thread

// One parameter: simulations of two models that differ from the simulated one in p - e and p + e alone, at their start.
typedef struct kane_variation {
    const char *name;              // in messages
    double size;                   // e, in the unit of p
    kane_simulation *neighbour[2]; // p - e, p + e
} kane_variation;

// Begins at the start of the simulation, which then advances by kane_sensitivity_advance alone. accuracy: the
// integration's steps are halved until that changes S by less than this part of S over a hundred (for errors add up),
// in the norm of the tolerances. Simulations and their models must outlive the result. NULL with errors filled:
// memory is short; a neighbour has another structure or starts otherwise.
KANE_API kane_sensitivity *kane_sensitivity_create(kane_simulation *simulation, int count,
                                                   const kane_variation *variations, double accuracy,
                                                   kane_errors *errors);
KANE_API void kane_sensitivity_free(kane_sensitivity *sensitivity); // NULL is allowed

// As kane_simulation_advance, with the sensitivities: the simulation goes as it goes without them.
KANE_API kane_status kane_sensitivity_advance(kane_sensitivity *sensitivity, double t, kane_errors *errors);

// dy/dp at the present time, for one of the parameters [states of the model].
KANE_API const double *kane_sensitivity_state(const kane_sensitivity *sensitivity, int parameter);

// Which channels are read, as kane_channels_create_model has them; NULL with errors filled. Valid until another choice.
KANE_API const kane_channels *kane_sensitivity_choose(kane_sensitivity *sensitivity, int pattern_count,
                                                      const char *const *patterns, kane_errors *errors);

// d(channel)/d(parameter) at the present time: of all chosen channels for the first parameter, then for the next.
KANE_API kane_status kane_sensitivity_read(kane_sensitivity *sensitivity, double *values, kane_errors *errors);

// Steps of the simulation so far in which pieces of 1/16384 of it have not reached the accuracy.
KANE_API long kane_sensitivity_rough_steps(const kane_sensitivity *sensitivity);

KANE_C_END

#endif
