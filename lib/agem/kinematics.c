// SPDX-License-Identifier: MIT
// Kinematics: from coordinates and speeds to relative and absolute motion of every body (docs/theory.md, sections 2, 3).

#include "agem/guided.h"
#include "agem/reduce.h"
#include "agem/work.h"

// R' = Rz(yaw) Rx(roll) Ry(pitch) and the axes of the three turns. A spinning body's pitch is left out: it is symmetric.
static void orient(const kane_body *body, const double *q, kane_body_state *b)
{
    const double sy = b->sin_yaw = sin(q[KANE_YAW]), cy = b->cos_yaw = cos(q[KANE_YAW]);
    const double sr = b->sin_roll = sin(q[KANE_ROLL]), cr = b->cos_roll = cos(q[KANE_ROLL]);

    b->turn[0] = kv3(0.0, 0.0, 1.0);
    b->turn[1] = kv3(cy, sy, 0.0);
    b->turn[2] = kv3(-sy * cr, cy * cr, sr);
    b->R.x     = b->turn[1];
    b->R.y     = b->turn[2];
    b->R.z     = kv3(sy * sr, -cy * sr, cr);
    if (body->kind == KANE_BODY_RIGID)
        b->R = km3_turn_y(b->R, sin(q[KANE_PITCH]), cos(q[KANE_PITCH]));
}

// Relative to absolute motion, world axes.
static void to_world(const kane_transport *T, kane_body_state *b)
{
    const kane_vec3 v = kv3_add(kv3_add(T->v_o, b->v), kv3_cross(T->omega, b->r));
    b->R_w            = km3_mul(T->R, b->R);
    b->r_w            = kv3_add(T->r_o, km3_mulv(T->R, b->r));
    b->v_w            = km3_mulv(T->R, v);
    b->w_w            = km3_mulv(T->R, kv3_add(T->omega, b->w));
    b->w_box          = b->w_w;
}

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

void kane_body_to_world(const kane_body *body, const kane_transport *T, const kane_transport *track, kane_body_state *b)
{
    to_world(T, b);
    if (body->kind == KANE_BODY_SPINNING)
        hang_boxes(track, b);
}

void kane_body_move(const kane_body *body, const kane_transport *T, const kane_transport *track, const double *q,
                    const double *u, kane_body_state *b)
{
    for (int i = 0; i < KANE_COORDINATES; i++)
        b->q[i] = q[i];
    b->r = kv3(q[KANE_X], q[KANE_Y], q[KANE_Z]);
    orient(body, q, b);
    kane_reduce_expand(body, u, b);
    kane_body_to_world(body, T, track, b);
}

void kane_kinematics_eval(const kane_model *model, kane_work *work, const double *y)
{
    for (int j = 0; j < model->body_count; j++) {
        const kane_body *body = &model->bodies[j];
        if (body->link >= 0)
            continue;
        if (body->follows)
            kane_guided_follow(model, work, &model->wheels[body->wheels], y + body->q, y + body->u, &work->body[j],
                               &work->wheels[body->wheels]);
        else
            kane_body_move(body, &work->transport[body->frame], &work->transport[body->level_frame], y + body->q,
                           y + body->u, &work->body[j]);
    }
}

// q_dot = Q(q) u (44): velocities are rates; w = yaw_dot z + roll_dot x1 + pitch_dot y2.
static void rates(double sin_yaw, double cos_yaw, double sin_roll, double cos_roll, kane_vec3 v, kane_vec3 w,
                  double *q_dot)
{
    const double pitch = (cos_yaw * w.y - sin_yaw * w.x) / cos_roll;
    q_dot[KANE_X]      = v.x;
    q_dot[KANE_Y]      = v.y;
    q_dot[KANE_Z]      = v.z;
    q_dot[KANE_YAW]    = w.z - sin_roll * pitch;
    q_dot[KANE_ROLL]   = cos_yaw * w.x + sin_yaw * w.y;
    q_dot[KANE_PITCH]  = pitch;
}

void kane_rates_from_velocity(const double *q, kane_vec3 v, kane_vec3 w, double *q_dot)
{
    rates(sin(q[KANE_YAW]), cos(q[KANE_YAW]), sin(q[KANE_ROLL]), cos(q[KANE_ROLL]), v, w, q_dot);
}

void kane_coordinates_eval(const kane_model *model, const kane_work *work, double *ydot)
{
    for (int j = 0; j < model->body_count; j++) {
        const kane_body *body    = &model->bodies[j];
        const kane_body_state *b = &work->body[j];
        double *q_dot            = ydot + body->q;

        if (body->link >= 0)
            continue;
        rates(b->sin_yaw, b->cos_yaw, b->sin_roll, b->cos_roll, b->v, b->w, q_dot);
        if (body->freedoms == KANE_ALL_FREEDOMS)
            continue;
        for (int c = 0; c < KANE_COORDINATES; c++)
            if (!(body->freedoms & KANE_FREEDOM(c)))
                q_dot[c] = 0.0; // exactly, not to round-off
    }
}
