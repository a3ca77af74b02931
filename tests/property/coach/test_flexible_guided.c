// SPDX-License-Identifier: MIT
// A car body that bends, in one loop with a wheelset that rails guide as a constraint: a traction rod holds the body to
// its bogie, links hold the axle to that. Both forms of constraints and both frames move alike.

#include "property/wagon/wagon.h"

#define ROD                                                                                                            \
    "\"rod\": {\"type\": \"distance\", \"between\": [\"car\", \"leading bogie\"], \"at\": [8.9, 0, 0.6], \"to\": [9.6, 0, 0.6]}"
#define LINK(name, y)                                                                                                  \
    "\"" name "\": {\"type\": \"distance\", \"between\": [\"leading bogie\", \"wheelset 1\"], \"at\": [9.7, " y        \
    ", 0.46], \"to\": [10.78, " y ", 0.46]}"
#define CURVE                                                                                                          \
    "track=../tracks/short-transition.json", "start.at=20", "start.speed=30", "integrator.rtol=1e-8",                  \
        "vehicle.patterns.wheelset.contact.model=constraint",                                                          \
        "vehicle.constraints={" ROD ", " LINK("left", "0.9") ", " LINK("right", "-0.9") "}"

enum { BODIES = 7 };

// Lateral places and yaw of all bodies, and loads of the wheels of wheelset 1.
static void run_to(const char *const *settings, double y[BODIES], double yaw[BODIES], double N[2])
{
    double q[6], rates[6];
    CHECK_FREED(wagon) w = wagon_open("coach-flexible", settings);
    assert_true(wagon_go(&w, 2.5));
    const kane_work *work = kane_simulation_work(w.simulation);
    for (int j = 0; j < BODIES; j++) {
        kane_get_relative(w.model, work, j, q, rates);
        y[j]   = q[KANE_Y];
        yaw[j] = q[KANE_YAW];
    }
    for (int side = 0; side < 2; side++)
        N[side] = work->wheels[0].guidance.N[side];
}

CHECK_TEST(a_car_that_bends_shares_a_loop_with_a_guided_wheelset)
{
    const char *const rows[][12] = {{CURVE, "run.form=coefficients"},
                                    {CURVE, "run.form=multipliers"},
                                    {CURVE, "run.form=coefficients", "formulation=fixed"}};
    double y[3][BODIES], yaw[3][BODIES], N[3][2];
    for (int i = 0; i < 3; i++)
        run_to(rows[i], y[i], yaw[i], N[i]);
    assert_true(fabs(y[0][0]) > 1e-3);
    for (int i = 1; i < 3; i++) {
        for (int j = 0; j < BODIES; j++) {
            check_near(y[i][j], y[0][j], 1e-7);
            check_near(yaw[i][j], yaw[0][j], 1e-7);
        }
        for (int side = 0; side < 2; side++)
            check_near(N[i][side], N[0][side], 10.0);
    }
}

CHECK_MAIN(NULL, NULL)
