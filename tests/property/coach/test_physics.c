// SPDX-License-Identifier: MIT
// What must be true of a bogie coach's motion: symmetry, energy, and how it leans in a curve.

#include "property/coach/coach.h"

CHECK_TEST(left_and_right_curves_mirror_each_other)
{
    static const char *const left[]  = {TIGHT, "until.distance=190", NULL};
    static const char *const right[] = {TIGHT, "until.distance=190", "track.sections[1].to.radius=-600", NULL};
    coach_check_alike(left, right, 1, 1e-8, 0.1);
}

CHECK_TEST(energy_is_balanced)
{
    static const char *const settings[] = {TIGHT, "output.work=true", "until.distance=190", NULL};
    wagon_check_balance("coach-curve", settings, 0.0);
}

// How the coach leans in a steady left-hand curve, by hand: d, lateral displacement of the secondary springs, and the
// rolls of car and bogies (positive: to the outside, which is the right).
typedef struct lean {
    double d, car, bogie;
} lean;

static lean lean_by_hand(double outward, double down)
{
    const double M = 32000.0, m = 2615.0, high = 1.8 - 0.8275, mid = 0.8275 - 0.46, low = 0.6 - 0.46;
    const double lateral = 4.0 * 160e3, roll = 4.0 * 430e3 + 2.0 * 940e3 + 4.0 * 10.5e3, primary = 8.0 * 1.22e6;
    const double shift = (M + 2.0 * m) * outward / (8.0 * 3.884e6);
    lean l             = {0.0, 0.0, 0.0};
    for (int i = 0; i < 100; i++) { // converges fast: each corrects a small share
        l.d                  = M * (outward + down * l.car) / lateral;
        const double car_out = l.d + high * l.car, plane_out = shift + mid * l.bogie;
        const double moment = M * (outward * high + down * car_out);
        const double below =
            M * (outward * mid + down * plane_out) + 2.0 * m * (outward * low + down * (shift + low * l.bogie));
        l.bogie = (moment + below) / primary;
        l.car   = l.bogie + moment / roll;
    }
    return l;
}

CHECK_TEST(the_coach_leans_in_a_curve_as_by_hand)
{
    const double v = 25.0, R = 600.0, theta = asin(0.12 / 1.5);
    const double outward = v * v / R * cos(theta) - 9.81 * sin(theta),
                 down    = 9.81 * cos(theta) + v * v / R * sin(theta);
    double q[COORDINATES], tilt = 0.0;
    CHECK_FREED(wagon) w =
        wagon_open_with("coach-curve", "start.speed=25", "until.distance=1200", "track.sections[2].curve=1400");
    assert_true(wagon_go(&w, 45.0));
    coach_coordinates(&w, q);
    for (int j = FIRST_WHEELSET; j < BODIES; j++)
        tilt += 0.25 * q[6 * j + KANE_ROLL];
    const lean hand = lean_by_hand(outward + down * tilt, down); // from the plane of the wheelsets
    check_relative(q[6 * CAR + KANE_ROLL] - tilt, hand.car, 1e-2);
    check_relative(0.5 * (q[6 * LEADING_BOGIE + KANE_ROLL] + q[6 * TRAILING_BOGIE + KANE_ROLL]) - tilt, hand.bogie,
                   2e-2);
    double d = 0.0;
    for (int e = FIRST_SPRING; e < FIRST_SPRING + 4; e++) { // along the car's y axis
        kane_wrench on_bogie;
        kane_relative r;
        kane_get_element(w.model, kane_simulation_work(w.simulation), e, &on_bogie, &r);
        d += 0.25 * r.d.y;
    }
    check_relative(d, hand.d, 1e-2);
}

CHECK_MAIN(NULL, NULL)
