// SPDX-License-Identifier: MIT
// Results that cannot be evaluated, or not all of them: what is said, and that the rest is evaluated.

#include "unit/evaluate/standing.h"

CHECK_TEST(what_is_missing_is_told_and_the_rest_evaluated)
{
    // Y of one wheel, T_gamma of both, z of the accelerometer, the line
    static const kane_column few[] = {{"distance", "m", ""},
                                      FORCE("axle.left.Q"),
                                      FORCE("axle.left.Y"),
                                      FORCE("axle.right.Q"),
                                      ACCELERATION("floor.acceleration.y")};
    CHECK_OWNED(kane_results) *r   = rows_make(ROWS, every, 0, 5, few, constant_value);
    r->manifest                    = manifest;
    kane_evaluation *e             = evaluate(r, NULL);
    assert_non_null(find(e, "axle.right", "Q_max"));
    assert_non_null(find(e, "floor", "y_rms"));
    assert_null(find(e, "axle", "sum_Y"));
    assert_true(says(e, "1 of 2 wheels have no channel Y; record \"*.Y\""));
    assert_true(says(e, "2 of 2 wheels have no channel T_gamma"));
    assert_true(says(e, "record \"floor.acceleration.*\""));
    assert_true(says(e, "quasi-static values need the channel 'track.curvature'"));
    kane_evaluation_free(e);
    r->manifest = NULL; // wheels are found by their channels
    e           = evaluate(r, NULL);
    assert_non_null(find(e, "axle.left", "Q_max"));
    assert_true(isnan(find(e, "axle.left", "Q_max")->limit));
    assert_null(find(e, "axle.left", "unloading"));
    assert_null(find(e, "floor", "y_rms"));
    assert_true(says(e, "there is no manifest that says which bodies' channels are those of accelerometers"));
    assert_true(says(e, "static loads of 2 wheels are not known"));
    kane_evaluation_free(e);
    kane_evaluation_options named      = kane_evaluation_options_default();
    static const char *const sensors[] = {"floor", NULL};
    named.sensors                      = sensors;
    e                                  = evaluate(r, &named);
    assert_non_null(find(e, "floor", "y_rms"));
    kane_evaluation_free(e);
}

CHECK_TEST(rows_must_be_dense_and_the_way_long)
{
    kane_results *r    = rows_make(600, 0.05, 0, COLUMNS, columns, constant_value);
    r->manifest        = manifest;
    kane_evaluation *e = evaluate(r, NULL);
    assert_true(
        says(e, "a filter of 20 Hz needs a row every 10 ms, there is one every 50 ms; set \"output.interval\""));
    assert_null(find(e, "axle.left", "Q_max"));
    assert_non_null(find(e, "axle.left", "T_gamma"));
    kane_evaluation_free(e);
    kane_results_free(r);
    r           = rows_make(15, every, 0, COLUMNS, columns, constant_value); // 1.4 m
    r->manifest = manifest;
    e           = evaluate(r, NULL);
    assert_true(says(e, "means over 2 m: the section is shorter"));
    assert_true(says(e, "instability: the section is shorter than 100 m"));
    assert_non_null(find(e, "axle.left", "Y_max"));
    kane_evaluation_free(e);
    kane_results_free(r);
}

// Accelerometers of the manifest, or a body that is named, which are not on a car body.
CHECK_TEST(limits_are_those_of_car_bodies)
{
    static const char *const named[] = {"floor", NULL};
    kane_evaluation_options options  = kane_evaluation_options_default();
    CHECK_OWNED(kane_results) *r     = make(constant_value);
    r->manifest        = "{\"sensors\": [{\"name\": \"floor\", \"on\": \"car\"}], \"car_bodies\": [\"cab\", \"car\"]}";
    kane_evaluation *e = evaluate(r, NULL);
    assert_non_null(find(e, "floor", "y_rms"));
    assert_false(says(e, "is not judged"));
    kane_evaluation_free(e);
    r->manifest = "{\"sensors\": [{\"name\": \"floor\", \"on\": \"car.middle\"}], \"car_bodies\": [\"car\"]}";
    e           = evaluate(r, NULL);
    assert_false(says(e, "is not judged"));
    kane_evaluation_free(e);
    r->manifest = "{\"sensors\": [{\"name\": \"floor\", \"on\": \"carrier\"}], \"car_bodies\": [\"car\"]}";
    e           = evaluate(r, NULL);
    assert_true(says(e, "it is on 'carrier', which is no car body"));
    assert_true(isnan(get(e, "floor", "frame_y_max")->limit));
    kane_evaluation_free(e);
    r->manifest = "{\"sensors\": [{\"name\": \"floor\", \"on\": \"bogie\"}], \"car_bodies\": [\"car\"]}";
    e           = evaluate(r, NULL);
    assert_null(find(e, "floor", "y_rms"));
    assert_true(says(e, "accelerometer 'floor' is not judged: it is on 'bogie', which is no car body; limits of bogie "
                        "frames follow from --bogie-mass"));
    kane_evaluation_free(e);
    r->manifest     = "{\"sensors\": [], \"car_bodies\": [\"floor\"]}";
    options.sensors = named;
    e               = evaluate(r, &options);
    assert_false(says(e, "is not judged"));
    kane_evaluation_free(e);
    r->manifest = "{\"sensors\": [], \"car_bodies\": []}";
    e           = evaluate(r, &options);
    assert_true(says(e, "it is on 'floor', which is no car body"));
    kane_evaluation_free(e);
    // by the names of wheelsets and axle boxes, also at a point of one that is flexible
    static const char *const on_boxes[] = {
        "{\"wheelsets\": [{\"name\": \"axle\", \"static_load\": [1, 1]}], \"sensors\": [{\"name\": \"floor\", \"on\": "
        "\"axle\"}], \"car_bodies\": [\"car\"]}",
        "{\"wheelsets\": [{\"name\": \"axle\", \"static_load\": [1, 1]}], \"sensors\": [{\"name\": \"floor\", \"on\": "
        "\"axle.journal\"}], \"car_bodies\": [\"car\"]}",
        "{\"wheelsets\": [], \"sensors\": [{\"name\": \"floor\", \"on\": \"box\"}], \"car_bodies\": [\"car\"], "
        "\"axle_boxes\": [\"box\"]}"};
    for (int i = 0; i < 3; i++) {
        kane_evaluation_options how = kane_evaluation_options_default();
        how.bogie_mass              = 10e3; // there are bogies, but this is no frame
        r->manifest                 = on_boxes[i];
        e                           = evaluate(r, &how);
        assert_true(isnan(get(e, "floor", "box_y_max")->used));
        assert_true(says(e, "a wheelset or an axle box, whose limit --axle-box-limit gives"));
        kane_evaluation_free(e);
    }
    // an older manifest has names alone
    r->manifest = "{\"sensors\": [\"floor\"], \"car_bodies\": [\"car\"]}";
    e           = evaluate(r, NULL);
    assert_true(says(e, "it is not known on which body accelerometer 'floor' is: its limits are those of car bodies"));
    assert_true(isfinite(get(e, "floor", "y_rms")->limit));
    kane_evaluation_free(e);
}

static double broken_value(int column, double t)
{
    return column == LEFT_Q && t > 7.0 ? (double)NAN : constant_value(column, t);
}

static double back_value(int column, double t)
{
    return column == DISTANCE ? 100.0 - t : constant_value(column, t);
}

CHECK_TEST(bad_results_are_refused)
{
    static const char *const wrong[] = {"flor", NULL};
    kane_evaluation_options options  = kane_evaluation_options_default();
    refuse(rows_make(100, every, 0, 1, &columns[LEFT_Q], constant_value), NULL, "there is no column 'distance'");
    refuse(rows_make(0, every, 0, COLUMNS, columns, constant_value), NULL, "rows");
    refuse(rows_make(1, every, 0, COLUMNS, columns, constant_value), NULL, "row");
    refuse(rows_make(100, every, 0, 1, columns, constant_value), NULL, "there is nothing to evaluate");
    refuse(make(back_value), NULL, "'distance' goes back");
    options.sensors = wrong;
    refuse(make(constant_value), &options, "did you mean 'floor'");
    options      = kane_evaluation_options_default();
    options.from = 700.0;
    options.to   = 900.0;
    refuse(make(constant_value), &options, "no rows lie between 700 m and 900 m; there are rows from 0 m to 600 m");
    CHECK_OWNED(kane_results) *r    = make(broken_value);
    CHECK_OWNED(kane_evaluation) *e = evaluate(r, NULL);
    assert_true(says(e, "channel 'axle.left.Q' is not finite at 140.1 m"));
    assert_non_null(find(e, "axle.right", "Q_max"));
}

CHECK_MAIN(NULL, NULL)
