// SPDX-License-Identifier: MIT
// Critical speeds of a wagon: what both sweeps find, fresh runs confirm, and long runs of their own say the same.

#include "property/hunting/hunter.h"

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

// Largest lateral displacement of the leading wheelset in the last one of 15 s at a speed, from the cycle of 24 m/s
// with all that it deviates from equilibrium.
static double swing_in_the_end(const hunter *h, double speed, const double *deviation)
{
    const kane_steady_definition where = {.speed = speed};
    const kane_conditions nothing      = {0};
    CHECK_ERRORS errors                = {0};
    CHECK_OWNED(kane_steady) *steady   = CHECK_GOOD(kane_steady_create, h->study.run, &where);
    const kane_model *model            = kane_steady_model(steady);
    CHECK_OWNED(kane_simulation) *s    = kane_simulation_create(model, &h->study.run->settings, &nothing, &errors);
    CHECK_MEMORY double *y             = calloc((size_t)kane_model_state_count(model), sizeof *y);
    check_no_errors(&errors);
    assert_non_null(y);
    for (int i = 0; i < kane_model_state_count(model); i++)
        y[i] = kane_steady_state(steady)[i] + deviation[i];
    assert_int_equal(kane_simulation_start_from(s, 0.0, y, &errors), KANE_OK);
    double most = 0.0, q[6], rates[6];
    for (int i = 0; i <= 100; i++) {
        assert_int_equal(kane_simulation_advance(s, 14.0 + 0.01 * i, &errors), KANE_OK);
        kane_get_relative(model, kane_simulation_work(s), LEADING, q, rates);
        most = fmax(most, fabs(q[KANE_Y]));
    }
    return most;
}

// Long runs beside the branch: at its end a little faster the cycle stays, a little slower it does not.
static void check_by_long_runs(const hunter *h, const kane_critical_result *r)
{
    kane_cycle *cycle              = hunter_create(h, 24.0);
    CHECK_MEMORY double *deviation = calloc((size_t)kane_model_state_count(kane_cycle_model(cycle)), sizeof *deviation);
    kane_critical_swing swing[2];
    assert_non_null(deviation);
    hunter_start(cycle, &(kane_beginning){.way = KANE_PERTURB_MODE, .amount = 6e-3});
    assert_int_equal(hunter_run(cycle, swing).motion, KANE_MOTION_SETTLED);
    kane_cycle_deviation(cycle, deviation);
    const double stays = swing_in_the_end(h, r->nonlinear + 0.2, deviation);
    const double goes  = swing_in_the_end(h, r->none - 0.2, deviation);
    print_message("in the end: %.3f mm at %.3f m/s, %.3f mm at %.3f m/s\n", 1e3 * stays, r->nonlinear + 0.2, 1e3 * goes,
                  r->none - 0.2);
    assert_true(stays > 5e-3);
    check_below(goes, 5e-4);
    kane_cycle_free(cycle);
}

CHECK_TEST(cycles_reach_below_the_linear_critical_speed)
{
    hunter h                        = hunter_read("integrator.rtol=1e-5");
    const kane_critical_study study = hunter_study(&h);
    kane_critical_report *report    = hunter_find(&study);
    const kane_critical_result *r   = kane_critical_report_result(report);
    print_message("linear %.4f, nonlinear %.4f (%.4f), jump %.4f (%.4f)\n", r->linear, r->nonlinear, r->none, r->jump,
                  r->rest);

    // the one that a fine study finds, 19.06 .. 19.13 m/s, is between them
    assert_true(r->none < r->nonlinear && r->nonlinear - r->none <= 1.0);
    assert_true(r->none < 19.13 && r->nonlinear > 19.06);
    // a small disturbance grows where the eigenvalues say so
    check_near(r->linear, 22.6728, 2e-3);
    check_near(r->linear_frequency, 2.183, 2e-3);
    assert_true(r->rest < r->linear + 0.1 && r->jump > r->linear - 0.1 && r->jump - r->rest <= 1.0);
    // in between it depends on where motion comes from
    for (double speed = 20.0; speed < 23.0; speed += 2.0) {
        const kane_critical_point *down = point_at(report, KANE_SWEEP_DOWN, speed);
        assert_int_equal(down->motion, KANE_MOTION_SETTLED);
        assert_true(down->swing[0].amplitude > 6e-3 && down->swing[0].amplitude < 7e-3);
        assert_true(down->swing[0].frequency > 2.3 && down->swing[0].frequency < 2.5);
        assert_int_equal(point_at(report, KANE_SWEEP_UP, speed)->motion, KANE_MOTION_DIED);
    }
    // below all cycles it does not; above there is a small one beside that from flange to flange, where a small
    // disturbance ends
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

CHECK_MAIN(NULL, NULL)
