// SPDX-License-Identifier: MIT
// Measures: filters, weightings and windows before the reduction, from vibrations that are known.

#include "rows.h"

#include <kane/signal.h>

static const double pi = 3.14159265358979323846;

// 20 m/s: a sum of sines of 1 Hz (0.7, a wave of 20 m) and 30 Hz (0.2) on 2; accelerations of 8 Hz (z) and 1 Hz (y);
// rows every 4 ms for 40 s, and one more in between, where a run has ended.
static double vibration(int column, double t)
{
    const double values[] = {20.0 * t,
                             2.0 + 0.7 * sin(2.0 * pi * t) + 0.2 * sin(60.0 * pi * t),
                             0.0,
                             0.2 * sin(2.0 * pi * t),
                             0.2 * sin(16.0 * pi * t),
                             0.1 * sin(16.0 * pi * t)};
    return values[column];
}

static kane_results *make_vibration(void)
{
    static const kane_column columns[] = {{"distance", "m", ""},
                                          {"w.Y", "N", ""},
                                          {"car.acceleration.x", "m/s^2", ""},
                                          {"car.acceleration.y", "m/s^2", ""},
                                          {"car.acceleration.z", "m/s^2", ""},
                                          {"car.rear.z", "m/s^2", ""}};
    return rows_make(10001, 0.004, 1, 6, columns, vibration);
}

static void check_vibration(const char *text, double expected, double tolerance, const char *expected_unit)
{
    static kane_errors errors;
    CHECK_OWNED(kane_results) *results = make_vibration();
    const char *unit                   = "none";
    kane_errors_clear(&errors);
    CHECK_OWNED(kane_measure) *m = kane_measure_parse(text, &errors);
    const double x               = m ? kane_measure_eval(m, results, &unit, &errors) : (double)NAN;
    if (errors.count)
        print_error("%s\n", kane_errors_get(&errors, 0)->text);
    check_near_at(x, expected, tolerance, text, __FILE__, __LINE__);
    assert_string_equal(unit, expected_unit);
}

CHECK_TEST(filters_come_before_the_reduction)
{
    check_vibration("max(w.Y)", 2.9, 2e-2, "N");               // the crests do not quite meet
    check_vibration("max(w.Y, 10 Hz, 5 s..)", 2.7, 5e-3, "N"); // 30 Hz: 38 dB down
    check_vibration("max(w.Y, < 10 Hz zero phase, 5 s..35 s)", 2.7, 1e-3, "N");
    check_vibration("max(w.Y, >0.3 Hz, 20 s..)", 0.9, 2e-2, "N");
    check_vibration("peak(w.Y, 20-40 Hz, 5 s..)", 0.2, 3e-2, "N");
    check_vibration("rms(w.Y, > 10 Hz, 5 s..25 s)", 0.2 / sqrt(2.0), 1e-4, "N");
    check_vibration("mean(w.Y, 10 Hz, 100 m..500 m)", 2.0, 1e-6, "N");
    // -3 dB at the corner, with and without phase
    check_vibration("rms(w.Y, 30 Hz, >10 Hz, 5 s..25 s)", 0.1, 2e-4, "N");
    check_vibration("rms(w.Y, 30 Hz zero phase, >10 Hz, 5 s..25 s)", 0.1, 2e-4, "N");
    check_vibration("range(w.Y, 0.03 kHz zero phase, 10 Hz, 5 s..25 s)", 1.4, 3e-3, "N");
    // percentiles: of a sine 95 % of the values lie below sin(0.9 pi/2)
    check_vibration("p95(w.Y, 10 Hz, 10 s..39.999 s)", 2.0 + 0.7 * sin(0.45 * pi), 2e-3, "N");
    check_vibration("p95(w.Y, >0.1 Hz, 10 Hz, abs, 20 s..39.999 s)", 0.7 * sin(0.95 * pi / 2.0), 2e-3, "N");
}

// A window of half a wave, 10 m, has the mean 2/pi; one of a wave none.
CHECK_TEST(values_slide_over_distance_and_time)
{
    check_vibration("max(w.Y, mean 10 m)", 2.0 + 0.7 * 2.0 / pi, 2e-3, "N");
    check_vibration("range(w.Y, mean 20 m by 1 m)", 0.0, 1e-6, "N");
    check_vibration("max(w.Y, mean 500 ms)", 2.0 + 0.7 * 2.0 / pi, 2e-3, "N");
    check_vibration("min(w.Y, > 0.1 Hz, rms 200 m, 300 m..)", sqrt(0.5 * (0.49 + 0.04)), 1e-3, "N");
    check_vibration("at_max(w.Y, mean 10 m by 1 m, 40 m..55 m)", 45.0, 1e-6, "m"); // crest of 20 m waves
    check_vibration("at_max(w.Y, mean 0.5 s by 0.01 s, 2 s..2.9 s)", 45.0, 0.2, "m");
    // places of the window count alike: 2 m in steps of 0.5 m are 1597 values
    check_vibration("p50(w.Y, mean 2 m)", 2.0, 2e-2, "N");
}

// Central differences of sin(omega t) over 2 h have the factor sin(omega h)/(omega h), those at the ends are exact on
// parabolas. Rows of 4 ms.
CHECK_TEST(rates_are_derivatives_and_integrals_undo_them)
{
    const double h = 0.004, slow = sin(2.0 * pi * h) / h, fast = sin(60.0 * pi * h) / h;
    check_vibration("max(distance, rate)", 20.0, 1e-9, "m/s");
    check_vibration("peak(car.acceleration.y, rate, 5 s..25 s)", 0.2 * slow, 1e-9, "m/s^3");
    check_vibration("peak(car.acceleration.y, rate, rate, 5 s..25 s)", 0.2 * slow * slow, 1e-3, "m/s^4");
    check_vibration("rms(w.Y, rate, 5 s..25 s)", sqrt(0.5 * (0.49 * slow * slow + 0.04 * fast * fast)), 2e-3, "N/s");
    check_vibration("integral(w.Y, 5 s..25 s)", 40.0, 1e-9, "N s");
    check_vibration("integral(car.acceleration.y, rate, 5 s..5.2 s)", 0.2 * sin(0.4 * pi), 1e-4, "m/s^2");
    check_vibration("integral(car.acceleration.y, 5 s..5.5 s)", 0.2 / pi, 1e-5, "m/s");
}

static double give_parabola(int column, double t)
{
    return column < 2 ? 3.0 * t * t - t : 0.0;
}

static void check_of_parabola(const char *text, double expected)
{
    static const kane_column columns[] = {{"x", "m", ""}, {"y", "furlong", ""}};
    static kane_errors errors;
    CHECK_OWNED(kane_results) *results = rows_make(101, 0.01, 0, 2, columns, give_parabola);
    CHECK_OWNED(kane_measure) *m       = kane_measure_parse(text, &errors);
    const double value                 = kane_measure_eval(m, results, NULL, &errors);
    if (!isnan(expected)) {
        check_near(value, expected, 1e-11); // rounding over the distance of rows
        return;
    }
    assert_true(isnan(value));
    assert_string_equal(kane_errors_get(&errors, 0)->text,
                        "max(y, rate): no unit is known for this rate or integral of [furlong]");
    kane_errors_clear(&errors);
}

CHECK_TEST(rates_at_both_ends_are_those_of_parabolas)
{
    check_of_parabola("min(x, rate)", -1.0);
    check_of_parabola("max(x, rate)", 5.0);
    check_of_parabola("end(x, rate, rate)", 6.0);
    check_of_parabola("max(y, rate)", (double)NAN);
}

// At 1 Hz a Butterworth filter of fourth order and 10 Hz is 2.61/(2 pi 10) s late, 0.83 m.
CHECK_TEST(zero_phase_leaves_places_where_they_are)
{
    check_vibration("at_max(w.Y, 10 Hz zero phase, 100 m..110 m)", 105.0, 0.1, "m");
    check_vibration("at_max(w.Y, 10 Hz, 100 m..110 m)", 105.83, 0.25, "m"); // 30 Hz moves it a little
}

static double accelerated(int column, double t)
{
    return column < 2 ? t * t : 0.0;
}

// Starting from rest, half of the time is over at a quarter of the distance; half of the places are not.
CHECK_TEST(places_count_alike_behind_a_sliding_window)
{
    static const kane_column columns[] = {{"distance", "m", ""}, {"y", "m", ""}};
    CHECK_OWNED(kane_results) *results = rows_make(1001, 0.01, 0, 2, columns, accelerated);
    CHECK_OWNED(kane_measure) *times   = kane_measure_parse("p50(y)", NULL),
                              *places  = kane_measure_parse("p50(y, mean 2 m)", NULL);
    check_near(kane_measure_eval(times, results, NULL, NULL), 25.0, 1e-9);
    check_near(kane_measure_eval(places, results, NULL, NULL), 50.0, 1e-3);
}

// W(8 Hz) = 1.0251 upwards, 1.0110 sideways at 1 Hz; effective values are 0.2 W/sqrt 2.
CHECK_TEST(comfort_is_a_measure)
{
    const double y = 0.2 * 1.0110 / sqrt(2.0), z = 0.2 * 1.0251 / sqrt(2.0);
    check_vibration("rms(car.acceleration.z, Wb, 5 s..35 s)", z, 2e-4, "m/s^2");
    check_vibration("comfort_z(car.acceleration.z)", z, 3e-4, "m/s^2");
    check_vibration("comfort_z(car*.z)", z, 3e-4, "m/s^2"); // the worse of two
    check_vibration("comfort_y(car.acceleration.y, 5 s..)", y, 3e-4, "m/s^2");
    check_vibration("comfort_x(car.acceleration.x)", 0.0, 1e-12, "m/s^2");
    check_vibration("nmv(car.acceleration.*, 5 s..)", 6.0 * sqrt(y * y + z * z), 3e-3, "1");
    check_vibration("sperling_z(car.acceleration.z)",
                    pow(20.0 * kane_weighting_gain(KANE_WEIGHTING_SPERLING_Z, 8.0), 0.3), 5e-3, "1");
    check_vibration("sperling_y(car.acceleration.y)",
                    pow(20.0 * kane_weighting_gain(KANE_WEIGHTING_SPERLING_Y, 1.0), 0.3), 5e-3, "1");
    check_vibration("sperling_quality(car.acceleration.y)",
                    pow(20.0 * kane_weighting_gain(KANE_WEIGHTING_SPERLING_QUALITY, 1.0), 0.3), 5e-3, "1");
}

// --- mistakes ---

static void check_not_measured(const char *text, const char *reason)
{
    static kane_errors errors;
    CHECK_OWNED(kane_results) *results = make_vibration();
    kane_errors_clear(&errors);
    CHECK_OWNED(kane_measure) *m = kane_measure_parse(text, &errors);
    if (m)
        assert_true(isnan(kane_measure_eval(m, results, NULL, &errors)));
    assert_true(errors.count == 1);
    if (!strstr(kane_errors_get(&errors, 0)->text, reason)) {
        print_error("%s: %s\n   lacks: %s\n", text, kane_errors_get(&errors, 0)->text, reason);
        fail();
    }
}

CHECK_TEST(what_cannot_be_measured_is_told)
{
    check_not_measured("max(w.Y, 20)", "'20' needs a unit, Hz");
    check_not_measured("max(w.Y, 20 m)", "'20 m' is a length, expected a frequency");
    check_not_measured("max(w.Y, 10-5 Hz)", "the band ends where it begins");
    check_not_measured("max(w.Y, -5 Hz)", "a frequency that is not positive");
    check_not_measured("max(w.Y, zero phase)", "zero phase of what?");
    check_not_measured("max(w.Y, 20 Hz zero phase please)", "nothing can follow");
    check_not_measured("max(w.Y, mean 2)", "\"mean\" slides over a distance or a time");
    check_not_measured("max(w.Y, mean 0 m)", "not positive");
    check_not_measured("max(w.Y, mean 2 m by 1 s)", "'1 s' is a time");
    check_not_measured("max(w.Y, mean 2 km)", "w.Y': rows over 800.04 m are too few for a sliding value over 2000 m");
    check_not_measured("max(w.Y, abs, abs, abs, abs, abs, abs, abs, abs, abs)", "more than 8 steps");
    check_not_measured("max(w.Y, 200 Hz)", "max(w.Y, 200 Hz): 'w.Y': a corner of 200 Hz is not below half the rate");
    check_not_measured("max(w.Y, > 10 mHz)", "too few for a corner of 0.01 Hz");
    check_not_measured("comfort_z(w.Y)", "'w.Y' [N] is no acceleration");
    check_not_measured("comfort_z(car.acceleration.z, 1 s..2 s)", "too few for comfort");
    check_not_measured("nmv(car.rear.*)", "there is no channel of direction x");
    check_not_measured("nmv(w.*)", "there are no three channels .x, .y and .z of 'w.*'; did you mean 'w.Y'?");
}

CHECK_MAIN(NULL, NULL)
