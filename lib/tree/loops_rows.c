// SPDX-License-Identifier: MIT
// Rows of a cluster's constraints, as coefficients of its speeds; its inertia.

#include "tree/loops_work.h"

#include <string.h>

void kane_cluster_place(const kane_tree *tree, const kane_cluster_work *scratch, kane_tree_work *work)
{
    for (int i = 0; i < scratch->run_count; i++)
        kane_tree_place(tree, scratch->runs[i], work);
}

void kane_cluster_move(const kane_tree *tree, const kane_cluster_work *scratch, const kane_base *bases,
                       kane_tree_work *work)
{
    for (int i = 0; i < scratch->run_count; i++)
        kane_tree_move(tree, scratch->runs[i], bases, work);
}

void kane_cluster_push_speeds(const kane_tree *tree, const int *place, const kane_tree_work *work, int link,
                              kane_wrench push, double *row)
{
    for (int i = link; i >= 0; i = tree->links[i].parent) {
        const kane_link *l = &tree->links[i];
        double *to         = l->v_count ? row + place[l->v] : NULL;
        if (l->kind == KANE_LINK_BODY) {
            for (int c = 0; c < 3; c++) {
                to[c] += kv3_get(push.force, c);
                to[3 + c] += kv3_get(push.torque, c);
            }
            return;
        }
        for (int k = 0; k < l->v_count; k++) {
            const kane_axis_state *a = &work->axis[l->v + k];
            to[k] += kv3_dot(a->l, push.force) + kv3_dot(a->e, push.torque);
        }
        push.torque = kv3_add(push.torque, kv3_cross(work->link[i].rho, push.force));
    }
}

void kane_cluster_rows(const kane_tree *tree, const kane_cluster *cluster, kane_cluster_work *s,
                       const kane_transport *frames, const kane_base *bases, const kane_tree_work *work)
{
    const int n = cluster->v_count;
    memset(s->J, 0, (size_t)cluster->row_count * (size_t)n * sizeof *s->J);
    for (int i = 0; i < cluster->closure_count; i++) {
        const kane_closure *closure = cluster->closures[i];
        kane_closure_values *values = &s->values[i];
        const int begin             = cluster->row_begin[i];
        kane_closure_eval(tree, closure, work, frames, bases, 0, values);
        for (int k = 0; k < closure->row_count; k++) {
            s->value[begin + k] = k < closure->position_count ? values->value[k] : 0.0;
            s->rate[begin + k]  = values->rate[k];
            s->bias[begin + k]  = values->acceleration[k];
        }
        for (int k = 0; k < values->push_count; k++)
            if (values->push[k].link >= 0)
                kane_cluster_push_speeds(tree, cluster->place, work, values->push[k].link, values->push[k].push,
                                         s->J + (begin + values->push[k].row) * n);
        for (int k = 0; k < values->entry_count; k++) {
            const kane_speed_entry *e = &values->entry[k];
            s->J[(begin + e->row) * n + cluster->place[e->v]] += e->value;
        }
    }
}

int kane_cluster_finite(const kane_cluster *cluster, const kane_cluster_work *s)
{
    double sum = 0.0;
    for (int i = 0; i < cluster->row_count; i++)
        sum += 0.0 * (s->value[i] + s->rate[i] + s->bias[i]);
    for (int i = 0; i < cluster->row_count * cluster->v_count; i++)
        sum += 0.0 * s->J[i];
    return sum == 0.0;
}

// Speeds whose inertia is less than this of the greatest root count as if they had that.
static const double least_scale = 1e-8;

void kane_cluster_theta(const kane_tree *tree, const kane_cluster *cluster, kane_cluster_work *s,
                        const kane_tree_work *work)
{
    kane_tree_theta(tree, cluster->link_count, cluster->links, cluster->place, cluster->v_count, work, s->spatial,
                    s->Theta);
}

void kane_cluster_scale(const kane_cluster *cluster, kane_cluster_work *s)
{
    const int n     = cluster->v_count;
    double greatest = 0.0;
    for (int k = 0; k < n; k++) {
        s->scale[k] = sqrt(fmax(s->Theta[k * n + k], 0.0));
        greatest    = fmax(greatest, s->scale[k]);
    }
    for (int k = 0; k < n; k++)
        s->scale[k] = greatest > 0.0 ? fmax(s->scale[k], least_scale * greatest) : 1.0;
}
