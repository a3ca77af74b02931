// SPDX-License-Identifier: MIT
// Changes of the motion of links in a direction of the state: every formula of move.c, differentiated.

#include "tree/tangent.h"

// What carries a link: its parent, or the frame (which does not change). Accelerations are full.
typedef struct carrier {
    kane_mat3 R; // axes of the joint on it
    kane_vec3 w, a, al;
    kane_link_tangent d;
} carrier;

static carrier carry(const kane_tree *tree, int i, const kane_base *bases, const kane_tree_work *work,
                     const kane_link_tangent *tangent)
{
    const kane_link *link = &tree->links[i];
    carrier c             = {.R = link->seat_R};
    if (link->parent < 0) {
        const kane_base *base = &bases[link->frame];
        c.w                   = base->w;
        c.a                   = base->a;
        c.al                  = base->al;
        return c;
    }
    const kane_link_state *p = &work->link[link->parent];
    c.R                      = link->turned ? km3_mul(p->R, link->seat_R) : p->R;
    c.w                      = p->w;
    c.a                      = kv3_add(p->a, p->da);
    c.al                     = kv3_add(p->al, p->dal);
    c.d                      = tangent[link->parent];
    return c;
}

static inline kane_vec3 column(const kane_mat3 *A, int axis)
{
    return axis == 0 ? A->x : axis == 1 ? A->y : A->z;
}

// w x (w x r), changed
static kane_vec3 centripetal(kane_vec3 w, kane_vec3 dw, kane_vec3 r, kane_vec3 dr)
{
    const kane_vec3 speed = kv3_add(kv3_cross(dw, r), kv3_cross(w, dr));
    return kv3_add(kv3_cross(dw, kv3_cross(w, r)), kv3_cross(w, speed));
}

// A body with all six freedoms: speeds are its own, its pose goes with what carries it.
static void body_tangent(const kane_link *link, const kane_base *base, const kane_tree_work *work, const carrier *c,
                         const kane_link_state *s, const double *dq, const double *dv, kane_link_tangent *d)
{
    const kane_axis_state *axis = work->axis + link->v + 3;
    const kane_vec3 at          = km3_mulv(s->R, link->at);
    const kane_vec3 slid        = km3_mulv(c->R, kv3(dq[0], dq[1], dq[2]));
    d->turn                     = c->d.turn;
    for (int k = 0; k < (link->spins ? 2 : 3); k++)
        d->turn = kv3_add_scaled(d->turn, dq[3 + k], axis[k].e);
    d->shift = kv3_add(kv3_add(c->d.shift, slid), kv3_cross(c->d.turn, kv3_add(s->rho, at)));
    d->shift = kv3_sub(d->shift, kv3_cross(d->turn, at));

    const kane_vec3 v = kv3(dv[0], dv[1], dv[2]), w = kv3(dv[3], dv[4], dv[5]);
    const kane_vec3 carried = kv3_cross(base->w, d->shift);
    d->v                    = kv3_add(carried, v);
    d->w                    = w;
    d->al                   = kv3_cross(base->w, w);
    d->a = kv3_add(kv3_cross(base->al, d->shift), kv3_cross(base->w, kv3_add_scaled(carried, 2.0, v)));
}

// Rate and second derivative of a step, and the changes of its coordinate and rate.
typedef struct pace {
    double rate, grows, dq, dv;
} pace;

static pace pace_of(const kane_link *link, int k, const kane_tree_work *work, const double *dq, const double *dv)
{
    const kane_step *step = &link->step[k];
    double f[4];
    switch (step->mode) {
    case KANE_STEP_FREE: return (pace){work->v[step->v], work->v_dot[step->v], dq[k], dv[step->v - link->v]};
    case KANE_STEP_HELD: return (pace){0.0, 0.0, 0.0, 0.0};
    case KANE_STEP_GIVEN: kane_curve_eval(step->function, work->t, f); return (pace){f[1], f[2], 0.0, 0.0};
    }
    return (pace){0.0, 0.0, 0.0, 0.0};
}

// The arm from what carries the link, and the slides along its axes.
static void slide(const kane_link *link, const kane_tree_work *work, const carrier *c, const kane_link_state *s,
                  const double *dq, const double *dv, kane_link_tangent *d)
{
    kane_vec3 drho = kv3_cross(c->d.turn, s->rho), moves = kv3_zero(), dmoves = kv3_zero();
    kane_vec3 grows = kv3_zero();
    for (int k = 0; k < link->slide_count && link->kind == KANE_LINK_STEPS; k++) {
        const pace p      = pace_of(link, k, work, dq, dv);
        const kane_vec3 l = column(&c->R, link->step[k].axis), turned = kv3_cross(c->d.turn, l);
        drho   = kv3_add_scaled(drho, p.dq, l);
        moves  = kv3_add_scaled(moves, p.rate, l);
        dmoves = kv3_add(dmoves, kv3_add_scaled(kv3_scale(p.dv, l), p.rate, turned));
        grows  = kv3_add_scaled(grows, p.grows, turned);
    }
    d->shift = kv3_add(c->d.shift, drho);
    d->v     = kv3_add(kv3_add(c->d.v, dmoves), kv3_add(kv3_cross(c->d.w, s->rho), kv3_cross(c->w, drho)));
    d->a     = kv3_add(c->d.a, kv3_add(kv3_cross(c->d.al, s->rho), kv3_cross(c->al, drho)));
    d->a     = kv3_add(d->a, centripetal(c->w, c->d.w, s->rho, drho));
    d->a     = kv3_add(d->a, kv3_scale(2.0, kv3_add(kv3_cross(c->d.w, moves), kv3_cross(c->w, dmoves))));
    d->a     = kv3_add(d->a, grows);
}

// Turns about axes that those before them turn.
static void turn_steps(const kane_link *link, const kane_tree_work *work, const carrier *c, const double *dq,
                       const double *dv, kane_link_tangent *d)
{
    kane_mat3 R = c->R;
    kane_vec3 w = c->w;
    for (int k = link->slide_count; k < link->step_count; k++) {
        const pace p       = pace_of(link, k, work, dq, dv);
        const double angle = work->q[link->step[k].q];
        const kane_vec3 e = column(&R, link->step[k].axis), turned = kv3_cross(d->turn, e);
        const kane_vec3 spin = kv3_scale(p.rate, e), dspin = kv3_add_scaled(kv3_scale(p.dv, e), p.rate, turned);
        d->al   = kv3_add(d->al, kv3_add(kv3_cross(d->w, spin), kv3_cross(w, dspin)));
        d->al   = kv3_add_scaled(d->al, p.grows, turned);
        d->w    = kv3_add(d->w, dspin);
        d->turn = kv3_add_scaled(d->turn, p.dq, e);
        w       = kv3_add(w, spin);
        if (k + 1 < link->step_count) {
            const double sine = sin(angle), cosine = cos(angle);
            R = link->step[k].axis == 0   ? km3_turn_x(R, sine, cosine)
                : link->step[k].axis == 1 ? km3_turn_y(R, sine, cosine)
                                          : km3_turn_z(R, sine, cosine);
        }
    }
}

// Euler parameters: the small turn is 2 (de o conjugate of e) / |e|^2, axes of the joint on what carries it.
static void turn_ball(const kane_link *link, const kane_tree_work *work, const carrier *c, const kane_link_state *s,
                      const double *dq, const double *dv, kane_link_tangent *d)
{
    const double *e = work->q + link->q, *u = work->v + link->v, *u_dot = work->v_dot + link->v;
    const kane_vec3 ev = kv3(e[1], e[2], e[3]), dev = kv3(dq[1], dq[2], dq[3]);
    const double scale    = 2.0 / (e[0] * e[0] + kv3_dot(ev, ev));
    const kane_vec3 turn  = kv3_sub(kv3_sub(kv3_scale(e[0], dev), kv3_scale(dq[0], ev)), kv3_cross(dev, ev));
    d->turn               = kv3_add(d->turn, km3_mulv(c->R, kv3_scale(scale, turn)));
    const kane_vec3 spin  = km3_mulv(s->R, kv3(u[0], u[1], u[2]));
    const kane_vec3 dspin = kv3_add(kv3_cross(d->turn, spin), km3_mulv(s->R, kv3(dv[0], dv[1], dv[2])));
    d->al                 = kv3_add(d->al, kv3_add(kv3_cross(c->d.w, spin), kv3_cross(c->w, dspin)));
    d->al                 = kv3_add(d->al, kv3_cross(d->turn, km3_mulv(s->R, kv3(u_dot[0], u_dot[1], u_dot[2]))));
    d->w                  = kv3_add(d->w, dspin);
}

void kane_tree_tangent(const kane_tree *tree, kane_links links, const kane_base *bases, const kane_tree_work *work,
                       const double *dq, const double *dv, kane_link_tangent *tangent)
{
    for (int i = links.first; i < links.end; i++) {
        const kane_link *link    = &tree->links[i];
        const kane_link_state *s = &work->link[i];
        const carrier c          = carry(tree, i, bases, work, tangent);
        kane_link_tangent *d     = &tangent[i];
        if (link->kind == KANE_LINK_BODY) {
            body_tangent(link, &bases[link->frame], work, &c, s, dq + link->q, dv + link->v, d);
            continue;
        }
        *d = c.d;
        slide(link, work, &c, s, dq + link->q, dv + link->v, d);
        if (link->kind == KANE_LINK_BALL)
            turn_ball(link, work, &c, s, dq + link->q, dv + link->v, d);
        else
            turn_steps(link, work, &c, dq + link->q, dv + link->v, d);
    }
}
