// SPDX-License-Identifier: MIT
// Measures: one number of a run, from rows that are known.

#include "rows.h"

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
    CHECK_OWNED(kane_results) *results = make();
    kane_errors_clear(&errors);
    CHECK_OWNED(kane_measure) *m = kane_measure_parse(text, &errors);
    if (!m)
        print_error("%s\n", kane_errors_get(&errors, 0)->text);
    assert_non_null(m);
    const double x = kane_measure_eval(m, results, unit, &errors);
    if (errors.count)
        print_error("%s\n", kane_errors_get(&errors, 0)->text);
    assert_int_equal(errors.count, 0);
    return x;
}

static void check_measure(const char *text, double expected, const char *expected_unit)
{
    const char *unit = NULL;
    static char kept[16];
    static kane_errors errors;
    kane_results *results = make();
    kane_errors_clear(&errors);
    kane_measure *m = kane_measure_parse(text, &errors);
    assert_non_null(m);
    const double x = kane_measure_eval(m, results, &unit, &errors);
    (void)snprintf(kept, sizeof kept, "%s", unit ? unit : "none");
    kane_measure_free(m);
    kane_results_free(results);
    if (errors.count)
        print_error("%s\n", kane_errors_get(&errors, 0)->text);
    check_near_at(x, expected, 1e-9, text, __FILE__, __LINE__);
    assert_string_equal(kept, expected_unit);
}

CHECK_TEST(rows_become_one_number)
{
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

CHECK_TEST(places_are_distances)
{
    check_measure("at_max(car 1.wheel 2.Q)", 200.0, "m");
    check_measure("at_min(car 1.wheel 2.Q)", 0.0, "m");
    check_measure("at_peak(car 1.wheel 2.Q)", 200.0, "m");
    check_measure("at_peak(car 1.wheel 3.Q)", 0.0, "m");
}

CHECK_TEST(percentiles_lie_between_ranks)
{
    check_measure("p0(car 1.wheel 2.Q)", -4.0, "N");
    check_measure("p50(car 1.wheel 2.Q)", 1.0, "N");
    check_measure("p99.85(car 1.wheel 2.Q)", 5.985, "N");
    check_measure("p0.15(car 1.wheel 2.Q)", -3.985, "N");
    check_measure("p100(car 1.wheel 2.Q)", 6.0, "N");
}

CHECK_TEST(windows_choose_rows)
{
    check_measure("max(car 1.wheel 2.Q, 50 m..150 m)", 3.5, "N");
    check_measure("min(car 1.wheel 2.Q, 50..150 m)", -1.5, "N");
    check_measure("min(car 1.wheel 2.Q, 0.05 km..)", -1.5, "N");
    check_measure("max(car 1.wheel 2.Q, ..2.5 s)", -1.5, "N");
    check_measure("mean(car 1.wheel 2.Q, 2 s..4 s)", -1.0, "N");
    check_measure("range(car 1.wheel 2.Q, 2000..4000 ms)", 2.0, "N");
}

// Wheel 2 goes from -4 to 6, wheel 3 from -15 to 5.
CHECK_TEST(of_several_channels_the_extreme_one_counts)
{
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

CHECK_TEST(a_measure_tells_what_it_needs)
{
    kane_measure *m = kane_measure_parse("p99.85( car 1.*.Q , abs, 1 m..)", NULL);
    assert_non_null(m);
    assert_string_equal(kane_measure_channels(m), "car 1.*.Q");
    assert_string_equal(kane_measure_text(m), "p99.85( car 1.*.Q , abs, 1 m..)");
    kane_measure_free(m);
    kane_measure_free(NULL);
    check_near(measure("end(body.y)", NULL), -1.0, 1e-9);
}

// --- sliding windows ---

// A line over 200 m: the last window of 3 m in steps of 0.75 m begins at 196.5 m, that of 30 m in steps of 3 m at 168
// m.
CHECK_TEST(windows_move_by_a_part_of_their_length)
{
    check_measure("at_max(car 1.wheel 2.Q, mean 3 m)", 198.0, "m");
    check_measure("at_max(car 1.wheel 2.Q, rms 30 m)", 183.0, "m");
}

// --- mistakes ---

static void check_refused(const char *text, const char *reason)
{
    static kane_errors errors;
    CHECK_OWNED(kane_results) *results = make();
    kane_errors_clear(&errors);
    CHECK_OWNED(kane_measure) *m = kane_measure_parse(text, &errors);
    if (m)
        assert_true(isnan(kane_measure_eval(m, results, NULL, &errors)));
    assert_true(errors.count > 0);
    if (!strstr(kane_errors_get(&errors, 0)->text, reason)) {
        print_error("%s: %s\n   lacks: %s\n", text, kane_errors_get(&errors, 0)->text, reason);
        fail();
    }
}

CHECK_TEST(mistakes_are_told_with_their_place)
{
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

// Without a track there is neither distance nor place.
CHECK_TEST(results_of_mechanisms_have_time_only)
{
    static const kane_column columns[] = {{"crank.yaw", "rad", ""}, {"nan", "1", ""}};
    static kane_errors errors;
    CHECK_OWNED(kane_results) *results = rows_make(101, 0.01, 0, 2, columns, value);
    CHECK_OWNED(kane_measure) *at      = kane_measure_parse("at_max(crank.yaw, ..0.5 s)", NULL);
    CHECK_OWNED(kane_measure) *where   = kane_measure_parse("max(crank.yaw, 1 m..2 m)", NULL);
    CHECK_OWNED(kane_measure) *slide   = kane_measure_parse("max(crank.yaw, mean 1 m)", NULL);
    const char *unit;
    check_near(kane_measure_eval(at, results, &unit, NULL), 0.5, 1e-12);
    assert_string_equal(unit, "s");
    assert_true(isnan(kane_measure_eval(where, results, &unit, &errors)));
    assert_true(isnan(kane_measure_eval(slide, results, &unit, &errors)));
    assert_int_equal(errors.count, 2);
    assert_non_null(strstr(kane_errors_get(&errors, 0)->text, "there is no column 'distance'"));
    assert_non_null(strstr(kane_errors_get(&errors, 1)->text, "there is no column 'distance'"));
}

static double broken(int column, double t)
{
    return column == 0 && t > 0.495 ? (double)INFINITY : t;
}

CHECK_TEST(values_that_are_not_finite_are_told)
{
    static const kane_column columns[] = {{"body.y", "m", ""}};
    static kane_errors errors;
    CHECK_OWNED(kane_results) *results = rows_make(101, 0.01, 0, 1, columns, broken);
    CHECK_OWNED(kane_measure) *m       = kane_measure_parse("max(body.y)", NULL);
    assert_true(isnan(kane_measure_eval(m, results, NULL, &errors)));
    assert_non_null(strstr(kane_errors_get(&errors, 0)->text, "'body.y' is not finite in row 51 (0.5 s)"));
}

CHECK_MAIN(NULL, NULL)
