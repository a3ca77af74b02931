// SPDX-License-Identifier: MIT
// The wagon runs the same in moving and in fixed frames.

#include "property/wagon/record.h"

// A column of the table of docs/validation.md.
static void keep_figures(const char *column, const contrast *c)
{
    static const struct {
        const char *name;
        int at;
    } rows[] = {{"body y", KANE_Y},
                {"body roll", KANE_ROLL},
                {"body yaw", KANE_YAW},
                {"wheelset y", 6 + KANE_Y},
                {"wheelset y", 12 + KANE_Y},
                {"wheelset yaw", 6 + KANE_YAW},
                {"wheelset yaw", 12 + KANE_YAW}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        check_figure(c->q[rows[i].at], "%s, %s", rows[i].name, column);
        check_figure(c->most_q[rows[i].at], "%s, %s, size", rows[i].name, column);
    }
    check_figure(c->Q, "Q, %s", column);
    check_figure(c->most_Q, "Q, %s, size", column);
}

// settings has room for two more.
static void same_in_both(const char *column, const char *run, int count, const char **settings)
{
    const contrast c = contrast_of_formulations(run, count, settings);
    keep_figures(column, &c);
    for (int k = 0; k < 18; k++)
        check_near(c.q[k], 0.0, 1e-6);
    check_near(c.Q, 0.0, 1.0);
}

CHECK_TEST(an_accelerating_wagon_runs_the_same_in_moving_and_fixed_frames)
{
    const char *settings[7] = {TIGHT};
    same_in_both("prescribed", "wagon-transition", 5, settings);
}

// Wheelsets whose inertia turns with their spin, as data sheets have them.
CHECK_TEST(uneven_wheelsets_run_the_same_in_moving_and_fixed_frames)
{
    const char *settings[9] = {TIGHT, "until.distance=110", "vehicle.patterns.wheelset.inertia=[690, 150, 710]"};
    const contrast c        = contrast_of_formulations("wagon-transition", 7, settings);
    check_near(contrast_largest(&c), 0.0, 1e-6);
    check_near(c.Q, 0.0, 1.0);
}

CHECK_TEST(a_driven_wagon_runs_the_same_in_moving_and_fixed_frames)
{
    const char *settings[7] = {TIGHT};
    same_in_both("driven", "wagon-driven", 5, settings);
}

CHECK_TEST(flexible_track_gives_way_the_same_in_moving_and_fixed_frames)
{
    // spin angles, which have no error weight, come to differ by 1e-6 over longer ways
    const char *bent[9]  = {TIGHT, "until.distance=150", "track.flexibility={}"};
    const char *rough[9] = {"integrator.method=bdf", // whose errors at these tolerances the bounds are
                            "integrator.rtol=1e-8",
                            "integrator.atol_position=1e-10 m",
                            "integrator.atol_angle=1e-10 rad",
                            "integrator.atol_velocity=1e-8 m/s",
                            "integrator.atol_angular_velocity=1e-8 rad/s",
                            "until.distance=110"};
    same_in_both("flexible", "wagon-transition", 7, bent);
    same_in_both("sines", "wagon-flexible", 7, rough);
}

// The difference falls with the tolerance: it is the integrator's alone.
CHECK_TEST(the_difference_of_the_formulations_falls_with_the_tolerance)
{
    const char *usual[3] = {"until.distance=150"}, *tight[8] = {TIGHT, "until.distance=150"};
    const contrast loose = contrast_of_formulations("wagon-transition", 1, usual);
    const contrast close = contrast_of_formulations("wagon-transition", 6, tight);
    keep_figures("usual", &loose);
    assert_true(contrast_largest(&close) < 0.02 * contrast_largest(&loose));
}

CHECK_MAIN(NULL, NULL)
