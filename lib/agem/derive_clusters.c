// SPDX-License-Identifier: MIT
// Entries of the Jacobian in the rows of clusters.

#include "agem/derive_parts.h"

#include <string.h>

void kane_derive_clusters(kane_derivative *d)
{
    const kane_tree_derived derived = {d->map, d->sweep, d->map_values, d->rates, d->rates_values};
    for (int c = 0; c < d->model->cluster_count; c++)
        kane_cluster_derive(&d->model->tree, &d->model->clusters[c], d->work->cluster[c], d->work->transport,
                            d->work->base, &d->work->tree, &derived, d->clusters[c]);
}

static void emit_column(kane_derivative *d, int c, int column)
{
    const kane_cluster *cluster = &d->model->clusters[c];
    for (int k = 0; k < cluster->u_count; k++)
        kane_derive_emit(d, d->model->cluster_u[c] + k, column, d->values ? d->du_dot[k] : 0.0);
}

// Forces and rows change in the direction that a column of y has.
static void walk_own(kane_derivative *d, int c, int column)
{
    const kane_cluster *cluster  = &d->model->clusters[c];
    kane_cluster_derivative *own = d->clusters[c];
    const int n                  = own->state_count;
    memset(own->df, 0, (size_t)cluster->v_count * sizeof *own->df);
    memset(own->dphi, 0, (size_t)cluster->row_count * sizeof *own->dphi);
    for (int s = 0; s < n && d->values; s++) {
        const double size = own->direction[s * own->column_count + column];
        for (int k = 0; k < cluster->v_count && size != 0.0; k++)
            own->df[k] += size * own->force[k * n + s];
        for (int k = 0; k < cluster->row_count && size != 0.0; k++)
            own->dphi[k] += size * own->acceleration[k * n + s];
    }
    if (d->values)
        kane_cluster_respond(cluster, d->work->cluster[c], own->df, own->dphi, d->du_dot);
    emit_column(d, c, kane_derive_column(d, c, column));
}

// States of other links that the cluster's links feel by forces: a column of the rows of all its groups.
static void gather(const kane_derivative *d, int c, int state, double *df)
{
    const int *place = d->model->clusters[c].place;
    for (int group = 0; group < kane_derive_map_count(d->map); group++) {
        const kane_derive_rows rows = kane_derive_map_rows(d->map, group);
        for (int j = 0; j < rows.column_count && place[rows.rows[0]] >= 0; j++)
            for (int i = 0; i < rows.row_count && rows.columns[j] == state; i++)
                df[place[rows.rows[i]]] += d->map_values[rows.at + (size_t)(i * rows.column_count + j)];
    }
}

static int is_felt(const kane_derivative *d, int c, int state)
{
    const int *place = d->model->clusters[c].place;
    for (int group = 0; group < kane_derive_map_count(d->map); group++) {
        const kane_derive_rows rows = kane_derive_map_rows(d->map, group);
        for (int j = 0; j < rows.column_count && rows.row_count > 0 && place[rows.rows[0]] >= 0; j++)
            if (rows.columns[j] == state)
                return 1;
    }
    return 0;
}

int kane_derive_find_felt(const kane_derivative *d, int c, int *felt)
{
    const int states = d->model->tree.q_count + d->model->tree.v_count;
    int count        = 0;
    for (int state = 0; state < states; state++) {
        if (d->state_cluster[state] == c || !is_felt(d, c, state))
            continue;
        if (felt)
            felt[count] = state;
        count++;
    }
    return count;
}

// One state of another link; where that is in a cluster too, what it makes goes to the columns that it follows from.
static void walk_other(kane_derivative *d, int c, int state)
{
    const kane_cluster *cluster  = &d->model->clusters[c];
    kane_cluster_derivative *own = d->clusters[c];
    if (d->values) {
        memset(own->df, 0, (size_t)cluster->v_count * sizeof *own->df);
        memset(own->dphi, 0, (size_t)cluster->row_count * sizeof *own->dphi);
        gather(d, c, state, own->df);
        kane_cluster_respond(cluster, d->work->cluster[c], own->df, own->dphi, d->du_dot);
    }
    for (int k = 0; k < cluster->u_count; k++)
        kane_derive_emit_row(d, d->model->cluster_u[c] + k, 1, &state, &d->du_dot[k]);
}

void kane_derive_walk_cluster(kane_derivative *d, int c)
{
    for (int column = 0; column < d->clusters[c]->column_count; column++)
        walk_own(d, c, column);
    for (int k = 0; k < d->felt_count[c]; k++)
        walk_other(d, c, d->felt[c][k]);
}

// How a point r of a frame accelerates for 1 m/s^2 of the frames along the track; and the frame itself: frame axes.
static kane_wrench carried(const kane_derivative *d, int frame, kane_vec3 r)
{
    const kane_wrench gain = kane_frame_gain(d->model, d->work, frame);
    return (kane_wrench){kv3_add(gain.force, kv3_cross(gain.torque, r)), gain.torque};
}

// What the rows of a constraint accelerate when the frames of its sides do: links go with theirs, points of a frame with it.
static void carry_rows(const kane_derivative *d, const kane_closure *closure, double *rows)
{
    kane_closure_values values;
    if (closure->side_count == 0)
        return; // coordinates against what carries them
    kane_closure_eval(&d->model->tree, closure, &d->work->tree, d->work->transport, d->work->base, 1, &values);
    for (int p = 0; p < values.push_count; p++) {
        const int link = values.push[p].link, frame = d->model->tree.links[link].frame;
        const kane_wrench w = values.push[p].push, a = carried(d, frame, d->work->tree.link[link].r);
        rows[values.push[p].row] += kv3_dot(w.force, a.force) + kv3_dot(w.torque, a.torque);
    }
    for (int p = 0; p < values.frame_push_count; p++) {
        const kane_wrench w = values.frame_push[p].push, a = carried(d, values.frame_push[p].frame, kv3_zero());
        rows[values.frame_push[p].row] += kv3_dot(w.force, a.force) + kv3_dot(w.torque, a.torque);
    }
}

void kane_derive_travel_cluster(kane_derivative *d, int c, double *by_a)
{
    const kane_cluster *cluster  = &d->model->clusters[c];
    kane_cluster_derivative *own = d->clusters[c];
    memset(own->df, 0, (size_t)cluster->v_count * sizeof *own->df);
    memset(own->dphi, 0, (size_t)cluster->row_count * sizeof *own->dphi);
    for (int i = 0; i < cluster->link_count; i++)
        kane_cluster_push(&d->model->tree, cluster, &d->work->tree, cluster->links[i], d->push[cluster->links[i]],
                          own->df);
    for (int k = 0; k < cluster->closure_count; k++)
        carry_rows(d, cluster->closures[k], own->dphi + cluster->row_begin[k]);
    kane_cluster_respond(cluster, d->work->cluster[c], own->df, own->dphi, by_a + d->model->cluster_u[c]);
}

kane_status kane_derive_projection(kane_derivative *d, double *P)
{
    const size_t all = (size_t)d->model->state_count;
    for (int c = 0; c < d->model->cluster_count; c++) {
        const kane_cluster *cluster        = &d->model->clusters[c];
        const kane_cluster_derivative *own = d->clusters[c];
        if (cluster->form != KANE_FORM_MULTIPLIERS)
            continue;
        if (!kane_cluster_derive_projection(&d->model->tree, cluster, d->work->cluster[c], d->work->transport,
                                            d->work->base, &d->work->tree, own, own->projection))
            return kane_work_fail(d->work, KANE_RETRY, cluster->closures[0]->name, "its constraints cannot be held");
        for (int j = 0; j < own->state_count; j++)
            for (int i = 0; i < own->state_count; i++)
                P[(size_t)kane_derive_column(d, c, j) * all + (size_t)kane_derive_column(d, c, i)] =
                    own->projection[j * own->state_count + i];
    }
    return KANE_OK;
}
