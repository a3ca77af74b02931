// SPDX-License-Identifier: MIT
// Removed freedoms, axles that spin, motors, gears and planar loops among joints: the same in all frames and forms.

#include "property/mechanism/mixed.h"

CHECK_TEST(mixtures_are_the_same_in_all_ways)
{
    CHECK_OWNED(kane_track) *track = model_track(1.0, KANE_BLOSS);
    for (int i = 0; i < MIXED_CASES; i++) {
        static rig r;
        ride rides[6];
        char name[64];
        mixed_build(&r, i, name);
        for (int way = 0; way < 6; way++) {
            ride_create(&rides[way], &r, track,
                        (ride_options){.start               = 35.0,
                                       .formulation         = way % 3 == 2 ? KANE_FIXED : KANE_MOVING,
                                       .imaginary_as_forces = way % 3 == 1,
                                       .form = way / 3 ? KANE_FORM_MULTIPLIERS : KANE_FORM_COEFFICIENTS});
            ride_check_same(&rides[0], &rides[way], 1e-12, 1e-11, 1e-9, name);
        }
        for (int way = 0; way < 6; way++) {
            ride_go(&rides[way], 1.6, 5e-4);
            ride_check_same(&rides[0], &rides[way], 1e-9, 1e-8, 1e-6, name);
        }
        for (int way = 0; way < 6; way++)
            ride_free(&rides[way]);
    }
}

CHECK_MAIN(NULL, NULL)
