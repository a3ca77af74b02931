// SPDX-License-Identifier: MIT
// Projection of a cluster's state onto its constraints: the least displacement, then the least change of speeds, in the
// sense of kinetic energy:  Theta dv = Phi' lambda, Phi dv = - what is left.

#include "tree/loops_derive.h"
#include "tree/loops_work.h"

#include <string.h>

enum { MOST_ITERATIONS = 20 };

// Behind a step of this size nothing is left [m], [rad]; rows that are left open by more are not closed [m], [rad].
static const double last_step = 1e-9, most_left = 1e-9;

// dv in scratch->y for `left` of all rows; its size, or not finite.
static double correction(const kane_cluster *cluster, kane_cluster_work *s, const double *left)
{
    double most = 0.0;
    if (!kane_cluster_sparse_factor(cluster, s, KANE_PROJECTION_LOOSE))
        return HUGE_VAL;
    for (int i = 0; i < cluster->row_count; i++)
        s->g[i] = -left[i];
    kane_cluster_sparse_solve(cluster, s, NULL, s->g);
    for (int k = 0; k < cluster->v_count; k++) {
        if (!isfinite(s->y[k]))
            return HUGE_VAL;
        most = fmax(most, fabs(s->y[k]));
    }
    return most;
}

static void look(const kane_tree *tree, const kane_cluster *cluster, kane_cluster_work *s, const kane_transport *frames,
                 const kane_base *bases, kane_tree_work *work)
{
    kane_cluster_move(tree, s, bases, work);
    kane_cluster_theta(tree, cluster, s, work);
    kane_cluster_scale(cluster, s);
    kane_cluster_rows(tree, cluster, s, frames, bases, work);
}

static double most_open(const kane_cluster *cluster, const kane_cluster_work *s)
{
    double most = 0.0;
    for (int i = 0; i < cluster->row_count; i++)
        most = fmax(most, fabs(s->value[i]));
    return most;
}

int kane_cluster_project(const kane_tree *tree, const kane_cluster *cluster, kane_cluster_work *s,
                         const kane_transport *frames, const kane_base *bases, kane_tree_work *work)
{
    double step = HUGE_VAL;
    for (int iteration = 0; iteration < MOST_ITERATIONS; iteration++) {
        look(tree, cluster, s, frames, bases, work);
        if (step <= last_step)
            break;
        step = correction(cluster, s, s->value);
        if (!isfinite(step))
            return 0;
        kane_cluster_shift(tree, cluster, s, s->y, work);
    }
    if (!(most_open(cluster, s) <= most_left) || !isfinite(correction(cluster, s, s->rate)))
        return 0;
    for (int k = 0; k < cluster->v_count; k++)
        work->v[cluster->speeds[k]] += s->y[k];
    kane_cluster_move(tree, s, bases, work);
    return 1;
}

// Of a state that is consistent only what is left open changes, not how it is taken away:
//   dq = (1 - Q Theta^-1 Phi' (Phi Theta^-1 Phi')^-1 dPhi/dq) dq_0,   and the same of speeds, with all that the rates depend on
int kane_cluster_derive_projection(const kane_tree *tree, const kane_cluster *cluster, kane_cluster_work *s,
                                   const kane_transport *frames, const kane_base *bases, kane_tree_work *work,
                                   const kane_cluster_derivative *d, double *P)
{
    const int n = d->state_count, v_count = cluster->v_count;
    double *left = d->dphi;
    look(tree, cluster, s, frames, bases, work);
    memset(P, 0, (size_t)n * (size_t)n * sizeof *P);
    for (int c = 0; c < n; c++) {
        double *column = P + (size_t)c * (size_t)n;
        column[c]      = 1.0;
        for (int i = 0; i < cluster->row_count; i++)
            left[i] = d->value[i * n + c];
        if (!isfinite(correction(cluster, s, left)))
            return 0;
        for (int k = 0; k < d->q_count; k++)
            for (int v = 0; v < v_count; v++)
                column[k] += d->Q[k * v_count + v] * s->y[v];
        for (int i = 0; i < cluster->row_count; i++) {
            left[i] = 0.0;
            for (int state = 0; state < n; state++)
                left[i] += d->rate[i * n + state] * column[state];
        }
        if (!isfinite(correction(cluster, s, left)))
            return 0;
        for (int v = 0; v < v_count; v++)
            column[d->q_count + v] += s->y[v];
    }
    return 1;
}
