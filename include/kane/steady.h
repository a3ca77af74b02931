// SPDX-License-Identifier: MIT
// Steady motion: a vehicle at constant speed on an endless line of constant geometry, straight or curved and canted,
// in equilibrium. Equilibrium, modes and critical speeds begin here.

#ifndef KANE_STEADY_H
#define KANE_STEADY_H

#include <kane/agem.h>
#include <kane/base.h>
#include <kane/linear.h>
#include <kane/model.h>
#include <kane/run.h>
#include <kane/simulate.h>

KANE_C_BEGIN

// Where and how fast. Gauge, rails, friction, running distance and flexibility are those of the run's track; its
// sections and irregularities are ignored.
typedef struct kane_steady_definition {
    double speed;          // [m/s]
    double curvature;      // positive to the left [1/m]
    double superelevation; // of the right rail over the left one [m]
    int small_motions; // 1: for kane_linear_create: FASTSIM on its finest grid. Its slopes leap with every element that begins to
        // slip, and converge with the grid far later than its forces (docs/analyses.md). 0: on the run's grid
} kane_steady_definition;

typedef struct kane_steady kane_steady;

// The run's vehicle there: compiled, and its state in equilibrium, found by kane_equilibrium_solve. NULL with errors
// filled, which name body or wheel where there is no equilibrium. A mechanism (a run without a track) is taken as it
// stands.
KANE_API kane_steady *kane_steady_create(const kane_run_definition *run, const kane_steady_definition *where,
                                         kane_errors *errors);
KANE_API void kane_steady_free(kane_steady *steady);

// Valid as long as it. The work has been evaluated (kane_eval, kane_observe) with the state; what is prescribed over
// time is frozen in it (kane_work_freeze).
KANE_API const kane_model *kane_steady_model(const kane_steady *steady);
KANE_API kane_work *kane_steady_work(kane_steady *steady);
KANE_API const double *kane_steady_state(const kane_steady *steady);
KANE_API const kane_equilibrium *kane_steady_equilibrium(const kane_steady *steady);

// Modes that grow in it, those of a train vehicle by vehicle (kane_modes_create_growing). NULL with errors filled.
KANE_API kane_modes *kane_steady_find_growing(kane_steady *steady, kane_errors *errors);

// Of a mechanism: coordinates that go on for ever in the steady motion, as the way and the turn of what rolls, and
// those that change at the start and rest in it: the motion is not that of the start.
typedef struct kane_steady_rate {
    int state;           // its place in y
    int is_length;       // 1: [m/s], 0: [rad/s]
    double start, found; // its rate at the start and in the steady motion
} kane_steady_rate;

KANE_API int kane_steady_rate_count(const kane_steady *steady);
KANE_API const kane_steady_rate *kane_steady_get_rate(const kane_steady *steady, int i);

// Whether `small_motions` has made a grid of FASTSIM finer than the run's.
KANE_API int kane_steady_is_refined(const kane_steady *steady);

KANE_C_END

#endif
