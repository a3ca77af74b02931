// SPDX-License-Identifier: MIT
// External forces: elements, actuators, panels and wheels, each a wrench at the mass centres, world axes. Weight is an
// acceleration of the frames (kane_moving_frames_eval).

#include "agem/element.h"
#include "agem/wheels.h"
#include "agem/work.h"

// Adds a wrench in a point to that at a body's mass centre. Elements act on a spinning body's axle boxes, or on the
// axle itself.
static void add_element_wrench(const kane_element *element, kane_body_state *b, kane_vec3 point, kane_wrench w)
{
    kane_wrench *sum = element->on_axle ? &b->direct : &b->boxed;
    *sum             = kw_add(*sum, kane_marker_wrench(b, point, w));
}

// Law of every element: wrench on b in b's point, its opposite on a in the same point; rates of states.
static kane_status apply_element_laws(const kane_model *model, kane_work *work, const double *y)
{
    for (int i = 0; i < model->stateful_count; i++) {
        const kane_element *element = &model->elements[model->stateful[i]];
        for (int k = 0; k < element->state_count; k++)
            work->element[element->index].state[k] = y[element->state + k];
    }
    for (int e = 0; e < model->element_count; e++) {
        const kane_element *element = &model->elements[e];
        kane_element_state *state   = &work->element[e];
        kane_element_motion motion;

        kane_element_observe(model, work, element, &motion);
        kane_status status = kane_element_eval(element, &motion, &state->on_b);
        if (status == KANE_OK && element->state_count > 0)
            status = kane_element_rates(element, &motion, state->rate);
        if (status != KANE_OK)
            return kane_work_fail(work, status, element->name, "its law cannot be evaluated");

        const kane_wrench on_b = kane_element_to_world(element, &motion.a, state->on_b);
        if (element->b.body >= 0)
            add_element_wrench(element, &work->body[element->b.body], motion.b.position, on_b);
        if (element->a.body >= 0)
            add_element_wrench(element, &work->body[element->a.body], motion.b.position,
                               (kane_wrench){kv3_neg(on_b.force), kv3_neg(on_b.torque)});
    }
    return KANE_OK;
}

// Wrench of elements on the bodies. Axle boxes transmit no torque about the axle:  T - (axle . T_boxed) level.
static void sum_element_wrenches(const kane_model *model, kane_work *work)
{
    for (int k = 0; k < model->loaded_count; k++) {
        const int j        = model->link_body[model->loaded[k]];
        kane_body_state *b = &work->body[j];
        b->applied         = b->boxed;
        if (model->bodies[j].kind == KANE_BODY_SPINNING)
            b->applied.torque = kv3_add_scaled(b->applied.torque, -kv3_dot(b->axle, b->boxed.torque), b->level);
        b->applied = kw_add(b->applied, b->direct);
    }
}

// torque  value axle (or a direction of the track frame)      brake  -value tanh(spin/KANE_BRAKE_SPIN) axle
// force   value along x of the track frame (or a direction), in its point. The reaction is the opposite torque.
void kane_actuator_wrench(const kane_model *model, const kane_work *work, const kane_actuator *actuator,
                          kane_wrench *on, kane_wrench *reaction)
{
    const kane_body_state *b = &work->body[actuator->on];
    const kane_transport *T  = &work->transport[model->bodies[actuator->on].track_frame];
    const double value       = kane_actuator_value(actuator, work->t, work->input);
    *on = *reaction = (kane_wrench){kv3_zero(), kv3_zero()};

    switch (actuator->kind) {
    case KANE_ACTUATOR_TORQUE:
        on->torque = kv3_scale(value, actuator->directed ? km3_mulv(T->R, actuator->direction) : b->axle);
        break;
    case KANE_ACTUATOR_BRAKE: {
        const double spin = kv3_dot(b->level, kv3_sub(b->w_w, b->w_box));
        on->torque        = kv3_scale(-value * tanh(spin / KANE_BRAKE_SPIN), b->axle);
        break;
    }
    case KANE_ACTUATOR_FORCE: {
        const kane_vec3 along = actuator->directed ? km3_mulv(T->R, actuator->direction) : T->R.x;
        kane_marker m;
        kane_marker_see(work, &actuator->at, &m);
        *on = kane_marker_wrench(b, m.position, (kane_wrench){kv3_scale(value, along), kv3_zero()});
        break;
    }
    case KANE_ACTUATOR_JOINT: break; // acts on speeds of the tree
    }
    if (actuator->reaction >= 0)
        reaction->torque = kv3_neg(on->torque);
}

// Adds the wrenches of actuators and their reactions.
static void apply_actuators(const kane_model *model, kane_work *work)
{
    for (int i = 0; i < model->actuator_count; i++) {
        const kane_actuator *actuator = &model->actuators[i];
        kane_wrench on, reaction;
        kane_actuator_wrench(model, work, actuator, &on, &reaction);
        work->body[actuator->on].applied = kw_add(work->body[actuator->on].applied, on);
        if (actuator->reaction >= 0)
            work->body[actuator->reaction].applied = kw_add(work->body[actuator->reaction].applied, reaction);
    }
}

// Order: elements, actuators, panels, elastic contacts. Leaves applied of every loaded body. Needs kane_motion_eval.
kane_status kane_applied_eval(const kane_model *model, kane_work *work, const double *y)
{
    for (int k = 0; k < model->loaded_count; k++) {
        kane_body_state *b = &work->body[model->link_body[model->loaded[k]]];
        b->boxed = b->direct = (kane_wrench){kv3_zero(), kv3_zero()};
    }

    const kane_status status = apply_element_laws(model, work, y);
    if (status != KANE_OK)
        return status;
    sum_element_wrenches(model, work);
    apply_actuators(model, work);
    kane_panels_eval(model, work);
    return kane_wheels_eval(model, work);
}
