// SPDX-License-Identifier: MIT
// Oscillations that are known beforehand: measured, and judged as what they are.

#include "check.h"

#include "stability/cycle.h"

#define PI 3.14159265358979323846

enum { SAMPLES = 4000 };

static const double step = 2e-3; // [s]

// A signal at time t; data: its numbers.
typedef double signal_at(double t, const double *data);

static kane_oscillation measure(signal_at *signal, const double *data, double begin, int count)
{
    static double samples[SAMPLES];
    for (int i = 0; i < count; i++)
        samples[i] = signal(begin + i * step, data);
    return kane_oscillation_measure(count, samples, step);
}

// What is said of a signal, stretch by stretch of `count` samples, at most `most` of them; OPEN after that.
static kane_motion judge(signal_at *signal, const double *data, int count, int most, int *stretches)
{
    const kane_critical_rules rules = kane_critical_rules_default();
    kane_oscillation room[KANE_SETTLING_STRETCHES];
    kane_settling s = {.coordinates = 1, .watched = 1, .stretch = {&room[0], &room[1], &room[2]}};
    kane_settling_start(&s);
    for (*stretches = 0; *stretches < most;) {
        *kane_settling_next(&s) = measure(signal, data, *stretches * count * step, count);
        ++*stretches;
        const kane_motion motion = kane_settling_judge(&s, &rules);
        if (motion != KANE_MOTION_OPEN)
            return motion;
    }
    return kane_settling_drift(&s, rules.tolerance);
}

// data: amplitude, frequency, level, growth [1/s]
static double sine(double t, const double *d)
{
    return d[2] + d[0] * exp(d[3] * t) * sin(2.0 * PI * d[1] * t + 0.3);
}

CHECK_TEST(a_sine_has_its_amplitude_frequency_and_level)
{
    for (double frequency = 0.7; frequency < 9.0; frequency *= 1.3) {
        const double data[]      = {5e-3, frequency, 1.5e-3, 0.0};
        const kane_oscillation o = measure(sine, data, 0.0, SAMPLES);
        check_relative(o.amplitude, 5e-3, 2e-5);
        check_relative(o.frequency, frequency, 1e-4);
        check_near(o.level, 1.5e-3, 1e-7);
        check_relative(o.farthest, 6.5e-3, 2e-4); // of samples: up to (omega h)^2/8 below the peak
        assert_true(o.most - o.least < 5e-5 * o.amplitude);
        assert_true(abs(o.cycles - (int)(8.0 * frequency)) <= 1);
    }
}

// Fundamental and third harmonic: two peaks and two upward crossings a cycle, still one cycle a period.
static double wobble(double t, const double *d)
{
    return d[0] * (sin(2.0 * PI * d[1] * t) - 0.45 * sin(6.0 * PI * d[1] * t));
}

CHECK_TEST(harmonics_do_not_make_more_cycles)
{
    const double data[]      = {4e-3, 2.0, 0.0, 0.0};
    const kane_oscillation o = measure(wobble, data, 0.0, SAMPLES);
    check_relative(o.frequency, 2.0, 1e-4);
    double most = 0.0; // of one period
    for (int i = 0; i < 100000; i++)
        most = fmax(most, wobble(i * 5e-6, data));
    check_relative(o.amplitude, most, 1e-4);
}

CHECK_TEST(without_a_cycle_half_the_span_is_the_amplitude)
{
    const double data[]      = {1e-3, 0.02, 0.0, 0.0}; // a fiftieth of a period
    const kane_oscillation o = measure(sine, data, 0.0, 500);
    assert_int_equal(o.cycles, 0);
    assert_true(o.frequency == 0.0);
    check_near(o.amplitude, 0.5e-3 * (sin(0.3 + 2.0 * PI * 0.02 * 499 * step) - sin(0.3)), 1e-12);
}

CHECK_TEST(motion_is_judged_as_what_it_is)
{
    int stretches;
    // periodic: as soon as there are three stretches
    assert_int_equal(judge(sine, (double[]){6e-3, 2.5, 0.0, 0.0}, SAMPLES, 20, &stretches), KANE_MOTION_SETTLED);
    assert_int_equal(stretches, KANE_SETTLING_STRETCHES);
    // decays from 6 mm to a hundredth of one in ln 600/0.3 s = 21 s, less a stretch's length
    assert_int_equal(judge(sine, (double[]){6e-3, 2.5, 0.0, -0.3}, SAMPLES, 20, &stretches), KANE_MOTION_DIED);
    assert_true(stretches >= 3 && stretches <= 4);
    // grows for ever
    assert_int_equal(judge(sine, (double[]){1e-4, 2.5, 0.0, 0.02}, SAMPLES, 20, &stretches), KANE_MOTION_GROWING);
    // decays for long
    assert_int_equal(judge(sine, (double[]){5e-3, 2.5, 0.0, -0.01}, SAMPLES, 20, &stretches), KANE_MOTION_DECAYING);
    // grows out of next to nothing: that it is small does not make it dead
    assert_int_equal(judge(sine, (double[]){1e-7, 2.5, 0.0, 0.02}, SAMPLES, 20, &stretches), KANE_MOTION_GROWING);
}

// Something else that grows slowly keeps what is at rest from having died, but not from having settled.
CHECK_TEST(what_is_only_watched_must_be_quiet_too)
{
    const kane_critical_rules rules = kane_critical_rules_default();
    kane_oscillation room[KANE_SETTLING_STRETCHES][2];
    kane_settling s = {.coordinates = 1, .watched = 2, .stretch = {room[0], room[1], room[2]}};
    for (int large = 0; large < 2; large++)
        for (int grows = 0; grows < 2; grows++) {
            const double judged[] = {large ? 5e-3 : 1e-6, 2.5, 0.0, large ? 0.0 : -0.02};
            const double other[]  = {1e-6, 0.5, 0.0, grows ? 0.02 : -0.02};
            kane_settling_start(&s);
            for (int k = 0; k < KANE_SETTLING_STRETCHES; k++) {
                kane_oscillation *next = kane_settling_next(&s);
                next[0]                = measure(sine, judged, k * SAMPLES * step, SAMPLES);
                next[1]                = measure(sine, other, k * SAMPLES * step, SAMPLES);
            }
            const kane_motion expected = large ? KANE_MOTION_SETTLED : grows ? KANE_MOTION_OPEN : KANE_MOTION_DIED;
            assert_int_equal(kane_settling_judge(&s, &rules), expected);
        }
}

// Two frequencies: swells and sinks for ever, with one and a half beats a stretch.
static double beat(double t, const double *d)
{
    return d[0] * (sin(2.0 * PI * d[1] * t) + 0.2 * sin(2.0 * PI * (d[1] + 0.19) * t));
}

CHECK_TEST(a_beat_never_settles)
{
    int stretches;
    assert_true(judge(beat, (double[]){5e-3, 2.5}, SAMPLES, 30, &stretches) == KANE_MOTION_OPEN);
}

// data: amplitude in the end, frequency, difference at the beginning over it, rate of approach [1/s]
static double approach(double t, const double *d)
{
    return d[0] * (1.0 + d[2] * exp(-d[3] * t)) * sin(2.0 * PI * d[1] * t);
}

CHECK_TEST(an_approach_settles_when_what_is_left_is_small)
{
    int stretches;
    for (double rate = 0.02; rate < 0.5; rate *= 1.7) {
        assert_int_equal(judge(approach, (double[]){5e-3, 2.5, 0.4, rate}, SAMPLES, 200, &stretches),
                         KANE_MOTION_SETTLED);
        // the difference in the middle of the latest stretch
        const double left = 0.4 * exp(-rate * (stretches - 0.5) * SAMPLES * step);
        check_below(left, 1.5e-3);
    }
}

// The ghost of a cycle: a' = -e - a^2 about the amplitude of what has been one, a = -sqrt(e) tan(sqrt(e)(t - T)).
static double ghost(double t, const double *d)
{
    const double root = sqrt(d[2]), turn = fmin(root * (t - d[3]), 1.4);
    return d[0] * (1.0 - root * tan(turn)) * sin(2.0 * PI * d[1] * t);
}

// In the middle it loses but 8e-4 of its amplitude from stretch to stretch: less than the tolerance, but not less and
// less.
CHECK_TEST(lingering_is_not_settling)
{
    int stretches;
    const double data[] = {5e-3, 2.5, 1e-4, 130.0};
    assert_int_not_equal(judge(ghost, data, SAMPLES, 30, &stretches), KANE_MOTION_SETTLED);
}

CHECK_MAIN(NULL, NULL)
