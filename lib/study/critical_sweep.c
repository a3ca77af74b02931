// SPDX-License-Identifier: MIT
// Following limit cycles over speed, down and up. No speed is ever ramped: at every one motion goes on until it is clear what
// becomes of it.

#include "study/critical.h"

#include <math.h>

static const double small = 0.01; // disturbance of the upward sweep, over the study's

// Speed i of a sweep, the last one included whatever the step.
static double down_to(const kane_critical_study *study, int i)
{
    return fmax(study->to - i * study->step, study->from);
}

static double up_to(const kane_critical_study *study, int i)
{
    return fmin(study->from + i * study->step, study->to);
}

// One speed: goes there and adds what came of it. Takes `begin->from` and gives the new cycle in its place.
static int go(search *s, double speed, beginning *begin, kane_cycle **cycle, kane_critical_point *point)
{
    kane_critical_swing *swing = kane_allocate((size_t)s->report->wheelset_count, sizeof *swing);
    kane_cycle *next           = swing ? search_go(s, speed, begin, point, swing) : NULL;
    if (next)
        search_add(s, point);
    kane_release(swing);
    *cycle = next;
    return next != NULL;
}

// Between a speed with a cycle and a slower one without, until they are close together.
static void close_in_down(search *s, kane_cycle *alive, double dead)
{
    while (alive && kane_cycle_speed(alive) - dead > s->study->resolution * (1.0 + 1e-9)) {
        const double speed = 0.5 * (kane_cycle_speed(alive) + dead);
        beginning begin    = {.sweep = KANE_SWEEP_DOWN, .from = alive};
        kane_critical_point point;
        kane_cycle *next;
        if (!go(s, speed, &begin, &next, &point))
            break;
        if (point.motion == KANE_MOTION_DIED)
            dead = speed;
        kane_cycle *over = point.motion == KANE_MOTION_DIED ? next : alive;
        alive            = point.motion == KANE_MOTION_DIED ? alive : next;
        kane_cycle_free(over);
        if (point.motion == KANE_MOTION_DERAILED)
            break;
    }
    kane_cycle_free(alive);
}

void sweep_down(search *s)
{
    kane_cycle *alive = NULL;
    double before     = NAN;
    for (int i = 0; before != s->study->from; i++) {
        const double speed = down_to(s->study, i);
        beginning begin    = {.sweep = KANE_SWEEP_DOWN, .from = alive, .shift = alive ? 0.0 : s->study->disturbance};
        kane_critical_point point;
        kane_cycle *next;
        before = speed;
        if (!go(s, speed, &begin, &next, &point))
            break;
        if (alive && point.motion == KANE_MOTION_DIED) {
            kane_cycle_free(next);
            close_in_down(s, alive, speed);
            return;
        }
        kane_cycle_free(alive);
        alive = point_lives(&point) ? next : NULL; // what has derailed, or has not begun yet, is disturbed again
        if (!alive)
            kane_cycle_free(next);
    }
    kane_cycle_free(alive);
}

// Between a speed at which a small disturbance dies and a faster one at which it does not.
static void close_in_up(search *s, double dead, double alive)
{
    while (alive - dead > s->study->resolution * (1.0 + 1e-9)) {
        const double speed = 0.5 * (alive + dead);
        beginning begin    = {.sweep = KANE_SWEEP_UP, .shift = small * s->study->disturbance};
        kane_critical_point point;
        kane_cycle *next;
        if (!go(s, speed, &begin, &next, &point))
            return;
        kane_cycle_free(next);
        if (point.motion == KANE_MOTION_DIED)
            dead = speed;
        else
            alive = speed;
    }
}

void sweep_up(search *s)
{
    kane_cycle *alive = NULL;
    double before     = NAN;
    int at_rest       = 0; // at the speed before
    for (int i = 0; before != s->study->to; i++) {
        const double speed = up_to(s->study, i);
        beginning begin = {.sweep = KANE_SWEEP_UP, .from = alive, .shift = alive ? 0.0 : small * s->study->disturbance};
        kane_critical_point point;
        kane_cycle *next;
        if (!go(s, speed, &begin, &next, &point))
            break;
        if (at_rest && point.motion != KANE_MOTION_DIED)
            close_in_up(s, before, speed);
        kane_cycle_free(alive);
        at_rest = point.motion == KANE_MOTION_DIED;
        before  = speed;
        alive   = point_lives(&point) ? next : NULL;
        if (!alive)
            kane_cycle_free(next);
    }
    kane_cycle_free(alive);
}
