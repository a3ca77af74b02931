// SPDX-License-Identifier: MIT
// What all studies that have a plan share: where, with how many workers, which shard; progress; what is said at the end.

#ifndef KANE_APPS_PLAN_OPTIONS_H
#define KANE_APPS_PLAN_OPTIONS_H

#include "app.h"

typedef struct plan_options {
    const char *directory;
    int workers;       // 0: one for each processor
    int shard, shards; // 0: all
    int is_quiet, retry_failed;
    kane_crew *crew; // NULL: processes of this machine
    // of the progress
    int is_at_work;    // has it come to carrying out cases?
    double told;       // when the last line was written [s]
    int failures;      // reasons that were printed
    char failure[256]; // the last one of them, or its beginning
} plan_options;

// Options -o, -j, --shard, --retry-failed, -q as a child of a study's own argp: {&plan_options_argp, 0, NULL, 0}; its input is a plan_options
// (state->child_inputs[0], set at ARGP_KEY_INIT). The directory is needed.
extern const struct argp plan_options_argp;

// How the plan is carried out. From here on Ctrl-C ends it in good order, and a file that grows too large is an error
// instead of the end.
kane_plan_execution plan_options_begin(plan_options *o);

// After a study: errors, or what the directory holds now ("12 of 100 cases failed"); the exit code of the program.
exit_code plan_options_end(const plan_options *o, kane_status status, const kane_errors *errors);

#endif
