// SPDX-License-Identifier: MIT
// A running study of limit cycles: data of all its threads.

#ifndef KANE_STABILITY_CRITICAL_H
#define KANE_STABILITY_CRITICAL_H

#include "stability/cycle.h"

#include "base/arena.h"
#include "plan/pool.h"

// Points of one sweep, from the first speed to the last one, whatever order they are found in.
typedef struct branch {
    int count, most;
    kane_critical_point *points; // [most]
    kane_critical_swing *swings; // [most][wheelsets], given out one after the other, and with them
    double *deviations;          // [most][states], how far from equilibrium motion has come
} branch;

struct kane_critical_report {
    kane_arena *arena;
    int wheelset_count, state_count;
    const char **wheelset; // [wheelset_count]
    branch branch[KANE_SWEEPS];
    kane_critical_result result;
};

typedef struct search {
    const kane_critical_study *study;
    kane_critical_report *report;
    kane_lock lock;     // of all that follows, and of the report
    int expected, done; // speeds to go to, and gone to; the first is a guess
    int ended;          // 1: interrupted, or ended by an error
    kane_errors *errors;
} search;

// --- critical.c ---

// Result of one run at one speed.
typedef struct visit {
    kane_critical_point point;
    kane_critical_swing *swing; // [wheelsets]
    double *deviation;          // [states]
} visit;

// Returns 0 without memory, which ends the study.
int visit_create(search *s, visit *v);
void visit_clear(visit *v);

// Runs the vehicle at a speed. 0: it failed, which ends the study; the study has ended; or a fresh run has no such
// start.
int search_run_speed(search *s, double speed, kane_sweep sweep, int is_check, const kane_beginning *begin, visit *v);

// Adds it to its sweep, and writes the table anew.
void search_add(search *s, const visit *v);

// How far from equilibrium motion has come at a point of a branch.
const double *branch_deviation(const search *s, const branch *b, const kane_critical_point *point);

// Says what went wrong, and ends the study; whether it has ended.
void search_fail(search *s, const kane_errors *errors);
int search_has_ended(search *s);

// 1: of a cycle, or of other motion that has neither come to rest nor derailed.
static inline int point_lives(const kane_critical_point *point)
{
    return point->motion != KANE_MOTION_DIED && point->motion != KANE_MOTION_DERAILED;
}

// 1: has come to rest, or is on its way.
static inline int point_fades(const kane_critical_point *point)
{
    return point->motion == KANE_MOTION_DIED || point->motion == KANE_MOTION_DECAYING;
}

// Amplitude of the wheelset that swings most [m].
static inline double point_amplitude(const kane_critical_point *point)
{
    return point->swing[point->largest].amplitude;
}

// --- critical_sweep.c, critical_check.c, critical_linear.c ---

void sweep_down(search *s);
void sweep_up(search *s);

// Fresh runs that confirm points of the downward sweep, side by side.
void check_branch(search *s);

// Fills linear, linear_frequency and linear_mode of the result.
void find_linear(search *s);

// Fastest speed [m/s]: the study's, or the end of the first search for the linear critical speed.
double search_fastest(const kane_critical_study *study);

// --- critical_write.c, critical_draw.c: into the study's directory, which is not NULL ---

kane_status write_points(const search *s, kane_errors *errors);
kane_status write_result(const search *s, kane_errors *errors);
kane_status draw_points(const search *s, kane_errors *errors);

#endif
