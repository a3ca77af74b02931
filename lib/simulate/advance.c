// SPDX-License-Identifier: MIT
// Going on in time: steps of CVODE up to events, and what it says when it cannot.

#include "simulate/simulation.h"

#include "agem/joined.h"

#include <cvode/cvode.h>

// What the last step may have done wrong, by the integrator's own estimate.
static void judge_step(const kane_simulation *s, kane_statistics *sum)
{
    const kane_model *model = s->model;
    if (CVodeGetEstLocalErrors(s->cvode, s->error) != CV_SUCCESS ||
        CVodeGetErrWeights(s->cvode, s->weight) != CV_SUCCESS)
        return;
    const double *error   = N_VGetArrayPointer(s->error);
    sum->last_error       = N_VWrmsNorm(s->error, s->weight);
    sum->last_wheel_error = 0.0;
    for (int i = 0; i < model->wheels_count; i++) {
        const kane_body *body = &model->bodies[model->wheels[i].body];
        for (int c = KANE_Y; c <= KANE_Z && body->q_count == KANE_COORDINATES; c++)
            if (!(body->follows && c == KANE_Z)) // what follows from the rails is not integrated
                sum->last_wheel_error = fmax(sum->last_wheel_error, fabs(error[body->q + c]));
    }
}

static void add_statistics(const kane_simulation *s, kane_statistics *sum)
{
    long steps = 0, evaluations = 0, jacobians = 0, factorisations = 0, iterations = 0, tests = 0, newton = 0;
    realtype step = 0.0;
    int order     = 0;
    (void)CVodeGetNumSteps(s->cvode, &steps);
    (void)CVodeGetNumRhsEvals(s->cvode, &evaluations);
    (void)CVodeGetNumJacEvals(s->cvode, &jacobians);
    (void)CVodeGetNumLinSolvSetups(s->cvode, &factorisations);
    (void)CVodeGetNumNonlinSolvIters(s->cvode, &iterations);
    (void)CVodeGetNumErrTestFails(s->cvode, &tests);
    (void)CVodeGetNumNonlinSolvConvFails(s->cvode, &newton);
    (void)CVodeGetLastStep(s->cvode, &step);
    (void)CVodeGetLastOrder(s->cvode, &order);
    sum->steps += steps;
    sum->evaluations += evaluations;
    sum->jacobians += jacobians;
    sum->factorisations += factorisations;
    sum->newton_iterations += iterations;
    sum->error_test_failures += tests;
    sum->newton_failures += newton;
    if (steps > 0) {
        sum->last_step  = step;
        sum->last_order = order;
        judge_step(s, sum);
    }
}

void kane_simulation_statistics(const kane_simulation *s, kane_statistics *statistics)
{
    *statistics = s->before;
    add_statistics(s, statistics);
    statistics->restarts = s->restarts;
}

// The integrator gave up. What the last evaluation, Jacobian or projection knows of it comes first.
static kane_status fail(kane_simulation *s, kane_errors *errors)
{
    s->stop = KANE_STOP_FAILED;
    if (s->work->fault.status == KANE_NO_MEMORY || kane_solver_lacks_memory(s)) {
        kane_errors_add_run(errors, KANE_NO_MEMORY, "", s->t, kane_work_place(s->model, s->work), "%s",
                            kane_status_text(KANE_NO_MEMORY));
        return KANE_NO_MEMORY;
    }
    if (s->work->fault.status != KANE_OK)
        kane_work_fault(s->model, s->work, errors);
    const char *singular = kane_joined_find_singular(s->model, s->work);
    kane_errors_add_run(errors, KANE_INTEGRATION_FAILED, singular ? singular : "", s->t,
                        kane_work_place(s->model, s->work), "%sthe integrator gave up: %s",
                        singular ? "close to a position where its constraints are singular, " : "", s->message);
    return KANE_INTEGRATION_FAILED;
}

// One internal step, not beyond the next known event, nor over a short defect of the rails: on smooth track a step may be
// metres long, and what lies between its ends is not seen. The integrator counts afresh after every restart.
static kane_status step(kane_simulation *s, kane_errors *errors)
{
    realtype reached    = s->t;
    const double latest = fmin(s->next_event, s->t + kane_events_reach(s));
    (void)CVodeSetStopTime(s->cvode, latest);
    const int flag = CVode(s->cvode, s->next_event, s->y, &reached, CV_ONE_STEP);
    s->t           = reached;
    s->evaluated   = KANE_KNOWS_NOTHING;
    if (flag < 0)
        return fail(s, errors);
    s->work->fault.status = KANE_OK; // whatever it was, a smaller step has helped
    s->at_root            = flag == CV_ROOT_RETURN;
    s->arrived            = s->at_root || (flag == CV_TSTOP_RETURN && latest == s->next_event);
    if (kane_model_is_driven(s->model) && NV_Ith_S(s->y, 1) > KANE_CREEPING)
        s->moving = 1;
    if (!kane_joined_is_poor(s->model, s->work))
        s->no_better = 0;
    else if (!s->no_better) // other independent speeds are due
        s->arrived = 1;
    return KANE_OK;
}

// A state cannot be brought onto its constraints.
static kane_status lose(kane_simulation *s, kane_errors *errors)
{
    s->stop = KANE_STOP_FAILED;
    kane_work_fault(s->model, s->work, errors);
    return s->work->fault.status == KANE_NO_MEMORY ? KANE_NO_MEMORY : KANE_INTEGRATION_FAILED;
}

static kane_status restart(kane_simulation *s, kane_errors *errors)
{
    add_statistics(s, &s->before);
    s->restarts++;
    s->at_root   = 0;
    double *y    = N_VGetArrayPointer(s->y);
    s->no_better = kane_joined_is_poor(s->model, s->work) && !kane_joined_choose(s->model, s->work, s->t, y);
    if (s->projects && kane_project(s->model, s->work, s->t, y) != KANE_OK)
        return lose(s, errors);
    if (CVodeReInit(s->cvode, s->t, s->y) != CV_SUCCESS) {
        s->stop = KANE_STOP_FAILED;
        kane_errors_add(errors, KANE_INTEGRATION_FAILED, "the integrator cannot start again: %s", s->message);
        return KANE_INTEGRATION_FAILED;
    }
    kane_events_plan(s);
    return KANE_OK;
}

static kane_status give_up(kane_simulation *s, double t, kane_errors *errors)
{
    realtype length = 0.0;
    (void)CVodeGetLastStep(s->cvode, &length);
    s->stop = KANE_STOP_FAILED;
    kane_errors_add_run(errors, KANE_INTEGRATION_FAILED, "", s->t, kane_work_place(s->model, s->work),
                        "%ld steps have not led to %g s; the last was %g s long", s->settings.most_steps, t, length);
    return KANE_INTEGRATION_FAILED;
}

kane_status kane_simulation_advance(kane_simulation *s, double t, kane_errors *errors)
{
    if (!(t >= s->t_out)) {
        kane_errors_add(errors, KANE_BAD_ARGUMENT, "a simulation at %g s cannot go to %g s", s->t_out, t);
        return KANE_BAD_ARGUMENT;
    }
    for (long steps = 0; s->stop == KANE_STOP_NONE && (s->t < t || (s->arrived && s->t <= t));) {
        kane_status status = KANE_OK;
        if (s->arrived) {
            kane_events_handle(s);
            if (s->stop == KANE_STOP_NONE)
                status = restart(s, errors);
        } else {
            status = steps++ < s->settings.most_steps ? step(s, errors) : give_up(s, t, errors);
        }
        if (status != KANE_OK) {
            s->t_out = s->t;
            N_VScale(1.0, s->y, s->y_out);
            return status;
        }
    }
    s->evaluated = KANE_KNOWS_NOTHING;
    if (s->t > t) { // the last step went past t
        s->t_out = t;
        (void)CVodeGetDky(s->cvode, t, 0, s->y_out);
        // between steps a polynomial keeps no constraint
        if (s->projects && kane_project(s->model, s->work, t, N_VGetArrayPointer(s->y_out)) != KANE_OK)
            return lose(s, errors);
    } else {
        s->t_out = s->t;
        N_VScale(1.0, s->y, s->y_out);
    }
    return KANE_OK;
}

kane_status kane_simulation_know(kane_simulation *s, kane_knowledge least)
{
    const double *y = N_VGetArrayPointer(s->y_out);
    if (least == KANE_KNOWS_MOTION && s->model->tree.link_count > 0) // frames may follow a joined guide
        least = KANE_KNOWS_EVALUATION;
    if (least == KANE_KNOWS_MOTION && s->evaluated < KANE_KNOWS_MOTION) {
        kane_frames_eval(s->model, s->work, s->t_out, y);
        kane_kinematics_eval(s->model, s->work, y);
        s->evaluated = KANE_KNOWS_MOTION;
    }
    if (least >= KANE_KNOWS_EVALUATION && s->evaluated < KANE_KNOWS_EVALUATION) {
        // the derivative is not needed: what matters stays in the work
        const kane_status status = kane_eval(s->model, s->work, s->t_out, y, s->ydot);
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
    (void)kane_simulation_know(s, KANE_KNOWS_ALL); // where it fails the work says so: kane_work_fault
    return s->work;
}
