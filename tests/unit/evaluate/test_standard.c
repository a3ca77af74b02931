// SPDX-License-Identifier: MIT
// Quantities of the standards, of signals whose values are known: constants, sines, ramps, steps.

#include "unit/evaluate/standing.h"

// --- constants: signs, sums, limits ---

CHECK_TEST(constants_are_themselves)
{
    CHECK_OWNED(kane_results) *r = make(constant_value);
    kane_evaluation *e           = evaluate(r, NULL);
    check_relative(get(e, "axle.left", "Q_max")->value, 60e3, 1e-9);
    check_relative(get(e, "axle.left", "Q_max")->limit, 140e3, 1e-12); // 90 kN + 50 kN
    check_relative(get(e, "axle.left", "Q_max")->used, 60.0 / 140.0, 1e-9);
    check_relative(get(e, "axle.right", "Q_max")->limit, 130e3, 1e-12);
    check_relative(get(e, "axle.right", "unloading")->value, 1.0 - 45.0 / 40.0, 1e-9);
    check_near(get(e, "axle.right", "unloading")->used, 0.0, 0.0); // it carries more
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
}

CHECK_TEST(limits_depend_on_speed_and_load)
{
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
    CHECK_ERRORS errors = {0};
    double re, im;
    if (low > 0.0)
        (void)kane_filter_band_pass(4, low, high, every, KANE_FORTH_AND_BACK, &filter, &errors);
    else
        (void)kane_filter_low_pass(4, high, every, KANE_FORTH_AND_BACK, &filter, &errors);
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

CHECK_TEST(sines_have_their_amplitudes)
{
    const double q99  = cos(0.0015 * pi); // percentile 99.85 of a sine
    const double mean = 2.0 / pi;         // of half a period, at its best
    check_below(gain(0.0, 20.0, 80.0), 1e-3);
    CHECK_OWNED(kane_results) *r    = make(sine_value);
    CHECK_OWNED(kane_evaluation) *e = evaluate(r, NULL);
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
}

CHECK_TEST(accelerations_are_weighted)
{
    const double y = 0.3 / sqrt(2.0), z = 0.5 / sqrt(2.0);
    kane_evaluation_options inside = kane_evaluation_options_default();
    inside.from                    = 100.0; // where the beginning and the end of the record are forgotten
    inside.to                      = 500.0;
    CHECK_OWNED(kane_results) *r   = make(sine_value);
    kane_evaluation *e             = evaluate(r, &inside);
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
}

// What a measure of the same words says.
static double measure(const kane_results *results, const char *text)
{
    CHECK_OWNED(kane_measure) *m = CHECK_GOOD(kane_measure_parse, text);
    const double value           = CHECK_GOOD(kane_measure_eval, m, results, NULL);
    return value;
}

CHECK_TEST(measures_say_the_same)
{
    CHECK_OWNED(kane_results) *r    = make(sine_value);
    CHECK_OWNED(kane_evaluation) *e = evaluate(r, NULL);
    check_relative(get(e, "floor", "N_MV")->value, measure(r, "nmv(floor.acceleration.*)"), 1e-12);
    check_relative(get(e, "floor", "Wz_y")->value, measure(r, "sperling_y(floor.acceleration.y)"), 1e-12);
    check_relative(get(e, "axle.left", "T_gamma_max")->value, measure(r, "p99.85(axle.left.T_gamma)"), 1e-12);
    check_relative(get(e, "axle.left", "Q_max")->value, measure(r, "p99.85(axle.left.Q, 20 Hz zero phase)"), 1e-12);
    check_relative(get(e, "floor", "y_rms")->value, measure(r, "rms(floor.acceleration.y, 0.4-10 Hz zero phase)"),
                   1e-3);
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

CHECK_TEST(quasi_static_values_are_those_of_the_full_curve)
{
    CHECK_OWNED(kane_results) *r = make(curve_value);
    kane_evaluation *e           = evaluate(r, NULL);
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
}

// Two curves of 100 m each, from 100 m and from 400 m on.
static double first_curvature, second_curvature;

static double curves_value(int column, double t)
{
    const double s = speed * t;
    switch (column) {
    case DISTANCE: return s;
    case CURVATURE: return s >= 100.0 && s < 200.0 ? first_curvature : s >= 400.0 && s < 500.0 ? second_curvature : 0.0;
    case LEFT_Q: return s < 300.0 ? 60e3 : 40e3;
    default: return 0.0;
    }
}

// What is said of the curves, whether they are apart, and where the largest quasi-static Q is: 60 kN in the first one,
// 40 kN in the other.
static void check_curves(double first, double second, int apart, const char *said)
{
    first_curvature                 = first;
    second_curvature                = second;
    CHECK_OWNED(kane_results) *r    = make(curves_value);
    CHECK_OWNED(kane_evaluation) *e = evaluate(r, NULL);
    check_relative(get(e, "axle.left", "Q_qst")->value, apart ? 60e3 : 50e3, 1e-3);
    assert_int_equal(says(e, "kinds of full curves, each by itself"), apart);
    assert_true(!said || says(e, said));
    check_near(apart ? get(e, "axle.left", "Q_qst")->at : 100.1, 100.1, 1e-9);
}

CHECK_TEST(curves_that_do_not_belong_together_are_taken_apart)
{
    check_curves(1.0 / 500.0, -1.0 / 500.0, 1,
                 "full curve from 400.1 m on (99.8 m): 500 m to the right with 0 mm of cant");
    check_curves(-1.0 / 300.0, -1.0 / 600.0, 1, "full curve from 100.1 m on (99.8 m): 300 m to the right");
    check_curves(1.0 / 500.0, 1.0 / 490.0, 0, NULL); // the deficiency differs by 2.5 mm
    check_curves(1.0 / 500.0, 1.0 / 470.0, 1, "470 m to the left");
    kane_evaluation_options sections = kane_evaluation_options_default();
    sections.section                 = 70.0;
    first_curvature                  = 1.0 / 500.0;
    second_curvature                 = -1.0 / 300.0;
    CHECK_OWNED(kane_results) *r     = make(curves_value);
    CHECK_OWNED(kane_evaluation) *e  = evaluate(r, &sections);
    check_relative(get(e, "axle.left", "Q_qst")->value, 60e3, 1e-3); // a mean of both is no value
    assert_int_equal(get(e, "axle.left", "Q_qst")->sections, 1);
    assert_true(says(e, "no section begins from 70 m to 100"));
}

// --- cant: a curve of 500 m with a cant ramp within it, as lines with two speeds have ---

enum { CANT = COLUMNS, CANT_COLUMNS };

// Straight up to 100 m; 30 mm of cant up to 250 m, 110 mm from 350 m on: the outer wheel has 90.6 kN and 80.5 kN.
static double ramp_value(int column, double t)
{
    const double s = speed * t, part = fmin(fmax((s - 250.0) / 100.0, 0.0), 1.0);
    switch (column) {
    case DISTANCE: return s;
    case CURVATURE: return s < 100.0 ? 0.0 : -1.0 / 500.0;
    case LEFT_Q: return s < 100.0 ? 70e3 : 90.6e3 - 10.1e3 * part;
    case RIGHT_Q: return 50e3;
    case CANT: return s < 100.0 ? 0.0 : -(0.030 + 0.080 * part); // a curve to the right: the left rail is higher
    default: return 0.0;
    }
}

static kane_results *make_ramp(void)
{
    kane_column all[CANT_COLUMNS];
    memcpy(all, columns, sizeof columns);
    all[CANT]       = (kane_column){"track.superelevation", "m", ""};
    kane_results *r = rows_make(ROWS, every, 0, CANT_COLUMNS, all, ramp_value);
    r->manifest     = manifest;
    return r;
}

CHECK_TEST(a_section_has_one_cant)
{
    kane_results *r    = make_ramp();
    kane_evaluation *e = evaluate(r, NULL);
    check_relative(get(e, "axle.left", "Q_qst")->value, 90.6e3, 1e-4); // not 85.5 kN, or 80.5 kN by the longer part
    check_near(get(e, "axle.left", "Q_qst")->at, 100.1, 1e-9);
    // v^2/R 2b/g = 122.3 mm
    assert_true(says(e, "500 m to the right with 30 mm of cant and 92.32 mm of cant deficiency"));
    assert_true(says(e, "500 m to the right with 110 mm of cant and 12.32 mm of cant deficiency"));
    assert_true(
        says(e, "quasi-static values leave out 250 m to 350 m: the cant changes within the curve (30 mm to 110 mm)"));
    kane_evaluation_free(e);
    kane_evaluation_options options = kane_evaluation_options_default();
    options.section                 = 50.0;
    e                               = evaluate(r, &options);
    const kane_assessment *Q        = get(e, "axle.left", "Q_qst");
    check_relative(Q->value, 90.6e3, 1e-4);
    assert_int_equal(Q->sections, 3);                                    // 100 m to 250 m
    assert_int_equal(get(e, "axle.left", "Q_max")->sections, 1 + 3 + 5); // tangent, before and behind the ramp
    assert_true(
        says(e, "curvatures spread by no more than 4 % of their mean, cants by 5 mm, cant deficiencies (2b 1.5 m) by "
                "10 mm"));
    assert_true(says(e, "the cant changes (-"));
    kane_evaluation_free(e);
    options.from    = 255.0;
    options.to      = 345.0;
    options.section = 20.0;
    refuse(r, &options, "with 0 stretches of one radius, cant and cant deficiency");
}

// Crawls along the middle of a long transition, hardly changing its curvature from row to row.
static double crawling_value(int column, double t)
{
    const double s = 40.0 + 0.3 * t;
    switch (column) {
    case DISTANCE: return s;
    case CURVATURE: return s / 60.0 / 500.0;
    case LEFT_Q: return 60e3;
    default: return 0.0;
    }
}

CHECK_TEST(a_slow_transition_is_no_full_curve)
{
    CHECK_OWNED(kane_results) *r    = make(crawling_value);
    CHECK_OWNED(kane_evaluation) *e = evaluate(r, NULL);
    assert_null(find(e, "axle.left", "Q_qst"));
    assert_true(says(e, "there is none in this section"));
}

// --- sections: the maximum is estimated from their percentiles ---

// Constant in each section of 100 m: Q grows by 1 kN from one to the next, Y changes its sign.
static double steps_value(int column, double t)
{
    const double s  = speed * t;
    const int index = (int)fmin(floor(s / 100.0 + 1e-9), 5.0);
    switch (column) {
    case DISTANCE: return s;
    case CURVATURE: return 1e-3;
    case LEFT_Q: return 60e3 + 1e3 * index;
    case RIGHT_Q: return 60e3;
    case LEFT_Y: return index % 2 ? 6e3 : -6e3;
    case LEFT_T: return 10.0 * index;
    default: return 0.0;
    }
}

CHECK_TEST(sections_estimate_the_maximum)
{
    const double mean = 62.5e3, deviation = 1e3 * sqrt(17.5 / 5.0); // of 60 .. 65
    kane_evaluation_options options = kane_evaluation_options_default();
    options.section                 = 100.0;
    kane_results *r                 = make(steps_value);
    kane_evaluation *e              = evaluate(r, &options);
    const kane_assessment *Q = get(e, "axle.left", "Q_max"), *q = get(e, "axle.left", "Q_qst");
    assert_int_equal(Q->sections, 6);
    check_relative(Q->mean, mean, 5e-3); // the filter smooths the steps
    check_relative(q->deviation, deviation, 1e-3);
    check_relative(Q->value, Q->mean + 2.2 * Q->deviation, 1e-12);
    check_near(Q->factor, 2.2, 0.0);
    check_relative(Q->used, Q->value / 140e3, 1e-12);
    check_relative(q->value, mean, 1e-4); // the mean of the medians
    check_relative(q->mean, mean, 1e-4);
    check_relative(get(e, "axle", "sum_Y")->mean, 6e3, 5e-2); // sizes, whatever their sign
    check_near(get(e, "axle", "sum_Y")->factor, 3.0, 0.0);
    check_relative(get(e, "axle.left", "T_gamma")->value, 25.0, 1e-2);
    assert_int_equal(get(e, "axle.left", "T_gamma")->sections, 0);
    assert_true(says(e, "EN 14363 asks for 25 sections of each zone, there are 6"));
    kane_evaluation_free(e);
    options.section = 50.0;
    e               = evaluate(r, &options);
    assert_null(find(e, "axle", "sum_Y_rms"));
    assert_true(says(e, "sum_Y_rms: there are 0 sections that have it, too few"));
    kane_evaluation_free(e);
    options.section = 400.0;
    refuse(r, &options, "sections of 400 m: there are 600 m, with 1 stretches of one radius");
}

// --- a wheel that leaves the rail ---

static double lift_value(int column, double t)
{
    const int up = (t > 3.0 && t < 3.1) || (t > 8.0 && t < 9.0) || (t > 20.0 && t < 20.02);
    if (column == LEFT_Q)
        return up ? 0.0 : 50e3;
    return column == RIGHT_Q ? 40e3 : column == DISTANCE ? speed * t : 0.0;
}

CHECK_TEST(lifts_are_counted)
{
    CHECK_OWNED(kane_results) *r    = make(lift_value);
    CHECK_OWNED(kane_evaluation) *e = evaluate(r, NULL);
    check_near(get(e, "axle.left", "lift_offs")->value, 3.0, 0.0);
    check_near(get(e, "axle.left", "lift_offs")->at, 60.1, 0.06);
    check_near(get(e, "axle.right", "lift_offs")->value, 0.0, 0.0);
    assert_true(get(e, "axle.left", "unloading")->used > 1.0);
    assert_string_equal(kane_evaluation_get(e, kane_evaluation_worst(e))->quantity->name, "unloading");
    assert_null(find(e, "axle.left", "Y/Q"));
    assert_true(says(e, "Y/Q of axle.left: the wheel carries nothing at"));
    assert_non_null(find(e, "axle.right", "Y/Q"));
}

// 2 Hz of 3 m/s^2 on the frame of a bogie of 10 t: limits of 10 and 5 m/s^2. Without its mass there are none, but a
// remark.
static double frame_value(int column, double t)
{
    return column == FLOOR_Y ? 3.0 * sin(2.0 * pi * 2.0 * t) : constant_value(column, t);
}

CHECK_TEST(frames_of_bogies_have_their_limits)
{
    CHECK_OWNED(kane_results) *r = make(frame_value);
    r->manifest = "{\"kane\": \"manifest 1\", \"wheelsets\": [{\"name\": \"axle\", \"static_load\": [50e3, 40e3]}], "
                  "\"sensors\": [{\"name\": \"floor\", \"on\": \"bogie\"}], \"car_bodies\": [\"body\"]}";
    kane_evaluation_options how = kane_evaluation_options_default();
    kane_evaluation *e          = evaluate(r, &how);
    assert_true(isnan(get(e, "floor", "frame_y_max")->limit) && isnan(get(e, "floor", "frame_y_max")->used));
    assert_true(isnan(get(e, "floor", "frame_y_rms")->used));
    assert_null(find(e, "floor", "y_max")); // 3 m/s^2 would exceed the limit of a car body
    assert_null(find(e, "floor", "N_MV"));
    assert_true(says(e, "accelerometer 'floor' is not judged: it is on 'bogie', which is no car body"));
    kane_evaluation_free(e);
    how.bogie_mass = 10e3;
    e              = evaluate(r, &how);
    check_relative(get(e, "floor", "frame_y_max")->limit, 10.0, 1e-12);
    check_relative(get(e, "floor", "frame_y_rms")->limit, 5.0, 1e-12);
    check_relative(fabs(get(e, "floor", "frame_y_max")->value), 3.0 * gain(0.0, 10.0, 2.0), 1e-3);
    check_relative(get(e, "floor", "frame_y_rms")->value, 3.0 / sqrt(2.0) * gain(0.4, 4.0, 2.0),
                   2e-2); // the largest is at an end
    assert_null(find(e, "floor", "y_max"));
    assert_true(!says(e, "is not judged"));
    kane_evaluation_free(e);
}

// The same on an axle box, where 8 m/s^2 are said to be the limit: 3/8 of it, and 2.1/4 for instability.
CHECK_TEST(axle_boxes_have_the_limit_that_is_said)
{
    CHECK_OWNED(kane_results) *r = make(frame_value);
    r->manifest = "{\"kane\": \"manifest 1\", \"wheelsets\": [{\"name\": \"axle\", \"static_load\": [50e3, 40e3]}], "
                  "\"sensors\": [{\"name\": \"floor\", \"on\": \"axle\"}], \"car_bodies\": [\"body\"]}";
    kane_evaluation_options how = kane_evaluation_options_default();
    how.bogie_mass              = 10e3; // there are bogies, but this is no frame
    kane_evaluation *e          = evaluate(r, &how);
    assert_true(isnan(get(e, "floor", "box_y_max")->limit) && isnan(get(e, "floor", "box_y_rms")->limit));
    assert_null(find(e, "floor", "frame_y_max"));
    assert_null(find(e, "floor", "y_max"));
    assert_true(says(e, "accelerometer 'floor' is not judged: it is on 'axle', a wheelset or an axle box"));
    kane_evaluation_free(e);
    how.axle_box_limit = 8.0;
    e                  = evaluate(r, &how);
    const double most = 3.0 * gain(0.0, 10.0, 2.0), rms = 3.0 / sqrt(2.0) * gain(0.4, 4.0, 2.0);
    check_relative(get(e, "floor", "box_y_max")->limit, 8.0, 1e-12);
    check_relative(get(e, "floor", "box_y_rms")->limit, 4.0, 1e-12);
    check_relative(fabs(get(e, "floor", "box_y_max")->value), most, 1e-3);
    check_relative(get(e, "floor", "box_y_max")->used, most / 8.0, 1e-3);
    check_relative(get(e, "floor", "box_y_rms")->value, rms, 2e-2); // the largest is at an end
    check_relative(get(e, "floor", "box_y_rms")->used, rms / 4.0, 2e-2);
    assert_null(find(e, "floor", "y_max"));
    assert_null(find(e, "floor", "frame_y_max"));
    assert_true(!says(e, "is not judged"));
    kane_evaluation_free(e);
}

CHECK_TEST(quantities_have_names)
{
    int count = 0;
    for (; kane_quantity_get(count); count++) {
        const kane_quantity *q = kane_quantity_get(count);
        assert_true(q->name && q->unit && q->about && strlen(q->about) > 5);
        for (int i = 0; i < count; i++)
            assert_string_not_equal(q->name, kane_quantity_get(i)->name);
    }
    assert_int_equal(count, KANE_QUANTITIES);
    assert_null(kane_vehicle_class_name(KANE_VEHICLE_CLASSES));
}

CHECK_MAIN(NULL, NULL)
