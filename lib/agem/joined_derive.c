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

static void to_frame_axes(const kane_joined_derivative *d, int i, kane_gradient *g)
{
    const kane_mat3 R = d->work->transport[d->model->tree.links[i].frame].R;
    for (int k = 0; k < KANE_MOTIONS; k++) {
        g->force[k]  = km3_tmul(R, g->force[k]);
        g->torque[k] = km3_tmul(R, g->torque[k]);
    }
}

static void to_arm(const kane_joined_derivative *d, int i, kane_gradient *g)
{
    const kane_mat3 arm = km3_skew(arm_of(d, i));
    for (int k = 0; k < KANE_MOTIONS; k++)
        kg_add(&g->torque[k], km3_mul(arm, g->force[k]));
}

// By absolute motion in the world -> as link states have it, still at the mass centre: links may know relative velocities.
static void to_relative(const kane_joined_derivative *d, int i, kane_mat3 G[KANE_MOTIONS])
{
    const kane_transport *T = &d->work->transport[d->model->tree.links[i].frame];
    for (int k = 0; k < KANE_MOTIONS; k++)
        G[k] = km3_mul(G[k], T->R);
    if (d->model->joined_separate)
        kg_add(&G[KANE_MOVES], kg_times_skew(G[KANE_SPEEDS], T->omega));
}

// moves = shift + turn x arm, speeds = v + w x arm, changed
static void to_origin(const kane_joined_derivative *d, int i, kane_mat3 G[KANE_MOTIONS])
{
    const kane_vec3 arm = arm_of(d, i), w = d->work->tree.link[i].w;
    kg_sub(&G[KANE_TURNS], kg_times_skew(G[KANE_MOVES], arm));
    kg_sub(&G[KANE_TURNS], kg_times_skew(kg_times_skew(G[KANE_SPEEDS], w), arm));
    kg_sub(&G[KANE_SPINS], kg_times_skew(G[KANE_SPEEDS], arm));
}

// The derivative of a wrench on one link by the motion of another, as kane_tree_derive wants it.
static void hand_over(kane_joined_derivative *d, int p, const kane_gradient *pairs)
{
    const kane_link_pair pair = d->pairs[p];
    const int own = pair.row == pair.column, j = d->model->link_body[pair.row];
    kane_gradient *g = &d->gradients[p];
    *g               = pairs[d->pair_of[p]];
    to_frame_axes(d, pair.row, g);
    to_relative(d, pair.column, g->force);
    to_relative(d, pair.column, g->torque);
    if (own && d->model->joined_separate)
        kane_imaginary_derive(&d->model->bodies[j], &d->work->transport[d->model->tree.links[pair.row].frame],
                              &d->work->body[j], g);
    to_arm(d, pair.row, g);
    to_origin(d, pair.column, g->force);
    to_origin(d, pair.column, g->torque);
    if (own) // arms of forces turn
        kg_add(&g->torque[KANE_TURNS], km3_mul(km3_skew(d->acting[pair.row].force), km3_skew(arm_of(d, pair.row))));
}

// --- accelerations of runs ---

static void walk_runs(kane_joined_derivative *d)
{
    for (int group = 0; group < kane_derive_map_count(d->map); group++) {
        const kane_derive_rows rows = kane_derive_map_rows(d->map, group);
        for (int i = 0; i < rows.row_count; i++)
            if (d->v_place[rows.rows[i]] >= 0)
                kane_joined_emit_row(d, d->v_place[rows.rows[i]], rows.column_count, rows.columns,
                                 d->map_values + rows.at + (size_t)(i * rows.column_count));
    }
}

// --- rates of coordinates ---

static void walk_rates(kane_joined_derivative *d, int i)
{
    const kane_derive_rows rows = kane_rates_map_rows(d->rates, i);
    const kane_link *link       = &d->model->tree.links[i];
    for (int k = 0; k < 3 && link->alone; k++)
        if (!kane_link_holds(link, k))
            kane_joined_emit(d, d->q_place[link->q + k], d->v_place[link->v + k], 1.0);
    for (int k = 0; k < rows.row_count; k++)
        kane_joined_emit_row(d, d->q_place[rows.rows[k]], rows.column_count, rows.columns,
                             d->rates_values + rows.at + (size_t)(k * rows.column_count));
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
    const kane_model *model = d->model;
    const int link = model->bodies[pair.column].link, most = model->tree.q_count + model->tree.v_count;
    const kane_body *row = &model->bodies[pair.row];
    const int count      = kane_joined_states(d, link, d->row_states);
    for (int k = 0; k < count && d->values; k++) {
        kane_vec3 motion[KANE_MOTIONS];
        double u_dot[6];
        kane_joined_motion(d, link, d->row_states[k], motion);
        kane_derive_respond(model, d->work, pair.row, to_frame(d, pair.row, times(g, motion)), u_dot);
        for (int i = 0; i < row->u_count; i++)
            d->row_values[i * most + k] = u_dot[i];
    }
    for (int i = 0; i < row->u_count; i++)
        kane_joined_emit_row(d, row->u + i, count, d->row_states, d->row_values + i * most);
}

// A link feels the motion of a free body.
static void walk_felt_body(kane_joined_derivative *d, int p, const kane_gradient *g)
{
    const kane_pair pair            = d->model->pairs[p];
    const kane_body *column         = &d->model->bodies[pair.column];
    kane_wrench w[KANE_BODY_STATES] = {{{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}};
    if (d->values)
        kane_derive_columns(d->model, d->work, p, g, d->guided, w);
    for (int c = 0; c < KANE_COORDINATES + column->u_count; c++)
        kane_joined_respond(d, pair.row, w[c], c < KANE_COORDINATES ? column->q + c : column->u + c - KANE_COORDINATES);
}

// --- states of elements ---

// What one end of an element with states has to do with them, where it is on a link.
static void walk_states(kane_joined_derivative *d, const kane_element *element, int body, const kane_wrench *by_state,
                        const kane_gradient *rates)
{
    const int link = d->model->bodies[body].link, most = d->model->tree.q_count + d->model->tree.v_count;
    for (int i = 0; i < element->state_count; i++) {
        const kane_wrench none = {kv3_zero(), kv3_zero()};
        kane_joined_respond(d, body, d->values ? to_frame(d, body, by_state[i]) : none, element->state + i);
    }
    const int count = kane_joined_states(d, link, d->row_states);
    for (int k = 0; k < count && d->values; k++) {
        kane_vec3 motion[KANE_MOTIONS];
        kane_joined_motion(d, link, d->row_states[k], motion);
        const kane_wrench six = times(rates, motion);
        for (int i = 0; i < element->state_count; i++)
            d->row_values[i * most + k] = i < 3 ? kv3_get(six.force, i) : kv3_get(six.torque, i - 3);
    }
    for (int i = 0; i < element->state_count; i++)
        kane_joined_emit_row(d, element->state + i, count, d->row_states, d->row_values + i * most);
}

void kane_joined_walk(kane_joined_derivative *d, const kane_gradient *pairs, const kane_state_gradient *states)
{
    const kane_model *model = d->model;
    d->next                 = 0;
    walk_runs(d);
    for (int c = 0; c < model->cluster_count; c++)
        kane_joined_walk_cluster(d, c);
    for (int i = 0; i < model->tree.link_count; i++)
        walk_rates(d, i);
    for (int p = 0; p < model->pair_count; p++) {
        const int row = model->bodies[model->pairs[p].row].link, column = model->bodies[model->pairs[p].column].link;
        if (row < 0 && column >= 0)
            walk_felt_link(d, model->pairs[p], pairs ? &pairs[p] : NULL);
        if (row >= 0 && column < 0)
            walk_felt_body(d, p, pairs ? &pairs[p] : NULL);
    }
    for (int i = 0; i < model->remembering_count; i++) {
        const kane_element *element = &model->elements[model->remembering[i]];
        const int body[2]           = {element->a.body, element->b.body};
        for (int end = 0; end < 2; end++)
            if (body[end] >= 0 && model->bodies[body[end]].link >= 0)
                walk_states(d, element, body[end], states ? states[i].by_state[end] : NULL,
                            states ? &states[i].rates[end] : NULL);
    }
}

kane_status kane_joined_derive(const kane_model *model, kane_work *work, kane_joined_derivative *d,
                               const kane_gradient *pairs, const kane_state_gradient *states,
                               kane_guided_column (*guided)[KANE_BODY_STATES], double *values)
{
    d->work   = work;
    d->guided = guided;
    d->values = values;
    memset(d->acting, 0, (size_t)model->tree.link_count * sizeof *d->acting);
    for (int k = 0; k < model->watched_count; k++)
        d->acting[model->watched[k]] = kane_joined_acting(model, work, model->watched[k]);
    for (int p = 0; p < d->pair_count; p++) // constraints have no arms to turn: they push at the origins
        hand_over(d, p, pairs);
    kane_joined_constrain(model, work, d->acting);
    kane_tree_derive(d->map, d->sweep, &work->tree, work->base, d->acting, d->gradients, d->map_values);
    kane_tree_derive_rates(d->rates, d->sweep, &work->tree, work->base, d->rates_values);
    kane_joined_derive_clusters(d);
    kane_joined_walk(d, pairs, states);
    return KANE_OK;
}

void kane_joined_derive_travel(const kane_model *model, kane_work *work, kane_joined_derivative *d, double *by_a)
{
    d->work = work;
    memset(d->push, 0, (size_t)model->tree.link_count * sizeof *d->push);
    for (int i = 0; i < model->tree.link_count; i++) {
        kane_joined_show(model, work, i);
        const kane_wrench w = kane_derive_inertial(model, work, model->link_body[i]);
        const kane_vec3 arm = km3_mulv(work->tree.link[i].R, model->tree.links[i].c);
        d->push[i]          = (kane_wrench){w.force, kv3_add(w.torque, kv3_cross(arm, w.force))};
    }
    for (int c = 0; c < model->cluster_count; c++)
        kane_joined_travel_cluster(d, c, by_a);
    for (int r = 0; r < model->run_count; r++) {
        kane_tree_respond(&model->tree, model->runs[r], &work->tree, d->push, d->answer, d->v_dot);
        for (int i = model->runs[r].first; i < model->runs[r].end; i++)
            for (int v = model->tree.links[i].v; v < model->tree.links[i].v + model->tree.links[i].v_count; v++)
                if (d->v_place[v] >= 0)
                    by_a[d->v_place[v]] = d->v_dot[v];
    }
}
