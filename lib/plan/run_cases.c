// SPDX-License-Identifier: MIT
// Execution of a plan: gives open cases to a worker pool, records results, repeats lost cases.

#include "base/machine.h"
#include "plan/plan.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ATTEMPTS_MOST = 3, QUEUE = 1 + KANE_WORKER_POOL_AHEAD };

static const double EVERY = 0.2; // between two calls of the progress [s]

// What is known of a case while the plan is carried out.
typedef struct task {
    signed char has_ended; // since the work began
    signed char is_given;  // to a worker at this moment
    signed char attempts;  // that were lost
} task;

// A worker: the case that it carries out, and the one that it begins with as soon as that has ended.
typedef struct worker {
    int count;    // of both
    int group;    // of the last one; -1: none
    int is_lost;  // for good
    double since; // when it began with the first one [s]
} worker;

typedef struct coordinator {
    kane_plan *plan;
    kane_worker_pool *worker_pool;
    kane_errors *errors;
    task *tasks;     // [case_count]
    worker *workers; // [worker_pool->size]
    kane_case *result;
    int next;               // first index of the search for a free case
    int group;              // the first that no worker has begun with
    int count, ended;       // cases of this shard, and those of them that have ended
    int given;              // cases that workers have
    int done, failed;       // of those that have ended
    int answers;            // that came back since the work began
    double spent;           // by those cases [s]
    double begun, reported; // [s]
    char failure[KANE_CASE_WHY + 32];
    int is_failure_new;
} coordinator;

static int is_open(const coordinator *c, int index)
{
    return !c->tasks[index].has_ended && kane_plan_is_to_do(c->plan, index);
}

// --- distribution ---

// First open case in [from, to) that no worker has; `to`: none.
static int find_free(const coordinator *c, int from, int to)
{
    while (from < to && (!is_open(c, from) || c->tasks[from].is_given))
        from++;
    return from;
}

// The first free case of a group; -1 if there is none.
static int find_in_group(const coordinator *c, int group)
{
    const int size = c->plan->definition.group, first = group * size;
    const int end = c->plan->case_count - first < size ? c->plan->case_count : first + size;
    const int i   = find_free(c, first, end);
    return i < end ? i : -1;
}

// Next case of a worker: of its present group, else of a group that no worker has begun, else any free one; -1: none.
// So common data of a group are computed once, as long as there are enough groups.
static int next_case(coordinator *c, const worker *w)
{
    const int size = c->plan->definition.group, groups = size > 1 ? (c->plan->case_count - 1) / size + 1 : 0;
    int index = w->group < 0 ? -1 : find_in_group(c, w->group);
    while (index < 0 && c->group < groups)
        index = find_in_group(c, c->group++);
    if (index >= 0)
        return index;
    c->next = find_free(c, c->next, c->plan->case_count);
    return c->next < c->plan->case_count ? c->next : -1;
}

// Gives a case to a worker. A worker that cannot be started is left out; an error only if none is left.
static kane_status give_case(coordinator *c, int number, int index)
{
    worker *w                = &c->workers[number];
    kane_errors why          = {.limit = 1};
    const kane_status status = c->worker_pool->give(c->worker_pool, number, index, &why);
    if (status == KANE_OK) {
        if (w->count == 0)
            w->since = kane_clock();
        if (c->plan->definition.group > 1)
            w->group = index / c->plan->definition.group;
        w->count++;
        c->tasks[index].is_given = 1;
        c->given++;
        return KANE_OK;
    }
    w->is_lost = 1;
    for (int i = 0; i < c->worker_pool->size; i++)
        if (!c->workers[i].is_lost)
            return KANE_OK;
    kane_errors_add(c->errors, status, "%s", why.count > 0 ? kane_errors_get(&why, 0)->text : kane_status_text(status));
    return status;
}

// One case for each worker, then one in advance; the last cases are given only to workers without one.
static kane_status give_open_cases(coordinator *c)
{
    kane_status status = KANE_OK;
    for (int round = 0; round < QUEUE; round++)
        for (int i = 0; status == KANE_OK && i < c->worker_pool->size; i++) {
            worker *w = &c->workers[i];
            if (w->is_lost || w->count > round)
                continue;
            if (round > 0 && c->count - c->ended - c->given < c->worker_pool->size)
                return KANE_OK;
            const int index = next_case(c, w);
            if (index < 0)
                break;
            status = give_case(c, i, index);
        }
    return status;
}

// --- results ---

static kane_status record_result(coordinator *c, int index, kane_case *result)
{
    if (result->state == KANE_CASE_OPEN) {
        result->state = KANE_CASE_FAILED;
        (void)snprintf(result->why, sizeof result->why, "nothing is known of its result");
    }
    const kane_status status = kane_plan_record(c->plan, index, result, c->errors);
    if (status != KANE_OK)
        return status;
    c->tasks[index].has_ended = 1;
    c->ended++;
    c->done += result->state == KANE_CASE_DONE;
    c->failed += result->state == KANE_CASE_FAILED;
    if (result->state == KANE_CASE_FAILED) {
        (void)snprintf(c->failure, sizeof c->failure, "case %d: %s", index + 1, c->plan->cases[index]->why);
        c->is_failure_new = 1;
    }
    return KANE_OK;
}

// Removes the first case of a worker, which has begun with its next one. Returns the time of the case [s].
static double remove_first_case(coordinator *c, int number, int index)
{
    worker *w         = &c->workers[number];
    const double took = kane_clock() - w->since;
    w->since += took;
    w->count--;
    c->tasks[index].is_given = 0;
    c->given--;
    return took;
}

static kane_status handle_loss(coordinator *c, const kane_worker_pool_report *report)
{
    const int index = report->index;
    if (++c->tasks[index].attempts < ATTEMPTS_MOST) {
        c->next = index < c->next ? index : c->next;
        return KANE_OK;
    }
    kane_case_clear(c->result, c->plan->value_count);
    c->result->state = KANE_CASE_FAILED;
    (void)snprintf(c->result->why, sizeof c->result->why, "its worker was lost %d times, at last %s",
                   (int)ATTEMPTS_MOST, report->why);
    return record_result(c, index, c->result);
}

static kane_status handle_report(coordinator *c, const kane_worker_pool_report *report)
{
    if (report->event == KANE_WORKER_POOL_NOTHING)
        return KANE_OK;
    const double took = remove_first_case(c, report->worker, report->index);
    if (report->event == KANE_WORKER_POOL_LOSS)
        return handle_loss(c, report);
    c->answers++;
    c->spent += took;
    return record_result(c, report->index, c->result);
}

// --- progress ---

// Time left, if the cases to come take as long as those before [s].
static double time_left(const coordinator *c, int *running)
{
    const double mean = c->answers > 0 ? c->spent / c->answers : (double)NAN, at = kane_clock();
    double work = mean * (c->count - c->ended);
    int workers = 0;
    *running    = 0;
    for (int i = 0; i < c->worker_pool->size; i++) {
        const worker *w = &c->workers[i];
        workers += !w->is_lost;
        *running += w->count > 0;
        if (w->count > 0)
            work -= fmin(mean, at - w->since);
    }
    return isnan(mean) ? mean : fmax(0.0, work) / (workers > 0 ? workers : 1);
}

static kane_status report_progress(coordinator *c, int is_last)
{
    const double at = kane_clock();
    if (!c->plan->how.progress || (at - c->reported < EVERY && !is_last))
        return KANE_OK;
    c->reported          = at;
    kane_plan_progress p = {.count   = c->count,
                            .done    = c->done,
                            .failed  = c->failed,
                            .elapsed = at - c->begun,
                            .failure = c->is_failure_new ? c->failure : NULL};
    p.left               = time_left(c, &p.running);
    c->is_failure_new    = 0;
    const int stop       = c->plan->how.progress(&p, c->plan->how.data);
    return stop && !is_last ? KANE_INTERRUPTED : KANE_OK;
}

// --- all of it ---

static void count_cases(coordinator *c)
{
    for (int i = 0; i < c->plan->case_count; i++) {
        if (!kane_plan_shard_has(c->plan, i))
            continue;
        c->count++;
        if (is_open(c, i))
            continue;
        c->ended++;
        c->done += c->plan->cases[i]->state == KANE_CASE_DONE;
        c->failed += c->plan->cases[i]->state == KANE_CASE_FAILED;
    }
}

static kane_status run_open_cases(coordinator *c)
{
    kane_status status = report_progress(c, 0);
    while (status == KANE_OK && c->ended < c->count) {
        kane_worker_pool_report r;
        status = give_open_cases(c);
        if (status == KANE_OK)
            status = c->worker_pool->wait(c->worker_pool, EVERY, &r, c->result, c->errors);
        if (status == KANE_OK)
            status = handle_report(c, &r);
        if (status == KANE_OK)
            status = report_progress(c, c->ended == c->count);
    }
    return status;
}

static kane_status run_with_pool(kane_plan *plan, kane_worker_pool *worker_pool, kane_case_work work, void *data,
                                 kane_errors *errors)
{
    coordinator c = {.plan = plan, .worker_pool = worker_pool, .errors = errors, .begun = kane_clock()};
    c.reported    = c.begun - EVERY;
    c.tasks       = kane_allocate((size_t)plan->case_count, sizeof *c.tasks);
    c.workers     = kane_allocate((size_t)worker_pool->size, sizeof *c.workers);
    c.result      = kane_plan_new_case(plan);
    for (int i = 0; c.workers && i < worker_pool->size; i++)
        c.workers[i].group = -1;
    kane_status status = KANE_NO_MEMORY;
    if (c.tasks && c.workers && c.result) {
        count_cases(&c);
        status = worker_pool->begin(worker_pool, work, data, plan->value_count, errors);
        if (status == KANE_OK)
            status = run_open_cases(&c);
        worker_pool->end(worker_pool);
    } else {
        (void)kane_no_memory(errors);
    }
    kane_release(c.tasks);
    kane_release(c.workers);
    return status;
}

static int count_open(const kane_plan *plan)
{
    int open = 0;
    for (int i = 0; i < plan->case_count; i++)
        open += kane_plan_is_to_do(plan, i);
    return open;
}

static kane_status run_by_own_workers(kane_plan *plan, kane_case_work work, void *data, kane_errors *errors)
{
    const int open                = count_open(plan);
    const int wanted              = plan->how.workers > 0 ? plan->how.workers : kane_processors();
    kane_worker_pool *worker_pool = kane_worker_pool_fork_create(wanted < open ? wanted : open > 0 ? open : 1);
    if (!worker_pool)
        return kane_no_memory(errors);
    const kane_status status = run_with_pool(plan, worker_pool, work, data, errors);
    kane_worker_pool_fork_free(worker_pool);
    return status;
}

kane_status kane_plan_run_cases(kane_plan *plan, kane_case_work work, void *data, kane_errors *errors)
{
    kane_errors unreported        = {.limit = 1};
    kane_errors *kept             = errors ? errors : &unreported;
    kane_worker_pool *worker_pool = plan->how.worker_pool;
    if (worker_pool)
        worker_pool->key = plan->journal.key;
    if (plan->is_follower)
        return worker_pool->serve(worker_pool, work, data, plan->value_count, kept);
    kane_status status =
        worker_pool ? run_with_pool(plan, worker_pool, work, data, kept) : run_by_own_workers(plan, work, data, kept);
    if (status == KANE_OK) { // what other shards have done meanwhile; of two that end together one sees the other
        kane_journal_flush(&plan->journal);
        status = kane_plan_read(plan, 0, kept);
    }
    return status;
}
