// SPDX-License-Identifier: MIT
// A run in memory.

#include "base/machine.h"
#include "results/results.h"
#include "run/setup.h"

#include <stdlib.h>

typedef struct collection {
    kane_results *results;
    kane_setup stage;
    kane_errors *errors;
} collection;

static kane_status collect_row(void *data)
{
    collection *c            = data;
    const kane_status status = kane_setup_read(&c->stage, c->errors);
    return status != KANE_OK ? status : kane_results_add_row(c->results, c->stage.row, c->errors);
}

// Copies names, units and descriptions of all channels to the results.
static kane_status copy_columns(const collection *c)
{
    const int count    = kane_channels_count(c->stage.channels);
    kane_status status = kane_results_take_columns(c->results, count, c->errors);
    for (int i = 0; status == KANE_OK && i < count; i++) {
        const kane_channel_info *info = kane_channels_info(c->stage.channels, i);
        const kane_column column      = {info->name, info->unit, info->description};
        status                        = kane_results_name_column(c->results, i, &column, c->errors);
    }
    return status;
}

// The manifest of the run, as in files of results.
static void copy_manifest(const collection *c, const kane_run_definition *run, kane_outcome *outcome)
{
    kane_manifest m;
    char *text = kane_manifest_begin(&m, run, &c->stage, NULL) == KANE_OK ? kane_manifest_text(&m, outcome) : NULL;
    c->results->manifest = text ? kane_arena_text(c->results->arena, text) : NULL;
    free(text);
    kane_manifest_free(&m);
    if (c->results->manifest)
        return;
    (void)kane_no_memory(c->errors);
    outcome->status = KANE_NO_MEMORY;
}

kane_results *kane_run_to_memory(const kane_run_definition *run, int pattern_count, const char *const *patterns,
                                 kane_outcome *outcome, kane_errors *errors)
{
    kane_errors unreported = {.limit = 1};
    collection c           = {.errors = errors ? errors : &unreported};
    const double begin     = kane_clock();
    const int before       = c.errors->count;
    *outcome               = (kane_outcome){.time = 0.0};
    if (kane_setup_open(&c.stage, run, pattern_count, patterns, NULL, c.errors))
        c.results = kane_results_create(run->file ? run->file : "", c.errors);
    if (c.results && copy_columns(&c) == KANE_OK) {
        outcome->status = kane_rows_run(c.stage.simulation, run->output.every, collect_row, &c, c.errors);
        outcome->rows   = kane_results_row_count(c.results);
        if (outcome->status == KANE_OK)
            outcome->status = kane_setup_save(&c.stage, run, c.errors);
        kane_setup_format(&c.stage, run, outcome);
        copy_manifest(&c, run, outcome);
    } else {
        outcome->status = kane_errors_status(c.errors, before);
        kane_results_free(c.results);
        c.results = NULL;
    }
    outcome->wall = kane_clock() - begin;
    kane_setup_close(&c.stage);
    return c.results;
}
