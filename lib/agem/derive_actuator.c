// SPDX-License-Identifier: MIT
// Derivatives of actuators.

#include "agem/boxes.h"
#include "agem/gradient.h"

// A force along the track in a point of the body: only its lever turns.
static void derive_force(const kane_body_state *b, const kane_boxes *boxes, kane_vec3 point, kane_vec3 force,
                         kane_gradient *g)
{
    const kane_mat3 lever = kg_times_skew(km3_skew(force), km3_mulv(b->R_w, point));
    kg_add(&g->torque[KANE_TURNS], km3_mul(lever, boxes->P));
}

// A torque about the axle: it turns with the axle; a brake's changes with the spin.
static void derive_torque(const kane_model *model, const kane_work *work, const kane_actuator *actuator, double torque,
                          kane_gradient *g)
{
    const kane_body_state *b = &work->body[actuator->on];
    const kane_boxes boxes   = kane_boxes_of(&model->bodies[actuator->on], b);
    kane_mat3 turns          = km3_scale(-torque, km3_mul(km3_skew(b->axle), boxes.P));
    kane_mat3 spins          = km3_zero();

    if (actuator->kind == KANE_ACTUATOR_BRAKE) {
        const double spin  = kv3_dot(b->level, kv3_sub(b->w_w, b->w_box));
        const double t     = tanh(spin / KANE_BRAKE_SPIN);
        const double slope = -kane_actuator_value(actuator, work->t) * (1.0 - t * t) / KANE_BRAKE_SPIN;
        // spin = level.(w - w_frame)
        const kane_vec3 w_rel   = kv3_sub(b->w_w, b->w_frame);
        const kane_vec3 by_turn = km3_tmulv(boxes.P, km3_tmulv(boxes.level_turn, w_rel));
        kg_add(&turns, km3_scale(slope, km3_outer(b->axle, by_turn)));
        spins = km3_scale(slope, km3_outer(b->axle, b->level));
    }
    kg_add(&g->torque[KANE_TURNS], turns);
    kg_add(&g->torque[KANE_SPINS], spins);
}

void kane_actuator_derive(const kane_model *model, const kane_work *work, int index, kane_gradient *pairs)
{
    const kane_actuator *actuator = &model->actuators[index];
    const kane_body_state *b      = &work->body[actuator->on];
    kane_gradient g               = {0};
    kane_wrench on, reaction;
    if (actuator->kind == KANE_ACTUATOR_JOINT)
        return; // depends on nothing
    kane_actuator_wrench(model, work, actuator, &on, &reaction);

    if (actuator->kind == KANE_ACTUATOR_FORCE) {
        const kane_boxes boxes = kane_boxes_of(&model->bodies[actuator->on], b);
        derive_force(b, &boxes, actuator->point, on.force, &g);
    } else {
        derive_torque(model, work, actuator, kv3_dot(on.torque, b->axle), &g);
    }
    kg_add_all(&pairs[actuator->on], &g);
    if (actuator->pair >= 0) {
        for (int k = 0; k < KANE_MOTIONS; k++)
            kg_sub(&pairs[actuator->pair].torque[k], g.torque[k]);
    }
}
