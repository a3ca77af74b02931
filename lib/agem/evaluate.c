// SPDX-License-Identifier: MIT
// One evaluation of the equations of motion, step by step (docs/theory.md, section 8).

#include "agem/rail_constraint.h"
#include "agem/bodies.h"

// Finds a value that is not finite and names its owner.
static kane_status check_finite(const kane_model *model, kane_work *work, const double *ydot)
{
    // not finite if any term is not; two sums, for one would wait for itself
    double even = 0.0, odd = 0.0;
    for (int i = 0; i + 1 < model->state_count; i += 2) {
        even += 0.0 * ydot[i];
        odd += 0.0 * ydot[i + 1];
    }
    if (model->state_count > 0)
        odd += 0.0 * ydot[model->state_count - 1];
    if (even + odd == 0.0)
        return KANE_OK;

    for (int j = 0; j < model->body_count; j++) {
        const kane_body *body = &model->bodies[j];
        for (int i = 0; i < body->q_count; i++)
            if (!isfinite(ydot[body->q + i]))
                return kane_work_fail(work, KANE_NOT_FINITE, body->name, "its motion is not finite");
        for (int i = 0; i < body->u_count; i++)
            if (!isfinite(ydot[body->u + i]))
                return kane_work_fail(work, KANE_NOT_FINITE, body->name, "its acceleration is not finite");
    }
    for (int i = 0; i < model->stateful_count; i++) {
        const kane_element *element = &model->elements[model->stateful[i]];
        for (int k = 0; k < element->state_count; k++)
            if (!isfinite(ydot[element->state + k]))
                return kane_work_fail(work, KANE_NOT_FINITE, element->name, "the rate of its state is not finite");
    }
    return kane_work_fail(work, KANE_NOT_FINITE, "", "the travel of the frames is not finite");
}

// Rates of the states of elements, into ydot.
static void copy_rates(const kane_model *model, const kane_work *work, double *ydot)
{
    for (int i = 0; i < model->stateful_count; i++) {
        const kane_element *element = &model->elements[model->stateful[i]];
        for (int k = 0; k < element->state_count; k++)
            ydot[element->state + k] = work->element[element->index].rate[k];
    }
}

// Frames, bodies, wheels.
kane_status kane_motion_eval(const kane_model *model, kane_work *work, double t, const double *y)
{
    kane_frames_eval(model, work, t, y);
    const kane_status status = kane_bodies_move(model, work, y);
    if (status == KANE_OK)
        kane_wheels_observe(model, work);
    return status;
}

// Motion, then forces, applied to the links.
kane_status kane_load_eval(const kane_model *model, kane_work *work, double t, const double *y)
{
    kane_status status = kane_motion_eval(model, work, t, y);
    work->rod_inertia  = KANE_RODS_EXACT;
    if (status == KANE_OK)
        status = kane_applied_eval(model, work, y);
    if (status != KANE_OK)
        return status;
    kane_bodies_load(model, work);
    return KANE_OK;
}

// Accelerations and all rates; needs kane_load_eval.
kane_status kane_accelerate_eval(const kane_model *model, kane_work *work, double *ydot)
{
    const kane_status status = kane_bodies_solve(model, work, ydot);
    if (status != KANE_OK)
        return status;
    copy_rates(model, work, ydot);
    if (model->travel_count)
        ydot[0] = work->v;
    if (kane_model_is_driven(model)) {
        ydot[1] = work->a;
        ydot[2] = work->b_dot;
    }
    return check_finite(model, work, ydot);
}

// load, extrapolated rod accelerations, accelerate.
kane_status kane_eval_rods(const kane_model *model, kane_work *work, double t, const double *y,
                           kane_rod_inertia inertia, const kane_vec3 *ahead, double *ydot)
{
    kane_status status = kane_load_eval(model, work, t, y);
    if (status != KANE_OK)
        return status;
    kane_rods_set_extrapolated(model, work, inertia, ahead);
    status = kane_accelerate_eval(model, work, ydot);
    kane_rods_clear_extrapolated(model, work);
    return status;
}

kane_status kane_eval(const kane_model *model, kane_work *work, double t, const double *y, double *ydot)
{
    return kane_eval_rods(model, work, t, y, KANE_RODS_EXACT, NULL, ydot);
}
