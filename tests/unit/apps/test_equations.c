// SPDX-License-Identifier: MIT
// kane equations: a pendulum's by hand, a moment of a run, and what it refuses.

#include "program.h"

#define PENDULUM KANE_SOURCE_DIR "/data/runs/mechanism-pendulum.json"

// 1 kg on 1 m, level: M = 1, F = -Q of weight = -(-9.80665), nothing moves.
CHECK_TEST(a_pendulum_by_hand)
{
    assert_int_equal(CALL("equations", PENDULUM), 0);
    expect("out", "\"kane\": \"equations 1\"");
    expect("out", "\"speeds\": [\"bob.rate.angle\"]");
    expect("out", "\"independent\": [\"bob.rate.angle\"]");
    expect("out", "\"rows\": []");
    expect("out", "\"M\": [\n    [1]\n  ]");
    expect("out", "\"F\": [9.8");
    expect("out", "\"A\": [\n    [1]\n  ]");
    expect("out", "\"v\": [0]");
}

// One in a file, at a later moment: it moves.
CHECK_TEST(a_moment_of_a_run)
{
    assert_int_equal(CALL("equations", KANE_SOURCE_DIR "/data/runs/mechanism-four-bar.json", "--at", "100 ms", "-o",
                          "moment.json", "-s", "form=multipliers"),
                     0);
    expect("moment.json", "\"time\": 0.1,");
    expect("moment.json", "\"form\": \"multipliers\"");
    expect("moment.json", "\"rows\": [\"pin.1\", \"pin.2\"]");
    expect("moment.json", "\"independent\": [\"crank.rate.angle\", \"coupler.rate.angle\", \"rocker.rate.angle\"]");
}

// Rails have the last rows. Patterns of the FEVE 3000: 30 speeds and 8 rails, as in figures 8 and 9 of its publication.
CHECK_TEST(wheels_that_rails_guide)
{
    assert_int_equal(CALL("equations", KANE_SOURCE_DIR "/data/runs/feve-curve.json", "-s",
                          "integrator.method=semi_implicit", "-s", "integrator.step=1ms", "-o", "feve.json", "-o",
                          "feve.svg"),
                     0);
    expect("feve.json", "\"rows\": [\"wheelset 1.left\", \"wheelset 1.right\", \"wheelset 2.left\"");
    expect("feve.svg", ">Theta: 216 of 900 entries<");
    expect("feve.svg", ">with constraints and rails: 392 of 1444 entries, ");
    expect("feve.svg", ">with creep at the end of a step of 0.001 s: 433 of 1444 entries, ");
    assert_int_equal(CALL("equations", KANE_SOURCE_DIR "/data/runs/mechanism-four-bar.json", "-o", "four-bar.svg"), 0);
    expect("four-bar.svg", ">with constraints and rails: ");
    expect("four-bar.svg", ">1 - h J of an implicit integrator: ");
    assert_int_equal(CALL("equations", KANE_SOURCE_DIR "/data/runs/wagon-train.json", "-o", "train.svg"), 0);
    expect("train.svg", ">Theta: ");
    expect("err", "left out: 1 - h J of an implicit integrator: a map has at most 40000 cells, not 372 x 372");
}

CHECK_TEST(what_it_refuses)
{
    assert_int_equal(CALL("equations", PENDULUM, "--at", "1000"), 3);
    expect("err", "the run ends at ");
    expect("err", "before --at 1000 s");
    assert_int_equal(CALL("equations", PENDULUM, "--at", "-1"), 2);
    expect("err", "a run begins at time 0");
    assert_int_equal(CALL("equations", RUN, "-s", "vehicle.patterns.wheelset.contact.model=table"), 3);
    expect("err", "tables guide wheels of this model");
    assert_int_equal(CALL("equations", "nothing.json"), 6);
    assert_int_equal(CALL("equations", PENDULUM, "-o", "nowhere/file.json"), 6);
    expect("err", "nowhere/file.json");
}

CHECK_MAIN(enter_folder, leave_folder)
