// SPDX-License-Identifier: MIT
// Comparing the Jacobian with plain differences of the whole right-hand side.

#include "simulate/simulation.h"

#include <string.h>

// Steps of the differences: small against what wheel and rail feel (creepage grows fast when they are slow), large against
// round-off. The line is smooth: a larger one for s.
static double step_of(const kane_model *model, int column)
{
    return column == 0 && model->travel_count > 0 ? 1e-4 : 1e-8;
}

// Rows whose entries are all smaller than this do not depend on anything: they count as rows of one.
static const double least_row = 1e-6;

typedef struct comparison {
    double *values; // of the Jacobian, in the order of the pattern
    double *y, *up, *down;
    double *row_size; // largest entry of every row
} comparison;

static int prepare(comparison *c, kane_arena *arena, int entries, int size)
{
    c->values   = kane_arena_alloc(arena, (size_t)entries, sizeof *c->values);
    c->y        = kane_arena_alloc(arena, (size_t)size, sizeof *c->y);
    c->up       = kane_arena_alloc(arena, (size_t)size, sizeof *c->up);
    c->down     = kane_arena_alloc(arena, (size_t)size, sizeof *c->down);
    c->row_size = kane_arena_alloc(arena, (size_t)size, sizeof *c->row_size);
    return !kane_arena_failed(arena);
}

static kane_status difference(kane_simulation *s, comparison *c, int column)
{
    const kane_model *model = s->model;
    const double *y         = N_VGetArrayPointer(s->y_out);
    const double h          = step_of(model, column);
    c->y[column]            = y[column] + h;
    kane_status status      = kane_eval(model, s->work, s->t_out, c->y, c->up);
    c->y[column]            = y[column] - h;
    if (status == KANE_OK)
        status = kane_eval(model, s->work, s->t_out, c->y, c->down);
    c->y[column] = y[column];
    for (int row = 0; row < model->state_count; row++)
        c->up[row] = (c->up[row] - c->down[row]) / (2.0 * h);
    return status;
}

static kane_status compare(kane_simulation *s, comparison *c, double *worst, int *row, int *column)
{
    const kane_pattern *pattern = kane_jacobian_pattern(s->jacobian);
    const int n                 = s->model->state_count;
    for (int j = 0; j < n; j++)
        for (int k = pattern->column_start[j]; k < pattern->column_start[j + 1]; k++)
            c->row_size[pattern->row[k]] = fmax(c->row_size[pattern->row[k]], fabs(c->values[k]));
    *worst = 0.0;
    for (int j = 0; j < n; j++) {
        const kane_status status = difference(s, c, j);
        if (status != KANE_OK)
            return status;
        for (int i = 0; i < n; i++) {
            const int k       = kane_pattern_find(pattern, i, j);
            const double here = k >= 0 ? c->values[k] : 0.0;
            const double miss = fabs(here - c->up[i]) / (c->row_size[i] > least_row ? c->row_size[i] : 1.0);
            if (miss > *worst) {
                *worst  = miss;
                *row    = i;
                *column = j;
            }
        }
    }
    return KANE_OK;
}

kane_status kane_simulation_check_jacobian(kane_simulation *s, double *worst, int *row, int *column, int *entries,
                                           kane_errors *errors)
{
    const double *y    = N_VGetArrayPointer(s->y_out);
    kane_arena *arena  = kane_arena_create();
    comparison c       = {0};
    kane_status status = KANE_NO_MEMORY;
    *entries           = kane_jacobian_pattern(s->jacobian)->count;
    *row = *column = 0;
    s->evaluated   = KANE_KNOWS_NOTHING;
    if (arena && prepare(&c, arena, *entries, s->size)) {
        memcpy(c.y, y, (size_t)s->model->state_count * sizeof *y);
        status = kane_jacobian_eval(s->jacobian, s->model, s->work, s->t_out, y, c.up, c.values);
        if (status == KANE_OK)
            status = compare(s, &c, worst, row, column);
        if (status != KANE_OK)
            kane_work_fault(s->model, s->work, errors);
    } else {
        kane_errors_add(errors, status, "%s", kane_status_text(status));
    }
    kane_arena_free(arena);
    return status;
}
