// SPDX-License-Identifier: MIT
// A simulation ends where a condition says, neither before nor behind, and knows why.

#include "runs.h"
#include "property/wagon/wagon.h"

// Runs to the end; returns why it ended.
static kane_stop run_out(wagon *w)
{
    for (double t = 0.5; kane_simulation_stop(w->simulation) == KANE_STOP_NONE; t += 0.5)
        (void)wagon_go(w, t);
    return kane_simulation_stop(w->simulation);
}

static wagon start(const char *run, const char *const *settings)
{
    wagon w = wagon_read(run, settings);
    wagon_start(&w);
    return w;
}

static double travelled(wagon *w)
{
    double s, v, a;
    kane_get_travel(kane_simulation_work(w->simulation), &s, &v, &a);
    return s - 10.0; // where the runs start
}

CHECK_TEST(a_distance_ends_it)
{
    const char *const settings[]    = {"until.distance=31.4", NULL};
    static const char *const runs[] = {"wagon-transition", "wagon-driven"};
    for (int driven = 0; driven < 2; driven++) {
        CHECK_FREED(wagon) w = start(runs[driven], settings);
        assert_int_equal(run_out(&w), KANE_STOP_DISTANCE);
        check_near(travelled(&w), 31.4, driven ? 1e-7 : 1e-11);
        assert_string_equal(kane_stop_name(KANE_STOP_DISTANCE), "distance");
    }
}

// Second by second 15 to 15.5 m/s and back; 30.5 m later 9.5 m are left at 15 m/s.
CHECK_TEST(a_distance_ends_it_in_a_later_piece_of_speed)
{
    const char *const settings[] = {
        "until.distance=40",
        "speed=[{\"acceleration\":0.5,\"for\":1},{\"acceleration\":-0.5,\"for\":1},{\"acceleration\":0}]", NULL};
    CHECK_FREED(wagon) w = start("wagon-transition", settings);
    assert_int_equal(run_out(&w), KANE_STOP_DISTANCE);
    check_near(kane_simulation_time(w.simulation), 2.0 + 9.5 / 15.0, 1e-12);
    check_near(travelled(&w), 40.0, 1e-11);
}

CHECK_TEST(a_time_ends_it)
{
    const char *const settings[] = {"until.time=1.25", NULL};
    CHECK_FREED(wagon) w         = start("wagon-transition", settings);
    assert_int_equal(run_out(&w), KANE_STOP_TIME);
    check_near(kane_simulation_time(w.simulation), 1.25, 0.0);
    assert_false(wagon_go(&w, 2.0)); // and it stays there
    check_near(kane_simulation_time(w.simulation), 1.25, 0.0);
}

// The leading wheelset, 4.5 m ahead of the guide, comes to the end of the 410 m first: it, not its frame.
CHECK_TEST(the_track_ends_it)
{
    static const char *const runs[] = {"wagon-transition", "wagon-driven"};
    for (int driven = 0; driven < 2; driven++) {
        CHECK_FREED(wagon) w = wagon_open_with(runs[driven], "until={}", "start.at=380");
        assert_int_equal(run_out(&w), KANE_STOP_END_OF_TRACK);
        double q[18];
        wagon_coordinates(&w, q);
        const double ahead = q[6 * LEADING + KANE_X]; // along the line: by (z kappa_y - y kappa_z) < 1e-4 of it less
        assert_true(fabs(ahead) > 1e-5);
        check_near(travelled(&w) + 10.0 + 4.5 + ahead, 410.0, 1e-4 * fabs(ahead));
    }
}

// 5 m/s and -2 m/s^2 take 2.5 s and 6.25 m.
CHECK_TEST(a_standstill_ends_it)
{
    const char *const settings[] = {"start.speed=5", "speed=[{\"acceleration\":-2}]", NULL};
    CHECK_FREED(wagon) w         = start("wagon-transition", settings);
    assert_int_equal(run_out(&w), KANE_STOP_STANDSTILL);
    check_near(kane_simulation_time(w.simulation), 2.5, 1e-12);
    check_near(travelled(&w), 6.25, 1e-11);
}

// Down to a halt, 5 s at the station, and on: 12.5 m, then 12.5 m again in 5 s.
CHECK_TEST(a_halt_is_no_standstill_if_it_goes_on)
{
    const char *const settings[] = {
        "start.speed=5", "until.distance=25",
        "speed=[{\"acceleration\":-1,\"to\":0},{\"acceleration\":0,\"for\":5},{\"acceleration\":1}]", NULL};
    CHECK_FREED(wagon) w = start("wagon-transition", settings);
    assert_int_equal(run_out(&w), KANE_STOP_DISTANCE);
    check_near(kane_simulation_time(w.simulation), 15.0, 1e-9);
}

CHECK_TEST(a_driven_wagon_does_not_roll_back)
{
    const char *const settings[] = {"start.speed=0", "until.time=5",
                                    "drive={\"rope\":{\"kind\":\"force\",\"on\":\"body\",\"force\":[\"-20 kN\"]}}",
                                    NULL};
    CHECK_FREED(wagon) w         = start("wagon-driven", settings);
    assert_int_equal(run_out(&w), KANE_STOP_ROLL_BACK);
    double s, v, a;
    kane_get_travel(kane_simulation_work(w.simulation), &s, &v, &a);
    check_near(v, -0.01, 1e-9);
}

// What is due at the very beginning is not missed: the leading wheelset stands at the end of the track.
CHECK_TEST(what_is_due_at_the_start_happens)
{
    static const char *const runs[] = {"wagon-transition", "wagon-driven"};
    const char *const settings[]    = {"start.at=405.5", "start.speed=5", NULL};
    for (int driven = 0; driven < 2; driven++) {
        CHECK_FREED(wagon) w = start(runs[driven], settings);
        assert_int_equal(run_out(&w), KANE_STOP_END_OF_TRACK);
        assert_string_equal(kane_simulation_stop_subject(w.simulation), "leading");
        check_near(kane_simulation_time(w.simulation), 0.0, 0.0);
    }
}

// Pieces of speed and corners of torques that are closer than time can tell apart.
CHECK_TEST(events_may_coincide)
{
    const char *const pieces[] = {
        "until.time=3",
        "speed=[{\"acceleration\":0,\"for\":1},{\"acceleration\":0.5,\"for\":1e-15},{\"acceleration\":0}]", NULL};
    const char *const corners[] = {
        "until.time=1",
        "drive={\"a\":{\"kind\":\"torque\",\"on\":\"leading\",\"time\":[0,0.3],\"torque\":[0,1000]},"
        "\"b\":{\"kind\":\"torque\",\"on\":\"trailing\",\"time\":[0,0.30000000000000004],\"torque\":[0,1000]}}",
        NULL};
    wagon w = start("wagon-transition", pieces);
    assert_int_equal(run_out(&w), KANE_STOP_TIME);
    check_near(travelled(&w), 45.0, 1e-11);
    wagon_free(&w);
    w = start("wagon-driven", corners);
    assert_int_equal(run_out(&w), KANE_STOP_TIME);
    wagon_free(&w);
}

CHECK_TEST(time_does_not_go_back)
{
    const char *const none[] = {NULL};
    CHECK_ERRORS errors      = {0};
    CHECK_FREED(wagon) w     = start("wagon-transition", none);
    assert_true(wagon_go(&w, 2.0));
    assert_int_equal(kane_simulation_advance(w.simulation, 1.0, &errors), KANE_BAD_ARGUMENT);
    assert_string_equal(kane_errors_get(&errors, 0)->text, "a simulation at 2 s cannot go to 1 s");
    check_near(kane_simulation_time(w.simulation), 2.0, 0.0);
}

CHECK_TEST(too_many_steps_are_given_up)
{
    CHECK_ERRORS errors              = {0};
    CHECK_FREED(wagon) w             = wagon_read("wagon-transition", NULL);
    w.definition.settings.most_steps = 50;
    wagon_start(&w);
    assert_int_equal(kane_simulation_advance(w.simulation, 10.0, &errors), KANE_INTEGRATION_FAILED);
    assert_int_equal(kane_simulation_stop(w.simulation), KANE_STOP_FAILED);
    assert_non_null(strstr(kane_errors_get(&errors, 0)->text, "50 steps have not led to 10 s"));
}

// Brakes bring a driven wagon to a standstill: their work is its kinetic energy. The frame stays at the body.
CHECK_TEST(brakes_bring_a_driven_wagon_to_rest)
{
    const char *const settings[] = {
        "start.speed=2", "drive={\"brake\":{\"kind\":\"brake\",\"on\":\"leading\",\"torque\":[\"8 kN m\"]}}", NULL};
    CHECK_FREED(wagon) w = start("wagon-driven", settings);
    assert_int_equal(run_out(&w), KANE_STOP_STANDSTILL);
    // mass and the wheelsets' rolling inertia against the brake's force: distance = m v^2/(2 F)
    const double mass = 36500.0 + 2.0 * 100.0 / (0.46 * 0.46), force = 8000.0 / 0.46;
    double q[18];
    wagon_coordinates(&w, q);
    check_near(q[KANE_X], 0.0, 1e-3);
    check_relative(travelled(&w) + q[KANE_X], mass * 4.0 / (2.0 * force), 0.01);
}

// Too fast for the curve: the wheels of the inside rise; the message names the one that was first.
CHECK_TEST(a_derailment_ends_it)
{
    const char *const settings[] = {"start.speed=90", NULL};
    CHECK_FREED(wagon) w         = start("wagon-transition", settings);
    assert_int_equal(run_out(&w), KANE_STOP_WHEEL_LIFT);
    assert_string_equal(kane_simulation_stop_subject(w.simulation), "leading.left");
    double lift;
    (void)kane_get_contact(w.model, kane_simulation_work(w.simulation), LEADING, KANE_LEFT, &lift);
    check_near(lift, 0.015, 1e-7);
}

// Cones have no flange: in a curve with too little conicity they slide off, and a wheel falls beside its rail.
CHECK_TEST(a_wheel_that_falls_ends_it)
{
    const char *const settings[] = {"vehicle.patterns.wheelset.profile=cone", "track.rail.profile=round", NULL};
    CHECK_FREED(wagon) w         = start("wagon-transition", settings);
    assert_int_equal(run_out(&w), KANE_STOP_WHEEL_DROP);
    assert_string_equal(kane_simulation_stop_subject(w.simulation), "leading.right");
    assert_string_equal(kane_stop_name(KANE_STOP_WHEEL_DROP), "wheel drop");
}

// A wheelset drawn half a metre over its rails would pass no limit on its way down: it is told at the start.
CHECK_TEST(wheels_in_the_air_do_not_start)
{
    const char *const settings[] = {"vehicle.wheelsets.leading.start={}", "vehicle.wheelsets.leading.start.z=500 mm",
                                    NULL};
    CHECK_ERRORS errors          = {0};
    CHECK_FREED(wagon) w         = wagon_read("wagon-transition", settings);
    const kane_run_definition *d = &w.definition;
    w.model                      = run_model(d);
    assert_null(kane_simulation_create(w.model, &d->settings, &d->conditions, &errors));
    assert_int_equal(errors.count, 2);
    assert_string_equal(
        kane_errors_get(&errors, 1)->text,
        "at the start the right wheel of 'leading' is 0.499747 m over its rail; 0.015 m is a derailment");
}

CHECK_MAIN(NULL, NULL)
