// SPDX-License-Identifier: MIT
// Projection of guided wheelsets onto their rails: first the gaps, then the rates of the gaps.

#include "agem/guided.h"
#include "agem/joined.h"

#include <string.h>

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

// Where its wheels touch in the state of its link.
static kane_status look(const kane_model *model, kane_work *work, int i)
{
    const kane_wheels *wheels = &model->wheels[i];
    const int link            = model->bodies[wheels->body].link;
    kane_tree_move(&model->tree, (kane_links){link, link + 1}, work->base, &work->tree);
    kane_joined_show(model, work, link);
    kane_wheels_observe_body(model, work, wheels, &work->body[wheels->body], &work->wheels[i]);
    return kane_guided_touch(model, work, wheels, &work->body[wheels->body], &work->wheels[i]);
}

static kane_status project(const kane_model *model, kane_work *work, int i, double *y)
{
    const kane_body *body  = &model->bodies[model->wheels[i].body];
    const kane_link *link  = &model->tree.links[body->link];
    const kane_guidance *g = &work->wheels[i].guidance;
    double *q = work->tree.q + link->q, *v = work->tree.v + link->v;
    kane_wrench motion;
    memcpy(q, y + body->q, KANE_COORDINATES * sizeof *q);
    for (int k = 0; k < body->u_count; k++)
        v[body->component[k]] = y[body->u + k];
    for (int iteration = 0; iteration < 20; iteration++) {
        const kane_status status = look(model, work, i);
        if (status != KANE_OK)
            return status;
        const double left = fabs(g->gap[0]) + fabs(g->gap[1]);
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
        kane_rates_from_velocity(q, motion.force, motion.torque, step);
        for (int c = 0; c < KANE_COORDINATES; c++)
            q[c] += step[c];
    }
    if (!correct(g, g->rate, &motion))
        return KANE_RETRY;
    memcpy(y + body->q, q, KANE_COORDINATES * sizeof *q);
    for (int k = 0; k < body->u_count; k++) {
        const int c    = body->component[k];
        y[body->u + k] = v[c] + (c < 3 ? kv3_get(motion.force, c) : kv3_get(motion.torque, c - 3));
    }
    return KANE_OK;
}

kane_status kane_guided_project(const kane_model *model, kane_work *work, double t, double *y)
{
    kane_frames_eval(model, work, t, y);
    kane_joined_carry(model, work);
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
