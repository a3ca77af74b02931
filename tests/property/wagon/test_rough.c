// SPDX-License-Identifier: MIT
// The wagon on rails that are not straight: it comes through, and mirrored rails give the mirrored motion.

#include "property/wagon/wagon.h"

// ORE B176, high level: 100 m behind the fade-in; steps stay near a millisecond, and a Jacobian serves a hundred of
// them.
CHECK_TEST(the_wagon_comes_through_a_bad_track)
{
    CHECK_FREED(wagon) w = wagon_with("wagon-ore", "until.distance=160");
    double q[18], moved = 0.0;
    wagon_start(&w);
    for (int i = 1; i <= 30; i++) {
        assert_true(wagon_go(&w, 0.25 * i));
        wagon_coordinates(&w, q);
        for (int k = 0; k < 18; k++)
            assert_true(isfinite(q[k]));
        moved = fmax(moved, fabs(q[KANE_Y]));
    }
    assert_true(moved > 1e-4 && moved < 0.05);
    kane_statistics statistics;
    kane_simulation_statistics(w.simulation, &statistics);
    assert_true(statistics.steps > 100 * statistics.jacobians);
    assert_true(statistics.evaluations < 1.3 * (double)statistics.steps);
}

// A dip of the left rail and a bump of its gauge side, or the same of the right rail: lateral shift, roll and yaw
// change their signs, all else is the same.
CHECK_TEST(mirrored_defects_give_the_mirrored_motion)
{
    static const char *const settings[2][2] = {
        {"track.irregularities={\"defects\":["
         "{\"kind\":\"left_vertical\",\"shape\":\"cosine\",\"at\":35,\"length\":6,\"height\":\"-5 mm\"},"
         "{\"kind\":\"left_lateral\",\"shape\":\"cosine\",\"at\":38,\"length\":8,\"height\":\"-2 mm\"}]}",
         NULL},
        {"track.irregularities={\"defects\":["
         "{\"kind\":\"right_vertical\",\"shape\":\"cosine\",\"at\":35,\"length\":6,\"height\":\"-5 mm\"},"
         "{\"kind\":\"right_lateral\",\"shape\":\"cosine\",\"at\":38,\"length\":8,\"height\":\"2 mm\"}]}",
         NULL}};
    double q[2][18];
    for (int side = 0; side < 2; side++) {
        CHECK_FREED(wagon) w = wagon_open("wagon-ore", settings[side]);
        assert_true(wagon_go(&w, 1.6));
        wagon_coordinates(&w, q[side]);
    }
    assert_true(fabs(q[0][KANE_Y]) > 1e-5);
    for (int k = 0; k < 18; k++) {
        const int freedom = k % 6, is_odd = freedom == KANE_Y || freedom == KANE_ROLL || freedom == KANE_YAW;
        // absolute for displacements, relative for the angle of a wheelset that has rolled for 30 m
        check_near(q[1][k], is_odd ? -q[0][k] : q[0][k], 1e-7 * fmax(1.0, fabs(q[0][k])));
    }
}

CHECK_MAIN(NULL, NULL)
