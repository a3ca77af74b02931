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

#include <limits.h>
#include <string.h>

// Steps that a Jacobian serves by default.
static const int usual_age = 5;

// Factors are of the same g if it differs by round-off alone.
static const double same_factor = 1e-9;

typedef struct implicit {
    kane_fixed_steps steps;
    double *rates;     // scratch, and the right side
    double *end_rates; // at the end of the last step
    int most_age;      // steps that J serves
} implicit;

static void discard_pivots(void *self)
{
    ((kane_integrator_frame *)self)->matrix.has_pivots = 0;
}

// One step of imex (w = 0) or bdf2 from y, y_before to y_end; formulas at the head of this file.
static kane_status take_implicit_step(void *self)
{
    implicit *s               = self;
    kane_fixed_steps *f       = &s->steps;
    const kane_system *system = &f->frame.system;
    int is_new;
    const double h = f->end - f->t, h_before = f->t - f->before;
    const double w = f->order == 2 && h_before > 0.0 ? h / h_before : 0.0;
    const double g = (1.0 + w) / (1.0 + 2.0 * w) * h;
    const double a = (1.0 + w) * (1.0 + w) / (1.0 + 2.0 * w), b = -w * w / (1.0 + 2.0 * w);
    double *d          = s->rates;
    kane_status status = kane_frame_renew_slopes(&f->frame, f->t, f->y, s->most_age, &is_new);
    if (status == KANE_OK)
        status = kane_frame_renew_factors(&f->frame, g, same_factor, INT_MAX, &is_new);
    if (status != KANE_OK)
        return status;
    for (int i = 0; i < system->size; i++)
        f->y_end[i] = f->y[i] + w * (f->y[i] - f->y_before[i]);
    status = kane_frame_rates(&f->frame, f->end, f->y_end, s->rates);
    if (status != KANE_OK)
        return status;
    for (int i = 0; i < system->size; i++)
        d[i] = g * s->rates[i] - (f->y_end[i] - a * f->y[i] - b * f->y_before[i]);
    kane_sparse_lu_solve(f->frame.matrix.lu, d);
    for (int i = 0; i < system->size; i++) {
        f->y_end[i] += d[i];
        s->end_rates[i] = (f->y_end[i] - a * f->y[i] - b * f->y_before[i]) / g;
    }
    return system->projected ? system->project(f->end, f->y_end, system->data) : KANE_OK;
}

static void *create_implicit(int order, const kane_system *system, const kane_settings *settings)
{
    const size_t size = (size_t)system->size;
    implicit *s       = kane_fixed_steps_create(sizeof *s, order, 1, take_implicit_step, system, settings);
    if (!s)
        return NULL;
    s->most_age  = settings->jacobian_every > 0 ? settings->jacobian_every : usual_age;
    s->rates     = kane_arena_alloc(s->steps.frame.arena, size, sizeof *s->rates);
    s->end_rates = kane_arena_alloc(s->steps.frame.arena, size, sizeof *s->end_rates);
    return kane_frame_created(s);
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
    for (int i = 0; i < f->frame.system.size; i++) {
        const double rise = f->y_end[i] - f->y[i];
        y[i]              = f->y[i] + x * rise + (c != 0.0 ? c * (rise - (f->y[i] - f->y_before[i]) / r) : 0.0);
    }
}

static int get_step_end_rates(void *self, double *ydot)
{
    const implicit *s = self;
    if (s->steps.order < 2 || s->steps.frame.sum.steps == 0)
        return 0;
    memcpy(ydot, s->end_rates, (size_t)s->steps.frame.system.size * sizeof *ydot);
    return 1;
}

void kane_implicit_add_rate_jump(void *self, const double *jump)
{
    kane_fixed_steps *f = self;
    const double h      = f->end - f->t;
    for (int i = 0; i < f->frame.system.size && f->order == 2 && f->frame.sum.steps > 0; i++)
        f->y[i] -= h * jump[i]; // the next step's y_before
}

static void check_jacobian_interval(const kane_settings *settings, kane_errors *errors)
{
    if (settings->jacobian_every < 0)
        kane_errors_add(errors, KANE_BAD_INPUT, "a Jacobian cannot serve %d steps", settings->jacobian_every);
}

// What both have. They keep J and factors over changed inputs.
// clang-format off
#define IMPLICIT_FUNCTIONS                                                                                             \
    .fixed_step = 1, .keeps_jacobian = 1, .projects = 1, .multistep = 1, .check = check_jacobian_interval,             \
    .free = kane_frame_free, .restart = kane_fixed_steps_restart, .forget = discard_pivots,                            \
    .step = kane_fixed_steps_step, .rates = get_step_end_rates, .count = kane_frame_count,                             \
    .message = kane_frame_message
// clang-format on

const kane_integrator kane_integrator_imex = {
    .name        = "imex",
    .help        = "linearly implicit Euler with fixed steps",
    .create      = imex_create,
    .interpolate = kane_fixed_steps_interpolate,
    IMPLICIT_FUNCTIONS,
};

const kane_integrator kane_integrator_bdf2 = {
    .name        = "bdf2",
    .help        = "two-step BDF with fixed steps and one iteration",
    .create      = bdf2_create,
    .interpolate = bdf2_interpolate,
    IMPLICIT_FUNCTIONS,
};
