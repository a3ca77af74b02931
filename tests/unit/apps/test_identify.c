// SPDX-License-Identifier: MIT
// kane identify: a slider crank by hand, its motion alone, and what is refused.

#include "unit/apps/program.h"

#define CRANK KANE_SOURCE_DIR "/data/runs/mechanism-slider-crank.json"

// Value behind a parameter's name and unit.
static double value_of(const char *row)
{
    const char *at = strstr(content("out"), row);
    if (!at)
        fail_msg("no %s in:\n%s", row, content("out"));
    return strtod(at + strlen(row), NULL);
}

// Crank r = .15 m, rod l = .3 m, masses .36, .151104, .075552 kg: of the crank J + r^2 (m_rod + m_slider), of the rod
// J + l^2 m_slider and m c + l m_slider, both about its first pin.
CHECK_TEST(a_slider_crank_has_four)
{
    const double rod = 0.151104, slider = 0.075552;
    assert_int_equal(
        CALL("identify", CRANK, "-o", "found.csv", "--from=1 ms", "--interval=2 ms", "-s", "until.time=0.1"), 0);
    assert_int_equal(CALL("identify", CRANK, "--from=1 ms", "--interval=2 ms", "-s", "until.time=0.1"), 0);
    expect("out", "4 base parameters of 30 inertial ones");
    expect("out", "24 have no effect");
    check_near(value_of("crank.J_yy  kg m^2"), 0.002727 + 0.36 * 0.075 * 0.075 + 0.0225 * (rod + slider), 1e-8);
    check_near(value_of("rod.J_yy    kg m^2"), 0.0045339259 + rod * 0.0225 + 0.09 * slider, 1e-7);
    check_near(value_of("rod.m c_x   kg m"), 0.15 * rod + 0.3 * slider, 1e-7);
    expect("found.csv", "rod.J_yy,kg m^2,0.0147");
    expect("found.csv", "0.0225 rod.m + 0.0225 slider.m");
}

// Nothing drives it: a factor of all masses moves it likewise, so that one parameter less can be found.
CHECK_TEST(a_free_motion_has_no_scale)
{
    assert_int_equal(CALL("identify", CRANK, "--as-it-moves", "--interval=2 ms", "-s", "until.time=0.1"), 0);
    expect("out", "3 base parameters of 30 inertial ones");
}

// Columns without effect are roundings, which a badly determined K2.m c_x magnifies: no factor of 1e-13 is printed.
CHECK_TEST(parameters_without_effect_are_in_no_combination)
{
    assert_int_equal(CALL("identify", KANE_SOURCE_DIR "/data/runs/mechanism-squeezer.json"), 0);
    expect("out", "10 base parameters of 70 inertial ones");
    expect("out", "54 have no effect"); // with the 10: K2.m, K3.J_yy, K4.m, K5.J_yy, K6.m, K7.J_yy
    assert_null(strstr(content("out"), "K1.m c_z"));
    assert_null(strstr(content("out"), "K3.m c_z"));
}

CHECK_TEST(what_cannot_be_is_refused)
{
    assert_int_equal(CALL("identify", CRANK, "--from=5", "-s", "until.time=0.1"), 3);
    expect("err", "--from=5: the run ends at 0.1 s");
    assert_int_equal(CALL("identify", CRANK, "-o", "x.svg"), 2);
    expect("err", "these tables make no picture");
    assert_int_equal(CALL("identify", CRANK, "--from=-1"), 2);
    expect("err", "a run begins at time 0");
    assert_int_equal(CALL("identify", CRANK, "-s", "form=multipliers"), 3);
    expect("err", "independent speeds");
}

CHECK_MAIN(enter_folder, leave_folder)
