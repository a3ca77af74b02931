// SPDX-License-Identifier: MIT
// The part of the Jacobian that goes through the acceleration of a driven vehicle's frames (lib/agem/frames.c):
//   a = b + 2 l^2 x' + 2 l dx'/dt     db/dt = l^3 x'

#include "simulate/simulation.h"

#include "base/arena.h"

// Derivatives of a and db/dt by the guide's motion: by x and v_x in its track frame, or by x, y, z and their rates in
// A, where
//   x' = t.(r - o),  dx'/dt = t.v - v - (omega x R'(r - o)).x
typedef struct dependence {
    double a[2][3]; // by position, by velocity
    double jerk[3]; // by position
} dependence;

static dependence acceleration_dependence(const kane_model *model, const kane_work *work)
{
    const kane_body *guide = &model->bodies[model->guide];
    const double l         = model->follow_rate;
    if (guide->frame == guide->track_frame)
        return (dependence){{{2.0 * l * l}, {2.0 * l}}, {l * l * l}};
    const kane_transport *T = &work->transport[0];
    const kane_vec3 row     = km3_mulv(T->R, kv3(0.0, T->omega.z, -T->omega.y));
    dependence d;
    for (int axis = 0; axis < 3; axis++) {
        const double along = kv3_get(T->R.x, axis);
        d.a[0][axis]       = 2.0 * l * (l * along + kv3_get(row, axis));
        d.a[1][axis]       = 2.0 * l * along;
        d.jerk[axis]       = l * l * l * along;
    }
    return d;
}

// Number of columns of y on which a position or velocity of the guide depends: one, or several independent speeds of a
// cluster. column: fills their indices; slope: fills size * d(state)/d(column); NULL: not filled.
static int trace_guide_state(const kane_model *model, const kane_derivative *derivative, int is_speed, int axis,
                             double size, int *column, double *slope)
{
    const kane_link *link = &model->tree.links[model->bodies[model->guide].link];
    const int state       = is_speed ? model->tree.q_count + link->v + axis : link->q + axis;
    return kane_derive_trace(derivative, state, size, column, slope);
}

static int guide_axis_count(const kane_model *model)
{
    const kane_body *guide = &model->bodies[model->guide];
    return guide->frame == guide->track_frame ? 1 : 3;
}

// Fills column, and with a work slope and jerk.
static void find_columns(kane_follower *f, const kane_model *model, const kane_work *work,
                         const kane_derivative *derivative)
{
    const dependence d = work ? acceleration_dependence(model, work) : (dependence){0};
    int next           = 0;
    for (int is_speed = 0; is_speed < 2; is_speed++)
        for (int axis = 0; axis < guide_axis_count(model); axis++) {
            const double jerk = is_speed ? 0.0 : d.jerk[axis];
            if (work)
                (void)trace_guide_state(model, derivative, is_speed, axis, jerk, f->column + next, f->jerk + next);
            next += trace_guide_state(model, derivative, is_speed, axis, d.a[is_speed][axis], f->column + next,
                                      work ? f->slope + next : NULL);
        }
}

static void find_rows(kane_follower *f, const kane_model *model)
{
    f->is_row[1] = 1;
    for (int j = 0; j < model->body_count; j++) {
        const kane_body *body = &model->bodies[j];
        const int travels     = model->frames[body->frame].carrier >= 0 && !body->panel;
        for (int i = 0; i < body->u_count && (travels || !body->is_free_body); i++)
            f->is_row[body->u + i] = 1;
    }
    for (int c = 0; c < model->cluster_count; c++)
        for (int i = 0; i < model->clusters[c].u_count; i++)
            f->is_row[model->cluster_u[c] + i] = 1;
}

kane_follower *kane_follower_create(const kane_model *model, const kane_derivative *derivative, kane_arena *arena)
{
    kane_follower *f = kane_arena_alloc(arena, 1, sizeof *f);
    if (!f)
        return NULL;
    for (int state = 0; state < 2 * guide_axis_count(model); state++)
        f->count += trace_guide_state(model, derivative, state % 2, state / 2, 0.0, NULL, NULL);
    f->column = kane_arena_alloc(arena, (size_t)f->count, sizeof *f->column);
    f->slope  = kane_arena_alloc(arena, (size_t)f->count, sizeof *f->slope);
    f->jerk   = kane_arena_alloc(arena, (size_t)f->count, sizeof *f->jerk);
    f->is_row = kane_arena_alloc(arena, (size_t)model->state_count, sizeof *f->is_row);
    f->by_a   = kane_arena_alloc(arena, (size_t)model->state_count, sizeof *f->by_a);
    if (kane_arena_failed(arena))
        return NULL;
    find_columns(f, model, NULL, derivative);
    find_rows(f, model);
    return f;
}

void kane_follower_name(const kane_follower *f, const kane_model *model, kane_pattern_entries *entries)
{
    for (int k = 0; k < f->count; k++) {
        for (int row = 0; row < model->state_count; row++)
            if (f->is_row[row])
                kane_pattern_add(entries, row, f->column[k]);
        kane_pattern_add(entries, 2, f->column[k]);
    }
    for (int row = 0; row < model->state_count; row++)
        if (f->is_row[row])
            kane_pattern_add(entries, row, 2);
}

void kane_follower_fill(kane_follower *f, const kane_model *model, kane_work *work, kane_derivative *derivative,
                        const kane_pattern *pattern, double *values)
{
    find_columns(f, model, work, derivative);
    f->by_a[1] = 1.0;
    kane_derive_travel(model, work, derivative, f->by_a);
    for (int k = 0; k < f->count; k++) {
        for (int row = 0; row < model->state_count; row++)
            if (f->is_row[row])
                values[kane_pattern_find(pattern, row, f->column[k])] += f->slope[k] * f->by_a[row];
        values[kane_pattern_find(pattern, 2, f->column[k])] += f->jerk[k];
    }
    for (int row = 0; row < model->state_count; row++)
        if (f->is_row[row])
            values[kane_pattern_find(pattern, row, 2)] += f->by_a[row];
}
