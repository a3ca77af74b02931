// SPDX-License-Identifier: MIT
// A vehicle at one constant speed, set in motion and watched until it repeats itself, comes to rest or derails.

#ifndef KANE_STUDY_CYCLE_H
#define KANE_STUDY_CYCLE_H

#include <kane/critical.h>

typedef struct kane_cycle kane_cycle; // of one thread

// The study's vehicle at a speed, in equilibrium. NULL with errors.
kane_cycle *kane_cycle_create(const kane_critical_study *study, double speed, kane_errors *errors);
void kane_cycle_free(kane_cycle *cycle);

// Where its motion begins: as far from equilibrium as `from` (of the same study, at another speed) has come; NULL: at it.
// And the whole vehicle by `shift` [m] to the left, wheelsets standing on their rails there.
kane_status kane_cycle_start(kane_cycle *cycle, const kane_cycle *from, double shift, kane_errors *errors);

// Called after every stretch: simulated time [s], amplitude of the wheelset that swings most [m]; not 0 ends it.
typedef int kane_cycle_watch(double time, double amplitude, void *data);

// Goes on until it is clear what becomes of it, or patience is at an end. Fills motion, time, cycles, subject, and swing
// with its numbers ([wheelsets], which the caller provides).
kane_status kane_cycle_run(kane_cycle *cycle, kane_critical_point *point, kane_critical_swing *swing,
                           kane_cycle_watch *watch, void *data, kane_errors *errors);

int kane_cycle_wheelset_count(const kane_cycle *cycle);
const char *kane_cycle_wheelset(const kane_cycle *cycle, int wheelset);
double kane_cycle_speed(const kane_cycle *cycle);

// What it consists of, for tests: where it has come, and the equilibrium (kane_steady_state).
const double *kane_cycle_state(const kane_cycle *cycle);
const double *kane_cycle_equilibrium(const kane_cycle *cycle);
const kane_model *kane_cycle_model(const kane_cycle *cycle);

#endif
