// SPDX-License-Identifier: MIT
// The sparse Jacobian of dy/dt.
//
// Columns of the travel s, v are differenced where they are states (everything depends on where the frames are); all
// other entries are put together from local derivatives. The frames' acceleration a of a driven vehicle depends on its
// guide, so that the guide's x' and v'_x meet every row.

#include <kane/jacobian.h>

#include "agem/gradient.h"
#include "base/arena.h"
#include "simulate/simulation.h"

#include <string.h>

struct kane_jacobian {
    kane_arena *arena;
    kane_pattern *pattern;
    int size;                    // of the matrix
    kane_derivative *derivative; //
    int *at;                     // place of each of its entries in the matrix
    kane_follower *follower;     // of a driven vehicle; NULL: none
    double *y, *up, *down;       // scratch of differences
};

// Number of columns of travel computed by differences: s, and v of a driven vehicle.
static int differenced_column_count(const kane_model *model)
{
    return model->travel_count < 2 ? model->travel_count : 2;
}

static kane_pattern *make_pattern(const kane_jacobian *jacobian, const kane_model *model)
{
    kane_pattern_entries *entries = kane_pattern_begin(jacobian->size);
    const kane_entry *entry       = kane_derivative_entries(jacobian->derivative);
    for (int i = 0; i < kane_derivative_entry_count(jacobian->derivative); i++)
        kane_pattern_add(entries, entry[i].row, entry[i].column);
    kane_pattern_add_block(entries, 0, model->state_count, 0, differenced_column_count(model));
    if (jacobian->follower)
        kane_follower_name(jacobian->follower, model, entries);
    return kane_pattern_finish(entries);
}

kane_jacobian *kane_jacobian_create(const kane_model *model, int size)
{
    kane_arena *arena;
    kane_jacobian *jacobian = kane_arena_object(&arena, sizeof *jacobian, NULL);
    if (!jacobian)
        return NULL;
    const size_t states  = (size_t)model->state_count;
    jacobian->arena      = arena;
    jacobian->size       = size;
    jacobian->y          = kane_arena_alloc(arena, states, sizeof *jacobian->y);
    jacobian->up         = kane_arena_alloc(arena, states, sizeof *jacobian->up);
    jacobian->down       = kane_arena_alloc(arena, states, sizeof *jacobian->down);
    jacobian->derivative = kane_derivative_create(model, arena);
    const size_t count   = jacobian->derivative ? (size_t)kane_derivative_entry_count(jacobian->derivative) : 0;
    jacobian->at         = kane_arena_alloc(arena, count, sizeof *jacobian->at);
    if (jacobian->derivative && kane_model_is_driven(model))
        jacobian->follower = kane_follower_create(model, jacobian->derivative, arena);
    if (jacobian->derivative && !kane_arena_failed(arena))
        jacobian->pattern = make_pattern(jacobian, model);
    if (!jacobian->pattern) {
        kane_jacobian_free(jacobian);
        return NULL;
    }
    const kane_entry *entry = kane_derivative_entries(jacobian->derivative);
    for (size_t i = 0; i < count; i++)
        jacobian->at[i] = kane_pattern_find(jacobian->pattern, entry[i].row, entry[i].column);
    return jacobian;
}

void kane_jacobian_free(kane_jacobian *jacobian)
{
    if (!jacobian)
        return;
    kane_pattern_free(jacobian->pattern);
    kane_arena_free(jacobian->arena);
}

const kane_pattern *kane_jacobian_pattern(const kane_jacobian *jacobian)
{
    return jacobian->pattern;
}

// Columns of s and v: (f(y + h e) - f(y - h e))/(2 h).
static kane_status fill_travel(kane_jacobian *jacobian, const kane_model *model, kane_work *work, double t,
                               const double *y, double *values)
{
    static const double step[2] = {1e-3, 1e-7}; // m, m/s: creepage grows fast when wheels are slow
    memcpy(jacobian->y, y, (size_t)model->state_count * sizeof *y);
    for (int column = 0; column < differenced_column_count(model); column++) {
        jacobian->y[column] = y[column] + step[column];
        kane_status status  = kane_eval(model, work, t, jacobian->y, jacobian->up);
        jacobian->y[column] = y[column] - step[column];
        if (status == KANE_OK)
            status = kane_eval(model, work, t, jacobian->y, jacobian->down);
        if (status != KANE_OK)
            return status;
        jacobian->y[column] = y[column];
        double *entries     = values + jacobian->pattern->column_start[column]; // holds every row of the model
        for (int row = 0; row < model->state_count; row++)
            entries[row] += (jacobian->up[row] - jacobian->down[row]) / (2.0 * step[column]);
    }
    return KANE_OK;
}

kane_status kane_jacobian_eval(kane_jacobian *jacobian, const kane_model *model, kane_work *work, double t,
                               const double *y, double *ydot, double *values)
{
    kane_status status = kane_eval(model, work, t, y, ydot);
    if (status != KANE_OK)
        return status;
    memset(values, 0, (size_t)jacobian->pattern->count * sizeof *values);
    status = kane_derive(model, work, jacobian->derivative, jacobian->at, values);
    if (status != KANE_OK)
        return status;
    if (!model->travel_count || work->steady) // in steady motion s and v are held
        return KANE_OK;
    if (jacobian->follower)
        kane_follower_fill(jacobian->follower, model, work, jacobian->derivative, jacobian->pattern, values);
    return fill_travel(jacobian, model, work, t, y, values);
}

void kane_jacobian_gaps(const kane_jacobian *jacobian, double *gaps)
{
    kane_rails_derive_gaps(jacobian->derivative, gaps);
}

kane_status kane_jacobian_project(const kane_jacobian *jacobian, double *P)
{
    return kane_derive_projection(jacobian->derivative, P);
}
