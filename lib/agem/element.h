// SPDX-License-Identifier: MIT
// Forces between points of bodies: markers, and elements with their laws.

#ifndef KANE_AGEM_ELEMENT_H
#define KANE_AGEM_ELEMENT_H

#include "agem/gradient.h"
#include "agem/work.h"

// === Markers: points with axes on bodies and frames, the only interface of elements, actuators and accelerometers to a
// body. Spin and deformation matter here only.
//
// Markers of a spinning body are on its axle boxes: these hold the axle, stay level in the track frame, and transmit no
// torque about the axle,
//
//   w_box = w_frame + P (w - w_frame),   P = 1 - axle level',   T = P' T_boxes
//
// A spinning marker has the angular velocity of the body itself: a wheel under its tyre. Its axes stay those of the
// boxes.

// Place and motion of a marker, world axes:  r + R point,  v + w x (R point);  on a frame by its transportation.
static inline void kane_marker_see(const kane_work *work, const kane_fixed_marker *at, kane_marker *m)
{
    if (at->body >= 0) {
        const kane_body_state *b = &work->body[at->body];
        const kane_vec3 arm      = km3_mulv(b->R_w, at->point);
        m->R                     = at->turned ? km3_mul(b->R_w, at->axes) : b->R_w;
        m->position              = kv3_add(b->r_w, arm);
        const kane_vec3 w        = at->is_spinning ? b->w_w : b->w_box;
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

// A wrench in a point of space as one at a body's mass centre:  torque + (point - r) x force.
static inline kane_wrench kane_marker_wrench(const kane_body_state *b, kane_vec3 point, kane_wrench w)
{
    return (kane_wrench){w.force, kv3_add(w.torque, kv3_cross(kv3_sub(point, b->r_w), w.force))};
}

// Rotation vector of a rotation matrix [rad], |phi| < pi.
kane_vec3 kane_rotation_vector(kane_mat3 R);

// Acceleration of a marker on a body, world axes [m/s^2]; of a spinning body it lies on the axle. After kane_observe.
kane_vec3 kane_marker_acceleration(const kane_model *model, const kane_work *work, const kane_fixed_marker *at);

// --- derivatives ---

// Linear maps of small changes, Phi: rotation of the boxes:
//   Phi = P phi,   d(level) = level_turn Phi,   d(w_box) = P w + spin_turn Phi
// For a body that does not spin: P = 1, the others 0.
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

// === A force element between two bodies: its two markers in the world, and what its law makes of them.

// The two points, and their motion for a law. `relative` points to `absolute` of the same struct, or to nothing.
typedef struct kane_element_motion {
    kane_marker a, b; // world axes
    kane_relative relative;
    kane_absolute absolute; // filled for laws that need it
} kane_element_motion;

// Whether its first end is the road of a line. That rests in A; the track frame which carries its axes travels over it.
static inline int kane_element_is_on_line(const kane_model *model, const kane_element *element)
{
    return element->law->rolls && element->a.body < 0 && model->frames[element->a.frame].kind == KANE_FRAME_TRACK;
}

// Motion of the two markers of an element, and their relative motion for its law.
void kane_element_observe(const kane_model *model, const kane_work *work, const kane_element *element,
                          kane_element_motion *motion);

// Force and torque of its law on b, axes of a.
kane_status kane_element_eval(const kane_element *element, const kane_element_motion *motion, kane_wrench *on_b);

// Rates of its law's states.
kane_status kane_element_rates(const kane_element *element, const kane_element_motion *motion,
                               double rates[KANE_LAW_STATES]);

// Derivative of force, torque and rates by the relative motion, axes of a. out->absolute: room for that by absolute
// motion, of laws that need it.
kane_status kane_element_derive_law(const kane_element *element, const kane_element_motion *motion,
                                    kane_law_derivative *out);

// The law's force and torque, axes of a, as a wrench in world axes that acts on b in b's point.
static inline kane_wrench kane_element_to_world(const kane_element *element, const kane_marker *a, kane_wrench on_b)
{
    if (element->mirrored) {
        on_b.force  = kane_mirror_polar(on_b.force);
        on_b.torque = kane_mirror_axial(on_b.torque);
    }
    return (kane_wrench){km3_mulv(a->R, on_b.force), km3_mulv(a->R, on_b.torque)};
}

#endif
