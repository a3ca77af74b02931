// SPDX-License-Identifier: MIT
// What an omission does to the critical speeds of Kaas-Petersen's bogie in a curve, against plain equations of the
// complete and of the omitting model.

#include "folder.h"

#include "math/dense.h"
#include "oracle/plain_bogie.h"

#include <kane/study.h>

#define RUN KANE_SOURCE_DIR "/data/runs/kaas-petersen-bogie.json"

enum { STATES = PLAIN_BOGIE_STATES };

static const double radius = 5000.0, cant = 0.05, running_distance = 1.5, g = 9.81;

// The curve at a speed: cant pulls inwards, the force of translation, unless it is omitted, outwards.
static plain_bogie bogie_in_curve(double V, int is_omitted)
{
    const double sin_cant = cant / running_distance, outwards = V * V / radius * sqrt(1.0 - sin_cant * sin_cant);
    plain_bogie bogie = plain_bogie_straight;
    bogie.curvature   = 1.0 / radius;
    bogie.pull        = g * sin_cant - (is_omitted ? 0.0 : outwards);
    return bogie;
}

static kane_decision_report *decide_in_curve(const char *conclusion, double from, double to, double step,
                                             double resolution)
{
    static const char *const omissions[] = {"*:force.translation.*"}, *const settings[] = {"integrator.rtol=1e-5",
                                                                                           NULL};
    const kane_run_options common = {.settings = settings};
    kane_critical_study speeds    = kane_critical_study_default();
    CHECK_ERRORS errors           = {0};
    kane_decision_report *report  = NULL;
    speeds.from                   = from;
    speeds.to                     = to;
    speeds.step                   = step;
    speeds.resolution             = resolution;
    speeds.disturbance            = 9e-3;
    char directory[64];
    (void)snprintf(directory, sizeof directory, "%s-%g", conclusion, to);
    const kane_omission_study study = {.file             = RUN,
                                       .common           = &common,
                                       .threshold        = 0.01,
                                       .conclusion_count = 1,
                                       .conclusions      = &conclusion,
                                       .omission_count   = 1,
                                       .omissions        = omissions,
                                       .curvature        = 1.0 / radius,
                                       .superelevation   = cant,
                                       .critical         = &speeds,
                                       .execution        = {.directory = directory, .workers = 2}};
    if (kane_study_decisions(&study, &report, &errors) != KANE_OK || !report)
        fail_msg("%s", errors.count > 0 ? kane_errors_get(&errors, 0)->text : "no report");
    assert_int_equal(report->count, 1);
    return report;
}

// --- the linear critical speed ---

// d(rates)/d(y) by central differences, by columns.
static void differentiate_rates(const plain_bogie *bogie, double V, const double *y, double *A)
{
    const double h = 1e-7;
    for (int j = 0; j < STATES; j++) {
        double at[STATES], high[STATES], low[STATES];
        memcpy(at, y, sizeof at);
        at[j] = y[j] + h;
        plain_bogie_rates(bogie, V, at, high);
        at[j] = y[j] - h;
        plain_bogie_rates(bogie, V, at, low);
        for (int i = 0; i < STATES; i++)
            A[j * STATES + i] = (high[i] - low[i]) / (2.0 * h);
    }
}

// Equilibrium by Newton's method.
static void rest_in_curve(const plain_bogie *bogie, double V, double *y)
{
    double A[STATES * STATES], r[STATES];
    int pivot[STATES];
    memset(y, 0, STATES * sizeof *y);
    for (int n = 0; n < 30; n++) {
        plain_bogie_rates(bogie, V, y, r);
        differentiate_rates(bogie, V, y, A);
        assert_int_not_equal(kane_lu_factor(STATES, A, pivot), 0);
        kane_lu_solve_transposed(STATES, A, pivot, r); // A is by columns
        for (int i = 0; i < STATES; i++)
            y[i] -= r[i];
    }
    plain_bogie_rates(bogie, V, y, r);
    for (int i = 0; i < STATES; i++)
        check_near(r[i], 0.0, 1e-8);
}

static double growth_in_curve(double V, int is_omitted)
{
    const plain_bogie bogie = bogie_in_curve(V, is_omitted);
    double y[STATES], A[STATES * STATES], re[STATES], im[STATES], scratch[STATES], most = -1e9;
    rest_in_curve(&bogie, V, y);
    differentiate_rates(&bogie, V, y, A);
    assert_int_equal(kane_eigen_solve(STATES, A, re, im, NULL, NULL, scratch), 0);
    for (int i = 0; i < STATES; i++)
        most = fmax(most, re[i]);
    return most;
}

// Slowest speed from 50 m/s on, in steps of 1 m/s, with a mode that grows.
static double plain_critical(int is_omitted)
{
    double low = 50.0, high = 51.0;
    while (growth_in_curve(high, is_omitted) < 0.0) {
        low = high;
        high += 1.0;
        assert_true(high < 100.0);
    }
    while (high - low > 1e-5) {
        const double middle                                         = 0.5 * (low + high);
        *(growth_in_curve(middle, is_omitted) > 0.0 ? &high : &low) = middle;
    }
    return low;
}

CHECK_TEST(linear_speeds_in_a_curve_are_those_of_plain_equations)
{
    kane_decision_report *r = decide_in_curve("critical", 50.0, 90.0, 2.0, 0.1);
    const kane_decision *d  = r->decisions;
    const double complete = plain_critical(0), omitted = plain_critical(1);
    print_message("%.4f %.4f, plain %.4f %.4f\n", d->complete, d->omitted, complete, omitted);
    check_near(d->complete, complete, 1e-3); // coefficients have seven digits; sections of wheels, weight: 2e-4
    check_near(d->omitted, omitted, 1e-3);
    assert_true(d->accuracy < 1e-5);
    assert_int_equal(d->verdict, fabs(omitted - complete) > 0.01 * complete ? KANE_DECIDES : KANE_DECIDES_NOT);
    kane_decision_report_free(r);
}

// Up to a speed between both the complete model has no critical speed, but without the term there is one: the loss is
// at least its distance from there, .3 %.
CHECK_TEST(critical_speed_of_one_model_alone_is_a_bound)
{
    kane_decision_report *r = decide_in_curve("critical", 60.0, 68.7, 2.0, 0.1);
    const kane_decision *d  = r->decisions;
    assert_true(isinf(d->complete) && isfinite(d->omitted));
    assert_int_equal(d->verdict, KANE_DECIDES_UNRESOLVED);
    assert_true(isnan(d->loss));
    check_near(d->bound, 68.7 - plain_critical(1), 1e-3);
    assert_non_null(strstr(d->words, "none up to 68.7 m/s; without it"));
    assert_non_null(strstr(d->words, "; loss at least 0.22"));
    kane_decision_report_free(r);
    r = decide_in_curve("critical", 60.0, 68.0, 2.0, 0.1);
    assert_int_equal(r->decisions[0].verdict, KANE_DECIDES_NOT);
    assert_true(r->decisions[0].loss == 0.0);
    assert_string_equal(r->decisions[0].words, "none up to 68 m/s");
    kane_decision_report_free(r);
    r = decide_in_curve("critical", 69.0, 72.0, 2.0, 0.1); // both are slower: the slowest speed is a bound alone
    assert_int_equal(r->decisions[0].verdict, KANE_DECIDES_UNRESOLVED);
    assert_non_null(strstr(r->decisions[0].words, "or less: "));
    kane_decision_report_free(r);
}

// --- cycles ---

// Motion that plain equations come to at a speed, in steps down from far above.
static plain_bogie_swing plain_cycle(double V, int is_omitted)
{
    static const double above[] = {4.0, 2.0, 1.0, 0.6, 0.3, 0.1, 0.0};
    double y[STATES]            = {0.009, 0.0, 0.002};
    plain_bogie_swing swing     = {0.0, 0.0};
    for (int i = 0; i < 7; i++) {
        const plain_bogie bogie = bogie_in_curve(V + above[i], is_omitted);
        swing                   = plain_bogie_run(&bogie, V + above[i], i < 6 ? 20.0 : 60.0, y);
    }
    return swing;
}

// A cycle a little faster than the slowest one, rest a little slower; and the words have its amplitude and frequency.
static void check_cycle(double slowest, const char *words, int is_omitted)
{
    const double beside = 0.15; // the interval in which cycles end, and what it takes that motion decides in a minute
    double amplitude, frequency;
    assert_int_equal(sscanf(words, "leading %lf mm, %lf Hz", &amplitude, &frequency), 2);
    const plain_bogie_swing at    = plain_cycle(slowest + 0.05, is_omitted);
    const plain_bogie_swing alive = plain_cycle(slowest + beside, is_omitted);
    print_message("%.4f m/s: %s; plain %.4f mm, %.4f Hz; %.4f mm above\n", slowest, words, 1e3 * at.amplitude,
                  at.frequency, 1e3 * alive.amplitude);
    assert_true(1e3 * alive.amplitude > 0.9 * amplitude);
    assert_true(plain_cycle(slowest - beside, is_omitted).amplitude < 1e-3);
    check_near(amplitude, 1e3 * at.amplitude, 0.02 * amplitude);
    check_near(frequency, at.frequency, 2e-3 * frequency);
}

CHECK_TEST(cycles_in_a_curve_are_those_of_plain_equations)
{
    kane_decision_report *r = decide_in_curve("cycle", 66.0, 70.0, 2.0, 0.1);
    const kane_decision *d  = r->decisions;
    const char *omitted     = strstr(d->words, "; without it ");
    assert_non_null(omitted);
    check_cycle(d->complete, d->words, 0);
    check_cycle(d->omitted, omitted + strlen("; without it "), 1);
    assert_true(d->accuracy > 0.0 && d->accuracy <= 0.2);
    kane_decision_report_free(r);
}

// What is not looked at is not said to have no cycle.
CHECK_TEST(no_cycle_up_to_a_speed)
{
    kane_decision_report *r = decide_in_curve("cycle", 60.0, 62.0, 2.0, 2.0);
    assert_int_equal(r->decisions[0].verdict, KANE_DECIDES_NOT);
    assert_string_equal(r->decisions[0].words, "none up to 62 m/s");
    kane_decision_report_free(r);
}

CHECK_MAIN(enter_folder, leave_folder)
