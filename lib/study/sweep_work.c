// SPDX-License-Identifier: MIT
// One case of a sweep.

#include "base/text.h"
#include "study/sweep.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// What becomes of one case.
typedef struct course {
    const kane_sweep_study *sweep;
    int index;
    kane_case *result;
    kane_text why;
    kane_errors errors;
} course;

kane_run *kane_sweep_read_case(const kane_sweep_study *s, int index, kane_errors *errors)
{
    int common = 0;
    while (s->common.settings && s->common.settings[common])
        common++;
    kane_arena *arena = kane_arena_create();
    const char **all  = arena ? kane_arena_alloc(arena, (size_t)(common + s->is.axis_count) + 1, sizeof *all) : NULL;
    kane_run *run     = NULL;
    int good          = all != NULL;
    for (int i = 0; i < common && good; i++)
        all[i] = s->common.settings[i];
    for (int a = 0; a < s->is.axis_count && good; a++) {
        const size_t size = (size_t)kane_sweep_setting(s, index, a, 0, NULL) + 1;
        char *text        = kane_arena_alloc(arena, size, 1);
        if (text)
            (void)kane_sweep_setting(s, index, a, size, text);
        all[common + a] = text;
        good            = text != NULL;
    }
    if (good) {
        kane_run_options how = s->common;
        how.settings         = all;
        run                  = kane_run_read(s->is.file, &how, errors);
    } else {
        kane_errors_add(errors, KANE_NO_MEMORY, "%s", kane_status_text(KANE_NO_MEMORY));
    }
    kane_arena_free(arena);
    return run;
}

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
    return kane_run_collect(run, c->sweep->is.measure_count, c->sweep->patterns, outcome, &c->errors);
}

// Rows in files of the case; the run's own channels and those of the measures, in any format as they are in memory. A case
// that is overdue may be given to two workers: the second one leaves the files to the first.
static kane_results *keep_rows(course *c, const kane_run_definition *run, kane_outcome *outcome)
{
    const kane_sweep_study *s = c->sweep;
    const int own             = run->output.pattern_count;
    const char **patterns     = kane_allocate((size_t)(own + s->is.measure_count) + 1, sizeof *patterns);
    char directory[4096];
    (void)snprintf(directory, sizeof directory, "%s/case-%04d", s->directory, c->index + 1);
    if (!patterns) {
        *outcome = (kane_outcome){.status = KANE_NO_MEMORY};
        return NULL;
    }
    for (int i = 0; i < own + s->is.measure_count; i++)
        patterns[i] = i < own ? run->output.patterns[i] : s->patterns[i - own];
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
        c->result->values[m] = kane_measure_eval(c->sweep->measures[m], rows, NULL, &c->errors);
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
static int is_unchanged(course *c)
{
    for (int i = 0; i < c->sweep->input_count; i++)
        if (kane_inputs_check(c->sweep->inputs[i], &c->errors) != KANE_OK)
            return 0;
    return 1;
}

void kane_sweep_work(int index, kane_case *result, void *data)
{
    course c      = {.sweep = data, .index = index, .result = result};
    result->state = KANE_CASE_FAILED;
    c.why         = kane_text_start(sizeof result->why, result->why);
    kane_run *run = kane_sweep_read_case(c.sweep, index, &c.errors);
    if (run && is_unchanged(&c))
        go(&c, kane_run_get_definition(run));
    else
        remark_errors(&c, 0);
    kane_run_free(run);
}
