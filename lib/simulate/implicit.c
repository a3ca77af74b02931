// SPDX-License-Identifier: MIT
// Integrators of fixed cost: linearly implicit steps of fixed length. What a step computes does not depend on the data:
// one evaluation, one solution, a projection where constraints need one, and every so many steps a Jacobian and its
// factors.
//
//   imex    linearly implicit Euler: y+ = y + d,  (1 - h J) d = h f(t + h, y)
//   bdf2    two-step BDF, one iteration of Newton's method from y_0 = y + w (y - y-), w = h/h-:
//           (1 - g J) d = g f(t + h, y_0) - (y_0 - a y - b y-),   y+ = y_0 + d,
//           g = (1 + w)/(1 + 2 w) h,  a = (1 + w)^2/(1 + 2 w),  b = -w^2/(1 + 2 w); its first step is one of imex
//
// J = df/dy holds creep, contact and suspension, coordinates and speeds alike, of the whole vehicle: M - h J_v - h^2
// J_q is what is left of 1 - h J when coordinates are eliminated. It is kept for a number of steps: that costs accuracy
// (docs/analyses.md has what was measured), and it must be short where contact swings.

#include "simulate/integrator_frame.h"

#include <string.h>

// Steps that a Jacobian serves by default.
static const int usual_age = 5;

typedef struct implicit {
    kane_fixed_steps steps;
    double *rates;                  // scratch, and the right side
    double *end_rates;              // at the end of the last step
    kane_newton_matrix matrix;      // 1 - g J
    int most_age, age;              // steps that J serves, has served
    long jacobians, factorisations; // since the last restart
} implicit;

static void implicit_free(void *self)
{
    kane_newton_matrix_free(&((implicit *)self)->matrix);
    kane_fixed_steps_free(self);
}

static kane_status restart_implicit(void *self, double t, const double *y)
{
    implicit *s  = self;
    s->jacobians = s->factorisations = 0;
    s->age                           = s->most_age; // J is due
    return kane_fixed_steps_restart(self, t, y);
}

static void discard_pivots(void *self)
{
    ((implicit *)self)->matrix.has_pivots = 0;
}

// Factors of 1 - g J. J is evaluated at the beginning of the step if it has served most_age steps.
static kane_status prepare_factors(implicit *s, double g)
{
    const int is_due = s->age >= s->most_age;
    if (is_due) {
        const kane_fixed_steps *f = &s->steps;
        const kane_status status  = f->system.slopes(f->t, f->y, s->matrix.slopes, f->system.data);
        s->jacobians++;
        if (status != KANE_OK)
            return status;
        s->age = 0;
    }
    s->age++;
    if (!is_due && fabs(g - s->matrix.factored) <= 1e-9 * g)
        return KANE_OK;
    s->factorisations++;
    return kane_newton_matrix_factor(&s->matrix, g);
}

// One step of imex (w = 0) or bdf2 from y, y_before to y_end; formulas at the head of this file.
static kane_status take_implicit_step(void *self)
{
    implicit *s         = self;
    kane_fixed_steps *f = &s->steps;
    const double h = f->end - f->t, h_before = f->t - f->before;
    const double w = f->order == 2 && h_before > 0.0 ? h / h_before : 0.0;
    const double g = (1.0 + w) / (1.0 + 2.0 * w) * h;
    const double a = (1.0 + w) * (1.0 + w) / (1.0 + 2.0 * w), b = -w * w / (1.0 + 2.0 * w);
    double *d          = s->rates;
    kane_status status = prepare_factors(s, g);
    if (status != KANE_OK)
        return status;
    for (int i = 0; i < f->system.size; i++)
        f->y_end[i] = f->y[i] + w * (f->y[i] - f->y_before[i]);
    status = f->system.rates(f->end, f->y_end, s->rates, f->system.data);
    f->evaluations++;
    if (status != KANE_OK)
        return status;
    for (int i = 0; i < f->system.size; i++)
        d[i] = g * s->rates[i] - (f->y_end[i] - a * f->y[i] - b * f->y_before[i]);
    kane_sparse_lu_solve(s->matrix.lu, d);
    for (int i = 0; i < f->system.size; i++) {
        f->y_end[i] += d[i];
        s->end_rates[i] = (f->y_end[i] - a * f->y[i] - b * f->y_before[i]) / g;
    }
    return f->system.projected ? f->system.project(f->end, f->y_end, f->system.data) : KANE_OK;
}

static void *create_implicit(int order, const kane_system *system, const kane_settings *settings)
{
    const size_t size = (size_t)system->size;
    implicit *s       = kane_fixed_steps_create(sizeof *s, order, take_implicit_step, system, settings);
    if (!s)
        return NULL;
    s->most_age  = settings->jacobian_every > 0 ? settings->jacobian_every : usual_age;
    s->rates     = kane_arena_alloc(s->steps.arena, size, sizeof *s->rates);
    s->end_rates = kane_arena_alloc(s->steps.arena, size, sizeof *s->end_rates);
    if (kane_newton_matrix_create(&s->matrix, system->pattern, s->steps.arena))
        return s;
    implicit_free(s);
    return NULL;
}

static void *imex_create(const kane_system *system, const kane_settings *settings)
{
    return create_implicit(1, system, settings);
}

static void *bdf2_create(const kane_system *system, const kane_settings *settings)
{
    return create_implicit(2, system, settings);
}

// Parabola through the last three step ends; a line in the first step.
static void bdf2_interpolate(void *self, double t, double *y)
{
    const kane_fixed_steps *f = self;
    const double h = f->end - f->t, x = h > 0.0 ? (t - f->t) / h : 1.0, h_before = f->t - f->before;
    const double r = h_before > 0.0 ? h_before / h : 0.0;
    // second difference of the three, over h^2
    const double c = r > 0.0 ? x * (x - 1.0) / (1.0 + r) : 0.0;
    for (int i = 0; i < f->system.size; i++) {
        const double rise = f->y_end[i] - f->y[i];
        y[i]              = f->y[i] + x * rise + (c != 0.0 ? c * (rise - (f->y[i] - f->y_before[i]) / r) : 0.0);
    }
}

static int get_step_end_rates(void *self, double *ydot)
{
    const implicit *s = self;
    if (s->steps.order < 2 || s->steps.steps == 0)
        return 0;
    memcpy(ydot, s->end_rates, (size_t)s->steps.system.size * sizeof *ydot);
    return 1;
}

void kane_implicit_add_rate_jump(void *self, const double *jump)
{
    kane_fixed_steps *f = self;
    const double h      = f->end - f->t;
    for (int i = 0; i < f->system.size && f->order == 2 && f->steps > 0; i++)
        f->y[i] -= h * jump[i]; // the next step's y_before
}

static void add_step_counts(const void *self, kane_statistics *sum)
{
    const implicit *s = self;
    kane_fixed_steps_count(self, sum);
    sum->jacobians += s->jacobians;
    sum->factorisations += s->factorisations;
}

static void check_jacobian_interval(const kane_settings *settings, kane_errors *errors)
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
    .check          = check_jacobian_interval,
    .create         = imex_create,
    .free           = implicit_free,
    .restart        = restart_implicit,
    .forget         = discard_pivots,
    .step           = kane_fixed_steps_step,
    .interpolate    = kane_fixed_steps_interpolate,
    .rates          = get_step_end_rates,
    .count          = add_step_counts,
    .message        = kane_fixed_steps_message,
};

const kane_integrator kane_integrator_bdf2 = {
    .name           = "bdf2",
    .help           = "two-step BDF with fixed steps and one iteration",
    .fixed_step     = 1,
    .keeps_jacobian = 1,
    .projects       = 1,
    .multistep      = 1,
    .check          = check_jacobian_interval,
    .create         = bdf2_create,
    .free           = implicit_free,
    .restart        = restart_implicit,
    .forget         = discard_pivots,
    .step           = kane_fixed_steps_step,
    .interpolate    = bdf2_interpolate,
    .rates          = get_step_end_rates,
    .count          = add_step_counts,
    .message        = kane_fixed_steps_message,
};
