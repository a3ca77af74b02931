// SPDX-License-Identifier: MIT
// Steps of fixed cost for user-defined programs: an integrator of implicit.c on the equations alone, without events.

#include <kane/stepper.h>

#include <kane/integrator.h>
#include <kane/jacobian.h>

#include "agem/rail_constraint.h"
#include "simulate/integrators.h"
#include "simulate/stepper_run.h"

#include <string.h>

struct kane_stepper {
    kane_arena *arena;
    const kane_model *model;
    kane_work *work;
    kane_jacobian *jacobian;
    kane_relaxation *relaxation; // NULL: none
    kane_system system;
    kane_method method;
    kane_integrator *integrator; // without what makes and frees: exported models hold a copy (lib/export)
    void *integration;
    int going;          // 1: t, y are the state of the integrator
    int inputs_changed; // 1: inputs have changed since then
    int moved;          // 1: the work has the motion there
    double t, *y;       // where the last step has ended
    double *next;       // scratch: where this one does
    double *ydot;       // scratch
    double *jump;       // scratch
};

// --- the system ---

static kane_status eval_rates(double t, const double *y, double *ydot, void *data)
{
    kane_stepper *s = data;
    return kane_eval(s->model, s->work, t, y, ydot);
}

static kane_status eval_slopes(double t, const double *y, double *values, void *data)
{
    kane_stepper *s = data;
    return kane_jacobian_eval(s->jacobian, s->model, s->work, t, y, s->ydot, values);
}

static kane_status take_creep_step(double t, double h, int fresh, const double *y, double *ydot, void *data)
{
    kane_stepper *s          = data;
    const kane_status status = s->moved ? KANE_OK : kane_motion_eval(s->model, s->work, t, y);
    s->moved                 = 0;
    return status == KANE_OK ? kane_creep_step(s->relaxation, s->model, s->work, t, h, fresh, y, ydot) : status;
}

static kane_status project_state(double t, double *y, void *data)
{
    kane_stepper *s = data;
    return kane_project(s->model, s->work, t, y);
}

// --- creating ---

kane_stepper *kane_stepper_create(const kane_model *model, const kane_settings *settings, kane_errors *errors)
{
    kane_settings own = *settings;
    const int relaxes = settings->method == KANE_SEMI_IMPLICIT;
    if (settings->integrator || (settings->method != KANE_IMEX && settings->method != KANE_BDF2 && !relaxes)) {
        kane_errors_add(errors, KANE_BAD_INPUT, "a stepper has the method %s, %s or %s; a simulation has the others",
                        kane_method_names[KANE_IMEX], kane_method_names[KANE_BDF2],
                        kane_method_names[KANE_SEMI_IMPLICIT]);
        return NULL;
    }
    if (relaxes && kane_relaxation_obstacle(model)) {
        kane_errors_add(errors, KANE_BAD_INPUT, "%s is for wheels with contact as a constraint, but %s",
                        kane_method_names[KANE_SEMI_IMPLICIT], kane_relaxation_obstacle(model));
        return NULL;
    }
    if (settings->normal_forces != KANE_NORMAL_FORCES_COUPLED) {
        kane_errors_add(errors, KANE_BAD_INPUT,
                        "a stepper finds normal forces with creep forces together; a simulation can have them "
                        "\"lagged\"");
        return NULL;
    }
    kane_arena *arena;
    kane_stepper *s = kane_arena_object(&arena, sizeof *s, errors);
    if (!s)
        return NULL;
    if (model->track)
        kane_track_tabulate(model->track);
    const size_t size = (size_t)model->state_count;
    s->arena          = arena;
    s->model          = model;
    s->method         = settings->method;
    s->integrator     = kane_arena_alloc(arena, 1, sizeof *s->integrator);
    s->y              = kane_arena_alloc(arena, size, sizeof *s->y);
    s->next           = kane_arena_alloc(arena, size, sizeof *s->next);
    s->ydot           = kane_arena_alloc(arena, size, sizeof *s->ydot);
    s->jump           = kane_arena_alloc(arena, size, sizeof *s->jump);
    s->work           = kane_work_create(model, errors);
    s->jacobian       = kane_jacobian_create(model, model->state_count);
    own.step          = 1e12; // steps are as long as the caller says
    s->relaxation     = relaxes ? kane_relaxation_create(model, arena) : NULL;
    if (s->work && s->jacobian && !kane_arena_failed(arena)) {
        s->system             = (kane_system){.size      = model->state_count,
                                              .projected = kane_model_is_projected(model),
                                              .drifts    = kane_model_is_held(model),
                                              .on_rails  = model->wheels_count > 0,
                                              .pattern   = kane_jacobian_pattern(s->jacobian),
                                              .data      = s,
                                              .rates     = eval_rates,
                                              .slopes    = eval_slopes,
                                              .project   = project_state,
                                              .relax     = relaxes ? take_creep_step : NULL};
        *s->integrator        = *kane_method_integrator(s->method);
        s->integration        = s->integrator->create(&s->system, &own);
        s->integrator->create = NULL;
        s->integrator->free   = NULL;
    }
    if (s->integration)
        return s;
    if (s->work)
        (void)kane_no_memory(errors);
    kane_stepper_free(s);
    return NULL;
}

void kane_stepper_free(kane_stepper *s)
{
    if (!s)
        return;
    if (s->integration)
        kane_method_integrator(s->method)->free(s->integration);
    kane_jacobian_free(s->jacobian);
    kane_work_free(s->work);
    kane_arena_free(s->arena);
}

kane_status kane_stepper_start(kane_stepper *s, double *y, kane_errors *errors)
{
    s->going = s->inputs_changed = 0;
    kane_work_begin_inputs(s->model, s->work);
    return kane_initial_state(s->model, s->work, y, errors);
}

kane_work *kane_stepper_work(kane_stepper *s)
{
    return s->work;
}

// --- stepping ---

// Moves frames beyond a section joint to the next section, and the prescribed speed to its next segment. Returns 1 if
// any was moved, a negative status at the end of the track.
static int cross_section_joints(kane_stepper *s, double t, double *y)
{
    const kane_model *model = s->model;
    int any                 = 0;
    while (s->work->speed_piece + 1 < model->piece_count && t >= model->pieces[s->work->speed_piece + 1].time) {
        kane_work_pass_speed(s->work);
        any = 1;
    }
    if (!model->track)
        return any;
    (void)kane_motion_eval(model, s->work, t, y);
    for (int f = 0; f < model->frame_count; f++)
        while (model->frames[f].kind == KANE_FRAME_TRACK && kane_work_beyond(model, s->work, f) >= 0.0) {
            if (s->work->piece[f] + 1 >= kane_track_piece_count(model->track))
                return (int)kane_work_fail(s->work, KANE_NOT_SOLVED, model->name, "the track ends here");
            kane_work_cross_joint(model, s->work, f, t, y);
            (void)kane_motion_eval(model, s->work, t, y);
            any = 1;
        }
    return any;
}

// After a change of inputs: adds the jump of the rates to the last step of a two-step method, so that its rates are
// continuous.
static kane_status apply_input_jump(kane_stepper *s)
{
    if (!s->inputs_changed || !s->integrator->multistep || !s->integrator->rates(s->integration, s->jump))
        return KANE_OK;
    const kane_status status = kane_eval(s->model, s->work, s->t, s->y, s->ydot);
    for (int i = 0; i < s->model->state_count && status == KANE_OK; i++)
        s->jump[i] = s->ydot[i] - s->jump[i];
    if (status == KANE_OK)
        kane_implicit_add_rate_jump(s->integration, s->jump);
    return status;
}

kane_status kane_stepper_step(kane_stepper *s, double t, double h, double *y)
{
    const size_t size  = (size_t)s->model->state_count * sizeof *y;
    kane_step_end end  = KANE_STEP_TAKEN;
    kane_status status = KANE_OK;
    double reached     = t;
    if (!(h > 0.0) || !(t + h > t) || !isfinite(t + h))
        return kane_work_fail(s->work, KANE_BAD_ARGUMENT, "", "steps are positive");
    if (!s->going || s->t != t || memcmp(s->y, y, size) != 0) {
        kane_work_locate(s->model, s->work, t, y);
        if (s->integrator->forget)
            s->integrator->forget(s->integration);
        s->moved = 0;
        status   = s->integrator->restart(s->integration, t, y);
    } else {
        status = apply_input_jump(s);
    }
    s->going = s->inputs_changed = 0;
    if (status == KANE_OK)
        status = s->integrator->step(s->integration, t + h, t + h, &reached, s->next, &end, NULL);
    if (status != KANE_OK)
        return status;
    const int passed = cross_section_joints(s, t + h, s->next);
    if (passed < 0)
        return (kane_status)passed;
    if (passed && s->system.projected)
        status = kane_project(s->model, s->work, t + h, s->next);
    if (passed && status == KANE_OK)
        status = s->integrator->restart(s->integration, t + h, s->next);
    if (status != KANE_OK)
        return status;
    memcpy(s->y, s->next, size);
    memcpy(y, s->next, size);
    s->t     = t + h;
    s->going = 1;
    s->moved = s->model->track && !passed;
    return KANE_OK;
}

void kane_stepper_fault(const kane_stepper *s, kane_errors *errors)
{
    if (s->work->fault.status != KANE_OK)
        kane_work_fault(s->model, s->work, errors);
    else
        kane_errors_add(errors, KANE_INTEGRATION_FAILED, "%s", s->integrator->message(s->integration));
}

kane_status kane_stepper_set_input(kane_stepper *s, int input, double value)
{
    s->inputs_changed = 1;
    s->moved          = 0;
    return kane_work_set_input(s->model, s->work, input, value);
}

const kane_work *kane_stepper_observe(kane_stepper *s, double t, const double *y)
{
    s->moved = 0;
    if (kane_eval(s->model, s->work, t, y, s->ydot) != KANE_OK)
        return NULL;
    kane_observe(s->model, s->work);
    return s->work;
}
