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

// The bogie with half its wheelbase, in both programs.
typedef struct bogie {
    plain_bogie plain;
    char text[8][64];
    const char *settings[9]; // NULL-terminated
} bogie;

static void make_bogie(bogie *b, double half)
{
    static const char *const paths[] = {"wheelsets.%s.at=%g", "elements.%s axlebox.at[0]=%g",
                                        "elements.%s weight.at[0]=%g", "elements.%s flange.at[0]=%g"};
    *b                               = (bogie){.plain = plain_bogie_straight};
    b->plain.half_wheelbase          = half;
    for (int i = 0; i < 8; i++) {
        char path[64];
        const int written = snprintf(path, sizeof path, "vehicle.%s", paths[i / 2]);
        assert_true(written > 0 && written < (int)sizeof path);
        (void)snprintf(b->text[i], sizeof b->text[i], path, i % 2 ? "trailing" : "leading", i % 2 ? -half : half);
        b->settings[i] = b->text[i];
    }
}

// Largest real part of the eigenvalues of rest; frequency of the fastest growing oscillation [Hz].
static double plain_growth(const bogie *b, double V, double *frequency)
{
    const double h = 1e-10; // creep forces bend: slopes at rest are off by parts of G h/(3 mu N)
    double A[STATES * STATES], re[STATES], im[STATES], scratch[STATES];
    int most = 0;
    for (int j = 0; j < STATES; j++) {
        double y[STATES] = {0.0}, ydot[STATES];
        y[j]             = h;
        plain_bogie_rates(&b->plain, V, y, ydot);
        for (int i = 0; i < STATES; i++)
            A[j * STATES + i] = ydot[i] / h;
    }
    assert_int_equal(kane_eigen_solve(STATES, A, re, im, NULL, NULL, scratch), 0);
    for (int i = 0; i < STATES; i++)
        most = re[i] > re[most] ? i : most;
    *frequency = fabs(im[most]) / 6.283185307179586;
    return re[most];
}

static double libkane_growth(const bogie *b, double V, double *frequency)
{
    const char *settings[10] = {NULL};
    char speed[64];
    int count = 0;
    while (b->settings[count]) {
        settings[count] = b->settings[count];
        count++;
    }
    (void)snprintf(speed, sizeof speed, "start.speed=%.17g", V);
    settings[count]      = speed;
    CHECK_FREED(wagon) w = wagon_read(RUN, settings);
    return linear_growth_of(&w, frequency);
}

// The speed at which it vanishes, about a given one.
static double critical(const bogie *b, double (*growth)(const bogie *, double, double *), double about,
                       double *frequency)
{
    double low = about - 0.7, high = about + 0.8;
    assert_true(growth(b, low, frequency) < 0.0 && growth(b, high, frequency) > 0.0);
    while (high - low > 1e-5) {
        const double middle                                  = 0.5 * (low + high);
        *(growth(b, middle, frequency) > 0.0 ? &high : &low) = middle;
    }
    return low;
}

// row: that speed [m/s] and its frequency [Hz]
static void check_stability(const bogie *b, const double *row)
{
    double f, plain_f;
    const double speed = critical(b, libkane_growth, row[0], &f), plain = critical(b, plain_growth, row[0], &plain_f);
    check_near(speed, plain, 5e-4); // the page's coefficients have seven digits; sections of wheels, weight
    check_near(f, plain_f, 1e-4);
    check_near(row[0], speed, 6e-4);
    check_near(row[1], f, 6e-4);
}

CHECK_TEST(rest_loses_its_stability_where_plain_equations_say)
{
    double row[2];
    bogie b;
    make_bogie(&b, plain_bogie_straight.half_wheelbase);
    page_row("kaas-petersen", "rest is stable below", 2, row);
    check_stability(&b, row);
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
        const plain_bogie_swing plain = plain_bogie_run(&plain_bogie_straight, speeds[i], 40.0, y);
        assert_int_equal(motion, KANE_MOTION_SETTLED);
        check_near(1e3 * amplitude, 1e3 * plain.amplitude, 3e-3); // cycles settle to 1e-3 of themselves
        check_near(frequency, plain.frequency, 1e-3);
        check_near(row[0], 1e3 * plain.amplitude, 6e-4);
        check_near(row[1], plain.frequency, 6e-4);
    }
    wagon_free(&w);
}

// From cycles above to .05 m/s above and below the end of the branch; the plain ones in small steps, so that motion
// stays near the cycle. row: fastest speed without [m/s], slowest one with a cycle
static void check_end_of_cycles(const bogie *b, const double *row)
{
    static const double above[] = {2.3, 1.3, 0.6, 0.2};
    double deviation[LINEAR_STATES_MOST], amplitude, frequency, y[STATES] = {0.009, 0.0, 0.002}, same[STATES];
    kane_critical_study study  = kane_critical_study_default();
    const kane_beginning aside = {.way = KANE_PERTURB_MODE, .amount = 9e-3}, on = {.from = deviation, .part = 1.0};
    wagon w               = wagon_read(RUN, b->settings);
    study.run             = kane_run_get_definition(w.run);
    study.rules.cycles    = 4;
    study.rules.tolerance = 2e-3;
    assert_int_equal(motion_at(&study, row[1] + 0.84, &aside, &amplitude, &frequency, deviation), KANE_MOTION_SETTLED);
    assert_int_equal(motion_at(&study, row[1] + 0.05, &on, &amplitude, &frequency, NULL), KANE_MOTION_SETTLED);
    assert_true(amplitude > 9.1e-3);
    assert_int_equal(motion_at(&study, row[0] - 0.05, &on, &amplitude, &frequency, NULL), KANE_MOTION_DIED);
    wagon_free(&w);

    for (int i = 0; i < 4; i++)
        (void)plain_bogie_run(&b->plain, row[1] + above[i], 30.0, y);
    memcpy(same, y, sizeof y);
    assert_true(plain_bogie_run(&b->plain, row[1] + 0.05, 60.0, y).amplitude > 9.1e-3);
    assert_true(plain_bogie_run(&b->plain, row[0] - 0.05, 60.0, same).amplitude < 1e-3);
}

CHECK_TEST(cycles_end_where_those_of_plain_equations_do)
{
    double row[2];
    bogie b;
    make_bogie(&b, plain_bogie_straight.half_wheelbase);
    page_row("kaas-petersen", "cycles end between", 2, row);
    check_end_of_cycles(&b, row);
}

CHECK_TEST(other_wheelbases_agree_with_plain_equations)
{
    static const double halves[] = {0.9, 1.2, 1.5};
    for (int i = 0; i < 3; i++) {
        char name[16];
        double row[4];
        bogie b;
        make_bogie(&b, halves[i]);
        (void)snprintf(name, sizeof name, "%.1f", 2.0 * halves[i]);
        page_row("kaas-petersen", name, 4, row);
        check_stability(&b, row);
        check_end_of_cycles(&b, row + 2);
    }
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
    (void)plain_bogie_run(&plain_bogie_straight, 69.0, 20.0, y);
    const plain_bogie_swing plain = plain_bogie_run(&plain_bogie_straight, 68.0, 40.0, y);
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
    (void)plain_bogie_run(&plain_bogie_straight, 69.0, 20.0, y);
    (void)plain_bogie_run(&plain_bogie_straight, 68.0, 40.0, y);
    for (int i = 0; i < 9500; i++) {
        const double t = 0.002 * i;
        (void)plain_bogie_run(&plain_bogie_straight, 68.0 - 0.05 * t, 0.002, y);
        least = t > 18.0 ? fmin(least, y[0]) : least;
        most  = t > 18.0 ? fmax(most, y[0]) : most;
    }
    const kane_passage p = carry_cycle((const char *const[]){"start.speed=68", "until.time=19.8", "until.distance=1400",
                                                             "speed=[{\"acceleration\":-0.05}]", NULL});
    print_message("%.4f mm, plain %.4f mm\n", 1e3 * p.end[KANE_PASSAGE_CYCLE].swing.amplitude, 0.5e3 * (most - least));
    check_near(1e3 * p.end[KANE_PASSAGE_CYCLE].swing.amplitude, 0.5e3 * (most - least), 2e-2);
    assert_true(p.is_resolved);
}

// A force slows it down, and so does its own creep: V' = (F + drag)/M with the plain equations' drag; M: all masses and
// the spin of both wheelsets, of 80 kg m^2. Of the 1.07 m that drag takes .02 m are lost at the start: in the first 2 s
// the bogie loses 1e-3 m/s more than the plain equations, which have no motion along the track beside V.
CHECK_TEST(a_cycle_follows_a_force)
{
    const double force = -280.0, mass = 2918.0 + 2.0 * (1022.0 + 80.0 / (0.4572 * 0.4572)), h = 2e-3;
    double y[STATES] = {0.009, 0.0, 0.002}, V = 68.0, s = 0.0, free_way = 0.0, least = 1.0, most = -1.0;
    (void)plain_bogie_run(&plain_bogie_straight, 69.0, 20.0, y);
    (void)plain_bogie_run(&plain_bogie_straight, 68.0, 40.0, y);
    for (int i = 0; i < 9900; i++) {
        const double t = h * i, F = force * fmin(t, 1.0);
        s += V * h;
        free_way += (68.0 + force / mass * (t < 1.0 ? 0.5 * t * t : t - 0.5)) * h;
        V += (F + plain_bogie_drag(V, y)) / mass * h;
        (void)plain_bogie_run(&plain_bogie_straight, V, h, y);
        least = t > 17.5 ? fmin(least, y[0]) : least;
        most  = t > 17.5 ? fmax(most, y[0]) : most;
    }
    const kane_passage p      = carry_cycle((const char *const[]){
             "start.speed=68", "until.time=19.8", "until.distance=1400",
             "drive={\"brake\":{\"kind\":\"force\",\"on\":\"bogie\",\"at\":[0,0,0.5334],\"time\":[0,1],"
                  "\"force\":[0,\"-280 N\"]}}",
             NULL});
    const kane_passage_end *e = &p.end[KANE_PASSAGE_CYCLE];
    print_message("%.4f mm, plain %.4f mm; %.4f m, plain %.4f m, %.4f m without drag\n", 1e3 * e->swing.amplitude,
                  0.5e3 * (most - least), e->distance, s, free_way);
    check_near(1e3 * e->swing.amplitude, 0.5e3 * (most - least), 2e-2);
    check_near(e->distance, s, 3e-2 * (free_way - s));
    assert_true(p.is_resolved && e->motion != KANE_MOTION_DIED);
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

// Where the line changes under the vehicle there is no cycle to begin with, whatever drives it.
CHECK_TEST(a_start_in_a_transition_is_refused)
{
    static const char *const drives[] = {
        "speed=[]", "drive={\"brake\":{\"kind\":\"force\",\"on\":\"bogie\",\"at\":[0,0,0.5334],\"time\":[0,1],"
                    "\"force\":[\"-280 N\",\"-280 N\"]}}"};
    static const char line[] = "track.sections=[{\"straight\":20},{\"transition\":100,\"to\":{\"radius\":5000,"
                               "\"cant\":0.05}},{\"curve\":4500}]";
    for (int i = 0; i < 2; i++) {
        const char *const settings[] = {"start.speed=70", "start.at=50", drives[i], line, NULL};
        CHECK_ERRORS errors          = {0};
        kane_passage passage;
        wagon w                   = wagon_read(RUN, settings);
        kane_critical_study study = kane_critical_study_default();
        study.run                 = kane_run_get_definition(w.run);
        study.disturbance         = 9e-3;
        assert_int_not_equal(kane_critical_pass(&study, &passage, &errors), KANE_OK);
        assert_non_null(strstr(kane_errors_get(&errors, 0)->text, "the line changes under the vehicle"));
        wagon_free(&w);
    }
}

CHECK_TEST(without_a_cycle_there_is_nothing_to_carry)
{
    char text[512];
    const kane_passage p = carry_cycle((const char *const[]){"start.speed=60", "until.distance=300", NULL});
    assert_int_equal(p.motion, KANE_MOTION_DIED);
    kane_passage_describe(&p, sizeof text, text);
    assert_string_equal(text, "no limit cycle to carry: at the start motion has died");
}

// Above the linear critical speed motion from rest becomes the cycle in the end; while it grows that is not resolved. A
// run that is shorter than a stretch says nothing.
CHECK_TEST(unfinished_motion_is_no_hysteresis)
{
    char text[512];
    const kane_passage growing = carry_cycle((const char *const[]){"start.speed=70", "until.distance=1500", NULL});
    assert_int_equal(growing.end[KANE_PASSAGE_REST].motion, KANE_MOTION_GROWING);
    assert_true(!growing.is_finished && !growing.has_hysteresis);
    kane_passage_describe(&growing, sizeof text, text);
    assert_non_null(strstr(text, "from rest motion still grows, 4.2"));
    assert_non_null(strstr(text, "; not resolved: motion still grows at the end"));
    const kane_passage early = carry_cycle((const char *const[]){"start.speed=70", "until.distance=20", NULL});
    assert_true(!early.is_finished && !early.has_hysteresis);
    kane_passage_describe(&early, sizeof text, text);
    assert_string_equal(text, "not resolved: the run ends at 20 m, before motion can be judged");
}

CHECK_MAIN(NULL, NULL)
