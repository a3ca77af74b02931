// SPDX-License-Identifier: MIT
// Modes that grow while a vehicle runs along a steady stretch of its line: straight, or with one curvature and one
// cant.

#ifndef KANE_RUN_GROWING_H
#define KANE_RUN_GROWING_H

#include <kane/steady.h>

#include "base/arena.h"

// How far bodies may be from the guide, either way: of a whole train, or of its longest vehicle from one of its own
// [m].
typedef enum kane_reach { KANE_OF_ALL, KANE_OF_ONE_VEHICLE } kane_reach;
double kane_vehicle_reach(const kane_vehicle_definition *vehicle, kane_reach of);

// A state of the vehicle in another model, perhaps near to its equilibrium.
typedef struct kane_nearby {
    const kane_model *model;
    const double *y; // of it; NULL: none
} kane_nearby;

// kane_steady_create, which looks near there first, on a line that reaches no further than the vehicle needs it. NULL:
// as that one. The errors are not NULL.
kane_steady *kane_steady_create_near(const kane_run_definition *run, const kane_steady_definition *where,
                                     const kane_nearby *near, kane_errors *errors);

// A stretch of the line, and how a run went along it.
typedef struct kane_stretch {
    double from, to;                  // s where a whole vehicle is within it: places of the guide [m]
    double curvature, superelevation; // [1/m], [m]
    double entered, left, reached;    // times of the first and the last row there [s], s of the last one [m]
    double speed, most;               // speed with y, the highest one [m/s]
    long steps_before, steps;         // of the integrator before the first one, up to the last one
    int order;                        // its order then
    double *y; // state at the last row with all of a train in it, else at the first [states]; NULL: it was not there
    int is_judged; // 1: its modes were computed
} kane_stretch;

// Follows a run, row by row.
typedef struct kane_growth_watch {
    kane_arena *arena;
    const kane_run_definition *run;
    const kane_model *model;
    double beyond;       // how far a train reaches beyond its longest vehicle [m]
    int count, room, at; // at: the stretch that the guide is in or comes to next
    kane_stretch *stretches;
} kane_growth_watch;

// 0 without memory. The run and the model must outlive it.
int kane_growth_watch_begin(kane_growth_watch *watch, const kane_run_definition *run, const kane_model *model);
int kane_growth_watch_row(kane_growth_watch *watch, kane_simulation *simulation);
void kane_growth_watch_free(kane_growth_watch *watch);

// What grows in the stretches that the run was in for some time, each kind of them once. KANE_OK, or KANE_NO_MEMORY
// with an error.
kane_status kane_growth_watch_judge(kane_growth_watch *watch, kane_growth *growth, kane_errors *errors);

#endif
