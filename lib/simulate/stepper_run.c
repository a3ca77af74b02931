// SPDX-License-Identifier: MIT
// A run in steps of fixed cost, with its state.

#include "simulate/stepper_run.h"

#include "agem/bodies.h"

#include <math.h>
#include <string.h>

static double next_step_end(const kane_fixed_run *r)
{
    return r->begin + (double)(r->count + 1) * r->length;
}

// A step from the state, whose end is not kept: what is chosen once, is chosen here.
static kane_status try_first_step(kane_arena *arena, kane_fixed_run *r)
{
    const size_t size = (size_t)kane_model_state_count(r->model);
    double *end       = kane_arena_alloc(arena, size, sizeof *end);
    if (!end)
        return KANE_NO_MEMORY;
    memcpy(end, r->y, size * sizeof *end);
    return kane_stepper_step(r->stepper, r->t, next_step_end(r) - r->t, end);
}

kane_fixed_run *kane_fixed_run_create(kane_arena *arena, const kane_model *model, const kane_settings *settings,
                                      const kane_channels *channels, double t, const double *y, const kane_work *like,
                                      kane_errors *errors)
{
    const size_t size     = (size_t)kane_model_state_count(model);
    kane_fixed_run *r     = kane_arena_alloc(arena, 1, sizeof *r);
    double *state         = kane_arena_alloc(arena, size, sizeof *state);
    kane_stepper *stepper = r && state ? kane_stepper_create(model, settings, errors) : NULL;
    if (!stepper) {
        if (!r || !state)
            (void)kane_no_memory(errors);
        return NULL;
    }
    kane_work *work = kane_stepper_work(stepper);
    *r              = (kane_fixed_run){.stepper  = stepper,
                                       .model    = model,
                                       .work     = work,
                                       .channels = channels,
                                       .begin    = t,
                                       .length   = settings->step,
                                       .t        = t,
                                       .y        = state};
    memcpy(state, y, size * sizeof *state);
    kane_work_copy(model, like, work);
    const kane_status status = try_first_step(arena, r);
    kane_work_copy(model, like, work);
    if (status == KANE_OK)
        return r;
    if (status == KANE_NO_MEMORY)
        (void)kane_no_memory(errors);
    else
        kane_stepper_fault(stepper, errors);
    kane_fixed_run_free(r);
    return NULL;
}

void kane_fixed_run_free(kane_fixed_run *r)
{
    if (r)
        kane_stepper_free(r->stepper);
}

kane_status kane_fixed_run_step(kane_fixed_run *r)
{
    const double h           = next_step_end(r) - r->t;
    const kane_status status = kane_stepper_step(r->stepper, r->t, h, r->y);
    if (status != KANE_OK)
        return status;
    r->t += h; // as the stepper adds it
    r->count++;
    return KANE_OK;
}

kane_status kane_fixed_run_read(kane_fixed_run *r, double *values)
{
    const kane_work *work = kane_stepper_observe(r->stepper, r->t, r->y);
    if (work)
        kane_channels_read_state(r->channels, r->model, work, r->y, values);
    for (int i = 0; i < kane_channels_count(r->channels) && !work; i++)
        values[i] = (double)NAN;
    return work ? KANE_OK : KANE_NOT_SOLVED;
}

double kane_fixed_run_get(const kane_fixed_run *r, double *y)
{
    memcpy(y, r->y, (size_t)kane_model_state_count(r->model) * sizeof *y);
    return r->t;
}

kane_status kane_fixed_run_put(kane_fixed_run *r, double t, const double *y)
{
    const int size = kane_model_state_count(r->model);
    if (!isfinite(t))
        return KANE_BAD_ARGUMENT;
    for (int i = 0; i < size; i++)
        if (!isfinite(y[i]))
            return KANE_BAD_ARGUMENT;
    r->begin = r->t = t;
    r->count        = 0;
    memcpy(r->y, y, (size_t)size * sizeof *y);
    return KANE_OK;
}

double kane_fixed_run_get_input(const kane_fixed_run *r, int input)
{
    return kane_work_get_input(r->work, input);
}

kane_status kane_fixed_run_set_input(kane_fixed_run *r, int input, double value)
{
    if (input >= 0 && input < kane_model_input_count(r->model) && kane_work_get_input(r->work, input) == value)
        return KANE_OK;
    return kane_stepper_set_input(r->stepper, input, value);
}

void kane_fixed_run_fault(const kane_fixed_run *r, kane_errors *errors)
{
    kane_stepper_fault(r->stepper, errors);
}
