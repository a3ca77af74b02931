// SPDX-License-Identifier: MIT
// A simulation whose state is integrated outside: model exchange with other programs, integrators in other
// languages. The simulation says rates, event indicators and what comes when; at events it does what it does for
// other integrators (section joints of the track, pieces of speed, independent speeds, constraints, conditions that end
// it), and says whether the state has jumped.
//
//   settings.integrator = kane_outside_integrator();
//   kane_simulation *s  = kane_simulation_create(model, &settings, &conditions, &errors);
//   while (kane_simulation_stop(s) == KANE_STOP_NONE) {
//       ...                                          // a step from t to t + h <= kane_outside_next(s): trial states at will
//       kane_outside_put(s, t, y);
//       (void)kane_outside_rates(s, ydot, &errors);
//       ...
//       (void)kane_outside_complete(s, &is_due, &errors);     // the step is accepted
//       if (is_due || t >= kane_outside_next(s) || an indicator has changed its sign)
//           (void)kane_outside_event(s, &has_jumped, &errors); // then begin anew from kane_simulation_state(s)
//   }
//
// Channels (kane_channels_read), inputs (kane_simulation_set_input) and states (kane_simulation_get_state,
// kane_simulation_resume) as of any simulation.

#ifndef KANE_OUTSIDE_H
#define KANE_OUTSIDE_H

#include <kane/base.h>
#include <kane/integrator.h>

KANE_C_BEGIN

// For kane_settings.integrator: the simulation takes no steps. kane_simulation_advance fails; the tolerances of the
// settings say how far constraints may drift, and nominal values.
KANE_API const kane_integrator *kane_outside_integrator(void);

// Numbers in the state: those of the model, and the four of work where settings.energy asks for them.
KANE_API int kane_outside_size(const kane_simulation *simulation);

// The simulation is at (t, y): nothing is evaluated, and going back is allowed as long as no event is between. y
// [size]; NULL: stays. KANE_BAD_ARGUMENT, and nothing is done: it is not integrated from outside, or something is not
// finite.
KANE_API kane_status kane_outside_put(kane_simulation *simulation, double t, const double *y);

// dy/dt at its state [size]. KANE_RETRY: a smaller step may help; a negative status: not; errors say what it is.
KANE_API kane_status kane_outside_rates(kane_simulation *simulation, double *ydot, kane_errors *errors);

// The Jacobian d(ydot)/dy of the model's states as kane_jacobian_eval has it, and its pattern; rows and columns of work
// are zero.
KANE_API const kane_pattern *kane_outside_pattern(const kane_simulation *simulation);
KANE_API kane_status kane_outside_slopes(kane_simulation *simulation, double *values, kane_errors *errors);

// Event indicators: how many, and their values at its state. Between events each keeps its sign, negative but for
// the speed of a driven vehicle; what it means is in its name, such as "leading.left off its rail".
KANE_API int kane_outside_indicator_count(const kane_simulation *simulation);
KANE_API kane_status kane_outside_indicators(kane_simulation *simulation, double *values, kane_errors *errors);
KANE_API void kane_outside_indicator_name(const kane_simulation *simulation, int indicator, size_t size, char *name);

// What sizes numbers of the state have that matter: where the absolute and the relative tolerance ask for the same
// [size]. 1e6 of those on which nothing depends, as spin angles.
KANE_API void kane_outside_nominals(kane_simulation *simulation, double *nominals);

// A step of the integrator outside has ended at its state and is final. *is_due: constraints have
// drifted beyond the tolerances or independent speeds are poor: an event should follow.
KANE_API kane_status kane_outside_complete(kane_simulation *simulation, int *is_due, kane_errors *errors);

// Does what happens at its state, if anything. *has_jumped: the state is another one (kane_simulation_state).
// kane_simulation_stop says whether the simulation has ended there. Needed once before the first step, too.
KANE_API kane_status kane_outside_event(kane_simulation *simulation, int *has_jumped, kane_errors *errors);

// Time of the next event that is known beforehand [s]; HUGE_VAL: there is none. Also where something short lies on the
// rails ahead, so that no step goes over it unseen: then the event changes nothing.
KANE_API double kane_outside_next(const kane_simulation *simulation);

KANE_C_END

#endif
