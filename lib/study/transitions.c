// SPDX-License-Identifier: MIT
// Shapes of transitions beside each other: a run for each, and what it does to the criteria, as tables and pictures.

#include "study/transitions.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// --- one run ---

kane_status criteria_parse(kane_measures *c, const kane_study *study, int count, const char *const *texts,
                           int with_weights, kane_errors *errors)
{
    if (count >= 1 && count <= KANE_CRITERIA_MOST)
        return kane_measures_parse(c, study, count, texts, with_weights, "criterion", errors)
                   ? KANE_OK
                   : kane_errors_status(errors, 0);
    kane_errors_add(errors, KANE_BAD_INPUT,
                    count < 1 ? "a criterion is missing, such as --criterion 'rms(body.acceleration.y)'"
                              : "%d criteria; there may be %d",
                    count, KANE_CRITERIA_MOST);
    return KANE_BAD_INPUT;
}

double criteria_sum(const kane_measures *c, const double *values)
{
    double sum = 0.0;
    for (int i = 0; i < c->count; i++)
        sum += c->weight[i] * values[i];
    return sum;
}

kane_status trial_prepare(kane_study *study, kane_measures *criteria, int section_count, const int *sections,
                          shape_sections *found, kane_errors *errors)
{
    const int before              = errors->count;
    kane_run *run                 = kane_study_read(study, NULL, errors);
    const kane_run_definition *is = run ? kane_run_get_definition(run) : NULL;
    if (is && !is->track)
        kane_errors_add(errors, KANE_BAD_INPUT, "%s: a mechanism has no track, and so no transitions", study->file);
    const int good = is && is->track &&
                     shape_find_sections(study->arena, is->track, section_count, sections, found, errors) == KANE_OK &&
                     kane_measures_check(criteria, study, is, "", errors) && kane_study_take_inputs(study, is, errors);
    kane_run_free(run);
    return good ? KANE_OK : kane_errors_status(errors, before);
}

// Did the run go where it was to go?
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

kane_status trial_run(const kane_study *study, const char *const *settings, const kane_measures *criteria,
                      double *values, const char *rows, kane_errors *errors)
{
    kane_outcome outcome;
    const int before = errors->count;
    kane_run *run    = kane_study_read(study, settings, errors);
    kane_results *results =
        run ? kane_run_collect(kane_run_get_definition(run), criteria->count, criteria->patterns, &outcome, errors)
            : NULL;
    kane_status status = !run ? KANE_BAD_INPUT : !results ? outcome.status : check_end(&outcome, errors);
    for (int i = 0; i < criteria->count && status == KANE_OK; i++)
        values[i] = kane_measure_eval(criteria->measure[i], results, NULL, errors);
    if (status == KANE_OK && errors->count > before)
        status = kane_errors_status(errors, before);
    if (results && rows) {
        const kane_status kept = kane_results_write(results, rows, KANE_CSV, errors);
        status                 = status == KANE_OK ? kept : status;
    }
    for (int i = 0; i < criteria->count && status != KANE_OK; i++)
        values[i] = NAN;
    kane_results_free(results);
    kane_run_free(run);
    return status;
}

// --- the shapes ---

// The part of a name that a file may have: "wiener:1.8 m" -> "wiener_1.8_m".
static void plain_name(const char *name, size_t size, char *plain)
{
    size_t i = 0;
    for (; name[i] && i + 1 < size; i++)
        plain[i] = isalnum((unsigned char)name[i]) || name[i] == '.' || name[i] == '-' ? name[i] : '_';
    plain[i] = '\0';
}

static void name_rows(const comparison *c, int index, size_t size, char *name)
{
    char plain[128];
    plain_name(c->shapes[index].name, sizeof plain, plain);
    (void)snprintf(name, size, "%s/rows-%s.csv", c->study->directory, plain);
}

void comparison_work(int index, kane_case *result, void *data)
{
    const comparison *c = data;
    kane_errors errors  = {0};
    char name[4096];
    name_rows(c, index, sizeof name, name);
    kane_study_tell(result, trial_run(c->study, c->settings[index], c->criteria, result->values, name, &errors),
                    &errors);
}

static kane_status prepare_shape(comparison *c, int index, kane_errors *errors)
{
    char mine[128], other[128];
    plain_name(c->shapes[index].name, sizeof mine, mine);
    for (int i = 0; i < index; i++) {
        plain_name(c->shapes[i].name, sizeof other, other);
        if (strcmp(mine, other) == 0) {
            kane_errors_add(errors, KANE_BAD_INPUT, "the shape '%s' is named twice", c->shapes[index].name);
            return KANE_BAD_INPUT;
        }
    }
    c->settings[index] = shape_settings(c->study->arena, &c->shapes[index], &c->sections);
    return c->settings[index] ? KANE_OK : kane_no_memory(errors);
}

kane_status comparison_prepare(comparison *c, kane_errors *errors)
{
    kane_status status = KANE_OK;
    c->settings        = kane_arena_alloc(c->study->arena, (size_t)c->count, sizeof *c->settings);
    if (!c->settings)
        return kane_no_memory(errors);
    for (int i = 0; i < c->count && status == KANE_OK; i++)
        status = prepare_shape(c, i, errors);
    return status;
}

// --- values ---

int comparison_columns(const comparison *c)
{
    return c->criteria->count + c->is_weighted;
}

double comparison_value(const comparison *c, int index, int column)
{
    const double *values = c->record[index]->values;
    if (c->record[index]->state != KANE_CASE_DONE)
        return (double)NAN;
    return column < c->criteria->count ? values[column] : criteria_sum(c->criteria, values);
}

const char *comparison_title(const comparison *c, int column)
{
    return column < c->criteria->count ? c->criteria->text[column] : "sum";
}

const char *comparison_unit(const comparison *c, int column)
{
    return column < c->criteria->count ? c->criteria->units[column] : "";
}

// --- rows ---

static kane_status open_rows(comparison *c, kane_errors *errors)
{
    c->rows = kane_arena_alloc(c->study->arena, (size_t)c->count, sizeof *c->rows);
    if (!c->rows)
        return kane_no_memory(errors);
    for (int i = 0; i < c->count; i++) {
        char name[4096];
        if (c->record[i]->state != KANE_CASE_DONE)
            continue;
        name_rows(c, i, sizeof name, name);
        c->rows[i] = kane_results_open(name, errors);
        if (!c->rows[i])
            return KANE_NO_FILE;
    }
    return KANE_OK;
}

static void find_reference(comparison *c)
{
    c->reference = -1;
    for (int i = c->count - 1; i >= 0; i--)
        if (c->rows[i])
            c->reference = i;
    for (int i = 0; i < c->count; i++)
        if (c->rows[i] && c->shapes[i].kind == KANE_CLOTHOID)
            c->reference = i;
}

static void write_sections(kane_writer *w, const comparison *c)
{
    kane_writer_row(w, "sections");
    for (int i = 0; i < c->sections.count; i++)
        kane_writer_count(w, NULL, c->sections.index[i]);
    kane_writer_close(w);
}

void comparison_describe(kane_writer *w, const void *data)
{
    const comparison *c = data;
    write_sections(w, c);
    kane_write_texts(w, "criteria", c->criteria->count, c->criteria->text);
    kane_writer_open(w, "shapes", '{');
    for (int i = 0; i < c->count; i++)
        kane_writer_text(w, c->shapes[i].name, c->settings[i][0]);
    kane_writer_close(w);
}

// --- tables ---

double comparison_relative(const comparison *c, int index, int column)
{
    return c->reference < 0 ? (double)NAN
                            : comparison_value(c, index, column) / comparison_value(c, c->reference, column);
}

static const char *state_of(const comparison *c, int index)
{
    return c->record[index]->state == KANE_CASE_DONE ? "done" : "failed";
}

// Shape, state, of each column the value and what it is of that of the reference, remark.
static kane_cell cell_of(const void *data, int row, int column, char room[KANE_CELL_ROOM])
{
    const comparison *c = data;
    const int k = (column - 2) / 2, is_value = column % 2 == 0, last = 2 + 2 * comparison_columns(c);
    (void)room;
    if (row == KANE_ROW_OF_UNITS)
        return kane_cell_word(column < 2 || column == last ? "" : is_value ? comparison_unit(c, k) : "1");
    if (column < 2 || column == last) {
        static const char *const heads[] = {"shape", "state", "remark"};
        if (row < 0)
            return kane_cell_word(heads[column < 2 ? column : 2]);
        return column == 0   ? kane_cell_text(c->shapes[row].name)
               : column == 1 ? kane_cell_word(state_of(c, row))
                             : kane_cell_text(c->record[row]->why);
    }
    if (row < 0)
        return is_value ? kane_cell_text(comparison_title(c, k)) : kane_cell_word("relative");
    return kane_cell_number(is_value ? comparison_value(c, row, k) : comparison_relative(c, row, k));
}

static void write_text(FILE *out, const void *data)
{
    const comparison *c = data;
    const int columns   = comparison_columns(c);
    for (int k = 0; k < columns; k++)
        (void)fprintf(out, "[%d] %s%s%s%s\n", k + 1, comparison_title(c, k), comparison_unit(c, k)[0] ? " in " : "",
                      comparison_unit(c, k), k < c->criteria->count ? "" : " of all, weighted");
    if (c->reference >= 0)
        (void)fprintf(out, "in brackets: relative to %s\n", c->shapes[c->reference].name);
    (void)fprintf(out, "\n%-24s", "shape");
    for (int k = 0; k < columns; k++)
        (void)fprintf(out, "%13s[%d]%8s", "", k + 1, "");
    (void)fputc('\n', out);
    for (int i = 0; i < c->count; i++) {
        (void)fprintf(out, "%-24s", c->shapes[i].name);
        if (c->record[i]->state != KANE_CASE_DONE)
            (void)fprintf(out, "  failed: %s", c->record[i]->why);
        else
            for (int k = 0; k < columns; k++)
                (void)fprintf(out, "%14.7g (%6.4f)", comparison_value(c, i, k), comparison_relative(c, i, k));
        (void)fputc('\n', out);
    }
}

static void write_shape(const comparison *c, int index, kane_writer *w)
{
    const shape *s      = &c->shapes[index];
    const char *section = shape_section(c->study->arena, s, &c->sections.section[0]);
    kane_writer_open(w, NULL, '{');
    kane_writer_text(w, "name", s->name);
    kane_writer_text(w, "state", state_of(c, index));
    if (c->record[index]->why[0])
        kane_writer_text(w, "remark", c->record[index]->why);
    kane_writer_json(w, "section", section ? section : "null");
    kane_writer_row(w, "values");
    for (int k = 0; k < comparison_columns(c); k++)
        kane_writer_number(w, NULL, comparison_value(c, index, k));
    kane_writer_close(w);
    kane_writer_row(w, "relative");
    for (int k = 0; k < comparison_columns(c); k++)
        kane_writer_number(w, NULL, comparison_relative(c, index, k));
    kane_writer_close(w);
    kane_writer_close(w);
}

static void write_json(kane_writer *w, const void *data)
{
    const comparison *c = data;
    kane_writer_text(w, "run", c->study->file);
    write_sections(w, c);
    kane_writer_open(w, "columns", '[');
    for (int k = 0; k < comparison_columns(c); k++) {
        kane_writer_open(w, NULL, '{');
        kane_writer_text(w, "criterion", comparison_title(c, k));
        kane_writer_text(w, "unit", comparison_unit(c, k));
        kane_writer_close(w);
    }
    kane_writer_close(w);
    if (c->reference >= 0)
        kane_writer_text(w, "reference", c->shapes[c->reference].name);
    kane_writer_open(w, "shapes", '[');
    for (int i = 0; i < c->count; i++)
        write_shape(c, i, w);
    kane_writer_close(w);
}

// --- all of them ---

kane_status comparison_write(comparison *c, kane_errors *errors)
{
    const kane_table table            = {.rows      = c->count,
                                         .columns   = 2 * comparison_columns(c) + 3,
                                         .has_units = 1,
                                         .has_nan   = 1,
                                         .cell      = cell_of,
                                         .data      = c};
    const kane_study_output outputs[] = {{.name = "transitions.csv", .table = &table},
                                         {.name = "transitions.txt", .text = write_text},
                                         {.name = "transitions.json", .json = write_json, .kind = "transitions 1"}};
    kane_status status                = open_rows(c, errors);
    if (status == KANE_OK)
        find_reference(c);
    if (status == KANE_OK)
        status = kane_study_write(c->study, 3, outputs, c, errors);
    if (status == KANE_OK)
        status = comparison_draw(c, errors);
    for (int i = 0; c->rows && i < c->count; i++)
        kane_results_free(c->rows[i]);
    c->rows = NULL;
    return status;
}

// --- the study ---

static kane_status read_shapes(comparison *c, const kane_transition_study *asked, kane_errors *errors)
{
    const char *const *names = asked->shape_count > 0 ? asked->shapes : shape_names;
    const int count          = asked->shape_count > 0 ? asked->shape_count : kane_texts_count(shape_names);
    shape *shapes            = kane_arena_alloc(c->study->arena, (size_t)count, sizeof *shapes);
    c->record                = kane_arena_alloc(c->study->arena, (size_t)count, sizeof *c->record);
    if (!shapes || !c->record)
        return kane_no_memory(errors);
    kane_status status = KANE_OK;
    for (int i = 0; i < count && status == KANE_OK; i++)
        status = shape_parse(c->study->arena, names[i], &shapes[i], errors);
    c->shapes = shapes;
    c->count  = count;
    return status;
}

static kane_status finish(void *data, const kane_plan *plan, kane_errors *errors)
{
    comparison *c = data;
    for (int i = 0; i < c->count; i++)
        c->record[i] = kane_plan_case(plan, i);
    return comparison_write(c, errors);
}

kane_status kane_study_transitions(const kane_transition_study *asked, int *complete, kane_errors *errors)
{
    kane_errors nobody     = {0};
    kane_errors *kept      = errors ? errors : &nobody;
    kane_measures criteria = {0};
    kane_study study;
    comparison c       = {.study = &study, .criteria = &criteria, .highlight = -1};
    kane_status status = kane_study_begin(&study, asked->file, asked->common, asked->execution.directory, kept);
    *complete          = 0;
    if (status == KANE_OK)
        status = criteria_parse(&criteria, &study, asked->criterion_count, asked->criteria, 0, kept);
    if (status == KANE_OK)
        status = trial_prepare(&study, &criteria, asked->section_count, asked->sections, &c.sections, kept);
    if (status == KANE_OK)
        status = read_shapes(&c, asked, kept);
    if (status == KANE_OK)
        status = comparison_prepare(&c, kept);
    if (status == KANE_OK) {
        const kane_study_plan plan = {.kind        = "transitions",
                                      .case_count  = c.count,
                                      .value_count = criteria.count,
                                      .describe    = comparison_describe,
                                      .work        = comparison_work,
                                      .finish      = finish,
                                      .data        = &c};
        status                     = kane_study_carry_out(&study, &plan, &asked->execution, complete, kept);
    }
    kane_measures_free(&criteria);
    kane_study_end(&study);
    return status;
}
