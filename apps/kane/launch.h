// SPDX-License-Identifier: MIT
// Processes that share a study: options, workers, ranks of MPI, and what they may print.

#ifndef KANE_APPS_LAUNCH_H
#define KANE_APPS_LAUNCH_H

#include <kane/plan.h>
#include <kane/sweep.h>

#include "app.h"

#include "base/document.h"

#include <stddef.h>

// === Who started this process, and which one of how many it is: mpirun, srun, or a user.

// What a launcher leaves in the environment of its processes. ranks 1: this process is alone.
typedef struct app_launch {
    int rank, ranks;
    const char *launcher; // "mpirun", "srun"; "" if alone
    int can_talk;         // 1 if the launcher can bring its processes together by MPI
} app_launch;

app_launch app_launch_read(void);

// The worker pool of a study: that of the MPI job to which this process belongs, `workers` processes for each rank (0:
// one); *worker_pool is NULL if it is alone: the plan starts workers itself. An error if it is one of several that
// could not share the work: each would do all of it. The plan's part is shard of shards; shards 0: all of it. To be
// called once, before the study's files are read; its effects are undone when the program exits.
kane_status app_worker_pool_find(int workers, int shard, int shards, kane_worker_pool **worker_pool,
                                 kane_errors *errors);

// === A worker pool that is spread over the ranks of an MPI job (built with KANE_MPI only).
//
// Every rank has workers of its own, processes that know nothing of MPI; the rank itself only carries messages and
// sleeps in between. So a case that crashes costs a worker, which its rank replaces, and no rank. Rank 0 hands out the
// cases, one ahead to each worker. When a rank is lost MPI ends the job, and the same command goes on where the journal
// ends.

// The worker pool, with `workers` processes for each rank; it lives until the program exits. NULL with an error. shard:
// of the plan, which must be the same for all ranks.
kane_worker_pool *app_worker_pool_mpi(const app_launch *launch, int workers, int shard, kane_errors *errors);

// === Of many processes that do the same, one speaks.

// In a process that is not the first one of several that an MPI launcher has started: standard output is dropped, and
// what is said on standard error is kept for app_hush_end. Such a process does not exit at once, so that the launcher,
// which then ends the others, does not do so before the first one has spoken.
void app_hush(void);

// From here on standard error is what it was. Fills `text` with what was said since app_hush, all lines in one; "" if
// nothing.
void app_hush_end(size_t size, char *text);

// === What all studies share: which run, where, with how many workers, which shard; progress; what is said at the end.

typedef struct plan_options {
    const char *file; // run file
    app_texts settings, omit;
    app_texts files;         // for the tables besides
    kane_run_options common; // what every run has; known when all options are read
    const char *directory;
    int is_directory_optional;
    int workers;       // 0: one for each processor
    int shard, shards; // 0: all
    int is_quiet, retry_failed, dry_run;
    kane_worker_pool *worker_pool; // NULL: processes of this machine
    // of the progress
    int is_at_work;    // has it come to carrying out cases?
    double told;       // when the last line was written [s]
    int failures;      // reasons that were printed
    char failure[256]; // the last one of them, or its beginning
} plan_options;

// Row of all studies, with a letter or 0.
#define PLAN_DRY_RUN_OPTION(letter)                                                                                    \
    {                                                                                                                  \
        "dry-run", letter, NULL, 0, "check everything, list the cases, and carry out none", APP_FLAG(plan.dry_run)     \
    }

// Reads the arguments of a study that has these options besides into `own`, whose first member is a plan_options; check:
// of all of them, or NULL; shared: rows of a member of it, or NULL. All studies have the run file, --set, -o, -j, --shard, --retry-failed, -q. The directory is needed.
void plan_options_parse(const app_option *options, app_part shared, void (*check)(void *own, struct argp_state *state),
                        const char *doc, int argc, char **argv, void *own);

// How the plan is carried out. From here on Ctrl-C ends it in good order, and a file that grows too large is an error
// instead of the end.
kane_plan_execution plan_options_begin(plan_options *o);

// After a study: errors, which are freed, or what the directory holds now ("12 of 100 cases failed"); of one that is
// complete its `texts` (NULL-terminated) on standard output, and what is in the directory besides ("tables and pictures
// are"). The exit code of the program.
exit_code plan_options_end(const plan_options *o, kane_status status, int complete, const char *const *texts,
                           const char *what, kane_errors *errors);

// === Study files: several runs, and the options of kane study omit by their long names.

// An option that the file gives.
typedef struct study_file_value {
    const char *option; // long name
    const char *text;   // "--speeds=10,20"
    kane_place place;
} study_file_value;

typedef struct study_file {
    kane_arena *arena;
    const char *name;
    int run_count;
    kane_omission_run *runs;
    int setting_count;
    study_file_value *settings; // of runs: "runs.wagon.set", PATH=VALUE
    int count;
    study_file_value *values;
    int argc; // of the command with these options before those that were typed
    char **argv;
} study_file;

// The format of the file: its keys are "runs", "set", and the rows of `options` that are not of conclusions. NULL
// without memory.
const kane_format *study_file_format(kane_arena *arena, const app_option *options);

// The options of kane study omit (study_omit.c). Those of conclusions are for one run.
enum { STUDY_OMIT_DECIDES = 3 * APP_GROUP }; // their group
extern const app_option study_omit_options[];

// Reads the study file that is among the arguments. 0 with errors; without a study file all is as it was typed.
int study_file_read(int argc, char **argv, study_file *file, kane_errors *errors);
void study_file_free(study_file *file);

// A run's own setting must not set what the study sets, by a setting or by an axis, "PATH=VALUES". 0 with errors.
int study_file_check_runs(const study_file *file, const app_texts *settings, const app_texts *axes,
                          kane_errors *errors);

// While a value is parsed, if it is of the file: an error of the option adds its place. NULL: no value is.
void study_file_enter(const char *value);

// Errors about a value of the file get its line and column.
void study_file_place_errors(const study_file *file, kane_errors *errors);

// === Sweeps: axes, how cases are made of them, and what is reduced.

typedef struct sweep_options {
    app_texts over, measures;
    kane_sweep_kind kind;
    const char *kind_option; // as typed; NULL: none
    int samples, seed, has_samples, has_seed;
    int sampling; // number of sweep_samplings, from 1 on; 0: not given
    int with_sobol;
    app_numbers percentiles;
} sweep_options;

extern const char *const sweep_samplings[]; // "latin", "random"

// All but --sampling, whose letter means something else in some commands. Their check calls sweep_options_check.
extern const app_option sweep_option_rows[];
void sweep_options_check(const sweep_options *options, struct argp_state *state);

// Carries out the sweep (with --dry-run: prints its cases) and prints its table. finder NULL: of the measures.
exit_code sweep_options_carry_out(const sweep_options *options, plan_options *plan, const kane_sweep_finder *finder,
                                  int keep, kane_errors *errors);

#endif
