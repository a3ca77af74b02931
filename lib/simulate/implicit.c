// SPDX-License-Identifier: MIT
// Integrators of fixed cost: linearly implicit steps of fixed length. What a step computes does not depend on the data: one evaluation,
// one solution, a projection where constraints need one, and every so many steps a Jacobian and its factors.
//
//   imex    linearly implicit Euler: y+ = y + d,  (1 - h J) d = h f(t + h, y)
//   bdf2    two-step BDF, one iteration of Newton's method from y_0 = y + w (y - y-), w = h/h-:
//           (1 - g J) d = g f(t + h, y_0) - (y_0 - a y - b y-),   y+ = y_0 + d,
//           g = (1 + w)/(1 + 2 w) h,  a = (1 + w)^2/(1 + 2 w),  b = -w^2/(1 + 2 w); its first step is one of imex
//
// J = df/dy holds creep, contact and suspension, coordinates and speeds alike, of the whole vehicle: M - h J_v - h^2 J_q is what is left
// of 1 - h J when coordinates are eliminated. It is kept for a number of steps: that costs accuracy (docs/analyses.md has what was
// measured), and it must be short where contact swings.

#include "base/arena.h"
#include "base/print.h"
#include "math/sparse_lu.h"
#include "simulate/integrators.h"

#include <stdio.h>
#include <string.h>

// How many steps a Jacobian serves if nobody says.
static const int usual_age = 5;

typedef struct implicit {
    kane_arena *arena;
    kane_system system;
    int order;             // 1, 2
    kane_fixed_steps grid; //
    double before, t, end; // the last two steps; before = t, t = end: there is none
    double *y_before, *y, *y_end;
    double *rates;     // scratch, and the right side
    double *end_rates; // at the end of the last step
    // 1 - g J
    kane_sparse_lu *lu;
    double *slopes, *matrix; // entries of the pattern
    int *diagonal;           // places of the diagonal among them
    int most_age, age;       // steps that J serves, has served
    double factored;         // g that the factors are of; 0: none
    int has_pivots;
    long steps, evaluations, jacobians, factorisations; // since the last restart
    char message[160];
} implicit;

static void implicit_free(void *self)
{
    implicit *s = self;
    kane_sparse_lu_free(s->lu);
    kane_arena_free(s->arena);
}

static void *create(int order, const kane_system *system, const kane_settings *settings)
{
    const size_t size = (size_t)system->size, entries = (size_t)system->pattern->count;
    kane_arena *arena = kane_arena_create();
    implicit *s       = arena ? kane_arena_alloc(arena, 1, sizeof *s) : NULL;
    if (!s) {
        kane_arena_free(arena);
        return NULL;
    }
    s->arena       = arena;
    s->system      = *system;
    s->order       = order;
    s->grid.length = settings->step;
    s->most_age    = settings->jacobian_every > 0 ? settings->jacobian_every : usual_age;
    s->y_before    = kane_arena_alloc(arena, size, sizeof *s->y_before);
    s->y           = kane_arena_alloc(arena, size, sizeof *s->y);
    s->y_end       = kane_arena_alloc(arena, size, sizeof *s->y_end);
    s->rates       = kane_arena_alloc(arena, size, sizeof *s->rates);
    s->end_rates   = kane_arena_alloc(arena, size, sizeof *s->end_rates);
    s->slopes      = kane_arena_alloc(arena, entries, sizeof *s->slopes);
    s->matrix      = kane_arena_alloc(arena, entries, sizeof *s->matrix);
    s->diagonal    = kane_arena_alloc(arena, size, sizeof *s->diagonal);
    s->lu          = kane_sparse_lu_create(system->pattern);
    if (kane_arena_failed(arena) || !s->lu) {
        implicit_free(s);
        return NULL;
    }
    for (int i = 0; i < system->size; i++)
        s->diagonal[i] = kane_pattern_find(system->pattern, i, i);
    return s;
}

static void *imex_create(const kane_system *system, const kane_settings *settings)
{
    return create(1, system, settings);
}

static void *bdf2_create(const kane_system *system, const kane_settings *settings)
{
    return create(2, system, settings);
}

// The step cannot be made shorter: whatever does not succeed is the end.
static kane_status fail(implicit *s, double t, kane_status status)
{
    const kane_status lacks = kane_sparse_lu_lacks_memory(s->lu) ? KANE_NO_MEMORY : status;
    (void)kane_snprintf(s->message, sizeof s->message,
                        "the step of %g s to %.9g s leads to no state that can be evaluated%s", s->grid.length, t,
                        lacks == KANE_NO_MEMORY ? "" : "; try a shorter one");
    return lacks < 0 ? lacks : KANE_INTEGRATION_FAILED;
}

static kane_status restart(void *self, double t, const double *y)
{
    implicit *s = self;
    s->before = s->t = s->end = s->grid.begin = t;
    s->grid.count                             = 0;
    s->steps = s->evaluations = s->jacobians = s->factorisations = 0;
    s->age                                                       = s->most_age; // J is due
    s->message[0]                                                = '\0';
    memcpy(s->y_end, y, (size_t)s->system.size * sizeof *y);
    return KANE_OK;
}

static void forget(void *self)
{
    implicit *s   = self;
    s->has_pivots = 0;
}

// Factors of 1 - g J, where they are not there: with J of the beginning of the step if it is due.
static kane_status prepare(implicit *s, double g)
{
    const int is_due = s->age >= s->most_age;
    if (is_due) {
        const kane_status status = s->system.slopes(s->t, s->y, s->slopes, s->system.data);
        s->jacobians++;
        if (status != KANE_OK)
            return status;
        s->age = 0;
    }
    s->age++;
    if (!is_due && fabs(g - s->factored) <= 1e-9 * g)
        return KANE_OK;
    for (int i = 0; i < s->system.pattern->count; i++)
        s->matrix[i] = -g * s->slopes[i];
    for (int i = 0; i < s->system.size; i++)
        s->matrix[s->diagonal[i]] += 1.0;
    const int good = s->has_pivots ? kane_sparse_lu_factor(s->lu, s->matrix) : kane_sparse_lu_pivot(s->lu, s->matrix);
    s->has_pivots  = 1;
    s->factored    = g;
    s->factorisations++;
    return good ? KANE_OK : KANE_RETRY;
}

// From y, and y_before if there is a step before, to y_end.
static kane_status take(implicit *s)
{
    const double h = s->end - s->t, h_before = s->t - s->before;
    const double w = s->order == 2 && h_before > 0.0 ? h / h_before : 0.0;
    const double g = (1.0 + w) / (1.0 + 2.0 * w) * h;
    const double a = (1.0 + w) * (1.0 + w) / (1.0 + 2.0 * w), b = -w * w / (1.0 + 2.0 * w);
    double *d          = s->rates;
    kane_status status = prepare(s, g);
    if (status != KANE_OK)
        return status;
    for (int i = 0; i < s->system.size; i++)
        s->y_end[i] = s->y[i] + w * (s->y[i] - s->y_before[i]);
    status = s->system.rates(s->end, s->y_end, s->rates, s->system.data);
    s->evaluations++;
    if (status != KANE_OK)
        return status;
    for (int i = 0; i < s->system.size; i++)
        d[i] = g * s->rates[i] - (s->y_end[i] - a * s->y[i] - b * s->y_before[i]);
    kane_sparse_lu_solve(s->lu, d);
    for (int i = 0; i < s->system.size; i++) {
        s->y_end[i] += d[i];
        s->end_rates[i] = (s->y_end[i] - a * s->y[i] - b * s->y_before[i]) / g;
    }
    return s->system.projected ? s->system.project(s->end, s->y_end, s->system.data) : KANE_OK;
}

static kane_status step(void *self, double goal, double latest, double *t, double *y, kane_step_end *end, int *roots)
{
    implicit *s  = self;
    double *free = s->y_before;
    (void)goal;
    (void)roots;
    s->y_before              = s->y;
    s->y                     = s->y_end;
    s->y_end                 = free;
    s->before                = s->steps > 0 ? s->t : s->end;
    s->t                     = s->end;
    *end                     = kane_fixed_steps_next(&s->grid, latest, &s->end);
    const kane_status status = take(s);
    if (status != KANE_OK)
        return fail(s, s->end, status);
    s->steps++;
    *t = s->end;
    memcpy(y, s->y_end, (size_t)s->system.size * sizeof *y);
    return KANE_OK;
}

// The line between both ends; of bdf2 the parabola through three.
static void interpolate(void *self, double t, double *y)
{
    const implicit *s = self;
    const double h = s->end - s->t, x = h > 0.0 ? (t - s->t) / h : 1.0, h_before = s->t - s->before;
    const double r = s->order == 2 && h_before > 0.0 ? h_before / h : 0.0;
    // second difference of the three, over h^2
    const double c = r > 0.0 ? x * (x - 1.0) / (1.0 + r) : 0.0;
    for (int i = 0; i < s->system.size; i++) {
        const double rise = s->y_end[i] - s->y[i];
        y[i]              = s->y[i] + x * rise + (c != 0.0 ? c * (rise - (s->y[i] - s->y_before[i]) / r) : 0.0);
    }
}

static int rates(void *self, double *ydot)
{
    const implicit *s = self;
    if (s->order < 2 || s->steps == 0)
        return 0;
    memcpy(ydot, s->end_rates, (size_t)s->system.size * sizeof *ydot);
    return 1;
}

void kane_implicit_bend(void *self, const double *jump)
{
    implicit *s       = self;
    const double h    = s->end - s->t;
    double *const was = s->y; // the next step's y_before
    for (int i = 0; i < s->system.size && s->order == 2 && s->steps > 0; i++)
        was[i] -= h * jump[i];
}

static void count(const void *self, kane_statistics *sum)
{
    const implicit *s = self;
    sum->steps += s->steps;
    sum->evaluations += s->evaluations;
    sum->jacobians += s->jacobians;
    sum->factorisations += s->factorisations;
    if (s->steps > 0) {
        sum->last_step  = s->end - s->t;
        sum->last_order = s->order;
    }
}

static const char *message(const void *self)
{
    const implicit *s = self;
    return s->message;
}

static void check(const kane_settings *settings, kane_errors *errors)
{
    if (settings->jacobian_every < 0)
        kane_errors_add(errors, KANE_BAD_INPUT, "a Jacobian cannot serve %d steps", settings->jacobian_every);
}

const kane_integrator kane_integrator_imex = {
    .name           = "imex",
    .help           = "linearly implicit Euler with fixed steps",
    .fixed_step     = 1,
    .keeps_jacobian = 1,
    .projects       = 1,
    .multistep      = 1, // it keeps J and factors over changed inputs
    .check          = check,
    .create         = imex_create,
    .free           = implicit_free,
    .restart        = restart,
    .forget         = forget,
    .step           = step,
    .interpolate    = interpolate,
    .rates          = rates,
    .count          = count,
    .message        = message,
};

const kane_integrator kane_integrator_bdf2 = {
    .name           = "bdf2",
    .help           = "two-step BDF with fixed steps and one iteration",
    .fixed_step     = 1,
    .keeps_jacobian = 1,
    .projects       = 1,
    .multistep      = 1,
    .check          = check,
    .create         = bdf2_create,
    .free           = implicit_free,
    .restart        = restart,
    .forget         = forget,
    .step           = step,
    .interpolate    = interpolate,
    .rates          = rates,
    .count          = count,
    .message        = message,
};
