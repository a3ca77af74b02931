// SPDX-License-Identifier: MIT
// Summary of a sweep over distributions: statistics and Sobol's indices of each measure, at each point of the grid of
// the other axes.

#include "study/sample.h"
#include "study/sweep_study.h"

#include "base/text.h"

#include <kane/signal.h>

#include <math.h>
#include <stdio.h>

// What a row of these tables begins with: the other axes, the measure and its unit.
static void put_point_names(kane_table *t, const kane_sweep_study *s)
{
    for (int a = 0; a < s->is.axis_count; a++)
        if (!s->is.axes[a]->distribution.kind)
            kane_axis_put_name(t, &s->columns[a]);
    kane_table_add_names(t, 2, (const char *const[]){"measure", "unit"}, NULL);
}

static void put_point(kane_table *t, const kane_sweep_study *s, int index, int measure)
{
    for (int a = 0; a < s->is.axis_count; a++)
        if (!s->is.axes[a]->distribution.kind)
            kane_axis_put_value(t, &s->columns[a], index);
    kane_table_put(t, kane_cell_word(s->study.measures.text[measure]));
    kane_table_put(t, kane_cell_word(s->study.measures.units[measure]));
}

static int count_other_axes(const kane_sweep_study *s)
{
    return s->is.axis_count - s->distributions;
}

// Which percentiles so few values do not resolve.
static const char *list_unresolved(kane_table *t, const kane_sweep_study *s, int count)
{
    char text[400];
    kane_text told = kane_text_start(sizeof text, text);
    int needed     = 0;
    for (int p = 0; p < s->is.percentile_count; p++) {
        const int least = kane_summary_needed(s->is.percentiles[p]);
        if (count >= least)
            continue;
        kane_text_add(&told, "%sp%g", told.length ? ", " : "", s->is.percentiles[p]);
        needed = least > needed ? least : needed;
    }
    return told.length ? kane_table_text(t, "%s not resolved: %d values needed", text, needed) : "";
}

// Cases from `first` on whose samples are independent: all, of Saltelli's scheme A and B. Values of a measure, and how
// many of these cases have failed and derailed.
static int collect_values(const kane_sweep_study *s, const kane_plan *plan, int first, int measure, double *values,
                          int state[2])
{
    int count = 0;
    state[0] = state[1] = 0;
    for (int i = first; i < first + s->is.samples * s->blocks; i++) {
        const kane_case *c = kane_plan_case(plan, i);
        const double ended = c->values[s->is.measure_count + KANE_SWEEP_STOP];
        if ((i - first) % s->blocks > 1)
            continue;
        state[0] += c->state != KANE_CASE_DONE;
        state[1] += c->state == KANE_CASE_DONE && isfinite(ended) && kane_stop_is_derailment((kane_stop)lround(ended));
        values[count++] = c->state == KANE_CASE_DONE ? c->values[measure] : (double)NAN;
    }
    return count;
}

static void put_statistics(kane_sweep_study *s, const kane_plan *plan, int first, int measure, double *values)
{
    kane_table *t = &s->statistics;
    int state[2];
    const int cases        = collect_values(s, plan, first, measure, values, state);
    const kane_summary r   = kane_summary_reduce(cases, values);
    const double numbers[] = {r.mean, r.error, r.deviation, r.least, r.greatest};
    put_point(t, s, first, measure);
    kane_table_add(t, 4,
                   (const kane_cell[]){kane_cell_count(cases), kane_cell_count(state[0]), kane_cell_count(state[1]),
                                       kane_cell_count(r.count)});
    for (int i = 0; i < 5; i++)
        kane_table_put(t, kane_cell_number(numbers[i]));
    for (int p = 0; p < s->is.percentile_count; p++)
        kane_table_put(
            t, kane_cell_number(r.count ? kane_percentile(r.count, values, s->is.percentiles[p]) : (double)NAN));
    kane_table_put(t, kane_cell_word(list_unresolved(t, s, r.count)));
}

// 0 without memory.
static int put_indices(kane_sweep_study *s, const kane_plan *plan, int first, int measure, double *values)
{
    kane_table *t = &s->indices;
    kane_sobol_index index[KANE_SWEEP_AXES_MOST];
    const int cases = s->is.samples * s->blocks;
    for (int i = 0; i < cases; i++) {
        const kane_case *c = kane_plan_case(plan, first + i);
        values[i]          = c->state == KANE_CASE_DONE ? c->values[measure] : (double)NAN;
    }
    const int rows = kane_sobol_reduce(s->is.samples, s->distributions, values, index);
    for (int a = 0, d = 0; a < s->is.axis_count; a++) {
        if (!s->is.axes[a]->distribution.kind)
            continue;
        const kane_sobol_index *x = &index[d++];
        const int is_first        = kane_sobol_is_resolved(x->first, x->first_error),
                  is_total        = kane_sobol_is_resolved(x->total, x->total_error);
        put_point(t, s, first, measure);
        kane_table_put(t, kane_cell_word(s->is.axes[a]->path));
        kane_table_put(t, kane_cell_count(rows));
        kane_table_add(t, 4,
                       (const kane_cell[]){kane_cell_number(x->first), kane_cell_number(x->first_error),
                                           kane_cell_number(x->total), kane_cell_number(x->total_error)});
        kane_table_put(t, kane_cell_word(isnan(x->first)        ? "the measure does not vary, or has too few values"
                                         : is_first && is_total ? ""
                                         : is_first             ? "total not resolved"
                                         : is_total             ? "first not resolved"
                                                                : "not resolved"));
    }
    return rows >= 0;
}

// Both tables. 0 without memory.
int kane_sweep_tabulate_samples(kane_sweep_study *s, const kane_plan *plan)
{
    static const char *const names[] = {"cases",         "failed",    "derailed", "values",  "mean",
                                        "error of mean", "deviation", "least",    "greatest"};
    enum { NAMES = sizeof names / sizeof *names };
    const int cases = s->is.samples * s->blocks, points = s->study.case_count / cases;
    const int measures = s->is.measure_count, others = count_other_axes(s) + 2;
    double *values = kane_allocate((size_t)cases, sizeof *values);
    if (!values)
        return kane_study_no_memory(&s->study);
    s->statistics = kane_table_begin(s->study.arena, others + NAMES + s->is.percentile_count + 1, points * measures);
    s->statistics.is_joined = 1;
    put_point_names(&s->statistics, s);
    kane_table_add_names(&s->statistics, NAMES, names, NULL);
    for (int p = 0; p < s->is.percentile_count; p++)
        kane_table_add_columns(
            &s->statistics, 1,
            &(kane_table_column){.name = kane_table_text(&s->statistics, "p%g", s->is.percentiles[p])});
    kane_table_add_columns(&s->statistics, 1, &(kane_table_column){.name = "remark"});
    if (s->is.with_sobol) {
        s->indices           = kane_table_begin(s->study.arena, others + 7, points * measures * s->distributions);
        s->indices.is_joined = 1;
        put_point_names(&s->indices, s);
        kane_table_add_names(
            &s->indices, 7,
            (const char *const[]){"parameter", "samples", "first", "first error", "total", "total error", "remark"},
            NULL);
    }
    int good = 1;
    for (int i = 0; i < points * measures && good; i++) {
        put_statistics(s, plan, i / measures * cases, i % measures, values);
        good = !s->is.with_sobol || put_indices(s, plan, i / measures * cases, i % measures, values);
    }
    kane_release(values);
    return (good && !kane_arena_failed(s->study.arena)) || kane_study_no_memory(&s->study);
}

void kane_sweep_print_sampling(const kane_sweep_study *s, FILE *out)
{
    int drawn = 0;
    for (int a = 0; a < s->is.axis_count; a++)
        drawn += s->is.axes[a]->distribution.kind != KANE_DISTRIBUTION_NONE &&
                 s->is.axes[a]->distribution.kind != KANE_DISTRIBUTION_TABLE;
    if (s->distributions > 0)
        (void)fprintf(out, "%d samples, %s%s", s->is.samples, drawn < s->distributions ? "rows of a table" : "",
                      drawn == 0 || drawn == s->distributions ? "" : " and ");
    if (drawn > 0)
        (void)fprintf(out, "%s, seed %d%s", s->is.sampling == KANE_SAMPLING_RANDOM ? "random" : "Latin hypercube",
                      s->is.seed, s->is.with_sobol ? ", Saltelli's scheme" : "");
    if (s->distributions > 0)
        (void)fprintf(out, "\n");
}

void kane_sweep_print_samples(const kane_sweep_study *s, FILE *out)
{
    (void)fprintf(out, "\n");
    kane_sweep_print_sampling(s, out);
    kane_table_print(&s->statistics, s->statistics.rows, s->statistics.column_count, out);
    if (!s->is.with_sobol)
        return;
    (void)fprintf(out, "\nSobol's indices\n");
    kane_table_print(&s->indices, s->indices.rows, s->indices.column_count, out);
}
