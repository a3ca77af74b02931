// SPDX-License-Identifier: MIT
// Carrying out a plan: hands the open cases to a crew one by one, records what comes back, tries again what was lost.

#include "base/clock.h"
#include "plan/crew_fork.h"
#include "plan/plan.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ATTEMPTS_MOST = 3 };

static const double EVERY          = 0.2;  // between two calls of the progress [s]
static const double OVERLONG       = 60.0; // a case, while nothing is known of others [s]
static const double OVERLONG_LEAST = 1.0;  // [s]

// What is known of a case while the plan is carried out.
typedef struct task {
    signed char ended;    // since the work began
    signed char attempts; // that were lost
    short given;          // to how many workers at this moment
    double since;         // to the last of them [s]
} task;

typedef struct hand {
    int index;    // of its case; -1: idle
    int is_lost;  // for good
    double since; // [s]
} hand;

typedef struct coordinator {
    kane_plan *plan;
    kane_crew *crew;
    kane_errors *errors;
    task *tasks; // [case_count]
    hand *hands; // [crew->size]
    kane_case *result;
    int next;               // where to look for an open case
    int count, ended;       // cases of this shard, and those of them that have ended
    int done, failed;       // those of them
    int answers;            // that came back since the work began
    double spent, longest;  // by those cases [s]
    double begun, reported; // [s]
    char failure[KANE_CASE_WHY + 32];
    int is_failure_new;
} coordinator;

static int is_open(const coordinator *c, int index)
{
    return !c->tasks[index].ended && kane_plan_is_to_do(c->plan, index);
}

// --- handing out ---

// The first case that is open and that nobody has; -1 if there is none.
static int next_case(coordinator *c)
{
    for (; c->next < c->plan->case_count; c->next++)
        if (is_open(c, c->next) && c->tasks[c->next].given == 0)
            return c->next;
    return -1;
}

// When nothing is left to hand out, of a crew whose workers may be lost without a word: the case that was given away longest
// ago, if it has long been due. The first answer counts.
static int overdue_case(const coordinator *c)
{
    const double due = c->answers > 0 ? fmax(OVERLONG_LEAST, 2.0 * c->longest) : OVERLONG;
    const double at  = kane_clock();
    int found        = -1;
    double oldest    = at - due;
    for (int i = 0; i < c->crew->size; i++) {
        const int index = c->hands[i].index;
        if (index >= 0 && is_open(c, index) && c->tasks[index].since < oldest) {
            oldest = c->tasks[index].since;
            found  = index;
        }
    }
    return found;
}

static int someone_works(const coordinator *c)
{
    for (int i = 0; i < c->crew->size; i++)
        if (c->hands[i].index >= 0)
            return 1;
    return 0;
}

// A worker that cannot be started is done without, as long as there is another.
static kane_status give(coordinator *c, int worker, int index)
{
    hand *h            = &c->hands[worker];
    kane_errors why    = {0};
    kane_status status = c->crew->give(c->crew, worker, index, &why);
    if (status == KANE_OK) {
        h->index = index;
        h->since = c->tasks[index].since = kane_clock();
        c->tasks[index].given++;
        return KANE_OK;
    }
    h->is_lost = 1;
    for (int i = 0; i < c->crew->size; i++)
        if (!c->hands[i].is_lost)
            return KANE_OK;
    kane_errors_add(c->errors, status, "%s", why.count > 0 ? why.kept[0].text : kane_status_text(status));
    return status;
}

static kane_status hand_out(coordinator *c)
{
    kane_status status = KANE_OK;
    for (int i = 0; status == KANE_OK && i < c->crew->size; i++) {
        if (c->hands[i].is_lost || c->hands[i].index >= 0)
            continue;
        int index = next_case(c);
        if (index < 0 && c->crew->is_silent)
            index = overdue_case(c);
        if (index < 0)
            break;
        status = give(c, i, index);
    }
    if (status == KANE_OK && !someone_works(c)) {
        kane_errors_add(c->errors, KANE_NOT_SOLVED, "all workers are lost");
        status = KANE_NOT_SOLVED;
    }
    return status;
}

// --- taking back ---

static kane_status record(coordinator *c, int index, kane_case *result)
{
    if (result->state == KANE_CASE_OPEN) {
        result->state = KANE_CASE_FAILED;
        (void)snprintf(result->why, sizeof result->why, "nothing is known of its result");
    }
    const kane_status status = kane_plan_record(c->plan, index, result, c->errors);
    if (status != KANE_OK)
        return status;
    c->tasks[index].ended = 1;
    c->ended++;
    c->done += result->state == KANE_CASE_DONE;
    c->failed += result->state == KANE_CASE_FAILED;
    if (result->state == KANE_CASE_FAILED) {
        (void)snprintf(c->failure, sizeof c->failure, "case %d: %s", index + 1, c->plan->cases[index]->why);
        c->is_failure_new = 1;
    }
    return KANE_OK;
}

static void release(coordinator *c, int worker, int index)
{
    c->hands[worker].index = -1;
    c->tasks[index].given--;
}

static kane_status take_answer(coordinator *c, const kane_crew_report *report)
{
    const double took = kane_clock() - c->hands[report->worker].since;
    release(c, report->worker, report->index);
    c->answers++;
    c->spent += took;
    c->longest = fmax(c->longest, took);
    return is_open(c, report->index) ? record(c, report->index, c->result) : KANE_OK;
}

static kane_status take_loss(coordinator *c, const kane_crew_report *report)
{
    const int index = report->index;
    if (!report->is_replaced)
        c->hands[report->worker].is_lost = 1;
    if (index < 0)
        return KANE_OK;
    release(c, report->worker, index);
    if (!is_open(c, index))
        return KANE_OK;
    if (++c->tasks[index].attempts < ATTEMPTS_MOST) {
        if (index < c->next)
            c->next = index;
        return KANE_OK;
    }
    kane_case_clear(c->result, c->plan->value_count);
    c->result->state = KANE_CASE_FAILED;
    (void)snprintf(c->result->why, sizeof c->result->why, "its worker was lost %d times, at last %s",
                   (int)ATTEMPTS_MOST, report->why);
    return record(c, index, c->result);
}

// --- progress ---

// Time left, if the cases to come take as long as those before [s].
static double time_left(const coordinator *c, int *running)
{
    const double mean = c->answers > 0 ? c->spent / c->answers : (double)NAN, at = kane_clock();
    double work = 0.0;
    int workers = 0;
    *running    = 0;
    for (int i = 0; i < c->crew->size; i++) {
        workers += !c->hands[i].is_lost;
        if (c->hands[i].index < 0)
            continue;
        ++*running;
        work -= fmin(mean, at - c->hands[i].since);
    }
    work += mean * (c->count - c->ended);
    return isnan(mean) ? mean : fmax(0.0, work) / (workers > 0 ? workers : 1);
}

static kane_status report(coordinator *c, int is_last)
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

static void count(coordinator *c)
{
    for (int i = 0; i < c->plan->case_count; i++) {
        if (!kane_plan_is_mine(c->plan, i))
            continue;
        c->count++;
        if (is_open(c, i))
            continue;
        c->ended++;
        c->done += c->plan->cases[i]->state == KANE_CASE_DONE;
        c->failed += c->plan->cases[i]->state == KANE_CASE_FAILED;
    }
}

static kane_status go(coordinator *c)
{
    kane_status status = report(c, 0);
    while (status == KANE_OK && c->ended < c->count) {
        kane_crew_report r;
        status = hand_out(c);
        if (status == KANE_OK)
            status = c->crew->wait(c->crew, EVERY, &r, c->result, c->errors);
        if (status == KANE_OK && r.event == KANE_CREW_ANSWER)
            status = take_answer(c, &r);
        else if (status == KANE_OK && r.event == KANE_CREW_LOSS)
            status = take_loss(c, &r);
        if (status == KANE_OK)
            status = report(c, c->ended == c->count);
    }
    return status;
}

static kane_status coordinate(kane_plan *plan, kane_crew *crew, kane_case_work work, void *data, kane_errors *errors)
{
    coordinator c = {.plan = plan, .crew = crew, .errors = errors, .begun = kane_clock()};
    c.reported    = c.begun - EVERY;
    c.tasks       = kane_allocate((size_t)plan->case_count, sizeof *c.tasks);
    c.hands       = kane_allocate((size_t)crew->size, sizeof *c.hands);
    c.result      = kane_plan_new_case(plan);
    for (int i = 0; c.hands && i < crew->size; i++)
        c.hands[i].index = -1;
    kane_status status = KANE_NO_MEMORY;
    if (c.tasks && c.hands && c.result) {
        count(&c);
        status = crew->begin(crew, work, data, plan->value_count, errors);
        if (status == KANE_OK)
            status = go(&c);
        crew->end(crew);
    } else {
        kane_errors_add(errors, KANE_NO_MEMORY, "%s", kane_status_text(KANE_NO_MEMORY));
    }
    kane_release(c.tasks);
    kane_release(c.hands);
    return status;
}

static int count_open(const kane_plan *plan)
{
    int open = 0;
    for (int i = 0; i < plan->case_count; i++)
        open += kane_plan_is_to_do(plan, i);
    return open;
}

static kane_status with_own_crew(kane_plan *plan, kane_case_work work, void *data, kane_errors *errors)
{
    const int open   = count_open(plan);
    const int wanted = plan->how.workers > 0 ? plan->how.workers : kane_processors();
    kane_crew *crew  = kane_crew_fork_create(wanted < open ? wanted : open > 0 ? open : 1);
    if (!crew) {
        kane_errors_add(errors, KANE_NO_MEMORY, "%s", kane_status_text(KANE_NO_MEMORY));
        return KANE_NO_MEMORY;
    }
    const kane_status status = coordinate(plan, crew, work, data, errors);
    kane_crew_fork_free(crew);
    return status;
}

kane_status kane_plan_carry_out(kane_plan *plan, kane_case_work work, void *data, kane_errors *errors)
{
    kane_errors nobody = {0};
    kane_errors *tell  = errors ? errors : &nobody;
    kane_crew *crew    = plan->how.crew;
    if (crew)
        crew->key = plan->journal.key;
    if (plan->is_follower)
        return crew->serve(crew, work, data, plan->value_count, tell);
    kane_status status = crew ? coordinate(plan, crew, work, data, tell) : with_own_crew(plan, work, data, tell);
    if (status == KANE_OK) { // what other shards have done meanwhile; of two that end together one sees the other
        kane_journal_flush(&plan->journal);
        status = kane_plan_read_others(plan, tell);
    }
    return status;
}
