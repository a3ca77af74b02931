// SPDX-License-Identifier: MIT
// Rows of an evaluation: samples, filters, percentiles; what is found out is noted.

#include "evaluate/standard.h"

#include "base/text.h"

#include <string.h>

static const double rows_per_period = 5.0; // of the highest frequency that a filter lets through

double *kane_examine_rows(kane_examination *e, const char *channel)
{
    kane_errors unreported = {.limit = 1};
    const int column       = kane_results_find(e->results, channel, &unreported);
    const int n            = kane_results_row_count(e->results);
    if (column < 0)
        return NULL;
    double *x = kane_arena_doubles(e->scratch, (size_t)e->sampling.count);
    e->failed |= !x;
    if (x)
        kane_sampling_apply(&e->sampling, n, e->time, kane_results_values(e->results, column), x);
    for (int i = 0; x && i < e->sampling.count; i++)
        if (!isfinite(x[i])) {
            kane_examine_note(e, "channel '%s' is not finite at %g m", channel, e->s[i]);
            return NULL;
        }
    return x;
}

// Rows that are far apart alias vibrations to lower frequencies: no filter helps.
static int is_dense(kane_examination *e, double frequency, const char *what)
{
    const double longest = 1.0 / (rows_per_period * frequency);
    if (e->sampling.step <= longest * (1.0 + 1e-9))
        return 1;
    kane_examine_note(
        e,
        "%s: a filter of %g Hz needs a row every %g ms, there is one every %g ms; set \"output.interval\" "
        "of the run",
        what, frequency, 1e3 * longest, 1e3 * e->sampling.step);
    return 0;
}

// Copies rows that were filtered before in the same way to x. 0: there are none.
static int find_filtered(const kane_examination *e, double low, double high, const char *channel, double *x)
{
    for (const kane_filtered_rows *r = e->filtered && channel ? e->filtered->first : NULL; r; r = r->next)
        if (r->low == low && r->high == high && strcmp(r->channel, channel) == 0) {
            memcpy(x, r->x, (size_t)e->sampling.count * sizeof *x);
            return 1;
        }
    return 0;
}

static void store_filtered(kane_examination *e, double low, double high, const char *channel, const double *x)
{
    if (!e->filtered || !channel)
        return;
    kane_arena *arena     = e->filtered->arena;
    kane_filtered_rows *r = arena ? kane_arena_alloc(arena, 1, sizeof *r) : NULL;
    double *rows          = r ? kane_arena_doubles(arena, (size_t)e->sampling.count) : NULL;
    const char *name      = rows ? kane_arena_text(arena, channel) : NULL;
    e->failed |= !name;
    if (!name)
        return;
    memcpy(rows, x, (size_t)e->sampling.count * sizeof *rows);
    *r                        = (kane_filtered_rows){name, low, high, rows, e->filtered->first};
    e->filtered->first        = r;
    e->filtered->count        = e->sampling.count;
    e->filtered->is_resampled = e->sampling.is_resampled;
}

int kane_examine_band_pass(kane_examination *e, double low, double high, const char *channel, double *x,
                           const char *what)
{
    const double step = e->sampling.step;
    kane_filter filter;
    kane_errors why = {.limit = 1};
    if (!is_dense(e, high, what))
        return 0;
    if (find_filtered(e, low, high, channel, x))
        return 1;
    const kane_status made =
        low > 0.0 ? kane_filter_band_pass(KANE_FILTER_USUAL, low, high, step, KANE_FORTH_AND_BACK, &filter, &why)
                  : kane_filter_low_pass(KANE_FILTER_USUAL, high, step, KANE_FORTH_AND_BACK, &filter, &why);
    if (made == KANE_OK &&
        kane_filter_apply(&filter, KANE_FORTH_AND_BACK, step, e->sampling.count, x, &why) == KANE_OK) {
        store_filtered(e, low, high, channel, x);
        return 1;
    }
    kane_examine_format(e, what, &why);
    return 0;
}

int kane_examine_low_pass(kane_examination *e, double corner, const char *channel, double *x, const char *what)
{
    return kane_examine_band_pass(e, 0.0, corner, channel, x, what);
}

double kane_examine_percentile(kane_examination *e, int n, const double *x, double percent)
{
    double *copy = n > 0 ? kane_arena_doubles(e->scratch, (size_t)n) : NULL;
    e->failed |= n > 0 && !copy;
    if (!copy)
        return (double)NAN;
    memcpy(copy, x, (size_t)n * sizeof *copy);
    return kane_percentile(n, copy, percent);
}

int kane_examine_largest(int n, const double *x)
{
    int largest = 0;
    for (int i = 1; i < n; i++)
        if (x[i] > x[largest])
            largest = i;
    return largest;
}

int kane_examine_largest_size(int n, const double *x)
{
    int largest = 0;
    for (int i = 1; i < n; i++)
        if (fabs(x[i]) > fabs(x[largest]))
            largest = i;
    return largest;
}

void kane_examine_add(kane_examination *e, kane_quantity_id id, const char *of, double value, double limit, double at)
{
    kane_evaluation *out = e->out;
    const char *name     = kane_arena_text(out->arena, of);
    if (out->count == out->room || !name) {
        e->failed = 1;
        return;
    }
    out->rows[out->count++] = (kane_assessment){.quantity  = kane_quantity_get((int)id),
                                                .of        = name,
                                                .value     = value,
                                                .limit     = limit,
                                                .used      = fmax(kane_limit_size(id, value), 0.0) / limit,
                                                .at        = at,
                                                .mean      = (double)NAN,
                                                .deviation = (double)NAN,
                                                .factor    = (double)NAN};
}

void kane_examine_add_quasi_static(kane_examination *e, kane_quantity_id id, const char *of, const double *x,
                                   double limit)
{
    double *copy = e->curve_count > 0 ? kane_arena_doubles(e->scratch, (size_t)(e->end - e->begin)) : NULL;
    double most  = (double)NAN;
    int worst    = 0;
    e->failed |= e->curve_count > 0 && !copy;
    for (int k = 0; copy && k < e->curve_count; k++) {
        int n = 0;
        for (int i = e->begin; i < e->end; i++)
            if (e->curve_of[i] == k)
                copy[n++] = x[i];
        const double median = kane_percentile(n, copy, 50.0);
        if (!(kane_limit_size(id, median) <= kane_limit_size(id, most))) {
            most  = median;
            worst = k;
        }
    }
    if (copy)
        kane_examine_add(e, id, of, most, limit, e->curve_count > 1 ? e->curves[worst].from : (double)NAN);
}

void kane_evaluation_note_add(kane_evaluation *out, const char *remark, int *failed)
{
    for (int i = 0; i < out->remark_count; i++)
        if (strcmp(out->remarks[i], remark) == 0)
            return;
    const char *text = kane_arena_text(out->arena, remark);
    if (out->remark_count == out->remark_room || !text) {
        *failed = 1;
        return;
    }
    out->remarks[out->remark_count++] = text;
}

void kane_examine_note(kane_examination *e, const char *format, ...)
{
    char buffer[512];
    kane_text t = kane_text_start(sizeof buffer, buffer);
    va_list arguments;
    va_start(arguments, format);
    kane_text_add_list(&t, format, arguments);
    va_end(arguments);
    kane_evaluation_note_add(e->out, buffer, &e->failed);
}

void kane_examine_format(kane_examination *e, const char *what, const kane_errors *why)
{
    if (why->count > 0 && kane_errors_get(why, 0)->status == KANE_NO_MEMORY)
        e->failed = 1;
    else
        kane_examine_note(e, "%s: %s", what, why->count > 0 ? kane_errors_get(why, 0)->text : "cannot be evaluated");
}
