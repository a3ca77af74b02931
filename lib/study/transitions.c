// SPDX-License-Identifier: MIT
// Shapes of transitions beside each other: a run for each, and what it does to the criteria, as tables and pictures.

#include "study/transitions.h"

#include "base/number.h"
#include "base/text.h"
#include "study/study.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// --- one run ---

double criteria_sum(const kane_measures *c, const double *values)
{
    double sum = 0.0;
    for (int i = 0; i < c->count; i++)
        if (c->weight[i] != 0.0) // else of a limit, and perhaps not defined
            sum += c->weight[i] * values[i];
    return sum;
}

int shape_check_criteria(int count, kane_errors *errors)
{
    if (count >= 1 && count <= KANE_CRITERIA_MOST)
        return 1;
    kane_errors_add(errors, KANE_BAD_INPUT,
                    count < 1 ? "a criterion is missing, such as --criterion 'rms(body.acceleration.y)'"
                              : "%d criteria; there may be %d",
                    count, KANE_CRITERIA_MOST);
    return 0;
}

// Measures of a run, without those of the line; of the line, whether each can be taken.
static int check_line_measures(kane_study *study, kane_measures *of_run)
{
    kane_measures *m = &study->measures;
    const kane_column *columns;
    const int count = line_columns(&columns), before = study->errors->count;
    *of_run = (kane_measures){.measure  = kane_arena_alloc(study->arena, (size_t)m->count, sizeof *of_run->measure),
                              .text     = kane_arena_alloc(study->arena, (size_t)m->count, sizeof *of_run->text),
                              .patterns = kane_arena_alloc(study->arena, (size_t)m->count, sizeof *of_run->patterns),
                              .units    = kane_arena_alloc(study->arena, (size_t)m->count, sizeof *of_run->units),
                              .weight   = m->weight};
    if (kane_arena_failed(study->arena))
        return kane_study_no_memory(study);
    for (int i = 0; i < m->count; i++) {
        if (line_has_channel(m->patterns[i])) {
            (void)kane_measure_check(m->measure[i], count, columns, 0.0, &m->units[i], study->errors);
            continue;
        }
        of_run->measure[of_run->count]    = m->measure[i];
        of_run->text[of_run->count]       = m->text[i];
        of_run->patterns[of_run->count++] = m->patterns[i];
    }
    return study->errors->count == before;
}

// Whether the criteria can be taken; fills their units.
static int check_measures(kane_study *study, const kane_run_definition *run)
{
    kane_study of_run = *study;
    kane_measures *m  = &study->measures;
    if (!check_line_measures(study, &of_run.measures) ||
        (of_run.measures.count > 0 && !kane_measures_check(&of_run, run, "")))
        return 0;
    for (int i = 0, k = 0; i < m->count; i++)
        if (!line_has_channel(m->patterns[i]))
            m->units[i] = of_run.measures.units[k++];
    return 1;
}

// The run of a condition: what can be known before it is carried out.
static int prepare_condition(kane_study *study, shape_condition *c, int section_count, const int *sections)
{
    kane_run *run                 = kane_study_read(&c->study, NULL, study->errors);
    const kane_run_definition *is = run ? kane_run_get_definition(run) : NULL;
    if (is && !is->track)
        kane_errors_add(study->errors, KANE_BAD_INPUT, "%s: a mechanism has no track, and so no transitions",
                        study->file);
    const int good = is && is->track && shape_find_sections(study, is->track, section_count, sections, &c->sections) &&
                     check_measures(study, is) && kane_study_take_inputs(study, is);
    kane_run_free(run);
    return good;
}

// The sections of the track without values of axes.
static int find_track_sections(const kane_study *study, int count, const int *asked, shape_sections *sections)
{
    kane_run *run  = kane_study_read(study, NULL, study->errors);
    const int good = run && shape_find_sections(study, kane_run_get_definition(run)->track, count, asked, sections);
    kane_run_free(run);
    return good;
}

int trial_prepare(kane_study *study, int criterion_count, const char *const *texts, int with_weights, int section_count,
                  const int *sections, const kane_grid *axes, shape_conditions *conditions)
{
    const double count = kane_grid_size(axes);
    if (axes->axis_count > KANE_SWEEP_AXES_MOST) {
        kane_errors_add(study->errors, KANE_BAD_INPUT, "%d axes are more than %d", axes->axis_count,
                        KANE_SWEEP_AXES_MOST);
        return 0;
    }
    if (!(count <= KANE_CONDITIONS_MOST)) {
        kane_errors_add(study->errors, KANE_BAD_INPUT, "%g conditions; there may be %d", count, KANE_CONDITIONS_MOST);
        return 0;
    }
    if (!kane_grid_check(axes, study->common.settings, 0, study->errors) ||
        !kane_measures_parse(study, criterion_count, texts, with_weights, "criterion"))
        return 0;
    *conditions = (shape_conditions){
        (int)count, kane_arena_alloc(study->arena, (size_t)count, sizeof *conditions->condition), .is_worst = 1};
    for (int i = 0; i < conditions->count; i++) {
        shape_condition *c = conditions->condition ? &conditions->condition[i] : NULL;
        int value[KANE_SWEEP_AXES_MOST];
        if (!c)
            return kane_study_no_memory(study);
        kane_grid_values(axes, i, value);
        *c                       = (shape_condition){.study = *study, .weight = 1.0 / count};
        c->study.common.settings = kane_study_settings_at(study->arena, study->common.settings, axes, value, NULL);
        if (!c->study.common.settings)
            return kane_study_no_memory(study);
        if (!prepare_condition(study, c, section_count, sections))
            return 0;
    }
    conditions->track = conditions->condition[0].sections;
    return axes->axis_count == 0 || find_track_sections(study, section_count, sections, &conditions->track);
}

// Status of a run by its end; a derailment is an error.
static kane_status check_end(const kane_outcome *outcome, kane_errors *errors)
{
    if (outcome->status != KANE_OK)
        return outcome->status;
    if (!kane_stop_is_derailment(outcome->stop))
        return KANE_OK;
    kane_errors_add_run(errors, KANE_NOT_SOLVED, outcome->subject, outcome->time, outcome->distance, "%s",
                        kane_stop_name(outcome->stop));
    return KANE_NOT_SOLVED;
}

// Rows of the run with the channels of its criteria; NULL where these are all of the line.
static kane_results *run_rows(const kane_study *study, const kane_run *run, const char *keep, kane_status *status,
                              kane_errors *errors)
{
    const kane_measures *criteria = &study->measures;
    const char *patterns[KANE_TRIAL_MEASURES_MOST];
    kane_outcome outcome;
    int count = 0;
    for (int i = 0; i < criteria->count; i++)
        if (!line_has_channel(criteria->patterns[i]))
            patterns[count++] = criteria->patterns[i];
    if (count == 0)
        return NULL;
    kane_results *results =
        kane_study_rows(study, keep, kane_run_get_definition(run), count, patterns, &outcome, errors);
    *status = results ? check_end(&outcome, errors) : outcome.status;
    return results;
}

// Values of all criteria, of the rows of a run or, made where the first one needs them, of the line. One that is not
// defined has an error and no value, and the others are there.
static kane_status take_criteria(const kane_study *study, const kane_run_definition *run,
                                 const shape_sections *sections, const kane_results *results, kane_results **line,
                                 double *values, kane_errors *errors)
{
    const kane_measures *criteria = &study->measures;
    const int before              = errors->count;
    for (int i = 0; i < criteria->count; i++) {
        const int is_line = line_has_channel(criteria->patterns[i]);
        if (is_line && !*line && !(*line = line_rows(run, sections, errors)))
            return kane_errors_status(errors, before);
        if (is_line && line_has_impulse(run, sections, criteria->measure[i])) {
            kane_errors_add(errors, KANE_NOT_SOLVED, "%s is not defined: the shape has kinks", criteria->text[i]);
            values[i] = (double)NAN;
            continue;
        }
        values[i] = kane_measure_eval(criteria->measure[i], is_line ? *line : results, NULL, errors);
        if (isnan(values[i]) && errors->count > before)
            return kane_errors_status(errors, before);
    }
    return KANE_OK;
}

kane_status trial_run(const kane_study *study, const shape_sections *sections, const char *const *settings,
                      double *values, const char *keep, const char *rows, kane_errors *errors)
{
    kane_run *run         = kane_study_read(study, settings, errors);
    kane_status status    = run ? KANE_OK : KANE_BAD_INPUT;
    kane_results *results = run ? run_rows(study, run, keep, &status, errors) : NULL, *line = NULL;
    if (status == KANE_OK)
        status = take_criteria(study, kane_run_get_definition(run), sections, results, &line, values, errors);
    if (rows && (results || line)) {
        const kane_status kept = kane_results_write(results ? results : line, rows, KANE_CSV, errors);
        status                 = status == KANE_OK ? kept : status;
    }
    for (int i = 0; i < study->measures.count && status != KANE_OK; i++)
        values[i] = NAN;
    kane_results_free(results);
    kane_results_free(line);
    kane_run_free(run);
    return status;
}

// --- the shapes ---

// The part of a name that a file may have: "wiener:1.8 m" -> "wiener_1.8_m".
static void plain_name(const char *name, size_t size, char *plain)
{
    size_t i = 0;
    for (; name[i] && i + 1 < size; i++)
        plain[i] = kane_is_letter_or_digit(name[i]) || name[i] == '.' || name[i] == '-' ? name[i] : '_';
    plain[i] = '\0';
}

static void name_rows(const comparison *c, int index, size_t size, char *name)
{
    char plain[128];
    plain_name(c->shapes[index].name, sizeof plain, plain);
    (void)snprintf(name, size, "%s/rows-%s.csv", c->study->directory, plain);
}

int comparison_case_count(const comparison *c)
{
    return c->count * c->conditions.count;
}

int comparison_set_cases(const comparison *c, kane_study *study, int axis_count, const kane_axis *const *axes)
{
    const kane_axis *all[KANE_STUDY_AXES_MOST];
    const char **names = kane_arena_alloc(study->arena, (size_t)c->count, sizeof *names);
    for (int i = 0; i < c->count && names; i++)
        names[i] = c->shapes[i].name;
    all[0] = names ? kane_axis_of_names(study->arena, "shape", c->count, names) : NULL;
    for (int a = 0; a < axis_count; a++)
        all[a + 1] = axes[a];
    return all[0] ? kane_study_set_cases(study, axis_count + 1, all) : kane_study_no_memory(study);
}

void comparison_work(int index, kane_case *result, const comparison *c)
{
    const int number         = index % c->conditions.count;
    const shape_condition *k = &c->conditions.condition[number];
    kane_errors errors       = {.limit = 1};
    char name[4096];
    name_rows(c, index / c->conditions.count, sizeof name, name);
    kane_study_print(result,
                     trial_run(&k->study, &k->sections, c->settings[index], result->values, NULL,
                               number == 0 ? name : NULL, &errors),
                     &errors);
}

int comparison_begin(comparison *c, int count, const char *const *names, int more)
{
    const size_t most = (size_t)(count + more), cases = most * (size_t)c->conditions.count;
    c->count    = count + more;
    c->sections = c->conditions.condition[0].sections;
    c->shapes   = kane_arena_alloc(c->study->arena, most, sizeof *c->shapes);
    c->record   = kane_arena_alloc(c->study->arena, cases, sizeof *c->record);
    c->settings = kane_arena_alloc(c->study->arena, cases, sizeof *c->settings);
    c->rows     = kane_arena_alloc(c->study->arena, most, sizeof *c->rows);
    int good    = !kane_arena_failed(c->study->arena) || kane_study_no_memory(c->study);
    for (int i = 0; i < count && good; i++)
        good = shape_parse(c->study, names[i], &c->shapes[i]);
    return good;
}

int comparison_prepare(comparison *c)
{
    for (int i = 0; i < c->count; i++) {
        char mine[128], other[128];
        plain_name(c->shapes[i].name, sizeof mine, mine);
        for (int k = 0; k < i; k++) {
            plain_name(c->shapes[k].name, sizeof other, other);
            if (strcmp(mine, other) == 0) {
                kane_errors_add(c->study->errors, KANE_BAD_INPUT, "the shape '%s' is named twice", c->shapes[i].name);
                return 0;
            }
        }
        for (int k = 0; k < c->conditions.count; k++) {
            const char *const *settings =
                shape_settings(c->study->arena, &c->shapes[i], &c->conditions.condition[k].sections);
            if (!settings)
                return kane_study_no_memory(c->study);
            c->settings[i * c->conditions.count + k] = settings;
        }
    }
    return 1;
}

// --- values ---

int comparison_columns(const comparison *c)
{
    return c->study->measures.count + c->is_weighted;
}

// The first record of a shape that is not done; NULL: all are.
static const kane_case *failed_record(const comparison *c, int index)
{
    for (int k = 0; k < c->conditions.count; k++) {
        const kane_case *record = c->record[index * c->conditions.count + k];
        if (record->state != KANE_CASE_DONE)
            return record;
    }
    return NULL;
}

double conditions_value(const shape_conditions *all, const double *values)
{
    double value = all->is_worst ? -HUGE_VAL : 0.0;
    for (int k = 0; k < all->count; k++) {
        if (isnan(values[k])) // which fmax does not see
            return values[k];
        value = all->is_worst ? fmax(value, values[k]) : value + all->condition[k].weight * values[k];
    }
    return value;
}

double comparison_value(const comparison *c, int index, int column)
{
    double values[KANE_CONDITIONS_MOST];
    if (failed_record(c, index))
        return (double)NAN;
    for (int k = 0; k < c->conditions.count; k++) {
        const double *own = c->record[index * c->conditions.count + k]->values;
        values[k]         = column < c->study->measures.count ? own[column] : criteria_sum(&c->study->measures, own);
    }
    return conditions_value(&c->conditions, values);
}

const char *comparison_title(const comparison *c, int column)
{
    return column < c->study->measures.count ? c->study->measures.text[column] : "sum";
}

const char *comparison_unit(const comparison *c, int column)
{
    return column < c->study->measures.count ? c->study->measures.units[column] : "";
}

double comparison_relative(const comparison *c, int index, int column)
{
    if (c->reference < 0)
        return (double)NAN;
    const double relative = comparison_value(c, index, column) / comparison_value(c, c->reference, column);
    return isfinite(relative) ? relative : (double)NAN;
}

void comparison_describe(kane_writer *w, const comparison *c)
{
    kane_write_counts(w, "sections", c->sections.count, c->sections.index);
    kane_write_texts(w, "criteria", c->study->measures.count, c->study->measures.text);
    kane_writer_open(w, "shapes", '{');
    for (int i = 0; i < c->count; i++)
        kane_writer_text(w, c->shapes[i].name, c->settings[i * c->conditions.count][0]);
    kane_writer_close(w);
}

// --- tables ---

static const char *state_of(const comparison *c, int index)
{
    return failed_record(c, index) ? "failed" : "done";
}

// The first limit that a shape does not hold; NULL: it holds all, or has failed.
const limit *comparison_limit_passed(const comparison *c, int index)
{
    for (int i = 0; i < c->limit_count && !failed_record(c, index); i++)
        for (int k = 0; k < c->conditions.count; k++) {
            const double value = c->record[index * c->conditions.count + k]->values[c->limits[i].measure];
            if (!(limit_margin(&c->limits[i], value) >= -OPTIMISATION_SLACK))
                return &c->limits[i];
        }
    return NULL;
}

// Why a shape has failed, or of its first run what is not defined; a length that is not that of the track, and a limit
// that is passed.
static const char *remark_of(const comparison *c, int index)
{
    const kane_case *failed = failed_record(c, index);
    const limit *passed     = comparison_limit_passed(c, index);
    const shape *s          = &c->shapes[index];
    const double of_track   = c->sections.section[0].length;
    char text[1024];
    kane_text t = kane_text_start(sizeof text, text);
    kane_text_add(&t, "%s", (failed ? failed : c->record[index * c->conditions.count])->why);
    if (s->length > 0.0 && s->length != of_track)
        kane_text_add(&t, "%s%.6g m long", text[0] ? "; " : "", s->length);
    if (s->of_file > 0.0 && s->of_file != of_track)
        kane_text_add(&t, "%sthe shape alone: its file has a length of %.6g m", text[0] ? "; " : "", s->of_file);
    if (passed)
        kane_text_add(&t, "%sbeyond the limit %s", text[0] ? "; " : "", passed->text);
    const char *remark = kane_arena_text(c->study->arena, text);
    return remark ? remark : "";
}

// A value, and in brackets the relative one.
static void print_value(const comparison *c, int index, int column, FILE *out)
{
    const double value = comparison_value(c, index, column), relative = comparison_relative(c, index, column);
    if (isnan(value))
        (void)fprintf(out, "%14s (%6s)", "not defined", "-");
    else if (isnan(relative))
        (void)kane_fprintf(out, "%14.7g (%6s)", value, "-");
    else
        (void)kane_fprintf(out, "%14.7g (%6.4f)", value, relative);
}

// Shape, state, of each column the value and what it is of that of the reference, remark.
static kane_table tabulate_transitions(const comparison *c)
{
    const int columns = comparison_columns(c);
    kane_table t      = kane_table_begin(c->study->arena, 2 * columns + 3, c->count);
    t.has_nan         = 1;
    kane_table_add_names(&t, 2, (const char *const[]){"shape", "state"}, (const char *const[]){"", ""});
    for (int k = 0; k < columns; k++)
        kane_table_add_columns(
            &t, 2,
            (const kane_table_column[]){{.name = comparison_title(c, k), .unit = comparison_unit(c, k), .is_quoted = 1},
                                        {.name = "relative", .unit = "1"}});
    kane_table_add_columns(&t, 1, &(kane_table_column){.name = "remark", .unit = ""});
    for (int i = 0; i < c->count; i++) {
        kane_table_add(&t, 2, (const kane_cell[]){kane_cell_text(c->shapes[i].name), kane_cell_word(state_of(c, i))});
        for (int k = 0; k < columns; k++)
            kane_table_add(&t, 2,
                           (const kane_cell[]){kane_cell_number(comparison_value(c, i, k)),
                                               kane_cell_number(comparison_relative(c, i, k))});
        kane_table_put(&t, kane_cell_text(remark_of(c, i)));
    }
    return t;
}

// Name, values and remark of a shape, or why it has failed.
static void print_shape(const comparison *c, int index, FILE *out)
{
    const int has_failed = failed_record(c, index) != NULL;
    const char *remark   = remark_of(c, index);
    (void)fprintf(out, "%-24s", c->shapes[index].name);
    for (int k = 0; k < comparison_columns(c) && !has_failed; k++)
        print_value(c, index, k, out);
    if (remark[0] || has_failed)
        (void)fprintf(out, "  %s%s", has_failed ? "failed: " : "", remark);
    (void)fputc('\n', out);
}

static void write_text(FILE *out, const void *data)
{
    const comparison *c = data;
    const int columns   = comparison_columns(c);
    for (int k = 0; k < columns; k++)
        (void)fprintf(out, "[%d] %s%s%s%s\n", k + 1, comparison_title(c, k), comparison_unit(c, k)[0] ? " in " : "",
                      comparison_unit(c, k), k < c->study->measures.count ? "" : " of all, weighted");
    if (c->reference >= 0)
        (void)fprintf(out, "in brackets: relative to %s\n", c->shapes[c->reference].name);
    (void)fprintf(out, "\n%-24s", "shape");
    for (int k = 0; k < columns; k++)
        (void)fprintf(out, "%13s[%d]%8s", "", k + 1, "");
    (void)fputc('\n', out);
    for (int i = 0; i < c->count; i++)
        print_shape(c, i, out);
}

static void write_json(kane_writer *w, const void *data)
{
    const comparison *c = data;
    const int columns   = comparison_columns(c);
    kane_writer_text(w, "run", c->study->file);
    kane_write_counts(w, "sections", c->sections.count, c->sections.index);
    kane_writer_open(w, "columns", '[');
    for (int k = 0; k < columns; k++) {
        kane_writer_open(w, NULL, '{');
        kane_writer_text(w, "criterion", comparison_title(c, k));
        kane_writer_text(w, "unit", comparison_unit(c, k));
        kane_writer_close(w);
    }
    kane_writer_close(w);
    if (c->reference >= 0)
        kane_writer_text(w, "reference", c->shapes[c->reference].name);
    kane_writer_open(w, "shapes", '[');
    for (int i = 0; i < c->count; i++) {
        const char *section = shape_section(c->study->arena, &c->shapes[i], &c->conditions.track.section[0]);
        kane_writer_open(w, NULL, '{');
        kane_writer_text(w, "name", c->shapes[i].name);
        kane_writer_text(w, "state", state_of(c, i));
        if (remark_of(c, i)[0])
            kane_writer_text(w, "remark", remark_of(c, i));
        kane_writer_json(w, "section", section ? section : "null");
        for (int is_relative = 0; is_relative < 2; is_relative++) {
            kane_writer_row(w, is_relative ? "relative" : "values");
            for (int k = 0; k < columns; k++)
                kane_writer_number(w, NULL, is_relative ? comparison_relative(c, i, k) : comparison_value(c, i, k));
            kane_writer_close(w);
        }
        kane_writer_close(w);
    }
    kane_writer_close(w);
}

enum { POINTS = 400, PANELS_MOST = 6, COLOURS = 6, MAP_HEIGHT = 160, ROW_HEIGHT = 30 };

static const double MARGIN = 0.1;                  // of a transition's length, drawn before and behind it
static const double BEFORE = 20.0, BEHIND = 100.0; // of responses [m]

// The last colour, black, is of the shape that matters.
static kane_plot_curve curve_of(const comparison *c, int index, int count, const double *x, const double *y)
{
    return (kane_plot_curve){.label  = c->shapes[index].name,
                             .count  = count,
                             .x      = x,
                             .y      = y,
                             .style  = index < COLOURS || index == c->highlight ? KANE_SOLID : KANE_DASHED,
                             .colour = index == c->highlight ? COLOURS : index % COLOURS};
}

// --- shapes ---

// The run of a shape under the first condition.
static kane_run *read_first(const comparison *c, int index)
{
    return kane_study_read(&c->conditions.condition[0].study, c->settings[index * c->conditions.count],
                           c->study->errors);
}

// Curvature, its derivative and cant of the line with a shape, y [3][POINTS], at places along the first of the
// sections.
static int sample_line(const comparison *c, int index, const double *x, double *y)
{
    kane_run *run = read_first(c, index);
    if (!run)
        return 0;
    const kane_track *track         = kane_run_get_definition(run)->track;
    const kane_track_section *first = &c->sections.section[0];
    for (int i = 0; i < POINTS; i++) {
        kane_track_state state;
        const double s = fmin(fmax(first->start + x[i], 0.0), kane_track_length(track));
        kane_track_describe(track, kane_track_find(track, s), s, &state);
        y[i]              = 1e3 * state.curvature;
        y[POINTS + i]     = 1e6 * state.psi_s[1];
        y[2 * POINTS + i] = 1e3 * state.superelevation;
    }
    kane_run_free(run);
    return 1;
}

static int draw_lines(const comparison *c)
{
    static const char *const labels[] = {"curvature [1/km]", "its change [1/km²]", "superelevation [mm]"};
    const double length               = c->sections.section[0].length;
    kane_figure f                     = kane_figure_begin();
    double *x                         = kane_figure_values(&f, POINTS);
    int panels[3], good = 1;
    for (int i = 0; x && i < POINTS; i++)
        x[i] = length * (-MARGIN + (1.0 + 2.0 * MARGIN) * i / (POINTS - 1));
    for (int k = 0; k < 3; k++)
        panels[k] = kane_figure_add(&f, NULL, "distance from the beginning of the transition [m]", labels[k]);
    for (int i = 0; i < c->count && good; i++) {
        double *y = c->rows[i] ? kane_figure_values(&f, 3 * POINTS) : NULL;
        if (!x || !y)
            continue;
        good = sample_line(c, i, x, y);
        for (int k = 0; k < 3; k++)
            kane_figure_curve(&f, panels[k], curve_of(c, i, POINTS, x, y + k * POINTS));
    }
    f.plot.title = kane_figure_text(&f, "Transition of %g m, section %d of the track", length, c->sections.index[0]);
    if (good)
        return kane_figure_end(&f, c->study, "curvature");
    kane_figure_drop(&f);
    return 0;
}

// --- responses ---

// Rows from a little before the first transition to some way behind the last one.
static void find_window(const comparison *c, const kane_results *results, double start, int *first, int *count)
{
    const kane_track_section *a = &c->sections.section[0], *b = &c->sections.section[c->sections.count - 1];
    const int rows  = kane_results_row_count(results);
    const double *s = kane_results_values(results, kane_column_of(results, "distance"));
    *first          = 0;
    while (*first < rows && s[*first] < a->start - start - BEFORE)
        ++*first;
    int end = *first;
    while (end < rows && s[end] <= b->start + b->length - start + BEHIND)
        end++;
    *count = end - *first;
}

// A panel for the first channel of a criterion, if no criterion before has it. start: of the reference body, from the
// beginning of
// the line [m].
static void add_panel(const comparison *c, kane_figure *f, int criterion, double start)
{
    const kane_results *reference = c->rows[c->reference];
    const int column              = kane_column_of(reference, c->study->measures.patterns[criterion]);
    if (column < 0) // of the line, beside those of a run
        return;
    for (int i = 0; i < criterion; i++)
        if (kane_column_of(reference, c->study->measures.patterns[i]) == column)
            return;
    const kane_column *channel = kane_results_column(reference, column);
    const int panel            = kane_figure_add(f, NULL, "distance travelled [m]",
                                                 kane_figure_text(f, "%s [%s]", channel->name, channel->unit));
    for (int i = 0; i < c->count; i++) {
        int first, count;
        if (!c->rows[i])
            continue;
        find_window(c, c->rows[i], start, &first, &count);
        const double *x = kane_results_values(c->rows[i], kane_column_of(c->rows[i], "distance"));
        const double *y = kane_results_values(c->rows[i], column);
        kane_figure_curve(f, panel, curve_of(c, i, count, x + first, y + first));
    }
}

static int draw_responses(const comparison *c)
{
    kane_run *run = read_first(c, c->reference);
    kane_figure f = kane_figure_begin();
    f.plot.title  = "Responses";
    for (int k = 0; run && k < c->study->measures.count && f.plot.panel_count < PANELS_MOST; k++)
        add_panel(c, &f, k, kane_run_get_definition(run)->drive.start);
    const int good = kane_figure_end(&f, c->study, "responses") && run;
    kane_run_free(run);
    return good;
}

// --- criteria ---

// Cells in words and numbers: shapes from the top, criteria side by side, relative to the reference.
static int draw_criteria(const comparison *c)
{
    const int columns   = comparison_columns(c);
    kane_figure f       = kane_figure_begin();
    double *values      = kane_figure_values(&f, (size_t)(c->count * columns));
    const char **shapes = kane_figure_texts(&f, c->count), **titles = kane_figure_texts(&f, columns);
    char legend[512];
    kane_text all = kane_text_start(sizeof legend, legend);
    for (int k = 0; titles && k < columns; k++) {
        titles[k] = kane_figure_text(&f, "[%d]", k + 1);
        kane_text_add(&all, "%s[%d] %s", k > 0 ? ",   " : "", k + 1, comparison_title(c, k));
    }
    for (int i = 0; values && shapes && i < c->count; i++) {
        const int row = c->count - 1 - i;
        shapes[row]   = c->shapes[i].name;
        for (int k = 0; k < columns; k++)
            values[row * columns + k] = comparison_relative(c, i, k);
    }
    const kane_plot_map map = {.columns = columns,
                               .rows    = c->count,
                               .x_texts = titles,
                               .y_texts = shapes,
                               .values  = values,
                               .label   = kane_figure_text(&f, "relative to %s [1]", c->shapes[c->reference].name)};
    kane_figure_map(&f, kane_figure_add(&f, NULL, legend, "shape"), map);
    f.plot.title  = "Criteria";
    f.plot.height = MAP_HEIGHT + ROW_HEIGHT * c->count;
    return kane_figure_end(&f, c->study, "criteria");
}

static int draw_transitions(const comparison *c)
{
    return c->reference < 0 || // all have failed
           (draw_lines(c) && draw_responses(c) && draw_criteria(c));
}

// --- all of them ---

// Are all values of a shape defined?
static int has_all_values(const comparison *c, int index)
{
    for (int k = 0; k < comparison_columns(c); k++)
        if (isnan(comparison_value(c, index, k)))
            return 0;
    return 1;
}

// Others are compared with the clothoid, or with the first shape that has all values, or some.
static int find_reference(const comparison *c)
{
    int best = -1, rank = 0;
    for (int i = 0; i < c->count; i++) {
        const int own = !c->rows[i] ? 0 : 1 + 2 * has_all_values(c, i) + (c->shapes[i].kind == KANE_CLOTHOID);
        if (own > rank) {
            best = i;
            rank = own;
        }
    }
    return best;
}

// Reads the rows of all runs that did not fail, and finds the reference. 0 with an error.
static int open_rows(comparison *c)
{
    for (int i = 0; i < c->count; i++) {
        char name[4096];
        name_rows(c, i, sizeof name, name);
        c->rows[i] = failed_record(c, i) ? NULL : kane_results_open(name, c->study->errors);
        if (!c->rows[i] && !failed_record(c, i))
            return 0;
    }
    c->reference = find_reference(c);
    return 1;
}

int comparison_write(comparison *c, const kane_plan *plan, int first)
{
    for (int i = 0; i < comparison_case_count(c); i++)
        c->record[i] = kane_plan_case(plan, first + i);
    int good = open_rows(c);
    if (good) {
        const kane_table table            = tabulate_transitions(c);
        const kane_study_output outputs[] = {{.name = "transitions.csv", .table = &table},
                                             {.name = "transitions.txt", .text = write_text},
                                             {.name = "transitions.json", .json = write_json, .kind = "transitions 1"}};
        good                              = kane_study_write(c->study, 3, outputs, c) && draw_transitions(c);
    }
    for (int i = 0; i < c->count; i++)
        kane_results_free(c->rows[i]);
    return good;
}

// --- the study ---

typedef struct transitions {
    kane_study study;
    const kane_transition_study *asked;
    comparison c;
} transitions;

static int prepare_transitions(void *self)
{
    transitions *t                 = self;
    const kane_transition_study *a = t->asked;
    const int is_named             = a->shape_count > 0;
    t->c                           = (comparison){.study = &t->study, .highlight = -1};
    if (!shape_check_criteria(a->criterion_count, t->study.errors) ||
        !trial_prepare(&t->study, a->criterion_count, a->criteria, 0, a->section_count, a->sections,
                       &(kane_grid){a->axis_count, a->axes}, &t->c.conditions))
        return 0;
    t->study.value_count = t->study.measures.count;
    return comparison_begin(&t->c, is_named ? a->shape_count : kane_texts_count(shape_names),
                            is_named ? a->shapes : shape_names, 0) &&
           comparison_prepare(&t->c) && comparison_set_cases(&t->c, &t->study, a->axis_count, a->axes);
}

static void describe_transitions(kane_writer *w, const void *self)
{
    const transitions *t = self;
    comparison_describe(w, &t->c);
    if (t->asked->axis_count > 0)
        kane_axes_describe(w, "over", t->asked->axis_count, t->asked->axes, 0);
}

static void run_transition_case(int index, kane_case *result, void *self)
{
    comparison_work(index, result, &((transitions *)self)->c);
}

static int write_transitions(void *self, const kane_plan *plan)
{
    return comparison_write(&((transitions *)self)->c, plan, 0);
}

kane_status kane_study_transitions(const kane_transition_study *asked, int *complete, kane_errors *errors)
{
    static const kane_study_kind kind = {.name     = "transitions",
                                         .prepare  = prepare_transitions,
                                         .describe = describe_transitions,
                                         .work     = run_transition_case,
                                         .finish   = write_transitions};
    transitions t                     = {.asked = asked};
    return kane_study_run_cases(&kind, &t, asked->file, asked->common, &asked->execution, complete, errors);
}
