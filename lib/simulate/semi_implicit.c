// SPDX-License-Identifier: MIT
// Euler's method for wheels that rails guide, with fixed steps: forces where the speeds lead to, creep forces as at the end of the step,
// rails that close their gaps there (kane_relax); coordinates by the new speeds. No Jacobian, no large system: what a step computes is the
// same every time.
//
//   q* = q + h Q(q) v,   (1 - h J_c) a = f(t + h, q*, v),   v+ = v + h a,   q+ = q + h Q(q*) v+        J_c: of creep by speeds
//
// The error is of first order. Springs damp their motion by omega^2 h/2 more and are stable while omega h < 1.15, dampers alone while they
// decay slower than 2/h.

#include "base/arena.h"
#include "base/print.h"
#include "simulate/integrators.h"

#include <stdio.h>
#include <string.h>

// How many steps the answers of wheelsets to forces serve if nobody says: they depend on where bodies are, which changes slowly.
static const int usual_age = 20;

typedef struct semi_implicit {
    kane_arena *arena;
    kane_system system;
    kane_fixed_steps grid;
    double t, end; // of the last step
    double *y, *y_end, *rates;
    int most_age, age; // steps that the answers of wheelsets serve, have served
    long steps;
    char message[160];
} semi_implicit;

static void semi_implicit_free(void *self)
{
    kane_arena_free(((semi_implicit *)self)->arena);
}

static void *create(const kane_system *system, const kane_settings *settings)
{
    const size_t size = (size_t)system->size;
    kane_arena *arena = kane_arena_create();
    semi_implicit *s  = arena ? kane_arena_alloc(arena, 1, sizeof *s) : NULL;
    if (!s) {
        kane_arena_free(arena);
        return NULL;
    }
    s->arena       = arena;
    s->system      = *system;
    s->grid.length = settings->step;
    s->most_age    = settings->jacobian_every > 0 ? settings->jacobian_every : usual_age;
    s->y           = kane_arena_alloc(arena, size, sizeof *s->y);
    s->y_end       = kane_arena_alloc(arena, size, sizeof *s->y_end);
    s->rates       = kane_arena_alloc(arena, size, sizeof *s->rates);
    s->age         = s->most_age;
    if (kane_arena_failed(arena)) {
        semi_implicit_free(s);
        return NULL;
    }
    return s;
}

static kane_status restart(void *self, double t, const double *y)
{
    semi_implicit *s = self;
    s->t = s->end = s->grid.begin = t;
    s->grid.count                 = 0;
    s->steps                      = 0;
    s->message[0]                 = '\0';
    memcpy(s->y_end, y, (size_t)s->system.size * sizeof *y);
    return KANE_OK;
}

static void forget(void *self)
{
    semi_implicit *s = self;
    s->age           = s->most_age;
}

static kane_status take(semi_implicit *s)
{
    const double h           = s->end - s->t;
    const int fresh          = s->age >= s->most_age;
    const kane_status status = s->system.relax(s->t, h, fresh, s->y, s->rates, s->system.data);
    s->age                   = fresh ? 1 : s->age + 1;
    for (int i = 0; i < s->system.size && status == KANE_OK; i++)
        s->y_end[i] = s->y[i] + h * s->rates[i];
    return status;
}

static kane_status step(void *self, double goal, double latest, double *t, double *y, kane_step_end *end, int *roots)
{
    semi_implicit *s = self;
    double *free     = s->y;
    (void)goal;
    (void)roots;
    s->y                     = s->y_end;
    s->y_end                 = free;
    s->t                     = s->end;
    *end                     = kane_fixed_steps_next(&s->grid, latest, &s->end);
    const kane_status status = take(s);
    if (status != KANE_OK) {
        (void)kane_snprintf(s->message, sizeof s->message,
                            "the step of %g s to %.9g s leads to no state that can be evaluated; try a shorter one",
                            s->end - s->t, s->end);
        return status < 0 ? status : KANE_INTEGRATION_FAILED;
    }
    s->steps++;
    *t = s->end;
    memcpy(y, s->y_end, (size_t)s->system.size * sizeof *y);
    return KANE_OK;
}

// The line between both ends.
static void interpolate(void *self, double t, double *y)
{
    const semi_implicit *s = self;
    const double h = s->end - s->t, x = h > 0.0 ? (t - s->t) / h : 1.0;
    for (int i = 0; i < s->system.size; i++)
        y[i] = s->y[i] + x * (s->y_end[i] - s->y[i]);
}

static void count(const void *self, kane_statistics *sum)
{
    const semi_implicit *s = self;
    sum->steps += s->steps;
    sum->evaluations += s->steps;
    if (s->steps > 0) {
        sum->last_step  = s->end - s->t;
        sum->last_order = 1;
    }
}

static const char *message(const void *self)
{
    return ((const semi_implicit *)self)->message;
}

const kane_integrator kane_integrator_semi_implicit = {
    .name           = "semi_implicit",
    .help           = "Euler's method with fixed steps, implicit in creep alone",
    .fixed_step     = 1,
    .keeps_jacobian = 1,
    .projects       = 1, // in passing
    .relaxes        = 1,
    .create         = create,
    .free           = semi_implicit_free,
    .restart        = restart,
    .forget         = forget,
    .step           = step,
    .interpolate    = interpolate,
    .count          = count,
    .message        = message,
};
