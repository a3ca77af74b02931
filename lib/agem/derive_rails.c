// SPDX-License-Identifier: MIT
// Wheelsets that rails guide, in the Jacobian (guided.c): normal forces answer every change of acceleration, so that the gaps
// stay closed,
//
//   d(V_dot) = dV_0 - gain inverse (push . dV_0 + d(bias))        dV_0: with normal forces held
//
// and where tables guide them four states of the link, z, roll, v_z and w_x, follow from those in y.

#include "agem/derive_parts.h"

#include <string.h>

// State of the tree of a local state of the link: coordinates, then speeds.
static int state_of(const kane_derivative *d, int link, int local)
{
    const kane_tree *tree = &d->model->tree;
    return local < KANE_COORDINATES ? tree->links[link].q + local
                                    : tree->q_count + tree->links[link].v + local - KANE_COORDINATES;
}

// Place of a state of the body among those of its link.
static int local_of(const kane_body *body, int c)
{
    return c < KANE_COORDINATES ? c : KANE_COORDINATES + body->component[c - KANE_COORDINATES];
}

static void index_one(kane_derivative *d, int wheels, kane_rails_map *r, kane_arena *arena)
{
    const kane_model *model = d->model;
    const kane_body *body   = &model->bodies[model->wheels[wheels].body];
    *r = (kane_rails_map){.wheels = wheels, .body = model->wheels[wheels].body, .link = body->link};
    for (int k = 0; k < KANE_BODY_STATES; k++)
        r->column[k] = KANE_BODY_STATES; // nothing asks for it
    for (int f = 0; f < KANE_GUIDED_FOLLOW && body->on_tables; f++)
        r->column[kane_guided_follower[f]] = -1 - f;
    for (int c = 0; c < KANE_COORDINATES + body->u_count; c++)
        if (kane_guided_matters(body, c)) {
            r->column[local_of(body, c)] = r->column_count;
            r->local[r->column_count++]  = c;
        }
    for (int g = 0; g < kane_derive_map_count(d->map); g++) {
        const kane_derive_rows rows = kane_derive_map_rows(d->map, g);
        if (rows.row_count > 0 && rows.rows[0] == model->tree.links[r->link].v) {
            r->group     = g;
            r->row_count = rows.row_count;
        }
    }
    for (int k = 0; k < 2; k++)
        r->gain_rows[k] = kane_arena_doubles(arena, (size_t)r->row_count);
    r->rows = kane_arena_doubles(arena, (size_t)r->row_count);
    for (int k = 0; k < KANE_BODY_STATES && body->on_tables; k++) {
        d->tables_of[state_of(d, r->link, k)]      = d->rails_count;
        d->local_of_state[state_of(d, r->link, k)] = k;
    }
    d->any_tables |= body->on_tables;
    d->rails_of[r->link] = d->rails_count;
}

int kane_rails_index(kane_derivative *d, kane_arena *arena)
{
    const kane_model *model = d->model;
    const size_t states     = (size_t)(model->tree.q_count + model->tree.v_count);
    d->rails                = kane_arena_alloc(arena, (size_t)model->wheels_count, sizeof *d->rails);
    d->met                  = kane_arena_alloc(arena, (size_t)model->wheels_count, sizeof *d->met);
    d->rails_of             = kane_arena_alloc(arena, (size_t)model->tree.link_count, sizeof *d->rails_of);
    d->tables_of            = kane_arena_alloc(arena, states, sizeof *d->tables_of);
    d->local_of_state       = kane_arena_alloc(arena, states, sizeof *d->local_of_state);
    if (kane_arena_failed(arena))
        return 0;
    for (int i = 0; i < model->tree.link_count; i++)
        d->rails_of[i] = -1;
    for (size_t i = 0; i < states; i++)
        d->tables_of[i] = -1;
    for (int i = 0; i < model->wheels_count; i++)
        if (model->wheels[i].way != KANE_CONTACT_ELASTIC) {
            index_one(d, i, &d->rails[d->rails_count], arena);
            d->rails_count++;
        }
    return !kane_arena_failed(arena);
}

// What follows from the rails, by the states that move it on them.
static void direct(const kane_derivative *d, kane_rails_map *r)
{
    for (int k = 0; k < r->column_count && d->model->bodies[r->body].on_tables; k++)
        for (int f = 0; f < KANE_GUIDED_FOLLOW; f++)
            r->slope[f][k] = d->guided[r->wheels][r->local[k]].follow[f];
}

// Speeds that inertia couples to the wheelset, its own first.
static const int *rows_of(const kane_derivative *d, const kane_rails_map *r)
{
    return kane_derive_map_rows(d->map, r->group).rows;
}

// Accelerations of all that is coupled to a wheelset under a wrench on it: in d->v_dot.
static void respond(kane_derivative *d, const kane_rails_map *r, kane_wrench wrench)
{
    const kane_link *link = &d->model->tree.links[r->link];
    if (link->coupled) {
        const kane_links run = d->model->runs[d->run_of[r->link]];
        memset(d->push + run.first, 0, (size_t)(run.end - run.first) * sizeof *d->push);
        d->push[r->link] = wrench;
        kane_tree_respond(&d->model->tree, run, &d->work->tree, d->push, d->response, d->v_dot);
        return;
    }
    const kane_wrench a = kane_link_respond(link, &d->work->tree.link[r->link], wrench);
    for (int c = 0; c < 6; c++)
        d->v_dot[link->v + c] = c < 3 ? kv3_get(a.force, c) : kv3_get(a.torque, c - 3);
}

// What normal forces that grow by one newton bring about.
static void find_gains(kane_derivative *d, kane_rails_map *r)
{
    const int v = d->model->tree.links[r->link].v, *speeds = rows_of(d, r);
    for (int side = 0; side < 2; side++) {
        respond(d, r, d->work->wheels[r->wheels].guidance.gain[side]);
        const double *a = d->v_dot + v;
        r->gain[side]   = (kane_wrench){kv3(a[0], a[1], a[2]), kv3(a[3], a[4], a[5])};
        for (int k = 6; k < r->row_count; k++)
            r->gain_rows[side][k] = d->v_dot[speeds[k]];
    }
}

kane_status kane_rails_derive(kane_derivative *d)
{
    for (int i = 0; i < d->rails_count; i++) {
        kane_rails_map *r         = &d->rails[i];
        const kane_wheels *wheels = &d->model->wheels[r->wheels];
        const kane_status status  = kane_guided_derive(d->model, d->work, r->wheels, d->guided[r->wheels]);
        if (status != KANE_OK)
            return kane_guided_report(d->work, status, wheels, &d->model->bodies[r->body]);
        find_gains(d, r);
        direct(d, r);
    }
    return KANE_OK;
}

// What the rails answer to rows of accelerations of all that is coupled to the wheelset, `stride` apart.
static void correct(const kane_derivative *d, const kane_rails_map *r, const double bias[2], double *rows, int stride)
{
    static const double none[2] = {0.0, 0.0};
    const kane_guidance *g      = &d->work->wheels[r->wheels].guidance;
    kane_wrench motion          = {kv3(rows[0], rows[stride], rows[2 * stride]),
                                   kv3(rows[3 * stride], rows[4 * stride], rows[5 * stride])};
    double change[2];
    kane_guided_correct(g, r->gain, bias ? bias : none, &motion, change);
    for (int k = 0; k < 6; k++)
        rows[k * stride] = k < 3 ? kv3_get(motion.force, k) : kv3_get(motion.torque, k - 3);
    for (int k = 6; k < r->row_count; k++)
        rows[k * stride] += change[0] * r->gain_rows[0][k] + change[1] * r->gain_rows[1][k];
}

void kane_rails_correct(const kane_derivative *d, int link, const double bias[2], double *v_dot)
{
    const int rails = d->rails_of[d->root_of[link]];
    if (rails < 0)
        return;
    const kane_rails_map *r = &d->rails[rails];
    const int *speeds       = rows_of(d, r);
    for (int k = 0; k < r->row_count; k++)
        r->rows[k] = v_dot[speeds[k]];
    correct(d, r, bias, r->rows, 1);
    for (int k = 0; k < r->row_count; k++)
        v_dot[speeds[k]] = r->rows[k];
}

void kane_rails_correct_rows(kane_derivative *d)
{
    for (int i = 0; i < d->rails_count; i++) {
        const kane_derive_rows rows = kane_derive_map_rows(d->map, d->rails[i].group);
        for (int c = 0; c < rows.column_count; c++)
            correct(d, &d->rails[i], NULL, d->map_values + rows.at + (size_t)c, rows.column_count);
    }
}

void kane_rails_walk(kane_derivative *d, int i)
{
    const kane_rails_map *r = &d->rails[i];
    const kane_body *body   = &d->model->bodies[r->body];
    const int *speeds       = rows_of(d, r);
    for (int k = 0; k < r->column_count; k++) {
        if (d->values) {
            const kane_guided_column *own = &d->guided[r->wheels][r->local[k]];
            respond(d, r, own->wrench);
            kane_rails_correct(d, r->link, own->bias, d->v_dot);
        }
        for (int row = 0; row < r->row_count; row++)
            if (d->v_place[speeds[row]] >= 0)
                kane_derive_emit(d, d->v_place[speeds[row]], kane_body_state_index(body, r->local[k]),
                                 d->values ? d->v_dot[speeds[row]] : 0.0);
    }
}

void kane_rails_emit(kane_derivative *d, int row)
{
    for (int n = 0; n < d->met_count; n++) {
        kane_rails_map *r     = &d->rails[d->met[n]];
        const kane_body *body = &d->model->bodies[r->body];
        for (int k = 0; k < r->column_count; k++) {
            kane_derive_emit(d, row, kane_body_state_index(body, r->local[k]), r->sum[k]);
            r->sum[k] = 0.0;
        }
        r->is_met = 0;
    }
    d->met_count = 0;
}
