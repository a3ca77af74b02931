// SPDX-License-Identifier: MIT
// Measures: one number of a run, from rows that are known.

#include "rows.h"

#include <kane/measure.h>
#include <kane/signal.h>

static const double pi = 3.14159265358979323846;

// 20 m/s; a sine of 2 Hz about -1; a line; another one, steeper; and what has another unit.
static double value(int column, double t)
{
    const double values[] = {20.0 * t, 3.0 * sin(4.0 * pi * t) - 1.0, t - 4.0, 2.0 * t - 15.0, 7.0};
    return values[column];
}

static kane_results *make(void)
{
    static const kane_column columns[] = {{"distance", "m", ""},
                                          {"body.y", "m", ""},
                                          {"car 1.wheel 2.Q", "N", ""},
                                          {"car 1.wheel 3.Q", "N", ""},
                                          {"other.Q.x", "1", ""}};
    return rows_make(1001, 0.01, 0, 5, columns, value);
}

static double measure(const char *text, const char **unit)
{
    static kane_errors errors;
    kane_results *results = make();
    errors.count          = 0;
    kane_measure *m       = kane_measure_parse(text, &errors);
    if (!m)
        print_error("%s\n", errors.kept[0].text);
    assert_non_null(m);
    const double x = kane_measure_eval(m, results, unit, &errors);
    if (errors.count)
        print_error("%s\n", errors.kept[0].text);
    assert_int_equal(errors.count, 0);
    kane_measure_free(m);
    kane_results_free(results);
    return x;
}

static void check_measure(const char *text, double expected, const char *expected_unit)
{
    const char *unit = NULL;
    static char kept[16];
    static kane_errors errors;
    kane_results *results = make();
    errors.count          = 0;
    kane_measure *m       = kane_measure_parse(text, &errors);
    assert_non_null(m);
    const double x = kane_measure_eval(m, results, &unit, &errors);
    (void)snprintf(kept, sizeof kept, "%s", unit ? unit : "none");
    kane_measure_free(m);
    kane_results_free(results);
    if (errors.count)
        print_error("%s\n", errors.kept[0].text);
    check_near_at(x, expected, 1e-9, text, __FILE__, __LINE__);
    assert_string_equal(kept, expected_unit);
}

static void rows_become_one_number(void **state)
{
    (void)state;
    check_measure("max(body.y)", 3.0 * sin(4.0 * pi * 0.12) - 1.0, "m"); // the crest lies between rows
    check_measure("min(body.y)", 3.0 * sin(4.0 * pi * 0.37) - 1.0, "m");
    check_measure("peak(body.y)", 1.0 - 3.0 * sin(4.0 * pi * 0.37), "m");
    check_measure("range(body.y)", 3.0 * (sin(4.0 * pi * 0.12) - sin(4.0 * pi * 0.37)), "m");
    check_measure("mean(body.y)", -1.0, "m");
    check_measure("rms(body.y)", sqrt(4.5 + 1.0), "m");
    check_measure("end(car 1.wheel 2.Q)", 6.0, "N");
    check_measure(" max ( body.y ) ", 3.0 * sin(4.0 * pi * 0.12) - 1.0, "m");
    check_measure("rms(body.y, abs)", sqrt(4.5 + 1.0), "m");
    check_measure("min(car 1.wheel 2.Q, abs)", 0.0, "N");
}

static void places_are_distances(void **state)
{
    (void)state;
    check_measure("at_max(car 1.wheel 2.Q)", 200.0, "m");
    check_measure("at_min(car 1.wheel 2.Q)", 0.0, "m");
    check_measure("at_peak(car 1.wheel 2.Q)", 200.0, "m");
    check_measure("at_peak(car 1.wheel 3.Q)", 0.0, "m");
}

static void percentiles_lie_between_ranks(void **state)
{
    (void)state;
    check_measure("p0(car 1.wheel 2.Q)", -4.0, "N");
    check_measure("p50(car 1.wheel 2.Q)", 1.0, "N");
    check_measure("p99.85(car 1.wheel 2.Q)", 5.985, "N");
    check_measure("p0.15(car 1.wheel 2.Q)", -3.985, "N");
    check_measure("p100(car 1.wheel 2.Q)", 6.0, "N");
}

static void windows_choose_rows(void **state)
{
    (void)state;
    check_measure("max(car 1.wheel 2.Q, 50 m..150 m)", 3.5, "N");
    check_measure("min(car 1.wheel 2.Q, 50..150 m)", -1.5, "N");
    check_measure("min(car 1.wheel 2.Q, 0.05 km..)", -1.5, "N");
    check_measure("max(car 1.wheel 2.Q, ..2.5 s)", -1.5, "N");
    check_measure("mean(car 1.wheel 2.Q, 2 s..4 s)", -1.0, "N");
    check_measure("range(car 1.wheel 2.Q, 2000..4000 ms)", 2.0, "N");
}

// Wheel 2 goes from -4 to 6, wheel 3 from -15 to 5.
static void of_several_channels_the_extreme_one_counts(void **state)
{
    (void)state;
    check_measure("max(*.Q)", 6.0, "N");
    check_measure("min(*.Q)", -15.0, "N");
    check_measure("peak(*.Q)", 15.0, "N");
    check_measure("range(*.Q)", 20.0, "N");
    check_measure("p99(*.Q)", 5.9, "N");
    check_measure("p1(*.Q)", -14.8, "N");
    check_measure("at_max(*.Q)", 200.0, "m");
    check_measure("at_min(*.Q)", 0.0, "m");
    check_measure("at_peak(*.Q)", 0.0, "m");
}

static void a_measure_tells_what_it_needs(void **state)
{
    kane_measure *m = kane_measure_parse("p99.85( car 1.*.Q , abs, 1 m..)", NULL);
    (void)state;
    assert_non_null(m);
    assert_string_equal(kane_measure_channels(m), "car 1.*.Q");
    assert_string_equal(kane_measure_text(m), "p99.85( car 1.*.Q , abs, 1 m..)");
    kane_measure_free(m);
    kane_measure_free(NULL);
    check_near(measure("end(body.y)", NULL), -1.0, 1e-9);
}

// --- filters, weightings, sliding values ---

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
    kane_results *results = make_vibration();
    const char *unit      = "none";
    errors.count          = 0;
    kane_measure *m       = kane_measure_parse(text, &errors);
    const double x        = m ? kane_measure_eval(m, results, &unit, &errors) : (double)NAN;
    if (errors.count)
        print_error("%s\n", errors.kept[0].text);
    check_near_at(x, expected, tolerance, text, __FILE__, __LINE__);
    assert_string_equal(unit, expected_unit);
    kane_measure_free(m);
    kane_results_free(results);
}

static void filters_come_before_the_reduction(void **state)
{
    (void)state;
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
static void values_slide_over_distance_and_time(void **state)
{
    (void)state;
    check_vibration("max(w.Y, mean 10 m)", 2.0 + 0.7 * 2.0 / pi, 2e-3, "N");
    check_vibration("range(w.Y, mean 20 m by 1 m)", 0.0, 1e-6, "N");
    check_vibration("max(w.Y, mean 500 ms)", 2.0 + 0.7 * 2.0 / pi, 2e-3, "N");
    check_vibration("min(w.Y, > 0.1 Hz, rms 200 m, 300 m..)", sqrt(0.5 * (0.49 + 0.04)), 1e-3, "N");
    check_vibration("at_max(w.Y, mean 10 m by 1 m, 40 m..55 m)", 45.0, 1e-6, "m"); // crest of 20 m waves
    check_vibration("at_max(w.Y, mean 0.5 s by 0.01 s, 2 s..2.9 s)", 45.0, 0.2, "m");
    // places of the window count alike: 2 m in steps of 0.5 m are 1597 values
    check_vibration("p50(w.Y, mean 2 m)", 2.0, 2e-2, "N");
}

// At 1 Hz a Butterworth filter of fourth order and 10 Hz is 2.61/(2 pi 10) s late, 0.83 m.
static void zero_phase_leaves_places_where_they_are(void **state)
{
    (void)state;
    check_vibration("at_max(w.Y, 10 Hz zero phase, 100 m..110 m)", 105.0, 0.1, "m");
    check_vibration("at_max(w.Y, 10 Hz, 100 m..110 m)", 105.83, 0.25, "m"); // 30 Hz moves it a little
}

// A line over 200 m: the last window of 3 m in steps of 0.75 m begins at 196.5 m, that of 30 m in steps of 3 m at 168
// m.
static void windows_move_by_a_part_of_their_length(void **state)
{
    (void)state;
    check_measure("at_max(car 1.wheel 2.Q, mean 3 m)", 198.0, "m");
    check_measure("at_max(car 1.wheel 2.Q, rms 30 m)", 183.0, "m");
}

static double accelerated(int column, double t)
{
    return column < 2 ? t * t : 0.0;
}

// Starting from rest, half of the time is over at a quarter of the distance; half of the places are not.
static void places_count_alike_behind_a_sliding_window(void **state)
{
    static const kane_column columns[] = {{"distance", "m", ""}, {"y", "m", ""}};
    kane_results *results              = rows_make(1001, 0.01, 0, 2, columns, accelerated);
    kane_measure *times = kane_measure_parse("p50(y)", NULL), *places = kane_measure_parse("p50(y, mean 2 m)", NULL);
    (void)state;
    check_near(kane_measure_eval(times, results, NULL, NULL), 25.0, 1e-9);
    check_near(kane_measure_eval(places, results, NULL, NULL), 50.0, 1e-3);
    kane_measure_free(times);
    kane_measure_free(places);
    kane_results_free(results);
}

// W(8 Hz) = 1.0251 upwards, 1.0110 sideways at 1 Hz; effective values are 0.2 W/sqrt 2.
static void comfort_is_a_measure(void **state)
{
    const double y = 0.2 * 1.0110 / sqrt(2.0), z = 0.2 * 1.0251 / sqrt(2.0);
    (void)state;
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

// --- docs/measures.md ---

// Lines that are set in by four blanks and begin as a measure does are one, up to two blanks.
static int parse_line(const char *line)
{
    char text[256];
    const char *end = strstr(line + 4, "  ");
    (void)snprintf(text, sizeof text, "%.*s", (int)(end ? end - line - 4 : (long)strcspn(line + 4, "\n")), line + 4);
    if (strspn(text, "abcdefghijklmnopqrstuvwxyz_0123456789.") != strcspn(text, "(") || text[0] == '(' ||
        !strchr(text, '('))
        return 0;
    static kane_errors errors;
    errors.count    = 0;
    kane_measure *m = kane_measure_parse(text, &errors);
    if (!m)
        print_error("docs/measures.md: %s\n", errors.kept[0].text);
    assert_non_null(m);
    kane_measure_free(m);
    return 1;
}

static void measures_of_the_page_are_read(void **state)
{
    FILE *page = fopen(KANE_SOURCE_DIR "/docs/measures.md", "r");
    char line[512];
    int count = 0;
    (void)state;
    assert_non_null(page);
    while (fgets(line, sizeof line, page))
        if (strncmp(line, "    ", 4) == 0 && line[4] != ' ')
            count += parse_line(line);
    (void)fclose(page);
    assert_int_equal(count, 15);
}

// --- mistakes ---

static void check_refused(const char *text, const char *reason)
{
    static kane_errors errors;
    kane_results *results = make();
    errors.count          = 0;
    kane_measure *m       = kane_measure_parse(text, &errors);
    if (m)
        assert_true(isnan(kane_measure_eval(m, results, NULL, &errors)));
    assert_true(errors.count > 0);
    if (!strstr(errors.kept[0].text, reason)) {
        print_error("%s: %s\n   lacks: %s\n", text, errors.kept[0].text, reason);
        fail();
    }
    kane_measure_free(m);
    kane_results_free(results);
}

static void mistakes_are_told_with_their_place(void **state)
{
    (void)state;
    check_refused("", "character 1: '(' is missing");
    check_refused("max", "character 4: '(' is missing");
    check_refused("max(body.y", "character 11: ')' is missing");
    check_refused("(body.y)", "character 1: it begins with");
    check_refused("maxi(body.y)", "character 1: 'maxi' is none of max, min");
    check_refused("p101(body.y)", "'p101' is none of");
    check_refused("max()", "character 5: a channel is missing");
    check_refused("max(body.y,)", "character 12: nothing stands here");
    check_refused("max(body.y, quick)", "character 13: 'quick' is no");
    check_refused("max(body.y, 50..150)", "a window needs a unit");
    check_refused("max(body.y, ..)", "a window needs a unit");
    check_refused("max(body.y, 5 kg..7 kg)", "between two distances or two times");
    check_refused("max(body.y, 5 m..7 s)", "character 13: '5 m' is a length");
    check_refused("max(body.y, 7 m..5 m)", "ends where it begins or before");
    check_refused("max(body.y, 1 m..5 m, 1 s..2 s)", "a second window");
    check_refused("max(body.z)", "no channel is called 'body.z'; did you mean 'body.y'?");
    check_refused("max(body.y, 300 m..)", "rows from 0 to 200 m");
    check_refused("max(*Q*)", "several units, N and 1");
}

static void check_not_measured(const char *text, const char *reason)
{
    static kane_errors errors;
    kane_results *results = make_vibration();
    errors.count          = 0;
    kane_measure *m       = kane_measure_parse(text, &errors);
    if (m)
        assert_true(isnan(kane_measure_eval(m, results, NULL, &errors)));
    assert_true(errors.count == 1);
    if (!strstr(errors.kept[0].text, reason)) {
        print_error("%s: %s\n   lacks: %s\n", text, errors.kept[0].text, reason);
        fail();
    }
    kane_measure_free(m);
    kane_results_free(results);
}

static void what_cannot_be_measured_is_told(void **state)
{
    (void)state;
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
    check_not_measured("nmv(w.*)", "no channels that end in .x, .y and .z");
}

// Without a track there is neither distance nor place.
static void results_of_mechanisms_have_time_only(void **state)
{
    static const kane_column columns[] = {{"crank.yaw", "rad", ""}, {"nan", "1", ""}};
    static kane_errors errors;
    kane_results *results = rows_make(101, 0.01, 0, 2, columns, value);
    kane_measure *at      = kane_measure_parse("at_max(crank.yaw, ..0.5 s)", NULL);
    kane_measure *where   = kane_measure_parse("max(crank.yaw, 1 m..2 m)", NULL);
    kane_measure *slide   = kane_measure_parse("max(crank.yaw, mean 1 m)", NULL);
    const char *unit;
    (void)state;
    check_near(kane_measure_eval(at, results, &unit, NULL), 0.5, 1e-12);
    assert_string_equal(unit, "s");
    assert_true(isnan(kane_measure_eval(where, results, &unit, &errors)));
    assert_true(isnan(kane_measure_eval(slide, results, &unit, &errors)));
    assert_int_equal(errors.count, 2);
    assert_non_null(strstr(errors.kept[0].text, "there is no column 'distance'"));
    assert_non_null(strstr(errors.kept[1].text, "there is no column 'distance'"));
    kane_measure_free(at);
    kane_measure_free(where);
    kane_measure_free(slide);
    kane_results_free(results);
}

static double broken(int column, double t)
{
    return column == 0 && t > 0.495 ? (double)INFINITY : t;
}

static void values_that_are_not_finite_are_told(void **state)
{
    static const kane_column columns[] = {{"body.y", "m", ""}};
    static kane_errors errors;
    kane_results *results = rows_make(101, 0.01, 0, 1, columns, broken);
    kane_measure *m       = kane_measure_parse("max(body.y)", NULL);
    (void)state;
    assert_true(isnan(kane_measure_eval(m, results, NULL, &errors)));
    assert_non_null(strstr(errors.kept[0].text, "'body.y' is not finite in row 51 (0.5 s)"));
    kane_measure_free(m);
    kane_results_free(results);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_become_one_number),
        cmocka_unit_test(places_are_distances),
        cmocka_unit_test(percentiles_lie_between_ranks),
        cmocka_unit_test(windows_choose_rows),
        cmocka_unit_test(of_several_channels_the_extreme_one_counts),
        cmocka_unit_test(a_measure_tells_what_it_needs),
        cmocka_unit_test(filters_come_before_the_reduction),
        cmocka_unit_test(values_slide_over_distance_and_time),
        cmocka_unit_test(zero_phase_leaves_places_where_they_are),
        cmocka_unit_test(windows_move_by_a_part_of_their_length),
        cmocka_unit_test(places_count_alike_behind_a_sliding_window),
        cmocka_unit_test(comfort_is_a_measure),
        cmocka_unit_test(measures_of_the_page_are_read),
        cmocka_unit_test(mistakes_are_told_with_their_place),
        cmocka_unit_test(what_cannot_be_measured_is_told),
        cmocka_unit_test(results_of_mechanisms_have_time_only),
        cmocka_unit_test(values_that_are_not_finite_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
