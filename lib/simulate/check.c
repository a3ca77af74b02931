// SPDX-License-Identifier: MIT
// Comparison of the Jacobian with differences of the whole right-hand side.

#include "simulate/simulation.h"

#include <string.h>

// Steps of the differences. The shorter ones see kinks only where they are (creep of a wheel that slides is another one
// within nanometres per second), the longer ones suffer less from round-off; an entry that is wrong is wrong against
// all. The line is smooth: longer ones for s.
enum { STEPS = 7 };
static const double steps[2][STEPS] = {{1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4},
                                       {1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1}}; // of a state, of s

// Rows whose entries are all smaller than this do not depend on anything: they count as rows of one.
static const double least_row = 1e-6;

typedef struct comparison {
    double *values; // of the Jacobian, in the order of the pattern
    double *y, *rates, *slope[STEPS];
    double *row_size; // largest entry of every row
} comparison;

static int allocate_comparison(comparison *c, kane_arena *arena, int entries, int size)
{
    c->values = kane_arena_alloc(arena, (size_t)entries, sizeof *c->values);
    c->y      = kane_arena_alloc(arena, (size_t)size, sizeof *c->y);
    c->rates  = kane_arena_alloc(arena, (size_t)size, sizeof *c->rates);
    for (int k = 0; k < STEPS; k++)
        c->slope[k] = kane_arena_alloc(arena, (size_t)size, sizeof *c->slope[k]);
    c->row_size = kane_arena_alloc(arena, (size_t)size, sizeof *c->row_size);
    return !kane_arena_failed(arena);
}

// slope [states] = df/dy_column = (f(-2h) - 8 f(-h) + 8 f(h) - f(2h))/(12 h), with an error of h^4.
static kane_status difference_column(kane_simulation *s, comparison *c, int column, double h, double *slope)
{
    static const double at[4] = {-2.0, -1.0, 1.0, 2.0}, weight[4] = {1.0, -8.0, 8.0, -1.0};
    const kane_model *model = s->model;
    const double *y         = s->y_out;
    kane_status status      = KANE_OK;
    memset(slope, 0, (size_t)model->state_count * sizeof *slope);
    for (int i = 0; i < 4 && status == KANE_OK; i++) {
        c->y[column] = y[column] + at[i] * h;
        status       = kane_eval(model, s->work, s->t_out, c->y, c->rates);
        for (int row = 0; row < model->state_count; row++)
            slope[row] += weight[i] * c->rates[row] / (12.0 * h);
    }
    c->y[column] = y[column];
    return status;
}

// Largest difference of an entry from the nearest of its STEPS differences, over the largest entry of its row [1].
static kane_status find_worst_entry(kane_simulation *s, comparison *c, double *worst, int *row, int *column)
{
    const kane_pattern *pattern = kane_jacobian_pattern(s->jacobian);
    const int n                 = s->model->state_count;
    for (int j = 0; j < n; j++)
        for (int k = pattern->column_start[j]; k < pattern->column_start[j + 1]; k++)
            c->row_size[pattern->row[k]] = fmax(c->row_size[pattern->row[k]], fabs(c->values[k]));
    *worst = 0.0;
    for (int j = 0; j < n; j++) {
        const int is_travel = j == 0 && s->model->travel_count > 0;
        kane_status status  = KANE_OK;
        for (int k = 0; k < STEPS && status == KANE_OK; k++)
            status = difference_column(s, c, j, steps[is_travel][k], c->slope[k]);
        if (status != KANE_OK)
            return status;
        for (int i = 0; i < n; i++) {
            const int k       = kane_pattern_find(pattern, i, j);
            const double here = k >= 0 ? c->values[k] : 0.0;
            double off        = HUGE_VAL;
            for (int step = 0; step < STEPS; step++)
                off = fmin(off, fabs(here - c->slope[step][i]));
            const double miss = off / (c->row_size[i] > least_row ? c->row_size[i] : 1.0);
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
    const double *y    = s->y_out;
    kane_arena *arena  = kane_arena_create();
    comparison c       = {0};
    kane_status status = KANE_NO_MEMORY;
    const kane_pattern *pattern =
        kane_jacobian_pattern(s->jacobian); // integrals beside the states have diagonals behind them
    *entries = pattern->column_start[s->model->state_count];
    *row = *column = 0;
    s->evaluated   = KANE_KNOWS_NOTHING;
    if (arena && allocate_comparison(&c, arena, pattern->count, s->size)) {
        memcpy(c.y, y, (size_t)s->model->state_count * sizeof *y);
        status = kane_jacobian_eval(s->jacobian, s->model, s->work, s->t_out, y, c.rates, c.values);
        if (status == KANE_OK)
            status = find_worst_entry(s, &c, worst, row, column);
        if (status != KANE_OK)
            kane_work_fault(s->model, s->work, errors);
    } else {
        kane_errors_add(errors, status, "%s", kane_status_text(status));
    }
    kane_arena_free(arena);
    return status;
}
