// SPDX-License-Identifier: MIT
// The Jacobian that CVODE is given is the derivative of the equations, with all joints and constraints.

#include "property/mechanism/jacobian_cases.h"

static void jacobian_with_joints_is_the_derivative(void **state)
{
    (void)state;
    check_cases(0, JOINTED_CASES, 0, &stateful_law);
    check_cases(0, JOINTED_CASES, 1, &stateful_law);
}

static void jacobian_with_constraints_is_the_derivative(void **state)
{
    (void)state;
    check_cases(JOINTED_CASES, CASES_TREES, 0, &stateful_law);
    check_cases(JOINTED_CASES, CASES_TREES, 1, &stateful_law);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jacobian_with_joints_is_the_derivative),
        cmocka_unit_test(jacobian_with_constraints_is_the_derivative),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
