// SPDX-License-Identifier: MIT
// Plans without memory: each allocation fails once; the plan says so or does without, and nothing is lost.

#include "../../allocation.h"

#include "plans.h"

enum { COUNT = 4 };

static void check_told(const kane_errors *errors, int k)
{
    if (errors->count == 0)
        fail_msg("nothing is said when allocation %d fails", k);
}

// Opens, records and looks; each may fail, with an error.
CHECK_TEST(every_allocation_may_fail)
{
    for (int k = 1;; k++) {
        CHECK_ERRORS errors           = {0};
        const kane_plan_definition d  = {.content = PLANS_CONTENT, .case_count = COUNT, .value_count = PLAN_VALUES};
        const kane_plan_execution how = {.directory = "memory", .workers = 1};
        double values[PLAN_VALUES]    = {(double)NAN, (double)NAN, (double)NAN};
        kane_case c                   = {.values = values};
        plans_work(k % COUNT, &c, NULL);

        allocation_fail_at(k);
        kane_plan *plan    = kane_plan_open(&d, &how, &errors);
        kane_status status = plan ? KANE_OK : KANE_NO_MEMORY;
        if (plan && !kane_plan_case(plan, k % COUNT)->state)
            status = kane_plan_record(plan, k % COUNT, &c, &errors);
        kane_plan_close(plan);
        kane_plan *look  = status == KANE_OK ? kane_plan_inspect("memory", &errors) : NULL;
        const int failed = allocation_stop();

        if (!look)
            check_told(&errors, k);
        kane_plan_close(look);
        if (!failed) {
            assert_non_null(look);
            break;
        }
    }
    kane_plan *plan = plans_open("memory", COUNT, NULL);
    plans_carry_out(plan, plans_work, NULL);
    plans_check_all(plan, COUNT);
    kane_plan_close(plan);
}

// The same for carrying out.
CHECK_TEST(carrying_out_may_fail)
{
    for (int k = 1;; k++) {
        CHECK_ERRORS errors = {0};
        char name[32];
        (void)snprintf(name, sizeof name, "work/%d", k);
        kane_plan *plan = plans_open(name, COUNT, NULL);
        allocation_fail_at(k);
        const kane_status status = kane_plan_run_cases(plan, plans_work, NULL, &errors);
        const int failed         = allocation_stop();
        if (status != KANE_OK)
            check_told(&errors, k);
        kane_plan_close(plan);
        plan = plans_open(name, COUNT, NULL);
        plans_carry_out(plan, plans_work, NULL);
        plans_check_all(plan, COUNT);
        kane_plan_close(plan);
        if (!failed)
            break;
    }
}

CHECK_MAIN(enter_folder, leave_folder)
