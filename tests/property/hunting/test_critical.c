// SPDX-License-Identifier: MIT
// Critical speeds of a wagon: what both sweeps find, fresh runs confirm, and long runs of their own say the same.

#include "property/hunting/hunter.h"

#include <unistd.h>

// Both sweeps from 18 to 24 m/s, with less patience than usual.
static kane_critical_study coarse(const hunter *h)
{
    kane_critical_study study = h->study;
    study.from                = 18.0;
    study.to                  = 24.0;
    study.step                = 2.0;
    study.rules.cycles        = 5;
    study.rules.tolerance     = 2e-3;
    study.rules.drifting      = 30.0;
    study.rules.patience      = 30.0;
    study.resolution          = 0.5;
    return study;
}

static kane_critical_report *find(const kane_critical_study *study)
{
    kane_errors errors           = {0};
    kane_critical_report *report = kane_critical_find(study, &errors);
    check_no_errors(&errors);
    assert_non_null(report);
    return report;
}

static const kane_critical_point *point_at(const kane_critical_report *report, kane_sweep sweep, double speed)
{
    for (int i = 0; i < kane_critical_report_count(report); i++) {
        const kane_critical_point *p = kane_critical_report_point(report, i);
        if (p->sweep == sweep && p->speed == speed)
            return p;
    }
    fail_msg("no point at %g m/s", speed);
    return NULL;
}

// Largest lateral displacement of the leading wheelset in the last one of 30 s at a speed, from the cycle of 24 m/s with all
// that it deviates from equilibrium.
static double swing_in_the_end(const hunter *h, double speed, const double *deviation)
{
    const kane_steady_definition where = {.speed = speed};
    const kane_conditions nothing      = {0};
    kane_errors errors                 = {0};
    kane_steady *steady                = kane_steady_create(h->study.run, &where, &errors);
    check_no_errors(&errors);
    const kane_model *model = kane_steady_model(steady);
    kane_simulation *s      = kane_simulation_create(model, &h->study.run->settings, &nothing, &errors);
    double *y               = calloc((size_t)kane_model_state_count(model), sizeof *y);
    check_no_errors(&errors);
    assert_non_null(y);
    for (int i = 0; i < kane_model_state_count(model); i++)
        y[i] = kane_steady_state(steady)[i] + deviation[i];
    assert_int_equal(kane_simulation_start_from(s, 0.0, y, &errors), KANE_OK);
    double most = 0.0, q[6], rates[6];
    for (int i = 0; i <= 100; i++) {
        assert_int_equal(kane_simulation_advance(s, 29.0 + 0.01 * i, &errors), KANE_OK);
        kane_get_relative(model, kane_simulation_work(s), LEADING, q, rates);
        most = fmax(most, fabs(q[KANE_Y]));
    }
    free(y);
    kane_simulation_free(s);
    kane_steady_free(steady);
    return most;
}

// Long runs beside the branch: at its end a little faster the cycle stays, a little slower it does not.
static void check_by_long_runs(const hunter *h, const kane_critical_result *r)
{
    kane_cycle *cycle = hunter_create(h, 24.0);
    double *deviation = calloc((size_t)kane_model_state_count(kane_cycle_model(cycle)), sizeof *deviation);
    kane_critical_swing swing[2];
    assert_non_null(deviation);
    hunter_start(cycle, &(kane_beginning){.way = KANE_ASIDE_MODE, .amount = 6e-3});
    assert_int_equal(hunter_run(cycle, swing).motion, KANE_MOTION_SETTLED);
    kane_cycle_deviation(cycle, deviation);
    const double stays = swing_in_the_end(h, r->nonlinear + 0.2, deviation);
    const double goes  = swing_in_the_end(h, r->none - 0.2, deviation);
    print_message("in the end: %.3f mm at %.3f m/s, %.3f mm at %.3f m/s\n", 1e3 * stays, r->nonlinear + 0.2, 1e3 * goes,
                  r->none - 0.2);
    assert_true(stays > 5e-3);
    assert_true(goes < 5e-4);
    kane_cycle_free(cycle);
    free(deviation);
}

static void cycles_reach_below_the_linear_critical_speed(void **state)
{
    (void)state;
    hunter h                        = hunter_read("integrator.rtol=1e-5");
    const kane_critical_study study = coarse(&h);
    kane_critical_report *report    = find(&study);
    const kane_critical_result *r   = kane_critical_report_result(report);
    print_message("linear %.4f, nonlinear %.4f (%.4f), jump %.4f (%.4f)\n", r->linear, r->nonlinear, r->none, r->jump,
                  r->rest);

    // the one that a fine study finds, 19.06 .. 19.13 m/s, is between them
    assert_true(r->none < r->nonlinear && r->nonlinear - r->none <= 0.5);
    assert_true(r->none < 19.13 && r->nonlinear > 19.06);
    // a small disturbance grows where the eigenvalues say so
    check_near(r->linear, 22.6728, 2e-3);
    check_near(r->linear_frequency, 2.183, 2e-3);
    assert_true(r->rest < r->linear + 0.1 && r->jump > r->linear - 0.1 && r->jump - r->rest <= 0.5);
    // in between it depends on where motion comes from
    for (double speed = 20.0; speed < 23.0; speed += 2.0) {
        const kane_critical_point *down = point_at(report, KANE_SWEEP_DOWN, speed);
        assert_int_equal(down->motion, KANE_MOTION_SETTLED);
        assert_true(down->swing[0].amplitude > 6e-3 && down->swing[0].amplitude < 7e-3);
        assert_true(down->swing[0].frequency > 2.3 && down->swing[0].frequency < 2.5);
        assert_int_equal(point_at(report, KANE_SWEEP_UP, speed)->motion, KANE_MOTION_DIED);
    }
    // below all cycles it does not; above there is a small one beside that from flange to flange, where a small disturbance ends
    assert_int_equal(point_at(report, KANE_SWEEP_DOWN, 18.0)->motion, KANE_MOTION_DIED);
    assert_int_equal(point_at(report, KANE_SWEEP_UP, 18.0)->motion, KANE_MOTION_DIED);
    check_near(point_at(report, KANE_SWEEP_UP, 24.0)->swing[0].amplitude, 3.209e-3, 1e-5);
    // the end of the branch is confirmed
    assert_int_equal(r->unconfirmed, 0);
    for (int i = 0; i < kane_critical_report_count(report); i++) {
        const kane_critical_point *p = kane_critical_report_point(report, i);
        if (p->sweep == KANE_SWEEP_DOWN && (p->speed == r->nonlinear || p->speed == r->none))
            assert_int_equal(p->check, KANE_CHECK_SAME);
    }
    check_by_long_runs(&h, r);
    kane_critical_report_free(report);
    wagon_free(&h.wagon);
}

static void check_same(const kane_critical_report *a, const kane_critical_report *b)
{
    assert_int_equal(kane_critical_report_count(a), kane_critical_report_count(b));
    for (int i = 0; i < kane_critical_report_count(a); i++) {
        const kane_critical_point *p = kane_critical_report_point(a, i), *q = kane_critical_report_point(b, i);
        assert_true(p->speed == q->speed && p->motion == q->motion && p->check == q->check && p->time == q->time);
        assert_memory_equal(p->swing, q->swing, 2 * sizeof *p->swing);
    }
    assert_true(kane_critical_report_result(a)->linear == kane_critical_report_result(b)->linear);
}

static void threads_do_not_change_a_bit(void **state)
{
    kane_critical_report *report[2];
    (void)state;
    hunter h                  = hunter_read("integrator.rtol=1e-5");
    kane_critical_study study = coarse(&h);
    study.from                = 22.0;
    study.to                  = 23.0;
    study.step                = 1.0;
    study.resolution          = 1.0;
    study.disturbance         = 3e-3;
    for (int i = 0; i < 2; i++) {
        study.threads = i ? 3 : 1;
        report[i]     = find(&study);
    }
    check_same(report[0], report[1]);
    kane_critical_report_free(report[0]);
    kane_critical_report_free(report[1]);
    wagon_free(&h.wagon);
}

// Ends the study at its third speed.
static int enough(const kane_critical_progress *now, void *data)
{
    int *begun = data;
    *begun += now->time == 0.0;
    assert_true(now->done >= 0.0 && now->done <= 1.0);
    return *begun > 3;
}

static void a_study_that_is_ended_keeps_what_it_has(void **state)
{
    char directory[] = "/tmp/kane_critical_XXXXXX", file[128];
    int begun        = 0;
    (void)state;
    assert_non_null(mkdtemp(directory));
    hunter h                     = hunter_read("integrator.rtol=1e-5");
    kane_critical_study study    = coarse(&h);
    kane_errors errors           = {0};
    study.threads                = 1;
    study.directory              = directory;
    study.progress               = enough;
    study.data                   = &begun;
    kane_critical_report *report = kane_critical_find(&study, &errors);
    assert_non_null(report);
    assert_int_equal(errors.kept[0].status, KANE_INTERRUPTED);
    assert_int_equal(kane_critical_report_count(report), 3);
    static const char *const files[] = {"points.csv", "critical.json", "critical.svg", "critical.png"};
    for (int i = 0; i < 4; i++) {
        (void)snprintf(file, sizeof file, "%s/%s", directory, files[i]);
        assert_int_equal(access(file, R_OK), 0);
        (void)remove(file);
    }
    assert_int_equal(rmdir(directory), 0); // nothing else is left
    kane_critical_report_free(report);
    wagon_free(&h.wagon);
}

// What cannot be studied is said, not tried.
static void what_makes_no_sense_is_refused(void **state)
{
    (void)state;
    hunter h                        = hunter_read(NULL);
    kane_critical_study wrong[]     = {coarse(&h), coarse(&h), coarse(&h), coarse(&h), coarse(&h), coarse(&h)};
    static const char *const says[] = {"must be positive", "none to sweep over", "a step of",
                                       "a resolution of",  "a disturbance of",   "no wheelset 'third'"};
    wrong[0].from                   = 0.0;
    wrong[1].to                     = 10.0;
    wrong[2].step                   = 0.0;
    wrong[3].resolution             = -1.0;
    wrong[4].disturbance            = NAN;
    wrong[5].wheelset               = "third";
    for (int i = 0; i < 6; i++) {
        kane_errors errors = {0};
        assert_null(kane_critical_find(&wrong[i], &errors));
        assert_int_equal(errors.kept[0].status, KANE_BAD_INPUT);
        assert_non_null(strstr(errors.kept[0].text, says[i]));
    }
    wagon_free(&h.wagon);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cycles_reach_below_the_linear_critical_speed),
        cmocka_unit_test(threads_do_not_change_a_bit),
        cmocka_unit_test(a_study_that_is_ended_keeps_what_it_has),
        cmocka_unit_test(what_makes_no_sense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
