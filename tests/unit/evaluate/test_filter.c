// SPDX-License-Identifier: MIT
// Filters: responses against Butterworth's polynomial, and what becomes of sines, constants and steps.

#include "check.h"

#include <kane/signal.h>

#include <complex.h>

enum { COUNT = 4000 };
static const double pi = 3.14159265358979323846, step = 0.005; // 200 Hz

// re + im i; the macro I is a number of single precision.
static double complex number(double re, double im)
{
    const double parts[2] = {re, im};
    double complex z;
    memcpy(&z, parts, sizeof z);
    return z;
}

// Product over the poles exp(i pi (2 k + n + 1)/(2 n)) at p = i tan(pi f T)/tan(pi fc T): the analogue filter where the
// bilinear transformation bends f to.
static double complex analytic(int order, double corner, double f, int is_high)
{
    const double complex p = number(0.0, tan(pi * f * step) / tan(pi * corner * step));
    double complex h       = 1.0;
    for (int k = 0; k < order; k++) {
        const double complex pole = cexp(number(0.0, pi * (2.0 * k + order + 1.0) / (2.0 * order)));
        h *= is_high ? p / (p - pole) : -pole / (p - pole);
    }
    return h;
}

static double complex response(const kane_filter *filter, double f)
{
    double re, im;
    kane_filter_response(filter, step, f, &re, &im);
    return number(re, im);
}

static void check_complex(double complex value, double complex expected, double tolerance)
{
    check_near(creal(value), creal(expected), tolerance);
    check_near(cimag(value), cimag(expected), tolerance);
}

CHECK_TEST(responses_are_those_of_butterworth)
{
    for (int order = 1; order <= KANE_FILTER_ORDER; order++) {
        kane_filter low, high, band;
        assert_int_equal(kane_filter_low_pass(order, 20.0, step, KANE_FORTH, &low, NULL), KANE_OK);
        assert_int_equal(kane_filter_high_pass(order, 3.0, step, KANE_FORTH, &high, NULL), KANE_OK);
        assert_int_equal(kane_filter_band_pass(order, 3.0, 20.0, step, KANE_FORTH, &band, NULL), KANE_OK);
        for (double f = 0.25; f < 99.0; f *= 1.21) {
            const double complex l = analytic(order, 20.0, f, 0), h = analytic(order, 3.0, f, 1);
            check_complex(response(&low, f), l, 1e-11);
            check_complex(response(&high, f), h, 1e-8);
            check_complex(response(&band, f), l * h, 1e-8);
        }
        check_near(cabs(response(&low, 20.0)), sqrt(0.5), 1e-12);
        check_near(cabs(response(&high, 3.0)), sqrt(0.5), 1e-10);
        check_near(cabs(response(&low, 0.0)), 1.0, 1e-9);
        check_near(cabs(response(&high, 100.0)), 1.0, 1e-12);
    }
}

// Far above the corner and far below half the rate: 6 dB an octave for each order. EN 14363 wants 24.
CHECK_TEST(slopes_are_those_of_the_order)
{
    for (int order = 1; order <= 6; order++) {
        kane_filter low;
        assert_int_equal(kane_filter_low_pass(order, 1.0, 1e-4, KANE_FORTH, &low, NULL), KANE_OK);
        double a[2], b[2];
        kane_filter_response(&low, 1e-4, 20.0, &a[0], &a[1]);
        kane_filter_response(&low, 1e-4, 40.0, &b[0], &b[1]);
        check_near(20.0 * log10(hypot(a[0], a[1]) / hypot(b[0], b[1])), 20.0 * log10(2.0) * order, 0.02);
    }
}

// Amplitude of a long sine of frequency f as a complex number relative to x = cos(2 pi f t), from its last whole
// periods (or the middle ones, where the filter has gone back).
static double complex amplitude(const double *x, double f, int from, int count)
{
    double complex sum = 0.0;
    for (int i = from; i < from + count; i++)
        sum += x[i] * cexp(number(0.0, -2.0 * pi * f * step * i));
    return 2.0 * sum / count;
}

CHECK_TEST(sines_come_out_as_the_response_says)
{
    static const double frequencies[] = {0.5, 2.0, 5.0, 10.0, 20.0, 25.0, 40.0};
    static double x[COUNT];
    for (int k = 0; k < 7; k++) {
        const double f = frequencies[k];
        kane_filter filter;
        assert_int_equal(kane_filter_band_pass(4, 1.0, 20.0, step, KANE_FORTH, &filter, NULL), KANE_OK);
        for (int i = 0; i < COUNT; i++)
            x[i] = cos(2.0 * pi * f * step * i);
        assert_int_equal(kane_filter_apply(&filter, KANE_FORTH, step, COUNT, x, NULL), KANE_OK);
        check_complex(amplitude(x, f, COUNT - 800, 800), response(&filter, f),
                      1e-6); // 4 s: the transient of 1 Hz is gone
    }
}

CHECK_TEST(forth_and_back_has_no_phase)
{
    static const double frequencies[] = {5.0, 15.0, 20.0, 25.0};
    static double x[COUNT];
    for (int order = 1; order <= 4; order++)
        for (int k = 0; k < 4; k++) {
            const double f = frequencies[k];
            kane_filter low, high;
            assert_int_equal(kane_filter_low_pass(order, 20.0, step, KANE_FORTH_AND_BACK, &low, NULL), KANE_OK);
            assert_int_equal(kane_filter_high_pass(order, 20.0, step, KANE_FORTH_AND_BACK, &high, NULL), KANE_OK);
            for (int i = 0; i < COUNT; i++)
                x[i] = cos(2.0 * pi * f * step * i);
            assert_int_equal(kane_filter_apply(&low, KANE_FORTH_AND_BACK, step, COUNT, x, NULL), KANE_OK);
            const double size = cabs(response(&low, f));
            check_complex(amplitude(x, f, 1600, 800), size * size, 1e-9);
            check_near(pow(cabs(response(&low, 20.0)), 2.0), sqrt(0.5), 1e-12);
            check_near(pow(cabs(response(&high, 20.0)), 2.0), sqrt(0.5), 1e-12);
        }
}

CHECK_TEST(constants_pass_or_vanish_without_transient)
{
    static double x[COUNT];
    kane_filter low, high;
    assert_int_equal(kane_filter_low_pass(4, 20.0, step, KANE_FORTH, &low, NULL), KANE_OK);
    assert_int_equal(kane_filter_high_pass(3, 0.4, step, KANE_FORTH, &high, NULL), KANE_OK);
    for (int passes = KANE_FORTH; passes <= KANE_FORTH_AND_BACK; passes++) {
        for (int i = 0; i < COUNT; i++)
            x[i] = 61.7e3;
        assert_int_equal(kane_filter_apply(&low, (kane_filter_passes)passes, step, COUNT, x, NULL), KANE_OK);
        for (int i = 0; i < COUNT; i++)
            check_relative(x[i], 61.7e3, 1e-12);
        assert_int_equal(kane_filter_apply(&high, (kane_filter_passes)passes, step, COUNT, x, NULL), KANE_OK);
        for (int i = 0; i < COUNT; i++)
            check_near(x[i], 0.0, 1e-6);
    }
}

// Second order: 1 - exp(-w t/sqrt 2) (cos + sin)(w t/sqrt 2), which overshoots by exp(-pi).
CHECK_TEST(steps_rise_as_the_analogue_filter_does)
{
    static double x[COUNT];
    kane_filter low;
    const double fine = 1e-4, corner = 20.0, w = 2.0 * pi * corner / sqrt(2.0);
    double largest = 0.0;
    assert_int_equal(kane_filter_low_pass(2, corner, fine, KANE_FORTH, &low, NULL), KANE_OK);
    x[0] = 0.0;
    for (int i = 1; i < COUNT; i++)
        x[i] = 1.0;
    assert_int_equal(kane_filter_apply(&low, KANE_FORTH, fine, COUNT, x, NULL), KANE_OK);
    for (int i = 1; i < COUNT; i++) {
        const double t = (i - 0.5) * fine; // the step lies between rows 0 and 1
        check_near(x[i], 1.0 - exp(-w * t) * (cos(w * t) + sin(w * t)), 1e-4);
        largest = fmax(largest, x[i]);
    }
    check_near(largest, 1.0 + exp(-pi), 1e-5);
    check_near(x[COUNT - 1], 1.0, 1e-9);
}

CHECK_TEST(mistakes_are_told)
{
    static kane_errors errors;
    double x[10] = {0.0};
    kane_filter filter;
    assert_int_equal(kane_filter_low_pass(4, 100.0, step, KANE_FORTH, &filter, &errors), KANE_BAD_ARGUMENT);
    assert_non_null(
        strstr(kane_errors_get(&errors, 0)->text, "not below half the rate of the rows, 100 Hz (rows every 0.005 s)"));
    assert_int_equal(kane_filter_low_pass(9, 20.0, step, KANE_FORTH, &filter, &errors), KANE_BAD_ARGUMENT);
    assert_int_equal(kane_filter_low_pass(0, 20.0, step, KANE_FORTH, &filter, &errors), KANE_BAD_ARGUMENT);
    assert_int_equal(kane_filter_high_pass(4, 0.0, step, KANE_FORTH, &filter, &errors), KANE_BAD_ARGUMENT);
    assert_int_equal(kane_filter_high_pass(4, NAN, step, KANE_FORTH, &filter, &errors), KANE_BAD_ARGUMENT);
    assert_int_equal(kane_filter_band_pass(4, 5.0, 5.0, step, KANE_FORTH, &filter, &errors), KANE_BAD_ARGUMENT);
    assert_int_equal(kane_filter_band_pass(4, 5.0, 500.0, step, KANE_FORTH, &filter, &errors), KANE_BAD_ARGUMENT);
    assert_int_equal(kane_filter_high_pass(4, 0.4, step, KANE_FORTH, &filter, &errors), KANE_OK);
    kane_errors_clear(&errors);
    assert_int_equal(kane_filter_apply(&filter, KANE_FORTH, step, 10, x, &errors), KANE_BAD_ARGUMENT);
    assert_non_null(strstr(kane_errors_get(&errors, 0)->text, "rows over 0.05 s are too few for a corner of 0.4 Hz"));
}

CHECK_MAIN(NULL, NULL)
