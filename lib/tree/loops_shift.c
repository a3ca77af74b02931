// SPDX-License-Identifier: MIT
// Small displacements of a cluster: what speeds would do to its coordinates in a unit of time.

#include "tree/loops_work.h"

#include <string.h>

// Velocity of every link by the speeds in `v` alone: frames at rest, nothing given over time.
static void carry(const kane_tree *tree, const kane_cluster *cluster, const double *v, kane_tree_work *work)
{
    for (int i = 0; i < cluster->link_count; i++) {
        const kane_link *l = &tree->links[cluster->links[i]];
        kane_link_state *s = &work->link[cluster->links[i]];
        if (l->kind == KANE_LINK_BODY) {
            s->v = kv3(v[l->v], v[l->v + 1], v[l->v + 2]);
            s->w = kv3(v[l->v + 3], v[l->v + 4], v[l->v + 5]);
            continue;
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
}

void kane_cluster_spread(const kane_tree *tree, const kane_cluster *cluster, kane_cluster_work *s, const double *dv,
                         kane_tree_work *work)
{
    static const kane_base rest = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    double *v                   = work->v;
    for (int k = 0; k < cluster->v_count; k++)
        s->delta[cluster->speeds[k]] = dv[k];
    carry(tree, cluster, s->delta, work);
    work->v = s->delta;
    for (int i = 0; i < cluster->link_count; i++)
        kane_tree_rates(tree, cluster->links[i], &rest, work, s->dq + tree->links[cluster->links[i]].q);
    work->v = v;
}

// Euler parameters have unit length again.
static void normalise(double *e)
{
    const double length = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3]);
    for (int c = 0; c < 4 && length > 0.0; c++)
        e[c] /= length;
}

void kane_cluster_shift(const kane_tree *tree, const kane_cluster *cluster, kane_cluster_work *s, const double *dv,
                        kane_tree_work *work)
{
    kane_cluster_spread(tree, cluster, s, dv, work);
    for (int i = 0; i < cluster->link_count; i++) {
        const kane_link *l = &tree->links[cluster->links[i]];
        for (int c = 0; c < l->q_count; c++)
            if (l->kind == KANE_LINK_BALL || l->step[c].mode == KANE_STEP_FREE)
                work->q[l->q + c] += s->dq[l->q + c];
        if (l->kind == KANE_LINK_BALL)
            normalise(work->q + l->q);
    }
}
