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

// Amplitude [m] and frequency [Hz] of the wheelset that swings most in what motion comes to: the leading one on a
// straight.
static kane_motion motion_at(const kane_critical_study *study, double speed, const kane_beginning *begin,
                             double *amplitude, double *frequency, double *deviation)
{
    CHECK_ERRORS errors = {0};
    kane_critical_swing swing[WHEELSETS];
    kane_critical_point point = {0};
    kane_cycle *cycle         = kane_cycle_create(study, speed, &errors);
    check_no_errors(&errors);
    (void)kane_cycle_start(cycle, begin, &errors);
    (void)kane_cycle_run(cycle, &point, swing, NULL, NULL, &errors);
    check_no_errors(&errors);
    *amplitude = swing[point.largest].amplitude;
    *frequency = swing[point.largest].frequency;
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
    wagon w   = wagon_read(RUN, none);
    study.run = kane_run_get_definition(w.run);
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
    wagon_free(&w);
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

// --- carried along the line of a run ---

// A run of the bogie with further settings, its cycle found from 70 m/s on.
static kane_passage carry_cycle(const char *const *settings)
{
    CHECK_ERRORS errors       = {0};
    wagon w                   = wagon_read(RUN, settings);
    kane_critical_study study = kane_critical_study_default();
    kane_passage passage;
    study.run         = kane_run_get_definition(w.run);
    study.to          = 70.0;
    study.step        = 1.0;
    study.disturbance = 9e-3;
    (void)kane_critical_pass(&study, &passage, &errors);
    check_no_errors(&errors);
    wagon_free(&w);
    return passage;
}

// On a straight it stays what it was; below 68.64 m/s rest is stable, and so the end depends on the start.
CHECK_TEST(a_cycle_on_a_straight_stays)
{
    double y[STATES] = {0.009, 0.0, 0.002};
    char text[512];
    (void)plain_bogie_run(69.0, 20.0, y);
    const plain_bogie_swing plain = plain_bogie_run(68.0, 40.0, y);
    const kane_passage p          = carry_cycle((const char *const[]){"start.speed=68", "until.distance=900", NULL});
    const kane_passage_end *e     = &p.end[KANE_PASSAGE_CYCLE];
    assert_int_equal(p.motion, KANE_MOTION_SETTLED);
    assert_int_equal(e->motion, KANE_MOTION_SETTLED);
    check_near(1e3 * e->swing.amplitude, 1e3 * plain.amplitude, 3e-3); // cycles settle to 1e-3 of themselves
    check_near(1e3 * e->farthest, 1e3 * plain.amplitude, 6e-3);
    check_near(e->distance, 900.0, 1e-6);
    assert_string_equal(e->wheelset, "leading");
    assert_true(p.is_resolved && p.has_hysteresis);
    assert_true(p.end[KANE_PASSAGE_REST].swing.amplitude < 1e-4);
    kane_passage_describe(&p, sizeof text, text);
    assert_non_null(strstr(text, "the cycle goes on, 9.74"));
    assert_non_null(strstr(text, ": the end depends on the start"));
}

// Slowing down by .05 m/s^2 from 68 to 67 m/s: half of what the plain equations, slowed down in the same way, span in
// the second from 18 s on. Over a stretch of a second the amplitude changes by some .015 mm.
CHECK_TEST(a_cycle_follows_a_change_of_speed)
{
    double y[STATES] = {0.009, 0.0, 0.002}, least = 1.0, most = -1.0;
    (void)plain_bogie_run(69.0, 20.0, y);
    (void)plain_bogie_run(68.0, 40.0, y);
    for (int i = 0; i < 9500; i++) {
        const double t = 0.002 * i;
        (void)plain_bogie_run(68.0 - 0.05 * t, 0.002, y);
        least = t > 18.0 ? fmin(least, y[0]) : least;
        most  = t > 18.0 ? fmax(most, y[0]) : most;
    }
    const kane_passage p = carry_cycle((const char *const[]){"start.speed=68", "until.time=19.8", "until.distance=1400",
                                                             "speed=[{\"acceleration\":-0.05}]", NULL});
    print_message("%.4f mm, plain %.4f mm\n", 1e3 * p.end[KANE_PASSAGE_CYCLE].swing.amplitude, 0.5e3 * (most - least));
    check_near(1e3 * p.end[KANE_PASSAGE_CYCLE].swing.amplitude, 0.5e3 * (most - least), 2e-2);
    assert_true(p.is_resolved);
}

// Through a transition into a curve it becomes the cycle of an endless curve, which is smaller.
CHECK_TEST(a_cycle_becomes_that_of_the_curve)
{
    double amplitude, frequency;
    const kane_beginning aside = {.way = KANE_PERTURB_MODE, .amount = 9e-3};
    kane_critical_study study  = kane_critical_study_default();
    wagon w                    = wagon_read(RUN, none);
    study.run                  = kane_run_get_definition(w.run);
    study.curvature            = 2e-4;
    study.superelevation       = 0.05;
    assert_int_equal(motion_at(&study, 70.0, &aside, &amplitude, &frequency, NULL), KANE_MOTION_SETTLED);
    wagon_free(&w);
    const kane_passage p = carry_cycle(
        (const char *const[]){"start.speed=70", "until.distance=4500",
                              "track.sections=[{\"straight\":300},{\"transition\":100,\"to\":{\"radius\":5000,"
                              "\"cant\":0.05}},{\"curve\":4500}]",
                              NULL});
    const kane_passage_end *e = &p.end[KANE_PASSAGE_CYCLE];
    assert_int_equal(e->motion, KANE_MOTION_SETTLED);
    check_near(1e3 * e->swing.amplitude, 1e3 * amplitude, 2e-2); // both settle to 1e-3 of themselves
    check_near(e->swing.frequency, frequency, 2e-3);
    assert_true(1e3 * (p.cycle.amplitude - e->swing.amplitude) > 0.5);
    // 70 m/s is above the linear critical speed: from rest it comes to the same or is on its way
    assert_true(p.end[KANE_PASSAGE_REST].motion != KANE_MOTION_DIED);
}

CHECK_TEST(without_a_cycle_there_is_nothing_to_carry)
{
    char text[512];
    const kane_passage p = carry_cycle((const char *const[]){"start.speed=60", "until.distance=300", NULL});
    assert_int_equal(p.motion, KANE_MOTION_DIED);
    kane_passage_describe(&p, sizeof text, text);
    assert_string_equal(text, "no limit cycle to carry: at the start motion is died");
}

CHECK_MAIN(NULL, NULL)
