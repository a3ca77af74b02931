// SPDX-License-Identifier: MIT
// Prescribed speeds over time and over place: what is typed is what the vehicle does, and the same speed said in
// another way moves it in the same way.

#include "property/wagon/wagon.h"

// A run of the wagon on the line of wagon-transition, with another speed.
static wagon with_speed(double speed, const kane_speed_curve *curve, const kane_speed_function *function,
                        const char *const *settings)
{
    wagon w                  = wagon_read("wagon-transition", settings);
    kane_drive_definition *d = &w.definition.drive;
    d->piece_count           = 0;
    d->speed                 = speed;
    if (curve)
        d->curve = *curve;
    if (function)
        d->function = *function;
    wagon_start(&w);
    return w;
}

static void travel_of(wagon *w, double *s, double *v, double *a)
{
    kane_get_travel(kane_simulation_work(w->simulation), s, v, a);
    *s -= w->definition.drive.start;
}

// v = sqrt(v0^2 + 2 a (s - s0))
typedef struct ramp {
    double start, speed, acceleration;
} ramp;

static void over_place(const void *data, double t, double s, double *v, double *a)
{
    const ramp *r = data;
    (void)t;
    *v = sqrt(r->speed * r->speed + 2.0 * r->acceleration * (s - r->start));
    *a = r->acceleration;
}

// A constant acceleration, said as speed over place by a user-defined function, and in pieces.
CHECK_TEST(a_speed_over_place_is_the_same_speed_over_time)
{
    static const char *const lines[] = {"track.cant_axis=centre_line", "track.cant_axis=inner_rail"};
    for (int k = 0; k < 2; k++) {
        const char *const settings[]       = {lines[k],
                                              "track.sections[1].shape=clothoid",
                                              "integrator.rtol=1e-8",
                                              "integrator.atol_position=1e-10",
                                              "integrator.atol_angle=1e-10",
                                              "integrator.atol_velocity=1e-8",
                                              NULL};
        const ramp r                       = {10.0, 15.0, 0.5};
        const kane_speed_function function = {over_place, &r};
        CHECK_FREED(wagon)
        place = with_speed(15.0, NULL, &function, settings), time = wagon_read("wagon-transition", settings);
        wagon_start(&time);
        for (double t = 0.0; t < 8.0; t += 0.1) {
            double q[18], expected[18], s[2], v[2], a[2];
            assert_true(wagon_go(&place, t) && wagon_go(&time, t));
            wagon_coordinates(&place, q);
            wagon_coordinates(&time, expected);
            travel_of(&place, &s[0], &v[0], &a[0]);
            travel_of(&time, &s[1], &v[1], &a[1]);
            for (int i = 0; i < 18; i++)
                check_near(q[i], expected[i], i % 6 == KANE_PITCH ? 1e-5 : 2e-7);
            check_near(s[0], s[1], 2e-7);
            check_near(v[0], v[1], 1e-8);
            check_near(a[0], a[1], 1e-12);
            for (int body = LEADING; body <= TRAILING; body++)
                check_near(wagon_Q(&place, body, KANE_LEFT), wagon_Q(&time, body, KANE_LEFT), 20.0);
        }
    }
}

// Through its points, without a jump of the acceleration; travelled is the integral of the speed.
CHECK_TEST(a_curve_over_time_passes_through_its_points)
{
    static const double time[] = {0.0, 2.0, 5.0, 7.0, 10.0}, speed[] = {15.0, 16.0, 12.0, 12.0, 18.0};
    static const char *const settings[] = {NULL};
    const kane_speed_curve curve        = {.over = KANE_SPEED_OVER_TIME, .point_count = 5, .at = time, .speed = speed};
    const double step                   = 0.05;
    CHECK_FREED(wagon) w                = with_speed(15.0, &curve, NULL, settings);
    double before[3] = {0.0, 15.0, 0.0}, integral = 0.0;
    int found = 0;
    for (int i = 1; i <= 220; i++) {
        double s, v, a;
        assert_true(wagon_go(&w, step * i));
        travel_of(&w, &s, &v, &a);
        integral += step * (0.5 * (before[1] + v) + step / 12.0 * (before[2] - a)); // exact for cubics
        check_near(s, integral, 1e-11);
        check_near(a, before[2], 0.2); // of an acceleration up to 2 m/s^2: it changes by its slope alone
        for (int k = 0; k < 5; k++)
            if (fabs(time[k] - step * i) < 1e-9) {
                check_near(v, speed[k], 1e-12);
                found++;
            }
        before[0] = s;
        before[1] = v;
        before[2] = a;
    }
    assert_int_equal(found, 4);
    check_near(before[1], 18.0, 1e-12);
    check_near(before[2], 0.0, 1e-12);
}

CHECK_TEST(a_curve_over_place_passes_through_its_points)
{
    static const double at[] = {10.0, 40.0, 80.0, 130.0, 200.0}, speed[] = {15.0, 17.0, 17.0, 10.0, 14.0};
    static const char *const settings[] = {"until.distance=300", NULL};
    const kane_speed_curve curve        = {.over = KANE_SPEED_OVER_PLACE, .point_count = 5, .at = at, .speed = speed};
    CHECK_FREED(wagon) w                = with_speed(15.0, &curve, NULL, settings);
    double before[3]                    = {0.0, 15.0, 0.0};
    int next                            = 1;
    for (int i = 1; i <= 1500; i++) {
        double s, v, a;
        assert_true(wagon_go(&w, 0.01 * i));
        travel_of(&w, &s, &v, &a);
        check_near(a, before[2], 0.1);
        check_near(0.5 * (v * v - before[1] * before[1]), 0.5 * (a + before[2]) * (s - before[0]), 2e-4); // a = v dv/ds
        if (next < 5 && s + 10.0 >= at[next]) {
            const double back = at[next] - 10.0 - s; // as far as the point is behind
            check_near(v + a * back / v, speed[next], 1e-3);
            next++;
        }
        before[0] = s;
        before[1] = v;
        before[2] = a;
    }
    assert_int_equal(next, 5);
    check_near(before[1], 14.0, 1e-9);
}

// A curve that comes to zero ends the run there.
CHECK_TEST(a_curve_that_comes_to_rest_ends_the_run)
{
    static const double time[] = {0.0, 3.0, 6.0}, speed[] = {15.0, 6.0, 0.0};
    static const char *const settings[] = {NULL};
    const kane_speed_curve curve        = {.over = KANE_SPEED_OVER_TIME, .point_count = 3, .at = time, .speed = speed};
    CHECK_ERRORS errors                 = {0};
    CHECK_FREED(wagon) w                = with_speed(15.0, &curve, NULL, settings);
    assert_int_equal(kane_simulation_advance(w.simulation, 20.0, &errors), KANE_OK);
    assert_int_equal(kane_simulation_stop(w.simulation), KANE_STOP_STANDSTILL);
    check_near(kane_simulation_time(w.simulation), 6.0, 1e-9);
}

// Moving frames against fixed axes, and the Jacobian, with a speed that depends on place.
CHECK_TEST(a_speed_over_place_is_a_drive_like_others)
{
    static const double at[] = {-20.0, 10.0, 60.0, 120.0, 200.0}, speed[] = {12.0, 15.0, 18.0, 13.0, 16.0};
    const kane_speed_curve curve = {.over = KANE_SPEED_OVER_PLACE, .point_count = 5, .at = at, .speed = speed};
#define CONES "vehicle.patterns.wheelset.profile=cone", "track.rail.profile=round"
    const char *const moving[] = {TIGHT, CONES, NULL};
    const char *const fixed[]  = {TIGHT, CONES, "formulation=fixed", NULL};
    CHECK_FREED(wagon) a = with_speed(15.0, &curve, NULL, moving), b = with_speed(15.0, &curve, NULL, fixed);
    for (double t = 0.0; t < 4.0; t += 0.25) {
        double q[18], expected[18];
        assert_true(wagon_go(&a, t) && wagon_go(&b, t));
        wagon_coordinates(&a, q);
        wagon_coordinates(&b, expected);
        for (int i = 0; i < 18; i++)
            check_near(q[i], expected[i], 1e-6);
        (void)run_check_jacobian(a.simulation, a.model, "moving", 5e-5);
        (void)run_check_jacobian(b.simulation, b.model, "fixed", 5e-5);
    }
}

CHECK_TEST(start_and_curve_must_agree)
{
    static const double at[] = {10.0, 60.0}, speed[] = {15.0, 18.0}, back[] = {60.0, 10.0}, zero[] = {15.0, 0.0};
    static const struct {
        const double *at, *speed;
        double start;
        const char *text;
    } rows[] = {
        {at, speed, 14.0, "the prescribed speed begins with 15 m/s, but the start says 14 m/s"},
        {back, speed, 15.0, "10 m is not after 60 m: places must grow"},
        {at, zero, 15.0,
         "a speed is 0 m/s; must be positive: over a place, a vehicle that stands there would not get on"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        CHECK_ERRORS errors      = {0};
        wagon w                  = wagon_read("wagon-transition", NULL);
        kane_drive_definition *d = &w.definition.drive;
        d->piece_count           = 0;
        d->speed                 = rows[i].start;
        d->curve                 = (kane_speed_curve){
                            .over = KANE_SPEED_OVER_PLACE, .point_count = 2, .at = rows[i].at, .speed = rows[i].speed};
        assert_null(kane_model_create(w.definition.vehicle, w.definition.track, d, &w.definition.model, &errors));
        assert_int_equal(errors.count, 1);
        assert_string_equal(kane_errors_get(&errors, 0)->text, rows[i].text);
        kane_run_free(w.run);
    }
}

CHECK_MAIN(NULL, NULL)
