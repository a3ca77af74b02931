// SPDX-License-Identifier: MIT
// What all studies share: the run and its settings, measures, the plan and tables.

#include "study/study.h"

#include "base/file.h"
#include "base/number.h"
#include "base/text.h"
#include "results/results.h"
#include "run/setup.h"

#include <dirent.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// --- from the beginning to the end ---

int kane_study_no_memory(const kane_study *s)
{
    return kane_no_memory(s->errors) == KANE_OK;
}

kane_status kane_study_begin(const kane_study_kind *kind, void *self, const char *file, const kane_run_options *common,
                             const char *directory, kane_errors *errors)
{
    kane_study *s = self;
    s->arena      = kane_arena_create();
    s->unreported = (kane_errors){.limit = 1};
    s->file       = file;
    s->directory  = directory;
    s->errors     = errors ? errors : &s->unreported;
    if (common)
        s->common = *common;
    if (!s->common.tables) // without memory for them every run makes its own
        s->common.tables = s->tables = kane_tables_create(KANE_TABLES_USUAL);
    kane_tables_use_files(s->tables, NULL);
    s->pictures = s->arena ? kane_arena_alloc(s->arena, 1, sizeof *s->pictures) : NULL;
    if (s->pictures && kind->prepare(self) && !kane_arena_failed(s->arena))
        return KANE_OK;
    return s->errors->count > 0 ? kane_errors_status(s->errors, 0) : kane_no_memory(s->errors);
}

void kane_study_end(const kane_study_kind *kind, void *self)
{
    kane_study *s = self;
    if (kind->end)
        kind->end(self);
    for (int i = 0; i < s->measures.count; i++)
        kane_measure_free(s->measures.measure[i]);
    for (const kane_study_inputs *i = s->inputs; i; i = i->next)
        kane_inputs_free(i->files);
    kane_tables_free(s->tables);
    kane_arena_free(s->arena);
}

// Text of a JSON object whose members `write` writes; the caller frees it by free(). NULL without memory.
static char *write_json_text(void (*write)(kane_writer *w, const kane_study_kind *kind, const void *data),
                             const kane_study_kind *kind, const void *data)
{
    char *text  = NULL;
    size_t size = 0;
    FILE *out   = open_memstream(&text, &size);
    if (!out)
        return NULL;
    kane_writer w = kane_writer_start(out);
    kane_writer_open(&w, NULL, '{');
    write(&w, kind, data);
    kane_writer_close(&w);
    const kane_status status = kane_writer_end(&w);
    if (fclose(out) == 0 && status == KANE_OK)
        return text;
    free(text);
    return NULL;
}

void kane_study_write_definition(kane_writer *w, const kane_study_kind *kind, const void *self)
{
    const kane_study *s = self;
    kane_writer_text(w, "kind", kind->name);
    kane_writer_text(w, "run", s->file);
    kane_write_texts(w, "settings", kane_texts_count(s->common.settings), s->common.settings);
    kane_write_texts(w, "omit", kane_texts_count(s->common.omit), s->common.omit);
    kind->describe(w, self);
    if (s->keep)
        kane_writer_switch(w, "keep", 1);
    kane_writer_open(w, "inputs", '[');
    for (const kane_study_inputs *i = s->inputs; i; i = i->next) {
        kane_writer_open(w, NULL, '{');
        kane_inputs_write(i->files, w);
        kane_writer_close(w);
    }
    kane_writer_close(w);
}

// NULL with errors. What decides the results is in it.
static kane_plan *open_plan(const kane_study *s, const char *content, const kane_plan_execution *how)
{
    const kane_plan_definition is = {content, s->case_count, s->value_count, s->group};
    return kane_plan_open(&is, how, s->errors);
}

// The directory of a run that was killed, unless another process is making the run already.
static void clean_run(const char *directory)
{
    kane_claim claim;
    if (kane_claim_directory(&claim, directory, NULL) != KANE_OK)
        return;
    (void)kane_file_remove_left(directory);
    kane_claim_release(&claim);
}

// Removes the new files that workers were writing when they were sent away or killed.
static void clean_directory(const kane_study *s)
{
    char name[4352];
    (void)kane_replacements_clean(s->directory);
    DIR *entries = s->keep ? opendir(s->directory) : NULL;
    for (const struct dirent *d; entries && (d = readdir(entries));) {
        (void)snprintf(name, sizeof name, "%s/%s/run.lock", s->directory, d->d_name);
        if (access(name, F_OK) != 0)
            continue;
        *strrchr(name, '/') = '\0';
        clean_run(name);
    }
    if (entries)
        (void)closedir(entries);
}

// Tables and pictures of all cases. 0 with an error; also where a picture was asked for and there is nothing to draw.
static int finish_study(const kane_study_kind *kind, void *self, const kane_plan *plan)
{
    const kane_study *s = self;
    if (!kind->finish(self, plan))
        return 0;
    for (const char *const *file = s->files; file && *file && *s->pictures == 0; file++)
        if (kane_table_format_of(*file) == KANE_TABLE_PICTURE) {
            kane_errors_add(s->errors, KANE_BAD_ARGUMENT, "%s: this study has nothing to draw", *file);
            return 0;
        }
    return 1;
}

// Carries out the cases of a plan; finishes if these were the last ones.
static kane_status carry_out(const kane_study_kind *kind, void *self, kane_plan *plan, int *complete)
{
    kane_study *s      = self;
    const int before   = s->errors->count;
    kane_status status = KANE_OK;
    if (kind->search)
        status = kind->search(self, plan);
    if (status == KANE_OK)
        status = kane_plan_run_cases(plan, kind->work, self, s->errors);
    if (status == KANE_OK)
        status = kane_study_check_inputs(s, s->errors);
    if (status == KANE_OK && kane_plan_is_complete(plan)) {
        *complete = finish_study(kind, self, plan);
        status    = *complete ? KANE_OK : kane_errors_status(s->errors, before);
    }
    return status;
}

kane_status kane_study_go(const kane_study_kind *kind, void *self, const kane_plan_execution *how, int *complete)
{
    kane_study *s    = self;
    const int before = s->errors->count;
    char *content    = write_json_text(kane_study_write_definition, kind, self);
    *complete        = 0;
    s->files         = how->files;
    if (!content)
        return kane_no_memory(s->errors);
    kane_plan *plan    = how->cases ? NULL : open_plan(s, content, how);
    kane_status status = KANE_OK;
    if (plan)
        status = carry_out(kind, self, plan, complete);
    else if (!how->cases || !kane_study_list_cases(s, content, how))
        status = kane_errors_status(s->errors, before);
    free(content);
    kane_plan_close(plan);
    if (!how->cases)
        clean_directory(s);
    return status;
}

kane_status kane_study_run_cases(const kane_study_kind *kind, void *self, const char *file,
                                 const kane_run_options *common, const kane_plan_execution *how, int *complete,
                                 kane_errors *errors)
{
    kane_status status = kane_study_begin(kind, self, file, common, how->directory, errors);
    *complete          = 0;
    if (status == KANE_OK)
        status = kane_study_go(kind, self, how, complete);
    kane_study_end(kind, self);
    return status;
}

// --- runs ---

int kane_texts_count(const char *const *texts)
{
    int count = 0;
    while (texts && texts[count])
        count++;
    return count;
}

kane_run *kane_study_read_run(const kane_study *s, int number, const char *const *settings, kane_errors *errors)
{
    const kane_omission_run *is      = s->runs ? &s->runs[number] : NULL;
    const char *const *const lists[] = {s->common.settings, is ? is->settings : NULL, settings};
    kane_run_options how             = s->common;
    int count                        = 0;
    for (int i = 0; i < 3; i++)
        count += kane_texts_count(lists[i]);
    const char **all = kane_allocate((size_t)count + 1, sizeof *all);
    if (!all) {
        (void)kane_no_memory(errors);
        return NULL;
    }
    count = 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; lists[i] && lists[i][k]; k++)
            all[count++] = lists[i][k];
    how.settings      = all;
    how.is_comparison = 1;
    kane_run *run     = kane_run_read(is ? is->file : s->file, &how, errors);
    kane_release(all);
    return run;
}

kane_run *kane_study_read(const kane_study *s, const char *const *settings, kane_errors *errors)
{
    return kane_study_read_run(s, 0, settings, errors);
}

const char *kane_study_case_name(int index, char name[KANE_STUDY_NAME])
{
    (void)snprintf(name, KANE_STUDY_NAME, "case-%04d", index + 1);
    return name;
}

// Runs to files with the channels of the run file and those that the study needs.
static kane_results *write_rows(const kane_study *s, const char *directory, const kane_run_definition *run,
                                int pattern_count, const char *const *patterns, kane_outcome *outcome,
                                kane_errors *errors)
{
    const int own            = run->output.pattern_count;
    kane_run_definition more = *run;
    const char **all         = kane_allocate((size_t)(own + pattern_count) + 1, sizeof *all);
    *outcome                 = (kane_outcome){.status = KANE_NO_MEMORY};
    if (!all) {
        (void)kane_no_memory(errors);
        return NULL;
    }
    for (int i = 0; i < own + pattern_count; i++)
        all[i] = i < own ? run->output.patterns[i] : patterns[i - own];
    if (own > 0) // else all channels
        more.output = (kane_output_definition){.every         = run->output.every,
                                               .pattern_count = own + pattern_count,
                                               .patterns      = all,
                                               .format        = run->output.format};
    if (s->keep_text)
        more.output.format = KANE_CSV;
    kane_results *rows = kane_run_keep(&more, directory, outcome, errors);
    kane_release(all);
    return rows;
}

kane_results *kane_study_rows(const kane_study *s, const char *name, const kane_run_definition *run, int pattern_count,
                              const char *const *patterns, kane_outcome *outcome, kane_errors *errors)
{
    char directory[4096];
    if (s->keep && name && snprintf(directory, sizeof directory, "%s/%s", s->directory, name) < (int)sizeof directory) {
        kane_results *rows = write_rows(s, directory, run, pattern_count, patterns, outcome, errors);
        if (rows || outcome->status != KANE_IN_USE)
            return rows;
    }
    return kane_run_to_memory(run, pattern_count, patterns, outcome, errors);
}

static void write_inputs(kane_writer *w, const kane_study_kind *kind, const void *inputs)
{
    (void)kind;
    kane_inputs_write(inputs, w);
}

// Those that no run before has had are kept; others are freed.
int kane_study_take_inputs(kane_study *s, const kane_run_definition *run)
{
    kane_inputs *files     = kane_inputs_take(run, s->errors);
    const int is_read      = files && kane_inputs_check(files, s->errors) == KANE_OK; // or a hash could not be made
    char *text             = is_read ? write_json_text(write_inputs, NULL, files) : NULL;
    kane_study_inputs **at = &s->inputs, *own = NULL;
    while (text && *at && strcmp((*at)->text, text) != 0)
        at = &(*at)->next;
    if (text && !*at && (own = kane_arena_alloc(s->arena, 1, sizeof *own)) != NULL)
        *own = (kane_study_inputs){.files = files, .text = kane_arena_text(s->arena, text)};
    free(text);
    if (own && own->text)
        *at = own;
    else
        kane_inputs_free(files);
    return is_read && (*at || kane_study_no_memory(s));
}

kane_status kane_study_check_inputs(const kane_study *s, kane_errors *errors)
{
    kane_status status = KANE_OK;
    for (const kane_study_inputs *i = s->inputs; i && status == KANE_OK; i = i->next)
        status = kane_inputs_check(i->files, errors);
    return status;
}

void kane_study_print(kane_case *result, kane_status status, const kane_errors *errors)
{
    result->state = status == KANE_OK ? KANE_CASE_DONE : KANE_CASE_FAILED;
    if (errors->count > 0)
        (void)kane_error_format(kane_errors_get(errors, 0), sizeof result->why, result->why);
    else if (status != KANE_OK)
        (void)snprintf(result->why, sizeof result->why, "%s", kane_status_text(status));
}

// --- measures ---

// The weight before a star, 1 without one; *rest: what follows.
static double parse_weight(const char *text, const char **rest)
{
    const char *at      = text + strspn(text, " ");
    const size_t length = kane_number_length(at);
    const char *behind  = at + length + strspn(at + length, " ");
    *rest               = text;
    if (length == 0 || length > KANE_NUMBER_LENGTH || *behind != '*')
        return 1.0;
    *rest = behind + 1 + strspn(behind + 1, " ");
    return kane_number_value(at, length, 0);
}

int kane_measures_parse(kane_study *s, int count, const char *const *texts, int with_weights, const char *what)
{
    kane_measures *m = &s->measures;
    const int before = s->errors->count;
    const size_t n   = (size_t)count;
    *m               = (kane_measures){.measure  = kane_arena_alloc(s->arena, n, sizeof *m->measure),
                                       .text     = kane_arena_alloc(s->arena, n, sizeof *m->text),
                                       .patterns = kane_arena_alloc(s->arena, n, sizeof *m->patterns),
                                       .units    = kane_arena_alloc(s->arena, n, sizeof *m->units),
                                       .weight   = kane_arena_doubles(s->arena, n)};
    if (kane_arena_failed(s->arena))
        return kane_study_no_memory(s);
    for (int i = 0; i < count; i++) {
        const char *rest = texts[i];
        m->weight[i]     = with_weights ? parse_weight(texts[i], &rest) : 1.0;
        m->text[i]       = texts[i];
        m->units[i]      = "";
        for (int k = 0; k < i; k++)
            if (strcmp(texts[k], texts[i]) == 0)
                kane_errors_add(s->errors, KANE_BAD_INPUT, "the %s %s is given twice", what, texts[i]);
        if (!isfinite(m->weight[i]) || m->weight[i] == 0.0)
            kane_errors_add(s->errors, KANE_BAD_INPUT, "%s: the weight of a %s must be a number that is not 0",
                            texts[i], what);
        m->measure[m->count++] = kane_measure_parse(rest, s->errors);
        if (m->measure[i])
            m->patterns[i] = kane_measure_channels(m->measure[i]);
    }
    return s->errors->count == before;
}

// The unit of a measure, from the channels that it would have.
static void find_unit(kane_study *s, int i, const kane_run_definition *run, const kane_channels *channels)
{
    kane_measures *m     = &s->measures;
    const int count      = kane_channels_count(channels);
    const char *unit     = "";
    kane_column *columns = kane_allocate((size_t)count, sizeof *columns);
    if (!columns) {
        (void)kane_no_memory(s->errors);
        return;
    }
    for (int c = 0; c < count; c++) {
        const kane_channel_info *info = kane_channels_info(channels, c);
        columns[c]                    = (kane_column){info->name, info->unit, info->description};
    }
    if (kane_measure_check(m->measure[i], count, columns, run->output.every, &unit, s->errors) == KANE_OK) {
        m->units[i] = kane_arena_text(s->arena, unit);
        if (!m->units[i])
            (void)kane_no_memory(s->errors);
    }
    kane_release(columns);
}

// Checks every measure by itself on the channels of the run, so that the errors of all are reported.
int kane_measures_check(kane_study *s, const kane_run_definition *run, const char *before)
{
    kane_measures *m = &s->measures;
    const int count  = s->errors->count;
    for (int i = 0; i < m->count; i++) {
        char typed[200];
        kane_text t            = kane_text_start(sizeof typed, typed);
        const kane_place place = {.file = typed, .path = ""};
        kane_setup stage       = {0};
        kane_text_add(&t, "%s%s", before, m->text[i]);
        if (kane_setup_open(&stage, run, 1, &m->patterns[i], &place, s->errors))
            find_unit(s, i, run, stage.channels);
        const int is_of_run = !stage.channels && (!stage.simulation || !stage.model);
        kane_setup_close(&stage);
        if (is_of_run) // no measure is at fault
            break;
    }
    return s->errors->count == count;
}

// --- files ---

static void write_json(FILE *out, const kane_study_output *o, const void *data)
{
    kane_writer w = kane_writer_start(out);
    kane_writer_document(&w, o->kind);
    o->json(&w, data);
    kane_writer_close(&w);
    (void)kane_writer_end(&w); // what cannot be written the file itself remembers
}

int kane_study_write_tables(const kane_study *s, const char *file, const kane_table_report *report)
{
    const kane_table_format format = kane_table_format_of(file);
    kane_replacement r;
    if (format == KANE_TABLE_PICTURE) // kane_figure_end
        return 1;
    if (format == KANE_TABLE_HDF5)
        return kane_table_report_write(report, format, file, NULL, s->errors) == KANE_OK;
    if (kane_replacement_open(&r, file, s->errors) != KANE_OK)
        return 0;
    const kane_status status = kane_table_report_write(report, format, file, r.file, s->errors);
    return kane_replacement_close(&r, s->errors) == KANE_OK && status == KANE_OK;
}

static int write_files(const kane_study *s, int count, const kane_study_output *outputs)
{
    kane_table *tables       = kane_arena_alloc(s->arena, (size_t)count, sizeof *tables);
    kane_table_report report = {.title = s->file, .tables = tables};
    int good                 = tables != NULL || kane_study_no_memory(s);
    for (const kane_study_output *o = outputs; tables && o < outputs + count; o++)
        if (o->table) {
            kane_table *t = &tables[report.table_count++];
            *t            = *o->table;
            t->title      = kane_arena_text_part(s->arena, o->name, strcspn(o->name, "."));
        }
    for (const char *const *file = s->files; good && file && *file; file++)
        good = kane_study_write_tables(s, *file, &report);
    return good;
}

int kane_study_write(const kane_study *s, int count, const kane_study_output *outputs, const void *data)
{
    if (kane_arena_failed(s->arena))
        return kane_study_no_memory(s);
    for (const kane_study_output *o = outputs; o < outputs + count; o++) {
        kane_replacement r;
        char file[4096];
        (void)snprintf(file, sizeof file, "%s/%s", s->directory, o->name);
        if (kane_replacement_open(&r, file, s->errors) != KANE_OK)
            return 0;
        if (o->table)
            kane_table_write_csv(o->table, r.file);
        else if (o->text)
            o->text(r.file, data);
        else
            write_json(r.file, o, data);
        if (kane_replacement_close(&r, s->errors) != KANE_OK)
            return 0;
    }
    return !s->files || write_files(s, count, outputs);
}

// --- columns of results ---

int kane_column_named(const kane_results *results, const char *name)
{
    for (int i = 0; i < kane_results_column_count(results); i++)
        if (strcmp(kane_results_column(results, i)->name, name) == 0)
            return i;
    return -1;
}

int kane_column_of(const kane_results *results, const char *pattern)
{
    const int named = kane_column_named(results, pattern);
    for (int i = 0; named < 0 && i < kane_results_column_count(results); i++)
        if (kane_name_matches(pattern, kane_results_column(results, i)->name))
            return i;
    return named;
}
