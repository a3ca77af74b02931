// SPDX-License-Identifier: MIT
// Wheelsets on joints, with bodies on their axles, run the same in moving and in fixed frames, through a transition
// with cant and accelerating; and a curve to the left is the mirror image of one to the right.

#include "property/railcar/railcar.h"

CHECK_TEST(it_runs_the_same_in_moving_and_fixed_frames)
{
    static const char *const moving[] = {TIGHT, "until.distance=90", NULL};
    static const char *const fixed[]  = {TIGHT, "until.distance=90", "formulation=fixed", NULL};
    railcar_check_alike(moving, fixed, 0, NULL, 1e-6, 1.0);
}

// Where the frame's attitude jumps, axes that leave the spin out turn about the axle; what hangs on it does not.
CHECK_TEST(jumps_of_the_frame_do_not_turn_boxes)
{
    static const char *const moving[] = {TIGHT, "track.cant_axis=inner_rail", "track.sections[1].shape=clothoid",
                                         "until.distance=90", NULL};
    static const char *const fixed[]  = {TIGHT,
                                         "track.cant_axis=inner_rail",
                                         "track.sections[1].shape=clothoid",
                                         "until.distance=90",
                                         "formulation=fixed",
                                         NULL};
    railcar_check_alike(moving, fixed, 0, NULL, 1e-6, 2.0);
}

CHECK_TEST(both_forms_of_its_gear_are_the_same)
{
    static const char *const coefficients[] = {TIGHT, "until.distance=80", NULL};
    static const char *const multipliers[]  = {TIGHT, "until.distance=80", "form=multipliers", NULL};
    railcar_check_alike(coefficients, multipliers, 0, NULL, 1e-6, 1.0);
}

CHECK_TEST(left_and_right_curves_mirror_each_other)
{
    static const char *const left[]  = {TIGHT, "until.distance=90", NULL};
    static const char *const right[] = {TIGHT, "until.distance=90", "track.sections[1].to.radius=-600", NULL};
    railcar_check_alike(left, right, 1, NULL, 1e-8, 0.1);
}

CHECK_MAIN(NULL, NULL)
