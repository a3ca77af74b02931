// SPDX-License-Identifier: MIT
// What can be known of a sweep before its first case starts.

#include "study/axis.h"
#include "study/sweep.h"

#include "base/text.h"
#include "run/stage.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int no_memory(kane_errors *errors)
{
    kane_errors_add(errors, KANE_NO_MEMORY, "%s", kane_status_text(KANE_NO_MEMORY));
    return 0;
}

// --- axes against each other and against the common settings ---

// A grid with a value twice would do everything twice.
static void check_repeated(const kane_axis *axis, kane_errors *errors)
{
    enum { MOST = 2000 }; // of longer lists only neighbours
    for (int i = 1; i < axis->count; i++)
        for (int k = axis->count > MOST ? i - 1 : 0; k < i; k++)
            if (strcmp(axis->texts[i], axis->texts[k]) == 0) {
                kane_errors_add(errors, KANE_BAD_ARGUMENT, "the axis '%s' has the value '%s' twice", axis->path,
                                axis->texts[i]);
                return;
            }
}

static int check_axes(const kane_sweep_study *s, kane_errors *errors)
{
    const int before = errors->count;
    for (int a = 0; a < s->is.axis_count; a++) {
        const char *name = s->is.axes[a]->path, *path = kane_axis_path(name);
        for (int b = 0; b < a; b++)
            if (strcmp(kane_axis_path(s->is.axes[b]->path), path) == 0)
                kane_errors_add(errors, KANE_BAD_ARGUMENT, "two axes set %s: '%s' and '%s'", path, s->is.axes[b]->path,
                                name);
        const char *rival = kane_axis_rival(s->is.axes[a], s->common.settings);
        if (rival)
            kane_errors_add(errors, KANE_BAD_ARGUMENT, "the axis '%s' and the setting '%s' contradict each other", name,
                            rival);
        if (s->is.kind == KANE_SWEEP_GRID)
            check_repeated(s->is.axes[a], errors);
    }
    return errors->count == before;
}

// --- runs ---

// The JSON text of inputs, to be freed by free(); NULL without memory.
static char *text_of(const kane_inputs *inputs)
{
    char *text  = NULL;
    size_t size = 0;
    FILE *out   = open_memstream(&text, &size);
    if (!out)
        return NULL;
    kane_writer w = kane_writer_start(out);
    kane_writer_open(&w, NULL, '{');
    kane_inputs_write(inputs, &w);
    kane_writer_close(&w);
    const kane_status status = kane_writer_end(&w);
    if (fclose(out) == 0 && status == KANE_OK)
        return text;
    free(text);
    return NULL;
}

// Keeps inputs that no case before has had; else frees them.
static int add_inputs(kane_sweep_study *s, kane_inputs *inputs)
{
    char *text = text_of(inputs);
    int is_new = text != NULL;
    for (int i = 0; i < s->input_count && is_new; i++)
        is_new = strcmp(s->input_texts[i], text) != 0;
    const size_t count = (size_t)s->input_count;
    const int good     = text != NULL;
    kane_inputs **all  = is_new ? kane_arena_alloc(s->arena, count + 1, sizeof *all) : NULL;
    const char **texts = is_new ? kane_arena_alloc(s->arena, count + 1, sizeof *texts) : NULL;
    const char *kept   = is_new ? kane_arena_text(s->arena, text) : NULL;
    const int has_room = all && texts && kept;
    for (size_t i = 0; has_room && i < count; i++) {
        all[i]   = s->inputs[i];
        texts[i] = s->input_texts[i];
    }
    if (has_room) {
        all[count]     = inputs;
        texts[count]   = kept;
        s->inputs      = all;
        s->input_texts = texts;
        s->input_count++;
    } else {
        kane_inputs_free(inputs);
    }
    free(text);
    return good && (has_room || !is_new);
}

// Reads the run of a case; its files become inputs.
static int check_case(kane_sweep_study *s, int index, kane_errors *errors)
{
    kane_run *run = kane_sweep_read_case(s, index, errors);
    if (!run)
        return 0;
    kane_inputs *inputs = kane_inputs_take(kane_run_get_definition(run), errors);
    kane_run_free(run);
    if (inputs && kane_inputs_check(inputs, errors) != KANE_OK) { // or a hash could not be made
        kane_inputs_free(inputs);
        return 0;
    }
    return inputs && (add_inputs(s, inputs) || no_memory(errors));
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

// --- measures ---

// The unit of a measure, from the channels that it would have.
static int find_unit(kane_sweep_study *s, int m, const kane_run_definition *run, const kane_channels *channels,
                     kane_errors *errors)
{
    const int count      = kane_channels_count(channels);
    const char *unit     = "";
    kane_column *columns = kane_allocate((size_t)count, sizeof *columns);
    if (!columns)
        return no_memory(errors);
    for (int i = 0; i < count; i++) {
        const kane_channel_info *info = kane_channels_info(channels, i);
        columns[i]                    = (kane_column){info->name, info->unit, info->description};
    }
    const kane_status status = kane_measure_check(s->measures[m], count, columns, run->output.every, &unit, errors);
    kane_release(columns);
    if (status != KANE_OK)
        return 0;
    s->units[m] = kane_arena_text(s->arena, unit);
    return s->units[m] || no_memory(errors);
}

// Every measure alone, so that the messages of all are told.
static int check_measures(kane_sweep_study *s, kane_errors *errors)
{
    const int before = errors->count;
    kane_run *run    = kane_sweep_read_case(s, 0, errors);
    if (!run)
        return 0;
    const kane_run_definition *d = kane_run_get_definition(run);
    for (int m = 0; m < s->is.measure_count; m++) {
        char typed[200];
        kane_text t            = kane_text_start(sizeof typed, typed);
        const kane_place place = {.file = typed, .path = ""};
        kane_stage stage       = {0};
        kane_text_add(&t, "--measure %s", kane_measure_text(s->measures[m]));
        if (kane_stage_open(&stage, d, 1, &s->patterns[m], &place, errors))
            (void)find_unit(s, m, d, stage.channels, errors);
        const int is_of_run = !stage.channels && (!stage.simulation || !stage.model);
        kane_stage_close(&stage);
        if (is_of_run) // no measure is at fault
            break;
    }
    kane_run_free(run);
    return errors->count == before;
}

int kane_sweep_check(kane_sweep_study *s, kane_errors *errors)
{
    if (!check_axes(s, errors) || !check_case(s, 0, errors))
        return 0;
    const int before = errors->count;
    for (int a = 0; a < s->is.axis_count; a++)
        (void)check_ends(s, a, errors);
    return errors->count == before && check_measures(s, errors);
}
