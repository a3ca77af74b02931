// SPDX-License-Identifier: MIT
// The Jacobian's entries of joined bodies: accelerations and rates of runs of links, and of bodies that feel each other
// across the border between joined and free ones.

#include "agem/joined_derive.h"

#include "agem/derive.h"
#include "agem/derive_body.h"
#include "agem/joined_parts.h"

#include <string.h>

// --- gradients of wrenches: from mass centres and world axes to origins and frame axes ---

static kane_vec3 arm_of(const kane_joined_derivative *d, int i)
{
    return km3_mulv(d->work->tree.link[i].R, d->model->tree.links[i].c);
}

static void to_row(const kane_joined_derivative *d, int i, kane_gradient *g)
{
    const kane_mat3 R = d->work->transport[d->model->tree.links[i].frame].R, arm = km3_skew(arm_of(d, i));
    for (int k = 0; k < KANE_MOTIONS; k++) {
        g->force[k]  = km3_tmul(R, g->force[k]);
        g->torque[k] = km3_add(km3_tmul(R, g->torque[k]), km3_mul(arm, g->force[k]));
    }
}

// moves = shift + turn x arm, speeds = v + w x arm, changed
static void to_column(const kane_joined_derivative *d, int i, kane_mat3 G[KANE_MOTIONS])
{
    const kane_transport *T = &d->work->transport[d->model->tree.links[i].frame];
    const kane_vec3 arm     = arm_of(d, i);
    kane_vec3 w             = d->work->tree.link[i].w;
    for (int k = 0; k < KANE_MOTIONS; k++)
        G[k] = km3_mul(G[k], T->R);
    if (d->model->joined_separate) { // links know relative velocities
        w = kv3_add(w, T->omega);
        kg_add(&G[KANE_MOVES], kg_times_skew(G[KANE_SPEEDS], T->omega));
    }
    kg_sub(&G[KANE_TURNS], kg_times_skew(G[KANE_MOVES], arm));
    if (d->model->joined_separate) // what the line before has taken twice
        kg_add(&G[KANE_TURNS], kg_times_skew(kg_times_skew(G[KANE_SPEEDS], T->omega), arm));
    kg_sub(&G[KANE_TURNS], kg_times_skew(kg_times_skew(G[KANE_SPEEDS], w), arm));
    kg_sub(&G[KANE_SPINS], kg_times_skew(G[KANE_SPEEDS], arm));
}

// What a link feels by its own motion besides: arms of forces turn, imaginary forces change.
static void add_own(const kane_joined_derivative *d, int i, kane_gradient *g)
{
    const kane_model *model  = d->model;
    const kane_body *body    = &model->bodies[model->link_body[i]];
    const kane_vec3 force    = d->acting[i].force;
    kg_add(&g->torque[KANE_TURNS], km3_mul(km3_skew(force), km3_skew(arm_of(d, i))));
    (void)body;
}

static void hand_over(kane_joined_derivative *d, const kane_gradient *pairs)
{
    for (int p = 0; p < d->pair_count; p++) {
        const kane_link_pair pair = d->pairs[p];
        kane_gradient *g          = &d->gradients[p];
        *g                        = pairs[d->pair_of[p]];
        if (d->model->joined_separate && pair.row == pair.column)
            kane_imaginary_derive(d->model, d->work, d->model->link_body[pair.row], g);
        to_row(d, pair.row, g);
        to_column(d, pair.column, g->force);
        to_column(d, pair.column, g->torque);
        if (pair.row == pair.column)
            add_own(d, pair.row, g);
    }
}

// --- accelerations of runs ---

static int place_of(const kane_joined_derivative *d, int state)
{
    const int q_count = d->model->tree.q_count;
    return state < q_count ? d->q_place[state] : d->v_place[state - q_count];
}

static void walk_runs(kane_joined_derivative *d, const kane_gradient *pairs)
{
    if (d->values) {
        hand_over(d, pairs);
        kane_tree_derive(d->map, d->sweep, &d->work->tree, d->work->base, d->acting, d->gradients, d->map_values);
    }
    for (int group = 0; group < kane_derive_map_count(d->map); group++) {
        const kane_derive_rows rows = kane_derive_map_rows(d->map, group);
        const double *value         = d->map_values + rows.at;
        for (int i = 0; i < rows.row_count; i++)
            for (int j = 0; j < rows.column_count; j++)
                kane_joined_emit(d, d->v_place[rows.rows[i]], place_of(d, rows.columns[j]),
                                 d->values ? value[i * rows.column_count + j] : 0.0);
    }
}

// --- rates of coordinates of runs ---

static void walk_rates(kane_joined_derivative *d, int i)
{
    const kane_link *link   = &d->model->tree.links[i];
    kane_joined_state state = {.link = -1};
    double rates[KANE_JOINT_COORDINATES];
    while (kane_joined_next_state(d, i, &state)) {
        if (state.link != i && link->kind != KANE_LINK_BODY)
            continue; // only those say how they move against what carries them
        if (d->values) {
            kane_joined_tangent(d, i, state);
            kane_tree_tangent_rates(&d->model->tree, i, &d->work->base[link->frame], &d->work->tree, d->dq, d->dv,
                                    d->tangent, rates);
        }
        for (int k = 0; k < link->q_count; k++)
            kane_joined_emit(d, d->q_place[link->q + k], kane_joined_place(d, state), d->values ? rates[k] : 0.0);
    }
}

// --- across the border between joined and free bodies ---

static kane_wrench times(const kane_gradient *g, const kane_vec3 motion[KANE_MOTIONS])
{
    kane_wrench w = {kv3_zero(), kv3_zero()};
    for (int k = 0; k < KANE_MOTIONS; k++) {
        w.force  = kv3_add(w.force, km3_mulv(g->force[k], motion[k]));
        w.torque = kv3_add(w.torque, km3_mulv(g->torque[k], motion[k]));
    }
    return w;
}

// Wrench in world axes -> axes of a body's frame.
static kane_wrench to_frame(const kane_joined_derivative *d, int body, kane_wrench w)
{
    const kane_mat3 R = kane_derive_axes(d->work, &d->model->bodies[body]);
    return (kane_wrench){km3_tmulv(R, w.force), km3_tmulv(R, w.torque)};
}

// A free body feels the motion of a link.
static void walk_felt_link(kane_joined_derivative *d, kane_pair pair, const kane_gradient *g)
{
    const int link          = d->model->bodies[pair.column].link;
    kane_joined_state state = {.link = -1};
    while (kane_joined_next_state(d, link, &state)) {
        kane_wrench w = {kv3_zero(), kv3_zero()};
        if (d->values) {
            kane_vec3 motion[KANE_MOTIONS];
            kane_joined_tangent(d, link, state);
            kane_joined_motion(d, link, motion);
            w = to_frame(d, pair.row, times(g, motion));
        }
        kane_joined_respond(d, pair.row, w, kane_joined_place(d, state));
    }
}

// A link feels the motion of a free body.
static void walk_felt_body(kane_joined_derivative *d, int p, const kane_gradient *g)
{
    const kane_pair pair    = d->model->pairs[p];
    const kane_body *column = &d->model->bodies[pair.column];
    kane_wrench w[KANE_BODY_STATES] = {{{0}}};
    if (d->values)
        kane_derive_columns(d->model, d->work, p, g, w);
    for (int c = 0; c < KANE_COORDINATES + column->u_count; c++)
        kane_joined_respond(d, pair.row, w[c], c < KANE_COORDINATES ? column->q + c : column->u + c - KANE_COORDINATES);
}

static void walk(kane_joined_derivative *d, const kane_gradient *pairs)
{
    const kane_model *model = d->model;
    d->next                 = 0;
    if (model->run_count > 0)
        walk_runs(d, pairs);
    for (int i = 0; i < model->tree.link_count; i++)
        if (d->run_of[i] >= 0)
            walk_rates(d, i);
    for (int p = 0; p < model->pair_count; p++) {
        const int row = model->bodies[model->pairs[p].row].link, column = model->bodies[model->pairs[p].column].link;
        if (row < 0 && column >= 0 && d->run_of[column] >= 0)
            walk_felt_link(d, model->pairs[p], pairs ? &pairs[p] : NULL);
        if (row >= 0 && column < 0 && d->run_of[row] >= 0)
            walk_felt_body(d, p, pairs ? &pairs[p] : NULL);
    }
}

int kane_joined_entry_count(const kane_joined_derivative *d)
{
    return d->entry_count;
}

const kane_joined_entry *kane_joined_entries(const kane_joined_derivative *d)
{
    return d->entries;
}

static void name_entries(kane_joined_derivative *d, kane_arena *arena)
{
    walk(d, NULL);
    d->entry_count = d->next;
    d->entries     = kane_arena_alloc(arena, (size_t)d->entry_count, sizeof *d->entries);
    if (d->entries)
        walk(d, NULL);
}

kane_status kane_joined_derive(const kane_model *model, kane_work *work, kane_joined_derivative *d,
                               const kane_gradient *pairs, double *values)
{
    d->work   = work;
    d->values = values;
    memset(d->acting, 0, (size_t)model->tree.link_count * sizeof *d->acting);
    for (int k = 0; k < work->watched_count; k++)
        d->acting[work->watched[k]] = kane_joined_acting(model, work, work->watched[k]);
    walk(d, pairs);
    return KANE_OK;
}
