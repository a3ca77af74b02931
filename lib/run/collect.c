// SPDX-License-Identifier: MIT
// A run in memory.

#include <kane/run.h>

#include "base/arena.h"
#include "results/results.h"
#include "run/rows.h"

#include <stdio.h>
#include <time.h>

typedef struct collection {
    kane_results *results;
    kane_model *model;
    kane_simulation *simulation;
    kane_channels *channels;
    double *row;
    kane_errors *errors;
} collection;

static kane_status collect(void *data)
{
    collection *c = data;
    kane_channels_read(c->channels, c->simulation, c->row);
    return kane_results_add_row(c->results, c->row, c->errors);
}

// Names, units and descriptions of the channels outlive them in the results.
static kane_status take_columns(collection *c)
{
    const int count          = kane_channels_count(c->channels);
    const kane_status status = kane_results_take_columns(c->results, count, c->errors);
    for (int i = 0; status == KANE_OK && i < count; i++) {
        const kane_channel_info *info = kane_channels_info(c->channels, i);
        const kane_column column      = {info->name, info->unit, info->description};
        if (kane_results_name_column(c->results, i, &column, c->errors) != KANE_OK)
            return KANE_NO_MEMORY;
    }
    return status;
}

static int prepare(collection *c, const kane_run_definition *run, int count, const char *const *patterns)
{
    c->model         = kane_model_create(run->vehicle, run->track, &run->drive, &run->model, c->errors);
    c->simulation    = c->model ? kane_simulation_create(c->model, &run->settings, &run->conditions, c->errors) : NULL;
    const char **all = kane_allocate((size_t)count + 2, sizeof *all);
    if (all && c->simulation) {
        int n    = 0;
        all[n++] = "time";
        if (run->track)
            all[n++] = "distance";
        for (int i = 0; i < count; i++)
            all[n++] = patterns[i];
        c->channels = kane_channels_create(c->simulation, n, all, NULL, c->errors);
    }
    kane_release(all);
    c->results = c->channels ? kane_results_create(run->file ? run->file : "", c->errors) : NULL;
    c->row     = c->results ? kane_allocate((size_t)kane_channels_count(c->channels), sizeof *c->row) : NULL;
    return c->row && take_columns(c) == KANE_OK;
}

static void tell(const collection *c, const kane_run_definition *run, kane_outcome *outcome)
{
    double s, v, a;
    kane_get_travel(kane_simulation_work(c->simulation), &s, &v, &a);
    outcome->stop     = kane_simulation_stop(c->simulation);
    outcome->time     = kane_simulation_time(c->simulation);
    outcome->distance = run->track ? s - run->drive.start : 0.0;
    outcome->rows     = kane_results_row_count(c->results);
    kane_simulation_statistics(c->simulation, &outcome->statistics);
    (void)snprintf(outcome->subject, sizeof outcome->subject, "%s", kane_simulation_stop_subject(c->simulation));
}

kane_results *kane_run_collect(const kane_run_definition *run, int pattern_count, const char *const *patterns,
                               kane_outcome *outcome, kane_errors *errors)
{
    kane_errors nobody = {0};
    collection c       = {.errors = errors ? errors : &nobody};
    struct timespec begin, end;
    *outcome = (kane_outcome){.status = KANE_BAD_INPUT};
    (void)clock_gettime(CLOCK_MONOTONIC, &begin);
    if (prepare(&c, run, pattern_count, patterns)) {
        outcome->status = kane_rows_go(c.simulation, run->output.every, collect, &c, c.errors);
        tell(&c, run, outcome);
    } else {
        outcome->status = c.errors->count > 0 ? c.errors->kept[0].status : KANE_NO_MEMORY;
        kane_results_free(c.results);
        c.results = NULL;
    }
    (void)clock_gettime(CLOCK_MONOTONIC, &end);
    outcome->wall = (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
    kane_release(c.row);
    kane_channels_free(c.channels);
    kane_simulation_free(c.simulation);
    kane_model_free(c.model);
    return c.results;
}
