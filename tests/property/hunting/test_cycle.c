// SPDX-License-Identifier: MIT
// A limit cycle of a wagon: it is found from either side, is its own mirror image, and goes over from speed to speed.

#include "property/hunting/hunter.h"

static const kane_beginning aside = {.way = KANE_PERTURB_MODE, .amount = 3e-3};

CHECK_TEST(a_cycle_is_found_from_either_side)
{
    hunter h                    = hunter_read(NULL);
    kane_cycle *cycle           = hunter_create(&h, 24.0);
    const kane_beginning ways[] = {
        aside, {.way = KANE_PERTURB_MODE, .amount = -3e-3}, {.way = KANE_PERTURB_WHOLE, .amount = 3e-3}};
    kane_critical_swing first[2] = {{0}};
    for (int i = 0; i < 3; i++) {
        kane_critical_swing swing[2];
        hunter_start(cycle, &ways[i]);
        const kane_critical_point point = hunter_run(cycle, swing);
        assert_int_equal(point.motion, KANE_MOTION_SETTLED);
        assert_true(swing[0].amplitude > 3.1e-3 && swing[0].amplitude < 3.3e-3);
        for (int w = 0; w < 2; w++) {
            check_near(swing[w].level, 0.0, 1e-5);
            check_relative(swing[w].frequency, swing[0].frequency, 1e-3);
            first[w] = i == 0 ? swing[w] : first[w];
            check_relative(swing[w].amplitude, first[w].amplitude, 2e-3);
        }
    }
    kane_cycle_free(cycle);
    wagon_free(&h.wagon);
}

// A curve to the left is the mirror image of one to the right, motion set aside to the left that of one set aside to
// the right.
CHECK_TEST(mirror_images_hunt_as_mirror_images)
{
    hunter h = hunter_read("integrator.rtol=1e-5");
    kane_critical_swing swing[2][2];
    for (int i = 0; i < 2; i++) {
        const double sign      = i ? -1.0 : 1.0;
        h.study.curvature      = sign / 1200.0;
        h.study.superelevation = sign * 0.05;
        kane_cycle *cycle      = hunter_create(&h, 24.0);
        hunter_start(cycle, &(kane_beginning){.way = KANE_PERTURB_MODE, .amount = 3e-3});
        assert_int_equal(hunter_run(cycle, swing[i]).motion, KANE_MOTION_SETTLED);
        kane_cycle_free(cycle);
    }
    for (int w = 0; w < 2; w++) {
        assert_true(fabs(swing[0][w].level) > 1e-5); // it is not the straight's
        check_near(swing[1][w].level, -swing[0][w].level, 0.05 * fabs(swing[0][w].level));
        check_relative(swing[1][w].amplitude, swing[0][w].amplitude, 2e-3);
        check_relative(swing[1][w].frequency, swing[0][w].frequency, 1e-3);
    }
    wagon_free(&h.wagon);
}

// At the same speed the state itself; at another one the same relative motion, wheels turning as much faster as the
// wagon runs.
CHECK_TEST(a_cycle_goes_over_to_another_speed)
{
    hunter h            = hunter_read("integrator.rtol=1e-5");
    kane_cycle *cycle   = hunter_create(&h, 24.0);
    const kane_model *m = kane_cycle_model(cycle);
    const int states    = kane_model_state_count(m);
    double *deviation   = calloc((size_t)states, sizeof *deviation);
    double *came        = calloc((size_t)states, sizeof *came);
    kane_critical_swing swing[2], next[2];
    assert_true(deviation && came);
    hunter_start(cycle, &aside);
    assert_int_equal(hunter_run(cycle, swing).motion, KANE_MOTION_SETTLED);
    kane_cycle_deviation(cycle, deviation);
    memcpy(came, kane_simulation_state(kane_cycle_simulation(cycle)), (size_t)states * sizeof *came);
    const kane_beginning on = {.from = deviation, .part = 1.0};

    hunter_start(cycle, &on);
    for (int i = 0; i < states; i++)
        check_near(kane_simulation_state(kane_cycle_simulation(cycle))[i], came[i], 1e-12 * (1.0 + fabs(came[i])));

    kane_cycle *faster = hunter_create(&h, 24.5);
    hunter_start(faster, &on);
    for (int i = 0; i < states; i++) {
        char name[64];
        kane_state_name(m, i, sizeof name, name);
        const int spins       = strstr(name, "omega.y") != NULL && strncmp(name, "body", 4) != 0;
        const double expected = came[i] + (spins ? 0.5 / 0.46 : 0.0);
        check_near(kane_simulation_state(kane_cycle_simulation(faster))[i], expected, spins ? 1e-3 : 1e-6);
    }
    const kane_critical_point point = hunter_run(faster, next);
    assert_int_equal(point.motion, KANE_MOTION_SETTLED);
    assert_true(next[0].amplitude > 1.05 * swing[0].amplitude && next[0].amplitude < 1.2 * swing[0].amplitude);
    kane_cycle_free(cycle);
    kane_cycle_free(faster);
    free(deviation);
    free(came);
    wagon_free(&h.wagon);
}

// Amplitude and frequency are those of the equations, not of the integrator or of the rules.
CHECK_TEST(a_cycle_depends_on_no_setting)
{
    static const char *const tolerances[] = {"integrator.rtol=1e-5", "integrator.rtol=1e-6"};
    kane_critical_swing swing[3][2];
    for (int i = 0; i < 3; i++) {
        hunter h = hunter_read(tolerances[i % 2]);
        if (i == 2)
            h.study.rules = (kane_critical_rules){5e-4, 1e-6, 12, 1e-3, 60.0, 60.0};
        kane_cycle *cycle = hunter_create(&h, 24.0);
        hunter_start(cycle, &aside);
        assert_int_equal(hunter_run(cycle, swing[i]).motion, KANE_MOTION_SETTLED);
        check_relative(swing[i][0].amplitude, swing[0][0].amplitude, 2e-3);
        check_relative(swing[i][0].frequency, swing[0][0].frequency, 1e-3);
        kane_cycle_free(cycle);
        wagon_free(&h.wagon);
    }
}

// Where it is set aside, wheels are neither pressed into their rails nor lifted from them, even close to the flange.
CHECK_TEST(wheels_stand_on_their_rails_where_they_are_set_aside)
{
    static const kane_perturbation ways[] = {KANE_PERTURB_MODE, KANE_PERTURB_WHOLE};
    hunter h                              = hunter_read(NULL);
    const kane_steady_definition where    = {.speed = 24.0};
    CHECK_ERRORS errors                   = {0};
    kane_steady *steady                   = CHECK_GOOD(kane_steady_create, h.study.run, &where);
    const kane_model *model               = kane_steady_model(steady);
    const size_t states                   = (size_t)kane_model_state_count(model);
    double *y = calloc(states, sizeof *y), *ydot = calloc(states, sizeof *ydot);
    assert_true(y && ydot);
    for (int i = 0; i < 4; i++) {
        memcpy(y, kane_steady_state(steady), states * sizeof *y);
        assert_int_equal(kane_set_perturbed(steady, ways[i / 2], i % 2 ? -5e-3 : 5e-3, y, &errors), KANE_OK);
        assert_int_equal(kane_eval(model, kane_steady_work(steady), 0.0, y, ydot), KANE_OK);
        kane_observe(model, kane_steady_work(steady));
        double most = 0.0, q[6], rates[6];
        for (int body = LEADING; body <= TRAILING; body++) {
            for (int side = 0; side < 2; side++) {
                double lift, load[2];
                assert_int_equal(kane_model_wheel_load(model, body, load), KANE_OK);
                const double Q =
                    kane_get_contact(model, kane_steady_work(steady), body, (kane_side)side, &lift)->on_wheel.force.z;
                assert_true(Q > 0.5 * load[side] && Q < 1.5 * load[side]);
            }
            kane_get_relative(model, kane_steady_work(steady), body, q, rates);
            most = fabs(q[KANE_Y]) > fabs(most) ? q[KANE_Y] : most;
        }
        if (ways[i / 2] == KANE_PERTURB_WHOLE)
            check_near(most, i % 2 ? -5e-3 : 5e-3, 1e-6);
        assert_true(fabs(most) < 5e-3 * (1.0 + 1e-6) && fabs(most) > 2e-3);
    }
    // beyond the rails nothing stands
    assert_int_equal(kane_set_perturbed(steady, KANE_PERTURB_WHOLE, 0.12, y, &errors), KANE_BAD_INPUT);
    assert_non_null(strstr(kane_errors_get(&errors, 0)->text, "does not stand on its rails"));
    free(y);
    free(ydot);
    kane_steady_free(steady);
    wagon_free(&h.wagon);
}

CHECK_MAIN(NULL, NULL)
