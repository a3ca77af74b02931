// SPDX-License-Identifier: MIT
// The cases of a sweep: how many there are, and which value of each axis each of them has.

#include "study/sample.h"
#include "study/sweep_study.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Rows of tables are samples: all of them, or the first ones. 0 with an error.
static int choose_rows(kane_sweep_study *s)
{
    kane_errors *errors = s->study.errors;
    const int before = errors->count, asked = s->is.samples;
    for (int a = 0; a < s->is.axis_count; a++) {
        const kane_axis *axis = s->is.axes[a];
        const int rows        = axis->row_count;
        if (axis->distribution.kind != KANE_DISTRIBUTION_TABLE)
            continue;
        if (s->is.with_sobol)
            kane_errors_add(errors, KANE_BAD_ARGUMENT,
                            "sensitivity indices are of independent parameters; '%s' varies with the other columns of "
                            "its table",
                            axis->path);
        else if (asked == 0 && s->is.samples > 0 && s->is.samples != rows)
            kane_errors_add(errors, KANE_BAD_ARGUMENT,
                            "tables of %d and %d rows; how many samples are taken is missing, such as --samples %d",
                            s->is.samples, rows, rows < s->is.samples ? rows : s->is.samples);
        else if (asked > rows)
            kane_errors_add(errors, KANE_BAD_ARGUMENT, "%d samples, but the table of '%s' has %d rows", asked,
                            axis->path, rows);
        if (asked == 0)
            s->is.samples = rows;
    }
    return errors->count == before;
}

// Number of cases of distributions and other axes; 0 with an error.
static int count_samples(const kane_sweep_study *s)
{
    const int least    = s->is.with_sobol ? 2 : 1;
    const double cases = kane_grid_size(&s->grid) * s->is.samples * s->blocks;
    const char *path   = NULL;
    for (int a = s->is.axis_count - 1; a >= 0; a--)
        if (s->is.axes[a]->distribution.kind)
            path = s->is.axes[a]->path;
    if (s->is.kind != KANE_SWEEP_GRID)
        kane_errors_add(s->study.errors, KANE_BAD_ARGUMENT,
                        "the axis '%s' is a distribution, which is sampled and crossed with other axes: it does not go "
                        "with a list or a Latin hypercube of ranges; write ranges as uniform(A,B)",
                        path);
    else if (s->is.samples == 0)
        kane_errors_add(s->study.errors, KANE_BAD_ARGUMENT,
                        "the axis '%s' is a distribution; how many samples it has is missing, such as --samples 100",
                        path);
    else if (s->is.samples < least || s->is.samples > KANE_SWEEP_CASES_MOST)
        kane_errors_add(s->study.errors, KANE_BAD_ARGUMENT, "%s from %d to %d samples, not %d",
                        s->is.with_sobol ? "sensitivity indices need" : "distributions have", least,
                        KANE_SWEEP_CASES_MOST, s->is.samples);
    else if (cases > KANE_SWEEP_CASES_MOST)
        kane_errors_add(s->study.errors, KANE_BAD_ARGUMENT, "%.0f cases are more than %d; take fewer samples", cases,
                        KANE_SWEEP_CASES_MOST);
    else
        return (int)cases;
    return 0;
}

// Number of cases; 0 with an error.
static int count_cases(kane_sweep_study *s)
{
    kane_errors *errors    = s->study.errors;
    const kane_axis *first = s->is.axes[0];
    const double grid      = kane_grid_size(&s->grid);
    int count              = 0;
    if (s->distributions > 0)
        return choose_rows(s) ? count_samples(s) : 0;
    switch (s->is.kind) {
    case KANE_SWEEP_GRID:
        if (grid <= KANE_SWEEP_CASES_MOST)
            return (int)grid;
        kane_errors_add(errors, KANE_BAD_ARGUMENT,
                        "the grid has more than %d cases; take fewer values, or a Latin hypercube",
                        KANE_SWEEP_CASES_MOST);
        break;
    case KANE_SWEEP_LIST:
        count = first->count;
        for (int a = 1; a < s->is.axis_count && count > 0; a++)
            if (s->is.axes[a]->count != count) {
                kane_errors_add(
                    errors, KANE_BAD_ARGUMENT,
                    "the cases of a list take the first values of all axes, the second ones and so on, so that "
                    "there must be as many of each: '%s' has %d, '%s' has %d",
                    first->path, count, s->is.axes[a]->path, s->is.axes[a]->count);
                count = 0;
            }
        break;
    case KANE_SWEEP_LATIN_HYPERCUBE:
        if (s->is.samples >= 1 && s->is.samples <= KANE_SWEEP_CASES_MOST)
            return s->is.samples;
        kane_errors_add(errors, KANE_BAD_ARGUMENT, "a Latin hypercube has 1 to %d cases, not %d", KANE_SWEEP_CASES_MOST,
                        s->is.samples);
        break;
    }
    return count;
}

static const char *write_quantity(const kane_sweep_study *s, const char *number, const char *unit, size_t unit_length)
{
    char typed[KANE_NUMBER_SIZE + 80];
    (void)snprintf(typed, sizeof typed, "%s%s%.*s", number, unit_length ? " " : "", (int)unit_length, unit);
    return kane_arena_text(s->study.arena, typed);
}

// Value of a distribution that case i has. Cases of a point of the grid: sample 1 with A, B, AB_1, ... of Saltelli's
// scheme, then sample 2, ...
static int find_drawn(const kane_sweep_study *s, int i, int distribution)
{
    const int sample = i / s->blocks % s->is.samples, block = i % s->blocks;
    return sample + (block == 1 || block == distribution + 2 ? s->is.samples : 0);
}

// Samples of an axis, the `distribution`-th of its kind: from streams of its own, B's behind those of all axes.
static int draw_axis_column(const kane_sweep_study *s, int a, int distribution, const char **texts, double *numbers)
{
    const kane_axis *axis = s->is.axes[a];
    const int count = s->is.samples, drawn = count * (s->blocks > 1 ? 2 : 1);
    const int is_random = s->is.sampling == KANE_SAMPLING_RANDOM,
              is_table  = axis->distribution.kind == KANE_DISTRIBUTION_TABLE;
    int *order          = kane_allocate((size_t)count, sizeof *order);
    double *within      = kane_allocate((size_t)count, sizeof *within);
    double *values      = kane_allocate((size_t)drawn, sizeof *values);
    const char **typed  = kane_allocate((size_t)drawn, sizeof *typed);
    const int good      = order && within && values && typed;
    for (int i = 0; good && i < drawn; i++) {
        char digits[KANE_NUMBER_SIZE];
        const int n = i % count;
        if (is_table) {
            values[i] = axis->row_numbers[i];
            typed[i]  = axis->row_texts[i];
            continue;
        }
        if (n == 0)
            kane_sample_strata(s->is.seed, a + i / count * KANE_SWEEP_AXES_MOST, count, is_random ? NULL : order,
                               within);
        values[i] = kane_sample_draw(&axis->distribution, order[n], within[n], count, is_random, digits);
        typed[i]  = write_quantity(s, digits, axis->unit, strlen(axis->unit));
    }
    for (int i = 0; good && i < s->study.case_count; i++) {
        texts[i]   = typed[find_drawn(s, i, distribution)];
        numbers[i] = values[find_drawn(s, i, distribution)];
    }
    kane_release(order);
    kane_release(within);
    kane_release(values);
    kane_release(typed);
    return good;
}

// Value of an axis in case i. Of a Latin hypercube: a number in the case's stratum of a range, or a list's value, each
// equally often.
static void set_axis_value(const kane_sweep_study *s, const kane_axis *axis, int i, int value, double within,
                           const char **text, double *number)
{
    char digits[KANE_NUMBER_SIZE];
    kane_axis_value unit;
    if (s->is.kind == KANE_SWEEP_LATIN_HYPERCUBE && axis->is_range) {
        const double a = axis->numbers[0], width = (axis->numbers[axis->count - 1] - a) / s->study.case_count;
        *number = kane_sample_round(a + width * value, a + width * (value + 1), a + width * (value + within),
                                    1e-5 * fabs(width), digits);
        (void)kane_axis_parse_value(axis->texts[0], "", &unit);
        *text = write_quantity(s, digits, unit.unit, unit.unit_length);
        return;
    }
    if (s->is.kind == KANE_SWEEP_LATIN_HYPERCUBE)
        value = (int)((long long)value * axis->count / s->study.case_count);
    else if (s->is.kind == KANE_SWEEP_LIST)
        value = i;
    *text   = axis->texts[value];
    *number = axis->numbers[value];
}

static int fill_axis_column(kane_sweep_study *s, int a, int distribution)
{
    const size_t count    = (size_t)s->study.case_count;
    const kane_axis *axis = s->is.axes[a];
    const char **texts    = kane_arena_alloc(s->study.arena, count, sizeof *texts);
    double *numbers       = kane_arena_doubles(s->study.arena, count);
    int *order            = kane_allocate(count, sizeof *order);
    double *within        = kane_allocate(count, sizeof *within);
    int good              = texts && numbers && order && within;
    s->columns[a]         = (kane_axis){.path = axis->path, .unit = axis->unit, .texts = texts, .numbers = numbers};
    s->columns[a].count   = s->study.case_count;
    if (good && axis->distribution.kind && !draw_axis_column(s, a, distribution, texts, numbers))
        good = 0;
    if (good && s->is.kind == KANE_SWEEP_LATIN_HYPERCUBE)
        kane_sample_strata(s->is.seed, a, s->study.case_count, order, within);
    for (int i = 0; good && !axis->distribution.kind && i < s->study.case_count; i++) {
        int value[KANE_SWEEP_AXES_MOST];
        kane_grid_values(&s->grid, s->distributions ? i / (s->is.samples * s->blocks) : i, value);
        set_axis_value(s, axis, i, s->is.kind == KANE_SWEEP_GRID ? value[a] : order[i], within[i], &texts[i],
                       &numbers[i]);
    }
    kane_release(order);
    kane_release(within);
    return good && !kane_arena_failed(s->study.arena);
}

int kane_sweep_fill_columns(kane_sweep_study *s)
{
    int distribution = 0;
    for (int a = 0; a < s->is.axis_count; a++)
        s->distributions += s->is.axes[a]->distribution.kind != KANE_DISTRIBUTION_NONE;
    s->blocks           = s->is.with_sobol ? s->distributions + 2 : 1;
    s->study.case_count = count_cases(s);
    if (s->study.case_count < 1)
        return 0;
    s->columns = kane_arena_alloc(s->study.arena, (size_t)s->is.axis_count, sizeof *s->columns);
    int good   = s->columns != NULL;
    for (int a = 0; a < s->is.axis_count && good; a++) {
        good = fill_axis_column(s, a, distribution);
        distribution += s->is.axes[a]->distribution.kind != KANE_DISTRIBUTION_NONE;
    }
    return good || kane_study_no_memory(&s->study);
}
