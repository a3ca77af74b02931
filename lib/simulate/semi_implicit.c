// SPDX-License-Identifier: MIT
// Euler's method for wheels that rails guide, with fixed steps: forces where the speeds lead to, creep forces as at the
// end of the step, rails that close their gaps there (kane_creep_step); coordinates by the new speeds. No Jacobian, no
// large system: what a step computes is the same every time.
//
//   q* = q + h Q(q) v,   (1 - h J_c) a = f(t + h, q*, v),   v+ = v + h a,   q+ = q + h Q(q*) v+        J_c: of creep by speeds
//
// Loops that multipliers hold are closed by a projection after every step.
//
// The error is of first order. Springs damp their motion by omega^2 h/2 more and are stable while omega h < 1.15,
// dampers alone while they decay slower than 2/h.

#include "simulate/integrator_frame.h"

// Steps for which the responses of wheelsets to unit forces are kept by default: they depend on positions only, which
// change slowly.
static const int usual_age = 20;

typedef struct semi_implicit {
    kane_fixed_steps steps;
    double *rates;
    int most_age, age; // steps that responses of wheelsets serve, have served
} semi_implicit;

static void discard_responses(void *self)
{
    semi_implicit *s = self;
    s->age           = s->most_age;
}

static kane_status take_semi_implicit_step(void *self)
{
    semi_implicit *s          = self;
    const kane_fixed_steps *f = &s->steps;
    const double h            = f->end - f->t;
    const int fresh           = s->age >= s->most_age;
    const kane_status status  = f->frame.system.relax(f->t, h, fresh, f->y, s->rates, f->frame.system.data);
    s->age                    = fresh ? 1 : s->age + 1;
    s->steps.frame.sum.evaluations++;
    for (int i = 0; i < f->frame.system.size && status == KANE_OK; i++)
        f->y_end[i] = f->y[i] + h * s->rates[i];
    return status == KANE_OK && f->frame.system.drifts ? f->frame.system.project(f->end, f->y_end, f->frame.system.data)
                                                       : status;
}

static void *create_semi_implicit(const kane_system *system, const kane_settings *settings)
{
    semi_implicit *s = kane_fixed_steps_create(sizeof *s, 1, 0, take_semi_implicit_step, system, settings);
    if (!s)
        return NULL;
    s->most_age = settings->jacobian_every > 0 ? settings->jacobian_every : usual_age;
    s->age      = s->most_age;
    s->rates    = kane_arena_alloc(s->steps.frame.arena, (size_t)system->size, sizeof *s->rates);
    return kane_frame_created(s);
}

const kane_integrator kane_integrator_semi_implicit = {
    .name           = "semi_implicit",
    .help           = "Euler's method with fixed steps, implicit in creep alone",
    .fixed_step     = 1,
    .keeps_jacobian = 1,
    .projects       = 1, // in passing
    .relaxes        = 1,
    .create         = create_semi_implicit,
    .free           = kane_frame_free,
    .restart        = kane_fixed_steps_restart,
    .forget         = discard_responses,
    .step           = kane_fixed_steps_step,
    .interpolate    = kane_fixed_steps_interpolate,
    .count          = kane_frame_count,
    .message        = kane_frame_message,
};
