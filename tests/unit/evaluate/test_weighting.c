// SPDX-License-Identifier: MIT
// Weightings of vibration: the tables of the standards, and filters against the analogue functions.

#include "check.h"

#include <kane/signal.h>

static const double pi = 3.14159265358979323846;

// ISO 2631-1:1997, table 3: Wk and Wd at the third octaves (x 1000). The table has 212 for Wd at 10 Hz beside -13.91
// dB, which is 202.
enum { BANDS = 23 };
static const double bands[BANDS] = {0.5, 0.63, 0.8,  1,  1.25, 1.6, 2,    2.5, 3.15, 4,  5, 6.3,
                                    8,   10,   12.5, 16, 20,   25,  31.5, 40,  50,   63, 80};
static const double wk[BANDS]    = {418,  459, 477, 482, 484, 494, 531, 631, 804, 967, 1039, 1054,
                                    1036, 988, 902, 768, 636, 513, 405, 314, 246, 186, 132};
static const double wd[BANDS]    = {853, 944, 992, 1011, 1008, 968, 890,  776,  642,  512,  409, 323,
                                    253, 202, 161, 125,  100,  80,  63.2, 49.4, 38.8, 29.5, 21.1};

CHECK_TEST(gains_are_those_of_the_tables)
{
    for (int i = 0; i < BANDS; i++) {
        const double last_digit = wd[i] < 70.0 ? 0.1 : 1.0;
        check_near(1e3 * kane_weighting_gain(KANE_WEIGHTING_WK, bands[i]), wk[i], 0.7);
        check_near(1e3 * kane_weighting_gain(KANE_WEIGHTING_WD, bands[i]), wd[i], 0.5 * last_digit);
    }
}

// ISO 8041, table 1: all of them at 100 rad/s.
CHECK_TEST(gains_at_the_reference_frequency_are_those_of_iso_8041)
{
    const double f = 100.0 / (2.0 * pi);
    check_relative(kane_weighting_gain(KANE_WEIGHTING_WB, f), 0.8126, 1e-4);
    check_relative(kane_weighting_gain(KANE_WEIGHTING_WC, f), 0.5145, 1e-4);
    check_relative(kane_weighting_gain(KANE_WEIGHTING_WD, f), 0.1261, 4e-4);
    check_relative(kane_weighting_gain(KANE_WEIGHTING_WK, f), 0.7718, 1e-4);
}

// By hand: f = 5 Hz is near the maximum of the functions of comfort.
CHECK_TEST(sperlings_gains_are_those_of_his_formulas)
{
    const double above = 1.911 * 25.0 + 39.0625, below = pow(1.0 - 0.277 * 25.0, 2.0) + pow(7.815 - 4.6, 2.0);
    check_relative(kane_weighting_gain(KANE_WEIGHTING_SPERLING_Z, 5.0), 0.588 * sqrt(above / below), 1e-12);
    check_relative(kane_weighting_gain(KANE_WEIGHTING_SPERLING_Y, 5.0), 0.737 * sqrt(above / below), 1e-12);
    const double q_above = (pow(1.0 - 0.056 * 25.0, 2.0) + pow(0.645 * 5.0, 2.0)) * 3.55 * 25.0;
    const double q_below = (pow(1.0 - 0.252 * 25.0, 2.0) + pow(7.735 - 0.555, 2.0)) * (1.0 + 3.55 * 25.0);
    check_relative(kane_weighting_gain(KANE_WEIGHTING_SPERLING_QUALITY, 5.0), 1.14 * sqrt(q_above / q_below), 1e-12);
}

// Effective value of a sine of amplitude 1 behind the weighting, over whole periods of its second half.
static double gain_of_sine(kane_weighting weighting, double f, double step)
{
    const int n = (int)(40.0 / step);
    double *x = test_malloc((size_t)n * sizeof *x), sum = 0.0;
    for (int i = 0; i < n; i++)
        x[i] = sin(2.0 * pi * f * step * i);
    assert_int_equal(kane_weighting_apply(weighting, step, n, x, NULL), KANE_OK);
    const int last = n - n / 8, first = last - (int)(floor(15.0 * f) / f / step + 0.5);
    for (int i = first; i < last; i++)
        sum += 2.0 * x[i] * x[i] / (last - first);
    test_free(x);
    return sqrt(sum);
}

CHECK_TEST(filters_have_the_gains_of_the_functions)
{
    static const double steps[] = {0.001, 0.005, 0.01};
    for (int k = 0; k < 3; k++)
        for (int w = 0; w < KANE_WEIGHTINGS; w++)
            for (int i = 0; i < BANDS && bands[i] < 0.45 / steps[k]; i += 2) {
                // Sperling's lateral and vertical functions differ in a factor only
                const double expected = kane_weighting_gain((kane_weighting)w, bands[i]);
                if (w != KANE_WEIGHTING_SPERLING_Y)
                    check_relative(gain_of_sine((kane_weighting)w, bands[i], steps[k]), expected, 6e-3);
            }
}

// The functions are those of causal filters: Wd at 1 Hz turns the phase by what its sections do.
CHECK_TEST(weighted_sines_have_the_phase_of_the_function)
{
    enum { N = 8000 };
    static double x[N];
    const double f = 1.0, step = 0.005;
    // arguments of p^2/(1 + sqrt 2 p + p^2) at f/0.4, 1/(...) at f/100, (1 + p)/(1 + p/0.63 + p^2) at f/2
    const double p1 = f / 0.4, p2 = f / 100.0, p3 = f / 2.0;
    const double phase = pi - atan2(sqrt(2.0) * p1, 1.0 - p1 * p1) - atan2(sqrt(2.0) * p2, 1.0 - p2 * p2) + atan(p3) -
                         atan2(p3 / 0.63, 1.0 - p3 * p3);
    const double gain = kane_weighting_gain(KANE_WEIGHTING_WD, f);
    for (int i = 0; i < N; i++)
        x[i] = sin(2.0 * pi * f * step * i);
    assert_int_equal(kane_weighting_apply(KANE_WEIGHTING_WD, step, N, x, NULL), KANE_OK);
    for (int i = N - 1200; i < N - 200; i++)
        check_near(x[i], gain * sin(2.0 * pi * f * step * i + phase), 2e-4);
}

CHECK_TEST(constants_vanish)
{
    enum { N = 1000 };
    static double x[N];
    for (int w = 0; w < KANE_WEIGHTINGS; w++) {
        for (int i = 0; i < N; i++)
            x[i] = 1.5;
        assert_int_equal(kane_weighting_apply((kane_weighting)w, 0.01, N, x, NULL), KANE_OK);
        for (int i = 0; i < N; i++)
            check_near(x[i], 0.0, 1e-9);
    }
}

CHECK_TEST(mistakes_are_told)
{
    static kane_errors errors;
    static double x[1000];
    assert_int_equal(kane_weighting_apply(KANE_WEIGHTING_WB, 0.02, 1000, x, &errors), KANE_BAD_ARGUMENT);
    assert_non_null(strstr(kane_errors_get(&errors, 0)->text, "rows 0.02 s apart are too few"));
    assert_int_equal(kane_weighting_apply(KANE_WEIGHTING_WB, 0.01, 200, x, &errors), KANE_BAD_ARGUMENT);
    assert_non_null(strstr(kane_errors_get(&errors, 1)->text, "at least 2.5 s are needed"));
    assert_int_equal(kane_weighting_find("Wd"), KANE_WEIGHTING_WD);
    assert_int_equal(kane_weighting_find("Wx"), KANE_WEIGHTINGS);
    assert_string_equal(kane_weighting_name(KANE_WEIGHTING_WB), "Wb");
}

CHECK_MAIN(NULL, NULL)
