// SPDX-License-Identifier: MIT
// Small displacements of a cluster: what speeds would do to its coordinates in a unit of time.

#include "tree/loops_work.h"

static void gather(const kane_cluster *cluster, kane_cluster_work *s, const double *dv)
{
    for (int k = 0; k < cluster->v_count; k++)
        s->delta[cluster->speeds[k]] = dv[k];
}

void kane_cluster_spread(const kane_tree *tree, const kane_cluster *cluster, kane_cluster_work *s, const double *dv,
                         kane_tree_work *work)
{
    gather(cluster, s, dv);
    for (int i = 0; i < cluster->link_count; i++)
        kane_tree_spread(tree, cluster->links[i], s->delta, work, s->dq + tree->links[cluster->links[i]].q);
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
    gather(cluster, s, dv);
    for (int i = 0; i < cluster->link_count; i++) {
        const kane_link *l = &tree->links[cluster->links[i]];
        kane_tree_shift(tree, cluster->links[i], s->delta, work);
        if (l->kind == KANE_LINK_BALL)
            normalise(work->q + l->q);
    }
}
