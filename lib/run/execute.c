// SPDX-License-Identifier: MIT
// Carrying out a run: integrate, record, keep what was reached, say what became of it.

#include "run/setup.h"

#include <kane/signal.h>
#include <kane/state.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/machine.h"
#include "base/number.h"
#include "results/results.h"
#include "run/growing.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Bytes on the disk for manifest and status as they are at the end: a full disk must not let them say that the run goes
// on.
enum { LAST_WORDS = 1 << 16 };

// Between two states that are kept to confirm a derailment from [s].
static const double KEPT = 10.0;

// Without a change in a directory that another process has, which writes rows once a second, it is not waited for any
// longer [s].
static const double PATIENCE = 60.0;

// Data of a running run.
typedef struct execution {
    const kane_run_definition *run;
    const kane_execution *how;
    kane_outcome *outcome;
    kane_errors *errors, own; // own: where the caller wants none
    kane_setup stage;
    kane_manifest manifest;
    kane_growth_watch growth;
    kane_claim claim; // of the directory
    kane_recorder *recorder;
    kane_state *kept[2]; // where it was some time ago, and less long ago: a derailment is confirmed from there
    double track_length; // that the run can cover [m]; infinite without a track
    double begin, last_flush, last_progress; // [s] by kane_clock
    // holding the clock
    double started, from; // when the first row came [s] by kane_clock, and its time [s]
    long late_room, late_count;
    double *late; // of every row that was waited for [s]
} execution;

// Rows of an earlier run must not stand beside the manifest of this one, however it ends.
static kane_status remove_results(const execution *e)
{
    static const char *const names[] = {"results.csv", "results.h5"};
    char name[4096];
    (void)kane_file_remove_left(e->how->directory);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        (void)snprintf(name, sizeof name, "%s/%s", e->how->directory, names[i]);
        if (remove(name) == 0 || errno == ENOENT)
            continue;
        kane_errors_add(e->errors, KANE_NO_FILE, "%s of an earlier run cannot be removed: %s", name,
                        kane_system_text(errno));
        return KANE_NO_FILE;
    }
    return KANE_OK;
}

static kane_recorder *create_recorder(const execution *e, const char *manifest)
{
    const int count         = kane_channels_count(e->stage.channels);
    kane_column *columns    = kane_allocate((size_t)count, sizeof *columns);
    kane_recorder *recorder = NULL;
    char name[4096];
    (void)snprintf(name, sizeof name, "%s/results.%s", e->how->directory,
                   kane_results_extension(e->run->output.format));
    if (columns) {
        for (int i = 0; i < count; i++) {
            const kane_channel_info *info = kane_channels_info(e->stage.channels, i);
            columns[i]                    = (kane_column){info->name, info->unit, info->description};
        }
        recorder = kane_recorder_create(name, e->run->output.format, count, columns, manifest, e->errors);
        if (recorder && e->run->output.is_plain)
            kane_recorder_compress(recorder, 0);
    } else {
        (void)kane_no_memory(e->errors);
    }
    kane_release(columns);
    return recorder;
}

// Not inlined, as finish_files: paths do not lie on the stack while the run is integrated. In the directory, which is
// this run's alone. After a kill at any moment it holds rows and the manifest of one run, or no rows: the old ones go
// first, then the manifest comes, then the new ones.
__attribute__((noinline)) static int begin_files(execution *e)
{
    char *text     = kane_manifest_text(&e->manifest, NULL);
    const int good = remove_results(e) == KANE_OK &&
                     kane_manifest_write(e->how->directory, text, e->errors) == KANE_OK &&
                     kane_status_write(e->how->directory, e->manifest.key, NULL, NULL, e->errors) == KANE_OK;
    if (good)
        e->recorder = create_recorder(e, text);
    free(text);
    return e->recorder != NULL;
}

static int begin_growth(execution *e)
{
    if (kane_growth_watch_begin(&e->growth, e->run, e->stage.model))
        return 1;
    (void)kane_no_memory(e->errors);
    return 0;
}

// Model, simulation, channels, manifest and the claimed directory. patience, waited: as kane_claim_directory_wait has
// them; 0: a directory that another one has is refused.
static int prepare_execution(execution *e, double patience, int *waited)
{
    const kane_output_definition *output = &e->run->output;
    const char *directory                = e->how->directory;
    return kane_setup_open(&e->stage, e->run, output->pattern_count, output->patterns, output->places, e->errors) &&
           kane_manifest_begin(&e->manifest, e->run, &e->stage, e->errors) == KANE_OK &&
           kane_manifest_make_key(&e->manifest, e->errors) == KANE_OK &&
           kane_directory_make(directory, e->errors) == KANE_OK &&
           kane_claim_directory_wait(&e->claim, directory, patience, waited, e->errors) == KANE_OK;
}

static int reserve_disk_space(execution *e)
{
    const int failed = kane_claim_keep_room(&e->claim, LAST_WORDS);
    if (failed)
        kane_errors_add(e->errors, KANE_NO_FILE, "%s: there is no room for results: %s", e->how->directory,
                        kane_system_text(failed));
    return !failed;
}

// Fraction of the run that is done: the largest of those of time, distance and track length; NaN: the run has none of
// these ends.
static double done_fraction(const execution *e, double time, double distance)
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
    const double distance   = kane_setup_distance(&e->stage, e->run);
    const kane_progress now = {time, distance, done_fraction(e, time, distance)};
    return e->how->progress(&now, e->how->data);
}

// Waits until the wall clock reaches the time of a row, and stores the lateness [s].
static kane_status wait_for_wall_clock(execution *e)
{
    const double time = kane_simulation_time(e->stage.simulation);
    if (e->outcome->rows <= 1) {
        e->started = kane_clock();
        e->from    = time;
        return KANE_OK;
    }
    if (e->late_count == e->late_room) {
        const long room = e->late_room > 0 ? 2 * e->late_room : 1024;
        double *late    = kane_allocate((size_t)room, sizeof *late);
        if (!late)
            return kane_no_memory(e->errors);
        if (e->late_count > 0)
            memcpy(late, e->late, (size_t)e->late_count * sizeof *late);
        kane_release(e->late);
        e->late      = late;
        e->late_room = room;
    }
    const double due = e->started + (time - e->from);
    kane_clock_wait(due);
    e->late[e->late_count++] = kane_clock() - due;
    return KANE_OK;
}

static void summarize_lateness(execution *e)
{
    kane_lateness *l = &e->outcome->lateness;
    l->rows          = e->late_count;
    for (long i = 0; i < e->late_count; i++) {
        l->worst = fmax(l->worst, e->late[i]);
        l->missed += e->late[i] > e->run->output.every;
    }
    if (e->late_count > 0)
        l->median = kane_percentile((int)e->late_count, e->late, 50.0);
    kane_release(e->late);
}

// Stores a state every KEPT [s], from which a derailment is confirmed: not from the start of a long run.
static kane_status keep_state(execution *e)
{
    if (!e->how->confirm || (e->kept[1] && kane_simulation_time(e->stage.simulation) < e->kept[1]->t + KEPT))
        return KANE_OK;
    kane_state *now = kane_simulation_get_state(e->stage.simulation, e->errors);
    if (!now)
        return KANE_NO_MEMORY;
    kane_state_free(e->kept[0]);
    e->kept[0] = e->kept[1];
    e->kept[1] = now;
    return KANE_OK;
}

// Writes one row; KANE_INTERRUPTED if the progress function asks to stop.
static kane_status write_row(void *data)
{
    execution *e       = data;
    kane_status status = kane_setup_read(&e->stage, e->errors);
    if (status == KANE_OK)
        status = kane_recorder_add(e->recorder, e->stage.row, e->errors);
    e->outcome->rows += status == KANE_OK;
    if (status == KANE_OK && !kane_growth_watch_row(&e->growth, e->stage.simulation)) {
        status = KANE_NO_MEMORY;
        kane_errors_add(e->errors, status, "%s", kane_status_text(status));
    }
    if (status == KANE_OK && e->how->real_time)
        status = wait_for_wall_clock(e);
    if (status == KANE_OK && kane_simulation_stop(e->stage.simulation) == KANE_STOP_NONE)
        status = keep_state(e);
    if (status == KANE_OK && kane_clock() - e->last_flush > 1.0) {
        status        = kane_recorder_flush(e->recorder, e->errors);
        e->last_flush = kane_clock();
    }
    return status == KANE_OK && report_progress(e) ? KANE_INTERRUPTED : status;
}

// Rows that can be read from the file; 0 if it cannot be read.
static long count_rows_in_file(const execution *e)
{
    kane_errors unread    = {.limit = 1};
    kane_results *results = kane_results_open(e->how->directory, &unread);
    const long rows       = results ? kane_results_row_count(results) : 0;
    kane_results_free(results);
    return rows;
}

// What has become of it, into the files: first to the rows, so that a manifest never says more than there is.
__attribute__((noinline)) static void finish_files(execution *e)
{
    kane_outcome *o    = e->outcome;
    char *text         = kane_manifest_text(&e->manifest, o);
    kane_status status = kane_recorder_close(e->recorder, text, e->errors);
    kane_claim_free_room(&e->claim); // now, lest rows take it
    if (status != KANE_OK) {         // a full disk: rows that were kept back are lost
        o->rows   = count_rows_in_file(e);
        o->status = o->status == KANE_OK ? status : o->status;
        free(text);
        text = kane_manifest_text(&e->manifest, o);
    }
    status = kane_manifest_write(e->how->directory, text, e->errors);
    if (o->status == KANE_OK)
        o->status = status;
    free(text);
    status = kane_status_write(e->how->directory, e->manifest.key, o, e->errors, e->errors);
    if (o->status == KANE_OK)
        o->status = status;
}

// Writes the last state. The run fails if that is not possible: it cannot be continued.
static void save_last_state(execution *e)
{
    kane_outcome *o = e->outcome;
    if (o->status != KANE_OK && o->status != KANE_INTERRUPTED)
        return;
    const kane_status status = kane_setup_save(&e->stage, e->run, e->errors);
    if (status != KANE_OK)
        o->status = status;
}

// What grows where it was. The run has its end whatever is found.
static void find_growing_modes(execution *e)
{
    kane_outcome *o = e->outcome;
    if (o->status == KANE_INTERRUPTED || o->status == KANE_NO_MEMORY)
        return;
    const kane_status status = kane_growth_watch_judge(&e->growth, &o->growth, e->errors);
    if (status != KANE_OK)
        o->status = status;
}

// Simulates from a state to the end, without rows.
static kane_status repeat_from_state(execution *e, kane_simulation *s, const kane_state *from, kane_errors *errors)
{
    kane_status status = kane_simulation_resume(s, from, errors);
    while (status == KANE_OK && kane_simulation_stop(s) == KANE_STOP_NONE) {
        status = kane_simulation_advance(s, kane_simulation_time(s) + e->run->output.every, errors);
        if (status == KANE_OK && report_progress(e))
            status = KANE_INTERRUPTED;
    }
    return status;
}

static void format_confirmation(kane_outcome *o, const kane_simulation *s, kane_status status)
{
    const char *means = isfinite(o->statistics.last_error) ? "tolerances of a tenth" : "steps of half the length";
    const double time = kane_simulation_time(s);
    const size_t used = strlen(o->detail);
    char *rest        = o->detail + used;
    o->confirmed      = kane_stop_is_derailment(kane_simulation_stop(s)) ? KANE_CONFIRMED : KANE_NOT_CONFIRMED;
    if (o->confirmed == KANE_CONFIRMED)
        (void)kane_snprintf(rest, sizeof o->detail - used, "; confirmed with %s: %s, %s at %.6g s", means,
                            kane_stop_name(kane_simulation_stop(s)), kane_simulation_stop_subject(s), time);
    else if (status != KANE_OK)
        (void)kane_snprintf(rest, sizeof o->detail - used,
                            "; not confirmed, it may be numerical: with %s it fails at %.6g s", means, time);
    else
        (void)kane_snprintf(rest, sizeof o->detail - used,
                            "; not confirmed, it may be numerical: with %s nothing derails up to %.6g s", means, time);
}

// The last 10 to 20 s once more, more accurately, and a little further than where it derailed. The state that it begins
// with keeps its own accuracy: of errors before it the vehicle has forgotten what was not in that state.
__attribute__((noinline)) static void confirm_derailment(execution *e)
{
    kane_outcome *o        = e->outcome;
    const kane_state *from = e->kept[0] ? e->kept[0] : e->kept[1];
    if (o->status != KANE_OK || !kane_stop_is_derailment(o->stop) || !from)
        return;
    kane_errors found            = {.limit = 1};
    const kane_settings settings = kane_settings_finer(&e->run->settings);
    kane_conditions until        = e->run->conditions;
    until.distance               = 0.0;
    until.time                   = o->time + 1.0 + 0.1 * (o->time - from->t);
    kane_simulation *s           = kane_simulation_create(e->stage.model, &settings, &until, &found);
    const kane_status status     = s ? repeat_from_state(e, s, from, &found) : kane_errors_status(&found, 0);
    if (status == KANE_NO_MEMORY) {
        kane_errors_add(e->errors, status, "%s", kane_status_text(status));
        o->status = status;
    } else if (s && status != KANE_INTERRUPTED) {
        format_confirmation(o, s, status);
    }
    kane_simulation_free(s);
}

static execution *begin_execution(const kane_run_definition *run, const kane_execution *how, kane_outcome *outcome,
                                  kane_errors *errors)
{
    execution *e = kane_allocate(1, sizeof *e); // its claim is too large for the stack of a small thread
    *outcome     = (kane_outcome){.time = 0.0};
    if (!e) {
        outcome->status = KANE_NO_MEMORY;
        (void)kane_no_memory(errors);
        return NULL;
    }
    e->run          = run;
    e->how          = how;
    e->outcome      = outcome;
    e->errors       = errors ? errors : &e->own;
    e->claim.file   = -1;
    e->track_length = run->track ? kane_track_length(run->track) - run->drive.start : (double)INFINITY;
    e->begin = e->last_flush = e->last_progress = kane_clock();
    return e;
}

// From the first row to the last word, in a directory that has been claimed.
static void execute_run(execution *e)
{
    const int before = e->errors->count;
    if (reserve_disk_space(e) && begin_files(e))
        e->outcome->status = kane_rows_run(e->stage.simulation, e->run->output.every, write_row, e, e->errors);
    else
        e->outcome->status = kane_errors_status(e->errors, before);
    save_last_state(e);
    kane_setup_format(&e->stage, e->run, e->outcome);
    confirm_derailment(e);
    find_growing_modes(e);
    e->outcome->wall = kane_clock() - e->begin;
    summarize_lateness(e);
    finish_files(e);
}

static void end_execution(execution *e)
{
    kane_claim_release(&e->claim);
    kane_manifest_free(&e->manifest);
    kane_growth_watch_free(&e->growth);
    kane_state_free(e->kept[0]);
    kane_state_free(e->kept[1]);
    kane_setup_close(&e->stage);
    kane_errors_free(&e->own);
    kane_release(e);
}

// Outcome of a run that could not be prepared; no file was written.
static void report_refusal(execution *e, int before)
{
    e->outcome->status = kane_errors_status(e->errors, before);
    if (e->stage.simulation)
        kane_setup_format(&e->stage, e->run, e->outcome);
    e->outcome->wall = kane_clock() - e->begin;
}

kane_status kane_run_to_files(const kane_run_definition *run, const kane_execution *how, kane_outcome *outcome,
                              kane_errors *errors)
{
    execution *e = begin_execution(run, how, outcome, errors);
    if (e) {
        const int before = e->errors->count;
        int waited;
        if (prepare_execution(e, 0.0, &waited) && begin_growth(e))
            execute_run(e);
        else
            report_refusal(e, before);
        end_execution(e);
    }
    return outcome->status;
}

// --- a directory that several processes share ---

// Whether the rows have the columns and the number of rows that this run would write.
static int is_same_output(const execution *e, const kane_results *rows)
{
    const int count = kane_channels_count(e->stage.channels);
    int same        = kane_results_column_count(rows) == count && rows->format == e->run->output.format &&
               kane_results_row_count(rows) == e->outcome->rows;
    for (int i = 0; same && i < count; i++)
        same = strcmp(kane_results_column(rows, i)->name, kane_channels_info(e->stage.channels, i)->name) == 0;
    return same;
}

// The rows of the same run, carried out by another process before; its end becomes the outcome. NULL: there are none
// that can be read.
static kane_results *find_rows(execution *e, kane_ending *ending)
{
    kane_errors unread = {.limit = 1};
    kane_setup_format(&e->stage, e->run, e->outcome); // how it starts
    *ending            = kane_manifest_find_end(&e->manifest, e->how->directory, e->outcome);
    kane_results *rows = *ending == KANE_ENDING_WHOLE ? kane_results_open(e->how->directory, &unread) : NULL;
    if (rows && is_same_output(e, rows))
        return rows;
    kane_results_free(rows);
    *e->outcome = (kane_outcome){.time = 0.0};
    return NULL;
}

kane_results *kane_run_keep(const kane_run_definition *run, const char *directory, kane_outcome *outcome,
                            kane_errors *errors)
{
    const kane_execution how = {.directory = directory};
    const int before         = errors->count;
    execution *e             = begin_execution(run, &how, outcome, errors);
    int waited               = 0;
    kane_results *rows       = NULL;
    kane_ending ending       = KANE_ENDING_NONE;
    if (!e)
        return NULL;
    if (!prepare_execution(e, PATIENCE, &waited)) {
        report_refusal(e, before);
        if (outcome->status == KANE_IN_USE)
            kane_errors_truncate(errors, before);
    } else if ((rows = find_rows(e, &ending)) == NULL) {
        if (waited && ending == KANE_ENDING_FAILED) {
            outcome->status = KANE_IN_USE;
        } else {
            execute_run(e);
            rows = outcome->rows > 0 ? kane_results_open(directory, errors) : NULL;
        }
    }
    end_execution(e);
    return rows;
}
