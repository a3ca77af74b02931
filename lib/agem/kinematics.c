// SPDX-License-Identifier: MIT
// From relative to absolute motion of a body, and rates of its coordinates (docs/theory.md, sections 2, 3).

#include "agem/work.h"

// The axle boxes of a spinning body: axes that hold the axle and stay level in the track frame. Their angular velocity
// is the body's without its spin; both are the same in any formulation.
static void hang_boxes(const kane_transport *T, kane_body_state *b)
{
    const kane_vec3 up      = T->R.z;
    b->w_frame              = km3_mulv(T->R, T->omega);
    b->axle                 = b->R_w.y;
    const kane_vec3 forward = kv3_cross(b->axle, up);
    b->R_w.x                = kv3_scale(1.0 / kv3_norm(forward), forward);
    b->R_w.z                = kv3_cross(b->R_w.x, b->axle);
    const kane_vec3 left    = kv3_cross(up, b->R_w.x);
    b->level                = kv3_scale(1.0 / kv3_dot(left, b->axle), left);
    const double spin       = kv3_dot(b->level, kv3_sub(b->w_w, b->w_frame));
    b->w_box                = kv3_add_scaled(b->w_w, -spin, b->axle);
}

void kane_body_to_world(const kane_body *body, const kane_transport *T, const kane_transport *track, kane_vec3 v,
                        kane_vec3 w, kane_body_state *b)
{
    b->R_w   = km3_mul(T->R, b->R);
    b->r_w   = kv3_add(T->r_o, km3_mulv(T->R, b->r));
    b->v_w   = km3_mulv(T->R, v);
    b->w_w   = km3_mulv(T->R, w);
    b->w_box = b->w_w;
    if (body->kind == KANE_BODY_SPINNING)
        hang_boxes(track, b);
}

// q_dot = Q(q) u (44): velocities are rates; w = yaw_dot z + roll_dot x1 + pitch_dot y2.
void kane_rates_from_velocity(const double *q, kane_vec3 v, kane_vec3 w, double *q_dot)
{
    const double sy = sin(q[KANE_YAW]), cy = cos(q[KANE_YAW]), sr = sin(q[KANE_ROLL]), cr = cos(q[KANE_ROLL]);
    const double pitch = (cy * w.y - sy * w.x) / cr;
    q_dot[KANE_X]      = v.x;
    q_dot[KANE_Y]      = v.y;
    q_dot[KANE_Z]      = v.z;
    q_dot[KANE_YAW]    = w.z - sr * pitch;
    q_dot[KANE_ROLL]   = cy * w.x + sy * w.y;
    q_dot[KANE_PITCH]  = pitch;
}
