// SPDX-License-Identifier: MIT
// kane plot: the page that nobody asked for in detail, its options, and what it says to mistakes.

#include "unit/apps/program.h"

static void expect_not(const char *file, const char *text)
{
    if (command_works("grep -qF -- '%s' %s", text, file))
        fail_msg("'%s' is in %s", text, file);
}

// Runs that all tests draw.
static int make_runs(void **state)
{
    static const char *const names[][2] = {
        {"wagon", RUN},
        {"coach", KANE_SOURCE_DIR "/data/runs/coach-curve.json"},
        {"four", KANE_SOURCE_DIR "/data/runs/mechanism-four-bar.json"},
    };
    if (enter_folder(state) != 0)
        return -1;
    for (int i = 0; i < 3; i++)
        if (CALL("run", names[i][1], "-q", "-o", names[i][0], "-c", i < 2 ? "default" : "all", "-s",
                 i < 2 ? "until.distance=120" : "until.time=1") != 0)
            return -1;
    return 0;
}

CHECK_TEST(a_vehicle_has_a_page)
{
    assert_int_equal(CALL("plot", "wagon", "-o", "page.svg"), 0);
    expect("page.svg", ">two-axle-wagon, run wagon-transition, until.distance=120<"); // vehicle and run
    expect("page.svg", ">y [mm]<");
    expect("page.svg", ">Y [kN]<");
    expect("page.svg", ">Q [kN]<");
    expect("page.svg", ">acceleration [m/s²]<");
    expect("page.svg", ">distance [m]<");
    expect("page.svg", ">trailing.right.Q<");
    expect("page.svg", ">floor rear.acceleration.z<");
    expect_not("page.svg", ">body.rate.y<");
    assert_string_equal(content("err"), "");
    assert_int_equal(CALL("plot", "coach", "wagon", "-o", "both.svg"), 0);
    expect("both.svg", ">manchester-1, run coach-curve, until.distance=120; two-axle-wagon, run wagon-transition");
    expect("both.svg", ">car.y  coach<");
}

CHECK_TEST(a_mechanism_has_a_page)
{
    assert_int_equal(CALL("plot", "four", "-o", "page.svg"), 0);
    expect("page.svg", ">four-bar, run mechanism-four-bar, until.time=1<");
    expect("page.svg", ">joint.angle [rad]<");
    expect("page.svg", ">pin.reaction.1<");
    expect("page.svg", ">energy [J]<");
    expect("page.svg", ">time [s]<");
    expect_not("page.svg", ">coupler.y<"); // never moves
}

// Rows between two places: of the curve y = place itself the range shows it.
CHECK_TEST(a_part_can_be_drawn)
{
    assert_int_equal(CALL("plot", "wagon", "-c", "distance", "-f", "40", "--to=0.1 km", "-o", "part.svg"), 0);
    expect("part.svg", ">40<");
    expect("part.svg", ">100<");
    expect_not("part.svg", ">110<");
    expect_not("part.svg", ">30<");
    assert_int_equal(CALL("plot", "wagon", "-c", "body.y", "-a", "time", "-t", "2 s", "-o", "part.svg"), 0);
    expect("part.svg", ">2.0<");
    expect_not("part.svg", ">2.2<");
    assert_int_equal(CALL("plot", "wagon", "-c", "body.y", "-f", "500", "-o", "none.svg"), 3);
    expect("err", "wagon: no row has a distance between 500 and its end");
    assert_int_equal(CALL("plot", "wagon", "-c", "body.y", "-f", "2 s", "-o", "none.svg"), 3);
    expect("err", "--from 2 s: ");
    expect("err", "expected a length");
    assert_int_equal(access("none.svg", F_OK), -1);
}

CHECK_TEST(scale_and_title_are_as_asked_for)
{
    assert_int_equal(CALL("plot", "wagon", "-c", "*.Q", "--scale=log-y", "--title=Loads & more", "-o", "log.svg"), 0);
    expect("log.svg", ">Q [N], logarithmic<");
    expect("log.svg", ">distance [m]<");
    expect("log.svg", ">Loads &amp; more<");
    expect_not("log.svg", "wagon-transition");
    assert_int_equal(CALL("plot", "wagon", "-c", "*.Q", "--scale=log", "-o", "log.svg"), 0);
    expect("log.svg", ">distance [m], logarithmic<");
    assert_int_equal(CALL("plot", "wagon", "--scale=logarithmic", "-o", "log.svg"), 2);
    expect("err", "is not known; known: linear, log-x, log-y, log");
    assert_int_equal(CALL("plot", "-o", "log.svg"), 2);
    assert_int_equal(CALL("plot", "wagon"), 2);
    expect("err", "a picture needs results and --output");
    assert_int_equal(CALL("plot", "wagon", "-c", ",", "-o", "log.svg"), 2);
}

// "20 mm" is ["20 mm"] and ["20 mm", "20 mm"]; it can be gone over, too.
CHECK_TEST(a_scalar_is_a_symmetric_pair)
{
    static const char run[]        = KANE_SOURCE_DIR "/data/runs/cooperrider-bogie.json";
    static const char *const set[] = {"vehicle.patterns.flange.clearance=2 mm",
                                      "vehicle.patterns.flange.clearance=[\"2 mm\"]",
                                      "vehicle.patterns.flange.clearance=[0.002, \"2 mm\"]",
                                      "vehicle.patterns.flange.clearance=[\"9 mm\", \"2 mm\"]"};
    static char first[1 << 16];
    for (int i = 0; i < 4; i++) {
        assert_int_equal(CALL("equilibrium", run, "-R", "400", "-v", "20", "-j", "-s", set[i]), 0);
        if (i == 0)
            (void)strcpy(first, content("out"));
        else if (i < 3)
            assert_string_equal(content("out"), first);
        else
            assert_string_not_equal(content("out"), first);
    }
    assert_int_equal(CALL("equilibrium", run, "-R", "400", "-v", "20", "-c", "bogie.y", "-O",
                          "vehicle.patterns.flange.clearance=2:4:step=1 mm"),
                     0);
    expect("out", "vehicle.patterns.flange.clearance,residual,bogie.y");
    expect("out", "mm,1,m");
    assert_int_equal(CALL("check", run, "-s", "vehicle.patterns.flange.clearance=2 kg"), 3);
    expect("err", "'2 kg' is a mass, expected a length");
    assert_int_equal(CALL("check", run, "-s", "vehicle.patterns.flange.clearance=-2 mm"), 3);
    expect("err", "must not be negative");
    assert_int_equal(CALL("check", run, "-s", "vehicle.patterns.flange.clearance={}"), 3);
    expect("err", "expected a list of numbers");
}

CHECK_MAIN(make_runs, leave_folder)
