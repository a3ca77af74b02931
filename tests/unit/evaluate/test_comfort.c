// SPDX-License-Identifier: MIT
// Comfort and Sperling's Wz: worked examples.

#include "check.h"

#include <kane/signal.h>

enum { COUNT = 12000 }; // a minute at 200 Hz
static const double pi = 3.14159265358979323846, step = 0.005;
static double x[COUNT];

static void fill_sine(double amplitude, double frequency)
{
    for (int i = 0; i < COUNT; i++)
        x[i] = amplitude * sin(2.0 * pi * frequency * step * i);
}

// 0.2 m/s^2 at 8 Hz upwards: W = 1.0251 (ISO 8041's function), so a_w = 0.2 x 1.0251/sqrt 2 = 0.14497 m/s^2 in every
// block, N_MV = 6 x 0.14497 = 0.8698. Sideways at 1 Hz: W = 1.0110, a_w = 0.14298 m/s^2.
CHECK_TEST(mean_comfort_of_a_sine_by_hand)
{
    int blocks = 0;
    fill_sine(0.2, 8.0);
    assert_int_equal(kane_weighting_apply(KANE_WEIGHTING_WB, step, COUNT, x, NULL), KANE_OK);
    const double z = kane_comfort_p95(step, COUNT, x, &blocks, NULL);
    assert_int_equal(blocks, 12);
    check_relative(z, 0.14497, 1e-3);
    check_relative(kane_comfort_mean(0.0, 0.0, z), 0.8698, 1e-3);
    fill_sine(0.2, 1.0);
    assert_int_equal(kane_weighting_apply(KANE_WEIGHTING_WD, step, COUNT, x, NULL), KANE_OK);
    const double y = kane_comfort_p95(step, COUNT, x, NULL, NULL);
    check_relative(y, 0.14298, 4e-3); // the first block, with the transient, is a little higher
    check_relative(kane_comfort_mean(0.03, 0.04, 0.12), 6.0 * 0.13, 1e-12);
}

// Blocks are 5 s long and follow each other: effective values 1, 2, ... of twelve give 11.45 at 95 %.
CHECK_TEST(blocks_follow_each_other)
{
    double out[12];
    for (int i = 0; i < COUNT; i++)
        x[i] = (i % 2 ? -1.0 : 1.0) * (1 + i / 1000);
    assert_int_equal(kane_comfort_blocks(step, COUNT - 1, x, NULL), 11);
    assert_int_equal(kane_comfort_blocks(step, COUNT, x, out), 12);
    for (int i = 0; i < 12; i++)
        check_near(out[i], 1.0 + i, 1e-12);
    check_near(kane_comfort_p95(step, COUNT, x, NULL, NULL), 1.0 + 11.0 * 0.95, 1e-12);
}

// P_CT as UIC published it, in percent, with the roll velocity in degrees per second:
//   standing  28.54 y + 20.69 y' - 11.1 + 0.185 r^2.283      seated  8.97 y + 9.68 y' - 5.9 + 0.120 r^1.626
CHECK_TEST(curve_transitions_are_those_of_the_uic)
{
    const double y = 1.0, jerk = 0.5, degrees = 3.0, r = degrees * pi / 180.0;
    check_near(kane_comfort_transition(KANE_STANDING, y, jerk, r),
               28.54 * y + 20.69 * jerk - 11.1 + 0.185 * pow(degrees, 2.283), 2e-3);
    check_near(kane_comfort_transition(KANE_SEATED, y, jerk, r),
               8.97 * y + 9.68 * jerk - 5.9 + 0.120 * pow(degrees, 1.626), 2e-3);
    // little acceleration is no comfort that makes up for roll
    check_near(kane_comfort_transition(KANE_STANDING, 0.1, 0.0, r), 0.185 * pow(degrees, 2.283), 2e-3);
    check_near(kane_comfort_event(KANE_STANDING, 1.5, 1.0), 16.62 * 1.5 + 27.01 - 37.0, 1e-9);
    check_near(kane_comfort_event(KANE_SEATED, 1.5, 1.0), 8.46 * 1.5 + 13.05 - 21.7, 1e-9);
    check_near(kane_comfort_event(KANE_STANDING, 0.5, 0.5), 0.0, 0.0);
}

// Acceleration rises linearly from 0 to 1.2 m/s^2 within 3 s, while the body rolls at 0.03 rad/s.
CHECK_TEST(a_linear_transition_by_hand)
{
    enum { N = 2001 };
    static double y[N], roll[N];
    for (int i = 0; i < N; i++) {
        const double t = step * i;
        y[i]           = -1.2 * fmin(fmax((t - 4.0) / 3.0, 0.0), 1.0);
        roll[i]        = t >= 4.0 && t <= 7.0 ? 0.03 : 0.0;
    }
    const double expected = 100.0 * (0.2854 * 1.2 + 0.2069 * 0.4 - 0.111 + pow(3.64 * 0.03, 2.283));
    check_relative(kane_comfort_transition_of(KANE_STANDING, step, N, y, roll, 4.0, 7.0, NULL), expected, 1e-9);
    static kane_errors errors;
    assert_true(isnan(kane_comfort_transition_of(KANE_STANDING, step, N, y, roll, 1.5, 7.0, &errors)));
    assert_true(isnan(kane_comfort_transition_of(KANE_STANDING, step, N, y, roll, 4.0, 8.0, &errors)));
    assert_int_equal(errors.count, 2);
    assert_non_null(strstr(kane_errors_get(&errors, 0)->text, "needs rows from 2 s before to 2.1 s behind"));
}

// A half sine of 1 s and 1.5 m/s^2 on a quiet 0.8 m/s^2: within 2 s there are 1.5 peak to peak, mean 0.8 + 1.5/pi.
CHECK_TEST(a_discrete_event_by_hand)
{
    static kane_errors errors;
    for (int i = 0; i < COUNT; i++) {
        const double t = step * i - 20.0;
        x[i]           = -0.8 - (t > 0.0 && t < 1.0 ? 1.5 * sin(pi * t) : 0.0);
    }
    const double expected = 100.0 * (0.1662 * 1.5 + 0.2701 * (0.8 + 1.5 / pi) - 0.37);
    check_relative(kane_comfort_events_of(KANE_STANDING, step, COUNT, x, NULL) / expected, 1.0, 1e-4);
    assert_true(isnan(kane_comfort_events_of(KANE_STANDING, step, 300, x, &errors)));
}

// One sine: Wz = (a B)^0.3, a in cm/s^2. Vertical, 5 Hz, 50 cm/s^2: B = 0.588 sqrt(86.8375/(5.925^2 + 3.215^2)) =
// 0.81284, so that Wz = 40.642^0.3 = 3.0387.
CHECK_TEST(sperlings_index_of_a_sine_by_hand)
{
    fill_sine(0.5, 5.0);
    assert_int_equal(kane_weighting_apply(KANE_WEIGHTING_SPERLING_Z, step, COUNT, x, NULL), KANE_OK);
    check_relative(kane_sperling(COUNT, x), 3.03873, 4e-4);
    static const kane_weighting all[] = {KANE_WEIGHTING_SPERLING_Y, KANE_WEIGHTING_SPERLING_Z,
                                         KANE_WEIGHTING_SPERLING_QUALITY};
    for (int k = 0; k < 3; k++)
        for (double f = 1.0; f < 20.0; f *= 2.0) {
            fill_sine(0.5, f);
            assert_int_equal(kane_weighting_apply(all[k], step, COUNT, x, NULL), KANE_OK);
            check_relative(kane_sperling(COUNT, x), pow(50.0 * kane_weighting_gain(all[k], f), 0.3), 2e-3);
        }
}

// Effective values count: two sines at once are (W1^(20/3) + W2^(20/3))^(3/20).
CHECK_TEST(sperlings_index_adds_powers)
{
    static double one[COUNT];
    fill_sine(0.3, 2.0);
    for (int i = 0; i < COUNT; i++)
        one[i] = x[i];
    const double a = kane_sperling(COUNT, x);
    fill_sine(0.4, 7.0);
    const double b = kane_sperling(COUNT, x);
    for (int i = 0; i < COUNT; i++)
        x[i] += one[i];
    check_relative(kane_sperling(COUNT, x), pow(pow(a, 20.0 / 3.0) + pow(b, 20.0 / 3.0), 0.15), 1e-9);
    for (int i = 0; i < COUNT; i++)
        x[i] = 0.01 * (i % 2 ? 1.0 : -1.0); // effective value 1 cm/s^2: 4.42 x 0.01^0.3
    check_relative(kane_sperling(COUNT, x), 4.4173 * pow(0.01, 0.3), 1e-4);
}

CHECK_TEST(short_records_are_refused)
{
    static kane_errors errors;
    assert_true(isnan(kane_comfort_p95(step, 999, x, NULL, &errors)));
    assert_non_null(strstr(kane_errors_get(&errors, 0)->text, "rows over 4.995 s are too few for comfort"));
}

CHECK_MAIN(NULL, NULL)
