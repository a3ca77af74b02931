// SPDX-License-Identifier: MIT
// The articulated-body pass once more for other wrenches, with inertias as they are: up, then down.

#include "tree/respond.h"
#include "tree/spatial.h"

kane_wrench kane_link_respond(const kane_link *link, const kane_link_state *s, kane_wrench w)
{
    if (link->coupled) {
        const kane_spatial_inverse inverse = ksp_inverse(&s->I);
        return ksp_accelerate(&s->I, &inverse, w);
    }
    return (kane_wrench){kane_link_let(link, kv3_scale(1.0 / link->mass, w.force)),
                         km3_mulv(s->R, ksym_mulv(link->J_inverse, km3_tmulv(s->R, w.torque)))};
}

// Up through one joint: what its speeds take, and what goes on to the parent.
static void hand_on(const kane_link *link, const kane_tree_work *work, int i, kane_wrench *push, double *v_dot)
{
    kane_wrench w = push[i];
    for (int v = link->v + link->v_count - 1; v >= link->v; v--) {
        const kane_axis_state *x = &work->axis[v];
        v_dot[v]                 = (kv3_dot(x->e, w.torque) + kv3_dot(x->l, w.force)) / x->along;
        w.torque                 = kv3_add_scaled(w.torque, -v_dot[v], x->U_n);
        w.force                  = kv3_add_scaled(w.force, -v_dot[v], x->U_f);
    }
    if (link->parent >= 0) {
        kane_wrench *p = &push[link->parent];
        p->force       = kv3_add(p->force, w.force);
        p->torque      = kv3_add(p->torque, kv3_add(w.torque, kv3_cross(work->link[i].rho, w.force)));
    }
}

static void receive(const kane_link *link, const kane_tree_work *work, int i, kane_wrench *answer, double *v_dot)
{
    kane_wrench a = {kv3_zero(), kv3_zero()};
    if (link->parent >= 0) {
        const kane_wrench p = answer[link->parent];
        a.torque            = p.torque;
        a.force             = kv3_add(p.force, kv3_cross(p.torque, work->link[i].rho));
    }
    for (int v = link->v; v < link->v + link->v_count; v++) {
        const kane_axis_state *x = &work->axis[v];
        v_dot[v] -= kv3_dot(x->D_n, a.torque) + kv3_dot(x->D_f, a.force);
        a.torque = kv3_add_scaled(a.torque, v_dot[v], x->e);
        a.force  = kv3_add_scaled(a.force, v_dot[v], x->l);
    }
    answer[i] = a;
}

void kane_tree_respond(const kane_tree *tree, kane_links links, const kane_tree_work *work, kane_wrench *push,
                       kane_wrench *answer, double *v_dot)
{
    for (int i = links.end - 1; i >= links.first; i--)
        if (tree->links[i].kind != KANE_LINK_BODY)
            hand_on(&tree->links[i], work, i, push, v_dot);
    for (int i = links.first; i < links.end; i++) {
        const kane_link *link = &tree->links[i];
        if (link->kind != KANE_LINK_BODY) {
            receive(link, work, i, answer, v_dot);
            continue;
        }
        const kane_wrench a = answer[i] = kane_link_respond(link, &work->link[i], push[i]);
        const double own[6]             = {a.force.x, a.force.y, a.force.z, a.torque.x, a.torque.y, a.torque.z};
        for (int k = 0; k < 6; k++)
            v_dot[link->v + k] = own[k];
    }
}
