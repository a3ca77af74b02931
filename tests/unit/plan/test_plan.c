// SPDX-License-Identifier: MIT
// Plans: the same records whoever carries them out, going on, what is refused.

#include "plans.h"

enum { COUNT = 60 };

static void a_plan_is_carried_out(void **state)
{
    (void)state;
    for (int workers = 1; workers <= 7; workers += 2) {
        char name[32];
        const kane_plan_execution how = {.workers = workers};
        (void)snprintf(name, sizeof name, "all/%d", workers);
        kane_plan *plan = plans_open(name, COUNT, &how);
        assert_int_equal(kane_plan_count(plan, KANE_CASE_OPEN), COUNT);
        plans_carry_out(plan, plans_work, NULL);
        plans_check_all(plan, COUNT);
        assert_int_equal(kane_plan_count(plan, KANE_CASE_FAILED), COUNT / 7);
        kane_plan_close(plan);

        plan = plans_open(name, COUNT, &how); // from the journal
        plans_check_all(plan, COUNT);
        kane_plan_close(plan);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plan_is_carried_out),
    };
    return cmocka_run_group_tests(tests, plans_enter, plans_leave);
}
