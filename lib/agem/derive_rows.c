// SPDX-License-Identifier: MIT
// What moves a link, how it moves then, and what a wrench does to any body.

#include "agem/derive_parts.h"

#include "agem/derive.h"

#include <string.h>

// --- states that move a link ---

// Whether a coordinate of a link can change.
static int can_change(const kane_link *link, int coordinate)
{
    return link->kind == KANE_LINK_BALL || link->step[coordinate].mode != KANE_STEP_GIVEN;
}

// Whether the speeds of what carries a link move it.
static int is_carried(const kane_link *link)
{
    return link->kind != KANE_LINK_BODY;
}

int kane_derive_states(const kane_derivative *d, int i, int *states)
{
    const kane_tree *tree = &d->model->tree;
    int count = 0, speeds = 1;
    for (; i >= 0; i = tree->links[i].parent) {
        const kane_link *link = &tree->links[i];
        for (int k = 0; k < link->q_count; k++)
            if (can_change(link, k))
                states[count++] = link->q + k;
        for (int k = 0; k < link->v_count && speeds; k++)
            if (!kane_link_holds(link, k))
                states[count++] = tree->q_count + link->v + k;
        speeds = speeds && is_carried(link);
    }
    return count;
}

// --- rows ---

// The place in y of a state of a run.
static int place_of(const kane_derivative *d, int state)
{
    const int q_count = d->model->tree.q_count;
    return state < q_count ? d->q_place[state] : d->v_place[state - q_count];
}

// What the states of one cluster in a row come to in the columns of y.
static void emit_cluster(kane_derivative *d, int c, int row, int count, const int *states, const double *values)
{
    const kane_cluster_derivative *own = d->clusters[c];
    int any                            = 0;
    for (int k = 0; k < own->column_count; k++)
        d->row[k] = 0.0;
    for (int i = 0; i < count; i++) {
        if (d->state_cluster[states[i]] != c)
            continue;
        any                     = 1;
        const double *direction = own->direction + own->local[states[i]] * own->column_count;
        for (int k = 0; k < own->column_count && d->values; k++)
            d->row[k] += values[i] * direction[k];
    }
    for (int k = 0; k < own->column_count && any; k++)
        kane_derive_emit(d, row, kane_derive_column(d, c, k), d->row[k]);
}

void kane_derive_emit_row(kane_derivative *d, int row, int count, const int *states, const double *values)
{
    int coupled = 0, chained = 0;
    if (d->values && d->model->cluster_count == 0 && !d->chained) { // states stand in y themselves
        for (int i = 0; i < count; i++)
            d->values[d->next + i] = values[i];
        d->next += count;
        return;
    }
    for (int i = 0; i < count; i++) {
        if (d->state_cluster[states[i]] >= 0)
            coupled = 1;
        else if (d->chain_of[states[i]] >= 0)
            chained = 1;
        else
            kane_derive_emit(d, row, place_of(d, states[i]), d->values ? values[i] : 0.0);
    }
    for (int c = 0; c < d->model->cluster_count && coupled; c++)
        emit_cluster(d, c, row, count, states, values);
    for (int i = 0; i < d->rails_count && chained; i++)
        kane_rails_emit(d, i, row, count, states, values);
}

int kane_derive_trace(const kane_derivative *d, int state, double size, int *column, double *slope)
{
    const int c                        = d->state_cluster[state];
    const kane_cluster_derivative *own = c >= 0 ? d->clusters[c] : NULL;
    const int count                    = own ? own->column_count : 1;
    for (int k = 0; k < count; k++) {
        if (column)
            column[k] = own ? kane_derive_column(d, c, k) : place_of(d, state);
        if (slope)
            slope[k] = own ? size * own->direction[own->local[state] * own->column_count + k] : size;
    }
    return count;
}

// --- motion ---

void kane_derive_motion(kane_derivative *d, int i, int state, kane_vec3 motion[KANE_MOTIONS])
{
    kane_tree_tangent(d->map, d->sweep, &d->work->tree, d->work->base, state, 1, &i, d->tangent);
    const kane_link *link      = &d->model->tree.links[i];
    const kane_link_state *s   = &d->work->tree.link[i];
    const kane_link_tangent *t = &d->tangent[i];
    const kane_transport *T    = &d->work->transport[link->frame];
    const kane_vec3 arm = km3_mulv(s->R, link->c), darm = kv3_cross(t->turn, arm);
    const kane_vec3 moves = kv3_add(t->shift, darm);
    kane_vec3 speeds      = kv3_add(t->v, kv3_add(kv3_cross(t->w, arm), kv3_cross(s->w, darm)));
    if (d->model->joined_separate) // links know relative velocities
        speeds = kv3_add(speeds, kv3_cross(T->omega, moves));
    motion[KANE_MOVES]  = km3_mulv(T->R, moves);
    motion[KANE_TURNS]  = km3_mulv(T->R, t->turn);
    motion[KANE_SPEEDS] = km3_mulv(T->R, speeds);
    motion[KANE_SPINS]  = km3_mulv(T->R, t->w);
}

// --- responses ---

// A wrench at the mass centre as one about the origin.
static kane_wrench about_origin(const kane_derivative *d, int i, kane_wrench w)
{
    const kane_vec3 arm = km3_mulv(d->work->tree.link[i].R, d->model->tree.links[i].c);
    return (kane_wrench){w.force, kv3_add(w.torque, kv3_cross(arm, w.force))};
}

static void respond_cluster(kane_derivative *d, int i, kane_wrench w, int column)
{
    const int c                  = d->cluster_of[i];
    const kane_cluster *cluster  = &d->model->clusters[c];
    kane_cluster_derivative *own = d->clusters[c];
    if (d->values) {
        memset(own->df, 0, (size_t)cluster->v_count * sizeof *own->df);
        memset(own->dphi, 0, (size_t)cluster->row_count * sizeof *own->dphi);
        kane_cluster_push(&d->model->tree, cluster, &d->work->tree, i, about_origin(d, i, w), own->df);
        kane_cluster_respond(cluster, d->work->cluster[c], own->df, own->dphi, d->du_dot);
    }
    for (int k = 0; k < cluster->u_count; k++)
        kane_derive_emit(d, d->model->cluster_u[c] + k, column, d->values ? d->du_dot[k] : 0.0);
}

static const double no_bias[2] = {0.0, 0.0};

// Speeds of links in the group of a link: those that a wrench on it accelerates.
static void respond_run(kane_derivative *d, int i, kane_wrench w, int column)
{
    const kane_tree *tree = &d->model->tree;
    const kane_links run  = d->model->runs[d->run_of[i]];
    if (d->values) {
        memset(d->push + run.first, 0, (size_t)(run.end - run.first) * sizeof *d->push);
        d->push[i] = about_origin(d, i, w);
        kane_tree_respond(tree, run, &d->work->tree, d->push, d->answer, d->v_dot);
        kane_rails_answer(d, i, no_bias, d->v_dot + tree->links[i].v);
    }
    for (int k = run.first; k < run.end; k++)
        for (int v = tree->links[k].v; v < tree->links[k].v + tree->links[k].v_count && d->root_of[k] == d->root_of[i];
             v++)
            if (d->v_place[v] >= 0)
                kane_derive_emit(d, d->v_place[v], column, d->values ? d->v_dot[v] : 0.0);
}

void kane_derive_respond(kane_derivative *d, int j, kane_wrench w, int column)
{
    const int link = d->model->bodies[j].link;
    if (d->run_of[link] >= 0)
        respond_run(d, link, w, column);
    else
        respond_cluster(d, link, w, column);
}
