// SPDX-License-Identifier: MIT
// Guided wheelsets in the Jacobian (rail_constraint.c): normal forces respond to every change of acceleration, so that
// the gaps stay closed,
//
//   d(V_dot) = dV_0 - gain inverse (direction . dV_0 + d(bias))        dV_0: with normal forces held
//
// and where tables guide them four states of the link, z, roll, v_z and w_x, follow from those in y.

#include "agem/derive_parts.h"

#include "math/dense.h"
#include "tree/flex.h"

#include <string.h>

// State of the tree of a local state of the link: coordinates, then speeds.
static int state_of(const kane_derivative *d, int link, int local)
{
    const kane_tree *tree = &d->model->tree;
    return local < KANE_COORDINATES ? tree->links[link].q + local
                                    : tree->q_count + tree->links[link].v + local - KANE_COORDINATES;
}

// Link of the wheelset of a gap.
static int link_of(const kane_derivative *d, const kane_rails_map *r, int gap)
{
    return d->model->bodies[d->model->wheels[r->wheels[gap / 2]].body].link;
}

// Link of an end of wheelset k of a group; -1: there is no panel.
static int link_of_end(const kane_derivative *d, const kane_rails_map *r, int k, kane_rail_end end)
{
    const kane_wheels *wheels = &d->model->wheels[r->wheels[k]];
    if (end == KANE_RAIL_WHEELSET)
        return d->model->bodies[wheels->body].link;
    return wheels->panel < 0 ? -1 : d->model->bodies[wheels->panel].link;
}

// Accelerations of all that inertia couples to the wheelsets, by states of the tree: of deformable bodies those of
// modes.
static kane_derived_group rows_of_tree(const kane_derivative *d, const kane_rails_map *r)
{
    const kane_derive_rows rows = kane_derive_map_rows(d->map, r->group);
    if (r->flex_group >= 0)
        return d->flex_rows->rows[r->flex_group];
    return (kane_derived_group){rows.row_count, rows.column_count, rows.rows, rows.columns,
                                d->map_values ? d->map_values + rows.at : NULL};
}

// ... and of panels.
static kane_derived_group rows_of(const kane_derivative *d, const kane_rails_map *r)
{
    return r->with_panels.rows ? r->with_panels : rows_of_tree(d, r);
}

static int has_row(int row_count, const int *rows, int speed)
{
    int found = 0;
    for (int k = 0; k < row_count; k++)
        found |= rows[k] == speed;
    return found;
}

// Rows of a tree's group and of the panels under its wheelsets. Nothing to do on rigid track.
static void join_panels(kane_derivative *d, kane_rails_map *r, kane_arena *arena)
{
    const kane_derived_group tree = rows_of_tree(d, r);
    int *rows = kane_arena_alloc(arena, (size_t)(tree.row_count + d->model->tree.v_count), sizeof *rows);
    int count = tree.row_count;
    if (!rows)
        return;
    memcpy(rows, tree.rows, (size_t)count * sizeof *rows);
    for (int k = 0; k < r->count; k++) {
        const int panel = link_of_end(d, r, k, KANE_RAIL_PANEL);
        for (int v = 0; panel >= 0 && v < d->model->tree.links[panel].v_count; v++)
            rows[count++] = d->model->tree.links[panel].v + v;
        if (panel >= 0)
            d->in_rails[kane_derive_map_group(d->map, panel)] = 1;
    }
    if (count == tree.row_count)
        return;
    d->in_rails[r->flex_group < 0 ? r->group : kane_derive_map_count(d->map) + r->flex_group] = 1;
    r->panel_row                                                                              = tree.row_count;
    r->with_panels = (kane_derived_group){count, tree.column_count, rows, tree.columns,
                                          kane_arena_doubles(arena, (size_t)count * (size_t)tree.column_count)};
}

// Room for `gaps` wheels, and the group whose rows hold a speed of the tree.
static int make_room(kane_derivative *d, kane_rails_map *r, int speed, kane_arena *arena)
{
    const size_t states = (size_t)(d->model->tree.q_count + d->model->tree.v_count);
    for (int g = 0; g < kane_derive_map_count(d->map); g++) {
        const kane_derive_rows rows = kane_derive_map_rows(d->map, g);
        if (has_row(rows.row_count, rows.rows, speed))
            r->group = g;
    }
    for (int g = 0; g < d->flex_rows->group_count; g++)
        if (has_row(d->flex_rows->rows[g].row_count, d->flex_rows->rows[g].rows, speed))
            r->flex_group = g;
    if (r->cluster < 0)
        join_panels(d, r, arena);
    r->row_count      = r->cluster >= 0 ? d->model->clusters[r->cluster].v_count : rows_of(d, r).row_count;
    const size_t gaps = (size_t)r->gaps, rows = (size_t)r->row_count;
    r->gain_u    = kane_arena_doubles(arena, gaps * rows);
    r->direction = kane_arena_doubles(arena, gaps * rows);
    r->gain      = kane_arena_doubles(arena, gaps * rows);
    r->inverse   = kane_arena_doubles(arena, gaps * gaps);
    r->missing   = kane_arena_doubles(arena, gaps);
    r->change    = kane_arena_doubles(arena, gaps);
    r->rows      = kane_arena_doubles(arena, rows);
    r->bias      = kane_arena_doubles(arena, gaps * (2 * states + 4));
    r->lu        = kane_arena_doubles(arena, gaps * gaps);
    r->pivot     = kane_arena_alloc(arena, gaps, sizeof *r->pivot);
    return !kane_arena_failed(arena);
}

// Columns of y of a wheelset that tables guide: its states there but for its spin angle, and those of its panel; four
// states of its link follow from these.
static void index_tables(kane_derivative *d, kane_rails_map *r)
{
    const kane_body *body = &d->model->bodies[d->model->wheels[r->wheels[0]].body];
    for (int k = 0; k < KANE_BODY_STATES; k++) {
        r->column[k]                                  = KANE_BODY_STATES; // nothing asks for it
        d->tables_of[state_of(d, body->link, k)]      = d->rails_count;
        d->local_of_state[state_of(d, body->link, k)] = k;
    }
    for (int f = 0; f < KANE_TABULATED_STATES; f++)
        r->column[kane_rail_constraint_follower[f]] = -1 - f;
    for (int c = 0; c < KANE_COORDINATES + body->u_count; c++) {
        const int local = c < KANE_COORDINATES ? c : KANE_COORDINATES + body->component[c - KANE_COORDINATES];
        if (c == KANE_PITCH || r->column[local] < 0)
            continue;
        r->column[local]            = r->column_count;
        r->state[r->column_count++] = state_of(d, body->link, local);
    }
    r->own_count    = r->column_count;
    const int panel = link_of_end(d, r, 0, KANE_RAIL_PANEL);
    if (panel >= 0)
        r->column_count += kane_derive_states(d, panel, r->state + r->own_count);
}

static int index_group(kane_derivative *d, const kane_rail_group *rails, kane_arena *arena)
{
    kane_rails_map *r = &d->rails[d->rails_count];
    *r                = (kane_rails_map){.count        = rails->count,
                                         .gaps         = 2 * rails->count,
                                         .wheels       = rails->wheels,
                                         .run          = rails->run,
                                         .cluster      = rails->cluster,
                                         .flex_group   = -1,
                                         .is_tabulated = rails->is_tabulated};
    if (rails->cluster >= 0)
        d->rails_of_cluster[rails->cluster] = d->rails_count;
    else
        d->rails_of[rails->root] = d->rails_count;
    if (rails->is_tabulated)
        index_tables(d, r);
    d->rails_count++;
    return make_room(d, r, d->model->tree.links[link_of(d, r, 0)].v, arena);
}

int kane_rails_index(kane_derivative *d, kane_arena *arena)
{
    const kane_model *model = d->model;
    const size_t states     = (size_t)(model->tree.q_count + model->tree.v_count);
    d->rails                = kane_arena_alloc(arena, (size_t)model->wheels_count, sizeof *d->rails);
    d->rails_of             = kane_arena_alloc(arena, (size_t)model->tree.link_count, sizeof *d->rails_of);
    d->rails_of_cluster     = kane_arena_alloc(arena, (size_t)model->cluster_count, sizeof *d->rails_of_cluster);
    d->cluster_v_dot        = kane_arena_doubles(arena, (size_t)model->tree.v_count);
    d->in_rails       = kane_arena_alloc(arena, (size_t)(kane_derive_map_count(d->map) + d->flex_rows->group_count),
                                         sizeof *d->in_rails);
    d->tables_of      = kane_arena_alloc(arena, states, sizeof *d->tables_of);
    d->local_of_state = kane_arena_alloc(arena, states, sizeof *d->local_of_state);
    if (kane_arena_failed(arena))
        return 0;
    for (int i = 0; i < model->tree.link_count; i++)
        d->rails_of[i] = -1;
    for (int c = 0; c < model->cluster_count; c++)
        d->rails_of_cluster[c] = -1;
    for (size_t i = 0; i < states; i++)
        d->tables_of[i] = -1;
    for (int i = 0; i < model->rails_count; i++)
        if (!index_group(d, &model->rails[i], arena))
            return 0;
    return 1;
}

static inline kane_wrench direction_of(const kane_derivative *d, const kane_rails_map *r, int gap)
{
    return d->work->wheels[r->wheels[gap / 2]].guidance.direction[gap % 2];
}

// A wrench of a wheel at the mass centre of its wheelset, or its reaction on the panel.
static inline kane_wrench wrench_on_end(const kane_derivative *d, const kane_rails_map *r, int gap, kane_rail_end end,
                                        kane_wrench wrench)
{
    return end == KANE_RAIL_WHEELSET ? wrench
                                     : kane_rail_reaction(&d->work->wheels[r->wheels[gap / 2]], gap % 2, wrench);
}

// Accelerations of all that is coupled to a wheelset under a wrench of a rail at its mass centre: in d->v_dot.
static void solve_link_response(kane_derivative *d, const kane_rails_map *r, int gap, kane_wrench wrench)
{
    const kane_links panel = kane_panel_links(d->model, r->wheels[gap / 2]);
    const int i            = link_of(d, r, gap);
    memset(d->v_dot, 0, (size_t)d->model->tree.v_count * sizeof *d->v_dot);
    memset(d->applied + r->run.first, 0, (size_t)(r->run.end - r->run.first) * sizeof *d->applied);
    d->applied[i] = kane_derive_about_origin(d, i, wrench);
    kane_tree_respond(&d->model->tree, r->run, &d->work->tree, d->applied, d->response, d->v_dot);
    if (panel.first == panel.end)
        return;
    d->applied[panel.first] = wrench_on_end(d, r, gap, KANE_RAIL_PANEL, wrench);
    kane_tree_respond(&d->model->tree, panel, &d->work->tree, d->applied, d->response, d->v_dot);
}

// v_dot of the group's rows.
static void store_accelerations(const kane_derivative *d, const kane_rails_map *r, double *out)
{
    const int *speeds = rows_of(d, r).rows;
    for (int k = 0; k < r->row_count; k++)
        out[k] = d->v_dot[speeds[k]];
}

// inverse = (direction gain')^-1 [gaps * gaps]; 0: singular.
static int invert_gap_matrix(kane_rails_map *r)
{
    const int n = r->gaps;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int k = 0; k < r->row_count; k++)
                sum += r->direction[i * r->row_count + k] * r->gain[j * r->row_count + k];
            r->lu[i * n + j]      = sum;
            r->inverse[i * n + j] = i == j;
        }
    if (!kane_lu_factor(n, r->lu, r->pivot))
        return 0;
    kane_lu_solve(n, r->lu, r->pivot, n, r->inverse);
    return 1;
}

// direction and gain of a gap of a cluster, with its loops closed.
static void answer_cluster(kane_derivative *d, kane_rails_map *r, int gap, kane_wrench gain)
{
    const kane_tree *tree        = &d->model->tree;
    const kane_cluster *loops    = &d->model->clusters[r->cluster];
    kane_cluster_derivative *own = d->clusters[r->cluster];
    double *direction            = r->direction + gap * r->row_count;
    memset(direction, 0, (size_t)r->row_count * sizeof *direction);
    kane_derive_clear_cluster(d, r->cluster);
    for (int end = 0; end < KANE_RAIL_ENDS; end++) {
        const int link = link_of_end(d, r, gap / 2, end);
        if (link < 0)
            continue;
        const kane_wrench by = wrench_on_end(d, r, gap, end, direction_of(d, r, gap));
        const kane_wrench to = wrench_on_end(d, r, gap, end, gain);
        kane_cluster_apply_wrench(tree, loops, &d->work->tree, link, kane_derive_about_origin(d, link, by), direction);
        kane_cluster_apply_wrench(tree, loops, &d->work->tree, link, kane_derive_about_origin(d, link, to), own->df);
    }
    kane_cluster_respond_all(d->work->cluster[r->cluster], own->df, own->dphi, r->gain_u + gap * r->row_count,
                             r->gain + gap * r->row_count);
}

// direction [gaps * rows]: J' of unit normal forces; gain [gaps * rows]: accelerations under them, with creep forces if
// linear; and the inverse of their product.
static kane_status find_answers(kane_derivative *d, kane_rails_map *r, int linear)
{
    for (int k = 0; k < r->count; k++) {
        kane_wheels_state *w = &d->work->wheels[r->wheels[k]];
        kane_wrench gain[2]  = {w->guidance.direction[0], w->guidance.direction[1]};
        const kane_status status =
            linear ? kane_rail_constraint_linearise(&d->model->wheels[r->wheels[k]], w, gain) : KANE_OK;
        if (status != KANE_OK)
            return status;
        for (int side = 0; side < 2; side++) {
            const int gap = 2 * k + side;
            if (r->cluster >= 0) {
                answer_cluster(d, r, gap, gain[side]);
                continue;
            }
            memset(d->v_dot, 0, (size_t)d->model->tree.v_count * sizeof *d->v_dot);
            for (int end = 0; end < KANE_RAIL_ENDS; end++) {
                const int link = link_of_end(d, r, k, end);
                if (link < 0)
                    continue;
                const kane_wrench by = wrench_on_end(d, r, gap, end, direction_of(d, r, gap));
                kane_tree_spread_wrench(&d->model->tree, NULL, &d->work->tree, link, -1,
                                        kane_derive_about_origin(d, link, by), d->v_dot);
            }
            store_accelerations(d, r, r->direction + gap * r->row_count);
            solve_link_response(d, r, gap, gain[side]);
            store_accelerations(d, r, r->gain + gap * r->row_count);
        }
    }
    return invert_gap_matrix(r) ? KANE_OK : KANE_RETRY;
}

// Change of the motion of a link's body relative to its frame, and of its accelerations with v_dot held, by a state of
// the tree.
static void see_state(kane_derivative *d, int i, int state, kane_vec3 motion[KANE_MOTIONS], kane_wrench *acceleration)
{
    const kane_link_state *s      = &d->work->tree.link[i];
    const kane_moving_frame *base = &d->work->base[d->model->tree.links[i].frame];
    const kane_link_tangent *t    = kane_derive_tangent(d, i, state);
    motion[KANE_TURNS]            = t->turn;
    motion[KANE_SPINS]            = t->w;
    if (d->model->tree.links[i].is_free_body) { // its speeds are those against the frame
        motion[KANE_MOVES]  = t->shift;
        motion[KANE_SPEEDS] = kv3_sub(t->v, kv3_cross(base->w, t->shift));
        *acceleration       = (kane_wrench){kv3_zero(), kv3_zero()};
        return;
    }
    const kane_vec3 arm = km3_mulv(s->R, d->model->tree.links[i].c), darm = kv3_cross(t->turn, arm);
    const kane_vec3 move = kv3_add(t->shift, darm), spin = kv3_add(kv3_cross(t->w, arm), kv3_cross(s->w, darm));
    const kane_vec3 v       = kv3_sub(kv3_add(t->v, spin), kv3_cross(base->w, move));
    kane_vec3 a             = kv3_add(t->a, kv3_add(kv3_cross(t->al, arm), kv3_cross(kv3_add(s->al, s->dal), darm)));
    a                       = kv3_add(a, kv3_add(kv3_cross(t->w, kv3_cross(s->w, arm)), kv3_cross(s->w, spin)));
    const kane_vec3 carried = kv3_cross(base->w, kv3_add_scaled(kv3_cross(base->w, move), 2.0, v));
    motion[KANE_MOVES]      = move;
    motion[KANE_SPEEDS]     = v;
    *acceleration           = (kane_wrench){kv3_sub(a, kv3_add(kv3_cross(base->al, move), carried)),
                                            kv3_sub(t->al, kv3_cross(base->w, t->w))};
}

// sum slope_k . motion_k
static double directional_derivative(const kane_vec3 slope[KANE_MOTIONS], const kane_vec3 motion[KANE_MOTIONS])
{
    double sum = 0.0;
    for (int m = 0; m < KANE_MOTIONS; m++)
        sum += kv3_dot(slope[m], motion[m]);
    return sum;
}

// w.(v, turn)
static double wrench_power(kane_wrench w, kane_vec3 v, kane_vec3 turn)
{
    return kv3_dot(w.force, v) + kv3_dot(w.torque, turn);
}

// Adds derivatives of the rails' wrenches, those of a wheelset from relative motion and frame axes to absolute motion
// and world axes; a panel knows its section only.
static void hand_on(kane_derivative *d, int wheels)
{
    const kane_wheels *at                          = &d->model->wheels[wheels];
    const kane_transport *T                        = &d->work->transport[d->model->bodies[at->body].frame];
    const int pair[KANE_RAIL_ENDS][KANE_RAIL_ENDS] = {{at->body, at->pair[0]}, {at->pair[1], at->panel}};
    const int ends                                 = at->panel < 0 ? 1 : KANE_RAIL_ENDS;
    for (int on = 0; on < ends; on++)
        for (int by = 0; by < ends; by++) {
            kane_gradient g         = d->slopes[wheels].wrench[on][by];
            kane_mat3 *const kind[] = {g.force, g.torque};
            for (int k = 0; k < 2; k++) {
                if (by == KANE_RAIL_WHEELSET)
                    kg_sub(&kind[k][KANE_MOVES], kg_times_skew(kind[k][KANE_SPEEDS], T->omega));
                for (int m = 0; m < KANE_MOTIONS; m++) {
                    if (on == KANE_RAIL_WHEELSET)
                        kind[k][m] = km3_mul(T->R, kind[k][m]);
                    if (by == KANE_RAIL_WHEELSET)
                        kind[k][m] = km3_mul(kind[k][m], km3_transpose(T->R));
                }
            }
            kg_add_all(&d->wrench[pair[on][by]], &g);
        }
}

// Derivatives of both gaps' accelerations of wheelset k by a state of the tree that moves an end, v_dot held:
//   bias_g = slope.motion + direction_g.(a, al)
static void find_gap_bias(kane_derivative *d, const kane_rails_map *r, int k, kane_rail_end end, int state,
                          double bias[2])
{
    const kane_rail_constraint_slopes *slopes = &d->slopes[r->wheels[k]];
    kane_vec3 motion[KANE_MOTIONS];
    kane_wrench a;
    see_state(d, link_of_end(d, r, k, end), state, motion, &a);
    for (int side = 0; side < 2; side++)
        bias[side] =
            directional_derivative(slopes->bias[end][side], motion) +
            wrench_power(wrench_on_end(d, r, 2 * k + side, end, direction_of(d, r, 2 * k + side)), a.force, a.torque);
}

// Derivatives of both gaps of wheelset k and of their rates by such a state:  slope.motion, where a gap changes by a
// displacement and rotation as its rate does by a velocity and angular velocity.
static void find_gap_change(kane_derivative *d, const kane_rails_map *r, int k, kane_rail_end end, int state,
                            double gap[2], double rate[2])
{
    const kane_rail_constraint_slopes *slopes = &d->slopes[r->wheels[k]];
    kane_vec3 motion[KANE_MOTIONS];
    kane_wrench a;
    see_state(d, link_of_end(d, r, k, end), state, motion, &a);
    for (int side = 0; side < 2; side++) {
        const kane_vec3 *slope = slopes->rate[end][side];
        gap[side]  = kv3_dot(slope[KANE_SPEEDS], motion[KANE_MOVES]) + kv3_dot(slope[KANE_SPINS], motion[KANE_TURNS]);
        rate[side] = directional_derivative(slope, motion);
    }
}

// States of the tree that move an end of wheelset k, into d->row_states. Returns how many.
static int list_states(kane_derivative *d, const kane_rails_map *r, int k, kane_rail_end end)
{
    const int link = link_of_end(d, r, k, end);
    return link < 0 ? 0 : kane_derive_states(d, link, d->row_states);
}

// by [states * gaps]: adds derivatives by states of points of deformable bodies, times G, to those by modes.
static void fold_points(const kane_derivative *d, const kane_rails_map *r, int gaps, double *by)
{
    const kane_tree *tree = &d->model->tree;
    const int q           = tree->q_count;
    for (int t = 0; t < tree->flex_count && r->flex_group >= 0 && r->cluster < 0; t++) {
        const kane_flex *flex = &tree->flexes[t];
        for (int row = 0; row < 6 * flex->member_count; row++) {
            const kane_link *point   = &tree->links[flex->members[row / 6]];
            const double *G          = kane_flex_row(flex, flex->members[row / 6], row % 6);
            const double *coordinate = by + (point->q + row % 6) * gaps, *speed = by + (q + point->v + row % 6) * gaps;
            for (int k = 0; k < flex->count; k++)
                for (int g = 0; g < gaps; g++) {
                    by[(flex->q + k) * gaps + g] += G[k] * coordinate[g];
                    by[(q + flex->v + k) * gaps + g] += G[k] * speed[g];
                }
        }
    }
}

// States by which the gaps of a group are differentiated, and which one a state of the tree is: those of its cluster,
// else of the tree.
static int count_states(const kane_derivative *d, const kane_rails_map *r)
{
    return r->cluster >= 0 ? d->clusters[r->cluster]->state_count : d->model->tree.q_count + d->model->tree.v_count;
}

static int index_of_state(const kane_derivative *d, const kane_rails_map *r, int state)
{
    return r->cluster >= 0 ? d->clusters[r->cluster]->local[state] : state;
}

// by [states * gaps] = 0; returns its end.
static double *clear_states(const kane_derivative *d, const kane_rails_map *r, double *by)
{
    const int size = count_states(d, r) * r->gaps;
    memset(by, 0, (size_t)size * sizeof *by);
    return by + size;
}

// bias [states * gaps]: accelerations of the gaps, v_dot held.
static void find_bias(kane_derivative *d, kane_rails_map *r)
{
    (void)clear_states(d, r, r->bias);
    for (int k = 0; k < r->count; k++)
        for (int end = 0; end < KANE_RAIL_ENDS; end++) {
            const int count = list_states(d, r, k, end);
            for (int n = 0; n < count; n++) {
                const int at = index_of_state(d, r, d->row_states[n]) * r->gaps + 2 * k;
                find_gap_bias(d, r, k, end, d->row_states[n], r->bias + at);
            }
        }
    fold_points(d, r, r->gaps, r->bias);
}

// Derivatives of the gaps, r->bias, and of their rates, returned [states * gaps].
static double *find_openings(kane_derivative *d, const kane_rails_map *r)
{
    double *rate = clear_states(d, r, r->bias);
    (void)clear_states(d, r, rate);
    for (int k = 0; k < r->count; k++)
        for (int end = 0; end < KANE_RAIL_ENDS; end++) {
            const int count = list_states(d, r, k, end);
            for (int n = 0; n < count; n++) {
                const int at = index_of_state(d, r, d->row_states[n]) * r->gaps + 2 * k;
                find_gap_change(d, r, k, end, d->row_states[n], r->bias + at, rate + at);
            }
        }
    fold_points(d, r, r->gaps, r->bias);
    fold_points(d, r, r->gaps, rate);
    return rate;
}

// Inverse of the derivatives of both gaps by two states. 0: singular.
static int invert_slopes(const double first[2], const double second[2], double inverse[2][2])
{
    for (int g = 0; g < 2; g++) {
        inverse[g][0] = first[g];
        inverse[g][1] = second[g];
    }
    return kane_rail_constraint_invert(inverse);
}

// Slopes of z, roll, v_z, w_x of a wheelset guided by tables, by its columns: they keep gaps and their rates zero,
//   d(z, roll) = -close d(gaps),   d(v_z, w_x) = -slow (d(rates) + rates by d(z, roll))
static kane_status find_followers(kane_derivative *d, kane_rails_map *r)
{
    const int link = link_of(d, r, 0);
    double open[KANE_TABULATED_STATES][2], rate[KANE_TABULATED_STATES][2], close[2][2], slow[2][2];
    for (int f = 0; f < KANE_TABULATED_STATES; f++)
        find_gap_change(d, r, 0, KANE_RAIL_WHEELSET, state_of(d, link, kane_rail_constraint_follower[f]), open[f],
                        rate[f]);
    if (!invert_slopes(open[0], open[1], close) || !invert_slopes(rate[2], rate[3], slow))
        return KANE_RETRY;
    for (int k = 0; k < r->column_count; k++) {
        const kane_rail_end end = k < r->own_count ? KANE_RAIL_WHEELSET : KANE_RAIL_PANEL;
        double gap[2], by[2], place[2];
        find_gap_change(d, r, 0, end, r->state[k], gap, by);
        for (int i = 0; i < 2; i++)
            r->slope[i][k] = place[i] = -(close[i][0] * gap[0] + close[i][1] * gap[1]);
        for (int g = 0; g < 2; g++)
            by[g] += rate[0][g] * place[0] + rate[1][g] * place[1];
        for (int i = 0; i < 2; i++)
            r->slope[2 + i][k] = -(slow[i][0] * by[0] + slow[i][1] * by[1]);
    }
    return KANE_OK;
}

static kane_status report_rails(const kane_derivative *d, const kane_rails_map *r, kane_status status)
{
    const kane_wheels *wheels = &d->model->wheels[r->wheels[0]];
    return kane_rail_constraint_report(d->work, status, wheels, &d->model->bodies[wheels->body]);
}

// Needs the wheels' motion and normal forces of the evaluation.
kane_status kane_rails_derive(kane_derivative *d)
{
    for (int i = 0; i < d->rails_count; i++) {
        kane_rails_map *r  = &d->rails[i];
        kane_status status = KANE_OK;
        for (int k = 0; k < r->count && status == KANE_OK; k++) {
            status = kane_rail_constraint_derive(d->model, d->work, r->wheels[k], &d->slopes[r->wheels[k]]);
            hand_on(d, r->wheels[k]);
        }
        if (status == KANE_OK)
            status = find_answers(d, r, 1);
        if (status != KANE_OK)
            return report_rails(d, r, status);
    }
    return KANE_OK;
}

// dN = -inverse missing, into r->change.
static void find_change(const kane_rails_map *r)
{
    const int n = r->gaps;
    for (int g = 0; g < n; g++) {
        double change = 0.0;
        for (int h = 0; h < n; h++)
            change -= r->inverse[g * n + h] * r->missing[h];
        r->change[g] = change;
    }
}

// Adds the response of the rails to a column of accelerations of the group, `stride` apart:
//   missing = bias + direction rows,   rows += gain' dN
static void add_rail_response(const kane_rails_map *r, const double *bias, double *rows, int stride)
{
    const int n = r->gaps;
    for (int g = 0; g < n; g++) {
        r->missing[g] = bias ? bias[g] : 0.0;
        for (int k = 0; k < r->row_count; k++)
            r->missing[g] += r->direction[g * r->row_count + k] * rows[k * stride];
    }
    find_change(r);
    for (int g = 0; g < n; g++)
        for (int k = 0; k < r->row_count; k++)
            rows[k * stride] += r->change[g] * r->gain[g * r->row_count + k];
}

// Adds the response of a cluster to the change of normal forces in r->change to du_dot, whose rows are `stride` apart.
static void add_cluster_response(const kane_rails_map *r, int u_count, double *du_dot, int stride)
{
    for (int g = 0; g < r->gaps; g++)
        for (int k = 0; k < u_count; k++)
            du_dot[k * stride] += r->change[g] * r->gain_u[g * r->row_count + k];
}

void kane_rails_correct_cluster(kane_derivative *d, int cluster)
{
    kane_cluster_derivative *own = d->clusters[cluster];
    if (d->rails_of_cluster[cluster] < 0)
        return;
    const kane_rails_map *r = &d->rails[d->rails_of_cluster[cluster]];
    kane_cluster_derive_speeds(d->work->cluster[cluster], own);
    for (int t = 0; t < own->term_count; t++) {
        const int state = own->local[own->term[t]];
        add_rail_response(r, state < own->state_count ? r->bias + state * r->gaps : NULL, own->v_dot + t,
                          own->term_count);
        add_cluster_response(r, d->model->clusters[cluster].u_count, own->du_dot + t, own->term_count);
    }
}

// du_dot of the loops, then  missing = bias + direction dv_dot,   du_dot += gain_u' dN.
void kane_rails_respond_cluster(kane_derivative *d, int cluster, const double *bias, double *du_dot)
{
    kane_cluster_derivative *own = d->clusters[cluster];
    if (d->rails_of_cluster[cluster] < 0) {
        kane_cluster_respond(d->work->cluster[cluster], own->df, own->dphi, du_dot);
        return;
    }
    const kane_rails_map *r = &d->rails[d->rails_of_cluster[cluster]];
    kane_cluster_respond_all(d->work->cluster[cluster], own->df, own->dphi, du_dot, d->cluster_v_dot);
    add_rail_response(r, bias, d->cluster_v_dot, 1);
    add_cluster_response(r, d->model->clusters[cluster].u_count, du_dot, 1);
}

const kane_rails_map *kane_rails_on_panels(const kane_derivative *d, int link)
{
    const int rails = d->rails_of[d->root_of[link]];
    return rails < 0 || !d->rails[rails].with_panels.rows ? NULL : &d->rails[rails];
}

void kane_rails_walk(kane_derivative *d)
{
    for (int i = 0; i < d->rails_count; i++)
        if (d->rails[i].with_panels.rows)
            kane_derive_emit_group(d, &d->rails[i].with_panels);
}

// Values of the rows of a group with panels, normal forces held: those of the tree's group, then those of panels by the
// columns of the former.
static void read_rows_with_panels(kane_derivative *d, kane_rails_map *r)
{
    const kane_derived_group tree = rows_of_tree(d, r), all = r->with_panels;
    const int panel_rows = all.row_count - r->panel_row, columns = all.column_count;
    int next = 0; // panel row
    memcpy(all.values, tree.values, (size_t)(tree.row_count * columns) * sizeof *all.values);
    (void)clear_states(d, r, r->bias);
    (void)clear_states(d, r, r->bias + (d->model->tree.q_count + d->model->tree.v_count) * r->gaps);
    for (int k = 0; k < r->count; k++) {
        const int panel = link_of_end(d, r, k, KANE_RAIL_PANEL);
        if (panel < 0)
            continue;
        const kane_derive_rows rows = kane_derive_map_rows(d->map, kane_derive_map_group(d->map, panel));
        const double *values        = d->map_values + rows.at;
        for (int i = 0; i < rows.row_count; i++, next++)
            for (int c = 0; c < rows.column_count; c++)
                r->bias[rows.columns[c] * panel_rows + next] += values[i * rows.column_count + c];
    }
    fold_points(d, r, panel_rows, r->bias);
    for (int i = 0; i < panel_rows; i++)
        for (int c = 0; c < columns; c++)
            all.values[(r->panel_row + i) * columns + c] = r->bias[all.columns[c] * panel_rows + i];
}

// v_dot += gain' dN  for the rows of the group.
void kane_rails_correct(const kane_derivative *d, int link, const double *bias, double *v_dot)
{
    const int rails = d->rails_of[d->root_of[link]];
    if (rails < 0)
        return;
    const kane_rails_map *r = &d->rails[rails];
    const int *speeds       = rows_of(d, r).rows;
    for (int k = 0; k < r->row_count; k++)
        r->rows[k] = v_dot[speeds[k]];
    add_rail_response(r, bias, r->rows, 1);
    for (int k = 0; k < r->row_count; k++)
        v_dot[speeds[k]] = r->rows[k];
}

// Accelerations of the gaps for one more m/s^2 of the track frames, into r->change:  direction.(g_a + g_eps x r,
// g_eps).
static void find_travel_bias(const kane_derivative *d, const kane_rails_map *r)
{
    for (int g = 0; g < r->gaps; g++) {
        const int j            = d->model->wheels[r->wheels[g / 2]].body;
        const kane_wrench gain = kane_frame_gain(d->model, d->work, d->model->bodies[j].frame);
        const kane_vec3 there  = kv3_add(gain.force, kv3_cross(gain.torque, d->work->body[j].r));
        r->change[g]           = wrench_power(direction_of(d, r, g), there, gain.torque);
    }
}

const double *kane_rails_cluster_travel(kane_derivative *d, int cluster)
{
    if (d->rails_of_cluster[cluster] < 0)
        return NULL;
    find_travel_bias(d, &d->rails[d->rails_of_cluster[cluster]]);
    return d->rails[d->rails_of_cluster[cluster]].change;
}

void kane_rails_correct_travel(const kane_derivative *d, int link, double *v_dot)
{
    if (d->rails_of[link] < 0)
        return;
    find_travel_bias(d, &d->rails[d->rails_of[link]]);
    kane_rails_correct(d, link, d->rails[d->rails_of[link]].change, v_dot);
}

// Slopes of tables; bias and response of every column of the groups; bias of clusters.
kane_status kane_rails_correct_rows(kane_derivative *d)
{
    for (int i = 0; i < d->rails_count; i++) {
        kane_rails_map *r             = &d->rails[i];
        const kane_derived_group rows = rows_of(d, r);
        const kane_status status      = r->is_tabulated ? find_followers(d, r) : KANE_OK;
        if (status != KANE_OK)
            return report_rails(d, r, status);
        if (r->with_panels.rows)
            read_rows_with_panels(d, r);
        find_bias(d, r);
        for (int c = 0; c < rows.column_count && r->cluster < 0; c++) // rows of clusters come later
            add_rail_response(r, r->bias + rows.columns[c] * r->gaps, rows.values + c, rows.column_count);
    }
    return KANE_OK;
}

// --- their projection ---
//
// d(projected state)/d(state) of a state on the rails (kane_rail_groups_project). With
//   Z = Theta^-1 direction,   m_ij = direction_i . Z_j
// a displacement that opens the gaps by dg is corrected by -Z m^-1 dg; speeds by -Z m^-1 d(rate), the rate at the
// projected coordinates.

// -Z m^-1 missing, into d->v_dot.
static void bring_back(kane_derivative *d, const kane_rails_map *r, const double *missing)
{
    const kane_derived_group rows = rows_of(d, r);
    for (int k = 0; k < r->row_count; k++)
        r->rows[k] = 0.0;
    memset(d->v_dot, 0, (size_t)d->model->tree.v_count * sizeof *d->v_dot);
    add_rail_response(r, missing, r->rows, 1);
    for (int k = 0; k < r->row_count; k++)
        d->v_dot[rows.rows[k]] = r->rows[k];
}

// Adds a change dq of a coordinate of the tree to a column of P, and its effect on the rates of the gaps to `rate`.
static void move_coordinate(const kane_derivative *d, const kane_rails_map *r, const double *by_state, int coordinate,
                            double dq, double *column, double *rate)
{
    if (dq == 0.0 || d->q_place[coordinate] < 0)
        return;
    column[d->q_place[coordinate]] += dq;
    for (int g = 0; g < r->gaps; g++)
        rate[g] += by_state[coordinate * r->gaps + g] * dq;
}

// Adds Q d->v_dot of a link's coordinates to a column of P, and its effect on the rates of the gaps to `rate`.
static void move_coordinates(const kane_derivative *d, const kane_rails_map *r, const double *by_state, int link,
                             double *column, double *rate)
{
    const kane_derive_rows rows = kane_rates_map_rows(d->rates, link);
    const kane_link *own        = &d->model->tree.links[link];
    const double *Q             = d->rates_values + rows.at;
    const int q_count           = d->model->tree.q_count;
    for (int k = 0; k < 3 && own->is_free_body; k++) // its speeds are the rates of its place
        move_coordinate(d, r, by_state, own->q + k, d->v_dot[own->v + k], column, rate);
    for (int k = 0; k < rows.row_count; k++) {
        double dq = 0.0;
        for (int c = 0; c < rows.column_count; c++)
            if (rows.columns[c] >= q_count)
                dq += Q[k * rows.column_count + c] * d->v_dot[rows.columns[c] - q_count];
        move_coordinate(d, r, by_state, rows.rows[k], dq, column, rate);
    }
}

// One column of P: the state, the correction of coordinates, then that of speeds. by_state: derivatives of the rates of
// the gaps (find_openings).
static void project_state(kane_derivative *d, const kane_rails_map *r, const double *by_state, int state, double *P)
{
    const int q_count             = d->model->tree.q_count;
    const int place               = state < q_count ? d->q_place[state] : d->v_place[state - q_count];
    const kane_derived_group rows = rows_of(d, r);
    if (place < 0) // of a point of a deformable body, whose modes are in y
        return;
    double *column = P + (size_t)place * (size_t)d->model->state_count;
    double *rate   = r->bias + 2 * (q_count + d->model->tree.v_count) * r->gaps;
    memcpy(rate, by_state + state * r->gaps, (size_t)r->gaps * sizeof *rate);
    if (state < q_count) {
        bring_back(d, r, r->bias + state * r->gaps);
        for (int i = r->run.first; i < r->run.end; i++)
            move_coordinates(d, r, by_state, i, column, rate);
        for (int k = 0; k < r->count; k++)
            if (link_of_end(d, r, k, KANE_RAIL_PANEL) >= 0)
                move_coordinates(d, r, by_state, link_of_end(d, r, k, KANE_RAIL_PANEL), column, rate);
    }
    bring_back(d, r, rate);
    for (int k = 0; k < r->row_count; k++)
        column[d->v_place[rows.rows[k]]] += d->v_dot[rows.rows[k]];
}

// Derivatives of a cluster's gaps by its columns of y: D' open.
static void derive_cluster_gaps(kane_derivative *d, const kane_rails_map *r, double *gaps)
{
    const kane_cluster_derivative *own = d->clusters[r->cluster];
    (void)find_openings(d, r); // r->bias is found anew for every Jacobian
    memset(gaps, 0, (size_t)(r->gaps * d->model->state_count) * sizeof *gaps);
    for (int c = 0; c < own->q_count; c++)
        for (int s = 0; s < own->q_count; s++)
            for (int g = 0; g < r->gaps; g++)
                gaps[g * d->model->state_count + kane_derive_column(d, r->cluster, c)] +=
                    kane_cluster_slope(own, s, c) * r->bias[s * r->gaps + g];
}

// Derivatives of all gaps by y [gaps * state_count], of wheelsets that tables do not guide.
void kane_rails_derive_gaps(kane_derivative *d, double *gaps)
{
    for (int i = 0; i < d->rails_count; i++) {
        kane_rails_map *r             = &d->rails[i];
        const kane_derived_group rows = rows_of(d, r);
        if (r->is_tabulated)
            continue;
        if (r->cluster >= 0) {
            derive_cluster_gaps(d, r, gaps);
            gaps += r->gaps * d->model->state_count;
            continue;
        }
        memset(gaps, 0, (size_t)(r->gaps * d->model->state_count) * sizeof *gaps);
        (void)find_openings(d, r);
        for (int c = 0; c < rows.column_count; c++) {
            const int state = rows.columns[c];
            if (state >= d->model->tree.q_count || d->state_cluster[state] >= 0)
                continue;
            for (int g = 0; g < r->gaps; g++)
                gaps[g * d->model->state_count + d->q_place[state]] = r->bias[state * r->gaps + g];
        }
        gaps += r->gaps * d->model->state_count;
    }
}

// dN for the gaps, or their rates, that a column of P opens, into r->change.
//   by  derivatives of gaps by the states of the tree [state_count * gaps]
static void find_column_change(const kane_rails_map *r, const kane_cluster_derivative *own, const double *by,
                               const double *column)
{
    memset(r->missing, 0, (size_t)r->gaps * sizeof *r->missing);
    for (int s = 0; s < own->state_count; s++) {
        double state = 0.0;
        for (int i = 0; i < own->column_count; i++)
            state += kane_cluster_slope(own, s, i) * column[i];
        for (int g = 0; g < r->gaps; g++)
            r->missing[g] += by[s * r->gaps + g] * state;
    }
    find_change(r);
}

// The projection of loops once more; coefficients need none. Scratch old [column_count].
static void project_on_loops(const kane_cluster *loops, const kane_cluster_derivative *own, double *old, double *column)
{
    memcpy(old, column, (size_t)own->column_count * sizeof *old);
    for (int i = 0; i < own->column_count && loops->form == KANE_FORM_MULTIPLIERS; i++) {
        column[i] = 0.0;
        for (int j = 0; j < own->state_count; j++)
            column[i] += own->projection[j * own->state_count + i] * old[j];
    }
}

// Corrects a column of P: coordinates by the rails, the loops' projection again, then speeds by the rails.
//   open  derivatives of gaps by states, then those of their rates
static void project_column(const kane_rails_map *r, const kane_cluster *loops, const kane_cluster_derivative *own,
                           int is_coordinate, const double *open, double *old, double *column)
{
    const double *rate = open + own->state_count * r->gaps;
    const int q        = own->q_count;
    if (is_coordinate) {
        find_column_change(r, own, open, column);
        for (int g = 0; g < r->gaps; g++)
            for (int k = 0; k < q; k++)
                for (int v = 0; v < loops->v_count; v++)
                    column[k] += r->change[g] * own->Q[k * loops->v_count + v] * r->gain[g * r->row_count + v];
        project_on_loops(loops, own, old, column);
    }
    find_column_change(r, own, rate, column);
    for (int g = 0; g < r->gaps; g++)
        for (int u = 0; u < loops->u_count; u++)
            column[q + u] += r->change[g] * r->gain_u[g * r->row_count + u];
}

// P = P_v (rails) P (loops) P_q (rails) P (loops), by columns
static void project_cluster(kane_derivative *d, kane_rails_map *r, double *P)
{
    const kane_cluster_derivative *own = d->clusters[r->cluster];
    const kane_cluster *loops          = &d->model->clusters[r->cluster];
    const int m                        = own->column_count;
    double *column = d->row_values, *old = column + m;
    (void)find_openings(d, r);
    for (int c = 0; c < m; c++) {
        memset(column, 0, (size_t)m * sizeof *column);
        column[c] = 1.0;
        project_on_loops(loops, own, old, column);
        project_column(r, loops, own, c < own->q_count, r->bias, old, column);
        for (int i = 0; i < m; i++)
            P[(size_t)kane_derive_column(d, r->cluster, c) * (size_t)d->model->state_count +
              (size_t)kane_derive_column(d, r->cluster, i)] = column[i];
    }
}

// Runs: a column for each state; clusters: with their loops' projection. Tables need no projection.
kane_status kane_rails_derive_projection(kane_derivative *d, double *P)
{
    for (int i = 0; i < d->rails_count; i++) {
        kane_rails_map *r = &d->rails[i];
        if (r->is_tabulated)
            continue;
        const kane_derived_group rows = rows_of(d, r);
        const kane_status status      = find_answers(d, r, 0);
        if (status != KANE_OK)
            return status;
        if (r->cluster >= 0) {
            project_cluster(d, r, P);
            continue;
        }
        const double *by_state = find_openings(d, r);
        for (int c = 0; c < rows.column_count; c++)
            if (d->state_cluster[rows.columns[c]] < 0) // nothing moves it that is in a loop
                project_state(d, r, by_state, rows.columns[c], P);
    }
    return KANE_OK;
}
