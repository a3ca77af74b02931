// SPDX-License-Identifier: MIT
// The Jacobian (docs/theory.md, section 9): derivatives of wrenches at mass centres, by pair of bodies; of the
// accelerations of links; and its entries. First the constant pattern: pairs of bodies, and the entries that there are.

#include "agem/derive_parts.h"

#include "agem/bodies.h"
#include "agem/wheels.h"

#include <string.h>

// Places of coordinates and speeds in y, runs and groups of links.
static void index_links(kane_derivative *d)
{
    const kane_model *model = d->model;
    for (int i = 0; i < model->tree.link_count; i++) {
        const kane_link *link = &model->tree.links[i];
        const kane_body *body = &model->bodies[model->link_body[i]];
        for (int k = 0; k < link->q_count; k++)
            d->q_place[link->q + k] = body->q_count > 0 ? body->q + k : -1;
        for (int k = 0; k < link->v_count; k++)
            d->v_place[link->v + k] = -1;
        for (int k = 0; k < body->u_count; k++)
            d->v_place[link->v + body->component[k]] = body->u + k;
        d->tree_of[i]    = -1;
        d->cluster_of[i] = -1;
    }
    for (int c = 0; c < model->cluster_count; c++)
        for (int k = 0; k < model->clusters[c].link_count; k++)
            d->cluster_of[model->clusters[c].links[k]] = c;
    for (int r = 0; r < model->tree_count; r++)
        for (int i = model->trees[r].first; i < model->trees[r].end; i++)
            d->tree_of[i] = r;
}

// Whether forces act on the body of a link.
static int is_watched(const kane_model *model, int link)
{
    for (int k = 0; k < model->loaded_count; k++)
        if (model->loaded[k] == link)
            return 1;
    return 0;
}

// Pairs of links whose wrenches depend on each other.
static void find_pairs(kane_derivative *d)
{
    const kane_model *model = d->model;
    for (int p = 0; p < model->pair_count; p++) {
        const int row = model->bodies[model->pairs[p].row].link, column = model->bodies[model->pairs[p].column].link;
        if (row == column && !is_watched(model, row))
            continue;
        d->pairs[d->pair_count]     = (kane_link_pair){row, column};
        d->pair_of[d->pair_count++] = p;
    }
}

static int allocate_derivative(kane_derivative *d, kane_arena *arena)
{
    const kane_model *model = d->model;
    const size_t links = (size_t)model->tree.link_count, pairs = (size_t)model->pair_count;
    const size_t q = (size_t)model->tree.q_count, v = (size_t)model->tree.v_count;
    d->wrench     = kane_arena_alloc(arena, pairs, sizeof *d->wrench);
    d->states     = kane_arena_alloc(arena, (size_t)model->stateful_count, sizeof *d->states);
    d->slopes     = kane_arena_alloc(arena, (size_t)model->wheels_count, sizeof *d->slopes);
    d->pairs      = kane_arena_alloc(arena, pairs, sizeof *d->pairs);
    d->pair_of    = kane_arena_alloc(arena, pairs, sizeof *d->pair_of);
    d->gradients  = kane_arena_alloc(arena, pairs, sizeof *d->gradients);
    d->acting     = kane_arena_alloc(arena, links, sizeof *d->acting);
    d->applied    = kane_arena_alloc(arena, links, sizeof *d->applied);
    d->response   = kane_arena_alloc(arena, links, sizeof *d->response);
    d->v_dot      = kane_arena_alloc(arena, v, sizeof *d->v_dot);
    d->q_place    = kane_arena_alloc(arena, q + v, sizeof *d->q_place);
    d->v_place    = d->q_place ? d->q_place + q : NULL;
    d->tree_of    = kane_arena_alloc(arena, links, sizeof *d->tree_of);
    d->cluster_of = kane_arena_alloc(arena, links, sizeof *d->cluster_of);
    d->clusters   = kane_arena_alloc(arena, (size_t)model->cluster_count, sizeof *d->clusters);
    d->row_states = kane_arena_alloc(arena, q + v, sizeof *d->row_states);
    d->row_values = kane_arena_alloc(arena, 6 * (q + v), sizeof *d->row_values);
    d->du_dot     = kane_arena_alloc(arena, v, sizeof *d->du_dot);
    return !kane_arena_failed(arena);
}

// Groups as the map has them.
static int create_groups(kane_derivative *d, kane_arena *arena)
{
    const int count = kane_derive_map_count(d->map);
    d->groups       = kane_arena_alloc(arena, (size_t)count, sizeof *d->groups);
    d->map_values   = kane_arena_alloc(arena, kane_derive_map_values(d->map), sizeof *d->map_values);
    if (kane_arena_failed(arena))
        return 0;
    for (int group = 0; group < count; group++)
        d->groups[group] = kane_derive_map_rows(d->map, group, d->map_values);
    return 1;
}

// The pattern: pairs, maps, and a first walk that counts the entries, a second that names them.
kane_derivative *kane_derivative_create(const kane_model *model, kane_arena *arena)
{
    kane_derivative *d = kane_arena_alloc(arena, 1, sizeof *d);
    if (!d)
        return NULL;
    d->model = model;
    if (!allocate_derivative(d, arena))
        return NULL;
    index_links(d);
    find_pairs(d);
    d->map = kane_derive_map_create(&model->tree, model->trees, model->tree_count, d->pairs, d->pair_count, arena);
    if (!d->map)
        return NULL;
    if (!create_groups(d, arena))
        return NULL;
    if (!kane_flex_rows_create(d, arena) || !kane_rails_index(d, arena))
        return NULL;
    d->sweep = kane_derive_work_create(d->map, arena);
    d->rates = kane_rates_map_create(d->map, arena);
    if (!d->rates)
        return NULL;
    d->rates_values = kane_arena_alloc(arena, kane_rates_map_values(d->rates), sizeof *d->rates_values);
    for (int c = 0; c < model->cluster_count; c++)
        d->clusters[c] = kane_cluster_derivative_create(&model->tree, &model->clusters[c], d->map, d->rates, arena);
    if (kane_arena_failed(arena) || !kane_derive_map_states(d, arena))
        return NULL;
    kane_derive_walk(d);
    d->entry_count = d->next;
    d->entries     = kane_arena_alloc(arena, (size_t)d->entry_count, sizeof *d->entries);
    if (kane_arena_failed(arena))
        return NULL;
    kane_derive_walk(d);
    return d;
}

int kane_derivative_entry_count(const kane_derivative *d)
{
    return d->entry_count;
}

const kane_entry *kane_derivative_entries(const kane_derivative *d)
{
    return d->entries;
}

// === Values: accelerations of runs of links, rates of coordinates, states of elements

// --- gradients of wrenches: from mass centres and world axes to origins and frame axes ---

// R c: mass centre from the link's origin, frame axes [m].
static kane_vec3 arm_of(const kane_derivative *d, int i)
{
    return km3_mulv(d->work->tree.link[i].R, d->model->tree.links[i].c);
}

// Rows from world axes to axes of the frame of link i.
static void to_frame_axes(const kane_derivative *d, int i, kane_gradient *g)
{
    const kane_mat3 R = d->work->transport[d->model->tree.links[i].frame].R;
    for (int k = 0; k < KANE_MOTIONS; k++) {
        g->force[k]  = km3_tmul(R, g->force[k]);
        g->torque[k] = km3_tmul(R, g->torque[k]);
    }
}

// Rows from the mass centre to the link's origin: torque += arm x force.
static void to_arm(const kane_derivative *d, int i, kane_gradient *g)
{
    const kane_vec3 arm = arm_of(d, i);
    for (int k = 0; k < KANE_MOTIONS; k++)
        kg_add(&g->torque[k], kg_skew_times(arm, g->force[k]));
}

// Columns from absolute motion, world axes, to that of link states, frame axes, at the mass centre. Relative link
// states: a displacement also changes the absolute velocity, by omega x.
static void to_relative(const kane_derivative *d, int i, kane_mat3 G[KANE_MOTIONS])
{
    const kane_transport *T = &d->work->transport[d->model->tree.links[i].frame];
    for (int k = 0; k < KANE_MOTIONS; k++)
        G[k] = km3_mul(G[k], T->R);
    if (d->model->imaginary_as_forces)
        kg_add(&G[KANE_MOVES], kg_times_skew(G[KANE_SPEEDS], T->omega));
}

// Columns from motion of the mass centre to motion of the origin:
//   displacement + turn x arm,   velocity + w x arm, both differentiated
static void to_origin(const kane_derivative *d, int i, kane_mat3 G[KANE_MOTIONS])
{
    const kane_vec3 arm = arm_of(d, i), w = d->work->tree.link[i].w;
    kg_sub(&G[KANE_TURNS], kg_times_skew(G[KANE_MOVES], arm));
    kg_sub(&G[KANE_TURNS], kg_times_skew(kg_times_skew(G[KANE_SPEEDS], w), arm));
    kg_sub(&G[KANE_SPINS], kg_times_skew(G[KANE_SPEEDS], arm));
}

// The derivative of a wrench on one link by the motion of another, as kane_tree_derive needs it, with the imaginary
// terms of the link itself if they are separate.
static void hand_over(kane_derivative *d, int p, const kane_gradient *pairs)
{
    const kane_link_pair pair = d->pairs[p];
    const int own = pair.row == pair.column, j = d->model->link_body[pair.row];
    kane_gradient *g = &d->gradients[p];
    *g               = pairs[d->pair_of[p]];
    to_frame_axes(d, pair.row, g);
    to_relative(d, pair.column, g->force);
    to_relative(d, pair.column, g->torque);
    if (own && d->model->imaginary_as_forces) {
        kane_gradient imaginary = {.force[0] = km3_zero()};
        kane_imaginary_derive(&d->model->bodies[j], &d->work->transport[d->model->tree.links[pair.row].frame],
                              &d->work->body[j], &imaginary);
        // torques change with turns by those of inertia alone, which also follows the spin of a body that is uneven
        if (d->model->tree.links[pair.row].uneven)
            kane_derive_spin(d->sweep, pair.row,
                             km3_mulv(imaginary.torque[KANE_TURNS], d->work->tree.link[pair.row].R.y));
        for (int k = 0; k < KANE_MOTIONS; k++) {
            kg_add(&g->force[k], imaginary.force[k]);
            kg_add(&g->torque[k], imaginary.torque[k]);
        }
    }
    if (kane_link_has_arm(&d->model->tree.links[pair.row]))
        to_arm(d, pair.row, g);
    if (!kane_link_has_arm(&d->model->tree.links[pair.column]))
        return;
    to_origin(d, pair.column, g->force);
    to_origin(d, pair.column, g->torque);
    if (own) // arms of forces turn
        kg_add(&g->torque[KANE_TURNS], kg_times_skew(km3_skew(d->acting[pair.row].force), arm_of(d, pair.row)));
}

// --- accelerations ---

// Entries of the rows of a group that are in y: none of those of clusters.
static void walk_group(kane_derivative *d, const kane_derived_group *g)
{
    for (int i = 0; i < g->row_count; i++)
        if (d->v_place[g->rows[i]] >= 0)
            kane_derive_emit_row(d, d->v_place[g->rows[i]], g->column_count, g->columns,
                                 g->values + i * g->column_count);
}

// --- rates of coordinates ---

// Entries of rates of the coordinates of link i.
static void walk_rates(kane_derivative *d, int i)
{
    const kane_link *link     = &d->model->tree.links[i];
    const kane_rate_row *rows = kane_rates_map_rows(d->rates);
    for (int q = link->q; q < link->q + link->q_count && link->role != KANE_FLEX_NODE; q++) {
        if (rows[q].column_count > 0)
            kane_derive_emit_row(d, d->q_place[q], rows[q].column_count, rows[q].columns, d->rates_values + rows[q].at);
    }
}

// --- states of elements ---

// sum G_k motion_k: force and torque.
static kane_wrench multiply_gradient(const kane_gradient *g, const kane_vec3 motion[KANE_MOTIONS])
{
    kane_wrench w = {kv3_zero(), kv3_zero()};
    for (int k = 0; k < KANE_MOTIONS; k++) {
        w.force  = kv3_add(w.force, km3_mulv(g->force[k], motion[k]));
        w.torque = kv3_add(w.torque, km3_mulv(g->torque[k], motion[k]));
    }
    return w;
}

// Wrench in world axes -> axes of a body's frame.
static kane_wrench to_frame(const kane_derivative *d, int body, kane_wrench w)
{
    const kane_mat3 R = d->work->transport[d->model->tree.links[d->model->bodies[body].link].frame].R;
    return (kane_wrench){km3_tmulv(R, w.force), km3_tmulv(R, w.torque)};
}

// What one end of an element with states has to do with them, where it is on a link.
static void walk_states(kane_derivative *d, const kane_element *element, int body, const kane_wrench *by_state,
                        const kane_gradient *rates)
{
    const int link = d->model->bodies[body].link, most = d->model->tree.q_count + d->model->tree.v_count;
    for (int i = 0; i < element->state_count; i++) {
        const kane_wrench none = {kv3_zero(), kv3_zero()};
        kane_derive_respond(d, body, d->values ? to_frame(d, body, by_state[i]) : none, element->state + i);
    }
    const int count = kane_derive_states(d, link, d->row_states);
    for (int k = 0; k < count && d->values; k++) {
        kane_vec3 motion[KANE_MOTIONS];
        kane_derive_motion(d, link, d->row_states[k], motion);
        const kane_wrench six = multiply_gradient(rates, motion);
        for (int i = 0; i < element->state_count; i++)
            d->row_values[i * most + k] = i < 3 ? kv3_get(six.force, i) : kv3_get(six.torque, i - 3);
    }
    for (int i = 0; i < element->state_count; i++)
        kane_derive_emit_row(d, element->state + i, count, d->row_states, d->row_values + i * most);
}

// Entries of the states of an element: accelerations by states, rates by motion, rates by states.
static void walk_element(kane_derivative *d, const kane_element *element, const kane_state_gradient *g)
{
    const int body[2] = {element->a.body, element->b.body};
    for (int end = 0; end < 2; end++)
        if (body[end] >= 0)
            walk_states(d, element, body[end], g->by_state[end], &g->rates[end]);
    for (int i = 0; i < element->state_count; i++)
        for (int k = 0; k < element->state_count; k++)
            kane_derive_emit(d, element->state + i, element->state + k, g->own[i][k]);
}

// All entries in a fixed order: groups of links, clusters, rates of coordinates, states of elements.
void kane_derive_walk(kane_derivative *d)
{
    const kane_model *model = d->model;
    d->next                 = 0;
    for (int group = 0; group < kane_derive_map_count(d->map); group++)
        walk_group(d, &d->groups[group]);
    for (int c = 0; c < model->cluster_count; c++)
        kane_derive_walk_cluster(d, c);
    for (int i = 0; i < model->tree.link_count; i++)
        walk_rates(d, i);
    for (int i = 0; i < model->stateful_count; i++)
        walk_element(d, &model->elements[model->stateful[i]], &d->states[i]);
}

// Derivatives of the wrenches at mass centres.
static kane_status derive_wrenches(kane_derivative *d)
{
    const kane_model *model = d->model;
    int next                = 0;            // of the elements with states
    for (int p = 0; p < d->pair_count; p++) // the others are not read
        memset(&d->wrench[d->pair_of[p]], 0, sizeof *d->wrench);
    for (int e = 0; e < model->element_count; e++) {
        kane_state_gradient *own = model->elements[e].state_count > 0 ? &d->states[next++] : NULL;
        const kane_status status = kane_element_derive(model, d->work, e, d->wrench, own);
        if (status != KANE_OK)
            return status;
    }
    for (int i = 0; i < model->actuator_count; i++)
        kane_actuator_derive(model, d->work, i, d->wrench);
    kane_panels_derive(model, d->wrench);
    return kane_wheels_derive(model, d->work, d->wrench);
}

// Order: wrenches at mass centres, rails, hand_over of pairs, constraints, accelerations of trees, rates of
// coordinates, response of rails, deformable bodies, clusters; then the values of all entries. Needs kane_eval at the
// same state.
kane_status kane_derive(const kane_model *model, kane_work *work, kane_derivative *d, const int *at, double *values)
{
    d->work   = work;
    d->at     = at;
    d->values = values;
    kane_modes_kinematics(model, work);
    kane_status status = derive_wrenches(d);
    if (status == KANE_OK)
        status = kane_rails_derive(d);
    if (status != KANE_OK)
        return status;
    memset(d->acting, 0, (size_t)model->tree.link_count * sizeof *d->acting);
    for (int k = 0; k < model->loaded_count; k++)
        d->acting[model->loaded[k]] = kane_body_acting(model, work, model->loaded[k]);
    for (int p = 0; p < d->pair_count; p++) // before constraints, whose wrenches are about the origins: no arms turn
        hand_over(d, p, d->wrench);
    kane_constraints_apply(model, work, d->acting);
    kane_flex_rows_subtract(model, work, d->acting);
    kane_tree_derive(d->map, d->sweep, &work->tree, work->base, d->acting, d->gradients, d->map_values);
    kane_tree_derive_rates(d->rates, d->sweep, &work->tree, work->base, d->rates_values);
    kane_flex_rows_derive(d);
    status = kane_rails_correct_rows(d);
    if (status != KANE_OK)
        return status;
    kane_derive_clusters(d);
    kane_derive_walk(d);
    return KANE_OK;
}

// Wrench of inertia at a mass centre for one more m/s^2 of the frame along the line, frame axes, kept parts:
//   force -m (g_a + g_eps x r),   torque -J g_eps,   g_a, g_eps: kane_frame_gain (on the line e_x, Omega)
static kane_wrench inertia_per_frame_accel(const kane_model *model, const kane_work *work, int j)
{
    const kane_body *body     = &model->bodies[j];
    const kane_body_state *b  = &work->body[j];
    const kane_inertia J      = kane_body_inertia(body, b);
    const kane_wrench gain    = kane_frame_gain(model, work, body->frame);
    const kane_vec3 straight  = kv3_mul(body->keep[KANE_FORCE][KANE_TRANSLATION], gain.force);
    const kane_vec3 turning   = kv3_mul(body->keep[KANE_FORCE][KANE_ROTATION], kv3_cross(gain.torque, b->r));
    const kane_vec3 resisting = kv3_mul(body->keep[KANE_TORQUE][KANE_ROTATION], kane_inertia_mul(&J, gain.torque));
    return (kane_wrench){kv3_scale(-body->mass, kv3_add(straight, turning)), kv3_neg(resisting)};
}

// Derivative of the accelerations by the frames' acceleration a: response to these wrenches, with rails and loops.
void kane_derive_travel(const kane_model *model, kane_work *work, kane_derivative *d, double *by_a)
{
    d->work = work;
    memset(d->applied, 0, (size_t)model->tree.link_count * sizeof *d->applied);
    for (int i = 0; i < model->tree.link_count; i++) {
        kane_body_kinematics(model, work, i);
        d->applied[i] = kane_derive_about_origin(d, i, inertia_per_frame_accel(model, work, model->link_body[i]));
    }
    for (int i = 0; i < model->deformation_count; i++) {
        kane_wrench *carrier = &d->applied[model->tree.flexes[model->deformations[i].flex].carrier];
        *carrier             = kw_add(*carrier, kane_modes_gain(model, work, i));
    }
    for (int c = 0; c < model->cluster_count; c++)
        kane_derive_travel_cluster(d, c, by_a);
    for (int r = 0; r < model->tree_count; r++)
        kane_tree_respond(&model->tree, model->trees[r], &work->tree, d->applied, d->response, d->v_dot);
    kane_rails_correct_travel(d, d->v_dot); // panels of flexible track are trees of their own
    for (int r = 0; r < model->tree_count; r++) {
        for (int i = model->trees[r].first; i < model->trees[r].end; i++) {
            for (int v = model->tree.links[i].v; v < model->tree.links[i].v + model->tree.links[i].v_count; v++)
                if (d->v_place[v] >= 0)
                    by_a[d->v_place[v]] = d->v_dot[v];
        }
    }
}
