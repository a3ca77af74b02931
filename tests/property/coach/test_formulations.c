// SPDX-License-Identifier: MIT
// A bogie coach runs the same in moving and in fixed frames.

#include "property/coach/coach.h"

CHECK_TEST(the_coach_runs_the_same_in_moving_and_fixed_frames)
{
    static const char *const moving[] = {TIGHT, "until.distance=190", NULL};
    static const char *const fixed[]  = {TIGHT, "until.distance=190", "formulation=fixed", NULL};
    coach_check_alike(moving, fixed, 0, 1e-6, 1.0);
}

CHECK_TEST(the_coach_with_tables_runs_the_same_in_moving_and_fixed_frames)
{
    static const char *const moving[] = {TIGHT, "until.distance=190", "variant=tables", NULL};
    static const char *const fixed[]  = {TIGHT, "until.distance=190", "variant=tables", "formulation=fixed", NULL};
    coach_check_alike(moving, fixed, 0, 1e-6, 1.0);
}

CHECK_MAIN(NULL, NULL)
