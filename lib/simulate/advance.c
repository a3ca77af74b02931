// SPDX-License-Identifier: MIT
// Integration in time: steps of the integrator from event to event, and errors where it fails.

#include "simulate/simulation.h"

#include "agem/bodies.h"

#include <string.h>

// The root of the mean of (error * weight)^2.
static double weighted_mean(const kane_simulation *s)
{
    double sum = 0.0;
    for (int i = 0; i < s->size; i++)
        sum += (s->error[i] * s->weight[i]) * (s->error[i] * s->weight[i]);
    return sqrt(sum / (double)s->size);
}

// Error of the last step by the integrator's estimate: last_error, weighted root mean square [1] (1: the tolerances);
// last_wheel_error, largest error of y or z of a wheelset [m]. NaN: the integrator estimates none.
static void judge_step(const kane_simulation *s, kane_statistics *sum)
{
    const kane_model *model = s->model;
    if (!s->integrator->estimate)
        sum->last_error = sum->last_wheel_error = (double)NAN;
    else if (s->integrator->estimate(s->integration, s->error, s->weight)) {
        sum->last_error       = weighted_mean(s);
        sum->last_wheel_error = 0.0;
        for (int i = 0; i < model->wheels_count; i++) {
            const kane_body *body = &model->bodies[model->wheels[i].body];
            for (int c = KANE_Y; c <= KANE_Z && body->q_count == KANE_COORDINATES; c++)
                if (!(body->is_tabulated && c == KANE_Z)) // what follows from the rails is not integrated
                    sum->last_wheel_error = fmax(sum->last_wheel_error, fabs(s->error[body->q + c]));
        }
    }
}

static void add_statistics(const kane_simulation *s, kane_statistics *sum)
{
    s->integrator->count(s->integration, sum);
    judge_step(s, sum);
}

void kane_simulation_statistics(const kane_simulation *s, kane_statistics *statistics)
{
    *statistics = s->before;
    add_statistics(s, statistics);
    statistics->restarts = s->restarts;
}

// Errors of a failed integrator step: first the fault of the last evaluation, Jacobian or projection, then the
// integrator's.
static kane_status report_integration_failure(kane_simulation *s, kane_status status, kane_errors *errors)
{
    s->stop = KANE_STOP_FAILED;
    if (s->work->fault.status == KANE_NO_MEMORY || status == KANE_NO_MEMORY) {
        kane_errors_add_run(errors, KANE_NO_MEMORY, "", s->t, kane_work_place(s->model, s->work), "%s",
                            kane_status_text(KANE_NO_MEMORY));
        return KANE_NO_MEMORY;
    }
    if (s->work->fault.status != KANE_OK)
        kane_work_fault(s->model, s->work, errors);
    const char *singular = kane_find_singular(s->model, s->work), *why = s->integrator->message(s->integration);
    kane_errors_add_run(errors, KANE_INTEGRATION_FAILED, singular ? singular : "", s->t,
                        kane_work_place(s->model, s->work), "%sthe integrator gave up: %s",
                        singular ? "close to a position where its constraints are singular, " : "",
                        why[0] ? why : "normal forces at the end of the step cannot be found");
    return KANE_INTEGRATION_FAILED;
}

// End of the next step [s] if the time to the target is divided into equal steps: a short last step would cost as much
// as a long one, and a new factorisation.   t + (target - t)/ceil((target - t)/h), h: length that the integrator would
// choose. With very many steps to go it chooses itself: an end that roundings put behind its own step would leave a
// rest so short that steps never grow again.
static double even_step_end(const kane_simulation *s)
{
    static const double many = 1e6;
    const double way         = s->target - s->t;
    const double wish        = isfinite(way) && s->integrator->wish ? s->integrator->wish(s->integration) : 0.0;
    return wish > 0.0 && wish < way && way < many * wish ? s->t + way / ceil(way / wish * (1.0 - 1e-9)) : s->target;
}

// Normal forces at the end of a step, for the next one. If there are none the simulation ends where the step began.
static kane_status lag_normal_forces(kane_simulation *s, double begin)
{
    const kane_status status = kane_simulation_lag_normal_forces(s);
    if (status != KANE_OK) {
        s->t = begin;
        s->integrator->interpolate(s->integration, begin, s->y);
        kane_input_jump_unshift(s, begin, s->y);
    }
    return status;
}

// One internal step, at most to the next known event and to the next short defect of the rails: on smooth track a step
// may be metres long, and rails are evaluated at its ends only.
static kane_status take_internal_step(kane_simulation *s, kane_errors *errors)
{
    const double begin = s->t, latest = fmin(even_step_end(s), fmin(s->next_event, s->t + kane_events_reach(s)));
    kane_step_end end  = KANE_STEP_TAKEN;
    kane_status status = s->integrator->step(s->integration, s->next_event, latest, &s->t, s->y, &end, s->roots);
    s->evaluated       = KANE_KNOWS_NOTHING;
    s->inputs_changed  = 0;
    if (status == KANE_OK && !s->integrator->finds_roots) {
        const int found = kane_roots_find(s, begin);
        status          = found < 0 ? (kane_status)found : KANE_OK;
        end             = found > 0 ? KANE_STEP_ROOT : end;
    }
    kane_input_jump_unshift(s, s->t, s->y);
    if (status == KANE_OK)
        status = lag_normal_forces(s, begin);
    if (status != KANE_OK)
        return report_integration_failure(s, status, errors);
    s->work->fault.status = KANE_OK; // a smaller step has overcome it
    s->at_root            = end == KANE_STEP_ROOT;
    s->arrived            = s->at_root || (end == KANE_STEP_LATEST && latest == s->next_event);
    if (kane_model_is_driven(s->model) && s->y[1] > KANE_CREEPING)
        s->moving = 1;
    if (!kane_partition_is_poor(s->model, s->work))
        s->no_better = 0;
    else if (!s->no_better) // other independent speeds are due
        s->arrived = 1;
    return KANE_OK;
}

// Errors of a state that cannot be projected onto its constraints.
static kane_status report_projection_failure(kane_simulation *s, kane_errors *errors)
{
    s->stop = KANE_STOP_FAILED;
    kane_work_fault(s->model, s->work, errors);
    return s->work->fault.status == KANE_NO_MEMORY ? KANE_NO_MEMORY : KANE_INTEGRATION_FAILED;
}

static kane_status restart_integration(kane_simulation *s, kane_errors *errors)
{
    add_statistics(s, &s->before);
    s->restarts++;
    s->at_root = s->knows_roots = 0;
    s->inputs_changed = s->shifted = 0;
    s->no_better = kane_partition_is_poor(s->model, s->work) && !kane_partition_renew(s->model, s->work, s->t, s->y);
    if (s->system.projected && kane_project(s->model, s->work, s->t, s->y) != KANE_OK)
        return report_projection_failure(s, errors);
    if (s->integrator->restart(s->integration, s->t, s->y) != KANE_OK) {
        s->stop = KANE_STOP_FAILED;
        kane_errors_add(errors, KANE_INTEGRATION_FAILED, "the integrator cannot start again: %s",
                        s->integrator->message(s->integration));
        return KANE_INTEGRATION_FAILED;
    }
    kane_events_plan(s);
    return KANE_OK;
}

static kane_status report_step_limit(kane_simulation *s, double t, kane_errors *errors)
{
    kane_statistics now = {0};
    s->integrator->count(s->integration, &now);
    s->stop = KANE_STOP_FAILED;
    kane_errors_add_run(errors, KANE_INTEGRATION_FAILED, "", s->t, kane_work_place(s->model, s->work),
                        "%ld steps have not led to %g s; the last was %g s long", s->settings.most_steps, t,
                        now.last_step);
    return KANE_INTEGRATION_FAILED;
}

// What happens at the present time, and the restart behind it, also of what is integrated beside the state.
static kane_status pass_event(kane_simulation *s, kane_errors *errors)
{
    kane_events_handle(s);
    if (s->stop != KANE_STOP_NONE)
        return KANE_OK;
    const kane_status status = restart_integration(s, errors);
    return status == KANE_OK && s->beside.event ? s->beside.event(s->beside.data, errors) : status;
}

// An internal step, also of what is integrated beside the state.
static kane_status take_whole_step(kane_simulation *s, kane_errors *errors)
{
    const double begin       = s->t;
    const kane_status status = take_internal_step(s, errors);
    return status == KANE_OK && s->beside.step ? s->beside.step(begin, s->beside.data, errors) : status;
}

// Advances the output state to t by steps that end at `target` at the latest; handles events and changed inputs on the
// way.
static kane_status advance_to_time(kane_simulation *s, double t, double target, kane_errors *errors)
{
    if (!(t >= s->t_out)) {
        kane_errors_add(errors, KANE_BAD_ARGUMENT, "a simulation at %g s cannot go to %g s", s->t_out, t);
        return KANE_BAD_ARGUMENT;
    }
    s->target = target;
    for (long steps = 0; s->stop == KANE_STOP_NONE && (s->t < t || (s->arrived && s->t <= t));) {
        kane_status status = KANE_OK;
        if (s->arrived) {
            status = pass_event(s, errors);
        } else if (s->inputs_changed && !kane_input_jump_absorb(s)) {
            status = restart_integration(s, errors);
        } else {
            status = steps++ < s->settings.most_steps ? take_whole_step(s, errors) : report_step_limit(s, t, errors);
        }
        if (status != KANE_OK) {
            s->t_out = s->t;
            memcpy(s->y_out, s->y, (size_t)s->size * sizeof *s->y);
            return status;
        }
    }
    s->evaluated = KANE_KNOWS_NOTHING;
    if (s->t > t) { // the last step went past t
        s->t_out = t;
        s->integrator->interpolate(s->integration, t, s->y_out);
        kane_input_jump_unshift(s, t, s->y_out);
        // between steps a polynomial keeps no constraint
        if (s->system.projected && kane_project(s->model, s->work, t, s->y_out) != KANE_OK)
            return report_projection_failure(s, errors);
    } else {
        s->t_out = s->t;
        memcpy(s->y_out, s->y, (size_t)s->size * sizeof *s->y);
    }
    return KANE_OK;
}

// Rates at the output state (t_out, y_out); accelerations of rod ends extrapolated if the integrator does so.
static kane_status evaluate_output_state(kane_simulation *s)
{
    const kane_integrator *integrator = s->integrator;
    if (s->system.ahead_count == 0 || !integrator->extrapolate(s->integration, s->t_out, s->look))
        return kane_eval(s->model, s->work, s->t_out, s->y_out, s->ydot);
    return kane_eval_rods(s->model, s->work, s->t_out, s->y_out, s->settings.rods.inertia,
                          kane_simulation_set_rod_ends(s, s->look), s->ydot);
}

kane_status kane_simulation_advance(kane_simulation *s, double t, kane_errors *errors)
{
    return advance_to_time(s, t, HUGE_VAL, errors);
}

kane_status kane_simulation_step(kane_simulation *s, double h, kane_errors *errors)
{
    const double t = s->t_out + h;
    if (h > 0.0 && t > s->t_out && isfinite(t))
        return advance_to_time(s, t, t, errors);
    kane_errors_add(errors, KANE_BAD_ARGUMENT, "a step of %g s from %g s leads nowhere; steps are positive", h,
                    s->t_out);
    return KANE_BAD_ARGUMENT;
}

kane_status kane_simulation_evaluate(kane_simulation *s, kane_knowledge least)
{
    const double *y = s->y_out;
    if (least == KANE_KNOWS_MOTION && s->model->joined_count > 0) // frames may follow a joined guide
        least = KANE_KNOWS_EVALUATION;
    if (least == KANE_KNOWS_MOTION && s->evaluated < KANE_KNOWS_MOTION) {
        (void)kane_motion_eval(s->model, s->work, s->t_out, y);
        s->evaluated = KANE_KNOWS_MOTION;
    }
    if (least >= KANE_KNOWS_EVALUATION && s->evaluated < KANE_KNOWS_EVALUATION) {
        // the derivative is not needed: what matters stays in the work
        const kane_status status = evaluate_output_state(s);
        if (status != KANE_OK)
            return status;
        s->evaluated = KANE_KNOWS_EVALUATION;
    }
    if (least == KANE_KNOWS_BODIES && s->evaluated < KANE_KNOWS_BODIES) {
        kane_observe_motion(s->model, s->work);
        s->evaluated = KANE_KNOWS_BODIES;
    }
    if (least == KANE_KNOWS_ALL && s->evaluated < KANE_KNOWS_ALL) {
        kane_observe(s->model, s->work);
        s->evaluated = KANE_KNOWS_ALL;
    }
    return KANE_OK;
}

const kane_work *kane_simulation_work(kane_simulation *s)
{
    (void)kane_simulation_evaluate(s, KANE_KNOWS_ALL); // errors: kane_work_fault
    return s->work;
}
