// SPDX-License-Identifier: MIT
// Projection of guided wheelsets onto their rails: first the gaps, then the rates of the gaps.

#include "agem/guided.h"

#include "agem/reduce.h"

// A gap of less than this is none [m]; so is a rate [m/s].
static const double closed = 1e-14;

// Impulses or displacements along both pushes that take away `missing`: moves the answers' sum into `motion`.
static int correct(const kane_guidance *g, const double missing[2], kane_wrench *motion)
{
    double m[2][2];
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            m[i][j] = kv3_dot(g->push[i].force, g->answer[j].force) + kv3_dot(g->push[i].torque, g->answer[j].torque);
    if (!kane_guided_invert(m))
        return 0;
    const double impulse[2] = {-(m[0][0] * missing[0] + m[0][1] * missing[1]),
                               -(m[1][0] * missing[0] + m[1][1] * missing[1])};
    motion->force           = kv3_add_scaled(kv3_scale(impulse[0], g->answer[0].force), impulse[1], g->answer[1].force);
    motion->torque = kv3_add_scaled(kv3_scale(impulse[0], g->answer[0].torque), impulse[1], g->answer[1].torque);
    return 1;
}

static kane_status project(const kane_model *model, kane_work *work, int i, double *y)
{
    const kane_wheels *wheels   = &model->wheels[i];
    const kane_body *body       = &model->bodies[wheels->body];
    const kane_transport *T     = &work->transport[body->frame];
    const kane_transport *track = &work->transport[body->level_frame];
    kane_body_state *b          = &work->body[wheels->body];
    kane_wheels_state *w        = &work->wheels[i];
    kane_wrench motion;

    for (int iteration = 0; iteration < 20; iteration++) {
        kane_body_move(body, T, track, y + body->q, y + body->u, b);
        kane_wheels_observe_body(model, work, wheels, b, w);
        const kane_status status = kane_guided_touch(model, work, wheels, b, w);
        if (status != KANE_OK)
            return status;
        const kane_guidance *g = &w->guidance;
        const double left      = fabs(g->gap[0]) + fabs(g->gap[1]);
        if (left <= closed)
            break;
        if (iteration == 19) { // round-off keeps it from being less, or it was too far away
            if (!(left <= KANE_GAP_LEFT))
                return KANE_RETRY;
            break;
        }
        double step[KANE_COORDINATES];
        if (!correct(g, g->gap, &motion))
            return KANE_RETRY;
        kane_rates_from_velocity(y + body->q, motion.force, motion.torque, step);
        for (int c = 0; c < KANE_COORDINATES; c++)
            y[body->q + c] += step[c];
    }
    if (!correct(&w->guidance, w->guidance.rate, &motion))
        return KANE_RETRY;
    b->v = kv3_add(b->v, motion.force);
    b->w = kv3_add(b->w, motion.torque);
    kane_reduce_speeds(body, b, y + body->u);
    return KANE_OK;
}

kane_status kane_guided_project(const kane_model *model, kane_work *work, double t, double *y)
{
    kane_frames_eval(model, work, t, y);
    for (int i = 0; i < model->wheels_count; i++) {
        if (model->wheels[i].way != KANE_CONTACT_CONSTRAINT)
            continue;
        const kane_status status = project(model, work, i, y);
        if (status != KANE_OK)
            return kane_work_fail(work, status, model->bodies[model->wheels[i].body].name,
                                  "its wheels cannot be brought back onto the rails");
    }
    return KANE_OK;
}
