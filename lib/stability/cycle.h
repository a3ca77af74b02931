// SPDX-License-Identifier: MIT
// A vehicle at one constant speed, set in motion and watched until it repeats itself, comes to rest or derails.

#ifndef KANE_STABILITY_CYCLE_H
#define KANE_STABILITY_CYCLE_H

#include "stability/aside.h"

#include <kane/critical.h>

typedef struct kane_cycle kane_cycle; // of one thread

// The study's vehicle at a speed, in equilibrium. NULL with errors.
kane_cycle *kane_cycle_create(const kane_critical_study *study, double speed, kane_errors *errors);
void kane_cycle_free(kane_cycle *cycle);

// Where motion begins: at equilibrium, or where it was at another speed, ...
typedef struct kane_beginning {
    const double *from; // deviation from equilibrium that it had there (kane_cycle_deviation); NULL: none
    double part;        // of it
    kane_aside way;     // ... and set aside
    double amount;      // so far [m]
} kane_beginning;

kane_status kane_cycle_start(kane_cycle *cycle, const kane_beginning *begin, kane_errors *errors);

// Called after every stretch: simulated time [s], amplitude of the wheelset that swings most [m]; not 0 ends it.
typedef int kane_cycle_watch(double time, double amplitude, void *data);

// Goes on until it is clear what becomes of it, or patience is at an end. Fills motion, time, cycles, subject, and swing
// with its numbers ([wheelsets], which the caller provides).
kane_status kane_cycle_run(kane_cycle *cycle, kane_critical_point *point, kane_critical_swing *swing,
                           kane_cycle_watch *watch, void *data, kane_errors *errors);

// The last stretch that was watched, as rows of results (CSV): time since it began [s] and lateral displacements NAME.y [m] of all bodies but
// panels of track.
kane_status kane_cycle_write(const kane_cycle *cycle, const char *file, kane_errors *errors);

int kane_cycle_wheelset_count(const kane_cycle *cycle);
const char *kane_cycle_wheelset(const kane_cycle *cycle, int wheelset);
const kane_model *kane_cycle_model(const kane_cycle *cycle);
const double *kane_cycle_state(const kane_cycle *cycle); // where it has come

// How far its state is from equilibrium, [state count]. At another speed the same deviation is the same relative motion: spin
// and travel differ as those of the equilibria do.
void kane_cycle_deviation(const kane_cycle *cycle, double *deviation);

#endif
