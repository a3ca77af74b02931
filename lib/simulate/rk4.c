// SPDX-License-Identifier: MIT
// Integrator: the classical Runge-Kutta method of order 4, with steps of fixed length.
//
//   k1 = f(t, y)   k2 = f(t + h/2, y + h/2 k1)   k3 = f(t + h/2, y + h/2 k2)   k4 = f(t + h, y + h k3)
//   y(t + h) = y + h/6 (k1 + 2 k2 + 2 k3 + k4)
//
// The rates at the end of a step are k1 of the next one. Between both ends a cubic in Hermite's form has an error of
// h^4, so that events which are found on it do not cost the order.
//
// Numbers x of f(t, y, x) are extrapolated from what they came to at first stages, which are ends of steps: the other
// stages are no states that the motion passes through. k1 looks back on those of the steps before, k2 to k4 on that of
// their own step, too. Until there are as many as the polynomial needs, x is solved for.

#include "simulate/integrator_frame.h"

enum { LOOKS_BACK = 3 }; // on so many first stages at most

// What x came to at first stages, the last one first.
typedef struct history {
    int count, needs; // how many there are, and how many the polynomial goes through
    double t[LOOKS_BACK];
    double *x[LOOKS_BACK];
} history;

typedef struct runge_kutta {
    kane_fixed_steps steps;
    double *k, *k_end; // rates at both ends [size]
    double *k2, *k3, *k4, *stage;
    history history;           // up to t
    double *ahead, *found_end; // x of the next evaluation, and what it came to at the end [system.ahead_count]
} runge_kutta;

// The end of the last step is the first stage of the next one.
static void store_first_stage(runge_kutta *s)
{
    history *h   = &s->history;
    double *free = h->x[LOOKS_BACK - 1];
    if (s->steps.frame.system.ahead_count == 0)
        return;
    for (int i = LOOKS_BACK - 1; i > 0; i--) {
        h->x[i] = h->x[i - 1];
        h->t[i] = h->t[i - 1];
    }
    h->t[0]      = s->steps.t;
    h->x[0]      = s->found_end;
    s->found_end = free;
    if (h->count < LOOKS_BACK)
        h->count++;
}

// x at a time, by Lagrange's polynomial through the last first stages. 0: there are too few of them.
static int rk4_extrapolate(const void *self, double t, double *ahead)
{
    const history *h  = &((const runge_kutta *)self)->history;
    const int numbers = ((const kane_integrator_frame *)self)->system.ahead_count;
    if (numbers == 0 || h->count < h->needs)
        return 0;
    for (int i = 0; i < numbers; i++)
        ahead[i] = 0.0;
    for (int k = 0; k < h->needs; k++) {
        double weight = 1.0;
        for (int l = 0; l < h->needs; l++)
            if (l != k)
                weight *= (t - h->t[l]) / (h->t[k] - h->t[l]);
        for (int i = 0; i < numbers; i++)
            ahead[i] += weight * h->x[k][i];
    }
    return 1;
}

// k = f(t, y), x extrapolated if there are enough first stages. found: x of this evaluation; NULL: not returned.
static kane_status evaluate_stage(runge_kutta *s, double t, const double *y, double *k, double *found)
{
    const kane_system *system = &s->steps.frame.system;
    if (system->ahead_count == 0)
        return kane_frame_rates(&s->steps.frame, t, y, k);
    s->steps.frame.sum.evaluations++;
    return system->rates_ahead(t, y, rk4_extrapolate(s, t, s->ahead) ? s->ahead : NULL, k, found, system->data);
}

static kane_status rk4_restart(void *self, double t, const double *y)
{
    runge_kutta *s = self;
    (void)kane_fixed_steps_restart(self, t, y);
    s->history.count         = 0;
    const kane_status status = evaluate_stage(s, t, y, s->k_end, s->found_end);
    return status == KANE_OK ? KANE_OK : kane_fixed_steps_fail(&s->steps, t, status);
}

// y + h k, the state of the next stage.
static const double *stage_state(runge_kutta *s, double h, const double *k)
{
    for (int i = 0; i < s->steps.frame.system.size; i++)
        s->stage[i] = s->steps.y[i] + h * k[i];
    return s->stage;
}

// From (t, y) with the rates k to y_end with k_end.
static kane_status take_rk4_step(void *self)
{
    runge_kutta *s            = self;
    const kane_fixed_steps *f = &s->steps;
    const double h = f->end - f->t, middle = f->t + 0.5 * h;
    double *k_begin = s->k_end;
    store_first_stage(s);
    s->k_end           = s->k;
    s->k               = k_begin;
    kane_status status = evaluate_stage(s, middle, stage_state(s, 0.5 * h, s->k), s->k2, NULL);
    if (status == KANE_OK)
        status = evaluate_stage(s, middle, stage_state(s, 0.5 * h, s->k2), s->k3, NULL);
    if (status == KANE_OK)
        status = evaluate_stage(s, f->end, stage_state(s, h, s->k3), s->k4, NULL);
    if (status != KANE_OK)
        return status;
    for (int i = 0; i < f->frame.system.size; i++)
        f->y_end[i] = f->y[i] + h / 6.0 * (s->k[i] + 2.0 * (s->k2[i] + s->k3[i]) + s->k4[i]);
    if (f->frame.system.projected)
        status = f->frame.system.project(f->end, f->y_end, f->frame.system.data);
    return status == KANE_OK ? evaluate_stage(s, f->end, f->y_end, s->k_end, s->found_end) : status;
}

// The cubic that has the values and rates of both ends; x runs from 0 to 1.
static void rk4_interpolate(void *self, double t, double *y)
{
    const runge_kutta *s      = self;
    const kane_fixed_steps *f = &s->steps;
    const double h = f->end - f->t, x = h > 0.0 ? (t - f->t) / h : 1.0;
    const double by_end = x * x * (3.0 - 2.0 * x), by_k = h * x * (1.0 - x) * (1.0 - x),
                 by_k_end = h * x * x * (x - 1.0);
    for (int i = 0; i < f->frame.system.size; i++)
        y[i] = f->y[i] + by_end * (f->y_end[i] - f->y[i]) + by_k * s->k[i] + by_k_end * s->k_end[i];
}

static void *rk4_create(const kane_system *system, const kane_settings *settings)
{
    const size_t size = (size_t)system->size, numbers = (size_t)system->ahead_count;
    runge_kutta *s = kane_fixed_steps_create(sizeof *s, 4, 0, take_rk4_step, system, settings);
    if (!s)
        return NULL;
    kane_arena *arena = s->steps.frame.arena;
    s->k              = kane_arena_alloc(arena, size, sizeof *s->k);
    s->k_end          = kane_arena_alloc(arena, size, sizeof *s->k_end);
    s->k2             = kane_arena_alloc(arena, size, sizeof *s->k2);
    s->k3             = kane_arena_alloc(arena, size, sizeof *s->k3);
    s->k4             = kane_arena_alloc(arena, size, sizeof *s->k4);
    s->stage          = kane_arena_alloc(arena, size, sizeof *s->stage);
    s->history.needs  = (int)settings->rods.extrapolation + 1;
    for (int i = 0; i < LOOKS_BACK; i++)
        s->history.x[i] = kane_arena_alloc(arena, numbers, sizeof *s->history.x[i]);
    s->ahead     = kane_arena_alloc(arena, numbers, sizeof *s->ahead);
    s->found_end = kane_arena_alloc(arena, numbers, sizeof *s->found_end);
    return kane_frame_created(s);
}

const kane_integrator kane_integrator_rk4 = {
    .name         = "rk4",
    .help         = "classical Runge-Kutta method of order 4",
    .fixed_step   = 1,
    .extrapolates = 1,
    .projects     = 1,
    .create       = rk4_create,
    .free         = kane_frame_free,
    .restart      = rk4_restart,
    .step         = kane_fixed_steps_step,
    .interpolate  = rk4_interpolate,
    .extrapolate  = rk4_extrapolate,
    .count        = kane_frame_count,
    .message      = kane_frame_message,
};
