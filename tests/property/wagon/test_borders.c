// SPDX-License-Identifier: MIT
// Where the frame's attitude and angular velocity jump, the motion of the wagon does not.

#include "property/wagon/record.h"

// The ramp about the inner rail with constant slope: Omega and even the frame's attitude jump at its ends.
#define RAMP "track.cant_axis=inner_rail", "track.sections[1].shape=clothoid", "until.distance=170"

CHECK_TEST(jumps_of_the_frame_do_not_show_when_the_state_is_mapped_over)
{
    const char *settings[10] = {TIGHT, RAMP};
    const contrast c         = contrast_of_formulations("wagon-transition", 8, settings);
    for (int k = 0; k < 18; k++)
        check_near(c.q[k], 0.0, 1e-6);
    check_near(c.Q, 0.0, 2.0);
}

// 1000 times what it is with the mapping, at ordinary tolerances.
CHECK_TEST(jumps_of_the_frame_show_when_the_state_is_not_mapped_over)
{
    static record moving, fixed;
    const char *const in_moving[] = {RAMP, NULL}, *const in_fixed[] = {RAMP, "formulation=fixed", NULL};
    record_run("wagon-transition", in_moving, 0, &moving);
    record_run("wagon-transition", in_fixed, 1, &fixed);
    const contrast c = record_compare(&moving, &fixed);
    assert_true(c.q[6 * BODY + KANE_Y] > 1e-4);
    assert_true(c.Q > 1000.0);
}

CHECK_MAIN(NULL, NULL)
