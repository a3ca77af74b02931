// SPDX-License-Identifier: MIT
// Plans: many cases that run in parallel, are recorded one by one, and continue after any
// interruption.
//
// A plan is a directory. plan.json, written first, has all that decides the results; a journal has a line for
// each finished case. The same plan in this directory continues where the journal ends; another plan is refused.
// Cases are independent of each other, so the same plan has the same records for any number of workers and any
// order of cases, also after losses.

#ifndef KANE_PLAN_H
#define KANE_PLAN_H

#include <kane/base.h>

#include <stdint.h>
#include <stdio.h>

KANE_C_BEGIN

typedef enum kane_case_state {
    KANE_CASE_OPEN, // nothing is known yet
    KANE_CASE_DONE,
    KANE_CASE_FAILED // has a reason
} kane_case_state;

enum { KANE_CASE_WHY = 1024 };

// Result of one case, filled by its function; values begin as NaN, which means none.
typedef struct kane_case {
    kane_case_state state;
    double *values;          // [kane_plan_definition.value_count]
    char why[KANE_CASE_WHY]; // reason of a failure, or a remark; "" if there is nothing to say
} kane_case;

typedef struct kane_plan_definition {
    // A JSON object: kind of study, inputs with their hashes, cases, what is recorded. Version and commit of the
    // library are added. It must be the same whenever the plan continues.
    const char *content;
    int case_count;  // 0 .. case_count - 1 here; 1 .. case_count in files and messages
    int value_count; // that every case records
    int group;       // so many cases in a row share something costly, and go to one worker if possible; 0: none
} kane_plan_definition;

// Carries out case `index`, perhaps in another process or thread: it may read `data`, not change it.
typedef void (*kane_case_work)(int index, kane_case *result, void *data);

// --- workers ---

typedef enum kane_worker_pool_event {
    KANE_WORKER_POOL_NOTHING, // in the time given
    KANE_WORKER_POOL_ANSWER,  // a worker has ended its case
    KANE_WORKER_POOL_LOSS     // a worker was lost with its case; another one has taken its place
} kane_worker_pool_event;

typedef struct kane_worker_pool_report {
    kane_worker_pool_event event;
    int worker, index; // of the case
    char why[96];      // loss: "ended by signal 9"
} kane_worker_pool_report;

enum { KANE_WORKER_POOL_AHEAD = 1 }; // cases that a worker may have beside the one that it carries out

// Workers that do a case each at a time: processes of this machine (the plan's own worker pool), ranks of an MPI job
// (the program's). A table of functions; all are called by one thread.
typedef struct kane_worker_pool kane_worker_pool;
struct kane_worker_pool {
    void *self;
    int size;        // workers: 0 .. size - 1
    uint64_t key;    // of the plan, the same in all processes that work on it; filled before begin or serve
    int is_follower; // 1 in a process that only works (an MPI rank other than 0): `serve` instead of the others
    // Begins: from here on workers may be given cases. value_count: of every case.
    kane_status (*begin)(kane_worker_pool *worker_pool, kane_case_work work, void *data, int value_count,
                         kane_errors *errors);
    // A worker carries out its cases one after the other, in the order in which it was given them.
    kane_status (*give)(kane_worker_pool *worker_pool, int worker, int index, kane_errors *errors);
    // Waits for at most `seconds` until something happens. result->values have room.
    kane_status (*wait)(kane_worker_pool *worker_pool, double seconds, kane_worker_pool_report *report,
                        kane_case *result, kane_errors *errors);
    void (*end)(kane_worker_pool *worker_pool); // sends all away, also those that still work
    // Follower: works until it is sent away.
    kane_status (*serve)(kane_worker_pool *worker_pool, kane_case_work work, void *data, int value_count,
                         kane_errors *errors);
};

// --- carrying out ---

typedef struct kane_plan_progress {
    int count, done, failed; // of the cases of this shard
    int running;
    double elapsed, left; // [s]; left NaN while nothing is known
    const char *failure;  // "case 12: ...": the last one that failed, NULL if none has since the last call
} kane_plan_progress;

// How a plan is carried out: nothing here changes its results.
typedef struct kane_plan_execution {
    const char *directory;         // is created
    int workers;                   // processes; 0: one for each processor that this process may use
    int shard, shards;             // carries out only the cases i with i % shards == shard - 1; shards 0: all
    int retry_failed;              // 1: cases that are recorded as failed are carried out once more
    kane_worker_pool *worker_pool; // NULL: processes of this machine
    // of a study: files to which its tables go besides, as their names end (.txt, .csv, .json, .h5), and its first
    // picture (.svg, .png); NULL-terminated, or NULL
    const char *const *files;
    // of a study: it is checked, its cases are listed here and in `files`, and none is carried out; NULL: carried out
    FILE *cases;
    // called now and then; not 0 ends the work with KANE_INTERRUPTED, and what is recorded stays. NULL: none
    int (*progress)(const kane_plan_progress *progress, void *data);
    void *data;
} kane_plan_execution;

typedef struct kane_plan kane_plan;

// Opens the plan of a directory, or begins it: writes plan.json in one step, reads all journals. NULL with errors: a
// directory that cannot be written, a plan of another version or with other content (what differs), a journal that
// another process writes at this moment. Of a follower there are no files.
KANE_API kane_plan *kane_plan_open(const kane_plan_definition *definition, const kane_plan_execution *execution,
                                   kane_errors *errors);
KANE_API void kane_plan_close(kane_plan *plan);

// Carries out the open cases of this shard. A case whose worker is lost is tried again, up to three times in all, and
// then has failed. KANE_NO_FILE where a record cannot be written (a full disk): the cases recorded so far stay.
KANE_API kane_status kane_plan_run_cases(kane_plan *plan, kane_case_work work, void *data, kane_errors *errors);

// Records one case that the caller has carried out itself.
KANE_API kane_status kane_plan_record(kane_plan *plan, int index, const kane_case *result, kane_errors *errors);

// A plan in a directory, for reading only: others may be writing it. NULL with errors. Not in a process
// that has opened it: it would lose its hold on the journal.
KANE_API kane_plan *kane_plan_inspect(const char *directory, kane_errors *errors);

// What the plan is, as it was opened or found.
KANE_API const kane_plan_definition *kane_plan_get_definition(const kane_plan *plan);

// A journal of a plan that was read.
typedef struct kane_plan_journal {
    const char *name; // of the file in the directory
    int done, failed; // cases whose record is here
    int ignored;      // lines that are torn, garbled or of another plan
    int recent;       // cases that the last process has recorded ...
    double seconds;   // ... and the time from its beginning to its last line [s], whole seconds
    int is_written;   // is a process writing it at this moment?
    char when[32];    // the last process that wrote it began, UTC; "" if none has
    char host[64];    // where it ran
    long process;     // its number there
} kane_plan_journal;

KANE_API int kane_plan_journal_count(const kane_plan *plan);
KANE_API const kane_plan_journal *kane_plan_get_journal(const kane_plan *plan, int index);

// The record of a case; valid until the plan is closed.
KANE_API const kane_case *kane_plan_case(const kane_plan *plan, int index);

// Cases in a state; a plan whose last case has ended is complete and has its tables written. 0 of a follower.
KANE_API int kane_plan_count(const kane_plan *plan, kane_case_state state);
KANE_API int kane_plan_is_complete(const kane_plan *plan);

KANE_C_END

#endif
