// SPDX-License-Identifier: MIT
// Integrator: the classical Runge-Kutta method of order 4, with steps of fixed length.
//
//   k1 = f(t, y)   k2 = f(t + h/2, y + h/2 k1)   k3 = f(t + h/2, y + h/2 k2)   k4 = f(t + h, y + h k3)
//   y(t + h) = y + h/6 (k1 + 2 k2 + 2 k3 + k4)
//
// The rates at the end of a step are k1 of the next one. Between both ends a cubic in Hermite's form has an error of h^4, so
// that events which are found on it do not cost the order. Steps count from the last restart: t = begin + n h, so that many
// short ones add up to no round-off; a step that must end earlier is cut, and counting begins there.
//
// Numbers x of f(t, y, x) are extrapolated from what they came to at first stages, which are ends of steps: the other stages are no
// states that the motion passes through. k1 looks back on those of the steps before, k2 to k4 on that of their own step, too. Until
// there are as many as the polynomial needs, x is solved for.

#include "base/arena.h"
#include "base/print.h"
#include "simulate/integrators.h"

#include <stdio.h>
#include <string.h>

enum { LOOKS_BACK = 3 }; // on so many first stages at most

// What x came to at first stages, the last one first.
typedef struct history {
    int count, needs; // how many there are, and how many the polynomial goes through
    double t[LOOKS_BACK];
    double *x[LOOKS_BACK];
} history;

typedef struct runge_kutta {
    kane_arena *arena;
    kane_system system;
    kane_fixed_steps grid; //
    double t, end;         // the last step, or twice where it starts
    double *y, *k;         // at t, and the rates there [size]
    double *y_end, *k_end; // at the end [size]
    double *k2, *k3, *k4, *stage;
    history history;           // up to t
    double *ahead, *found_end; // x of the next evaluation, and what it came to at the end [system.ahead_count]
    long steps, evaluations;   // since the last restart
    char message[160];
} runge_kutta;

static void rk4_free(void *self)
{
    runge_kutta *s = self;
    kane_arena_free(s->arena);
}

static void create_history(runge_kutta *s, int needs)
{
    const size_t count = (size_t)s->system.ahead_count;
    s->history.needs   = needs;
    for (int i = 0; i < LOOKS_BACK; i++)
        s->history.x[i] = kane_arena_alloc(s->arena, count, sizeof *s->history.x[i]);
    s->ahead     = kane_arena_alloc(s->arena, count, sizeof *s->ahead);
    s->found_end = kane_arena_alloc(s->arena, count, sizeof *s->found_end);
}

static void *rk4_create(const kane_system *system, const kane_settings *settings)
{
    const size_t size = (size_t)system->size;
    kane_arena *arena = kane_arena_create();
    runge_kutta *s    = arena ? kane_arena_alloc(arena, 1, sizeof *s) : NULL;
    if (s) {
        s->arena       = arena;
        s->system      = *system;
        s->grid.length = settings->step;
        s->y           = kane_arena_alloc(arena, size, sizeof *s->y);
        s->k           = kane_arena_alloc(arena, size, sizeof *s->k);
        s->y_end       = kane_arena_alloc(arena, size, sizeof *s->y_end);
        s->k_end       = kane_arena_alloc(arena, size, sizeof *s->k_end);
        s->k2          = kane_arena_alloc(arena, size, sizeof *s->k2);
        s->k3          = kane_arena_alloc(arena, size, sizeof *s->k3);
        s->k4          = kane_arena_alloc(arena, size, sizeof *s->k4);
        s->stage       = kane_arena_alloc(arena, size, sizeof *s->stage);
        create_history(s, (int)settings->rods.extrapolation + 1);
    }
    if (!s || kane_arena_failed(arena)) {
        kane_arena_free(arena);
        return NULL;
    }
    return s;
}

// The step cannot be made shorter: whatever does not succeed is the end.
static kane_status fail(runge_kutta *s, double t, kane_status status)
{
    (void)kane_snprintf(s->message, sizeof s->message,
                        "the step of %g s to %.9g s leads to no state that can be evaluated%s", s->grid.length, t,
                        status == KANE_NO_MEMORY ? "" : "; try a shorter one");
    return status < 0 ? status : KANE_INTEGRATION_FAILED;
}

// The end of the last step is the first stage of the next one.
static void remember(runge_kutta *s)
{
    history *h   = &s->history;
    double *free = h->x[LOOKS_BACK - 1];
    if (s->system.ahead_count == 0)
        return;
    for (int i = LOOKS_BACK - 1; i > 0; i--) {
        h->x[i] = h->x[i - 1];
        h->t[i] = h->t[i - 1];
    }
    h->t[0]      = s->end;
    h->x[0]      = s->found_end;
    s->found_end = free;
    if (h->count < LOOKS_BACK)
        h->count++;
}

// x at a time, by Lagrange's polynomial through the last first stages. 0: there are too few of them.
static int rk4_look_ahead(const void *self, double t, double *ahead)
{
    const runge_kutta *s = self;
    const history *h     = &s->history;
    if (s->system.ahead_count == 0 || h->count < h->needs)
        return 0;
    for (int i = 0; i < s->system.ahead_count; i++)
        ahead[i] = 0.0;
    for (int k = 0; k < h->needs; k++) {
        double weight = 1.0;
        for (int l = 0; l < h->needs; l++)
            if (l != k)
                weight *= (t - h->t[l]) / (h->t[k] - h->t[l]);
        for (int i = 0; i < s->system.ahead_count; i++)
            ahead[i] += weight * h->x[k][i];
    }
    return 1;
}

// found: what x came to; NULL: nobody asks.
static kane_status eval(runge_kutta *s, double t, const double *y, double *k, double *found)
{
    s->evaluations++;
    if (s->system.ahead_count == 0)
        return s->system.rates(t, y, k, s->system.data);
    return s->system.rates_ahead(t, y, rk4_look_ahead(s, t, s->ahead) ? s->ahead : NULL, k, found, s->system.data);
}

static kane_status rk4_restart(void *self, double t, const double *y)
{
    runge_kutta *s = self;
    s->t = s->end = s->grid.begin = t;
    s->grid.count                 = 0;
    s->steps = s->evaluations = 0;
    s->message[0]             = '\0';
    memcpy(s->y_end, y, (size_t)s->system.size * sizeof *y);
    s->history.count         = 0;
    const kane_status status = eval(s, t, y, s->k_end, s->found_end);
    return status == KANE_OK ? KANE_OK : fail(s, t, status);
}

// y + h k of the last stage
static const double *stage(runge_kutta *s, double h, const double *k)
{
    for (int i = 0; i < s->system.size; i++)
        s->stage[i] = s->y[i] + h * k[i];
    return s->stage;
}

// From (t, y) with the rates k to y_end with k_end.
static kane_status take(runge_kutta *s, double h)
{
    const double middle = s->t + 0.5 * h;
    kane_status status  = eval(s, middle, stage(s, 0.5 * h, s->k), s->k2, NULL);
    if (status == KANE_OK)
        status = eval(s, middle, stage(s, 0.5 * h, s->k2), s->k3, NULL);
    if (status == KANE_OK)
        status = eval(s, s->end, stage(s, h, s->k3), s->k4, NULL);
    if (status != KANE_OK)
        return status;
    for (int i = 0; i < s->system.size; i++)
        s->y_end[i] = s->y[i] + h / 6.0 * (s->k[i] + 2.0 * (s->k2[i] + s->k3[i]) + s->k4[i]);
    if (s->system.projected)
        status = s->system.project(s->end, s->y_end, s->system.data);
    return status == KANE_OK ? eval(s, s->end, s->y_end, s->k_end, s->found_end) : status;
}

static kane_status rk4_step(void *self, double goal, double latest, double *t, double *y, kane_step_end *end,
                            int *roots)
{
    runge_kutta *s  = self;
    double *y_begin = s->y_end, *k_begin = s->k_end;
    (void)goal;
    (void)roots;
    remember(s);
    s->y_end                 = s->y;
    s->k_end                 = s->k;
    s->y                     = y_begin;
    s->k                     = k_begin;
    s->t                     = s->end;
    *end                     = kane_fixed_steps_next(&s->grid, latest, &s->end);
    const kane_status status = take(s, s->end - s->t);
    if (status != KANE_OK)
        return fail(s, s->end, status);
    s->steps++;
    *t = s->end;
    memcpy(y, s->y_end, (size_t)s->system.size * sizeof *y);
    return KANE_OK;
}

// The cubic that has the values and rates of both ends; x runs from 0 to 1.
static void rk4_interpolate(void *self, double t, double *y)
{
    const runge_kutta *s = self;
    const double h = s->end - s->t, x = h > 0.0 ? (t - s->t) / h : 1.0;
    const double by_end = x * x * (3.0 - 2.0 * x), by_k = h * x * (1.0 - x) * (1.0 - x),
                 by_k_end = h * x * x * (x - 1.0);
    for (int i = 0; i < s->system.size; i++)
        y[i] = s->y[i] + by_end * (s->y_end[i] - s->y[i]) + by_k * s->k[i] + by_k_end * s->k_end[i];
}

static void rk4_count(const void *self, kane_statistics *sum)
{
    const runge_kutta *s = self;
    sum->steps += s->steps;
    sum->evaluations += s->evaluations;
    if (s->steps > 0) {
        sum->last_step  = s->end - s->t;
        sum->last_order = 4;
    }
}

static const char *rk4_message(const void *self)
{
    const runge_kutta *s = self;
    return s->message;
}

const kane_integrator kane_integrator_rk4 = {
    .name         = "rk4",
    .help         = "classical Runge-Kutta method of order 4",
    .fixed_step   = 1,
    .extrapolates = 1,
    .projects     = 1,
    .create       = rk4_create,
    .free         = rk4_free,
    .restart      = rk4_restart,
    .step         = rk4_step,
    .interpolate  = rk4_interpolate,
    .look_ahead   = rk4_look_ahead,
    .count        = rk4_count,
    .message      = rk4_message,
};
