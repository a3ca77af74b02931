// SPDX-License-Identifier: MIT
// Quantities of the standards, of signals whose values are known: constants, sines, ramps, steps.

#include "models.h"
#include "unit/evaluate/rows.h"

#include <kane/signal.h>

#include "evaluate/standard.h"

static const double pi = 3.14159265358979323846;

static const double speed = 20.0, every = 0.005; // [m/s], [s]
enum { ROWS = 6001 };                            // 30 s, 600 m
static const double half = 15.0;                 // [s]

#define FORCE(name)                                                                                                    \
    {                                                                                                                  \
        name, "N", ""                                                                                                  \
    }
#define ACCELERATION(name)                                                                                             \
    {                                                                                                                  \
        name, "m/s^2", ""                                                                                              \
    }

enum { DISTANCE, CURVATURE, LEFT_Q, LEFT_Y, LEFT_T, RIGHT_Q, RIGHT_Y, RIGHT_T, FLOOR_X, FLOOR_Y, FLOOR_Z, COLUMNS };
static const kane_column columns[COLUMNS] = {
    {"distance", "m", ""},
    {"track.curvature", "1/m", ""},
    FORCE("axle.left.Q"),
    FORCE("axle.left.Y"),
    FORCE("axle.left.T_gamma"),
    FORCE("axle.right.Q"),
    FORCE("axle.right.Y"),
    FORCE("axle.right.T_gamma"),
    ACCELERATION("floor.acceleration.x"),
    ACCELERATION("floor.acceleration.y"),
    ACCELERATION("floor.acceleration.z"),
};

static const char manifest[] =
    "{\"kane\": \"manifest 1\", \"wheelsets\": [{\"name\": \"axle\", \"static_load\": [50e3, 40e3]}], "
    "\"sensors\": [\"floor\"]}";

static kane_results *make(rows_value value)
{
    kane_results *r = rows_make(ROWS, every, 0, COLUMNS, columns, value);
    r->manifest     = manifest;
    return r;
}

static kane_evaluation *evaluate(const kane_results *results, const kane_evaluation_options *options)
{
    kane_errors errors          = {0};
    kane_evaluation *evaluation = kane_evaluate(results, options, &errors);
    check_no_errors(&errors);
    assert_non_null(evaluation);
    return evaluation;
}

static const kane_assessment *find(const kane_evaluation *evaluation, const char *of, const char *quantity)
{
    for (int i = 0; i < kane_evaluation_count(evaluation); i++) {
        const kane_assessment *a = kane_evaluation_get(evaluation, i);
        if (strcmp(a->of, of) == 0 && strcmp(a->quantity->name, quantity) == 0)
            return a;
    }
    return NULL;
}

static const kane_assessment *get(const kane_evaluation *evaluation, const char *of, const char *quantity)
{
    const kane_assessment *a = find(evaluation, of, quantity);
    if (!a)
        fail_msg("there is no %s of %s", quantity, of);
    return a;
}

static int says(const kane_evaluation *evaluation, const char *text)
{
    for (int i = 0; i < kane_evaluation_remark_count(evaluation); i++)
        if (strstr(kane_evaluation_remark(evaluation, i), text))
            return 1;
    return 0;
}

// --- constants: signs, sums, limits ---

static double constant_value(int column, double t)
{
    static const double values[COLUMNS] = {0.0, 0.0, 60e3, 12e3, 100.0, 45e3, -5e3, 200.0, 0.0, 0.0, 0.0};
    return column == DISTANCE ? speed * t : values[column];
}

static void constants_are_themselves(void **state)
{
    (void)state;
    kane_results *r    = make(constant_value);
    kane_evaluation *e = evaluate(r, NULL);
    check_relative(get(e, "axle.left", "Q_max")->value, 60e3, 1e-9);
    check_relative(get(e, "axle.left", "Q_max")->limit, 140e3, 1e-12); // 90 kN + 50 kN
    check_relative(get(e, "axle.left", "Q_max")->used, 60.0 / 140.0, 1e-9);
    check_relative(get(e, "axle.right", "Q_max")->limit, 130e3, 1e-12);
    check_relative(get(e, "axle.right", "unloading")->value, 1.0 - 45.0 / 40.0, 1e-9);
    check_relative(get(e, "axle.left", "Y_max")->value, 12e3, 1e-9);
    check_relative(get(e, "axle.right", "Y_max")->value, 5e3, 1e-9); // outward is to the right there
    check_relative(get(e, "axle.left", "Y/Q")->value, 0.2, 1e-9);
    check_relative(get(e, "axle.right", "Y/Q")->value, 5.0 / 45.0, 1e-9);
    check_relative(get(e, "axle.right", "Y/Q")->limit, 0.8, 1e-12);
    check_relative(get(e, "axle", "sum_Y")->value, 7e3, 1e-9); // to the left
    check_relative(get(e, "axle", "sum_Y")->limit, 10e3 + 90e3 / 3.0, 1e-12);
    check_near(get(e, "axle", "sum_Y_rms")->value, 0.0, 1e-6);
    check_relative(get(e, "axle", "sum_Y_rms")->limit, 0.5 * 40e3, 1e-12);
    check_relative(get(e, "axle.left", "T_gamma")->value, 100.0, 1e-9);
    check_relative(get(e, "axle.left", "T_gamma_15_175")->value, 1.0, 1e-9);
    check_relative(get(e, "axle.right", "T_gamma_max")->value, 200.0, 1e-9);
    check_near(get(e, "axle.right", "T_gamma_15_175")->value, 0.0, 1e-12);
    check_near(get(e, "axle.left", "lift_offs")->value, 0.0, 0.0);
    assert_null(find(e, "axle.left", "Q_qst")); // no curve
    assert_true(says(e, "there is none in this section"));
    const kane_evaluated_section section = kane_evaluation_section(e);
    check_near(section.to, 600.0, 1e-9);
    check_relative(section.speed, 20.0, 1e-9);
    assert_int_equal(section.rows, ROWS);
    kane_evaluation_free(e);
    kane_evaluation_options wagon = kane_evaluation_options_default();
    wagon.kind                    = KANE_CLASS_BOGIE_WAGON;
    wagon.static_load             = 80e3;
    e                             = evaluate(r, &wagon);
    check_relative(get(e, "axle", "sum_Y")->limit, 0.85 * (10e3 + 160e3 / 3.0), 1e-12);
    check_relative(get(e, "axle.left", "unloading")->value, 0.25, 1e-9);
    check_relative(get(e, "floor", "z_max")->limit, 5.0, 0.0);
    kane_evaluation_free(e);
    kane_results_free(r);
}

static void limits_depend_on_speed_and_load(void **state)
{
    (void)state;
    check_relative(kane_limit_Q(50e3, 100.0 / 3.6), 140e3, 1e-12);
    check_relative(kane_limit_Q(150e3, 160.0 / 3.6), 200e3, 1e-12);
    check_relative(kane_limit_Q(150e3, 161.0 / 3.6), 190e3, 1e-12);
    check_relative(kane_limit_Q(150e3, 201.0 / 3.6), 180e3, 1e-12);
    check_relative(kane_limit_Q(150e3, 251.0 / 3.6), 170e3, 1e-12);
    check_relative(kane_limit_Q(150e3, 301.0 / 3.6), 160e3, 1e-12);
    assert_true(isnan(kane_limit_Q((double)NAN, 10.0)));
    check_relative(kane_limit_sum_Y(KANE_CLASS_COACH, 120e3), 50e3, 1e-12);
    check_relative(kane_limit_sum_Y(KANE_CLASS_TWO_AXLE_WAGON, 120e3), 42.5e3, 1e-12);
}

// --- sines: filters, percentiles, sliding means ---

// Amplitude that two passes of the low-pass of 20 Hz, or of a band-pass, leave of a sine.
static double gain(double low, double high, double f)
{
    kane_filter filter;
    kane_errors errors = {0};
    double re, im;
    if (low > 0.0)
        (void)kane_filter_band_pass(2, low, high, every, KANE_FORTH_AND_BACK, &filter, &errors);
    else
        (void)kane_filter_low_pass(2, high, every, KANE_FORTH_AND_BACK, &filter, &errors);
    check_no_errors(&errors);
    kane_filter_response(&filter, every, f, &re, &im);
    return re * re + im * im;
}

// Sines of 1 Hz, with one of 80 Hz that the low-pass takes away; lateral ones of 4 m, half of it a window.
static double sine_value(int column, double t)
{
    const double s = speed * t, fast = 8e3 * sin(2.0 * pi * 80.0 * t);
    switch (column) {
    case DISTANCE: return s;
    case LEFT_Q: return 60e3 + 20e3 * sin(2.0 * pi * t) + fast;
    case RIGHT_Q: return 50e3;
    case LEFT_Y: return 9e3 * sin(2.0 * pi * s / 4.0);
    case RIGHT_Y: return 5e3 * sin(2.0 * pi * s / 4.0);
    case LEFT_T: return 200.0 * s / 600.0;
    case FLOOR_Y: return 0.3 * sin(2.0 * pi * 2.0 * t) + 0.2; // a mean is not in the band
    case FLOOR_Z: return 0.5 * cos(2.0 * pi * 5.0 * t);
    default: return 0.0;
    }
}

static void sines_have_their_amplitudes(void **state)
{
    const double q99  = cos(0.0015 * pi); // percentile 99.85 of a sine
    const double mean = 2.0 / pi;         // of half a period, at its best
    (void)state;
    assert_true(gain(0.0, 20.0, 80.0) < 1e-3);
    kane_results *r    = make(sine_value);
    kane_evaluation *e = evaluate(r, NULL);
    check_relative(get(e, "axle.left", "Q_max")->value, 60e3 + 20e3 * q99 * gain(0.0, 20.0, 1.0), 2e-4);
    check_relative(get(e, "axle.left", "unloading")->value, 1.0 - (60e3 - 20e3 * q99 * gain(0.0, 20.0, 1.0)) / 50e3,
                   2e-3);
    const double at = fmod(get(e, "axle.left", "Q_max")->at, 20.0);
    check_near(at, 5.0, 0.2); // a quarter of the wave of 20 m
    check_relative(get(e, "axle.left", "Y_max")->value, 9e3 * gain(0.0, 20.0, 5.0), 1e-3);
    check_relative(get(e, "axle.right", "Y/Q")->value, 0.1 * mean * gain(0.0, 20.0, 5.0), 3e-3);
    check_relative(fabs(get(e, "axle", "sum_Y")->value), 14e3 * mean * gain(0.0, 20.0, 5.0), 3e-3);
    check_relative(get(e, "axle", "sum_Y_rms")->value, 14e3 / sqrt(2.0) * gain(3.0, 7.0, 5.0), 5e-3);
    check_relative(get(e, "axle.left", "T_gamma")->value, 100.0, 1e-6);
    check_relative(get(e, "axle.left", "T_gamma_max")->value, 199.7, 1e-4);
    check_relative(get(e, "axle.left", "T_gamma_15_175")->value, 0.8, 1e-3);
    kane_evaluation_free(e);
    kane_results_free(r);
}

static void accelerations_are_weighted(void **state)
{
    const double y = 0.3 / sqrt(2.0), z = 0.5 / sqrt(2.0);
    kane_evaluation_options inside = kane_evaluation_options_default();
    inside.from                    = 100.0; // where the beginning and the end of the record are forgotten
    inside.to                      = 500.0;
    (void)state;
    kane_results *r    = make(sine_value);
    kane_evaluation *e = evaluate(r, &inside);
    check_relative(fabs(get(e, "floor", "y_max")->value), 0.3 * gain(0.4, 10.0, 2.0), 5e-3);
    check_relative(get(e, "floor", "y_rms")->value, y * gain(0.4, 10.0, 2.0), 5e-3);
    check_relative(get(e, "floor", "z_rms")->value, z * gain(0.4, 10.0, 5.0), 5e-3);
    check_relative(get(e, "floor", "z_rms")->limit, 0.75, 0.0);
    const double Wy = y * kane_weighting_gain(KANE_WEIGHTING_WD, 2.0),
                 Wz = z * kane_weighting_gain(KANE_WEIGHTING_WB, 5.0);
    check_relative(get(e, "floor", "N_MV")->value, 6.0 * sqrt(Wy * Wy + Wz * Wz), 1e-2);
    check_relative(get(e, "floor", "Wz_z")->value,
                   pow(pow(50.0, 3.0) * pow(kane_weighting_gain(KANE_WEIGHTING_SPERLING_Z, 5.0), 3.0), 0.1), 5e-3);
    assert_true(says(e, "EN 12299 asks for 60 blocks of 5 s, there are 4"));
    kane_evaluation_free(e);
    inside.kind = KANE_CLASS_TWO_AXLE_WAGON;
    e           = evaluate(r, &inside);
    check_relative(get(e, "floor", "Wz_z")->value,
                   pow(pow(50.0, 3.0) * pow(kane_weighting_gain(KANE_WEIGHTING_SPERLING_QUALITY, 5.0), 3.0), 0.1),
                   5e-3);
    kane_evaluation_free(e);
    kane_results_free(r);
}

// --- a curve: what is quasi-static ---

static double curve_value(int column, double t)
{
    const double part = t < half ? 0.0 : fmin((t - half) / 3.0, 1.0); // transition of 3 s
    const double in   = part == 1.0;
    switch (column) {
    case DISTANCE: return speed * t;
    case CURVATURE: return -part / 500.0; // to the right
    case LEFT_Q: return 60e3 + 10e3 * part + 2e3 * sin(2.0 * pi * 3.0 * t);
    case RIGHT_Q: return 50e3 - 10e3 * part;
    case LEFT_Y: return 20e3 * part;
    case RIGHT_Y: return 4e3 * part;
    case FLOOR_Y: return -0.7 * in;
    default: return 0.0;
    }
}

static void quasi_static_values_are_those_of_the_full_curve(void **state)
{
    (void)state;
    kane_results *r    = make(curve_value);
    kane_evaluation *e = evaluate(r, NULL);
    check_relative(get(e, "axle.left", "Q_qst")->value, 70e3, 2e-4);
    check_relative(get(e, "axle.right", "Q_qst")->value, 40e3, 2e-4);
    check_relative(get(e, "axle.left", "Q_qst")->limit, 145e3, 0.0);
    check_relative(get(e, "axle.left", "Y_qst")->value, 20e3, 1e-6);
    check_relative(get(e, "axle.right", "Y_qst")->value, -4e3, 1e-6); // toward the middle
    check_relative(get(e, "axle.left", "Y_qst")->limit, 60e3, 0.0);
    check_relative(get(e, "floor", "y_qst")->value, -0.7, 1e-6);
    check_relative(get(e, "floor", "y_qst")->used, 0.7 / 1.5, 1e-6);
    kane_evaluation_free(e);
    kane_evaluation_options before = kane_evaluation_options_default();
    before.to                      = speed * half;
    e                              = evaluate(r, &before);
    assert_null(find(e, "axle.left", "Q_qst"));
    check_relative(get(e, "axle.left", "Q_max")->value, 62e3, 1e-3);
    check_near(kane_evaluation_section(e).to, 300.0, 1e-9);
    kane_evaluation_free(e);
    kane_evaluation_options behind = kane_evaluation_options_default();
    behind.from                    = speed * half + 100.0;
    e                              = evaluate(r, &behind);
    check_relative(get(e, "axle.left", "Q_max")->value, 72e3, 1e-3);
    check_near(kane_evaluation_section(e).from, 400.0, 1e-9);
    kane_evaluation_free(e);
    kane_results_free(r);
}

// --- a wheel that leaves the rail ---

static double lift_value(int column, double t)
{
    const int up = (t > 3.0 && t < 3.1) || (t > 8.0 && t < 9.0) || (t > 20.0 && t < 20.02);
    if (column == LEFT_Q)
        return up ? 0.0 : 50e3;
    return column == RIGHT_Q ? 40e3 : column == DISTANCE ? speed * t : 0.0;
}

static void lifts_are_counted(void **state)
{
    (void)state;
    kane_results *r    = make(lift_value);
    kane_evaluation *e = evaluate(r, NULL);
    check_near(get(e, "axle.left", "lift_offs")->value, 3.0, 0.0);
    check_near(get(e, "axle.left", "lift_offs")->at, 60.1, 0.06);
    check_near(get(e, "axle.right", "lift_offs")->value, 0.0, 0.0);
    assert_true(get(e, "axle.left", "unloading")->used > 1.0);
    assert_string_equal(kane_evaluation_get(e, kane_evaluation_worst(e))->quantity->name, "unloading");
    assert_null(find(e, "axle.left", "Y/Q"));
    assert_true(says(e, "Y/Q of axle.left: the wheel carries nothing at"));
    assert_non_null(find(e, "axle.right", "Y/Q"));
    kane_evaluation_free(e);
    kane_results_free(r);
}

// --- what cannot be evaluated ---

static void what_is_missing_is_told_and_the_rest_evaluated(void **state)
{
    (void)state;
    // Y of one wheel, T_gamma of both, z of the accelerometer, the line
    static const kane_column few[] = {{"distance", "m", ""},
                                      FORCE("axle.left.Q"),
                                      FORCE("axle.left.Y"),
                                      FORCE("axle.right.Q"),
                                      ACCELERATION("floor.acceleration.y")};
    kane_results *r                = rows_make(ROWS, every, 0, 5, few, constant_value);
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
    kane_results_free(r);
}

static void rows_must_be_dense_and_the_way_long(void **state)
{
    (void)state;
    kane_results *r    = rows_make(600, 0.05, 0, COLUMNS, columns, constant_value);
    r->manifest        = manifest;
    kane_evaluation *e = evaluate(r, NULL);
    assert_true(says(e, "a filter of 20 Hz needs a row every 10 ms, there is one every 50 ms; set \"output.every\""));
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

static double broken_value(int column, double t)
{
    return column == LEFT_Q && t > 7.0 ? (double)NAN : constant_value(column, t);
}

static double back_value(int column, double t)
{
    return column == DISTANCE ? 100.0 - t : constant_value(column, t);
}

// Reason why nothing is evaluated.
static void refuse(kane_results *r, const kane_evaluation_options *options, const char *why)
{
    kane_errors errors = {0};
    assert_null(kane_evaluate(r, options, &errors));
    if (errors.count != 1)
        fail_msg("%d errors, expected one with '%s'", errors.count, why);
    if (!strstr(errors.kept[0].text, why))
        fail_msg("'%s' does not say '%s'", errors.kept[0].text, why);
    kane_results_free(r);
}

static void bad_results_are_refused(void **state)
{
    static const char *const wrong[] = {"flor", NULL};
    kane_evaluation_options options  = kane_evaluation_options_default();
    (void)state;
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
    kane_results *r    = make(broken_value);
    kane_evaluation *e = evaluate(r, NULL);
    assert_true(says(e, "channel 'axle.left.Q' is not finite at 140.1 m"));
    assert_non_null(find(e, "axle.right", "Q_max"));
    kane_evaluation_free(e);
    kane_results_free(r);
}

static void quantities_have_names(void **state)
{
    int count = 0;
    (void)state;
    for (; kane_quantity_get(count); count++) {
        const kane_quantity *q = kane_quantity_get(count);
        assert_true(q->name && q->unit && q->about && strlen(q->about) > 5);
        for (int i = 0; i < count; i++)
            assert_string_not_equal(q->name, kane_quantity_get(i)->name);
    }
    assert_int_equal(count, KANE_QUANTITIES);
    assert_null(kane_vehicle_class_name(KANE_VEHICLE_CLASSES));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constants_are_themselves),
        cmocka_unit_test(limits_depend_on_speed_and_load),
        cmocka_unit_test(sines_have_their_amplitudes),
        cmocka_unit_test(accelerations_are_weighted),
        cmocka_unit_test(quasi_static_values_are_those_of_the_full_curve),
        cmocka_unit_test(lifts_are_counted),
        cmocka_unit_test(what_is_missing_is_told_and_the_rest_evaluated),
        cmocka_unit_test(rows_must_be_dense_and_the_way_long),
        cmocka_unit_test(bad_results_are_refused),
        cmocka_unit_test(quantities_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
