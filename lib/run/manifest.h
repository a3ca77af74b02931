// SPDX-License-Identifier: MIT
// Manifest and status of a run: what was computed with what, and what became of it.

#ifndef KANE_RUN_MANIFEST_H
#define KANE_RUN_MANIFEST_H

#include <kane/run.h>

#include "results/origin.h"
#include "run/inputs.h"
#include "run/stage.h"

// What a manifest says from the beginning to the end.
typedef struct kane_manifest {
    const kane_run_definition *run;
    const kane_stage *stage;
    kane_inputs *inputs;     // as they were at the beginning
    char key[KANE_KEY_SIZE]; // ""; of a run in memory
} kane_manifest;

// Takes the hashes of the run's files. KANE_NO_MEMORY with an error. To be freed in any case.
kane_status kane_manifest_begin(kane_manifest *manifest, const kane_run_definition *run, const kane_stage *stage,
                                kane_errors *errors);
void kane_manifest_free(kane_manifest *manifest);

// Gives a run that begins now a key: a hash of what the manifest says, of this process and of the time. KANE_NO_MEMORY with
// an error.
kane_status kane_manifest_make_key(kane_manifest *manifest, kane_errors *errors);

// JSON: library and its version, key, files with their hashes, formulation, omissions, integrator, state, and - outcome not
// NULL - statistics and end. Text in memory, NULL without memory. To be freed by free().
char *kane_manifest_text(const kane_manifest *manifest, const kane_outcome *outcome);

// manifest.json in a directory, replaced in one step. text NULL: there was no memory for it.
kane_status kane_manifest_keep(const char *directory, const char *text, kane_errors *errors);

// What the files of a directory say of an earlier start of the same run.
typedef enum kane_ending {
    KANE_ENDING_NONE,   // nothing, or it has not ended
    KANE_ENDING_WHOLE,  // it came to its end: by a condition or by a derailment
    KANE_ENDING_FAILED, // it failed, and would fail again: not for want of memory or of room on the disk
} kane_ending;

// Reads manifest.json and status.json of a directory. The same run: the manifest says what this one would say but for the key and the end.
// status.json is written last, so that it tells when all else is whole. Of one that came to its end: status, stop, subject, detail, time,
// distance, rows, statistics and whether a derailment was confirmed go into the outcome.
kane_ending kane_manifest_find_end(const kane_manifest *manifest, const char *directory, kane_outcome *outcome);

// status.json in a directory: "running", "done", "stopped", "failed", "interrupted", with what a script wants to know.
// Replaced in one step, so that nobody reads half of it. outcome NULL: running.
kane_status kane_status_write(const char *directory, const char *key, const kane_outcome *outcome,
                              const kane_errors *why, kane_errors *errors);

#endif
