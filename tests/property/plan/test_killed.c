// SPDX-License-Identifier: MIT
// Whatever is killed at whatever moment, the whole process or workers: who goes on gets the same records, to the last
// bit, as if nothing had happened; and nobody goes on computing who has lost his parent.

#define _GNU_SOURCE // MAP_ANONYMOUS

#include "../../unit/plan/plans.h"

#include "math/statistics.h"

#include <sys/mman.h>
#include <sys/prctl.h>

enum { COUNT = 80, KILLS = 10 };

// Seen by all processes: who carries out each case at this moment, 0: nobody.
static volatile pid_t *workers;

static kane_random moments;

static void work(int index, kane_case *result, void *data)
{
    workers[index] = getpid();
    plans_sleep(1e-3 * (1.0 + index % 5));
    plans_work(index, result, data);
    workers[index] = 0;
}

// The program: opens the plan, or goes on with it. Returns 0 if it is complete afterwards.
static int program(const char *directory, const kane_plan_execution *execution, kane_case_work what)
{
    CHECK_ERRORS errors          = {0};
    const kane_plan_definition d = {.content = PLANS_CONTENT, .case_count = COUNT, .value_count = PLAN_VALUES};
    kane_plan_execution how      = *execution;
    how.directory                = directory;
    CHECK_OWNED(kane_plan) *plan = kane_plan_open(&d, &how, &errors);
    if (!plan || kane_plan_run_cases(plan, what, NULL, &errors) != KANE_OK) {
        check_no_errors(&errors);
        return 2;
    }
    const int complete = kane_plan_is_complete(plan);
    return !complete;
}

static pid_t begin(const char *directory, const kane_plan_execution *how, kane_case_work what)
{
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(program(directory, how, what));
    return child;
}

// All processes that came from this test have ended. This one inherits children of children, so that it can know.
static void wait_for_all(void)
{
    while (waitpid(-1, NULL, 0) > 0)
        ;
    for (int i = 0; i < COUNT; i++)
        workers[i] = 0;
}

static double random_between(double a, double b)
{
    return a + (b - a) * kane_random_even(&moments);
}

static void check(const char *directory, int kills)
{
    kane_plan *plan = kane_plan_inspect(directory, NULL);
    int ignored     = 0;
    assert_non_null(plan);
    plans_check_all(plan, COUNT);
    for (int i = 0; i < kane_plan_journal_count(plan); i++)
        ignored += kane_plan_get_journal(plan, i)->ignored;
    assert_int_equal(ignored, 0);
    kane_plan_close(plan);
    assert_true(kills >= KILLS);
}

CHECK_TEST(the_whole_process_is_killed_at_random)
{
    int kills = 0;
    for (int round = 0; kills < KILLS; round++) {
        char name[32];
        int status = 1;
        (void)snprintf(name, sizeof name, "whole/%d", round);
        for (int tries = 0; status != 0;
             tries++) { // later and later, for on a busy machine a process takes long to begin
            const kane_plan_execution how = {.workers = 1 + (int)random_between(0.0, 3.0)};
            const pid_t child             = begin(name, &how, work);
            plans_sleep(random_between(0.0, 0.08 * (1.0 + 0.05 * tries)));
            if (waitpid(child, &status, WNOHANG) == child) {
                assert_int_equal(status, 0);
                continue;
            }
            (void)kill(child, SIGKILL);
            status = 1;
            kills++;
            wait_for_all();
        }
        check(name, KILLS);
    }
}

// The same with three shards, any of which is killed.
CHECK_TEST(shards_are_killed_at_random)
{
    int kills = 0, open = 1;
    for (int round = 0; kills < KILLS; round++) {
        char name[32];
        (void)snprintf(name, sizeof name, "shards/%d", round);
        open = 1;
        for (int tries = 0; open; tries++) {
            pid_t children[3];
            for (int i = 0; i < 3; i++) {
                const kane_plan_execution how = {.workers = 1, .shard = i + 1, .shards = 3};
                children[i]                   = begin(name, &how, work);
            }
            plans_sleep(random_between(0.0, 0.12 * (1.0 + 0.05 * tries)));
            const pid_t victim = children[(int)random_between(0.0, 3.0)];
            kills += waitpid(victim, NULL, WNOHANG) == 0 && kill(victim, SIGKILL) == 0;
            wait_for_all();
            CHECK_OWNED(kane_plan) *plan = kane_plan_inspect(name, NULL);
            open                         = plan ? kane_plan_count(plan, KANE_CASE_OPEN) : 1;
        }
        check(name, KILLS);
    }
}

// A case whose worker is killed twice is still done; three times would be its failure.
CHECK_TEST(workers_are_killed_at_random)
{
    int kills = 0;
    for (int round = 0; kills < 3 * KILLS; round++) {
        char name[32];
        int lost[COUNT] = {0}, status;
        (void)snprintf(name, sizeof name, "workers/%d", round);
        const kane_plan_execution how = {.workers = 3};
        const pid_t child             = begin(name, &how, work);
        while (waitpid(child, &status, WNOHANG) == 0) {
            plans_sleep(random_between(0.0, 0.01));
            const int index    = (int)random_between(0.0, COUNT);
            const pid_t victim = workers[index];
            if (victim > 0 && lost[index] < 2 && kill(victim, SIGKILL) == 0) {
                workers[index] = 0;
                lost[index]++;
                kills++;
            }
        }
        assert_int_equal(status, 0);
        wait_for_all();
        check(name, KILLS);
    }
}

// Two that begin the same plan at the same moment agree on one plan.json; one of them has the journal.
CHECK_TEST(two_may_begin_together)
{
    for (int round = 0; round < 10; round++) {
        char name[32];
        pid_t children[4];
        int status;
        (void)snprintf(name, sizeof name, "together/%d", round);
        for (int i = 0; i < 4; i++) {
            const kane_plan_execution how = {.workers = 1, .shard = i + 1, .shards = 4};
            children[i]                   = begin(name, &how, plans_work);
        }
        for (int i = 0; i < 4; i++) {
            assert_int_equal(waitpid(children[i], &status, 0), children[i]);
            assert_true(WIFEXITED(status) && WEXITSTATUS(status) < 2);
        }
        check(name, KILLS);
    }
}

static void work_for_ever(int index, kane_case *result, void *data)
{
    (void)result;
    (void)data;
    workers[index] = getpid();
    for (;;)
        (void)pause();
}

// Workers in the middle of a case go with their parent, whatever has killed it.
CHECK_TEST(nobody_is_left_behind)
{
    for (int i = 0; i < 2; i++) {
        const kane_plan_execution how = {.workers = 3};
        const pid_t child             = begin("orphans", &how, work_for_ever);
        while (!workers[0] || !workers[1] || !workers[2]) {
            plans_sleep(0.001);
            assert_int_equal(waitpid(child, NULL, WNOHANG), 0);
        }
        (void)kill(child, i == 0 ? SIGKILL : SIGTERM);
        wait_for_all();
    }
}

static int enter(void **state)
{
    void *shared = mmap(NULL, COUNT * sizeof(pid_t), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED || prctl(PR_SET_CHILD_SUBREAPER, 1) != 0)
        return -1;
    const char *text    = getenv("KANE_SEED");
    const uint64_t seed = text ? strtoull(text, NULL, 10) : (uint64_t)time(NULL);
    workers             = shared;
    moments             = kane_random_start(seed, 0);
    print_message("KANE_SEED=%llu\n", (unsigned long long)seed);
    return enter_folder(state);
}

CHECK_MAIN(enter, leave_folder)
