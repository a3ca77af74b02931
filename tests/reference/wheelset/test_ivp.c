// SPDX-License-Identifier: MIT
// The wheelset of the IVP test set, as apps/examples builds it: published values, an independent solution, and curves.

#include "check.h"

int ivp_wheelset(int argc, char **argv);
#define main ivp_wheelset
#include "apps/examples/ivp_wheelset.c"
#undef main

static void run(double curvature, double cant, kane_formulation formulation, double t, double out[17])
{
    CHECK_ERRORS errors = {0};
    kane_statistics statistics;
    const int good = simulate(curvature, cant, formulation, t, out, &statistics, &errors);
    if (errors.count > 0)
        print_error("%s\n", kane_errors_get(&errors, 0)->text);
    assert_true(good);
}

static void check_all(const char *which, const double *value, const double *expected, double tolerance)
{
    for (int i = 0; i < 17; i++) {
        const double difference = fabs(value[i] / expected[i] - 1.0);
        check_figure(difference, "%s: %s", which, i < 15 ? "motion" : "normal forces");
        if (!(difference <= check_tolerance(tolerance)))
            fail_msg("%s: %.14g, expected %.14g, relative difference %.2g, tolerance %.2g", names[i], value[i],
                     expected[i], difference, tolerance);
    }
}

CHECK_TEST(it_ends_where_the_test_set_says)
{
    double out[17];
    run(0.0, 0.0, KANE_MOVING, 10.0, out);
    check_all("published", out, published, 1e-5);
}

// Of independent code: x, z, theta, phi, x', theta', beta at t = 1.
CHECK_TEST(it_passes_where_independent_code_passes)
{
    static const int at[]          = {0, 2, 3, 4, 5, 8, 10};
    static const double expected[] = {1.41466554e-3, 9.3752881e-5, -1.45574971e-2, 2.50523528e-4,
                                      -.315486010,   .328876083,   -.311756982};
    double out[17];
    run(0.0, 0.0, KANE_MOVING, 1.0, out);
    for (int i = 0; i < 7; i++)
        check_near(out[at[i]] / expected[i], 1.0, 2e-7);
}

// Every imaginary term is at work in a canted curve.
CHECK_TEST(curves_are_the_same_in_moving_and_fixed_frames)
{
    static const double curves[][2] = {{1.0 / 500.0, 0.0}, {1.0 / 500.0, 0.1}, {1.0 / 250.0, 0.1}};
    double moving[17], fixed[17];
    for (int i = 0; i < 3; i++) {
        run(curves[i][0], curves[i][1], KANE_MOVING, 5.0, moving);
        run(curves[i][0], curves[i][1], KANE_FIXED, 5.0, fixed);
        check_all(i == 0 ? "level" : i == 1 ? "cant" : "narrow", moving, fixed, 1e-5);
    }
}

// In a curve to the right the left wheel carries more; in a canted one both together carry what presses on the track.
CHECK_TEST(a_curve_presses_outwards_and_down)
{
    const double cant = 0.15, pressed = 16.08 * (9.81 * cos(cant) + 30.0 * 30.0 / 500.0 * sin(cant));
    double level[17], canted[17];
    run(1.0 / 500.0, 0.0, KANE_MOVING, 0.5, level);
    run(1.0 / 500.0, cant, KANE_MOVING, 0.5, canted);
    assert_true(-level[15] > -level[16]);
    check_near(-1e4 * (level[15] + level[16]), 16.08 * 9.81, 0.02 * 16.08 * 9.81);
    check_near(-1e4 * (canted[15] + canted[16]), pressed, 0.02 * pressed);
}

// The problem's frame, a point of the track's frame at the height of the axle, has the speed and the curvature of the
// problem.
CHECK_TEST(the_frame_of_the_problem_is_as_high_as_the_axle)
{
    const double S = 1.0 / 250.0, cant = 0.1, h = r0 - r_s * (1.0 - cos(cone)), wider = 1.0 + S * h * sin(cant);
    const double level[2]          = {0.0, 0.0};
    const kane_profile profile     = kane_profile_cone(tan(cone));
    kane_wheels_definition w       = wheels(&profile);
    CHECK_ERRORS errors            = {0};
    CHECK_OWNED(kane_track) *track = lay_track(&w, S / wider, cant, level, &errors);
    assert_int_equal(errors.count, 0);
    kane_track_frame frame;
    kane_transport t;
    kane_track_eval(track, 0, 50.0, &frame);
    kane_track_transport(&frame, V * wider, 0.0, &t);
    const kane_vec3 v = kv3_add(t.v_o, kv3_cross(t.omega, kv3(0.0, 0.0, h)));
    check_relative(v.x, V, 1e-14);
    check_near(hypot(v.y, v.z), 0.0, 1e-12);
    check_relative(kv3_norm(t.omega), V * S, 1e-14);
    check_relative(-t.omega.z, V * S * cos(cant), 1e-14);
}

CHECK_TEST(the_program_runs)
{
    char name[] = "ivp_wheelset", *arguments[] = {name, NULL};
    assert_int_equal(ivp_wheelset(1, arguments), 0);
}

CHECK_MAIN(NULL, NULL)
