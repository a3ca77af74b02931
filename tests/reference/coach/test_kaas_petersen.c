// SPDX-License-Identifier: MIT
// What vehicles/kaas-petersen.md says, against plain equations: where rest loses its stability, limit cycles, and down
// to which speed they are.

#include "property/wagon/linear.h"

#include "math/dense.h"
#include "oracle/plain_bogie.h"
#include "stability/cycle.h"

#define RUN "kaas-petersen-bogie"

enum { STATES = PLAIN_BOGIE_STATES, WHEELSETS = 2 };

static const char *const none[] = {NULL};

// Largest real part of the eigenvalues of rest; frequency of the fastest growing oscillation [Hz].
static double plain_growth(double V, double *frequency)
{
    const double h = 1e-10; // creep forces bend: slopes at rest are off by parts of G h/(3 mu N)
    double A[STATES * STATES], re[STATES], im[STATES], scratch[STATES];
    int most = 0;
    for (int j = 0; j < STATES; j++) {
        double y[STATES] = {0.0}, ydot[STATES];
        y[j]             = h;
        plain_bogie_rates(V, y, ydot);
        for (int i = 0; i < STATES; i++)
            A[j * STATES + i] = ydot[i] / h;
    }
    assert_int_equal(kane_eigen_solve(STATES, A, re, im, NULL, NULL, scratch), 0);
    for (int i = 0; i < STATES; i++)
        most = re[i] > re[most] ? i : most;
    *frequency = fabs(im[most]) / 6.283185307179586;
    return re[most];
}

static double libkane_growth(double V, double *frequency)
{
    return linear_growth(RUN, NULL, V, frequency);
}

// The speed at which it vanishes.
static double critical(double (*growth)(double, double *), double *frequency)
{
    double low = 68.0, high = 69.5;
    assert_true(growth(low, frequency) < 0.0 && growth(high, frequency) > 0.0);
    while (high - low > 1e-5) {
        const double middle                               = 0.5 * (low + high);
        *(growth(middle, frequency) > 0.0 ? &high : &low) = middle;
    }
    return low;
}

CHECK_TEST(rest_loses_its_stability_where_plain_equations_say)
{
    double row[2], f, plain_f;
    page_row("kaas-petersen", "rest is stable below", 2, row);
    const double speed = critical(libkane_growth, &f), plain = critical(plain_growth, &plain_f);
    check_near(speed, plain, 5e-4); // the page's coefficients have seven digits; sections of wheels, weight
    check_near(f, plain_f, 1e-4);
    check_near(row[0], speed, 6e-4);
    check_near(row[1], f, 6e-4);
}

// Amplitude [m] and frequency [Hz] of the leading wheelset in what motion comes to.
static kane_motion motion_at(const kane_critical_study *study, double speed, const kane_beginning *begin,
                             double *amplitude, double *frequency, double *deviation)
{
    kane_critical_swing swing[WHEELSETS];
    kane_critical_point point = {0};
    kane_cycle *cycle         = CHECK_GOOD(kane_cycle_create, study, speed);
    (void)CHECK_GOOD(kane_cycle_start, cycle, begin);
    (void)CHECK_GOOD(kane_cycle_run, cycle, &point, swing, NULL, NULL);
    *amplitude = swing[0].amplitude;
    *frequency = swing[0].frequency;
    if (deviation)
        kane_cycle_deviation(cycle, deviation);
    kane_cycle_free(cycle);
    return point.motion;
}

CHECK_TEST(cycles_are_those_of_plain_equations)
{
    static const double speeds[] = {70.0, 69.0, 68.0};
    double deviation[LINEAR_STATES_MOST], y[STATES] = {0.009, 0.0, 0.002};
    kane_critical_study study  = kane_critical_study_default();
    const kane_beginning aside = {.way = KANE_PERTURB_MODE, .amount = 9e-3}, on = {.from = deviation, .part = 1.0};
    CHECK_FREED(wagon) w = wagon_read(RUN, none);
    study.run            = kane_run_get_definition(w.run);
    for (int i = 0; i < 3; i++) {
        char name[32];
        double row[2], amplitude, frequency;
        (void)snprintf(name, sizeof name, "%.0f", speeds[i]);
        page_row("kaas-petersen", name, 2, row);
        const kane_motion motion =
            motion_at(&study, speeds[i], i == 0 ? &aside : &on, &amplitude, &frequency, deviation);
        const plain_bogie_swing plain = plain_bogie_run(speeds[i], 40.0, y);
        assert_int_equal(motion, KANE_MOTION_SETTLED);
        check_near(1e3 * amplitude, 1e3 * plain.amplitude, 3e-3); // cycles settle to 1e-3 of themselves
        check_near(frequency, plain.frequency, 1e-3);
        check_near(row[0], 1e3 * plain.amplitude, 6e-4);
        check_near(row[1], plain.frequency, 6e-4);
    }
}

// From cycles above to .05 m/s above and below the end of the branch; the plain ones in small steps, so that motion
// stays near the cycle.
CHECK_TEST(cycles_end_where_those_of_plain_equations_do)
{
    static const double on_the_way[] = {69.0, 68.0, 67.3, 66.9};
    double row[2], deviation[LINEAR_STATES_MOST], amplitude, frequency, y[STATES] = {0.009, 0.0, 0.002}, same[STATES];
    kane_critical_study study  = kane_critical_study_default();
    const kane_beginning aside = {.way = KANE_PERTURB_MODE, .amount = 9e-3}, on = {.from = deviation, .part = 1.0};
    wagon w = wagon_read(RUN, none);
    page_row("kaas-petersen", "cycles end between", 2, row);
    study.run             = kane_run_get_definition(w.run);
    study.rules.cycles    = 4;
    study.rules.tolerance = 2e-3;
    assert_int_equal(motion_at(&study, 67.5, &aside, &amplitude, &frequency, deviation), KANE_MOTION_SETTLED);
    assert_int_equal(motion_at(&study, row[1] + 0.05, &on, &amplitude, &frequency, NULL), KANE_MOTION_SETTLED);
    assert_true(amplitude > 9.3e-3);
    assert_int_equal(motion_at(&study, row[0] - 0.05, &on, &amplitude, &frequency, NULL), KANE_MOTION_DIED);
    wagon_free(&w);

    for (int i = 0; i < 4; i++)
        (void)plain_bogie_run(on_the_way[i], 30.0, y);
    memcpy(same, y, sizeof y);
    assert_true(plain_bogie_run(row[1] + 0.05, 60.0, y).amplitude > 9.3e-3);
    assert_true(plain_bogie_run(row[0] - 0.05, 60.0, same).amplitude < 1e-3);
}

CHECK_MAIN(NULL, NULL)
