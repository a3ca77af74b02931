// SPDX-License-Identifier: MIT
// What moves a link, how it moves then, and what a wrench does to any body.

#include "agem/derive_parts.h"

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

// --- motion ---

// Of a free body, by one of its own states: it shifts, turns about its axes, or gains speed against its frame. Zero by
// states of others, without changes of accelerations, which stay against the frame.
static kane_link_tangent free_tangent(const kane_derivative *d, int i, int state)
{
    const kane_link *link         = &d->model->tree.links[i];
    const kane_moving_frame *base = &d->work->base[link->frame];
    const int coordinate = state - link->q, speed = state - d->model->tree.q_count - link->v;
    const kane_axis_state *axis = d->work->tree.axis + link->v;
    kane_link_tangent t         = {.shift = kv3_zero()};
    if (speed >= 0 && speed < 6)
        *(speed < 3 ? &t.v : &t.w) = kv3_unit(speed % 3);
    else if (coordinate < 0 || coordinate >= KANE_COORDINATES || (coordinate == KANE_PITCH && link->is_spinning))
        return t; // axes of a wheelset leave its spin out
    else if (coordinate >= 3)
        t.turn = axis[coordinate].e;
    else
        t.shift = kv3_unit(coordinate);
    t.v = kv3_add(t.v, kv3_cross(base->w, t.shift));
    return t;
}

kane_link_tangent kane_derive_tangent(const kane_derivative *d, int i, int state)
{
    if (d->model->tree.links[i].is_free_body)
        return free_tangent(d, i, state);
    return kane_tree_tangent(d->map, d->sweep, &d->work->tree, d->work->base, state, i);
}

void kane_derive_motion(kane_derivative *d, int i, int state, kane_vec3 motion[KANE_MOTIONS])
{
    const kane_link *link     = &d->model->tree.links[i];
    const kane_link_state *s  = &d->work->tree.link[i];
    const kane_link_tangent t = kane_derive_tangent(d, i, state);
    const kane_transport *T   = &d->work->transport[link->frame];
    const kane_vec3 arm = km3_mulv(s->R, link->c), darm = kv3_cross(t.turn, arm);
    const kane_vec3 moves = kv3_add(t.shift, darm);
    kane_vec3 speeds      = kv3_add(t.v, kv3_add(kv3_cross(t.w, arm), kv3_cross(s->w, darm)));
    if (d->model->imaginary_as_forces) // links know relative velocities
        speeds = kv3_add(speeds, kv3_cross(T->omega, moves));
    motion[KANE_MOVES]  = km3_mulv(T->R, moves);
    motion[KANE_TURNS]  = km3_mulv(T->R, t.turn);
    motion[KANE_SPEEDS] = km3_mulv(T->R, speeds);
    motion[KANE_SPINS]  = km3_mulv(T->R, t.w);
}

// --- responses ---

static void respond_cluster(kane_derivative *d, int i, kane_wrench w, int column)
{
    const int c                  = d->cluster_of[i];
    const kane_cluster *cluster  = &d->model->clusters[c];
    kane_cluster_derivative *own = d->clusters[c];
    if (d->values) {
        kane_derive_clear_cluster(d, c);
        kane_tree_spread_wrench(&d->model->tree, cluster->place, &d->work->tree, i, -1,
                                kane_derive_about_origin(d, i, w), own->df);
        kane_rails_respond_cluster(d, c, NULL, d->du_dot);
    }
    for (int k = 0; k < cluster->u_count; k++)
        kane_derive_emit(d, d->model->cluster_u[c] + k, column, d->values ? d->du_dot[k] : 0.0);
}

// Speeds of a link's group: those that a wrench on it accelerates.
static void respond_run(kane_derivative *d, int i, kane_wrench w, int column)
{
    const kane_links run           = d->model->trees[d->tree_of[i]];
    const int group                = kane_derive_map_group(d->map, i);
    const kane_derived_group *rows = &d->groups[group];
    if (d->values) {
        for (int k = 0; k < rows->row_count && d->rails_of[group] >= 0; k++)
            d->v_dot[rows->rows[k]] = 0.0; // panels are trees of their own
        memset(d->applied + run.first, 0, (size_t)(run.end - run.first) * sizeof *d->applied);
        d->applied[i] = kane_derive_about_origin(d, i, w);
        kane_tree_respond(&d->model->tree, run, &d->work->tree, d->applied, d->response, d->v_dot);
        kane_rails_correct(d, group, NULL, d->v_dot);
    }
    for (int k = 0; k < rows->row_count; k++)
        if (d->v_place[rows->rows[k]] >= 0)
            kane_derive_emit(d, d->v_place[rows->rows[k]], column, d->values ? d->v_dot[rows->rows[k]] : 0.0);
}

void kane_derive_respond(kane_derivative *d, int j, kane_wrench w, int column)
{
    const int link = d->model->bodies[j].link;
    if (d->tree_of[link] >= 0)
        respond_run(d, link, w, column);
    else
        respond_cluster(d, link, w, column);
}

// === Entries of the Jacobian in the rows of clusters.

void kane_derive_clusters(kane_derivative *d)
{
    const kane_tree_derived derived = {d->map, d->sweep, d->groups, d->rates, d->rates_values};
    for (int c = 0; c < d->model->cluster_count; c++) {
        kane_cluster_derive(d->work->cluster[c], &derived, d->clusters[c]);
        kane_rails_correct_cluster(d, c);
    }
}

void kane_derive_walk_cluster(kane_derivative *d, int c)
{
    const kane_cluster_derivative *own = d->clusters[c];
    for (int k = 0; k < d->model->clusters[c].u_count; k++)
        kane_derive_emit_row(d, d->model->cluster_u[c] + k, own->term_count, own->term,
                             own->du_dot + k * own->term_count);
}

// How a point r of a frame accelerates for 1 m/s^2 of the frames along the track; and the frame itself: frame axes.
static kane_wrench frame_accel_at_point(const kane_derivative *d, int frame, kane_vec3 r)
{
    const kane_wrench gain = kane_frame_gain(d->model, d->work, frame);
    return (kane_wrench){kv3_add(gain.force, kv3_cross(gain.torque, r)), gain.torque};
}

// What the rows of a constraint accelerate when the frames of its sides do: links go with theirs, points of a frame
// with it.
static void carry_rows(const kane_derivative *d, const kane_constraint_row_set *closure, double *rows)
{
    kane_constraint_rows_values values;
    if (closure->side_count == 0)
        return; // coordinates against what carries them
    kane_constraint_row_set_eval(&d->work->context, closure, 1, &values);
    for (int p = 0; p < values.direction_count; p++) {
        const int link = values.direction[p].link, frame = d->model->tree.links[link].frame;
        const kane_wrench w = values.direction[p].wrench,
                          a = frame_accel_at_point(d, frame, d->work->tree.link[link].r);
        rows[values.direction[p].row] += kv3_dot(w.force, a.force) + kv3_dot(w.torque, a.torque);
    }
    for (int p = 0; p < values.frame_direction_count; p++) {
        const kane_wrench w = values.frame_direction[p].wrench,
                          a = frame_accel_at_point(d, values.frame_direction[p].frame, kv3_zero());
        rows[values.frame_direction[p].row] += kv3_dot(w.force, a.force) + kv3_dot(w.torque, a.torque);
    }
}

// What rods with mass are pushed by when the frames of their sides accelerate.
static void carry_rod(const kane_derivative *d, const kane_cluster *cluster, const kane_constraint_row_set *rod,
                      double *df)
{
    kane_wrench gain[2], load[2];
    for (int i = 0; i < 2; i++)
        gain[i] = kane_frame_gain(d->model, d->work, rod->side[i].frame);
    kane_rod_gain(&d->work->context, rod, gain, load);
    for (int i = 0; i < 2; i++)
        if (rod->side[i].link >= 0)
            kane_tree_spread_wrench(&d->model->tree, cluster->place, &d->work->tree, rod->side[i].link, -1, load[i],
                                    df);
}

// What kane_modes_gain has put on modes.
static void add_modal_forces(const kane_derivative *d, const kane_cluster *cluster, double *df)
{
    const kane_tree *tree = &d->model->tree;
    for (int t = 0; t < tree->flex_count; t++) {
        const kane_flex *flex = &tree->flexes[t];
        double *gain          = d->work->tree.flex[t].x;
        for (int k = 0; k < flex->count && cluster->place[flex->v] >= 0; k++) {
            df[cluster->place[flex->v + k]] += gain[k];
            gain[k] = 0.0;
        }
    }
}

void kane_derive_travel_cluster(kane_derivative *d, int c, double *by_a)
{
    const kane_cluster *cluster  = &d->model->clusters[c];
    kane_cluster_derivative *own = d->clusters[c];
    kane_derive_clear_cluster(d, c);
    for (int i = 0; i < cluster->link_count; i++)
        kane_tree_spread_wrench(&d->model->tree, cluster->place, &d->work->tree, cluster->links[i], -1,
                                d->applied[cluster->links[i]], own->df);
    add_modal_forces(d, cluster, own->df);
    for (int k = 0; k < cluster->closure_count; k++) {
        carry_rows(d, cluster->closures[k], own->dphi + cluster->row_begin[k]);
        if (cluster->closures[k]->rod.mass > 0.0)
            carry_rod(d, cluster, cluster->closures[k], own->df);
    }
    kane_rails_respond_cluster(d, c, kane_rails_cluster_travel(d, c), by_a + d->model->cluster_u[c]);
}

kane_status kane_derive_projection(kane_derivative *d, double *P)
{
    const size_t all = (size_t)d->model->state_count;
    for (int c = 0; c < d->model->cluster_count; c++) {
        const kane_cluster *cluster        = &d->model->clusters[c];
        const kane_cluster_derivative *own = d->clusters[c];
        if (cluster->form != KANE_FORM_MULTIPLIERS)
            continue;
        if (!kane_cluster_derive_projection(d->work->cluster[c], own, own->projection))
            return kane_cluster_fail(d->model, d->work, c, "its constraints cannot be held");
        for (int j = 0; j < own->state_count; j++)
            for (int i = 0; i < own->state_count; i++)
                P[(size_t)kane_derive_column(d, c, j) * all + (size_t)kane_derive_column(d, c, i)] =
                    own->projection[j * own->state_count + i];
    }
    return kane_rails_derive_projection(d, P);
}
