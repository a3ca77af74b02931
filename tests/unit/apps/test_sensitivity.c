// SPDX-License-Identifier: MIT
// kane sensitivity: wheel loads of a wagon by its mass, and what is refused.

#include "unit/apps/program.h"

#define WAGON KANE_SOURCE_DIR "/data/runs/soft-wagon-transition.json"

// On the straight each of four wheels carries g/4 of every kilogram of the body, 9.81/4 = 2.4525 N/kg, but for what
// rounding of its coordinates leaves: 1e-4.
CHECK_TEST(wheels_carry_their_part_of_a_kilogram)
{
    assert_int_equal(CALL("sensitivity", WAGON, "-p", "vehicle.bodies.body.mass", "-c", "leading.left.Q", "-s",
                          "until.time=0.01", "-s", "output.interval=0.01"),
                     0);
    expect("out", "time,d(leading.left.Q)/d(vehicle.bodies.body.mass)\ns,N\n0,");
    const char *row = strstr(content("out"), "\n0.01,");
    assert_non_null(row);
    check_near(strtod(row + strlen("\n0.01,"), NULL), 9.81 / 4.0, 1e-4);
}

// Its wheels lose their rails .35 s behind this place.
CHECK_TEST(a_run_that_fails_keeps_its_rows)
{
    assert_int_equal(CALL("sensitivity", KANE_SOURCE_DIR "/data/runs/feve-curve.json", "-s", "variant=as-published",
                          "-s", "start.at=62", "-a", "0.5", "-p", "start.speed", "-c", "car.y", "-s",
                          "output.interval=0.1", "-o", "kept.csv"),
                     4);
    expect("err", "no normal forces keep its wheels on the rails");
    expect("kept.csv", "\n0.2,");
}

CHECK_TEST(what_cannot_be_is_refused)
{
    assert_int_equal(CALL("sensitivity", WAGON), 2);
    expect("err", "by which number");
    assert_int_equal(CALL("sensitivity", WAGON, "-p", "vehicle.bodies.body.weight"), 3);
    expect("err", "bodies.body.weight");
    assert_int_equal(CALL("sensitivity", WAGON, "-p", "track.rail.friction"), 3);
    expect("err", "is of the line");
}

CHECK_MAIN(enter_folder, leave_folder)
