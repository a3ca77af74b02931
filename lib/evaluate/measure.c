// SPDX-License-Identifier: MIT
// What a measure makes of results.

#include "evaluate/measure.h"
#include "results/results.h"

#include <math.h>

// One evaluation.
typedef struct evaluation {
    const kane_measure *measure;
    const kane_results *results;
    kane_columns columns;
    kane_arena *arena; // of one channel at a time
    kane_errors *errors;
    int time, distance; // columns; -1: none
} evaluation;

static const char *name_of(const evaluation *e, int column)
{
    return e->columns.columns[column].name;
}

// --- one channel ---

// Copies the rows of a channel with time and distance; all must be finite.
static int copy_channel_rows(const evaluation *e, int column, kane_measured *rows)
{
    const int n     = kane_results_row_count(e->results);
    const double *t = kane_results_values(e->results, e->time), *x = kane_results_values(e->results, column);
    const double *s = e->distance < 0 ? NULL : kane_results_values(e->results, e->distance);
    *rows           = (kane_measured){.count = n};
    if (n == 0)
        return kane_measure_fail(e->measure, e->errors, KANE_BAD_INPUT, "there are no rows");
    rows->time  = kane_arena_doubles(e->arena, (size_t)n);
    rows->place = s ? kane_arena_doubles(e->arena, (size_t)n) : NULL;
    rows->value = kane_arena_doubles(e->arena, (size_t)n);
    if (kane_arena_failed(e->arena))
        return kane_measure_fail(e->measure, e->errors, KANE_NO_MEMORY, "%s", kane_status_text(KANE_NO_MEMORY));
    for (int i = 0; i < n; i++) {
        if (!isfinite(x[i]) || !isfinite(t[i]) || (s && !isfinite(s[i])))
            return kane_measure_fail(e->measure, e->errors, KANE_NOT_FINITE, "'%s' is not finite in row %d (%g s)",
                                     name_of(e, column), i + 1, t[i]);
        rows->time[i]  = t[i];
        rows->value[i] = x[i];
        if (s)
            rows->place[i] = s[i];
    }
    return 1;
}

// Steps as typed, and those that the reduction needs before it.
static kane_status apply_all(const evaluation *e, kane_weighting weighting, kane_measured *rows)
{
    const kane_measure *m        = e->measure;
    const kane_measure_step last = {.kind = KANE_STEP_WEIGHTING, .weighting = weighting};
    kane_status status           = KANE_OK;
    for (int i = 0; i < m->step_count && status == KANE_OK; i++)
        status = kane_measured_apply(rows, &m->steps[i], e->arena, e->errors);
    if (status == KANE_OK && weighting != KANE_WEIGHTINGS)
        status = kane_measured_apply(rows, &last, e->arena, e->errors);
    if (status == KANE_OK && m->reduction == KANE_REDUCE_PERCENTILE && !rows->is_alike && rows->count > 1)
        status = kane_measured_even(rows, e->arena, e->errors);
    return status;
}

// Cuts the rows to the window.
static int cut_window(const evaluation *e, kane_measured *rows)
{
    const kane_measure *m = e->measure;
    const double *axis    = m->axis == KANE_WINDOW_DISTANCE ? rows->place : rows->time;
    if (m->axis == KANE_WINDOW_NONE)
        return 1;
    const double least = axis[0], most = axis[rows->count - 1];
    kane_measured_cut(rows, axis, m->from, m->to);
    return rows->count > 0 || kane_measure_fail(e->measure, e->errors, KANE_BAD_ARGUMENT,
                                                "no row lies within the window; there are rows from %g to %g %s", least,
                                                most, m->axis == KANE_WINDOW_DISTANCE ? "m" : "s");
}

// Rows of a channel as the reduction has them: after all steps, within the window.
static int prepare_rows(const evaluation *e, int column, kane_weighting weighting, kane_measured *rows)
{
    const int before = e->errors ? e->errors->count : 0;
    if (!copy_channel_rows(e, column, rows))
        return 0;
    if (apply_all(e, weighting, rows) != KANE_OK)
        return kane_measure_report(e->measure, e->errors, before, name_of(e, column));
    return cut_window(e, rows);
}

static int measure_column(const evaluation *e, int column, kane_weighting weighting, kane_reduced *out)
{
    const int before = e->errors ? e->errors->count : 0;
    kane_measured rows;
    if (!prepare_rows(e, column, weighting, &rows))
        return 0;
    *out = kane_reduce(e->measure, &rows, e->errors);
    return !isnan(out->value) || kane_measure_report(e->measure, e->errors, before, name_of(e, column));
}

static int measure_one(evaluation *e, int column, kane_weighting weighting, kane_reduced *out)
{
    e->arena = kane_arena_create();
    if (!e->arena)
        return kane_measure_fail(e->measure, e->errors, KANE_NO_MEMORY, "%s", kane_status_text(KANE_NO_MEMORY));
    const int is_measured = measure_column(e, column, weighting, out);
    kane_arena_free(e->arena);
    return is_measured;
}

// --- all channels ---

// Mean comfort, of three channels that differ in their last letter.
static int measure_comfort(evaluation *e, int column, kane_reduced *out)
{
    static const kane_weighting weightings[] = {KANE_WEIGHTING_WD, KANE_WEIGHTING_WD, KANE_WEIGHTING_WB};
    kane_reduced one[3]                      = {{0}};
    for (int i = 0; i < 3; i++)
        if (!measure_one(e, kane_columns_sibling(e->columns, column, "xyz"[i]), weightings[i], &one[i]))
            return 0;
    const double value = kane_comfort_mean(one[0].value, one[1].value, one[2].value);
    *out               = (kane_reduced){.value = value, .extreme = value};
    return 1;
}

static int measure_all(evaluation *e, kane_reduced *best)
{
    const kane_measure *m = e->measure;
    int count             = 0;
    for (int i = 0; i < e->columns.count; i++) {
        kane_reduced one = {0};
        if (!kane_measure_is_about(m, e->columns, i))
            continue;
        if (!(m->reduction == KANE_REDUCE_NMV ? measure_comfort(e, i, &one)
                                              : measure_one(e, i, kane_reduction_weighting(m->reduction), &one)))
            return 0;
        if (count++ == 0 || kane_reduced_exceeds(m, &one, best))
            *best = one;
    }
    return 1;
}

int kane_measure_rows(const kane_measure *measure, const kane_results *results, kane_arena *arena, kane_measured *rows,
                      kane_errors *errors)
{
    const kane_columns columns = {results->column_count, results->columns};
    const evaluation e         = {.measure  = measure,
                                  .results  = results,
                                  .columns  = columns,
                                  .arena    = arena,
                                  .errors   = errors,
                                  .time     = kane_columns_named(columns, "time"),
                                  .distance = kane_columns_named(columns, "distance")};
    const int column           = kane_columns_named(columns, measure->channels);
    return column >= 0 && measure->reduction != KANE_REDUCE_NMV &&
           prepare_rows(&e, column, kane_reduction_weighting(measure->reduction), rows);
}

double kane_measure_eval(const kane_measure *measure, const kane_results *results, const char **unit,
                         kane_errors *errors)
{
    const kane_columns columns = {results->column_count, results->columns};
    kane_reduced best          = {.value = NAN};
    if (kane_measure_check(measure, columns.count, columns.columns, 0.0, unit, errors) != KANE_OK)
        return NAN;
    evaluation e = {.measure  = measure,
                    .results  = results,
                    .columns  = columns,
                    .errors   = errors,
                    .time     = kane_columns_named(columns, "time"),
                    .distance = kane_columns_named(columns, "distance")};
    return measure_all(&e, &best) ? best.value : (double)NAN;
}
