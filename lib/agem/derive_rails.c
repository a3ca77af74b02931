// SPDX-License-Identifier: MIT
// Wheelsets that rails guide, in the Jacobian (guided.c): normal forces answer every change of acceleration, so that the gaps
// stay closed,
//
//   d(V_dot) = dV_0 - gain inverse (push . dV_0 + d(bias))        dV_0: with normal forces held
//
// and where tables guide them four states of the link, z, roll, v_z and w_x, follow from those in y.

#include "agem/derive_parts.h"

#include "tree/respond.h"

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

static void index_one(kane_derivative *d, int wheels, kane_rails_map *r)
{
    const kane_model *model = d->model;
    const kane_body *body   = &model->bodies[model->wheels[wheels].body];
    *r = (kane_rails_map){.wheels = wheels, .body = model->wheels[wheels].body, .link = body->link};
    for (int c = 0; c < KANE_COORDINATES + body->u_count; c++)
        if (kane_guided_matters(body, c))
            r->local[r->column_count++] = c;
    for (int g = 0; g < kane_derive_map_count(d->map); g++)
        if (kane_derive_map_rows(d->map, g).rows[0] == model->tree.links[r->link].v)
            r->group = g;
    for (int k = 0; k < KANE_BODY_STATES && body->follows; k++)
        d->chain_of[state_of(d, r->link, k)] = d->rails_count;
    d->chained |= body->follows;
    d->rails_of[r->link] = d->rails_count;
}

int kane_rails_index(kane_derivative *d, kane_arena *arena)
{
    const kane_model *model = d->model;
    const size_t states     = (size_t)(model->tree.q_count + model->tree.v_count);
    d->rails                = kane_arena_alloc(arena, (size_t)model->wheels_count, sizeof *d->rails);
    d->rails_of             = kane_arena_alloc(arena, (size_t)model->tree.link_count, sizeof *d->rails_of);
    d->chain_of             = kane_arena_alloc(arena, states, sizeof *d->chain_of);
    if (kane_arena_failed(arena))
        return 0;
    for (int i = 0; i < model->tree.link_count; i++)
        d->rails_of[i] = -1;
    for (size_t i = 0; i < states; i++)
        d->chain_of[i] = -1;
    for (int i = 0; i < model->wheels_count; i++)
        if (model->wheels[i].way != KANE_CONTACT_ELASTIC) {
            index_one(d, i, &d->rails[d->rails_count]);
            d->rails_count++;
        }
    return 1;
}

static void direct(const kane_derivative *d, kane_rails_map *r)
{
    const kane_body *body = &d->model->bodies[r->body];
    memset(r->direction, 0, sizeof r->direction);
    for (int k = 0; k < r->column_count; k++) {
        r->direction[local_of(body, r->local[k])][k] = 1.0;
        for (int f = 0; f < KANE_GUIDED_FOLLOW && body->follows; f++)
            r->direction[kane_guided_follower[f]][k] = d->guided[r->wheels][r->local[k]].follow[f];
    }
}

kane_status kane_rails_derive(kane_derivative *d)
{
    for (int i = 0; i < d->rails_count; i++) {
        kane_rails_map *r         = &d->rails[i];
        const kane_wheels *wheels = &d->model->wheels[r->wheels];
        const kane_status status  = kane_guided_derive(d->model, d->work, r->wheels, d->guided[r->wheels]);
        if (status != KANE_OK)
            return kane_guided_lose(d->work, status, wheels, &d->model->bodies[r->body]);
        for (int side = 0; side < 2; side++)
            r->gain[side] = kane_link_respond(&d->model->tree.links[r->link], &d->work->tree.link[r->link],
                                              d->work->wheels[r->wheels].guidance.gain[side]);
        direct(d, r);
    }
    return KANE_OK;
}

void kane_rails_answer(const kane_derivative *d, int link, const double bias[2], double v_dot[6])
{
    if (d->rails_of[link] < 0)
        return;
    const kane_rails_map *r = &d->rails[d->rails_of[link]];
    kane_wrench motion      = {kv3(v_dot[0], v_dot[1], v_dot[2]), kv3(v_dot[3], v_dot[4], v_dot[5])};
    kane_guided_answer(&d->work->wheels[r->wheels].guidance, r->gain, bias, &motion);
    for (int k = 0; k < 6; k++)
        v_dot[k] = k < 3 ? kv3_get(motion.force, k) : kv3_get(motion.torque, k - 3);
}

static const double none[2] = {0.0, 0.0};

void kane_rails_answer_rows(kane_derivative *d)
{
    for (int i = 0; i < d->rails_count; i++) {
        const kane_derive_rows rows = kane_derive_map_rows(d->map, d->rails[i].group);
        for (int c = 0; c < rows.column_count; c++) {
            double *at = d->map_values + rows.at + (size_t)c, v_dot[6];
            for (int k = 0; k < 6; k++)
                v_dot[k] = at[(size_t)k * (size_t)rows.column_count];
            kane_rails_answer(d, d->rails[i].link, none, v_dot);
            for (int k = 0; k < 6; k++)
                at[(size_t)k * (size_t)rows.column_count] = v_dot[k];
        }
    }
}

void kane_rails_walk(kane_derivative *d, int i)
{
    const kane_rails_map *r = &d->rails[i];
    const kane_body *body   = &d->model->bodies[r->body];
    for (int k = 0; k < r->column_count; k++) {
        double v_dot[6] = {0.0};
        if (d->values) {
            const kane_guided_column *own = &d->guided[r->wheels][r->local[k]];
            const kane_wrench a =
                kane_link_respond(&d->model->tree.links[r->link], &d->work->tree.link[r->link], own->wrench);
            for (int c = 0; c < 6; c++)
                v_dot[c] = c < 3 ? kv3_get(a.force, c) : kv3_get(a.torque, c - 3);
            kane_rails_answer(d, r->link, own->bias, v_dot);
        }
        for (int c = 0; c < body->u_count; c++)
            kane_derive_emit(d, body->u + c, kane_body_state_index(body, r->local[k]), v_dot[body->component[c]]);
    }
}

void kane_rails_emit(kane_derivative *d, int i, int row, int count, const int *states, const double *values)
{
    const kane_rails_map *r = &d->rails[i];
    const kane_body *body   = &d->model->bodies[r->body];
    const int q = state_of(d, r->link, 0), v = state_of(d, r->link, KANE_COORDINATES);
    double sum[KANE_BODY_STATES] = {0.0};
    int any                      = 0;
    for (int s = 0; s < count; s++) {
        if (d->chain_of[states[s]] != i)
            continue;
        const int local = states[s] < v ? states[s] - q : KANE_COORDINATES + states[s] - v;
        any             = 1;
        for (int k = 0; k < r->column_count && d->values; k++)
            sum[k] += values[s] * r->direction[local][k];
    }
    for (int k = 0; k < r->column_count && any; k++)
        kane_derive_emit(d, row, kane_body_state_index(body, r->local[k]), sum[k]);
}
