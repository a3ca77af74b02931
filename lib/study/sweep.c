// SPDX-License-Identifier: MIT
// Sweeps: a run over values of its parameters, a few numbers of each case in one table.

#include "study/sweep.h"

#include "base/number.h"
#include "base/text.h"
#include "math/random.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// --- the cases: how many ---

static int count_grid(const kane_sweep_study *s, kane_errors *errors)
{
    const double count = kane_grid_size(&s->grid);
    if (count <= KANE_SWEEP_CASES_MOST)
        return (int)count;
    kane_errors_add(errors, KANE_BAD_ARGUMENT,
                    "the grid has more than %d cases; take fewer values, or a Latin hypercube", KANE_SWEEP_CASES_MOST);
    return 0;
}

static int count_list(const kane_sweep_study *s, kane_errors *errors)
{
    const kane_axis *first = s->is.axes[0];
    for (int a = 1; a < s->is.axis_count; a++)
        if (s->is.axes[a]->count != first->count) {
            kane_errors_add(errors, KANE_BAD_ARGUMENT,
                            "the cases of a list take the first values of all axes, the second ones and so on, so that "
                            "there must be as many of each: '%s' has %d, '%s' has %d",
                            first->path, first->count, s->is.axes[a]->path, s->is.axes[a]->count);
            return 0;
        }
    return first->count;
}

static int count_samples(const kane_sweep_study *s, kane_errors *errors)
{
    if (s->is.samples >= 1 && s->is.samples <= KANE_SWEEP_CASES_MOST)
        return s->is.samples;
    kane_errors_add(errors, KANE_BAD_ARGUMENT, "a Latin hypercube has 1 to %d cases, not %d", KANE_SWEEP_CASES_MOST,
                    s->is.samples);
    return 0;
}

// --- the cases: which value each axis has in each of them ---

// Values that an axis has itself: index of the one in case i.
static void pick(kane_axis *column, const kane_axis *axis, const char **texts, double *numbers, int i, int value)
{
    texts[i]      = axis->texts[value];
    numbers[i]    = axis->numbers[value];
    column->count = i + 1;
}

// Permutation and places of a Latin hypercube for one axis: case i is in the stratum order[i] of `count`, at the place
// within[i] of it (0 <= within < 1).
static void choose_strata(int seed, int axis, int count, int *order, double *within)
{
    kane_random random = kane_random_start((uint64_t)(int64_t)seed, (uint64_t)axis);
    for (int i = 0; i < count; i++)
        order[i] = i;
    for (int i = count - 1; i > 0; i--) { // Fisher and Yates
        const int k = (int)(kane_random_even(&random) * (i + 1)), kept = order[i];
        order[i] = order[k];
        order[k] = kept;
    }
    for (int i = 0; i < count; i++)
        within[i] = kane_random_even(&random);
}

// A number in a stratum, with no more digits than tell it from its neighbours and at least five beyond the strata.
static double place_in(double a, double b, int stratum, double within, int count, char text[KANE_NUMBER_SIZE])
{
    const double width = (b - a) / count, low = a + width * stratum, value = a + width * (stratum + within);
    for (int digits = 1; digits <= 17; digits++) {
        kane_number_round(value, digits, text);
        const double rounded = kane_number_value(text, strlen(text), 0);
        const double part    = (rounded - low) / width;
        if (part >= 0.0 && part < 1.0 && fabs(rounded - value) < 1e-5 * fabs(width)) {
            kane_number_format(rounded, text);
            return rounded;
        }
    }
    kane_number_format(value, text);
    return value;
}

// Case i of a Latin hypercube: a range gives a number of its stratum, a list its values in equal shares.
static int sample(kane_sweep_study *s, kane_axis *column, const kane_axis *axis, int i, int stratum, double within,
                  const char **texts, double *numbers)
{
    char number[KANE_NUMBER_SIZE], text[KANE_NUMBER_SIZE + 80];
    kane_axis_value value;
    if (!axis->is_range) {
        pick(column, axis, texts, numbers, i, (int)((long long)stratum * axis->count / s->case_count));
        return 1;
    }
    numbers[i] = place_in(axis->numbers[0], axis->numbers[axis->count - 1], stratum, within, s->case_count, number);
    (void)kane_axis_take(axis->texts[0], "", &value);
    (void)snprintf(text, sizeof text, "%s%s%.*s", number, value.unit_length ? " " : "", (int)value.unit_length,
                   value.unit);
    texts[i]      = kane_arena_text(s->study.arena, text);
    column->count = i + 1;
    return texts[i] != NULL;
}

static int fill_hypercube(kane_sweep_study *s, int a, const char **texts, double *numbers)
{
    int *order     = kane_allocate((size_t)s->case_count, sizeof *order);
    double *within = kane_allocate((size_t)s->case_count, sizeof *within);
    int good       = order && within;
    if (good)
        choose_strata(s->is.seed, a, s->case_count, order, within);
    for (int i = 0; i < s->case_count && good; i++)
        good = sample(s, &s->columns[a], s->is.axes[a], i, order[i], within[i], texts, numbers);
    kane_release(order);
    kane_release(within);
    return good;
}

static int fill(kane_sweep_study *s, int a)
{
    const kane_axis *axis = s->is.axes[a];
    const char **texts    = kane_arena_alloc(s->study.arena, (size_t)s->case_count, sizeof *texts);
    double *numbers       = kane_arena_doubles(s->study.arena, (size_t)s->case_count);
    if (!texts || !numbers)
        return 0;
    s->columns[a] = (kane_axis){.path = axis->path, .unit = axis->unit, .texts = texts, .numbers = numbers};
    if (s->is.kind == KANE_SWEEP_LATIN_HYPERCUBE)
        return fill_hypercube(s, a, texts, numbers);
    for (int i = 0; i < s->case_count; i++) {
        int value[KANE_SWEEP_AXES_MOST];
        kane_grid_values(&s->grid, i, value);
        pick(&s->columns[a], axis, texts, numbers, i, s->is.kind == KANE_SWEEP_GRID ? value[a] : i);
    }
    return 1;
}

static int lay_out(kane_sweep_study *s, kane_errors *errors)
{
    switch (s->is.kind) {
    case KANE_SWEEP_GRID: s->case_count = count_grid(s, errors); break;
    case KANE_SWEEP_LIST: s->case_count = count_list(s, errors); break;
    case KANE_SWEEP_LATIN_HYPERCUBE: s->case_count = count_samples(s, errors); break;
    }
    if (s->case_count < 1)
        return 0;
    s->columns = kane_arena_alloc(s->study.arena, (size_t)s->is.axis_count, sizeof *s->columns);
    int good   = s->columns != NULL;
    for (int a = 0; a < s->is.axis_count && good; a++)
        good = fill(s, a);
    if (!good)
        (void)kane_no_memory(errors);
    return good;
}

int kane_sweep_case_count(const kane_sweep_study *s)
{
    return s->case_count;
}

int kane_sweep_setting(const kane_sweep_study *s, int index, int axis, size_t size, char *text)
{
    return kane_axis_setting(&s->columns[axis], index, size, text);
}

// --- one case ---

static kane_run *read_case(const kane_sweep_study *s, int index, kane_errors *errors)
{
    const kane_axis *columns[KANE_SWEEP_AXES_MOST];
    const kane_grid grid = {s->is.axis_count, columns};
    int value[KANE_SWEEP_AXES_MOST];
    for (int a = 0; a < s->is.axis_count; a++) {
        columns[a] = &s->columns[a];
        value[a]   = index;
    }
    return kane_study_read_at(&s->study, &grid, value, NULL, errors);
}

// What becomes of one case.
typedef struct course {
    const kane_sweep_study *sweep;
    int index;
    kane_case *result;
    kane_text why;
    kane_errors errors;
} course;

static void remark(course *c, const char *text)
{
    kane_text_add(&c->why, "%s%s", c->why.length ? "; " : "", text);
}

// The first errors, as they are read.
static void remark_errors(course *c, int from)
{
    enum { TOLD = 3 };
    char text[1200];
    for (int i = from; i < c->errors.count && i < KANE_ERRORS_KEPT && i < from + TOLD; i++) {
        (void)kane_error_format(&c->errors.kept[i], sizeof text, text);
        remark(c, text);
    }
}

// --- rows ---

// In memory, with what the measures want.
static kane_results *collect_rows(course *c, const kane_run_definition *run, kane_outcome *outcome)
{
    return kane_run_collect(run, c->sweep->is.measure_count, c->sweep->measures.patterns, outcome, &c->errors);
}

// Rows in files of the case; the run's own channels and those of the measures, in any format as they are in memory. A case
// that is overdue may be given to two workers: the second one leaves the files to the first.
static kane_results *keep_rows(course *c, const kane_run_definition *run, kane_outcome *outcome)
{
    const kane_sweep_study *s = c->sweep;
    const int own             = run->output.pattern_count;
    const char **patterns     = kane_allocate((size_t)(own + s->is.measure_count) + 1, sizeof *patterns);
    char directory[4096];
    (void)snprintf(directory, sizeof directory, "%s/case-%04d", s->study.directory, c->index + 1);
    if (!patterns) {
        *outcome = (kane_outcome){.status = KANE_NO_MEMORY};
        return NULL;
    }
    for (int i = 0; i < own + s->is.measure_count; i++)
        patterns[i] = i < own ? run->output.patterns[i] : s->measures.patterns[i - own];
    kane_run_definition more = *run;
    if (own > 0) // else all channels
        more.output = (kane_output_definition){.every         = run->output.every,
                                               .pattern_count = own + s->is.measure_count,
                                               .patterns      = patterns,
                                               .format        = run->output.format};
    const kane_execution how = {.directory = directory};
    const int before         = c->errors.count;
    const kane_status status = kane_run_execute(&more, &how, outcome, &c->errors);
    kane_release(patterns);
    if (status == KANE_IN_USE) {
        c->errors.count = before;
        return collect_rows(c, run, outcome);
    }
    return outcome->rows > 0 ? kane_results_open(directory, &c->errors) : NULL;
}

// --- the case ---

static void take_measures(course *c, const kane_results *rows)
{
    for (int m = 0; m < c->sweep->is.measure_count; m++) {
        const int before     = c->errors.count;
        c->result->values[m] = kane_measure_eval(c->sweep->measures.measure[m], rows, NULL, &c->errors);
        remark_errors(c, before);
    }
}

static void take_outcome(const course *c, const kane_outcome *o)
{
    double *extra              = c->result->values + c->sweep->is.measure_count;
    extra[KANE_SWEEP_STOP]     = o->status == KANE_OK ? (double)o->stop : (double)KANE_STOP_FAILED;
    extra[KANE_SWEEP_TIME]     = o->time;
    extra[KANE_SWEEP_DISTANCE] = o->distance;
    extra[KANE_SWEEP_STEPS]    = (double)o->statistics.steps;
}

static void go(course *c, const kane_run_definition *run)
{
    const kane_sweep_study *s = c->sweep;
    kane_outcome o;
    kane_results *rows    = s->is.keep_results ? keep_rows(c, run, &o) : collect_rows(c, run, &o);
    const int is_derailed = o.status == KANE_OK && kane_stop_is_derailment(o.stop);
    remark_errors(c, 0);
    if (rows && o.status == KANE_OK && c->errors.count == 0) {
        if (is_derailed)
            remark(c, o.subject);
        take_measures(c, rows);
        c->result->state = is_derailed || c->errors.count == 0 ? KANE_CASE_DONE : KANE_CASE_FAILED;
    }
    if (rows)
        take_outcome(c, &o);
    kane_results_free(rows);
}

// Files that somebody has edited meanwhile would make a table of two vehicles.
static void carry_out_case(int index, kane_case *result, void *data)
{
    course c      = {.sweep = data, .index = index, .result = result};
    result->state = KANE_CASE_FAILED;
    c.why         = kane_text_start(sizeof result->why, result->why);
    kane_run *run = read_case(c.sweep, index, &c.errors);
    if (run && kane_study_check_inputs(&c.sweep->study, &c.errors) == KANE_OK)
        go(&c, kane_run_get_definition(run));
    else
        remark_errors(&c, 0);
    kane_run_free(run);
}

// --- what can be known before the first case starts ---

// Reads the run of a case; its files become inputs.
static int check_case(kane_sweep_study *s, int index, kane_errors *errors)
{
    kane_run *run  = read_case(s, index, errors);
    const int good = run && kane_study_take_inputs(&s->study, kane_run_get_definition(run), errors);
    kane_run_free(run);
    return good;
}

// The first case in which axis a has a value; -1: none.
static int find_case(const kane_sweep_study *s, int a, const char *text)
{
    for (int i = 0; i < s->case_count; i++)
        if (strcmp(s->columns[a].texts[i], text) == 0)
            return i;
    return -1;
}

// First and last value of every axis, of words every one. Of a Latin hypercube, whose ends are in no case, cases with the
// least and the greatest number.
static int check_ends(kane_sweep_study *s, int a, kane_errors *errors)
{
    const kane_axis *axis = s->is.axes[a], *column = &s->columns[a];
    if (s->is.kind == KANE_SWEEP_LATIN_HYPERCUBE && axis->is_range) {
        int least = 0, greatest = 0;
        for (int i = 1; i < s->case_count; i++) {
            least    = column->numbers[i] < column->numbers[least] ? i : least;
            greatest = column->numbers[i] > column->numbers[greatest] ? i : greatest;
        }
        return check_case(s, least, errors) && (greatest == least || check_case(s, greatest, errors));
    }
    const int every = kane_axis_is_numeric(axis) && axis->count > 1 ? axis->count - 1 : 1;
    for (int v = 0; v < axis->count; v += every) {
        const int i = find_case(s, a, axis->texts[v]);
        if (i > 0 && !check_case(s, i, errors))
            return 0;
    }
    return 1;
}

static int check_all(kane_sweep_study *s, kane_errors *errors)
{
    const int may_repeat = s->is.kind != KANE_SWEEP_GRID;
    if (!kane_grid_check(&s->grid, s->study.common.settings, may_repeat, errors) || !check_case(s, 0, errors))
        return 0;
    const int before = errors->count;
    for (int a = 0; a < s->is.axis_count; a++)
        (void)check_ends(s, a, errors);
    kane_run *run = errors->count == before ? read_case(s, 0, errors) : NULL;
    const int good =
        run && kane_measures_check(&s->measures, &s->study, kane_run_get_definition(run), "--measure ", errors);
    kane_run_free(run);
    return good;
}

// --- the plan ---

// Of a Latin hypercube the ends; what lies between follows from seed and number of samples.
static void write_axes(kane_writer *w, const kane_sweep_study *s)
{
    kane_writer_open(w, "axes", '[');
    for (int a = 0; a < s->is.axis_count; a++) {
        const kane_axis *axis = s->is.axes[a];
        const int is_open     = s->is.kind == KANE_SWEEP_LATIN_HYPERCUBE && axis->is_range;
        kane_writer_open(w, NULL, '{');
        kane_writer_text(w, "path", axis->path);
        if (is_open) {
            const char *const ends[] = {axis->texts[0], axis->texts[axis->count - 1]};
            kane_write_texts(w, "between", 2, ends);
        } else {
            kane_write_texts(w, "values", axis->count, axis->texts);
        }
        kane_writer_close(w);
    }
    kane_writer_close(w);
}

static void describe(kane_writer *w, const void *data)
{
    static const char *const kinds[] = {"grid", "list", "latin hypercube"};
    const kane_sweep_study *s        = data;
    kane_writer_text(w, "layout", kinds[s->is.kind]);
    if (s->is.kind == KANE_SWEEP_LATIN_HYPERCUBE) {
        kane_writer_count(w, "samples", s->is.samples);
        kane_writer_count(w, "seed", s->is.seed);
    }
    write_axes(w, s);
    kane_write_texts(w, "measures", s->measures.count, s->measures.text);
    kane_writer_switch(w, "keep", s->is.keep_results);
}

static kane_study_plan plan_of(const kane_sweep_study *sweep);

// --- the table ---

// Columns that are no axis and no measure, in two places.
enum { CASE, BEFORE_AXES };
enum { STATE, END, TIME, DISTANCE, STEPS, BETWEEN };

int kane_sweep_column_count(const kane_sweep_study *s)
{
    return BEFORE_AXES + s->is.axis_count + BETWEEN + s->is.measure_count + 1;
}

void kane_sweep_head(const kane_sweep_study *s, int column, size_t size, char *text)
{
    static const char *const between[] = {"state", "end", "time [s]", "distance [m]", "steps"};
    const int axis = column - BEFORE_AXES, fixed = axis - s->is.axis_count, measure = fixed - BETWEEN;
    if (axis < 0)
        (void)snprintf(text, size, "case");
    else if (fixed < 0)
        kane_axis_label(&s->columns[axis], kane_axis_is_numeric(&s->columns[axis]), size, text);
    else if (measure < 0)
        (void)snprintf(text, size, "%s", between[fixed]);
    else if (measure < s->is.measure_count)
        (void)snprintf(text, size, s->measures.units[measure][0] ? "%s [%s]" : "%s", s->measures.text[measure],
                       s->measures.units[measure]);
    else
        (void)snprintf(text, size, "remark");
}

static int is_derailed(const kane_sweep_study *s, int index)
{
    const double stop = s->records[index].values[s->is.measure_count + KANE_SWEEP_STOP];
    return isfinite(stop) && kane_stop_is_derailment((kane_stop)lround(stop));
}

static const char *state_of(const kane_sweep_study *s, int index)
{
    if (s->records[index].state != KANE_CASE_DONE)
        return "failed";
    return is_derailed(s, index) ? "derailed" : "done";
}

static const char *end_of(const kane_sweep_study *s, int index)
{
    const double stop = s->records[index].values[s->is.measure_count + KANE_SWEEP_STOP];
    return isfinite(stop) ? kane_stop_name((kane_stop)lround(stop)) : "";
}

// Numbers with a unit in the head stand without it.
static kane_cell cell_of(const void *data, int row, int column, char room[KANE_CELL_ROOM])
{
    static const int extra[] = {[TIME] = KANE_SWEEP_TIME, [DISTANCE] = KANE_SWEEP_DISTANCE, [STEPS] = KANE_SWEEP_STEPS};
    const kane_sweep_study *s = data;
    const int axis = column - BEFORE_AXES, fixed = axis - s->is.axis_count, measure = fixed - BETWEEN;
    if (row < 0) {
        kane_sweep_head(s, column, KANE_CELL_ROOM, room);
        return kane_cell_word(room);
    }
    const kane_sweep_record *r = &s->records[row];
    if (axis < 0)
        return kane_cell_count(row + 1);
    if (fixed < 0)
        return kane_axis_is_numeric(&s->columns[axis]) ? kane_cell_number(s->columns[axis].numbers[row] + 0.0)
                                                       : kane_cell_word(s->columns[axis].texts[row]);
    if (fixed == STATE || fixed == END)
        return kane_cell_word(fixed == STATE ? state_of(s, row) : end_of(s, row));
    if (measure >= s->is.measure_count)
        return kane_cell_word(r->why);
    return kane_cell_number(r->values[measure < 0 ? s->is.measure_count + extra[fixed] : measure] + 0.0);
}

void kane_sweep_cell(const kane_sweep_study *s, int index, int column, int digits, size_t size, char *text)
{
    char room[KANE_CELL_ROOM];
    const kane_cell cell = cell_of(s, index, column, room);
    kane_cell_show(&cell, digits, size, text);
}

// --- files ---

static void write_case(kane_writer *w, const kane_sweep_study *s, int index)
{
    const kane_sweep_record *r = &s->records[index];
    const double *extra        = r->values + s->is.measure_count;
    kane_writer_open(w, NULL, '{');
    kane_writer_count(w, "case", index + 1);
    kane_writer_row(w, "settings");
    for (int a = 0; a < s->is.axis_count; a++) {
        char text[KANE_CELL_ROOM];
        (void)kane_sweep_setting(s, index, a, sizeof text, text);
        kane_writer_text(w, NULL, text);
    }
    kane_writer_close(w);
    kane_writer_text(w, "state", state_of(s, index));
    kane_writer_text(w, "end", end_of(s, index));
    kane_writer_number(w, "time", extra[KANE_SWEEP_TIME]);
    kane_writer_number(w, "distance", extra[KANE_SWEEP_DISTANCE]);
    kane_writer_number(w, "steps", extra[KANE_SWEEP_STEPS]);
    kane_write_numbers(w, "values", s->measures.count, r->values);
    if (r->why[0])
        kane_writer_text(w, "remark", r->why);
    kane_writer_close(w);
}

static void write_json(kane_writer *w, const void *data)
{
    const kane_sweep_study *s  = data;
    const kane_study_plan plan = plan_of(data);
    kane_study_write_definition(w, &s->study, &plan);
    kane_write_texts(w, "units", s->measures.count, s->measures.units);
    kane_writer_open(w, "cases", '[');
    for (int i = 0; i < s->case_count; i++)
        write_case(w, s, i);
    kane_writer_close(w);
}

// --- the sweep ---

static int check_counts(const kane_sweep_definition *d, kane_errors *errors)
{
    const int before = errors->count;
    if (d->axis_count < 1)
        kane_errors_add(errors, KANE_BAD_ARGUMENT, "a sweep needs an axis, such as speed=10:50:5");
    if (d->axis_count > KANE_SWEEP_AXES_MOST)
        kane_errors_add(errors, KANE_BAD_ARGUMENT, "%d axes are more than %d", d->axis_count, KANE_SWEEP_AXES_MOST);
    if (d->measure_count < 1)
        kane_errors_add(errors, KANE_BAD_ARGUMENT, "a sweep needs a measure, such as max(body.y)");
    return errors->count == before;
}

kane_sweep_study *kane_sweep_create(const kane_sweep_definition *d, kane_errors *errors)
{
    kane_errors nobody = {0};
    kane_errors *tell  = errors ? errors : &nobody;
    if (!check_counts(d, tell))
        return NULL;
    kane_sweep_study *s = kane_allocate(1, sizeof *s);
    int good            = s && kane_study_begin(&s->study, d->file, d->common, NULL, tell) == KANE_OK;
    if (!s)
        (void)kane_no_memory(tell);
    if (good) {
        const kane_axis **axes = kane_arena_alloc(s->study.arena, (size_t)d->axis_count, sizeof *axes);
        for (int a = 0; axes && a < d->axis_count; a++)
            axes[a] = d->axes[a];
        s->is      = *d;
        s->is.axes = axes;
        s->grid    = (kane_grid){d->axis_count, axes};
        good       = axes != NULL || (kane_no_memory(tell), 0);
    }
    if (good)
        good = kane_measures_parse(&s->measures, &s->study, d->measure_count, d->measures, 0, "measure", tell);
    for (int m = 0; good && m < s->measures.count; m++) // they stay when those of the caller are gone
        s->measures.text[m] = kane_measure_text(s->measures.measure[m]);
    good = good && lay_out(s, tell) && check_all(s, tell);
    if (good)
        return s;
    kane_sweep_free(s);
    return NULL;
}

void kane_sweep_free(kane_sweep_study *s)
{
    if (!s)
        return;
    kane_measures_free(&s->measures);
    kane_study_end(&s->study);
    kane_release(s);
}

// Keeps what became of the cases beyond the life of the plan.
static kane_status take_records(kane_sweep_study *s, const kane_plan *plan, kane_errors *errors)
{
    const size_t values        = (size_t)(s->measures.count + KANE_SWEEP_EXTRAS);
    kane_sweep_record *records = kane_arena_alloc(s->study.arena, (size_t)s->case_count, sizeof *records);
    double *all                = kane_arena_doubles(s->study.arena, (size_t)s->case_count * values);
    if (!records || !all)
        return kane_no_memory(errors);
    for (int i = 0; i < s->case_count; i++) {
        const kane_case *c = kane_plan_case(plan, i);
        double *kept       = memcpy(all + (size_t)i * values, c->values, values * sizeof *all);
        records[i] = (kane_sweep_record){c->state, kept, c->why[0] ? kane_arena_text(s->study.arena, c->why) : ""};
    }
    s->records = records;
    if (!kane_arena_failed(s->study.arena))
        return KANE_OK;
    return kane_no_memory(errors);
}

void kane_sweep_print(const kane_sweep_study *s, int most, FILE *out)
{
    const int rows         = most > 0 && most < s->case_count ? most : s->case_count;
    const kane_table table = {.rows = rows, .columns = kane_sweep_column_count(s) - 1, .cell = cell_of, .data = s};
    kane_table_print(&table, out); // without remarks
    if (rows < s->case_count)
        (void)fprintf(out, "... and %d more in %s/sweep.csv\n", s->case_count - rows, s->study.directory);
}

// Keeps what became of the cases, writes the tables, draws.
static kane_status finish(void *data, const kane_plan *plan, kane_errors *errors)
{
    kane_sweep_study *s    = data;
    const kane_table table = {.rows = s->case_count, .columns = kane_sweep_column_count(s), .cell = cell_of, .data = s};
    const kane_study_output outputs[] = {{.name = "sweep.csv", .table = &table},
                                         {.name = "sweep.json", .json = write_json, .kind = "sweep 1"}};
    kane_status status                = take_records(s, plan, errors);
    if (status == KANE_OK)
        status = kane_study_write(&s->study, 2, outputs, s, errors);
    return status == KANE_OK ? kane_sweep_draw(s, errors) : status;
}

static kane_study_plan plan_of(const kane_sweep_study *s)
{
    return (kane_study_plan){.kind        = "sweep",
                             .case_count  = s->case_count,
                             .value_count = s->measures.count + KANE_SWEEP_EXTRAS,
                             .describe    = describe,
                             .work        = carry_out_case,
                             .finish      = finish,
                             .data        = (void *)(uintptr_t)s};
}

kane_status kane_sweep_carry_out(kane_sweep_study *s, const kane_plan_execution *execution, int *complete,
                                 kane_errors *errors)
{
    kane_errors nobody         = {0};
    const kane_study_plan plan = plan_of(s);
    s->study.directory         = execution->directory;
    return kane_study_carry_out(&s->study, &plan, execution, complete, errors ? errors : &nobody);
}
