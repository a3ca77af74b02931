// SPDX-License-Identifier: MIT
// Studies of limit cycles: on any number of threads, ended early, asked for nonsense.

#include "property/hunting/hunter.h"

#include <unistd.h>

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

CHECK_TEST(threads_do_not_change_a_bit)
{
    kane_critical_report *report[2];
    hunter h                  = hunter_read("integrator.rtol=1e-5");
    kane_critical_study study = hunter_study(&h);
    study.from                = 22.0;
    study.to                  = 23.0;
    study.step                = 1.0;
    study.resolution          = 1.0;
    study.disturbance         = 3e-3;
    for (int i = 0; i < 2; i++) {
        study.threads = i ? 3 : 1;
        report[i]     = hunter_find(&study);
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

CHECK_TEST(a_study_that_is_ended_keeps_what_it_has)
{
    char directory[] = "/tmp/kane_critical_XXXXXX", file[128];
    int begun        = 0;
    assert_non_null(mkdtemp(directory));
    hunter h                     = hunter_read("integrator.rtol=1e-5");
    kane_critical_study study    = hunter_study(&h);
    CHECK_ERRORS errors          = {0};
    study.threads                = 1;
    study.directory              = directory;
    study.progress               = enough;
    study.data                   = &begun;
    kane_critical_report *report = kane_critical_find(&study, &errors);
    assert_non_null(report);
    assert_int_equal(kane_errors_get(&errors, 0)->status, KANE_INTERRUPTED);
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

// Notes the first speed, and ends the study there.
static int first(const kane_critical_progress *now, void *data)
{
    double *speed = data;
    *speed        = isnan(*speed) ? now->speed : *speed;
    return 1;
}

// Without a fastest speed it is a tenth beyond the linear critical one, in whole steps from the slowest.
CHECK_TEST(the_linear_critical_speed_says_where_to_begin)
{
    double speed                 = NAN;
    hunter h                     = hunter_read(NULL);
    kane_critical_study study    = hunter_study(&h);
    CHECK_ERRORS errors          = {0};
    study.from                   = 20.0;
    study.to                     = 0.0;
    study.step                   = 1.0;
    study.threads                = 1;
    study.progress               = first;
    study.data                   = &speed;
    kane_critical_report *report = kane_critical_find(&study, &errors);
    assert_non_null(report);
    assert_int_equal(kane_errors_get(&errors, 0)->status, KANE_INTERRUPTED);
    assert_true(speed == 25.0);
    const kane_critical_result *r = kane_critical_report_result(report);
    check_near(r->linear, 22.6728, 2e-3);
    assert_non_null(strstr(r->linear_mode, "hunting"));
    assert_true(isnan(r->nonlinear) && isnan(r->none) && isnan(r->jump) && isnan(r->rest));
    assert_int_equal(kane_critical_report_count(report), 0);
    kane_critical_report_free(report);
    wagon_free(&h.wagon);
}

// What cannot be studied is said, not tried.
CHECK_TEST(what_makes_no_sense_is_refused)
{
    hunter h                        = hunter_read(NULL);
    kane_critical_study wrong[]     = {hunter_study(&h), hunter_study(&h), hunter_study(&h),
                                       hunter_study(&h), hunter_study(&h), hunter_study(&h)};
    static const char *const says[] = {"must be positive", "none to sweep over", "a step of",
                                       "a resolution of",  "a disturbance of",   "no wheelset 'third'"};
    wrong[0].from                   = 0.0;
    wrong[1].to                     = 10.0;
    wrong[2].step                   = 0.0;
    wrong[3].resolution             = -1.0;
    wrong[4].disturbance            = NAN;
    wrong[5].wheelset               = "third";
    for (int i = 0; i < 6; i++) {
        CHECK_ERRORS errors = {0};
        assert_null(kane_critical_find(&wrong[i], &errors));
        assert_int_equal(kane_errors_get(&errors, 0)->status, KANE_BAD_INPUT);
        assert_non_null(strstr(kane_errors_get(&errors, 0)->text, says[i]));
    }
    wagon_free(&h.wagon);
}

CHECK_MAIN(NULL, NULL)
