// SPDX-License-Identifier: MIT
// Changes of the equations of motion in a direction of the state, v_dot held; and of the coordinates' rates.

#include "tree/spatial.h"
#include "tree/tangent.h"

// Change of the wrench that a rigid link's motion needs:  n = w x J w + J al + m c x a,  f = m a + al x m c + w x (w x m c).
static kane_wrench needed(const kane_link *link, const kane_link_state *s, const kane_link_tangent *d)
{
    const kane_vec3 a = kv3_add(s->a, s->da), al = kv3_add(s->al, s->dal), w = s->w;
    const kane_vec3 mc = km3_mulv(s->R, kv3_scale(link->mass, link->c)), dmc = kv3_cross(d->turn, mc);
    double J[6];
    ksym_turn(s->R, link->J, J);
    // d(J x) = turn x J x + J (dx - turn x x)
    const kane_vec3 Jw = ksym_mulv(J, w), Jal = ksym_mulv(J, al);
    const kane_vec3 dJw  = kv3_add(kv3_cross(d->turn, Jw), ksym_mulv(J, kv3_sub(d->w, kv3_cross(d->turn, w))));
    const kane_vec3 dJal = kv3_add(kv3_cross(d->turn, Jal), ksym_mulv(J, kv3_sub(d->al, kv3_cross(d->turn, al))));
    const kane_vec3 spun = kv3_add(kv3_cross(d->w, mc), kv3_cross(w, dmc));
    kane_wrench out;
    out.torque = kv3_add(kv3_add(kv3_cross(d->w, Jw), kv3_cross(w, dJw)), dJal);
    out.torque = kv3_add(out.torque, kv3_add(kv3_cross(dmc, a), kv3_cross(mc, d->a)));
    out.force  = kv3_add_scaled(kv3_add(kv3_cross(d->al, mc), kv3_cross(al, dmc)), link->mass, d->a);
    out.force  = kv3_add(out.force, kv3_add(kv3_cross(d->w, kv3_cross(w, mc)), kv3_cross(w, spun)));
    return out;
}

// Small turn of the axis of a speed: of a slide that of its carrier, of a turn also those of the turns before it.
static void along(const kane_tree *tree, int i, const kane_tree_work *work, kane_wrench joint, kane_wrench change,
                  const double *dq, const kane_link_tangent *tangent, double *out)
{
    const kane_link *link   = &tree->links[i];
    const kane_vec3 carried = link->parent < 0 ? kv3_zero() : tangent[link->parent].turn;
    kane_vec3 turn          = link->kind == KANE_LINK_BALL ? tangent[i].turn : carried;
    int v                   = link->v;
    for (int k = 0; k < (link->kind == KANE_LINK_BALL ? 3 : link->step_count); k++) {
        const int slides = link->kind == KANE_LINK_STEPS && k < link->slide_count;
        if (link->kind == KANE_LINK_BALL || link->step[k].mode == KANE_STEP_FREE) {
            const kane_axis_state *x = &work->axis[v];
            out[v] = slides ? kv3_dot(x->l, change.force) + kv3_dot(kv3_cross(carried, x->l), joint.force)
                            : kv3_dot(x->e, change.torque) + kv3_dot(kv3_cross(turn, x->e), joint.torque);
            if (!slides && link->kind == KANE_LINK_STEPS)
                turn = kv3_add_scaled(turn, dq[k], x->e);
            v++;
        }
    }
}

void kane_tree_tangent_forces(const kane_tree *tree, kane_links links, const kane_tree_work *work,
                              const kane_wrench *joint, const kane_wrench *dacting, const double *dq,
                              const kane_link_tangent *tangent, kane_wrench *scratch, double *out)
{
    for (int i = links.first; i < links.end; i++) {
        const kane_wrench w = needed(&tree->links[i], &work->link[i], &tangent[i]);
        scratch[i]          = (kane_wrench){kv3_sub(w.force, dacting[i].force), kv3_sub(w.torque, dacting[i].torque)};
    }
    for (int i = links.end - 1; i >= links.first; i--) {
        const kane_link *link = &tree->links[i];
        const kane_wrench w   = scratch[i];
        if (link->kind == KANE_LINK_BODY) {
            const double rows[6] = {w.force.x, w.force.y, w.force.z, w.torque.x, w.torque.y, w.torque.z};
            for (int k = 0; k < 6; k++)
                out[link->v + k] = rows[k];
            continue;
        }
        along(tree, i, work, joint[i], w, dq + link->q, tangent, out);
        if (link->parent < 0)
            continue;
        const kane_vec3 drho = kv3_sub(tangent[i].shift, tangent[link->parent].shift);
        kane_wrench *p       = &scratch[link->parent];
        p->force             = kv3_add(p->force, w.force);
        p->torque            = kv3_add(p->torque, kv3_add(w.torque, kv3_cross(work->link[i].rho, w.force)));
        p->torque            = kv3_add(p->torque, kv3_cross(drho, joint[i].force));
    }
}
