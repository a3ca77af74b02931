// SPDX-License-Identifier: MIT
// What all studies share: which run, where, with how many workers, which shard; progress; what is said at the end.

#ifndef KANE_APPS_PLAN_OPTIONS_H
#define KANE_APPS_PLAN_OPTIONS_H

#include "app.h"

typedef struct plan_options {
    const char *file; // run file
    app_texts settings, omit;
    kane_run_options common; // what every run has; known when all options are read
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

// Reads the arguments of a study that has these options of its own, parsed by `parse` into `own`, whose first member is a
// plan_options. All studies have the run file, --set, -o, -j, --shard, --retry-failed, -q. The directory is needed.
void plan_options_parse(const struct argp_option *options, argp_parser_t parse, const char *doc, int argc, char **argv,
                        void *own);

// How the plan is carried out. From here on Ctrl-C ends it in good order, and a file that grows too large is an error
// instead of the end.
kane_plan_execution plan_options_begin(plan_options *o);

// After a study: errors, which are freed, or what the directory holds now ("12 of 100 cases failed"); of one that is complete its `texts`
// (NULL-terminated) on standard output, and what is in the directory besides ("tables and pictures are"). The exit code of the
// program.
exit_code plan_options_end(const plan_options *o, kane_status status, int complete, const char *const *texts,
                           const char *what, kane_errors *errors);

#endif
