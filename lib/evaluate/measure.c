// SPDX-License-Identifier: MIT
// What a measure makes of results.

#include "evaluate/measure.h"

#include "evaluate/reduce.h"
#include "results/results.h"

#include "base/names.h"

#include <fnmatch.h>
#include <math.h>
#include <string.h>

// One evaluation.
typedef struct evaluation {
    const kane_measure *measure;
    const kane_results *results;
    kane_arena *arena; // of one channel at a time
    kane_errors *errors;
    int time, distance; // columns; -1: none
} evaluation;

static int fail(const evaluation *e, kane_status status, const char *format, ...) KANE_PRINTF(3, 4);

static int fail(const evaluation *e, kane_status status, const char *format, ...)
{
    char what[384];
    kane_text t = kane_text_start(sizeof what, what);
    va_list arguments;
    va_start(arguments, format);
    kane_text_add_list(&t, format, arguments);
    va_end(arguments);
    kane_errors_add(e->errors, status, "%s: %s", e->measure->text, what);
    return 0;
}

static int column_named(const kane_results *results, const char *name)
{
    for (int i = 0; i < kane_results_column_count(results); i++)
        if (strcmp(kane_results_column(results, i)->name, name) == 0)
            return i;
    return -1;
}

// --- one channel ---

// Rows of one channel, copied. What they are measured by must be there and finite.
static int take_rows(const evaluation *e, int column, kane_measured *rows)
{
    const int n     = kane_results_row_count(e->results);
    const double *t = kane_results_values(e->results, e->time), *x = kane_results_values(e->results, column);
    const double *s = e->distance < 0 ? NULL : kane_results_values(e->results, e->distance);
    *rows           = (kane_measured){.count = n, .unit = kane_results_column(e->results, column)->unit};
    if (n == 0)
        return fail(e, KANE_BAD_INPUT, "there are no rows");
    rows->time  = kane_arena_doubles(e->arena, (size_t)n);
    rows->place = s ? kane_arena_doubles(e->arena, (size_t)n) : NULL;
    rows->value = kane_arena_doubles(e->arena, (size_t)n);
    if (kane_arena_failed(e->arena))
        return fail(e, KANE_NO_MEMORY, "%s", kane_status_text(KANE_NO_MEMORY));
    for (int i = 0; i < n; i++) {
        if (!isfinite(x[i]) || !isfinite(t[i]) || (s && !isfinite(s[i])))
            return fail(e, KANE_NOT_FINITE, "'%s' is not finite in row %d (%g s)",
                        kane_results_column(e->results, column)->name, i + 1, t[i]);
        rows->time[i]  = t[i];
        rows->value[i] = x[i];
        if (s)
            rows->place[i] = s[i];
    }
    return 1;
}

static int apply(const evaluation *e, const kane_step *step, kane_measured *rows)
{
    (void)e;
    if (step->kind == KANE_STEP_SIZE)
        for (int i = 0; i < rows->count; i++)
            rows->value[i] = fabs(rows->value[i]);
    return 1;
}

// Leaves the rows within the window.
static int cut(const evaluation *e, kane_measured *rows)
{
    const kane_measure *m = e->measure;
    const double *axis    = m->axis == KANE_WINDOW_DISTANCE ? rows->place : rows->time;
    const int n           = rows->count;
    int kept              = 0;
    if (m->axis == KANE_WINDOW_NONE)
        return 1;
    if (!axis)
        return fail(e, KANE_BAD_ARGUMENT, "there is no column 'distance'; a window of these results is one of time");
    const double least = axis[0], most = axis[n - 1];
    for (int i = 0; i < n; i++) {
        if (!(axis[i] >= m->from && axis[i] <= m->to))
            continue;
        rows->time[kept]  = rows->time[i];
        rows->value[kept] = rows->value[i];
        if (rows->place)
            rows->place[kept] = rows->place[i];
        kept++;
    }
    rows->count = kept;
    return kept > 0 || fail(e, KANE_BAD_ARGUMENT, "no row lies within the window; there are rows from %g to %g %s",
                            least, most, m->axis == KANE_WINDOW_DISTANCE ? "m" : "s");
}

static int measure_channel(const evaluation *e, int column, kane_reduced *out)
{
    const kane_measure *m = e->measure;
    kane_measured rows;
    if (!take_rows(e, column, &rows))
        return 0;
    for (int i = 0; i < m->step_count; i++)
        if (!apply(e, &m->steps[i], &rows))
            return 0;
    if (!cut(e, &rows))
        return 0;
    *out = kane_reduce(m->reduction, m->percent, &rows);
    return 1;
}

// --- all channels ---

static int matches(const evaluation *e, int column)
{
    return fnmatch(e->measure->channels, kane_results_column(e->results, column)->name, 0) == 0;
}

static int no_channel(const evaluation *e)
{
    kane_near near = kane_near_start(e->measure->channels);
    for (int i = 0; i < kane_results_column_count(e->results); i++)
        kane_near_offer(&near, kane_results_column(e->results, i)->name);
    return fail(e, KANE_BAD_ARGUMENT, "no channel is called '%s'%s%s%s", e->measure->channels,
                near.best ? "; did you mean '" : "", near.best ? near.best : "", near.best ? "'?" : "");
}

static int measure_all(evaluation *e, kane_reduced *best)
{
    int count = 0;
    for (int i = 0; i < kane_results_column_count(e->results); i++) {
        kane_reduced one = {0};
        if (!matches(e, i))
            continue;
        e->arena = kane_arena_create();
        if (!e->arena)
            return fail(e, KANE_NO_MEMORY, "%s", kane_status_text(KANE_NO_MEMORY));
        const int is_measured = measure_channel(e, i, &one);
        kane_arena_free(e->arena);
        if (!is_measured)
            return 0;
        if (count > 0 && strcmp(one.unit, best->unit) != 0)
            return fail(e, KANE_BAD_ARGUMENT, "the channels of '%s' have several units, %s and %s",
                        e->measure->channels, best->unit, one.unit);
        if (count++ == 0 || kane_reduced_exceeds(e->measure->reduction, e->measure->percent, &one, best))
            *best = one;
    }
    return count > 0 || no_channel(e);
}

double kane_measure_eval(const kane_measure *measure, const kane_results *results, const char **unit,
                         kane_errors *errors)
{
    evaluation e      = {.measure  = measure,
                         .results  = results,
                         .errors   = errors,
                         .time     = column_named(results, "time"),
                         .distance = column_named(results, "distance")};
    kane_reduced best = {.unit = "", .value = NAN};
    if (e.time < 0) {
        (void)fail(&e, KANE_BAD_ARGUMENT, "the results have no column 'time'");
        return NAN;
    }
    if (!measure_all(&e, &best))
        return NAN;
    if (unit)
        *unit = best.unit;
    return best.value;
}
