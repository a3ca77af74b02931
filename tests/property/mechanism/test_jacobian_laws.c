// SPDX-License-Identifier: MIT
// The same with laws that look at absolute motion: exactly, and by differences in all that they read.

#include "property/mechanism/jacobian_cases.h"

static void laws_that_look_at_absolute_motion_have_their_derivative(void **state)
{
    (void)state;
    check_cases(0, CASES_TREES, 0, &grounded_law);
    check_cases(0, CASES_TREES, 0, &grounded_law_differenced);
    check_cases(0, CASES_TREES, 1, &grounded_law_differenced);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(laws_that_look_at_absolute_motion_have_their_derivative),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
