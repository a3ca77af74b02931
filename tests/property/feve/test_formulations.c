// SPDX-License-Identifier: MIT
// Free choice of parametrisation: the FEVE 3000 runs the same in moving and in fixed frames, as a tree that hangs on
// its car and as one that its front wheelset carries in a track frame of its own; and a curve to the left is the mirror
// image of one to the right.

#include "property/feve/feve.h"

#define BRIEF "until.distance=170"

// Two runs side by side; b is the mirror image of a, or the same. Normal forces [N], shift and yaw of wheelsets against
// the rails as the places of contact show them [m].
static void check_alike(const char *const *settings_a, const char *const *settings_b, int mirrored, double near_N,
                        double near_place)
{
    CHECK_FREED(wagon) a = wagon_read("feve-curve", settings_a), b = wagon_read("feve-curve", settings_b);
    int rows = 0;
    wagon_start(&a);
    wagon_start(&b);
    for (int i = 1; wagon_go(&a, 0.5 * i) && wagon_go(&b, 0.5 * i); i++, rows++)
        for (int k = 0; k < FEVE_AXLES; k++)
            for (int side = 0; side < 2; side++) {
                double lift;
                const kane_work *work[2] = {kane_simulation_work(a.simulation), kane_simulation_work(b.simulation)};
                const kane_patch *p =
                    &kane_get_contact(a.model, work[0], feve_axle(&a, k), (kane_side)side, &lift)->patch[0];
                const kane_patch *q = &kane_get_contact(b.model, work[1], feve_axle(&b, k),
                                                        (kane_side)(mirrored ? 1 - side : side), &lift)
                                           ->patch[0];
                check_near(q->N, p->N, near_N);
                check_near(q->wheel_y, p->wheel_y, near_place);
                check_near(q->rail_y, p->rail_y, near_place);
            }
    assert_true(rows >= 10);
}

CHECK_TEST(it_runs_the_same_in_moving_and_fixed_frames)
{
    static const char *const moving[] = {TIGHT, GENTLE, BRIEF, NULL};
    static const char *const fixed[]  = {TIGHT, GENTLE, BRIEF, "formulation=fixed", NULL};
    check_alike(moving, fixed, 0, 1.0, 1e-6);
}

CHECK_TEST(left_and_right_curves_mirror_each_other)
{
    static const char *const left[]  = {TIGHT, GENTLE, BRIEF, NULL};
    static const char *const right[] = {
        TIGHT, ONE_SIDED, GENTLE_BY("-2500"), "vehicle.bodies.car.start={\"y\": -0.001}", BRIEF, NULL};
    check_alike(left, right, 1, 0.1, 1e-7);
}

CHECK_TEST(its_wheelsets_may_hang_or_stand_in_track_frames)
{
    static const char *const hangs[]   = {TIGHT, ONE_SIDED, GENTLE_BY("2500"), BRIEF, NULL};
    static const char *const carries[] = {TIGHT, ONE_SIDED, GENTLE_BY("2500"), BRIEF, CARRIED, NULL};
    check_alike(hangs, carries, 0, 1.0, 1e-6);
}

CHECK_MAIN(NULL, NULL)
