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
    int is_quiet, retry_failed;
    kane_worker_pool *worker_pool; // NULL: processes of this machine
    // of the progress
    int is_at_work;    // has it come to carrying out cases?
    double told;       // when the last line was written [s]
    int failures;      // reasons that were printed
    char failure[256]; // the last one of them, or its beginning
} plan_options;

// Reads the arguments of a study that has these options of its own, parsed by `parse` into `own`, whose first member is
// a plan_options. All studies have the run file, --set, -o, -j, --shard, --retry-failed, -q. The directory is needed.
void plan_options_parse(const struct argp_option *options, argp_parser_t parse, const char *doc, int argc, char **argv,
                        void *own);

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
    int count;
    study_file_value *values;
    int argc; // of the command with these options before those that were typed
    char **argv;
} study_file;

// The format of the file: its keys are "runs", "set", and the rows of `options` that are not of conclusions. NULL
// without memory.
const kane_format *study_file_format(kane_arena *arena, const struct argp_option *options);

// The options of kane study omit (study_omit.c). Those of conclusions are for one run.
enum { STUDY_OMIT_DECIDES = 3 }; // their group
extern const struct argp_option study_omit_options[];

// Reads the study file that is among the arguments. 0 with errors; without a study file all is as it was typed.
int study_file_read(int argc, char **argv, study_file *file, kane_errors *errors);
void study_file_free(study_file *file);

// While the value of argv[index] is parsed: an error of the option adds the place in the file. 0: no value is.
void study_file_enter(const study_file *file, int index);

// Errors about a value of the file get its line and column.
void study_file_place_errors(const study_file *file, kane_errors *errors);

// === Sweeps: axes, how cases are made of them, and what is reduced.

typedef struct sweep_options {
    app_texts over, measures;
    kane_sweep_kind kind;
    const char *kind_option; // as typed; NULL: none
    int samples, seed, has_samples, has_seed, dry_run;
    const char *sampling; // as typed
    int with_sobol, percentile_count;
    double percentiles[APP_TEXTS_MOST];
} sweep_options;

enum { SWEEP_SAMPLING = 900 }; // of --sampling where its letter means something else

// sampling: the key of --sampling, 'w' or SWEEP_SAMPLING
#define SWEEP_OPTIONS(sampling)                                                                                        \
    {"over",                                                                                                           \
     'O',                                                                                                              \
     "PATH=A:B:N|V,V,...",                                                                                             \
     APP_ADDS,                                                                                                         \
     "N values of a parameter from A to B, or these values, or what is sampled: a distribution, "                      \
     "PATH=normal(MEAN,DEVIATION) or uniform(A,B), or the rows of a table, {\"table\": \"FILE.csv\", \"columns\": "    \
     "{\"PATH\": \"COLUMN\", ...}}; of several parameters every value of "                                             \
     "each with every one of the others, or as --list and --latin-hypercube say. Short names: speed, acceleration, "   \
     "radius, cant, shape",                                                                                            \
     0},                                                                                                               \
        {"grid", 'g', NULL, 0, "every value of each with every one of the others (default)", 0},                       \
        {"list", 'l', NULL, 0, "the first values of all, the second ones, and so on", 0},                              \
        {"latin-hypercube", 'L', "N", 0, "N cases, spread evenly over every parameter", 0},                            \
        {"samples", 'N', "N", 0, "N samples of all distributions together, crossed with the other parameters", 0},     \
        {"sampling",                                                                                                   \
         sampling,                                                                                                     \
         "latin|random",                                                                                               \
         0,                                                                                                            \
         "one sample in each of N parts of a distribution (default), or anywhere",                                     \
         0},                                                                                                           \
        {"seed", 'r', "N", 0, "of the Latin hypercube or the samples (default 1)", 0},                                 \
        {"percentile", 'p', "P,P,...", APP_LIST, "of each measure over the samples (default 5,50,95)", 0},             \
        {"sobol", 'i', NULL, 0, "sensitivity indices of each measure, by N (k + 2) cases of k distributions", 0},      \
    {                                                                                                                  \
        "dry-run", 'n', NULL, 0, "check everything, say what would be done, and do nothing", 0                         \
    }

// Takes these options; ARGP_ERR_UNKNOWN for all other keys.
error_t sweep_options_parse(int key, char *value, sweep_options *options, struct argp_state *state);

// Carries out the sweep (with --dry-run: prints its first cases) and prints its table. finder NULL: of the measures.
exit_code sweep_options_carry_out(const sweep_options *options, plan_options *plan, const kane_sweep_finder *finder,
                                  int keep, kane_errors *errors);

#endif
