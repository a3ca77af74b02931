// SPDX-License-Identifier: MIT
// States: the one a run starts from.

#include "agem/joined.h"
#include "agem/relative.h"
#include "agem/work.h"

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
    kane_relative_motion m = {.q = {[KANE_Y] = body->position.y, [KANE_Z] = wheels->height, [KANE_ROLL] = wheels->roll},
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

    const kane_status status = kane_joined_start(model, work, y);
    if (status != KANE_OK) {
        kane_work_fault(model, work, errors);
        return status;
    }
    for (int j = 0; j < model->body_count; j++) {
        const kane_body *body = &model->bodies[j];
        if (!body->alone)
            continue;
        kane_relative_motion m = {.q = {body->origin.x, body->origin.y, body->origin.z}, .v = kv3_zero()};
        if (body->wheels >= 0)
            m = put_on_rails(model, work, body);
        if (body->start)
            depart(body, &m);
        kane_relative_put(model, work, j, &m, y);
    }
    for (int i = 0; i < model->state_count; i++) {
        if (!isfinite(y[i])) {
            kane_errors_add(errors, KANE_NOT_FINITE, "the initial state is not finite");
            return KANE_NOT_FINITE;
        }
    }
    return KANE_OK;
}
