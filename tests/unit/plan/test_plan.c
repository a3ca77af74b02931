// SPDX-License-Identifier: MIT
// Carrying out: the same records whoever works and in any order; cases that fail, crash or are lost; progress.

#include "plans.h"

#include "plan/plan.h"

enum { COUNT = 60 };

CHECK_TEST(any_number_of_workers_gives_the_same)
{
    static const int workers[] = {1, 2, 3, 7, 0, 100};
    for (size_t i = 0; i < sizeof workers / sizeof *workers; i++) {
        char name[32];
        const kane_plan_execution how = {.workers = workers[i]};
        (void)snprintf(name, sizeof name, "all/%d", workers[i]);
        kane_plan *plan = plans_open(name, COUNT, &how);
        assert_int_equal(kane_plan_count(plan, KANE_CASE_OPEN), COUNT);
        assert_false(kane_plan_is_complete(plan));
        assert_int_equal(kane_plan_case(plan, 3)->state, KANE_CASE_OPEN);
        assert_true(isnan(kane_plan_case(plan, 3)->values[0]));
        plans_carry_out(plan, plans_work, NULL);
        plans_check_all(plan, COUNT);
        assert_int_equal(kane_plan_count(plan, KANE_CASE_FAILED), COUNT / 7);
        assert_int_equal(kane_plan_count(plan, KANE_CASE_DONE), COUNT - COUNT / 7);
        kane_plan_close(plan);

        plan = plans_open(name, COUNT, &how); // from the journal
        plans_check_all(plan, COUNT);
        plans_carry_out(plan, plans_crash, NULL); // nothing is left to do
        kane_plan_close(plan);
    }
}

// Each shard writes a journal of its own and sees those of the others; the last one has all.
CHECK_TEST(shards_in_any_order_give_the_same)
{
    static const int orders[][3] = {{1, 2, 3}, {3, 1, 2}, {2, 3, 1}};
    for (int k = 0; k < 3; k++) {
        char name[32];
        (void)snprintf(name, sizeof name, "shards/%d", k);
        for (int i = 0; i < 3; i++) {
            const kane_plan_execution how = {.workers = 2, .shard = orders[k][i], .shards = 3};
            kane_plan *plan               = plans_open(name, COUNT, &how);
            plans_carry_out(plan, plans_work, NULL);
            assert_int_equal(kane_plan_count(plan, KANE_CASE_OPEN), (2 - i) * COUNT / 3);
            assert_int_equal(kane_plan_is_complete(plan), i == 2);
            kane_plan_close(plan);
        }
        kane_plan *plan = plans_open(name, COUNT, NULL); // without shards: finds everything done
        plans_check_all(plan, COUNT);
        kane_plan_close(plan);
        plan = kane_plan_inspect(name, NULL);
        plans_check_all(plan, COUNT);
        assert_int_equal(kane_plan_journal_count(plan), 4);
        assert_string_equal(kane_plan_get_journal(plan, 0)->name, "journal-1-of-3.jsonl");
        assert_int_equal(kane_plan_get_journal(plan, 0)->done + kane_plan_get_journal(plan, 0)->failed, COUNT / 3);
        assert_int_equal(kane_plan_get_definition(plan)->case_count, COUNT);
        assert_string_equal(kane_plan_get_definition(plan)->content, PLANS_CONTENT);
        kane_plan_close(plan);
    }
}

// A case that ends its process is tried three times; the others are done.
CHECK_TEST(cases_that_crash_fail_with_their_reason)
{
    const kane_plan_execution how      = {.workers = 3};
    CHECK_OWNED(kane_plan) *plan       = plans_open("crash", 12, &how);
    static const char *const reasons[] = {"its worker was lost 3 times, at last ended by signal 9 (Killed)",
                                          "its worker was lost 3 times, at last ended by signal 6 (Aborted)",
                                          "its worker was lost 3 times, at last ended itself with exit code 3"};
    plans_carry_out(plan, plans_crash, NULL);
    assert_true(kane_plan_is_complete(plan));
    for (int i = 0; i < 12; i++) {
        if (i % 4 == 3) {
            plans_check_case(plan, i);
            continue;
        }
        assert_int_equal(kane_plan_case(plan, i)->state, KANE_CASE_FAILED);
        assert_string_equal(kane_plan_case(plan, i)->why, reasons[i % 4]);
        assert_true(isnan(kane_plan_case(plan, i)->values[0]));
    }
}

CHECK_TEST(a_real_crash_is_told_by_its_signal)
{
    CHECK_OWNED(kane_plan) *plan = plans_open("segv", 4, NULL);
    plans_carry_out(plan, plans_segv, NULL);
    assert_int_equal(kane_plan_case(plan, 1)->state, KANE_CASE_FAILED);
    if (!strstr(kane_plan_case(plan, 1)->why, "its worker was lost 3 times, at last ended by signal 11"))
        fail_msg("%s", kane_plan_case(plan, 1)->why);
    plans_check_case(plan, 2);
}

// Marks in a file that it has begun; the first two attempts end.
static void work_third_time(int index, kane_case *result, void *data)
{
    char name[32];
    int attempt = 1;
    (void)data;
    for (; attempt < 4; attempt++) {
        (void)snprintf(name, sizeof name, "third/%d-%d.log", index, attempt);
        if (access(name, F_OK) != 0)
            break;
    }
    FILE *mark = fopen(name, "w");
    (void)fclose(mark);
    if (attempt < 3)
        (void)raise(SIGKILL);
    plans_work(index, result, NULL);
}

CHECK_TEST(a_case_that_was_lost_twice_can_be_done)
{
    CHECK_OWNED(kane_plan) *plan = plans_open("third", 5, NULL);
    plans_carry_out(plan, work_third_time, NULL);
    plans_check_all(plan, 5);
}

static void work_better(int index, kane_case *result, void *data)
{
    (void)data;
    result->state     = index == 6 ? KANE_CASE_FAILED : KANE_CASE_DONE;
    result->values[0] = -index;
    (void)snprintf(result->why, sizeof result->why, "%s", index == 6 ? "always" : "");
    if (index % 7 != 6)
        _exit(9); // this one has not failed
}

// Only what has failed is carried out once more; what is done now is done, and what fails again is no endless loop.
CHECK_TEST(failed_cases_can_be_tried_again)
{
    const kane_plan_execution again = {.workers = 2, .retry_failed = 1};
    kane_plan *plan                 = plans_open("again", 21, NULL);
    plans_carry_out(plan, plans_work, NULL);
    assert_int_equal(kane_plan_count(plan, KANE_CASE_FAILED), 3);
    kane_plan_close(plan);
    for (int i = 0; i < 2; i++) {
        plan = plans_open("again", 21, i ? NULL : &again);
        assert_true(kane_plan_is_complete(plan));
        if (i == 0)
            plans_carry_out(plan, work_better, NULL);
        assert_int_equal(kane_plan_count(plan, KANE_CASE_FAILED), 1);
        assert_string_equal(kane_plan_case(plan, 6)->why, "always");
        assert_int_equal(kane_plan_case(plan, 13)->state, KANE_CASE_DONE);
        assert_true(kane_plan_case(plan, 13)->values[0] == -13.0);
        plans_check_case(plan, 5);
        kane_plan_close(plan);
    }
}

static void work_silently(int index, kane_case *result, void *data)
{
    (void)data;
    result->values[0] = index;
}

CHECK_TEST(a_case_that_says_nothing_has_failed)
{
    CHECK_OWNED(kane_plan) *plan = plans_open("silent", 2, NULL);
    plans_carry_out(plan, work_silently, NULL);
    assert_int_equal(kane_plan_count(plan, KANE_CASE_FAILED), 2);
    assert_string_equal(kane_plan_case(plan, 0)->why, "nothing is known of its result");
}

// --- progress ---

typedef struct watch {
    int calls, last_done, failures, stop_at;
    kane_plan_progress last;
} watch;

static int look_on(const kane_plan_progress *p, void *data)
{
    watch *w = data;
    assert_true(p->done + p->failed >= w->last_done);
    assert_true(p->running >= 0 && p->running <= 2);
    w->calls++;
    w->last_done = p->done + p->failed;
    w->failures += p->failure != NULL;
    w->last = *p;
    return w->stop_at > 0 && w->last_done >= w->stop_at;
}

static void work_slowly(int index, kane_case *result, void *data)
{
    plans_sleep(0.03);
    plans_work(index, result, data);
}

CHECK_TEST(progress_is_told)
{
    watch w                       = {0};
    const kane_plan_execution how = {.workers = 2, .progress = look_on, .data = &w};
    kane_plan *plan               = plans_open("progress", 40, &how);
    plans_carry_out(plan, work_slowly, NULL);
    kane_plan_close(plan);
    assert_true(w.calls >= 3);
    assert_int_equal(w.last.count, 40);
    assert_int_equal(w.last.done, 35);
    assert_int_equal(w.last.failed, 5);
    assert_int_equal(w.last.running, 0);
    assert_true(w.last.elapsed >= 0.5);
    assert_true(w.last.left == 0.0);
    assert_true(w.failures >= 1);
}

CHECK_TEST(an_interrupted_plan_goes_on)
{
    watch w                       = {.stop_at = 10};
    const kane_plan_execution how = {.workers = 2, .progress = look_on, .data = &w};
    CHECK_ERRORS errors           = {0};
    kane_plan *plan               = plans_open("interrupted", 60, &how);
    assert_int_equal(kane_plan_run_cases(plan, work_slowly, NULL, &errors), KANE_INTERRUPTED);
    assert_int_equal(errors.count, 0);
    const int open = kane_plan_count(plan, KANE_CASE_OPEN);
    assert_true(open > 0 && open <= 50);
    assert_true(w.last.left > 0.0);
    kane_plan_close(plan);

    plan = plans_open("interrupted", 60, NULL);
    assert_int_equal(kane_plan_count(plan, KANE_CASE_OPEN), open);
    plans_carry_out(plan, plans_work, NULL);
    plans_check_all(plan, 60);
    kane_plan_close(plan);
}

// --- other crews ---

// Two workers: the first one carries out its cases when it is waited for; the second one is lost with each of its
// first.
typedef struct lame_worker_pool {
    kane_worker_pool worker_pool;
    kane_case_work work;
    int queue[2][1 + KANE_WORKER_POOL_AHEAD], count[2];
    int losses, most; // of the second one; most cases that a worker had
    int is_ended;
} lame_worker_pool;

static kane_status lame_begin(kane_worker_pool *worker_pool, kane_case_work work, void *data, int value_count,
                              kane_errors *errors)
{
    lame_worker_pool *l = worker_pool->self;
    (void)data;
    (void)errors;
    assert_int_equal(value_count, PLAN_VALUES);
    l->work = work;
    return KANE_OK;
}

static kane_status lame_give(kane_worker_pool *worker_pool, int worker, int index, kane_errors *errors)
{
    lame_worker_pool *l = worker_pool->self;
    (void)errors;
    assert_true(l->count[worker] <= KANE_WORKER_POOL_AHEAD);
    l->queue[worker][l->count[worker]++] = index;
    l->most                              = l->count[worker] > l->most ? l->count[worker] : l->most;
    return KANE_OK;
}

static kane_status lame_wait(kane_worker_pool *worker_pool, double seconds, kane_worker_pool_report *report,
                             kane_case *result, kane_errors *errors)
{
    lame_worker_pool *l = worker_pool->self;
    const int worker = l->count[1] > 0 ? 1 : 0, index = l->queue[worker][0];
    (void)seconds;
    (void)errors;
    assert_true(l->count[worker] > 0);
    *report = (kane_worker_pool_report){
        .event = worker ? KANE_WORKER_POOL_LOSS : KANE_WORKER_POOL_ANSWER, .worker = worker, .index = index};
    (void)snprintf(report->why, sizeof report->why, "gone");
    l->queue[worker][0] = l->queue[worker][1];
    l->count[worker]--;
    l->losses += worker;
    if (worker == 1)
        return KANE_OK;
    for (int i = 0; i < PLAN_VALUES; i++)
        result->values[i] = (double)NAN;
    result->why[0] = '\0';
    l->work(index, result, NULL);
    return KANE_OK;
}

static void lame_end(kane_worker_pool *worker_pool)
{
    lame_worker_pool *l = worker_pool->self;
    l->is_ended++;
}

// Each of its workers has a case ahead as long as there are many; what one is lost with three times has failed.
CHECK_TEST(a_crew_of_ones_own_is_kept_busy)
{
    lame_worker_pool lame = {
        .worker_pool = {.size = 2, .begin = lame_begin, .give = lame_give, .wait = lame_wait, .end = lame_end}};
    lame.worker_pool.self         = &lame;
    const kane_plan_execution how = {.worker_pool = &lame.worker_pool};
    CHECK_OWNED(kane_plan) *plan  = plans_open("lame", 8, &how);
    plans_carry_out(plan, plans_work, NULL);
    assert_true(kane_plan_is_complete(plan));
    int lost = 0;
    for (int i = 0; i < 8; i++) {
        if (strstr(kane_plan_case(plan, i)->why, "its worker was lost 3 times, at last gone"))
            lost++;
        else
            plans_check_case(plan, i);
    }
    assert_true(lost > 0);
    assert_true(lame.losses >= 3 * lost);
    assert_int_equal(lame.most, 1 + KANE_WORKER_POOL_AHEAD);
    assert_int_equal(lame.is_ended, 1);
}

// Groups: a worker stays with the one that it has begun, as long as there are others for the rest.
typedef struct group_worker_pool {
    lame_worker_pool lame;
    int turn, changes[2], last[2];
} group_worker_pool;

static kane_status group_wait(kane_worker_pool *worker_pool, double seconds, kane_worker_pool_report *report,
                              kane_case *result, kane_errors *errors)
{
    group_worker_pool *g = worker_pool->self; // whose first member is the lame pool
    lame_worker_pool *l  = &g->lame;
    const int worker = l->count[g->turn % 2] > 0 ? g->turn % 2 : 1 - g->turn % 2, index = l->queue[worker][0];
    (void)seconds;
    (void)errors;
    g->turn++;
    *report             = (kane_worker_pool_report){.event = KANE_WORKER_POOL_ANSWER, .worker = worker, .index = index};
    l->queue[worker][0] = l->queue[worker][1];
    l->count[worker]--;
    g->changes[worker] += index / 5 != g->last[worker];
    g->last[worker] = index / 5;
    for (int i = 0; i < PLAN_VALUES; i++)
        result->values[i] = (double)NAN;
    result->why[0] = '\0';
    l->work(index, result, NULL);
    return KANE_OK;
}

CHECK_TEST(cases_of_a_group_go_to_one_worker)
{
    group_worker_pool g = {
        .lame = {.worker_pool = {.size = 2, .begin = lame_begin, .give = lame_give, .end = lame_end}},
        .last = {-1, -1}};
    CHECK_ERRORS errors           = {0};
    g.lame.worker_pool.self       = &g;
    g.lame.worker_pool.wait       = group_wait;
    const kane_plan_execution how = {.directory = "groups", .worker_pool = &g.lame.worker_pool};
    const kane_plan_definition d = {.content = PLANS_CONTENT, .case_count = 20, .value_count = PLAN_VALUES, .group = 5};
    CHECK_OWNED(kane_plan) *plan = kane_plan_open(&d, &how, &errors);
    assert_non_null(plan);
    plans_carry_out(plan, plans_work, NULL);
    plans_check_all(plan, 20);
    assert_int_equal(g.changes[0], 2);
    assert_int_equal(g.changes[1], 2);
}

// Of a follower there are no files; it serves.
static int served;

static kane_status serve(kane_worker_pool *worker_pool, kane_case_work work, void *data, int value_count,
                         kane_errors *errors)
{
    (void)worker_pool;
    (void)data;
    (void)errors;
    assert_ptr_equal(work, plans_work);
    assert_int_equal(value_count, PLAN_VALUES);
    served++;
    return KANE_OK;
}

CHECK_TEST(a_follower_has_no_files)
{
    kane_worker_pool worker_pool  = {.size = 2, .is_follower = 1, .serve = serve};
    const kane_plan_execution how = {.worker_pool = &worker_pool};
    CHECK_OWNED(kane_plan) *plan  = plans_open("follower", 8, &how);
    plans_carry_out(plan, plans_work, NULL);
    assert_int_equal(served, 1);
    assert_int_equal(kane_plan_count(plan, KANE_CASE_OPEN), 0);
    assert_int_equal(kane_plan_is_complete(plan), 0);
    assert_int_not_equal(access("follower", F_OK), 0);
}

static kane_status refuse(kane_worker_pool *worker_pool, int worker, int index, kane_errors *errors)
{
    (void)worker_pool;
    (void)worker;
    (void)index;
    kane_errors_add(errors, KANE_NO_MEMORY, "no process to be had");
    return KANE_NO_MEMORY;
}

CHECK_TEST(a_crew_without_workers_is_told)
{
    lame_worker_pool lame = {
        .worker_pool = {.size = 2, .begin = lame_begin, .give = refuse, .wait = lame_wait, .end = lame_end}};
    lame.worker_pool.self         = &lame;
    const kane_plan_execution how = {.worker_pool = &lame.worker_pool};
    CHECK_ERRORS errors           = {0};
    CHECK_OWNED(kane_plan) *plan  = plans_open("nobody", 8, &how);
    assert_int_equal(kane_plan_run_cases(plan, plans_work, NULL, &errors), KANE_NO_MEMORY);
    assert_string_equal(kane_errors_get(&errors, 0)->text, "no process to be had");
    assert_int_equal(lame.is_ended, 1);
}

CHECK_TEST(there_is_a_processor)
{
    assert_true(kane_processors() >= 1);
    assert_true(kane_processors() <= sysconf(_SC_NPROCESSORS_CONF));
}

CHECK_MAIN(enter_folder, leave_folder)
