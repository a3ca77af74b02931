// SPDX-License-Identifier: MIT
// Carrying out a run: integrate, record, keep what was reached, say what became of it.

#include "run/manifest.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/directory.h"
#include "run/rows.h"
#include "run/stage.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// What a run consists of while it goes on.
typedef struct execution {
    const kane_run_definition *run;
    const kane_execution *how;
    kane_outcome *outcome;
    kane_errors *errors;
    kane_stage stage;
    kane_recorder *recorder;
    double track_length;                     // that the run can cover [m]; infinite without a track
    double begin, last_flush, last_progress; // [s] by kane_clock
} execution;

static kane_status write_manifest(const execution *e, const char *text)
{
    char name[4096];
    (void)snprintf(name, sizeof name, "%s/manifest.json", e->how->directory);
    FILE *file = fopen(name, "w");
    if (file && fputs(text, file) >= 0 && fclose(file) == 0)
        return KANE_OK;
    kane_errors_add(e->errors, KANE_NO_FILE, "%s cannot be written: %s", name, strerror(errno));
    return KANE_NO_FILE;
}

// Results of an earlier run in the other format would be taken for those of this one.
static void remove_other_results(const execution *e)
{
    static const kane_file_format formats[] = {KANE_CSV, KANE_HDF5};
    char name[4096];
    for (int i = 0; i < 2; i++) {
        (void)snprintf(name, sizeof name, "%s/results.%s", e->how->directory, kane_results_extension(formats[i]));
        if (formats[i] != e->run->output.format)
            (void)remove(name);
    }
}

static kane_recorder *create_recorder(execution *e)
{
    const int count      = kane_channels_count(e->stage.channels);
    kane_column *columns = kane_allocate((size_t)count, sizeof *columns);
    char *manifest       = kane_manifest_text(e->run, e->stage.model, NULL);
    char name[4096];
    kane_recorder *recorder = NULL;
    (void)snprintf(name, sizeof name, "%s/results.%s", e->how->directory,
                   kane_results_extension(e->run->output.format));
    remove_other_results(e);
    if (columns && manifest) {
        for (int i = 0; i < count; i++) {
            const kane_channel_info *info = kane_channels_info(e->stage.channels, i);
            columns[i]                    = (kane_column){info->name, info->unit, info->description};
        }
        recorder = kane_recorder_create(name, e->run->output.format, count, columns, manifest, e->errors);
    } else {
        kane_errors_add(e->errors, KANE_NO_MEMORY, "%s", kane_status_text(KANE_NO_MEMORY));
    }
    kane_release(columns);
    free(manifest);
    return recorder;
}

static int prepare(execution *e)
{
    const kane_output_definition *output = &e->run->output;
    if (!kane_stage_open(&e->stage, e->run, output->pattern_count, output->patterns, output->places, e->errors) ||
        kane_directory_make(e->how->directory, e->errors) != KANE_OK)
        return 0;
    e->recorder = create_recorder(e);
    return e->recorder && kane_status_write(e->how->directory, NULL, NULL, e->errors) == KANE_OK;
}

// Fraction of the run that is done: of its time, of its distance or of the track, whichever is further.
static double fraction(const execution *e, double time, double distance)
{
    const kane_conditions *until = &e->run->conditions;
    double done                  = distance / e->track_length;
    if (until->time > 0.0)
        done = fmax(done, time / until->time);
    if (until->distance > 0.0)
        done = fmax(done, distance / until->distance);
    return isfinite(e->track_length) || until->time > 0.0 || until->distance > 0.0 ? fmin(done, 1.0) : (double)NAN;
}

static int report_progress(execution *e)
{
    if (!e->how->progress || kane_clock() - e->last_progress < 0.1)
        return 0;
    e->last_progress        = kane_clock();
    const double time       = kane_simulation_time(e->stage.simulation);
    const double distance   = kane_stage_distance(&e->stage, e->run);
    const kane_progress now = {time, distance, fraction(e, time, distance)};
    return e->how->progress(&now, e->how->data);
}

// One row; KANE_INTERRUPTED if whoever watches the progress has had enough.
static kane_status record(void *data)
{
    execution *e = data;
    kane_channels_read(e->stage.channels, e->stage.simulation, e->stage.row);
    kane_status status = kane_recorder_add(e->recorder, e->stage.row, e->errors);
    e->outcome->rows += status == KANE_OK;
    if (status == KANE_OK && kane_clock() - e->last_flush > 1.0) {
        status        = kane_recorder_flush(e->recorder, e->errors);
        e->last_flush = kane_clock();
    }
    return status == KANE_OK && report_progress(e) ? KANE_INTERRUPTED : status;
}

// What has become of it, into the files and into the outcome.
static void finish(execution *e)
{
    kane_outcome *o = e->outcome;
    if (e->stage.simulation)
        kane_stage_tell(&e->stage, e->run, o);
    o->wall = kane_clock() - e->begin;
    if (e->recorder) {
        char *manifest          = kane_manifest_text(e->run, e->stage.model, o);
        const kane_status wrote = manifest ? write_manifest(e, manifest) : KANE_NO_MEMORY;
        const kane_status close = kane_recorder_close(e->recorder, manifest, e->errors);
        free(manifest);
        if (o->status == KANE_OK)
            o->status = wrote != KANE_OK ? wrote : close;
        const kane_status said = kane_status_write(e->how->directory, o, e->errors, e->errors);
        if (o->status == KANE_OK)
            o->status = said;
    }
    kane_stage_close(&e->stage);
}

kane_status kane_run_execute(const kane_run_definition *run, const kane_execution *how, kane_outcome *outcome,
                             kane_errors *errors)
{
    kane_errors nobody = {0};
    execution e        = {.run = run, .how = how, .outcome = outcome, .errors = errors ? errors : &nobody};
    *outcome           = (kane_outcome){.time = 0.0};
    e.track_length     = run->track ? kane_track_length(run->track) - run->drive.start : (double)INFINITY;
    e.begin = e.last_flush = e.last_progress = kane_clock();

    const int before = e.errors->count;
    if (prepare(&e))
        outcome->status = kane_rows_go(e.stage.simulation, run->output.every, record, &e, e.errors);
    else
        outcome->status = kane_errors_status(e.errors, before);
    finish(&e);
    return outcome->status;
}
