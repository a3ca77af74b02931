// SPDX-License-Identifier: MIT
// Small displacements of links: what speeds would do to their coordinates in a unit of time.

#include "tree/tree.h"

// Velocity of a link by the speeds in `v` alone: frames at rest, nothing given over time.
static void carry(const kane_tree *tree, int i, const double *v, kane_tree_work *work)
{
    const kane_link *l = &tree->links[i];
    kane_link_state *s = &work->link[i];
    if (l->kind == KANE_LINK_BODY) {
        s->v = kv3(v[l->v], v[l->v + 1], v[l->v + 2]);
        s->w = kv3(v[l->v + 3], v[l->v + 4], v[l->v + 5]);
        return;
    }
    s->v = s->w = kv3_zero();
    if (l->parent >= 0) {
        const kane_link_state *p = &work->link[l->parent];
        s->w                     = p->w;
        s->v                     = kv3_add(p->v, kv3_cross(p->w, s->rho));
    }
    for (int k = l->v; k < l->v + l->v_count; k++) {
        s->w = kv3_add_scaled(s->w, v[k], work->axis[k].e);
        s->v = kv3_add_scaled(s->v, v[k], work->axis[k].l);
    }
}

void kane_tree_spread(const kane_tree *tree, int i, double *dv, kane_tree_work *work, double *dq)
{
    static const kane_base rest = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    double *v                   = work->v;
    carry(tree, i, dv, work);
    work->v = dv;
    kane_tree_rates(tree, i, &rest, work, dq);
    work->v = v;
}

void kane_tree_shift(const kane_tree *tree, int i, double *dv, kane_tree_work *work)
{
    const kane_link *l = &tree->links[i];
    double dq[6]; // a joint has no more coordinates
    kane_tree_spread(tree, i, dv, work, dq);
    for (int c = 0; c < l->q_count; c++)
        if (l->kind == KANE_LINK_BALL || l->step[c].mode == KANE_STEP_FREE)
            work->q[l->q + c] += dq[c];
}
