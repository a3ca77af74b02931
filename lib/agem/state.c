// SPDX-License-Identifier: MIT
// States: the one a run starts from, and what becomes of a state when a frame passes a border of the track.

#include "agem/joined.h"
#include "agem/relative.h"
#include "agem/work.h"

#include <string.h>

// Start values of a body that stands alone, counted from where it rests.
static void depart(const kane_body *body, kane_relative_motion *m)
{
    const double *rate = body->start->rate;
    for (int k = 0; k < KANE_COORDINATES; k++)
        m->q[k] += body->start->q[k];
    const kane_mat3 R = kane_matrix_from_angles(m->q[KANE_YAW], m->q[KANE_ROLL], 0.0);
    const kane_vec3 w = kv3_add_scaled(kv3_scale(rate[KANE_ROLL], R.x), rate[KANE_PITCH], R.y);
    m->v              = kv3_add(m->v, kv3(rate[KANE_X], rate[KANE_Y], rate[KANE_Z]));
    m->w              = kv3_add(m->w, kv3_add(w, kv3(0.0, 0.0, rate[KANE_YAW])));
}

kane_status kane_initial_state(const kane_model *model, kane_work *work, double *y, kane_errors *errors)
{
    for (int i = 0; i < model->state_count; i++)
        y[i] = 0.0;
    if (model->travel_count) {
        y[0] = model->start;
        y[1] = model->speed;
    }
    kane_work_locate(model, work, 0.0, y);
    kane_frames_eval(model, work, 0.0, y);

    for (int j = 0; j < model->body_count; j++) {
        const kane_body *body = &model->bodies[j];
        if (body->link >= 0)
            continue;
        kane_relative_motion m = {.q = {body->origin.x, body->origin.y, body->origin.z}, .v = kv3_zero()};
        if (body->wheels >= 0) {
            const kane_wheels *wheels = &model->wheels[body->wheels];
            m.q[KANE_Z]               = wheels->height;
            m.q[KANE_ROLL]            = wheels->roll;
            m.w = kv3_scale(wheels->spin * work->v, kane_matrix_from_angles(0.0, wheels->roll, 0.0).y);
        }
        if (body->start)
            depart(body, &m);
        kane_relative_put(model, work, j, &m, y);
    }
    const kane_status status = kane_joined_start(model, work, y);
    if (status != KANE_OK) {
        kane_work_fault(model, work, errors);
        return status;
    }
    for (int i = 0; i < model->state_count; i++) {
        if (!isfinite(y[i])) {
            kane_errors_add(errors, KANE_NOT_FINITE, "the initial state is not finite");
            return KANE_NOT_FINITE;
        }
    }
    return KANE_OK;
}

// The absolute motion stays, the frame changes. With D = R+' R- and the same origin:
//   r+ = D r-   R'+ = D R'-   w+ = D (omega- + w-) - omega+   v+ = D (v_o- + v- + omega- x r-) - v_o+ - omega+ x r+
void kane_relative_carry(kane_mat3 D, const kane_transport *before, const kane_transport *after, const kane_body *body,
                         kane_relative_motion *m)
{
    const kane_vec3 r_before = kv3(m->q[KANE_X], m->q[KANE_Y], m->q[KANE_Z]);
    const kane_vec3 r        = km3_mulv(D, r_before);
    const kane_vec3 v        = kv3_add(kv3_add(before->v_o, m->v), kv3_cross(before->omega, r_before));
    const kane_vec3 w        = kv3_add(before->omega, m->w);
    const double spin        = body->kind == KANE_BODY_SPINNING ? m->q[KANE_PITCH] : 0.0;
    const kane_mat3 R        = kane_matrix_from_angles(m->q[KANE_YAW], m->q[KANE_ROLL], m->q[KANE_PITCH] - spin);

    m->q[KANE_X] = r.x;
    m->q[KANE_Y] = r.y;
    m->q[KANE_Z] = r.z;
    kane_angles_from_matrix(km3_mul(D, R), &m->q[KANE_YAW]);
    m->q[KANE_PITCH] += spin;
    m->v = kv3_sub(kv3_sub(km3_mulv(D, v), after->v_o), kv3_cross(after->omega, r));
    m->w = kv3_sub(km3_mulv(D, w), after->omega);
}

void kane_work_skip_border(const kane_model *model, kane_work *work, int frame)
{
    work->piece[frame]++;
    kane_work_anchor(model, work);
}

void kane_work_pass_border(const kane_model *model, kane_work *work, int frame, double t, double *y)
{
    kane_frames_eval(model, work, t, y);
    kane_kinematics_eval(model, work, y);
    (void)kane_joined_move(model, work, y);
    for (int i = 0; i < model->tree.link_count; i++)
        kane_joined_show(model, work, i);
    const kane_transport before = work->transport[frame];
    const kane_mat3 R_before    = work->track_frame[frame].R;

    kane_work_skip_border(model, work, frame);
    kane_frames_eval(model, work, t, y);
    const kane_mat3 D = km3_tmul(work->track_frame[frame].R, R_before);
    for (int j = 0; j < model->body_count; j++) {
        if (model->bodies[j].frame != frame || model->bodies[j].panel || model->bodies[j].link >= 0)
            continue;
        kane_relative_motion m;
        kane_relative_get(model, work, j, &m); // as it was before the border
        kane_relative_carry(D, &before, &work->transport[frame], &model->bodies[j], &m);
        kane_relative_put(model, work, j, &m, y);
    }
    if (model->tree.link_count > 0)
        kane_joined_pass_border(model, work, frame, &before, D, y);
}

void kane_work_freeze(kane_work *work, int frozen)
{
    work->frozen = frozen;
}

void kane_work_copy(const kane_model *model, const kane_work *from, kane_work *to)
{
    to->frozen      = from->frozen;
    to->speed_piece = from->speed_piece;
    memcpy(to->piece, from->piece, (size_t)model->frame_count * sizeof *to->piece);
    memcpy(to->anchor, from->anchor, (size_t)model->frame_count * sizeof *to->anchor);
    for (int c = 0; c < model->cluster_count; c++)
        kane_cluster_copy_choice(&model->clusters[c], from->cluster[c], to->cluster[c]);
}
