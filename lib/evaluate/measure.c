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

static const char *name_of(const evaluation *e, int column)
{
    return kane_results_column(e->results, column)->name;
}

static int column_named(const kane_results *results, const char *name)
{
    for (int i = 0; i < kane_results_column_count(results); i++)
        if (strcmp(kane_results_column(results, i)->name, name) == 0)
            return i;
    return -1;
}

// --- one channel ---

// Puts the measure and the channel in front of what a function further down has said.
static int fail_as_told(const evaluation *e, int before, int column)
{
    if (!e->errors || e->errors->count <= before || before >= KANE_ERRORS_KEPT)
        return 0;
    kane_error *error = &e->errors->kept[before];
    char told[sizeof error->text];
    kane_text t = kane_text_start(sizeof told, told);
    kane_text_add(&t, "%s: '%s': %s", e->measure->text, name_of(e, column), error->text);
    kane_text_copy(sizeof error->text, error->text, told);
    return 0;
}

// Rows of one channel, copied. They must be finite, and so must be what they are measured by.
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
            return fail(e, KANE_NOT_FINITE, "'%s' is not finite in row %d (%g s)", name_of(e, column), i + 1, t[i]);
        rows->time[i]  = t[i];
        rows->value[i] = x[i];
        if (s)
            rows->place[i] = s[i];
    }
    return 1;
}

// Steps as typed, and what the reduction wants to be done before.
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

// Leaves the rows within the window.
static int cut(const evaluation *e, kane_measured *rows)
{
    const kane_measure *m = e->measure;
    const double *axis    = m->axis == KANE_WINDOW_DISTANCE ? rows->place : rows->time;
    if (m->axis == KANE_WINDOW_NONE)
        return 1;
    if (!axis)
        return fail(e, KANE_BAD_ARGUMENT, "there is no column 'distance'; a window of these results is one of time");
    const double least = axis[0], most = axis[rows->count - 1];
    kane_measured_cut(rows, axis, m->from, m->to);
    return rows->count > 0 ||
           fail(e, KANE_BAD_ARGUMENT, "no row lies within the window; there are rows from %g to %g %s", least, most,
                m->axis == KANE_WINDOW_DISTANCE ? "m" : "s");
}

static int measure_column(const evaluation *e, int column, kane_weighting weighting, kane_reduced *out)
{
    const int before = e->errors ? e->errors->count : 0;
    kane_measured rows;
    if (!take_rows(e, column, &rows))
        return 0;
    if (weighting != KANE_WEIGHTINGS && strcmp(rows.unit, "m/s^2") != 0)
        return fail(e, KANE_BAD_ARGUMENT, "'%s' [%s] is no acceleration [m/s^2]", name_of(e, column), rows.unit);
    if (apply_all(e, weighting, &rows) != KANE_OK)
        return fail_as_told(e, before, column);
    if (!cut(e, &rows))
        return 0;
    *out = kane_reduce(e->measure, &rows, e->errors);
    return !isnan(out->value) || fail_as_told(e, before, column);
}

static int measure_one(evaluation *e, int column, kane_weighting weighting, kane_reduced *out)
{
    e->arena = kane_arena_create();
    if (!e->arena)
        return fail(e, KANE_NO_MEMORY, "%s", kane_status_text(KANE_NO_MEMORY));
    const int is_measured = measure_column(e, column, weighting, out);
    kane_arena_free(e->arena);
    return is_measured;
}

// --- mean comfort: three channels that differ in their last letter ---

// Column of the same name but for the last letter.
static int sibling(const evaluation *e, int column, char letter)
{
    const char *name    = name_of(e, column);
    const size_t length = strlen(name);
    for (int i = 0; i < kane_results_column_count(e->results); i++)
        if (strlen(name_of(e, i)) == length && strncmp(name_of(e, i), name, length - 1) == 0 &&
            name_of(e, i)[length - 1] == letter)
            return i;
    return -1;
}

static int is_direction(const char *name, char letter)
{
    const size_t length = strlen(name);
    return length > 2 && name[length - 2] == '.' && name[length - 1] == letter;
}

static int measure_comfort(evaluation *e, int column, kane_reduced *out)
{
    static const kane_weighting weightings[] = {KANE_WEIGHTING_WD, KANE_WEIGHTING_WD, KANE_WEIGHTING_WB};
    kane_reduced one[3]                      = {{0}};
    for (int i = 0; i < 3; i++) {
        const int k = sibling(e, column, "xyz"[i]);
        if (k < 0)
            return fail(e, KANE_BAD_ARGUMENT, "beside '%s' there is no channel of direction %c", name_of(e, column),
                        "xyz"[i]);
        if (!measure_one(e, k, weightings[i], &one[i]))
            return 0;
    }
    const double value = kane_comfort_mean(one[0].value, one[1].value, one[2].value);
    *out               = (kane_reduced){.value = value, .extreme = value, .unit = "1"};
    return 1;
}

// --- all channels ---

// The channels that a measure looks at: those of its pattern, of mean comfort only one of three.
static int matches(const evaluation *e, int column)
{
    const char *name = name_of(e, column);
    return fnmatch(e->measure->channels, name, 0) == 0 &&
           (e->measure->reduction != KANE_REDUCE_NMV || is_direction(name, 'x') ||
            (is_direction(name, 'y') && sibling(e, column, 'x') < 0) ||
            (is_direction(name, 'z') && sibling(e, column, 'x') < 0 && sibling(e, column, 'y') < 0));
}

static int no_channel(const evaluation *e)
{
    kane_near near = kane_near_start(e->measure->channels);
    for (int i = 0; i < kane_results_column_count(e->results); i++)
        kane_near_offer(&near, name_of(e, i));
    if (e->measure->reduction == KANE_REDUCE_NMV)
        return fail(e, KANE_BAD_ARGUMENT, "of '%s' there are no channels that end in .x, .y and .z",
                    e->measure->channels);
    return fail(e, KANE_BAD_ARGUMENT, "no channel is called '%s'%s%s%s", e->measure->channels,
                near.best ? "; did you mean '" : "", near.best ? near.best : "", near.best ? "'?" : "");
}

static int measure_all(evaluation *e, kane_reduced *best)
{
    const kane_measure *m = e->measure;
    int count             = 0;
    for (int i = 0; i < kane_results_column_count(e->results); i++) {
        kane_reduced one = {0};
        if (!matches(e, i))
            continue;
        if (!(m->reduction == KANE_REDUCE_NMV ? measure_comfort(e, i, &one)
                                              : measure_one(e, i, kane_reduction_weighting(m->reduction), &one)))
            return 0;
        if (count > 0 && strcmp(one.unit, best->unit) != 0)
            return fail(e, KANE_BAD_ARGUMENT, "the channels of '%s' have several units, %s and %s", m->channels,
                        best->unit, one.unit);
        if (count++ == 0 || kane_reduced_exceeds(m, &one, best))
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
