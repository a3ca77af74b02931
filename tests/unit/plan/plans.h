// SPDX-License-Identifier: MIT
// Plans for tests: cheap cases whose results are known.

#ifndef KANE_TESTS_PLANS_H
#define KANE_TESTS_PLANS_H

#include "folder.h"
#include "errors.h"

#include <kane/plan.h>

#include <dirent.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PLANS_CONTENT "{\"kind\": \"test\", \"axes\": [1, 2]}"

enum { PLAN_VALUES = 3 };

static inline void kane_plan_free_owned(kane_plan *const *plan)
{
    kane_plan_close(*plan);
}

static inline void plans_sleep(double seconds)
{
    struct timespec t = {(time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))};
    while (nanosleep(&t, &t) != 0)
        ;
}

// Values with all their digits, one that is not finite, a failure now and then.
static inline void plans_work(int index, kane_case *result, void *data)
{
    (void)data;
    result->values[0] = sin(index + 1.0) / 3.0;
    result->values[1] = index % 5 == 0 ? (double)INFINITY : -exp(-0.1 * index);
    result->state     = index % 7 == 6 ? KANE_CASE_FAILED : KANE_CASE_DONE;
    if (result->state == KANE_CASE_FAILED)
        (void)snprintf(result->why, sizeof result->why, "case %d \"derails\"\nat once", index);
}

// Cases 0, 4, ... are killed, 1, 5, ... abort, 2, 6, ... leave; 3, 7, ... are done.
static inline void plans_crash(int index, kane_case *result, void *data)
{
    if (index % 4 == 0)
        (void)raise(SIGKILL);
    if (index % 4 == 1) {
        (void)signal(SIGABRT, SIG_DFL);
        abort();
    }
    if (index % 4 == 2)
        _exit(3);
    plans_work(index, result, data);
}

// Case 1 ends as one does that writes where nothing is.
static inline void plans_segv(int index, kane_case *result, void *data)
{
    if (index == 1) {
        (void)signal(SIGSEGV, SIG_DFL);
        (void)raise(SIGSEGV);
    }
    plans_work(index, result, data);
}

// Is the record of a case what plans_work makes of it, to the last bit?
static inline void plans_check_case(const kane_plan *plan, int index)
{
    double values[PLAN_VALUES] = {(double)NAN, (double)NAN, (double)NAN};
    kane_case expected         = {.values = values};
    const kane_case *c         = kane_plan_case(plan, index);
    plans_work(index, &expected, NULL);
    assert_int_equal(c->state, expected.state);
    assert_string_equal(c->why, expected.why);
    assert_memory_equal(c->values, values, 2 * sizeof(double));
    assert_true(isnan(c->values[2]));
}

static inline void plans_check_all(const kane_plan *plan, int count)
{
    assert_true(kane_plan_is_complete(plan));
    for (int i = 0; i < count; i++)
        plans_check_case(plan, i);
}

// Begins or goes on with a plan; it must be possible.
static inline kane_plan *plans_open(const char *directory, int count, const kane_plan_execution *execution)
{
    const kane_plan_definition d = {.content = PLANS_CONTENT, .case_count = count, .value_count = PLAN_VALUES};
    kane_plan_execution how      = execution ? *execution : (kane_plan_execution){.workers = 2};
    how.directory                = directory;
    kane_plan *plan              = CHECK_GOOD(kane_plan_open, &d, &how);
    assert_non_null(plan);
    return plan;
}

static inline void plans_carry_out(kane_plan *plan, kane_case_work work, void *data)
{
    const kane_status status = CHECK_GOOD(kane_plan_run_cases, plan, work, data);
    assert_int_equal(status, KANE_OK);
}

#endif
