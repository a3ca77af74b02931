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

// A wheelset that stands and rolls on its rails as it does on a straight, relative to its track frame.
static kane_relative_motion put_on_rails(const kane_model *model, const kane_work *work, const kane_body *body)
{
    const kane_wheels *wheels   = &model->wheels[body->wheels];
    const kane_vec3 axle        = kane_matrix_from_angles(0.0, wheels->roll, 0.0).y;
    const kane_transport *rails = &work->transport[wheels->frame], *T = &work->transport[body->track_frame];
    kane_relative_motion m = {.q = {[KANE_Y] = body->origin.y, [KANE_Z] = wheels->height, [KANE_ROLL] = wheels->roll},
                              .v = kv3_zero(),
                              .w = kv3_scale(wheels->spin * work->v, axle)};
    if (wheels->frame != body->track_frame)
        kane_relative_change(body, rails, T, &m);
    return m;
}

kane_status kane_initial_state(const kane_model *model, kane_work *work, double *y, kane_errors *errors)
{
    for (int i = 0; i < model->state_count; i++)
        y[i] = 0.0;
    if (model->travel_count)
        y[0] = model->start;
    if (kane_model_is_driven(model))
        y[1] = model->speed; // the follower's acceleration is 0
    kane_work_locate_frames(model, work, 0.0, y);
    kane_frames_eval(model, work, 0.0, y);

    for (int j = 0; j < model->body_count; j++) {
        const kane_body *body = &model->bodies[j];
        if (body->link >= 0)
            continue;
        kane_relative_motion m = {.q = {body->origin.x, body->origin.y, body->origin.z}, .v = kv3_zero()};
        if (body->wheels >= 0)
            m = put_on_rails(model, work, body);
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

void kane_work_skip_border(const kane_model *model, kane_work *work, int frame)
{
    work->piece[frame]++;
    kane_work_anchor(model, work);
}

// Where a frame is and how it moves by the formula of its piece: origin from the start point of piece `from`, axes of A.
static kane_transport frame_in_A(const kane_model *model, const kane_work *work, int frame, int from)
{
    const kane_vec3 start = kane_track_anchor(model->track, work->piece[frame]);
    kane_transport T      = work->transport[frame];
    T.R                   = work->track_frame[frame].R;
    T.r_o = kv3_add(kv3_sub(start, kane_track_anchor(model->track, from)), work->track_frame[frame].origin);
    return T;
}

// The absolute motion stays, the frame changes. Where a frame passes with its wheelset it is not quite at the border, and
// the two formulas put it at different places there, too.
void kane_work_pass_border(const kane_model *model, kane_work *work, int frame, double t, double *y)
{
    const int piece = work->piece[frame];
    kane_frames_eval(model, work, t, y);
    kane_kinematics_eval(model, work, y);
    (void)kane_joined_move(model, work, y);
    for (int i = 0; i < model->tree.link_count; i++)
        kane_joined_show(model, work, i);
    const kane_transport before = frame_in_A(model, work, frame, piece);

    kane_work_skip_border(model, work, frame);
    kane_frames_eval(model, work, t, y);
    const kane_transport after = frame_in_A(model, work, frame, piece);
    for (int j = 0; j < model->body_count; j++) {
        if (model->bodies[j].frame != frame || model->bodies[j].panel || model->bodies[j].link >= 0)
            continue;
        kane_relative_motion m;
        kane_relative_get(model, work, j, &m); // as it was before the border
        kane_relative_change(&model->bodies[j], &before, &after, &m);
        kane_relative_put(model, work, j, &m, y);
    }
    if (model->tree.link_count > 0)
        kane_joined_pass_border(model, work, frame, &before, &after, y);
}

void kane_work_copy(const kane_model *model, const kane_work *from, kane_work *to)
{
    to->speed_piece = from->speed_piece;
    memcpy(to->piece, from->piece, (size_t)model->frame_count * sizeof *to->piece);
    memcpy(to->anchor, from->anchor, (size_t)model->frame_count * sizeof *to->anchor);
    for (int c = 0; c < model->cluster_count; c++)
        kane_cluster_copy_choice(&model->clusters[c], from->cluster[c], to->cluster[c]);
}
