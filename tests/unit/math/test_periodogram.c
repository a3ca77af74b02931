// SPDX-License-Identifier: MIT
// Welch's periodogram: what is known of sines, constants and white noise.

#include "check.h"

#include "math/statistics.h"

enum { COUNT = 8192, SIZE = 512 };
static const double pi = 3.14159265358979323846, step = 0.25;

// Sum over the wave numbers that a window tells apart.
static double variance_of(const double *x)
{
    const double line = 2.0 * pi / (SIZE * step);
    double sum        = 0.0;
    for (int k = 1; k < SIZE / 2; k++)
        sum += line * kane_periodogram(COUNT, step, x, SIZE, k * line);
    return sum;
}

// a^2/2, also between two lines of a window; a constant has no part in it.
CHECK_TEST(sine_has_its_variance_at_its_place)
{
    static double x[COUNT];
    const double O = 2.0 * pi / 3.7, line = 2.0 * pi / (SIZE * step);
    for (int i = 0; i < COUNT; i++)
        x[i] = 5.0 + 0.02 * sin(O * step * i + 0.4);
    check_relative(variance_of(x), 0.5 * 0.02 * 0.02, 1e-3);
    // a Hann window sees it with 2/3 of the height that a bin of one line would have
    check_relative(kane_periodogram(COUNT, step, x, SIZE, O), 0.5 * 0.02 * 0.02 / line / 1.5, 2e-3);
    assert_true(kane_periodogram(COUNT, step, x, SIZE, O + 8.0 * line) < 1e-5 * 0.5 * 0.02 * 0.02 / line);
}

// Variance 1/12, one-sided over 0 .. pi/step: the same density everywhere.
CHECK_TEST(white_noise_is_flat)
{
    static double x[COUNT];
    kane_random r = kane_random_start(1, 0);
    double mean   = 0.0;
    for (int i = 0; i < COUNT; i++)
        x[i] = kane_random_even(&r);
    check_relative(variance_of(x), 1.0 / 12.0, 0.03);
    for (int k = 1; k <= 60; k++)
        mean += kane_periodogram(COUNT, step, x, SIZE, 0.2 * k) / 60.0;
    check_relative(mean, step / pi / 12.0, 0.07);
}

CHECK_TEST(windows_overlap_by_half)
{
    assert_int_equal(kane_periodogram_windows(1024, 512), 3);
    assert_int_equal(kane_periodogram_windows(1023, 512), 2);
    assert_int_equal(kane_periodogram_windows(512, 512), 1);
    assert_int_equal(kane_periodogram_windows(511, 512), 0);
    assert_int_equal(kane_periodogram_windows(5, 1), 0);
}

CHECK_MAIN(NULL, NULL)
