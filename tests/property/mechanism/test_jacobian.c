// SPDX-License-Identifier: MIT
// The Jacobian that CVODE is given is the derivative of the equations, with all joints and constraints.

#include "property/mechanism/jacobian_cases.h"

CHECK_TEST(jacobian_with_joints_is_the_derivative)
{
    check_cases(0, JOINTED_CASES, 0, &stateful_law);
    check_cases(0, JOINTED_CASES, 1, &stateful_law);
}

CHECK_TEST(jacobian_with_constraints_is_the_derivative)
{
    check_cases(JOINTED_CASES, CASES_TREES, 0, &stateful_law);
    check_cases(JOINTED_CASES, CASES_TREES, 1, &stateful_law);
}

CHECK_MAIN(NULL, NULL)
