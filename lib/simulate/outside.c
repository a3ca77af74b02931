// SPDX-License-Identifier: MIT
// Simulations that are integrated from outside: an integrator that takes no steps, and what events need instead.

#include <kane/outside.h>

#include "agem/bodies.h"
#include "simulate/simulation.h"

#include <stdio.h>
#include <string.h>

// Of numbers that take no part in error tests.
static const double largest_nominal = 1e6;

// --- the integrator that takes no steps ---

static void *outside_create(const kane_system *system, const kane_settings *settings)
{
    (void)settings;
    return system->data; // nothing of its own
}

static void outside_free(void *self)
{
    (void)self;
}

static kane_status outside_restart(void *self, double t, const double *y)
{
    (void)self;
    (void)t;
    (void)y;
    return KANE_OK;
}

static kane_status outside_step(void *self, double goal, double latest, double *t, double *y, kane_step_end *end,
                                int *roots)
{
    (void)self;
    (void)goal;
    (void)latest;
    (void)t;
    (void)y;
    (void)end;
    (void)roots;
    return KANE_INTEGRATION_FAILED;
}

static void outside_interpolate(void *self, double t, double *y)
{
    (void)self;
    (void)t;
    (void)y;
}

static void outside_count(const void *self, kane_statistics *statistics)
{
    (void)self;
    (void)statistics;
}

static const char *outside_message(const void *self)
{
    (void)self;
    return "this simulation is integrated from outside";
}

static const kane_integrator outside = {
    .name        = "outside",
    .help        = "integrated from outside",
    .projects    = 1,
    .finds_roots = 1,
    .create      = outside_create,
    .free        = outside_free,
    .restart     = outside_restart,
    .step        = outside_step,
    .interpolate = outside_interpolate,
    .count       = outside_count,
    .message     = outside_message,
};

const kane_integrator *kane_outside_integrator(void)
{
    return &outside;
}

// --- state and rates ---

int kane_outside_size(const kane_simulation *s)
{
    return s->size;
}

kane_status kane_outside_put(kane_simulation *s, double t, const double *y)
{
    if (s->integrator != &outside || !isfinite(t))
        return KANE_BAD_ARGUMENT;
    for (int i = 0; i < s->size && y; i++)
        if (!isfinite(y[i]))
            return KANE_BAD_ARGUMENT;
    s->t = s->t_out = t;
    if (y)
        memcpy(s->y, y, (size_t)s->size * sizeof *y);
    memcpy(s->y_out, s->y, (size_t)s->size * sizeof *s->y);
    s->evaluated          = KANE_KNOWS_NOTHING;
    s->work->fault.status = KANE_OK;
    return KANE_OK;
}

static kane_status report_fault(const kane_simulation *s, kane_status status, kane_errors *errors)
{
    if (status != KANE_OK)
        kane_work_fault(s->model, s->work, errors);
    return status;
}

kane_status kane_outside_rates(kane_simulation *s, double *ydot, kane_errors *errors)
{
    return report_fault(s, s->system.rates(s->t_out, s->y_out, ydot, s), errors);
}

const kane_pattern *kane_outside_pattern(const kane_simulation *s)
{
    return s->system.pattern;
}

kane_status kane_outside_slopes(kane_simulation *s, double *values, kane_errors *errors)
{
    return report_fault(s, s->system.slopes(s->t_out, s->y_out, values, s), errors);
}

int kane_outside_indicator_count(const kane_simulation *s)
{
    return s->system.root_count;
}

// What the work knows may be of another state at the same time: none is spared.
static kane_status eval_indicators(kane_simulation *s, double *values)
{
    s->evaluated             = KANE_KNOWS_MOTION;
    const kane_status status = s->system.roots(s->t_out, s->y_out, values, s);
    s->evaluated             = KANE_KNOWS_NOTHING;
    return status;
}

kane_status kane_outside_indicators(kane_simulation *s, double *values, kane_errors *errors)
{
    return report_fault(s, eval_indicators(s, values), errors);
}

// In the order of eval_roots (rhs.c).
void kane_outside_indicator_name(const kane_simulation *s, int indicator, size_t size, char *name)
{
    static const char *const parts[] = {"left off its rail", "right off its rail", "past a section joint of the line"};
    static const char *const rest[]  = {"speed of the drive", "speed against rolling back", "past the distance"};
    const kane_model *model          = s->model;
    const int of_wheels = 3 * model->wheels_count, of_frames = model->travel_count ? model->frame_count : 0;
    if (indicator < of_wheels)
        (void)snprintf(name, size, "%s.%s", model->bodies[model->wheels[indicator / 3].body].name,
                       parts[indicator % 3]);
    else if (indicator < of_wheels + of_frames)
        (void)snprintf(name, size, "frame %d past a section joint of the line", indicator - of_wheels + 1);
    else
        (void)snprintf(name, size, "%s", rest[(indicator - of_wheels - of_frames) % 3]);
}

void kane_outside_nominals(kane_simulation *s, double *nominals)
{
    (void)s->system.weigh(s->t_out, s->y_out, nominals, s);
    for (int i = 0; i < s->size; i++)
        nominals[i] = fmin(1.0 / (nominals[i] * s->settings.relative), largest_nominal);
}

// --- events ---

// Whether projection would move the state by more than the tolerances.
static kane_status find_drift(kane_simulation *s, int *has_drifted)
{
    double *moved = s->error, *weight = s->weight;
    memcpy(moved, s->y, (size_t)s->size * sizeof *moved);
    kane_status status = s->system.project(s->t, moved, s);
    if (status == KANE_OK)
        status = s->system.weigh(s->t, s->y, weight, s);
    for (int i = 0; i < s->size && status == KANE_OK; i++)
        if (fabs(moved[i] - s->y[i]) * weight[i] > 1.0)
            *has_drifted = 1;
    return status;
}

kane_status kane_outside_complete(kane_simulation *s, int *is_due, kane_errors *errors)
{
    kane_status status = KANE_OK;
    *is_due            = 0;
    if (s->integrator != &outside)
        return KANE_BAD_ARGUMENT;
    if (kane_model_is_driven(s->model) && s->y[1] > KANE_CREEPING)
        s->moving = 1;
    if (s->model->cluster_count > 0) {
        status = s->system.rates(s->t, s->y, s->ydot, s);
        if (status == KANE_OK && !kane_partition_is_poor(s->model, s->work))
            s->no_better = 0;
        else if (status == KANE_OK && !s->no_better)
            *is_due = 1;
    }
    if (status == KANE_OK && s->system.projected)
        status = find_drift(s, is_due);
    s->evaluated = KANE_KNOWS_NOTHING;
    return report_fault(s, status, errors);
}

// roots_i = 1 if indicator i is positive, else -1: all indicators are negative at the start, but that of a speed that
// has been positive (s->moving).
static kane_status find_event_signs(kane_simulation *s)
{
    const kane_status status = eval_indicators(s, s->roots_after);
    for (int i = 0; i < s->system.root_count && status == KANE_OK; i++)
        s->roots[i] = s->roots_after[i] > 0.0 ? 1 : -1;
    s->at_root = 1;
    return status;
}

// Chooses other independent speeds where the present ones are poor, and projects the state onto its constraints.
static kane_status renew_state(kane_simulation *s)
{
    kane_status status = s->system.rates(s->t, s->y, s->ydot, s);
    if (status != KANE_OK)
        return status;
    s->no_better = kane_partition_is_poor(s->model, s->work) && !kane_partition_renew(s->model, s->work, s->t, s->y);
    if (s->system.projected)
        status = s->system.project(s->t, s->y, s);
    return status;
}

kane_status kane_outside_event(kane_simulation *s, int *has_jumped, kane_errors *errors)
{
    *has_jumped = 0;
    if (s->integrator != &outside)
        return KANE_BAD_ARGUMENT;
    s->inputs_changed  = 0;
    kane_status status = find_event_signs(s);
    do {
        if (status == KANE_OK)
            kane_events_handle(s);
        if (status == KANE_OK && s->stop == KANE_STOP_NONE)
            status = renew_state(s);
        if (status == KANE_OK && s->stop == KANE_STOP_NONE)
            kane_events_plan(s);
        s->at_root = 0;
    } while (status == KANE_OK && s->stop == KANE_STOP_NONE && s->arrived);
    *has_jumped  = memcmp(s->y, s->y_out, (size_t)s->size * sizeof *s->y) != 0;
    s->evaluated = KANE_KNOWS_NOTHING;
    memcpy(s->y_out, s->y, (size_t)s->size * sizeof *s->y);
    return report_fault(s, status, errors);
}

double kane_outside_next(const kane_simulation *s)
{
    const double next = fmin(s->next_event, s->t + kane_events_reach(s));
    return next < KANE_NO_EVENT ? next : HUGE_VAL;
}
