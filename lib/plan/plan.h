// SPDX-License-Identifier: MIT
// A plan in memory, and the steps that its functions are made of.

#ifndef KANE_PLAN_PLAN_H
#define KANE_PLAN_PLAN_H

#include <kane/plan.h>

#include "base/arena.h"
#include "plan/journal.h"

struct kane_plan {
    kane_arena *arena;
    kane_plan_definition definition;
    int case_count, value_count; // of it
    kane_plan_execution how;     // its directory is the plan's own text
    int is_follower;             // has no files
    kane_case **cases;           // [case_count]; NULL: open
    kane_case *open;             // what is said of all open ones
    kane_case *read;             // the last one read from a line
    int done, failed;            // of all cases
    int is_begun;                // has this process said that it writes?
    int journal_count, journal_room;
    kane_plan_journal *journals; // [journal_count]
    kane_journal journal;        // that this process writes
};

// plan.json: writes it if there is none, compares it if there is one. Fills the content and the key of the journals.
kane_status kane_plan_file_ensure(kane_plan *plan, const char *content, kane_errors *errors);

// A case of which nothing is known, in the plan's memory; NULL without any.
kane_case *kane_plan_new_case(kane_plan *plan);
void kane_case_clear(kane_case *c, int value_count);

// Reads the journals of the directory, or only those of others.
kane_status kane_plan_read(kane_plan *plan, int with_own, kane_errors *errors);

// The plan that lies in the directory of `plan`, which has nothing else yet.
kane_status kane_plan_file_load(kane_plan *plan, kane_errors *errors);

// The plan with this definition, if the directory (NULL: none) holds it, to be looked at only. NULL without errors: it
// holds none; with errors: another one.
kane_plan *kane_plan_find(const kane_plan_definition *definition, const char *directory, kane_errors *errors);

// Is this case one of the shard's?
static inline int kane_plan_shard_has(const kane_plan *plan, int index)
{
    return plan->how.shards < 2 || index % plan->how.shards == plan->how.shard - 1;
}

// Must it be carried out here: open, or failed and due again?
static inline int kane_plan_is_to_do(const kane_plan *plan, int index)
{
    const kane_case *known = plan->cases[index];
    return kane_plan_shard_has(plan, index) && (!known || (plan->how.retry_failed && known->state == KANE_CASE_FAILED));
}

// === The plan's own worker pool: processes of this machine.

// A worker pool of that many processes; NULL without memory. They are made by fork() when they get their first case and
// see the memory as it was then. To be freed with kane_worker_pool_fork_free.
kane_worker_pool *kane_worker_pool_fork_create(int workers);
void kane_worker_pool_fork_free(kane_worker_pool *worker_pool);

// What became of a case as bytes, so that it can be sent: state, values, reason.
size_t kane_result_size(int value_count);
void kane_result_encode(const kane_case *result, int value_count, char *bytes);
void kane_result_decode(const char *bytes, int value_count, kane_case *result);

// Processors that this process may use, at least 1.
int kane_processors(void);

#endif
