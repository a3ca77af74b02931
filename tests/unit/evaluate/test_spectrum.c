// SPDX-License-Identifier: MIT
// Welch's spectra: what they have in common with the variance, with the periodogram at one wave number, with noise and
// sines.

#include "check.h"

#include "math/statistics.h"

#include <kane/signal.h>

enum { COUNT = 8192, SIZE = 512, LINES = SIZE / 2 + 1 };
static const double pi = 3.14159265358979323846, step = 0.01;
static double x[COUNT], f[LINES], density[LINES];

static void fill_noise(void)
{
    kane_random random = kane_random_start(3, 0);
    for (int i = 0; i < COUNT; i++)
        x[i] = 2.0 + kane_random_even(&random);
}

static double variance(void)
{
    double sum = 0.0;
    for (int k = 0; k < LINES; k++)
        sum += density[k] / (SIZE * step);
    return sum;
}

// Of one window: the sum over all lines is the variance with the weights of the window, to the last digits.
CHECK_TEST(the_sum_is_the_variance)
{
    double mean = 0.0, sum = 0.0, weights = 0.0, squares = 0.0;
    fill_noise();
    assert_int_equal(kane_welch(SIZE, step, x, SIZE, f, density, NULL), KANE_OK);
    for (int j = 0; j < SIZE; j++) {
        const double w = pow(sin(pi * (j + 0.5) / SIZE), 2.0);
        mean += w * x[j];
        weights += w;
        squares += w * w;
    }
    for (int j = 0; j < SIZE; j++)
        sum += pow(pow(sin(pi * (j + 0.5) / SIZE), 2.0) * (x[j] - mean / weights), 2.0);
    check_relative(variance(), sum / squares, 1e-12);
}

CHECK_TEST(lines_are_those_of_the_periodogram)
{
    fill_noise();
    assert_int_equal(kane_welch(COUNT, step, x, SIZE, f, density, NULL), KANE_OK);
    for (int k = 1; k < SIZE / 2; k++) {
        check_relative(f[k], k / (SIZE * step), 1e-14);
        // that one is a density over 2 pi f
        check_relative(density[k], 2.0 * pi * kane_periodogram(COUNT, step, x, SIZE, 2.0 * pi * f[k]), 1e-8);
    }
}

// Variance 1/12 over 0 .. 50 Hz.
CHECK_TEST(white_noise_is_flat)
{
    double low = 0.0, high = 0.0;
    fill_noise();
    assert_int_equal(kane_welch(COUNT, step, x, SIZE, f, density, NULL), KANE_OK);
    check_relative(variance(), 1.0 / 12.0, 0.03);
    for (int k = 2; k < SIZE / 4; k++) {
        low += density[k] / (SIZE / 4 - 2);
        high += density[k + SIZE / 4 - 2] / (SIZE / 4 - 2);
    }
    check_relative(low, 1.0 / 12.0 / 50.0, 0.05);
    check_relative(high, 1.0 / 12.0 / 50.0, 0.05);
}

// Variance a^2/2 on three lines: 1/6, 2/3, 1/6 of it, and none elsewhere; a constant has no part in it.
CHECK_TEST(a_sine_stands_on_its_line)
{
    const int line  = 60;
    const double df = 1.0 / (SIZE * step);
    for (int i = 0; i < COUNT; i++)
        x[i] = 7.0 + 0.3 * cos(2.0 * pi * line * df * step * i + 0.3);
    assert_int_equal(kane_welch(COUNT, step, x, SIZE, f, density, NULL), KANE_OK);
    check_relative(density[line] * df, 0.045 * 2.0 / 3.0, 1e-9);
    check_relative(density[line + 1] * df, 0.045 / 6.0, 1e-9);
    check_relative(density[line - 1] * df, 0.045 / 6.0, 1e-9);
    check_near(density[line + 3], 0.0, 1e-12);
    check_near(density[0], 0.0, 1e-12);
    check_relative(variance(), 0.045, 1e-9);
    // at half the rate there is one side only: a^2 of rows that change their sign
    for (int i = 0; i < COUNT; i++)
        x[i] = i % 2 ? -0.3 : 0.3;
    assert_int_equal(kane_welch(COUNT, step, x, SIZE, f, density, NULL), KANE_OK);
    check_relative(variance(), 0.09, 1e-9);
}

CHECK_TEST(sizes_are_powers_of_two)
{
    static kane_errors errors;
    assert_int_equal(kane_welch_size(8192, 31), 512); // 1 + (8192 - 512)/256
    assert_int_equal(kane_welch_size(8192, 32), 256);
    assert_int_equal(kane_welch_size(8192, 1), 8192);
    assert_int_equal(kane_welch_size(8191, 1), 4096);
    assert_int_equal(kane_welch_size(20, 8), 16);
    assert_int_equal(kane_welch_size(15, 1), 0);
    assert_int_equal(kane_welch(COUNT, step, x, 500, f, density, &errors), KANE_BAD_ARGUMENT);
    assert_int_equal(kane_welch(COUNT, step, x, 8, f, density, &errors), KANE_BAD_ARGUMENT);
    assert_int_equal(kane_welch(100, step, x, 128, f, density, &errors), KANE_BAD_ARGUMENT);
    assert_int_equal(kane_welch(COUNT, 0.0, x, SIZE, f, density, &errors), KANE_BAD_ARGUMENT);
    assert_non_null(strstr(kane_errors_get(&errors, 2)->text, "100 rows are too few for a window of 128"));
}

CHECK_MAIN(NULL, NULL)
