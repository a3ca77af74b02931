// SPDX-License-Identifier: MIT
// Markers: points with axes on bodies and frames, the only way by which elements, actuators and accelerometers touch a body. What
// spins and what deforms shows here alone.
//
// A spinning body shows its axle boxes: they hold the axle, stay level in the track frame, and pass no torque about the axle,
//
//   w_box = w_frame + P (w - w_frame),   P = 1 - axle level',   T = P' T_boxes
//
// A marker that is said to spin shows the body itself: a wheel under its tyre. Its axes stay those of the boxes.

#ifndef KANE_AGEM_MARKER_H
#define KANE_AGEM_MARKER_H

#include "agem/gradient.h"
#include "agem/work.h"

// Where a marker is and how it moves, world axes.
static inline void kane_marker_see(const kane_work *work, const kane_fixed_marker *at, kane_marker *m)
{
    if (at->body >= 0) {
        const kane_body_state *b = &work->body[at->body];
        const kane_vec3 arm      = km3_mulv(b->R_w, at->point);
        m->R                     = at->turned ? km3_mul(b->R_w, at->axes) : b->R_w;
        m->position              = kv3_add(b->r_w, arm);
        const kane_vec3 w        = at->spins ? b->w_w : b->w_box;
        m->velocity              = kv3_add(b->v_w, kv3_cross(w, arm));
        m->omega                 = w;
        return;
    }
    const kane_transport *T = &work->transport[at->frame];
    m->R                    = at->turned ? km3_mul(T->R, at->axes) : T->R;
    m->position             = kv3_add(T->r_o, km3_mulv(T->R, at->point));
    m->velocity             = km3_mulv(T->R, kv3_add(T->v_o, kv3_cross(T->omega, at->point)));
    m->omega                = km3_mulv(T->R, T->omega);
}

// A wrench in a point of space on what a marker is on, as one at the mass centre; the track takes all.
static inline kane_wrench kane_marker_wrench(const kane_body_state *b, kane_vec3 point, kane_wrench w)
{
    return (kane_wrench){w.force, kv3_add(w.torque, kv3_cross(kv3_sub(point, b->r_w), w.force))};
}

// Rotation vector of a rotation matrix [rad], |phi| < pi.
kane_vec3 kane_rotation_vector(kane_mat3 R);

// Acceleration of a marker on a body, world axes [m/s^2]; of a spinning body it lies on the axle. After kane_observe.
kane_vec3 kane_marker_acceleration(const kane_model *model, const kane_work *work, const kane_fixed_marker *at);

// --- derivatives ---

// Linear maps of small changes: rotation of the boxes = P phi; of level = level_turn (rotation of the boxes); of w_box =
// P w + spin_turn (rotation of the boxes). For a body that does not spin: P = 1, the others 0.
typedef struct kane_boxes {
    int spinning;
    kane_vec3 w; // angular velocity that a marker shows
    kane_mat3 P, level_turn, spin_turn;
} kane_boxes;

kane_boxes kane_boxes_of(const kane_body *body, const kane_body_state *b);

// Of a marker that spins.
static inline kane_boxes kane_boxes_none(const kane_body_state *b)
{
    return (kane_boxes){.w = b->w_w, .P = km3_identity()};
}

// From derivatives by the motion of a marker on a body, with this arm, to those by the motion of the body.
void kane_marker_gradient(const kane_boxes *boxes, kane_vec3 arm, kane_mat3 G[KANE_MOTIONS]);

#endif
