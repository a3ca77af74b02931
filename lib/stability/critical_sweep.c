// SPDX-License-Identifier: MIT
// Continuation of limit cycles over speed, down and up. Speed is constant in every run: it lasts until motion is
// periodic, has died or has derailed.

#include "stability/critical.h"

#include <math.h>

static const double small = 0.01; // disturbance of the upward sweep, over the study's

// Speed i of a sweep, the last one included whatever the step.
static double speed_down(const kane_critical_study *study, int i)
{
    return fmax(study->to - i * study->step, study->from);
}

static double speed_up(const kane_critical_study *study, int i)
{
    return fmin(study->from + i * study->step, study->to);
}

// Start from the deviation at the end of another speed; NULL: from equilibrium, disturbed along a mode by `amount` [m].
static kane_beginning begin_from(const visit *before, double amount)
{
    return before ? (kane_beginning){.from = before->deviation, .part = 1.0}
                  : (kane_beginning){.way = KANE_PERTURB_MODE, .amount = amount};
}

// One run at a speed; its point is added to the sweep. 0: it failed, or the study has ended.
static int visit_speed(search *s, double speed, kane_sweep sweep, const visit *before, double amount, visit *now)
{
    const kane_beginning begin = begin_from(before, amount);
    if (!search_run_speed(s, speed, sweep, 0, &begin, now))
        return 0;
    search_add(s, now);
    return 1;
}

static void exchange_visits(visit *a, visit *b)
{
    const visit c = *a;
    *a            = *b;
    *b            = c;
}

static int is_above_resolution(const search *s, double alive, double dead)
{
    return fabs(alive - dead) > s->study->resolution * (1.0 + 1e-9);
}

// Bisection between a speed with a cycle and a slower one without, to the study's resolution.
static void bisect_cycle_end(search *s, visit *alive, visit *now, double dead)
{
    while (is_above_resolution(s, alive->point.speed, dead)) {
        if (!visit_speed(s, 0.5 * (alive->point.speed + dead), KANE_SWEEP_DOWN, alive, 0.0, now) ||
            now->point.motion == KANE_MOTION_DERAILED)
            break;
        if (now->point.motion == KANE_MOTION_DIED)
            dead = now->point.speed;
        else
            exchange_visits(alive, now);
    }
}

// Motion that has derailed or died is disturbed anew at the next speed; after a cycle that has died the sweep ends with
// a bisection.
static void follow_cycles_down(search *s, visit *alive, visit *now)
{
    const kane_critical_study *study = s->study;
    int lives                        = 0;
    double speed                     = (double)INFINITY;
    for (int i = 0; speed != study->from; i++) {
        speed = speed_down(study, i);
        if (!visit_speed(s, speed, KANE_SWEEP_DOWN, lives ? alive : NULL, study->disturbance, now))
            return;
        if (lives && now->point.motion == KANE_MOTION_DIED) {
            bisect_cycle_end(s, alive, now, speed);
            return;
        }
        lives = point_lives(&now->point);
        exchange_visits(alive, now);
    }
}

// Bisection between a speed at which a small disturbance dies and a faster one at which it does not.
static void bisect_jump(search *s, visit *now, double dead, double alive)
{
    while (is_above_resolution(s, alive, dead)) {
        const double speed = 0.5 * (alive + dead);
        if (!visit_speed(s, speed, KANE_SWEEP_UP, NULL, small * s->study->disturbance, now))
            return;
        *(point_fades(&now->point) ? &dead : &alive) = speed;
    }
}

static void follow_cycles_up(search *s, visit *alive, visit *now)
{
    const kane_critical_study *study = s->study;
    int lives = 0, rests = 0; // at the speed before
    double speed = 0.0;
    for (int i = 0; speed != study->to; i++) {
        const double before = speed;
        speed               = speed_up(study, i);
        if (!visit_speed(s, speed, KANE_SWEEP_UP, lives ? alive : NULL, small * study->disturbance, now))
            return;
        const int rested = rests;
        rests            = lives ? now->point.motion == KANE_MOTION_DIED : point_fades(&now->point);
        lives            = !rests && point_lives(&now->point);
        exchange_visits(alive, now);
        if (rested && !rests)
            bisect_jump(s, now, before, speed);
    }
}

static void run_sweep(search *s, void (*go_along)(search *, visit *, visit *))
{
    visit alive, now;
    const int has_room = visit_create(s, &alive) & visit_create(s, &now);
    if (has_room)
        go_along(s, &alive, &now);
    visit_clear(&alive);
    visit_clear(&now);
}

void sweep_down(search *s)
{
    run_sweep(s, follow_cycles_down);
}

void sweep_up(search *s)
{
    run_sweep(s, follow_cycles_up);
}
