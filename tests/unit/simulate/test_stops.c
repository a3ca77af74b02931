// SPDX-License-Identifier: MIT
// A simulation ends where a condition says, neither before nor behind, and knows why.

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

static void a_distance_ends_it(void **state)
{
    const char *const settings[]    = {"until.distance=31.4", NULL};
    static const char *const runs[] = {"wagon-transition", "wagon-driven"};
    (void)state;
    for (int driven = 0; driven < 2; driven++) {
        wagon w = start(runs[driven], settings);
        assert_int_equal(run_out(&w), KANE_STOP_DISTANCE);
        check_near(travelled(&w), 31.4, driven ? 1e-7 : 1e-11);
        assert_string_equal(kane_stop_name(KANE_STOP_DISTANCE), "distance");
        wagon_free(&w);
    }
}

// Second by second 15 to 15.5 m/s and back; 30.5 m later 9.5 m are left at 15 m/s.
static void a_distance_ends_it_in_a_later_piece_of_speed(void **state)
{
    const char *const settings[] = {
        "until.distance=40",
        "speed=[{\"acceleration\":0.5,\"for\":1},{\"acceleration\":-0.5,\"for\":1},{\"acceleration\":0}]", NULL};
    (void)state;
    wagon w = start("wagon-transition", settings);
    assert_int_equal(run_out(&w), KANE_STOP_DISTANCE);
    check_near(kane_simulation_time(w.simulation), 2.0 + 9.5 / 15.0, 1e-12);
    check_near(travelled(&w), 40.0, 1e-11);
    wagon_free(&w);
}

static void a_time_ends_it(void **state)
{
    const char *const settings[] = {"until.time=1.25", NULL};
    (void)state;
    wagon w = start("wagon-transition", settings);
    assert_int_equal(run_out(&w), KANE_STOP_TIME);
    check_near(kane_simulation_time(w.simulation), 1.25, 0.0);
    assert_false(wagon_go(&w, 2.0)); // and it stays there
    check_near(kane_simulation_time(w.simulation), 1.25, 0.0);
    wagon_free(&w);
}

// The leading wheelset, 4.5 m ahead of the guide, comes to the end of the 410 m first.
static void the_track_ends_it(void **state)
{
    const char *const settings[]    = {"until={}", "start.at=380", NULL};
    static const char *const runs[] = {"wagon-transition", "wagon-driven"};
    (void)state;
    for (int driven = 0; driven < 2; driven++) {
        wagon w = wagon_read(runs[driven], settings);
        wagon_start(&w);
        assert_int_equal(run_out(&w), KANE_STOP_END_OF_TRACK);
        check_near(travelled(&w) + 10.0, 405.5, driven ? 1e-7 : 1e-11);
        wagon_free(&w);
    }
}

// 5 m/s and -2 m/s^2 take 2.5 s and 6.25 m.
static void a_standstill_ends_it(void **state)
{
    const char *const settings[] = {"start.speed=5", "speed=[{\"acceleration\":-2}]", NULL};
    (void)state;
    wagon w = start("wagon-transition", settings);
    assert_int_equal(run_out(&w), KANE_STOP_STANDSTILL);
    check_near(kane_simulation_time(w.simulation), 2.5, 1e-12);
    check_near(travelled(&w), 6.25, 1e-11);
    wagon_free(&w);
}

// Brakes bring a driven wagon to a standstill: their work is its kinetic energy. The frame, which follows the body, is
// ahead of it by a/(4 1/s^2).
static void brakes_bring_a_driven_wagon_to_rest(void **state)
{
    const char *const settings[] = {
        "start.speed=2", "drive={\"brake\":{\"kind\":\"brake\",\"on\":\"leading\",\"torque\":[\"8 kN m\"]}}", NULL};
    (void)state;
    wagon w = start("wagon-driven", settings);
    assert_int_equal(run_out(&w), KANE_STOP_STANDSTILL);
    // mass and the wheelsets' rolling inertia against the brake's force: distance = m v^2/(2 F)
    const double mass = 36500.0 + 2.0 * 100.0 / (0.46 * 0.46), force = 8000.0 / 0.46;
    double q[18];
    wagon_coordinates(&w, q);
    check_relative(-q[KANE_X], force / mass / 4.0, 0.1);
    check_relative(travelled(&w) + q[KANE_X], mass * 4.0 / (2.0 * force), 0.01);
    wagon_free(&w);
}

// Too fast for the curve: the wheels of the inside rise; the message names the one that was first.
static void a_derailment_ends_it(void **state)
{
    const char *const settings[] = {"start.speed=90", NULL};
    (void)state;
    wagon w = start("wagon-transition", settings);
    assert_int_equal(run_out(&w), KANE_STOP_WHEEL_LIFT);
    assert_string_equal(kane_simulation_stop_subject(w.simulation), "leading.left");
    double lift;
    (void)kane_get_contact(w.model, kane_simulation_work(w.simulation), LEADING, KANE_LEFT, &lift);
    check_near(lift, 0.015, 1e-7);
    wagon_free(&w);
}

// Cones have no flange: in a curve with too little conicity they slide off, and a wheel falls beside its rail.
static void a_wheel_that_falls_ends_it(void **state)
{
    const char *const settings[] = {"vehicle.patterns.wheelset.profile=cone", "track.rail.profile=round", NULL};
    (void)state;
    wagon w = start("wagon-transition", settings);
    assert_int_equal(run_out(&w), KANE_STOP_WHEEL_DROP);
    assert_string_equal(kane_simulation_stop_subject(w.simulation), "leading.right");
    assert_string_equal(kane_stop_name(KANE_STOP_WHEEL_DROP), "wheel drop");
    wagon_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_distance_ends_it),
        cmocka_unit_test(a_distance_ends_it_in_a_later_piece_of_speed),
        cmocka_unit_test(a_time_ends_it),
        cmocka_unit_test(the_track_ends_it),
        cmocka_unit_test(a_standstill_ends_it),
        cmocka_unit_test(a_derailment_ends_it),
        cmocka_unit_test(a_wheel_that_falls_ends_it),
        cmocka_unit_test(brakes_bring_a_driven_wagon_to_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
