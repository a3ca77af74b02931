// SPDX-License-Identifier: MIT
// Reports: sections of all runs, each evaluated by itself, and the statistics of their values.

#include "evaluate/standard.h"

#include "base/json.h"
#include "math/statistics.h"

#include <math.h>
#include <string.h>

static const double SPREAD_LEAST = 0.01; // of cant deficiency, for a regression [m]
enum { REGRESSION_LEAST = 4, RUN_ROWS_LEAST = 2 };

kane_report_options kane_report_options_default(void)
{
    return (kane_report_options){.each = kane_evaluation_options_default(), .deficiency = (double)NAN};
}

static kane_evaluation_options evaluation_options(const kane_report *r, double from, double to)
{
    kane_evaluation_options o = r->options.each;
    o.from                    = from;
    o.to                      = to;
    o.section                 = 0.0;
    return o;
}

// --- runs ---

// The hash of the vehicle's file in a manifest; "" if it has none.
static const char *vehicle_of(kane_arena *arena, const kane_results *results)
{
    const char *text       = kane_results_manifest(results);
    kane_errors unreported = {.limit = 1};
    const kane_node *root  = text ? kane_json_parse(arena, "manifest", text, strlen(text), &unreported) : NULL;
    const kane_node *input = root ? kane_node_find(root, "input") : NULL;
    const kane_node *file  = input ? kane_node_find(input, "vehicle") : NULL;
    return kane_node_text(file, "xxh128", "");
}

static const double *require_column(const kane_report_run *run, const char *name, const char *advice,
                                    kane_errors *errors)
{
    kane_errors why = {.limit = 1};
    const int index = kane_results_find(run->results, name, &why);
    if (index < 0) {
        kane_errors_add(errors, KANE_BAD_ARGUMENT, "%s: there is no column '%s'%s", run->name, name, advice);
        return NULL;
    }
    return kane_results_values(run->results, index);
}

static int set_run_columns(kane_report *r, int i, kane_errors *errors)
{
    static const char record[] = "; test zones need it, record \"track\"";
    kane_report_run *run       = &r->runs[i];
    run->rows                  = kane_results_row_count(run->results);
    run->s                     = require_column(run, "distance", ": only a run along a track can be evaluated", errors);
    run->curvature             = run->s ? require_column(run, "track.curvature", record, errors) : NULL;
    run->superelevation        = run->curvature ? require_column(run, "track.superelevation", record, errors) : NULL;
    run->speed                 = run->superelevation ? require_column(run, "speed", record, errors) : NULL;
    if (!run->speed)
        return 0;
    if (run->rows < RUN_ROWS_LEAST) {
        kane_errors_add(errors, KANE_BAD_ARGUMENT, "%s: there are too few rows", run->name);
        return 0;
    }
    const char *first = vehicle_of(r->arena, r->runs[0].results), *other = vehicle_of(r->arena, run->results);
    if (strcmp(first, other) != 0) {
        kane_errors_add(
            errors, KANE_BAD_ARGUMENT,
            "%s and %s are runs of different vehicles: their values have nothing in common; make a report of each",
            r->runs[0].name, run->name);
        return 0;
    }
    return 1;
}

// --- values of sections ---

static int by_place(const kane_report_row *row, const kane_report_section *section, const kane_assessment *a)
{
    return row->zone == section->zone && row->hand == section->hand && row->quantity == a->quantity &&
           strcmp(row->of, a->of) == 0;
}

// The row of an assessment, added if it is new; NULL without memory.
static kane_report_row *row_of(kane_report *r, const kane_report_section *section, const kane_assessment *a, int *room)
{
    for (int i = 0; i < r->row_count; i++)
        if (by_place(&r->rows[i], section, a))
            return &r->rows[i];
    kane_report_row *rows = kane_arena_grow(r->arena, r->rows, r->row_count, room, sizeof *rows);
    if (!rows)
        return NULL;
    r->rows              = rows;
    kane_report_row *row = &r->rows[r->row_count];
    *row                 = (kane_report_row){
                        .quantity = a->quantity, .of = kane_arena_text(r->arena, a->of), .zone = section->zone, .hand = section->hand};
    row->values = kane_arena_alloc(r->arena, (size_t)r->section_count, sizeof *row->values);
    if (!row->of || !row->values)
        return NULL;
    r->row_count++;
    return row;
}

static kane_quantity_id id_of(const kane_quantity *q)
{
    return (kane_quantity_id)(q - kane_quantity_get(0));
}

static int add_section_values(kane_report *r, int index, int *room, kane_errors *errors)
{
    const kane_report_section *section = &r->sections[index];
    const kane_evaluation_options o    = evaluation_options(r, section->from, section->to);
    kane_report_run *run               = &r->runs[section->run];
    kane_evaluation *e                 = kane_examine_all(run->results, &o, &run->filtered, 1, errors);
    int good                           = e != NULL;
    for (int i = 0; good && i < kane_evaluation_count(e); i++) {
        const kane_assessment *a  = kane_evaluation_get(e, i);
        const kane_quantity_id id = id_of(a->quantity);
        if (isnan(kane_limit_factor(id)) || !isfinite(a->value)) // that of a whole run
            continue;
        kane_report_row *row = row_of(r, section, a, room);
        good                 = row != NULL;
        if (good)
            row->values[row->count++] = (kane_report_value){index, kane_limit_size(id, a->value), a->limit, a->at};
    }
    if (e && !good)
        (void)kane_no_memory(errors);
    kane_evaluation_free(e);
    return good;
}

// --- statistics ---

// Level of confidence by the factor of a limit: 0.99 for safety (3), 0.95 for other estimates, 0 for means of
// quasi-static values.
static double confidence_level(kane_quantity_id id)
{
    const double k = kane_limit_factor(id);
    return k >= 3.0 ? 0.99 : k > 0.0 ? 0.95 : 0.0;
}

// Linear regression of a row's values over the cant deficiency x, and its one-sided prediction bound at x_p, the
// greatest deficiency of the sections or that of the options:
//   y = a + b x     b = S_xy/S_xx,  a = y_m - b x_m     y_p = a + b x_p + t s (1 + 1/n + (x_p - x_m)^2/S_xx)^1/2
static void fit_regression(const kane_report *r, kane_report_row *row)
{
    const int n   = row->count;
    double x_mean = 0.0, sxx = 0.0, sxy = 0.0, squares = 0.0, least = HUGE_VAL, most = -HUGE_VAL;
    row->a = row->b = row->deficiency = row->predicted = (double)NAN;
    for (int i = 0; i < n; i++) {
        const double x = r->sections[row->values[i].section].deficiency;
        x_mean += x / n;
        least = fmin(least, x);
        most  = fmax(most, x);
    }
    if (n < REGRESSION_LEAST || row->hand == 0 || most - least < SPREAD_LEAST)
        return;
    for (int i = 0; i < n; i++) {
        const double x = r->sections[row->values[i].section].deficiency - x_mean;
        sxx += x * x;
        sxy += x * (row->values[i].value - row->mean);
    }
    row->b = sxy / sxx;
    row->a = row->mean - row->b * x_mean;
    for (int i = 0; i < n; i++) {
        const double x = r->sections[row->values[i].section].deficiency,
                     e = row->values[i].value - (row->a + row->b * x);
        squares += e * e;
    }
    row->deficiency   = isnan(r->options.deficiency) ? most : r->options.deficiency;
    const double part = confidence_level(id_of(row->quantity)), away = row->deficiency - x_mean;
    const double t = part > 0.0 ? kane_student_quantile(part, n - 2.0) : 0.0;
    row->predicted =
        row->a + row->b * row->deficiency + t * sqrt(squares / (n - 2.0) * (1.0 + 1.0 / n + away * away / sxx));
}

static void sum_up(const kane_report *r, kane_report_row *row)
{
    const int n    = row->count;
    double squares = 0.0;
    row->limit     = (double)NAN;
    for (int i = 0; i < n; i++) {
        row->mean += row->values[i].value / n;
        row->limit = fmin(row->limit, row->values[i].limit); // of a number and NaN the number
    }
    for (int i = 0; i < n; i++)
        squares += (row->values[i].value - row->mean) * (row->values[i].value - row->mean);
    row->factor    = kane_limit_factor(id_of(row->quantity));
    row->deviation = n > 1 ? sqrt(squares / (n - 1)) : (double)NAN;
    row->estimate  = row->factor > 0.0 ? row->mean + row->factor * row->deviation : row->mean;
    fit_regression(r, row);
    row->used = fmax(fmax(row->estimate, row->predicted), 0.0) / row->limit;
    if (isnan(row->estimate))
        row->used = (double)NAN;
}

// --- all of it ---

static int evaluate_runs(kane_report *r, kane_errors *errors)
{
    int room = 0;
    for (int i = 0; i < r->run_count; i++) {
        const kane_evaluation_options o = evaluation_options(r, r->options.each.from, r->options.each.to);
        if (!set_run_columns(r, i, errors))
            return 0;
        r->runs[i].filtered.arena = r->arena;
        r->runs[i].whole          = kane_examine_all(r->runs[i].results, &o, &r->runs[i].filtered, 0, errors);
        if (!r->runs[i].whole)
            return 0;
        if (!kane_report_find_sections(r, i)) {
            (void)kane_no_memory(errors);
            return 0;
        }
    }
    if (r->section_count == 0) {
        kane_errors_add(
            errors, KANE_BAD_ARGUMENT,
            "no stretch with one radius, one cant and one cant deficiency is long enough for a section: tangent %g m, "
            "curves %g m to %g m; --section gives another length",
            kane_zone_length(KANE_ZONE_TANGENT, 0.0), kane_zone_length(KANE_ZONE_VERY_SMALL, 0.0),
            kane_zone_length(KANE_ZONE_LARGE, 0.0));
        return 0;
    }
    for (int i = 0; i < r->section_count; i++)
        if (!add_section_values(r, i, &room, errors))
            return 0;
    for (int i = 0; i < r->row_count; i++)
        sum_up(r, &r->rows[i]);
    return 1;
}

kane_report *kane_report_create(int count, const kane_results *const *results, const char *const *names,
                                const kane_report_options *options, kane_errors *errors)
{
    const kane_report_options usual = kane_report_options_default();
    if (count < 1 || count > KANE_REPORT_RUNS_MOST) {
        kane_errors_add(errors, KANE_BAD_ARGUMENT, "a report needs results, 1 to %d of them", KANE_REPORT_RUNS_MOST);
        return NULL;
    }
    kane_arena *arena;
    kane_report *r = kane_arena_object(&arena, sizeof *r, errors);
    if (!r)
        return NULL;
    r->arena     = arena;
    r->options   = options ? *options : usual;
    r->run_count = count;
    for (int i = 0; i < count; i++)
        r->runs[i] = (kane_report_run){.results = results[i], .name = kane_arena_text(arena, names[i])};
    if (!kane_arena_failed(arena) && evaluate_runs(r, errors))
        return r;
    kane_report_free(r);
    return NULL;
}

void kane_report_free(kane_report *r)
{
    for (int i = 0; r && i < r->run_count; i++)
        kane_evaluation_free(r->runs[i].whole);
    if (r)
        kane_arena_free(r->arena);
}

int kane_report_section_count(const kane_report *r)
{
    return r->section_count;
}

const kane_report_section *kane_report_get_section(const kane_report *r, int index)
{
    return index >= 0 && index < r->section_count ? &r->sections[index] : NULL;
}

int kane_report_left_out_count(const kane_report *r)
{
    return r->left_out.count;
}

const kane_left_out_stretch *kane_report_get_left_out(const kane_report *r, int index)
{
    return index >= 0 && index < r->left_out.count ? &r->left_out.stretches[index] : NULL;
}

int kane_report_row_count(const kane_report *r)
{
    return r->row_count;
}

const kane_report_row *kane_report_get_row(const kane_report *r, int index)
{
    return index >= 0 && index < r->row_count ? &r->rows[index] : NULL;
}

static int is_whole(const kane_assessment *a)
{
    return isnan(kane_limit_factor(id_of(a->quantity)));
}

int kane_report_whole_count(const kane_report *r, int run)
{
    int count = 0;
    for (int i = 0; i < kane_evaluation_count(r->runs[run].whole); i++)
        count += is_whole(kane_evaluation_get(r->runs[run].whole, i));
    return count;
}

const kane_assessment *kane_report_get_whole(const kane_report *r, int run, int index)
{
    for (int i = 0; i < kane_evaluation_count(r->runs[run].whole); i++) {
        const kane_assessment *a = kane_evaluation_get(r->runs[run].whole, i);
        if (is_whole(a) && index-- == 0)
            return a;
    }
    return NULL;
}
