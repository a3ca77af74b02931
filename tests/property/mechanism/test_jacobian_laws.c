// SPDX-License-Identifier: MIT
// The same with laws that look at absolute motion: exactly, and by differences in all that they read.

#include "property/mechanism/jacobian_cases.h"

CHECK_TEST(laws_that_look_at_absolute_motion_have_their_derivative)
{
    check_cases(0, CASES_TREES, 0, &grounded_law);
    check_cases(0, CASES_TREES, 0, &grounded_law_differenced);
    check_cases(0, CASES_TREES, 1, &grounded_law_differenced);
}

CHECK_MAIN(NULL, NULL)
