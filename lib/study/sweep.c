// SPDX-License-Identifier: MIT
// Sweeps: a run over values of its parameters, a few numbers of each case in one table.

#include <kane/sweep.h>

#include "base/number.h"
#include "base/text.h"
#include "base/unit.h"
#include "study/sweep_study.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double usual_percentiles[] = {5.0, 50.0, 95.0};

// --- the cases ---

int kane_sweep_case_count(const kane_sweep_study *s)
{
    return s->study.case_count;
}

int kane_sweep_parameter(const kane_sweep_study *s, int axis)
{
    const kane_sweep_finder *f = s->is.finder;
    for (int p = 0; f && p < f->parameter_count; p++)
        if (strcmp(f->parameters[p], s->is.axes[axis]->path) == 0)
            return p;
    return -1;
}

int kane_sweep_setting(const kane_sweep_study *s, int index, int axis, size_t size, char *text)
{
    const kane_axis *column = &s->columns[axis];
    if (kane_sweep_parameter(s, axis) >= 0)
        return snprintf(text, size, "%s=%s", column->path, column->texts[index]);
    return kane_axis_setting(&s->columns[axis], index, size, text);
}

// --- one case ---

static kane_run *read_case(const kane_sweep_study *s, int index, kane_errors *errors)
{
    const kane_axis *columns[KANE_SWEEP_AXES_MOST];
    kane_grid grid = {0, columns};
    int value[KANE_SWEEP_AXES_MOST];
    for (int a = 0; a < s->is.axis_count; a++)
        if (kane_sweep_parameter(s, a) < 0) {
            value[grid.axis_count]     = index;
            columns[grid.axis_count++] = &s->columns[a];
        }
    return kane_study_read_at(&s->study, &grid, value, NULL, errors);
}

// The parameters of a finder in a case, in SI units. 0 with an error for each that is none.
static int read_parameters(const kane_sweep_study *s, int index, double *values, kane_errors *errors)
{
    const int before = errors->count;
    for (int p = 0; p < s->is.finder->parameter_count; p++)
        values[p] = (double)NAN;
    for (int a = 0; a < s->is.axis_count; a++) {
        const int p      = kane_sweep_parameter(s, a);
        const char *text = s->columns[a].texts[index];
        char why[400];
        kane_text fault = kane_text_start(sizeof why, why);
        if (p >= 0 && !kane_quantity_infinite(text, &values[p]) &&
            !kane_quantity_parse(text, s->is.finder->parameter_units[p], &values[p], &fault))
            kane_errors_add(errors, KANE_BAD_INPUT, "--over %s: %s", s->columns[a].path, why);
    }
    return errors->count == before;
}

// What becomes of one case.
typedef struct line_function {
    const kane_sweep_study *sweep;
    int index;
    kane_case *result;
    kane_text why;
    kane_errors errors;
} line_function;

static void add_remark(line_function *c, const char *text)
{
    kane_text_add(&c->why, "%s%s", c->why.length ? "; " : "", text);
}

// The first errors, as they are read.
static void remark_errors(line_function *c, int from)
{
    enum { TOLD = 3 };
    char text[1200];
    for (int i = from; i < c->errors.kept && i < from + TOLD; i++) {
        (void)kane_error_format(kane_errors_get(&c->errors, i), sizeof text, text);
        add_remark(c, text);
    }
}

// --- rows ---

// Runs the case and returns rows with the channels that the measures need.
static kane_results *run_for_rows(line_function *c, const kane_run_definition *run, kane_outcome *outcome)
{
    const kane_sweep_study *s = c->sweep;
    char name[KANE_STUDY_NAME];
    return kane_study_rows(&s->study, kane_study_case_name(c->index, name), run, s->is.measure_count,
                           s->study.measures.patterns, outcome, &c->errors);
}

// --- the case ---

static void run_and_measure(line_function *c, const kane_run_definition *run)
{
    const int measures = c->sweep->is.measure_count;
    double *extra      = c->result->values + measures;
    kane_outcome o;
    kane_results *rows    = run_for_rows(c, run, &o);
    const int is_derailed = o.status == KANE_OK && kane_stop_is_derailment(o.stop);
    remark_errors(c, 0);
    if (rows && o.status == KANE_OK && c->errors.count == 0) {
        if (is_derailed)
            add_remark(c, o.subject);
        for (int m = 0; m < measures; m++) {
            const int before     = c->errors.count;
            c->result->values[m] = kane_measure_eval(c->sweep->study.measures.measure[m], rows, NULL, &c->errors);
            remark_errors(c, before);
        }
        c->result->state = is_derailed || c->errors.count == 0 ? KANE_CASE_DONE : KANE_CASE_FAILED;
    }
    if (rows) {
        extra[KANE_SWEEP_STOP]     = o.status == KANE_OK ? (double)o.stop : (double)KANE_STOP_FAILED;
        extra[KANE_SWEEP_TIME]     = o.time;
        extra[KANE_SWEEP_DISTANCE] = o.distance;
        extra[KANE_SWEEP_STEPS]    = (double)o.statistics.steps;
    }
    kane_results_free(rows);
}

// The same by the function that the caller has given.
static void find_numbers(line_function *c, const kane_run_definition *run)
{
    const kane_sweep_study *s  = c->sweep;
    const kane_sweep_finder *f = s->is.finder;
    char name[KANE_STUDY_NAME], directory[4096];
    double parameters[KANE_SWEEP_PARAMETERS_MOST];
    (void)snprintf(directory, sizeof directory, "%s/%s", s->study.directory, kane_study_case_name(c->index, name));
    const kane_status status =
        read_parameters(s, c->index, parameters, &c->errors)
            ? f->find(run, parameters, directory, c->result->values, c->result->why, f->data, &c->errors)
            : KANE_BAD_INPUT;
    c->why.length    = strlen(c->result->why);
    c->result->state = status == KANE_OK ? KANE_CASE_DONE : KANE_CASE_FAILED;
    remark_errors(c, 0);
}

// Runs a case. Input files that changed meanwhile are an error: the table would be of two vehicles.
static void run_sweep_case(int index, kane_case *result, void *data)
{
    line_function c = {.sweep = data, .index = index, .result = result};
    result->state   = KANE_CASE_FAILED;
    c.why           = kane_text_start(sizeof result->why, result->why);
    kane_run *run   = read_case(c.sweep, index, &c.errors);
    if (run && kane_study_check_inputs(&c.sweep->study, &c.errors) == KANE_OK)
        (c.sweep->is.finder ? find_numbers : run_and_measure)(&c, kane_run_get_definition(run));
    else
        remark_errors(&c, 0);
    kane_run_free(run);
    kane_errors_free(&c.errors);
}

// --- checks before the first case ---

// Reads the run of a case; its files become inputs.
static int check_case(kane_sweep_study *s, int index)
{
    kane_run *run = read_case(s, index, s->study.errors);
    int good      = run && kane_study_take_inputs(&s->study, kane_run_get_definition(run));
    double parameters[KANE_SWEEP_PARAMETERS_MOST];
    if (good && s->is.finder)
        good = read_parameters(s, index, parameters, s->study.errors) &&
               s->is.finder->check(parameters, s->is.finder->data, s->study.errors);
    kane_run_free(run);
    return good;
}

// First and last value of every axis, of words every one, in the first case that has it. Of distributions and
// a Latin hypercube, whose ends are in no case, cases with the least and the greatest number.
static int check_ends(kane_sweep_study *s, int a)
{
    const kane_axis *axis = s->is.axes[a], *column = &s->columns[a];
    if (axis->distribution.kind || (s->is.kind == KANE_SWEEP_LATIN_HYPERCUBE && axis->is_range)) {
        int least = 0, greatest = 0;
        for (int i = 1; i < column->count; i++) {
            least    = column->numbers[i] < column->numbers[least] ? i : least;
            greatest = column->numbers[i] > column->numbers[greatest] ? i : greatest;
        }
        return check_case(s, least) && (greatest == least || check_case(s, greatest));
    }
    const int every = kane_axis_is_numeric(axis) && axis->count > 1 ? axis->count - 1 : 1;
    for (int v = 0; v < axis->count; v += every) {
        int i = 0;
        while (i < column->count && strcmp(column->texts[i], axis->texts[v]) != 0)
            i++;
        if (i > 0 && i < column->count && !check_case(s, i))
            return 0;
    }
    return 1;
}

// No axis contradicts another or a setting, or has a value twice where all values meet: distributions may.
static int check_axes(const kane_sweep_study *s)
{
    const kane_axis *all[KANE_SWEEP_AXES_MOST], *listed[KANE_SWEEP_AXES_MOST];
    int count = 0;
    for (int a = 0; a < s->is.axis_count; a++) {
        const int is_drawn = s->is.axes[a]->distribution.kind != KANE_DISTRIBUTION_NONE;
        all[a]             = is_drawn ? &s->columns[a] : s->is.axes[a];
        if (!is_drawn)
            listed[count++] = all[a];
    }
    const kane_grid grid = {s->is.axis_count, all}, rest = {count, listed};
    const int may_repeat = s->is.kind != KANE_SWEEP_GRID || s->distributions > 0;
    return kane_grid_check(&grid, s->study.common.settings, may_repeat, s->study.errors) &&
           (s->distributions == 0 || kane_grid_check(&rest, NULL, 0, s->study.errors));
}

// An axis without effect would be a mistake.
static int check_ignored(const kane_sweep_study *s)
{
    const int before = s->study.errors->count;
    for (const char *const *name = s->is.finder ? s->is.finder->ignored : NULL; name && *name; name++)
        for (int a = 0; a < s->is.axis_count; a++)
            if (kane_parameter_is_same(kane_axis_path(s->is.axes[a]->path), kane_axis_path(*name)))
                kane_errors_add(s->study.errors, KANE_BAD_ARGUMENT,
                                "the axis '%s' changes nothing: %s do not depend on it", s->is.axes[a]->path,
                                s->is.finder->name);
    return s->study.errors->count == before;
}

static int check_all(kane_sweep_study *s)
{
    const int before = s->study.errors->count;
    if (!check_axes(s) || !check_ignored(s) || !check_case(s, 0))
        return 0;
    for (int a = 0; a < s->is.axis_count; a++)
        (void)check_ends(s, a);
    if (s->is.finder)
        return s->study.errors->count == before;
    kane_run *run  = s->study.errors->count == before ? read_case(s, 0, s->study.errors) : NULL;
    const int good = run && kane_measures_check(&s->study, kane_run_get_definition(run), "--measure ");
    kane_run_free(run);
    return good;
}

static int check_counts(const kane_sweep_study *s)
{
    const kane_sweep_definition *d = &s->is;
    kane_errors *errors            = s->study.errors;
    const int before               = errors->count;
    if (d->axis_count < 1)
        kane_errors_add(errors, KANE_BAD_ARGUMENT, "a sweep needs an axis, such as speed=10:50:5");
    if (d->axis_count > KANE_SWEEP_AXES_MOST)
        kane_errors_add(errors, KANE_BAD_ARGUMENT, "%d axes are more than %d", d->axis_count, KANE_SWEEP_AXES_MOST);
    if (d->measure_count < 1)
        kane_errors_add(errors, KANE_BAD_ARGUMENT, "a sweep needs a measure, such as max(body.y)");
    int is_sampled = d->kind == KANE_SWEEP_LATIN_HYPERCUBE;
    for (int a = 0; a < d->axis_count; a++)
        is_sampled |= d->axes[a]->distribution.kind != KANE_DISTRIBUTION_NONE;
    if (!is_sampled && (d->samples != 0 || d->with_sobol || d->percentile_count > 0))
        kane_errors_add(
            errors, KANE_BAD_ARGUMENT,
            "samples, percentiles and sensitivity indices are of distributions, and no axis is one, such as "
            "'speed=normal(20,2)' or 'speed=uniform(15,25)'");
    for (int i = 0; i < d->percentile_count; i++)
        if (!(d->percentiles[i] >= 0.0 && d->percentiles[i] <= 100.0))
            kane_errors_add(errors, KANE_BAD_ARGUMENT, "%g is no percentile; there are those from 0 to 100",
                            d->percentiles[i]);
    return errors->count == before;
}

// Names of the measures, or of the numbers that are found in their place, and units of those. 0 with errors.
static int name_measures(kane_sweep_study *s)
{
    kane_measures *m           = &s->study.measures;
    const kane_sweep_finder *f = s->is.finder;
    if (!f && !kane_measures_parse(&s->study, s->is.measure_count, s->is.measures, 0, "measure"))
        return 0;
    if (f) {
        m->text  = kane_arena_alloc(s->study.arena, (size_t)f->count, sizeof *m->text);
        m->units = kane_arena_alloc(s->study.arena, (size_t)f->count, sizeof *m->units);
    }
    for (int i = 0; f && m->text && m->units && i < f->count; i++) {
        m->text[i]  = f->names[i];
        m->units[i] = f->units[i];
    }
    for (int i = 0; i < m->count; i++) // they stay when those of the caller are gone
        m->text[i] = kane_measure_text(m->measure[i]);
    return !kane_arena_failed(s->study.arena) || kane_study_no_memory(&s->study);
}

static int prepare_sweep(void *self)
{
    kane_sweep_study *s    = self;
    const kane_axis **axes = NULL;
    if (s->is.finder)
        s->is.measure_count = s->is.finder->count;
    if (!check_counts(s))
        return 0;
    if (s->is.percentile_count == 0) {
        s->is.percentiles      = usual_percentiles;
        s->is.percentile_count = sizeof usual_percentiles / sizeof *usual_percentiles;
    }
    axes = kane_arena_alloc(s->study.arena, (size_t)s->is.axis_count, sizeof *axes);
    for (int a = 0; axes && a < s->is.axis_count; a++)
        axes[a] = s->is.axes[a];
    s->is.axes           = axes;
    s->grid              = (kane_grid){s->is.axis_count, axes};
    s->study.value_count = s->is.measure_count + KANE_SWEEP_EXTRAS;
    if (!axes)
        return kane_study_no_memory(&s->study);
    if (!name_measures(s) || !kane_sweep_fill_columns(s))
        return 0;
    s->study.cases   = s->grid;
    s->study.columns = s->columns;
    return check_all(s);
}

// --- the plan ---

// Definition for the plan. Of a Latin hypercube's range the ends alone: values between follow from seed and number of
// samples.
static void describe_sweep(kane_writer *w, const void *self)
{
    static const char *const kinds[] = {"grid", "list", "latin hypercube"};
    const kane_sweep_study *s        = self;
    const int is_open                = s->is.kind == KANE_SWEEP_LATIN_HYPERCUBE;
    kane_writer_text(w, "layout", s->distributions ? "samples" : kinds[s->is.kind]);
    if (s->distributions) {
        kane_writer_text(w, "sampling", s->is.sampling == KANE_SAMPLING_RANDOM ? "random" : "latin");
        kane_writer_switch(w, "sobol", s->is.with_sobol);
    }
    if (is_open || s->distributions) {
        kane_writer_count(w, "samples", s->is.samples);
        kane_writer_count(w, "seed", s->is.seed);
    }
    kane_axes_describe(w, "axes", s->is.axis_count, s->is.axes, is_open ? -1 : s->is.samples);
    if (s->is.finder)
        kane_write_texts(w, s->is.finder->name, kane_texts_count(s->is.finder->settings), s->is.finder->settings);
    kane_write_texts(w, "measures", s->is.measure_count, s->study.measures.text);
}

// --- the table: case, axes, end of the run, measures, remark ---

static const char *const fixed[]       = {"state", "end", "time", "distance", "steps"};
static const char *const fixed_units[] = {"", "", "s", "m", ""};
enum { FIXED = sizeof fixed / sizeof *fixed };

// State, and of runs that are measured also their ends.
static int fixed_count(const kane_sweep_study *s)
{
    return s->is.finder ? 1 : FIXED;
}

// The first measure's.
static int measure_column(const kane_sweep_study *s)
{
    return 1 + s->is.axis_count + fixed_count(s);
}

static void tabulate_sweep(kane_sweep_study *s, const kane_plan *plan)
{
    const int measures = s->is.measure_count;
    kane_table *t      = &s->table;
    *t                 = kane_table_begin(s->study.arena, measure_column(s) + measures + 1, s->study.case_count);
    t->is_joined       = 1;
    kane_table_add_columns(t, 1, &(kane_table_column){.name = "case"});
    for (int a = 0; a < s->is.axis_count; a++)
        kane_axis_put_name(t, &s->columns[a]);
    kane_table_add_names(t, fixed_count(s), fixed, fixed_units);
    kane_table_add_names(t, measures, s->study.measures.text, s->study.measures.units);
    kane_table_add_columns(t, 1, &(kane_table_column){.name = "remark"});
    for (int i = 0; i < s->study.case_count; i++) {
        const kane_case *c    = kane_plan_case(plan, i);
        const double *extra   = c->values + measures;
        const double ended    = extra[KANE_SWEEP_STOP];
        const kane_stop stop  = isfinite(ended) ? (kane_stop)lround(ended) : KANE_STOP_NONE;
        const int is_derailed = isfinite(ended) && kane_stop_is_derailment(stop);
        kane_table_put(t, kane_cell_count(i + 1));
        for (int a = 0; a < s->is.axis_count; a++)
            kane_axis_put_value(t, &s->columns[a], i);
        kane_table_put(t, kane_cell_word(c->state != KANE_CASE_DONE ? "failed" : is_derailed ? "derailed" : "done"));
        if (!s->is.finder) {
            kane_table_put(t, kane_cell_word(isfinite(ended) ? kane_stop_name(stop) : ""));
            kane_table_add_numbers(t, KANE_SWEEP_EXTRAS - KANE_SWEEP_TIME, extra + KANE_SWEEP_TIME);
        }
        for (int m = 0; m < measures; m++)
            kane_table_put(t, kane_cell_number(c->values[m]));
        kane_table_put(t, kane_cell_word(c->why[0] ? kane_table_text(t, "%s", c->why) : ""));
    }
}

int kane_sweep_column_count(const kane_sweep_study *s)
{
    return measure_column(s) + s->is.measure_count + 1;
}

void kane_sweep_cell(const kane_sweep_study *s, int index, int column, int digits, size_t size, char *text)
{
    kane_cell_show(kane_table_at(&s->table, index, column), digits, size, text);
}

void kane_sweep_print(const kane_sweep_study *s, int most, FILE *out)
{
    const int rows = most > 0 && most < s->study.case_count ? most : s->study.case_count;
    kane_table_print(&s->table, rows, s->table.column_count - 1, out); // without remarks
    if (rows < s->study.case_count)
        (void)fprintf(out, "... and %d more in %s/sweep.csv\n", s->study.case_count - rows, s->study.directory);
    if (s->distributions > 0)
        kane_sweep_print_samples(s, out);
}

// --- files ---

static const kane_study_kind sweep;

static void write_case(kane_writer *w, const kane_sweep_study *s, int index)
{
    const int first        = measure_column(s);
    const kane_cell *cells = kane_table_at(&s->table, index, 0), *of = cells + first - fixed_count(s);
    kane_writer_open(w, NULL, '{');
    kane_writer_count(w, "case", index + 1);
    kane_writer_row(w, "settings");
    for (int a = 0; a < s->is.axis_count; a++) {
        char text[1200];
        (void)kane_sweep_setting(s, index, a, sizeof text, text);
        kane_writer_text(w, NULL, text);
    }
    kane_writer_close(w);
    kane_writer_text(w, "state", of[0].text);
    if (!s->is.finder) {
        kane_writer_text(w, "end", of[1].text);
        kane_writer_number(w, "time", of[2].number);
        kane_writer_number(w, "distance", of[3].number);
        kane_writer_number(w, "steps", of[4].number);
    }
    kane_writer_row(w, "values");
    for (int m = 0; m < s->is.measure_count; m++)
        kane_writer_number(w, NULL, cells[first + m].number);
    kane_writer_close(w);
    if (cells[first + s->is.measure_count].text[0])
        kane_writer_text(w, "remark", cells[first + s->is.measure_count].text);
    kane_writer_close(w);
}

static void write_json(kane_writer *w, const void *data)
{
    const kane_sweep_study *s = data;
    kane_study_write_definition(w, &sweep, s);
    kane_write_texts(w, "units", s->is.measure_count, s->study.measures.units);
    kane_writer_open(w, "cases", '[');
    for (int i = 0; i < s->study.case_count; i++)
        write_case(w, s, i);
    kane_writer_close(w);
    const kane_table *tables[] = {&s->statistics, &s->indices};
    for (int i = 0; i < 2 && tables[i]->column_count > 0; i++) {
        kane_writer_open(w, i == 0 ? "summary" : "sobol", '{');
        kane_table_write_json(tables[i], w);
        kane_writer_close(w);
    }
}

// --- pictures: measures over the axes ---
//
//   one axis, numbers      sweep.*: a panel for each measure
//   grid of two or more    N-MEASURE.*: lines over one axis, one for each value of another; N-MEASURE-map.*: both as a map; a
//                          panel for each combination of the other axes
//   anything else          N-MEASURE.*: points, a panel for each axis

// "max(body.y, 50 m..)" -> "max-body.y-50-m"
static void name_file(const char *text, size_t size, char *name)
{
    static const char kept[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.";
    size_t n                 = 0;
    for (; *text && n + 4 < size; text++) {
        if (*text == '*') {
            n += (size_t)snprintf(name + n, size - n, "all");
            continue;
        }
        const int is_kept = strchr(kept, *text) != NULL;
        if (is_kept || (n > 0 && name[n - 1] != '-'))
            name[n++] = is_kept ? *text : '-';
    }
    while (n > 0 && (name[n - 1] == '-' || name[n - 1] == '.'))
        n--;
    name[n] = '\0';
}

// Ends a picture as DIR/N-MEASURE<end>.svg and .png; a measure below 0: DIR/sweep.*. each: height of a panel [pixels].
static int end_picture(const kane_sweep_study *s, kane_figure *f, int measure, const char *end, int each)
{
    enum { HIGHEST = 30000 };
    char name[64] = "", file[128] = "sweep";
    const int height = 60 + f->plot.panel_count * each;
    if (measure >= 0) {
        name_file(s->study.measures.text[measure], sizeof name, name);
        (void)snprintf(file, sizeof file, "%d-%s%s", measure + 1, name, end);
    }
    f->plot.height = height < HIGHEST ? height : HIGHEST;
    return kane_figure_end(f, &s->study, file);
}

static const char *axis_label(kane_figure *f, const kane_axis *axis)
{
    return kane_figure_axis(f, axis, kane_axis_is_numeric(axis));
}

// "max(body.y) [m]"
static const char *measure_label(kane_figure *f, const kane_sweep_study *s, int measure)
{
    const char *unit = s->study.measures.units[measure];
    return kane_figure_text(f, unit[0] ? "%s [%s]" : "%s", s->study.measures.text[measure], unit);
}

static double value_of(const kane_sweep_study *s, int index, int measure)
{
    return kane_table_at(&s->table, index, measure_column(s) + measure)->number;
}

// --- a measure over an axis, case by case: points, and a line through them ---

static void add_cases(kane_figure *f, const kane_sweep_study *s, int axis, int measure, int has_line)
{
    const kane_axis *column = &s->columns[axis];
    double *y               = kane_figure_values(f, (size_t)column->count);
    const int panel         = kane_figure_add(f, NULL, axis_label(f, column), measure_label(f, s, measure));
    for (int i = 0; y && i < column->count; i++)
        y[i] = value_of(s, i, measure);
    kane_plot_curve curve = {.count = column->count, .x = column->numbers, .y = y};
    if (has_line)
        kane_figure_curve(f, panel, curve);
    curve.style = KANE_POINTS;
    kane_figure_curve(f, panel, curve);
}

// --- a measure over a grid: lines over one axis for the values of another, and both as a map ---

enum { PANELS_MOST = 12, LINES_MOST = 14, LABEL = 256 };

// What goes across, what from line to line (from row to row of a map); the rest are panels.
typedef struct sheet {
    const kane_sweep_study *sweep;
    int measure;
    const kane_axis *across, *along; // along NULL: there is none
    int number[2];                   // of these axes; -1: there is none
    int rows, columns;               // values along, and across
    int panels, all_panels;          // drawn, and how many there would be
    double *values;                  // [panels][rows][columns]
    const char *titles[PANELS_MOST];
} sheet;

static int is_panel(const sheet *g, int axis)
{
    return axis != g->number[0] && axis != g->number[1];
}

// The first axis of numbers goes across; else the first one.
static void choose_axes(sheet *g)
{
    const kane_sweep_definition *is = &g->sweep->is;
    for (int a = is->axis_count - 1; a >= 0; a--)
        if (kane_axis_is_numeric(is->axes[a]) && is->axes[a]->count > 1)
            g->number[0] = a;
    g->number[1]  = is->axis_count < 2 ? -1 : g->number[0] == 0;
    g->across     = is->axes[g->number[0]];
    g->along      = g->number[1] < 0 ? NULL : is->axes[g->number[1]];
    g->columns    = g->across->count;
    g->rows       = g->along ? g->along->count : 1;
    g->all_panels = 1;
    for (int a = 0; a < is->axis_count; a++)
        if (is_panel(g, a))
            g->all_panels = g->all_panels > PANELS_MOST ? g->all_panels : g->all_panels * is->axes[a]->count;
    g->panels = g->all_panels < PANELS_MOST ? g->all_panels : PANELS_MOST;
}

// "speed = 30 m/s", "bloss"
static void write_value(const kane_axis *axis, int index, kane_text *text)
{
    const char *value  = axis->texts[index];
    const int is_plain = axis->unit[0] && value[kane_number_length(value)] == '\0';
    if (kane_axis_is_numeric(axis))
        kane_text_add(text, "%s = %s%s%s", axis->path, value, is_plain ? " " : "", is_plain ? axis->unit : "");
    else
        kane_text_add(text, "%s", value);
}

// Values of the axes that are panels; returns their title.
static const char *place_panel(const sheet *g, kane_figure *f, int panel, int *value)
{
    char text[LABEL];
    kane_text title                 = kane_text_start(sizeof text, text);
    const kane_sweep_definition *is = &g->sweep->is;
    for (int a = is->axis_count - 1, left = panel; a >= 0; a--)
        if (is_panel(g, a)) {
            value[a] = left % is->axes[a]->count;
            left /= is->axes[a]->count;
        }
    for (int a = 0; a < is->axis_count; a++)
        if (is_panel(g, a)) {
            kane_text_add(&title, "%s", title.length ? ", " : "");
            write_value(is->axes[a], value[a], &title);
        }
    return kane_figure_text(f, "%s", text);
}

// Values and titles of all panels, in the memory of a picture.
static void fill_sheet(sheet *g, kane_figure *f)
{
    int value[KANE_SWEEP_AXES_MOST] = {0};
    const int cells                 = g->rows * g->columns;
    g->values                       = kane_figure_values(f, (size_t)g->panels * (size_t)cells);
    for (int p = 0; g->values && p < g->panels; p++) {
        g->titles[p] = place_panel(g, f, p, value);
        for (int i = 0; i < cells; i++) {
            if (g->along)
                value[g->number[1]] = i / g->columns;
            value[g->number[0]] = i % g->columns;
            g->values[(size_t)p * (size_t)cells + (size_t)i] =
                value_of(g->sweep, kane_grid_index(&g->sweep->grid, value), g->measure);
        }
    }
    if (g->panels < g->all_panels)
        f->plot.title = kane_figure_text(f, "the first %d combinations of the other axes", g->panels);
}

// --- lines ---

// The lines of one panel, each with its points: all values along, or so many of them with the first and the last one.
static void add_lines(const sheet *g, kane_figure *f, int p)
{
    const int lines = g->rows < LINES_MOST ? g->rows : LINES_MOST;
    const int panel =
        kane_figure_add(f, g->titles[p], axis_label(f, g->across), measure_label(f, g->sweep, g->measure));
    for (int k = 0; k < lines; k++) {
        const int row   = lines == g->rows ? k : (int)((long long)k * (g->rows - 1) / (lines - 1));
        const double *y = g->values + ((size_t)p * (size_t)g->rows + (size_t)row) * (size_t)g->columns;
        char text[LABEL];
        kane_text label = kane_text_start(sizeof text, text);
        if (g->along)
            write_value(g->along, row, &label);
        kane_figure_marked(
            f, panel,
            (kane_plot_curve){kane_figure_text(f, "%s", text), g->columns, g->across->numbers, y, KANE_SOLID, k});
    }
}

// --- maps ---

// Values of an axis as texts, numbers without their unit, which the label has; one that is empty of no axis.
static const char **texts_of(kane_figure *f, const kane_axis *axis)
{
    const char **texts = kane_figure_texts(f, axis ? axis->count : 1);
    if (texts && !axis)
        texts[0] = "";
    for (int i = 0; texts && axis && i < axis->count; i++) {
        char number[KANE_NUMBER_SIZE];
        if (kane_axis_is_numeric(axis))
            kane_format_number(axis->numbers[i], 6, sizeof number, number);
        texts[i] = kane_axis_is_numeric(axis) ? kane_figure_text(f, "%s", number) : axis->texts[i];
    }
    return texts;
}

// The same colours mean the same in all panels.
static void find_ends(const sheet *g, double *least, double *greatest)
{
    const size_t count = (size_t)g->panels * (size_t)g->rows * (size_t)g->columns;
    *least             = (double)INFINITY;
    *greatest          = -(double)INFINITY;
    for (size_t i = 0; i < count; i++)
        if (isfinite(g->values[i])) {
            *least    = fmin(*least, g->values[i]);
            *greatest = fmax(*greatest, g->values[i]);
        }
    if (!(*least <= *greatest))
        *least = *greatest = 0.0;
}

// Title of a map, with the number of cells that have no value.
static const char *map_title(const sheet *g, kane_figure *f, int panel, const double *values)
{
    const int cells = g->rows * g->columns;
    int empty       = 0;
    for (int i = 0; i < cells; i++)
        empty += !isfinite(values[i]);
    return empty == 0 ? g->titles[panel]
                      : kane_figure_text(f, "%s%sgrey: no value in %d of %d cells", g->titles[panel],
                                         g->titles[panel][0] ? "; " : "", empty, cells);
}

static void add_maps(const sheet *g, kane_figure *f)
{
    kane_plot_map map = {.columns = g->columns,
                         .rows    = g->rows,
                         .x_texts = texts_of(f, g->across),
                         .y_texts = texts_of(f, g->along),
                         .label   = measure_label(f, g->sweep, g->measure),
                         .with_contours =
                             g->along && kane_axis_is_numeric(g->across) && kane_axis_is_numeric(g->along)};
    find_ends(g, &map.least, &map.greatest);
    for (int p = 0; p < g->panels; p++) {
        map.values = g->values + (size_t)p * (size_t)g->rows * (size_t)g->columns;
        kane_figure_map(f,
                        kane_figure_add(f, map_title(g, f, p, map.values), axis_label(f, g->across),
                                        g->along ? axis_label(f, g->along) : ""),
                        map);
    }
}

static int draw_grid(const kane_sweep_study *s, int measure)
{
    sheet g           = {.sweep = s, .measure = measure};
    kane_figure lines = kane_figure_begin(), map = kane_figure_begin();
    choose_axes(&g);
    fill_sheet(&g, &map);
    lines.plot.title = map.plot.title;
    for (int p = 0; g.values && p < g.panels && kane_axis_is_numeric(g.across) && g.columns > 1; p++)
        add_lines(&g, &lines, p);
    if (g.values && g.rows <= KANE_PLOT_CELLS_MOST / g.columns) // of more nobody could see anything
        add_maps(&g, &map);
    const int high = g.rows * 26 < 220 ? 300 : g.rows * 26 > 700 ? 780 : 80 + g.rows * 26;
    const int good = end_picture(s, &lines, measure, "", 320); // its title is the map's
    if (!good)
        map.plot.panel_count = 0;
    return end_picture(s, &map, measure, "-map", g.along ? high : 180) && good;
}

// Points of a measure over every axis of numbers.
static int draw_points(const kane_sweep_study *s, int measure)
{
    kane_figure f = kane_figure_begin();
    for (int a = 0; a < s->is.axis_count; a++)
        if (kane_axis_is_numeric(&s->columns[a]))
            add_cases(&f, s, a, measure, 0);
    return end_picture(s, &f, measure, "", 280);
}

// All measures over the only axis.
static int draw_single(const kane_sweep_study *s)
{
    kane_figure f = kane_figure_begin();
    for (int m = 0; m < s->is.measure_count && s->study.case_count > 1; m++)
        add_cases(&f, s, 0, m, 1);
    return end_picture(s, &f, -1, "", 260);
}

static int draw_sweep(const kane_sweep_study *s)
{
    const int is_grid = s->is.kind == KANE_SWEEP_GRID && s->distributions == 0;
    int good          = 1;
    if (s->is.axis_count == 1 && is_grid && kane_axis_is_numeric(s->is.axes[0]))
        return draw_single(s);
    for (int m = 0; m < s->is.measure_count && good; m++)
        good = is_grid ? draw_grid(s, m) : draw_points(s, m);
    return good;
}

static int write_sweep(void *self, const kane_plan *plan)
{
    kane_sweep_study *s               = self;
    const kane_study_output outputs[] = {{.name = "sweep.csv", .table = &s->table},
                                         {.name = "sweep.json", .json = write_json, .kind = "sweep 1"},
                                         {.name = "sweep-summary.csv", .table = &s->statistics},
                                         {.name = "sweep-sobol.csv", .table = &s->indices}};
    const int count                   = s->distributions == 0 ? 2 : s->is.with_sobol ? 4 : 3;
    tabulate_sweep(s, plan);
    return (s->distributions == 0 || kane_sweep_tabulate_samples(s, plan)) &&
           kane_study_write(&s->study, count, outputs, s) && draw_sweep(s) &&
           (!s->is.finder || !s->is.finder->finish ||
            s->is.finder->finish(s, s->study.directory, s->is.finder->data, s->study.errors));
}

// --- the sweep ---

static const kane_study_kind sweep = {.name     = "sweep",
                                      .prepare  = prepare_sweep,
                                      .describe = describe_sweep,
                                      .work     = run_sweep_case,
                                      .finish   = write_sweep};

kane_sweep_study *kane_sweep_create(const kane_sweep_definition *d, kane_errors *errors)
{
    kane_sweep_study *s = kane_allocate(1, sizeof *s);
    if (!s) {
        (void)kane_no_memory(errors);
        return NULL;
    }
    s->is                    = *d;
    s->study.keep            = d->keep_results;
    const kane_status status = kane_study_begin(&sweep, s, d->file, d->common, NULL, errors);
    s->study.errors          = &s->study.unreported; // it outlives those of the caller
    if (status == KANE_OK)
        return s;
    kane_sweep_free(s);
    return NULL;
}

void kane_sweep_free(kane_sweep_study *s)
{
    if (s)
        kane_study_end(&sweep, s);
    kane_release(s);
}

kane_status kane_sweep_run_cases(kane_sweep_study *s, const kane_plan_execution *execution, int *complete,
                                 kane_errors *errors)
{
    s->study.errors          = errors ? errors : &s->study.unreported;
    s->study.directory       = execution->directory;
    const kane_status status = kane_study_go(&sweep, s, execution, complete);
    s->study.errors          = &s->study.unreported;
    return status;
}
