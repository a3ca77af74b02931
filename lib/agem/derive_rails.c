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

// Link of an end of wheelset k of a group; -1: there is no panel.
static int link_of_end(const kane_derivative *d, const kane_rails_map *r, int k, kane_rail_end end)
{
    const kane_wheels *wheels = &d->model->wheels[r->of->wheels[k]];
    if (end == KANE_RAIL_WHEELSET)
        return kane_wheels_link(d->model, r->of->wheels[k]);
    return wheels->panel < 0 ? -1 : d->model->bodies[wheels->panel].link;
}

// The rows of the panels under its wheelsets join those of a tree's group, by the columns of the latter, which include
// all that moves panels. Nothing to do on rigid track.
static void join_panels(kane_derivative *d, kane_rails_map *r, kane_arena *arena)
{
    kane_derived_group *all = &d->groups[r->group];
    int count               = all->row_count;
    int *rows               = kane_arena_alloc(arena, (size_t)(count + d->model->tree.v_count), sizeof *rows);
    r->tree                 = *all;
    if (!rows)
        return;
    memcpy(rows, all->rows, (size_t)count * sizeof *rows);
    for (int k = 0; k < r->of->count; k++) {
        const int panel = link_of_end(d, r, k, KANE_RAIL_PANEL);
        for (int v = 0; panel >= 0 && v < d->model->tree.links[panel].v_count; v++)
            rows[count++] = d->model->tree.links[panel].v + v;
        if (panel >= 0)
            d->groups[kane_derive_map_group(d->map, panel)].row_count = 0;
    }
    if (count > all->row_count)
        *all = (kane_derived_group){count, all->column_count, rows, all->columns,
                                    kane_arena_doubles(arena, (size_t)count * (size_t)all->column_count)};
}

// Columns of y of a wheelset that tables guide: its states there but for its spin angle, and those of its panel; four
// states of its link follow from these.
static void index_tables(kane_derivative *d, kane_rails_map *r)
{
    const kane_body *body = &d->model->bodies[d->model->wheels[r->of->wheels[0]].body];
    for (int k = 0; k < KANE_BODY_STATES; k++)
        r->column[k] = KANE_BODY_STATES; // nothing asks for it
    for (int f = 0; f < KANE_TABULATED_STATES; f++)
        r->column[kane_rail_constraint_follower[f]] = -1 - f;
    for (int c = 0; c < KANE_COORDINATES + body->u_count; c++) {
        const int local = c < KANE_COORDINATES ? c : KANE_COORDINATES + body->component[c - KANE_COORDINATES];
        if (c == KANE_PITCH || r->column[local] < 0)
            continue;
        r->column[local]            = r->column_count;
        r->state[r->column_count++] = kane_derive_state_of(d, body->link, local);
    }
    r->own_count    = r->column_count;
    const int panel = link_of_end(d, r, 0, KANE_RAIL_PANEL);
    if (panel >= 0)
        r->column_count += kane_derive_states(d, panel, r->state + r->own_count);
}

static int index_group(kane_derivative *d, int index, kane_arena *arena)
{
    const kane_rail_group *rails = &d->model->rails[index];
    kane_rails_map *r            = &d->rails[index];
    const size_t gaps            = 2 * (size_t)rails->count;
    *r                           = (kane_rails_map){.of = rails, .gaps = 2 * rails->count};
    r->group                     = kane_derive_map_group(d->map, link_of_end(d, r, 0, KANE_RAIL_WHEELSET));
    if (rails->is_tabulated)
        index_tables(d, r);
    if (rails->cluster >= 0) {
        d->rails_of_cluster[rails->cluster] = index;
        r->rows                             = d->model->clusters[rails->cluster].speeds;
        r->row_count                        = d->model->clusters[rails->cluster].v_count;
    } else {
        d->rails_of[r->group] = index;
        join_panels(d, r, arena);
        r->rows      = d->groups[r->group].rows;
        r->row_count = d->groups[r->group].row_count;
    }
    r->direction = kane_arena_doubles(arena, gaps * (size_t)r->row_count);
    r->gain      = kane_arena_doubles(arena, gaps * (size_t)r->row_count);
    r->inverse   = kane_arena_doubles(arena, gaps * gaps);
    r->missing   = kane_arena_doubles(arena, gaps);
    r->change    = kane_arena_doubles(arena, gaps);
    r->lu        = kane_arena_doubles(arena, gaps * gaps);
    r->pivot     = kane_arena_alloc(arena, gaps, sizeof *r->pivot);
    return !kane_arena_failed(arena);
}

int kane_rails_index(kane_derivative *d, kane_arena *arena)
{
    const kane_model *model = d->model;
    const size_t states     = (size_t)(model->tree.q_count + model->tree.v_count);
    size_t most             = 0;
    for (int i = 0; i < model->rails_count; i++)
        most = 2 * (size_t)model->rails[i].count > most ? 2 * (size_t)model->rails[i].count : most;
    d->rails_count      = model->rails_count;
    d->rails            = kane_arena_alloc(arena, (size_t)model->rails_count, sizeof *d->rails);
    d->rails_of         = kane_arena_alloc(arena, (size_t)kane_derive_map_count(d->map), sizeof *d->rails_of);
    d->rails_of_cluster = kane_arena_alloc(arena, (size_t)model->cluster_count, sizeof *d->rails_of_cluster);
    d->rows             = kane_arena_doubles(arena, (size_t)model->tree.v_count);
    d->column_of        = kane_arena_alloc(arena, states, sizeof *d->column_of);
    for (int k = 0; k < 2; k++) {
        d->gap[k]      = kane_arena_doubles(arena, most * states);
        d->gap_by_y[k] = kane_arena_doubles(arena, most * (size_t)model->state_count);
    }
    if (kane_arena_failed(arena))
        return 0;
    for (int g = 0; g < kane_derive_map_count(d->map); g++)
        d->rails_of[g] = -1;
    for (int c = 0; c < model->cluster_count; c++)
        d->rails_of_cluster[c] = -1;
    for (int i = 0; i < model->rails_count; i++)
        if (!index_group(d, i, arena))
            return 0;
    return 1;
}

static inline kane_wrench direction_of(const kane_derivative *d, const kane_rails_map *r, int gap)
{
    return d->work->wheels[r->of->wheels[gap / 2]].guidance.direction[gap % 2];
}

// A wrench of a wheel at the mass centre of its wheelset, or its reaction on the panel.
static inline kane_wrench wrench_on_end(const kane_derivative *d, const kane_rails_map *r, int gap, kane_rail_end end,
                                        kane_wrench wrench)
{
    return end == KANE_RAIL_WHEELSET ? wrench
                                     : kane_rail_reaction(&d->work->wheels[r->of->wheels[gap / 2]], gap % 2, wrench);
}

// v_dot of the group's rows.
static void store_accelerations(const kane_derivative *d, const kane_rails_map *r, double *out)
{
    for (int k = 0; k < r->row_count; k++)
        out[k] = d->v_dot[r->rows[k]];
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

// A gap: J' of a unit normal force, and the accelerations under its wrench `gain` at the mass centre, loops closed.
static void answer_gap(kane_derivative *d, const kane_rails_map *r, int gap, kane_wrench gain)
{
    const kane_tree *tree = &d->model->tree;
    memset(d->v_dot, 0, (size_t)tree->v_count * sizeof *d->v_dot);
    kane_rail_group_clear(d->model, r->of, d->applied);
    for (int end = 0; end < KANE_RAIL_ENDS; end++) {
        const int link = link_of_end(d, r, gap / 2, end);
        if (link < 0)
            continue;
        const kane_wrench by = wrench_on_end(d, r, gap, end, direction_of(d, r, gap));
        const kane_wrench to = wrench_on_end(d, r, gap, end, gain);
        kane_tree_spread_wrench(tree, NULL, &d->work->tree, link, -1, kane_derive_about_origin(d, link, by), d->v_dot);
        d->applied[link] = kane_derive_about_origin(d, link, to);
    }
    store_accelerations(d, r, r->direction + gap * r->row_count);
    kane_rail_group_respond(d->model, d->work, r->of, 0, d->applied, d->response, d->v_dot);
    store_accelerations(d, r, r->gain + gap * r->row_count);
}

// direction [gaps * rows]: J' of unit normal forces; gain [gaps * rows]: accelerations under them, with creep forces if
// linear; and the inverse of their product.
static kane_status find_answers(kane_derivative *d, kane_rails_map *r, int linear)
{
    for (int k = 0; k < r->of->count; k++) {
        kane_wheels_state *w = &d->work->wheels[r->of->wheels[k]];
        kane_wrench gain[2]  = {w->guidance.direction[0], w->guidance.direction[1]};
        const kane_status status =
            linear ? kane_rail_constraint_linearise(&d->model->wheels[r->of->wheels[k]], w, gain) : KANE_OK;
        if (status != KANE_OK)
            return status;
        for (int side = 0; side < 2; side++)
            answer_gap(d, r, 2 * k + side, gain[side]);
    }
    return invert_gap_matrix(r) ? KANE_OK : KANE_RETRY;
}

// Change of the motion of a link's body relative to its frame, and of its accelerations with v_dot held, by a state of
// the tree.
static void see_state(kane_derivative *d, int i, int state, kane_vec3 motion[KANE_MOTIONS], kane_wrench *acceleration)
{
    const kane_link_state *s      = &d->work->tree.link[i];
    const kane_moving_frame *base = &d->work->base[d->model->tree.links[i].frame];
    const kane_link_tangent t     = kane_derive_tangent(d, i, state);
    motion[KANE_TURNS]            = t.turn;
    motion[KANE_SPINS]            = t.w;
    if (d->model->tree.links[i].is_free_body) { // its speeds are those against the frame
        motion[KANE_MOVES]  = t.shift;
        motion[KANE_SPEEDS] = kv3_sub(t.v, kv3_cross(base->w, t.shift));
        *acceleration       = (kane_wrench){kv3_zero(), kv3_zero()};
        return;
    }
    const kane_vec3 arm = km3_mulv(s->R, d->model->tree.links[i].c), darm = kv3_cross(t.turn, arm);
    const kane_vec3 move = kv3_add(t.shift, darm), spin = kv3_add(kv3_cross(t.w, arm), kv3_cross(s->w, darm));
    const kane_vec3 v       = kv3_sub(kv3_add(t.v, spin), kv3_cross(base->w, move));
    kane_vec3 a             = kv3_add(t.a, kv3_add(kv3_cross(t.al, arm), kv3_cross(kv3_add(s->al, s->dal), darm)));
    a                       = kv3_add(a, kv3_add(kv3_cross(t.w, kv3_cross(s->w, arm)), kv3_cross(s->w, spin)));
    const kane_vec3 carried = kv3_cross(base->w, kv3_add_scaled(kv3_cross(base->w, move), 2.0, v));
    motion[KANE_MOVES]      = move;
    motion[KANE_SPEEDS]     = v;
    *acceleration =
        (kane_wrench){kv3_sub(a, kv3_add(kv3_cross(base->al, move), carried)), kv3_sub(t.al, kv3_cross(base->w, t.w))};
}

// sum slope_k . motion_k
static double directional_derivative(const kane_vec3 slope[KANE_MOTIONS], const kane_vec3 motion[KANE_MOTIONS])
{
    double sum = 0.0;
    for (int m = 0; m < KANE_MOTIONS; m++)
        sum += kv3_dot(slope[m], motion[m]);
    return sum;
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

// Derivatives of both gaps of a wheelset and of their rates, or of their accelerations with v_dot held.
typedef struct gap_slopes {
    double gap[2], rate[2], acceleration[2];
} gap_slopes;

// Those of wheelset k by a state of the tree that moves an end:
//   rate_g = slope.motion,   acceleration_g = slope.motion + direction_g.(a, al)
// A gap changes by a displacement and rotation as its rate does by a velocity and angular velocity.
static gap_slopes find_gap(kane_derivative *d, const kane_rails_map *r, int k, kane_rail_end end, int state,
                           int is_acceleration)
{
    const kane_rail_constraint_slopes *slopes = &d->slopes[r->of->wheels[k]];
    kane_vec3 motion[KANE_MOTIONS];
    kane_wrench a;
    gap_slopes by = {.gap = {0.0}};
    see_state(d, link_of_end(d, r, k, end), state, motion, &a);
    for (int side = 0; side < 2; side++) {
        const kane_vec3 *slope = is_acceleration ? slopes->bias[end][side] : slopes->rate[end][side];
        const double change    = directional_derivative(slope, motion);
        if (is_acceleration) {
            const kane_wrench direction = wrench_on_end(d, r, 2 * k + side, end, direction_of(d, r, 2 * k + side));
            by.acceleration[side]       = change + kw_power(direction, a.force, a.torque);
            continue;
        }
        by.gap[side] = kv3_dot(slope[KANE_SPEEDS], motion[KANE_MOVES]) + kv3_dot(slope[KANE_SPINS], motion[KANE_TURNS]);
        by.rate[side] = change;
    }
    return by;
}

// Adds derivatives of both gaps of wheelset k by a state of the tree to `by` [states * gaps].
static void add_gaps(const kane_derivative *d, const kane_rails_map *r, int k, int state, const double gap[2],
                     double *by)
{
    const kane_state_share share = kane_derive_map_share(d->map, state);
    for (int side = 0; side < 2; side++)
        kane_state_share_add(share, gap[side], r->gaps, by + 2 * k + side);
}

// By states of the tree [states * gaps]: accelerations of the gaps, v_dot held, into d->gap[0]; or the gaps and their
// rates into d->gap[0] and d->gap[1].
static void find_gap_slopes(kane_derivative *d, const kane_rails_map *r, int is_acceleration)
{
    const int states = d->model->tree.q_count + d->model->tree.v_count;
    for (int i = 0; i < 2 - is_acceleration; i++)
        memset(d->gap[i], 0, (size_t)(states * r->gaps) * sizeof *d->gap[i]);
    for (int n = 0; n < KANE_RAIL_ENDS * r->of->count; n++) {
        const int k = n / KANE_RAIL_ENDS, end = n % KANE_RAIL_ENDS, link = link_of_end(d, r, k, end);
        const int count = link < 0 ? 0 : kane_derive_states(d, link, d->row_states);
        for (int i = 0; i < count; i++) {
            const int state     = d->row_states[i];
            const gap_slopes by = find_gap(d, r, k, end, state, is_acceleration);
            add_gaps(d, r, k, state, is_acceleration ? by.acceleration : by.gap, d->gap[0]);
            if (!is_acceleration)
                add_gaps(d, r, k, state, by.rate, d->gap[1]);
        }
    }
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
    const int link = link_of_end(d, r, 0, KANE_RAIL_WHEELSET);
    gap_slopes by[KANE_TABULATED_STATES];
    double close[2][2], slow[2][2];
    for (int f = 0; f < KANE_TABULATED_STATES; f++)
        by[f] =
            find_gap(d, r, 0, KANE_RAIL_WHEELSET, kane_derive_state_of(d, link, kane_rail_constraint_follower[f]), 0);
    if (!invert_slopes(by[0].gap, by[1].gap, close) || !invert_slopes(by[2].rate, by[3].rate, slow))
        return KANE_RETRY;
    for (int k = 0; k < r->column_count; k++) {
        gap_slopes own = find_gap(d, r, 0, k < r->own_count ? KANE_RAIL_WHEELSET : KANE_RAIL_PANEL, r->state[k], 0);
        double place[2];
        for (int i = 0; i < 2; i++)
            r->slope[i][k] = place[i] = -(close[i][0] * own.gap[0] + close[i][1] * own.gap[1]);
        for (int g = 0; g < 2; g++)
            own.rate[g] += by[0].rate[g] * place[0] + by[1].rate[g] * place[1];
        for (int i = 0; i < 2; i++)
            r->slope[2 + i][k] = -(slow[i][0] * own.rate[0] + slow[i][1] * own.rate[1]);
    }
    return KANE_OK;
}

static kane_status report_rails(const kane_derivative *d, const kane_rails_map *r, kane_status status)
{
    const kane_wheels *wheels = &d->model->wheels[r->of->wheels[0]];
    return kane_rail_constraint_report(d->work, status, wheels, &d->model->bodies[wheels->body]);
}

// Needs the wheels' motion and normal forces of the evaluation.
kane_status kane_rails_derive(kane_derivative *d)
{
    for (int i = 0; i < d->rails_count; i++) {
        kane_rails_map *r  = &d->rails[i];
        kane_status status = KANE_OK;
        for (int k = 0; k < r->of->count && status == KANE_OK; k++) {
            const int wheels = r->of->wheels[k];
            status           = kane_rail_constraint_derive(d->model, d->work, wheels, &d->slopes[wheels]);
            hand_on(d, wheels);
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

// Columns of a cluster: all accelerations, of which the independent ones are those in y.
void kane_rails_correct_cluster(kane_derivative *d, int cluster)
{
    kane_cluster_derivative *own = d->clusters[cluster];
    const kane_cluster *loops    = &d->model->clusters[cluster];
    if (d->rails_of_cluster[cluster] < 0)
        return;
    const kane_rails_map *r = &d->rails[d->rails_of_cluster[cluster]];
    const int *independent  = kane_cluster_independent(d->work->cluster[cluster]);
    kane_cluster_derive_speeds(d->work->cluster[cluster], own);
    find_gap_slopes(d, r, 1);
    for (int t = 0; t < own->term_count; t++)
        add_rail_response(r, d->gap[0] + own->term[t] * r->gaps, own->v_dot + t, own->term_count);
    for (int k = 0; k < loops->u_count; k++)
        memcpy(own->du_dot + k * own->term_count, own->v_dot + loops->place[independent[k]] * own->term_count,
               (size_t)own->term_count * sizeof *own->du_dot);
}

// du_dot of the loops, then  missing = bias + direction dv_dot,   dv_dot += gain' dN.
void kane_rails_respond_cluster(kane_derivative *d, int cluster, const double *bias, double *du_dot)
{
    kane_cluster_derivative *own = d->clusters[cluster];
    const kane_cluster *loops    = &d->model->clusters[cluster];
    if (d->rails_of_cluster[cluster] < 0) {
        kane_cluster_respond(d->work->cluster[cluster], own->df, own->dphi, du_dot);
        return;
    }
    const int *independent = kane_cluster_independent(d->work->cluster[cluster]);
    kane_cluster_respond_all(d->work->cluster[cluster], own->df, own->dphi, du_dot, d->rows);
    add_rail_response(&d->rails[d->rails_of_cluster[cluster]], bias, d->rows, 1);
    for (int k = 0; k < loops->u_count; k++)
        du_dot[k] = d->rows[loops->place[independent[k]]];
}

// Rows of a group with panels, normal forces held: those of the tree's group, then those of panels by the same columns.
static void read_panels(kane_derivative *d, const kane_rails_map *r)
{
    const kane_derived_group all = d->groups[r->group];
    const int states             = d->model->tree.q_count + d->model->tree.v_count;
    double *to                   = all.values + r->tree.row_count * all.column_count;
    memcpy(all.values, r->tree.values, (size_t)(r->tree.row_count * all.column_count) * sizeof *all.values);
    memset(to, 0, (size_t)((all.row_count - r->tree.row_count) * all.column_count) * sizeof *to);
    for (int state = 0; state < states; state++)
        d->column_of[state] = -1;
    for (int c = 0; c < all.column_count; c++)
        d->column_of[all.columns[c]] = c;
    for (int k = 0; k < r->of->count; k++) {
        const int panel = link_of_end(d, r, k, KANE_RAIL_PANEL);
        if (panel < 0)
            continue;
        const kane_derived_group rows =
            kane_derive_map_rows(d->map, kane_derive_map_group(d->map, panel), d->map_values);
        const double *from = rows.values;
        for (int i = 0; i < rows.row_count; i++, to += all.column_count)
            for (int c = 0; c < rows.column_count; c++, from++) {
                const kane_state_share share = kane_derive_map_share(d->map, rows.columns[c]);
                if (d->column_of[share.first] >= 0) // the modes of a body are side by side
                    kane_state_share_add((kane_state_share){d->column_of[share.first], share.count, share.G}, *from, 1,
                                         to);
            }
    }
}

// v_dot += gain' dN  for the rows of the group.
void kane_rails_correct(const kane_derivative *d, int group, const double *bias, double *v_dot)
{
    if (d->rails_of[group] < 0)
        return;
    const kane_rails_map *r = &d->rails[d->rails_of[group]];
    for (int k = 0; k < r->row_count; k++)
        d->rows[k] = v_dot[r->rows[k]];
    add_rail_response(r, bias, d->rows, 1);
    for (int k = 0; k < r->row_count; k++)
        v_dot[r->rows[k]] = d->rows[k];
}

// Accelerations of the gaps for one more m/s^2 of the track frames, into r->change:  direction.(g_a + g_eps x r,
// g_eps).
static void find_travel_bias(const kane_derivative *d, const kane_rails_map *r)
{
    for (int g = 0; g < r->gaps; g++) {
        const int j            = d->model->wheels[r->of->wheels[g / 2]].body;
        const kane_wrench gain = kane_frame_gain(d->model, d->work, d->model->bodies[j].frame);
        const kane_vec3 there  = kv3_add(gain.force, kv3_cross(gain.torque, d->work->body[j].r));
        r->change[g]           = kw_power(direction_of(d, r, g), there, gain.torque);
    }
}

const double *kane_rails_cluster_travel(kane_derivative *d, int cluster)
{
    if (d->rails_of_cluster[cluster] < 0)
        return NULL;
    find_travel_bias(d, &d->rails[d->rails_of_cluster[cluster]]);
    return d->rails[d->rails_of_cluster[cluster]].change;
}

void kane_rails_correct_travel(const kane_derivative *d, double *v_dot)
{
    for (int i = 0; i < d->rails_count; i++) {
        const kane_rails_map *r = &d->rails[i];
        if (r->of->cluster >= 0)
            continue;
        find_travel_bias(d, r);
        kane_rails_correct(d, r->group, r->change, v_dot);
    }
}

// Slopes of tables; bias and response of every column of the groups. Those of clusters come later.
kane_status kane_rails_correct_rows(kane_derivative *d)
{
    for (int i = 0; i < d->rails_count; i++) {
        kane_rails_map *r              = &d->rails[i];
        const kane_derived_group *rows = &d->groups[r->group];
        const kane_status status       = r->of->is_tabulated ? find_followers(d, r) : KANE_OK;
        if (status != KANE_OK)
            return report_rails(d, r, status);
        if (r->of->cluster >= 0)
            continue;
        if (rows->row_count > r->tree.row_count)
            read_panels(d, r);
        find_gap_slopes(d, r, 1);
        for (int c = 0; c < rows->column_count; c++)
            add_rail_response(r, d->gap[0] + rows->columns[c] * r->gaps, rows->values + c, rows->column_count);
    }
    return KANE_OK;
}

// --- their projection ---
//
// d(projected state)/d(state) of a state on the rails (kane_rail_groups_project). With
//   Z = Theta^-1 direction,   m_ij = direction_i . Z_j
// a displacement that opens the gaps by dg is corrected by -Z m^-1 dg; speeds by -Z m^-1 d(rate), the rate at the
// projected coordinates.

// From states of the tree [states * gaps] to y [state_count * gaps].
static void map_gaps(const kane_derivative *d, int gaps, const double *by_state, double *by_y)
{
    const int states = d->model->tree.q_count + d->model->tree.v_count;
    memset(by_y, 0, (size_t)(d->model->state_count * gaps) * sizeof *by_y);
    for (int state = 0; state < states; state++, by_state += gaps) {
        int is_moved = 0;
        for (int g = 0; g < gaps; g++)
            is_moved |= by_state[g] != 0.0;
        const int count = is_moved ? kane_derive_trace(d, state, 1.0, d->row_states, d->row_values) : 0;
        for (int k = 0; k < count; k++)
            for (int g = 0; g < gaps; g++)
                by_y[d->row_states[k] * gaps + g] += d->row_values[k] * by_state[g];
    }
}

// Derivatives of all gaps by y [gaps * state_count], of wheelsets that tables do not guide.
void kane_rails_derive_gaps(kane_derivative *d, double *gaps)
{
    const int n = d->model->state_count;
    for (int i = 0; i < d->rails_count; i++) {
        const kane_rails_map *r = &d->rails[i];
        if (r->of->is_tabulated)
            continue;
        find_gap_slopes(d, r, 0);
        map_gaps(d, r->gaps, d->gap[0], d->gap_by_y[0]);
        for (int g = 0; g < r->gaps; g++)
            for (int k = 0; k < n; k++)
                gaps[g * n + k] = d->gap_by_y[0][k * r->gaps + g];
        gaps += r->gaps * n;
    }
}

// -Z m^-1 (change of gaps or their rates by a column of P), into d->v_dot. Returns 0 where nothing changes.
static int bring_back(kane_derivative *d, const kane_rails_map *r, const double *by_y, const double *column)
{
    int is_open = 0;
    memset(r->missing, 0, (size_t)r->gaps * sizeof *r->missing);
    for (int k = 0; k < d->model->state_count; k++)
        for (int g = 0; g < r->gaps && column[k] != 0.0; g++)
            r->missing[g] += by_y[k * r->gaps + g] * column[k];
    for (int g = 0; g < r->gaps; g++)
        is_open |= r->missing[g] != 0.0;
    memset(d->v_dot, 0, (size_t)d->model->tree.v_count * sizeof *d->v_dot);
    find_change(r);
    for (int k = 0; k < r->row_count && is_open; k++)
        for (int g = 0; g < r->gaps; g++)
            d->v_dot[r->rows[k]] += r->change[g] * r->gain[g * r->row_count + k];
    for (int t = 0; t < d->model->tree.flex_count && is_open; t++)
        kane_flex_nodes_follow(&d->model->tree.flexes[t], d->model->tree.links, d->v_dot);
    return is_open;
}

// Adds Q d->v_dot of a link's coordinates to a column of P.
static void move_coordinates(const kane_derivative *d, int link, double *column)
{
    const kane_link *own = &d->model->tree.links[link];
    const int q_count    = d->model->tree.q_count;
    for (int q = own->q; q < own->q + own->q_count && own->role != KANE_FLEX_NODE; q++) {
        const kane_rate_row row = kane_rates_map_rows(d->rates)[q];
        for (int c = 0; c < row.column_count; c++)
            if (row.columns[c] >= q_count)
                column[d->q_place[q]] += d->rates_values[row.at + (size_t)c] * d->v_dot[row.columns[c] - q_count];
    }
}

// Adds d->v_dot of the speeds in y to a column of P.
static void move_speeds(const kane_derivative *d, const kane_rails_map *r, double *column)
{
    const int c            = r->of->cluster;
    const int *independent = c < 0 ? NULL : kane_cluster_independent(d->work->cluster[c]);
    for (int k = 0; independent && k < d->model->clusters[c].u_count; k++)
        column[d->model->cluster_u[c] + k] += d->v_dot[independent[k]];
    for (int k = 0; k < r->row_count && !independent; k++)
        column[d->v_place[r->rows[k]]] += d->v_dot[r->rows[k]];
}

// The projection of loops once more; coefficients need none.
static void project_on_loops(const kane_derivative *d, int cluster, double *column)
{
    const kane_cluster_derivative *own = cluster < 0 ? NULL : d->clusters[cluster];
    if (!own || d->model->clusters[cluster].form != KANE_FORM_MULTIPLIERS)
        return;
    for (int i = 0; i < own->state_count; i++) {
        d->row_values[i] = 0.0;
        for (int j = 0; j < own->state_count; j++)
            d->row_values[i] += own->projection[j * own->state_count + i] * column[kane_derive_column(d, cluster, j)];
    }
    for (int i = 0; i < own->state_count; i++)
        column[kane_derive_column(d, cluster, i)] = d->row_values[i];
}

// P = P_v (rails) P (loops) P_q (rails) P (loops), column by column. Tables need no projection.
kane_status kane_rails_derive_projection(kane_derivative *d, double *P)
{
    for (int i = 0; i < d->rails_count; i++) {
        kane_rails_map *r = &d->rails[i];
        if (r->of->is_tabulated)
            continue;
        const kane_status status = find_answers(d, r, 0);
        if (status != KANE_OK)
            return status;
        find_gap_slopes(d, r, 0);
        for (int k = 0; k < 2; k++)
            map_gaps(d, r->gaps, d->gap[k], d->gap_by_y[k]);
        for (int c = 0; c < d->model->state_count; c++) {
            double *column = P + (size_t)c * (size_t)d->model->state_count;
            if (bring_back(d, r, d->gap_by_y[0], column)) {
                for (int link = 0; link < d->model->tree.link_count; link++)
                    move_coordinates(d, link, column);
                project_on_loops(d, r->of->cluster, column);
            }
            if (bring_back(d, r, d->gap_by_y[1], column))
                move_speeds(d, r, column);
        }
    }
    return KANE_OK;
}
