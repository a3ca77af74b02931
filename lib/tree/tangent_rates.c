// SPDX-License-Identifier: MIT
// Changes of the rates of coordinates in a direction of the state: rates.c, differentiated.

#include "tree/tangent.h"
#include "tree/turns.h"

// What carries a body: axes of the joint on it, motion, and how that changes.
typedef struct carrier {
    kane_mat3 A;
    kane_vec3 v, w;
    kane_link_tangent d;
} carrier;

static carrier carry(const kane_tree *tree, int i, const kane_base *base, const kane_tree_work *work,
                     const kane_link_tangent *tangent)
{
    const kane_link *link = &tree->links[i];
    carrier c             = {.A = link->seat_R, .v = base->v, .w = base->w};
    if (link->parent < 0)
        return c;
    const kane_link_state *p = &work->link[link->parent];
    c.A                      = link->turned ? km3_mul(p->R, link->seat_R) : p->R;
    c.v                      = p->v;
    c.w                      = p->w;
    c.d                      = tangent[link->parent];
    return c;
}

// A' (velocity of the joint point against the seat), changed.
static void slides(const kane_link *link, const kane_link_state *s, const carrier *c, const kane_link_tangent *d,
                   double *out)
{
    const kane_vec3 at = km3_mulv(s->R, link->at), dat = kv3_cross(d->turn, at);
    const kane_vec3 arm = kv3_add(s->rho, at), darm = kv3_add(kv3_sub(d->shift, c->d.shift), dat);
    kane_vec3 speed  = kv3_sub(kv3_add(s->v, kv3_cross(s->w, at)), kv3_add(c->v, kv3_cross(c->w, arm)));
    kane_vec3 change = kv3_add(d->v, kv3_add(kv3_cross(d->w, at), kv3_cross(s->w, dat)));
    change           = kv3_sub(change, kv3_add(c->d.v, kv3_add(kv3_cross(c->d.w, arm), kv3_cross(c->w, darm))));
    change           = kv3_sub(change, kv3_cross(c->d.turn, speed));
    out[0]           = kv3_dot(c->A.x, change);
    out[1]           = kv3_dot(c->A.y, change);
    out[2]           = kv3_dot(c->A.z, change);
}

// sum e_k q_k' = w, changed: axes turn with those before them.
static void turns(const kane_link *link, const kane_link_state *s, const carrier *c, const kane_tree_work *work,
                  const double *dq, const kane_link_tangent *d, double *out)
{
    const kane_axis_state *axis = work->axis + link->v + 3;
    double rate[3];
    kane_vec3 turn = c->d.turn, change = kv3_sub(d->w, c->d.w);
    kane_turn_rates(axis, kv3_sub(s->w, c->w), rate);
    for (int k = 0; k < 3; k++) {
        change = kv3_add_scaled(change, -rate[k], kv3_cross(turn, axis[k].e));
        turn   = kv3_add_scaled(turn, dq[3 + k], axis[k].e);
    }
    kane_turn_rates(axis, change, out);
}

void kane_tree_tangent_rates(const kane_tree *tree, int i, const kane_base *base, const kane_tree_work *work,
                             const double *dq, const double *dv, const kane_link_tangent *tangent, double *dq_dot)
{
    const kane_link *link = &tree->links[i];
    const double *u = work->v + link->v, *du = dv + link->v;
    switch (link->kind) {
    case KANE_LINK_BODY: {
        const carrier c = carry(tree, i, base, work, tangent);
        slides(link, &work->link[i], &c, &tangent[i], dq_dot);
        turns(link, &work->link[i], &c, work, dq + link->q, &tangent[i], dq_dot + 3);
        break;
    }
    case KANE_LINK_STEPS:
        for (int k = 0; k < link->step_count; k++)
            dq_dot[k] = link->step[k].mode == KANE_STEP_FREE ? dv[link->step[k].v] : 0.0;
        break;
    case KANE_LINK_BALL: {
        double change[4];
        kane_ball_rates(dq + link->q, kv3(u[0], u[1], u[2]), dq_dot);
        kane_ball_rates(work->q + link->q, kv3(du[0], du[1], du[2]), change);
        for (int k = 0; k < 4; k++)
            dq_dot[k] += change[k];
        break;
    }
    }
}
