// SPDX-License-Identifier: MIT
// What carrying out a run shares: inputs, parameters, rows, kept models, manifests.

#ifndef KANE_RUN_SETUP_H
#define KANE_RUN_SETUP_H

#include <kane/run.h>
#include <kane/simulate.h>

#include "base/json.h"
#include "results/results.h"

#include <stddef.h>

// === The files that a run is made of, with hashes of what they say.

typedef struct kane_inputs kane_inputs;

// The run file, vehicle or mechanism, vehicles of a train, track, profiles, models of flexible bodies, files that laws
// name and records of irregularities, as they are on the disk now. NULL without memory.
kane_inputs *kane_inputs_take(const kane_run_definition *run, kane_errors *errors);
void kane_inputs_free(kane_inputs *inputs);

// How many there are, the run file first; the name of one as it was opened, and its hash, "" if it cannot be read.
int kane_inputs_count(const kane_inputs *inputs);
const char *kane_inputs_file(const kane_inputs *inputs, int i);
const char *kane_inputs_hash(const kane_inputs *inputs, int i);

// As keys of the object that is open: "run": {"file": ..., "xxh128": ...}, "vehicle", "vehicles", "track", "profiles",
// "flexible", "properties", "records".
void kane_inputs_write(const kane_inputs *inputs, kane_writer *w);

// Do the files still say what they said? KANE_BAD_INPUT, with an error for each that does not.
kane_status kane_inputs_check(const kane_inputs *inputs, kane_errors *errors);

// === Paths of parameters as they are typed behind --set and --over: short names, and parts of files without saying
// which.

// A short name and the path of the run file that it stands for.
typedef struct kane_parameter {
    const char *name, *path;
    const char *unit; // of its numbers; "" if it has none
} kane_parameter;

// By its short name or by its path; NULL: any other path.
const kane_parameter *kane_parameter_find(const char *name);

// A setting "PATH=VALUE" with the whole path as the run file and its parts know it; its length as snprintf says. What
// begins with a key of the run file is a path of the run file; else a short name is what it stands for; else what
// begins with a key that only a vehicle, train or mechanism file (or only a track file) has gets `vehicle`, which is
// "vehicle." or "mechanism." ("track."), before it. Anything else is unchanged.
int kane_parameter_setting(const char *setting, const char *vehicle, size_t size, char *text);

// The number that a path leads to, as a setting of it would change it, in SI units: in the run file, the vehicle, the
// train, the mechanism or the track, whose file is read for it. `typed`: what messages give as its place. 0 with an
// error where there is none.
int kane_run_number(const kane_run *run, const char *path, const char *typed, double *value, kane_errors *errors);

// Whether two settings, or paths, set the same.
int kane_parameter_is_same(const char *a, const char *b);

// === Going through a simulation row by row.

// Calls `row` at the present time, at multiples of `every` [s], and where the simulation ends, until it ends or `row`
// does not return KANE_OK. Returns what the simulation or `row` said.
kane_status kane_rows_run(kane_simulation *simulation, double every, kane_status (*row)(void *data), void *data,
                          kane_errors *errors);

// === Runs whose files several processes share: workers of a study, ranks of an MPI job, shards that have the same
// directory.

// Carries out a run as kane_run_to_files does and reads its rows back. The directory is claimed from before the first
// look at it until the rows are in memory, so that one process makes the files and no process reads half of them:
//   - while another process has the directory and goes on, this one waits; if the other one is killed, its claim ends and the run is made here
//   - a directory that holds the same run, whole, is read: the same manifest but for its key, ended without an error, with the same columns
//   - whatever else is there is replaced
// outcome->status is KANE_IN_USE, without an error and without rows, where the caller does better to carry it out in
// memory: after the wait for a process in which the same run has failed (it would fail here too, one worker after the
// other), or for one that has the directory but has stopped writing for a minute. NULL: there are no rows; outcome and
// errors say why.
kane_results *kane_run_keep(const kane_run_definition *run, const char *directory, kane_outcome *outcome,
                            kane_errors *errors);

// === What a run needs while it goes on: its model, the simulation, the channels that are read for every row.

typedef struct kane_setup {
    kane_model *model;
    kane_simulation *simulation;
    kane_channels *channels; // time, distance (on a track), then what was asked for
    double *row;             // one value a channel
    char rough[256];         // of the start: kane_simulation_start_is_rough, else ""
} kane_setup;

// 0 with errors; then, too, to be closed. places: where the patterns were typed, NULL: nowhere.
int kane_setup_open(kane_setup *stage, const kane_run_definition *run, int pattern_count, const char *const *patterns,
                    const kane_place *places, kane_errors *errors);
void kane_setup_close(kane_setup *stage);

// Fills the row. Not KANE_OK, with an error, where the present state cannot be evaluated.
kane_status kane_setup_read(const kane_setup *stage, kane_errors *errors);

double kane_setup_distance(const kane_setup *stage, const kane_run_definition *run); // travelled [m]; 0 without a track

// Writes the state that it is in to the file that the run names, if it names one.
kane_status kane_setup_save(const kane_setup *stage, const kane_run_definition *run, kane_errors *errors);

// How it has ended: stop, subject, time, distance, statistics.
void kane_setup_format(const kane_setup *stage, const kane_run_definition *run, kane_outcome *outcome);

// === Manifest and status of a run: what was computed with what, and what became of it.

// What a manifest says from the beginning to the end.
typedef struct kane_manifest {
    const kane_run_definition *run;
    const kane_setup *stage;
    kane_inputs *inputs;     // as they were at the beginning
    char key[KANE_KEY_SIZE]; // ""; of a run in memory
} kane_manifest;

// Takes the hashes of the run's files. KANE_NO_MEMORY with an error. To be freed in any case.
kane_status kane_manifest_begin(kane_manifest *manifest, const kane_run_definition *run, const kane_setup *stage,
                                kane_errors *errors);
void kane_manifest_free(kane_manifest *manifest);

// Gives a run that begins now a key: a hash of what the manifest says, of this process and of the time. KANE_NO_MEMORY
// with an error.
kane_status kane_manifest_make_key(kane_manifest *manifest, kane_errors *errors);

// JSON: library and its version, key, files with their hashes, formulation, omissions, integrator, state, and - outcome
// not NULL - statistics and end. Text in memory, NULL without memory. To be freed by free().
char *kane_manifest_text(const kane_manifest *manifest, const kane_outcome *outcome);

// manifest.json in a directory, replaced in one step. text NULL: there was no memory for it.
kane_status kane_manifest_write(const char *directory, const char *text, kane_errors *errors);

// What the files of a directory say of an earlier start of the same run.
typedef enum kane_ending {
    KANE_ENDING_NONE,   // nothing, or it has not ended
    KANE_ENDING_WHOLE,  // it came to its end: by a condition or by a derailment
    KANE_ENDING_FAILED, // it failed, and would fail again: not for want of memory or of room on the disk
} kane_ending;

// Reads manifest.json and status.json of a directory. The same run: the manifest says what this one would say but for
// the key and the end. status.json is written last, so that all else is whole when it exists. Of one that came to its
// end: status, stop, subject, detail, time, distance, rows, statistics and whether a derailment was confirmed go into
// the outcome.
kane_ending kane_manifest_find_end(const kane_manifest *manifest, const char *directory, kane_outcome *outcome);

// status.json in a directory: "running", "done", "stopped", "failed", "interrupted", with what a script wants to know.
// Replaced in one step, so that no reader sees half of it. outcome NULL: running.
kane_status kane_status_write(const char *directory, const char *key, const kane_outcome *outcome,
                              const kane_errors *why, kane_errors *errors);

#endif
