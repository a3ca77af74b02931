// SPDX-License-Identifier: MIT
// Derivatives of what guided wheels get from their rails.
//
// Differentiated are  Theta u' = f + C(N, x)  and  bias(x) + push(x) . V_dot = 0:  while N and V_dot stay, a state x changes
// C and the gaps' accelerations (columns, by differences of the geometry of one wheelset); N follows, so that the gaps
// stay (kane_guided_pass). Where tables guide it, what follows changes too.

#include "agem/guided.h"
#include "agem/joined.h"

#include <string.h>

// Steps of coordinates [m, rad] and speeds [m/s, rad/s]: small against the depth over which contact is smooth (2e-5 m).
static const double coordinate_step = 1e-7, speed_step = 1e-5;

// All that one wheelset has in a work.
typedef struct stand {
    double q[KANE_COORDINATES], v[6];
    kane_axis_state axis[6];
    kane_link_state link;
    kane_body_state body;
    kane_wheels_state wheels;
} stand;

static void keep(const kane_model *model, const kane_work *work, int wheels, stand *here)
{
    const int body        = model->wheels[wheels].body;
    const kane_link *link = &model->tree.links[model->bodies[body].link];
    memcpy(here->q, work->tree.q + link->q, sizeof here->q);
    memcpy(here->v, work->tree.v + link->v, sizeof here->v);
    memcpy(here->axis, work->tree.axis + link->v, sizeof here->axis);
    here->link   = work->tree.link[model->bodies[body].link];
    here->body   = work->body[body];
    here->wheels = work->wheels[wheels];
}

static void restore(const kane_model *model, const stand *here, int wheels, kane_work *work)
{
    const int body        = model->wheels[wheels].body;
    const kane_link *link = &model->tree.links[model->bodies[body].link];
    memcpy(work->tree.q + link->q, here->q, sizeof here->q);
    memcpy(work->tree.v + link->v, here->v, sizeof here->v);
    memcpy(work->tree.axis + link->v, here->axis, sizeof here->axis);
    work->tree.link[model->bodies[body].link] = here->link;
    work->body[body]                          = here->body;
    work->wheels[wheels]                      = here->wheels;
}

// What the rails do in a state close to the one of the last evaluation, while normal forces and accelerations stay.
typedef struct neighbour {
    kane_wrench wrench;
    double bias[2], follow[KANE_GUIDED_FOLLOW];
} neighbour;

// Changes state c of the body by h.
static kane_status move(const kane_model *model, kane_work *work, int i, const stand *here, int c, double h,
                        neighbour *n)
{
    const kane_wheels *wheels = &model->wheels[i];
    const kane_body *body     = &model->bodies[wheels->body];
    const kane_link *link     = &model->tree.links[body->link];
    kane_wheels_state *w      = &work->wheels[i];
    const kane_body_state *b  = &work->body[wheels->body];
    double *q = work->tree.q + link->q, *v = work->tree.v + link->v;
    restore(model, here, i, work);
    *(c < KANE_COORDINATES ? &q[c] : &v[body->component[c - KANE_COORDINATES]]) += h;
    if (body->follows && c < KANE_COORDINATES)
        kane_guided_place(model, work, wheels);
    if (body->follows)
        kane_guided_speed(model, work, wheels);
    kane_tree_move(&model->tree, (kane_links){body->link, body->link + 1}, work->base, &work->tree);
    kane_joined_show(model, work, body->link);
    kane_wheels_observe_body(model, work, wheels, b, w);
    const kane_status status = kane_guided_touch(model, work, wheels, b, w);
    const double *N          = here->wheels.guidance.N;
    n->wrench                = kw_add(kane_guided_wrench(wheels, w, KANE_LEFT, N[KANE_LEFT]),
                                      kane_guided_wrench(wheels, w, KANE_RIGHT, N[KANE_RIGHT]));
    for (int k = 0; k < 2; k++)
        n->bias[k] = w->guidance.bias[k] + kv3_dot(w->guidance.push[k].force, here->body.a) +
                     kv3_dot(w->guidance.push[k].torque, here->body.e);
    const double follow[KANE_GUIDED_FOLLOW] = {q[KANE_Z], q[KANE_ROLL], v[2], v[3]};
    memcpy(n->follow, follow, sizeof follow);
    return status;
}

static kane_vec3 slope(kane_vec3 up, kane_vec3 down, double per_step)
{
    return kv3_scale(per_step, kv3_sub(up, down));
}

// One column by central differences.
static kane_status fill(const kane_model *model, kane_work *work, int i, const stand *here, int c,
                        kane_guided_column *column)
{
    const double h = c < KANE_COORDINATES ? coordinate_step : speed_step, per_step = 0.5 / h;
    neighbour down, up;
    kane_status status = move(model, work, i, here, c, -h, &down);
    if (status == KANE_OK)
        status = move(model, work, i, here, c, h, &up);
    if (status != KANE_OK)
        return status;
    column->wrench = (kane_wrench){slope(up.wrench.force, down.wrench.force, per_step),
                                   slope(up.wrench.torque, down.wrench.torque, per_step)};
    for (int k = 0; k < 2; k++)
        column->bias[k] = per_step * (up.bias[k] - down.bias[k]);
    for (int k = 0; k < KANE_GUIDED_FOLLOW; k++)
        column->follow[k] = per_step * (up.follow[k] - down.follow[k]);
    return KANE_OK;
}

kane_status kane_guided_derive(const kane_model *model, kane_work *work, int i,
                               kane_guided_column columns[KANE_BODY_STATES])
{
    const kane_body *body = &model->bodies[model->wheels[i].body];
    kane_status status    = kane_guided_linearise(&model->wheels[i], &work->wheels[i]);
    stand here;
    memset(columns, 0, KANE_BODY_STATES * sizeof *columns);
    keep(model, work, i, &here);
    for (int c = 0; c < KANE_COORDINATES + body->u_count && status == KANE_OK; c++)
        if (kane_guided_matters(body, c))
            status = fill(model, work, i, &here, c, &columns[c]);
    restore(model, &here, i, work);
    return status;
}
