// SPDX-License-Identifier: MIT
// The wagon with wheels that rails guide without giving way: as a constraint, and by rigid contact functions.

#include "property/wagon/record.h"

#include "agem/rail_constraint.h"

#define CONSTRAINT "vehicle.patterns.wheelset.contact.model=constraint"
#define TABLES     "vehicle.patterns.wheelset.contact.model=table"

CHECK_TEST(the_jacobian_is_the_derivative)
{
    static const char *const runs[] = {"wagon-transition", "wagon-irregular", "wagon-driven"};
    for (int i = 0; i < 3; i++) {
        wagon_check_jacobian(runs[i], (const char *const[]){CONSTRAINT, NULL}, 5e-5);
        wagon_check_jacobian(runs[i], (const char *const[]){CONSTRAINT, "formulation=fixed", NULL}, 5e-5);
        wagon_check_jacobian(runs[i], (const char *const[]){TABLES, NULL}, 5e-5);
        wagon_check_jacobian(runs[i], (const char *const[]){TABLES, "formulation=fixed", NULL}, 5e-5);
        wagon_check_jacobian(runs[i], (const char *const[]){CONSTRAINT, FLEXIBLE, NULL}, 5e-5);
        wagon_check_jacobian(runs[i], (const char *const[]){CONSTRAINT, FLEXIBLE, "formulation=fixed", NULL}, 5e-5);
        wagon_check_jacobian(runs[i], (const char *const[]){TABLES, FLEXIBLE, NULL}, 5e-5);
        wagon_check_jacobian(runs[i], (const char *const[]){TABLES, FLEXIBLE, "formulation=fixed", NULL}, 5e-5);
        wagon_check_jacobian(runs[i], (const char *const[]){TABLES, GAUGE, NULL}, 5e-5);
        wagon_check_jacobian(runs[i], (const char *const[]){TABLES, GAUGE, FLEXIBLE, "formulation=fixed", NULL}, 5e-5);
    }
}

// Gaps at the end of steps; in between the integrator interpolates.
CHECK_TEST(gaps_stay_closed)
{
    CHECK_FREED(wagon) w = wagon_open_with("wagon-irregular", CONSTRAINT);
    for (int i = 1; i < 20; i++) {
        (void)wagon_go(&w, 0.5 * i);
        const kane_work *work = kane_simulation_work(w.simulation);
        for (int j = 0; j < w.model->wheels_count; j++)
            for (int side = 0; side < 2; side++) {
                check_near(work->wheels[j].guidance.gap[side], 0.0, 1e-8);
                check_near(work->wheels[j].guidance.rate[side], 0.0, 1e-5);
            }
    }
}

// Projected by hand, a state that is off the rails comes back onto them, without moving along.
static void check_projection(const char *const *settings)
{
    CHECK_FREED(wagon) w = wagon_read("wagon-transition", settings);
    double y[64];
    wagon_start(&w);
    (void)wagon_go(&w, 4.0);
    const int n           = kane_model_state_count(w.model);
    const kane_body *body = &w.model->bodies[LEADING];
    memcpy(y, kane_simulation_state(w.simulation), (size_t)n * sizeof *y);
    y[body->q + KANE_Z] += 2e-4;
    y[body->q + KANE_ROLL] -= 1e-4;
    y[body->u + 2] += 0.01;
    CHECK_OWNED(kane_work) *work = kane_work_create(w.model, NULL);
    kane_work_locate(w.model, work, 4.0, y);
    assert_int_equal(kane_project(w.model, work, 4.0, y), KANE_OK);
    double ydot[64];
    assert_int_equal(kane_eval(w.model, work, 4.0, y, ydot), KANE_OK);
    for (int side = 0; side < 2; side++) {
        check_near(work->wheels[0].guidance.gap[side], 0.0, 1e-13);
        check_near(work->wheels[0].guidance.rate[side], 0.0, 1e-13);
    }
    const double *before = kane_simulation_state(w.simulation);
    const int panel = w.model->wheels[0].panel, z = panel < 0 ? 0 : w.model->bodies[panel].q + KANE_Z;
    const double raised = panel < 0 ? 0.0 : y[z] - before[z]; // the lighter track comes up to meet the wheels
    check_near(y[body->q + KANE_Z] - raised, before[body->q + KANE_Z], 1e-5);
}

CHECK_TEST(projection_closes_gaps)
{
    check_projection((const char *const[]){CONSTRAINT, NULL});
    check_projection((const char *const[]){CONSTRAINT, FLEXIBLE, NULL});
}

CHECK_TEST(a_wheel_that_would_have_to_be_pulled_ends_the_run)
{
    static const char *const ways[] = {CONSTRAINT, TABLES};
    for (int i = 0; i < 2; i++) {
        CHECK_FREED(wagon) w =
            wagon_open_with("wagon-transition", ways[i], "start.speed=40", "track.sections[1].to.radius=300");
        assert_int_equal(CHECK_GOOD(kane_simulation_advance, w.simulation, 20.0), KANE_OK);
        assert_int_equal(kane_simulation_stop(w.simulation), KANE_STOP_WHEEL_LIFT);
        assert_non_null(strstr(kane_simulation_stop_subject(w.simulation), ".left")); // inside of a left-hand curve
    }
}

static void check_refused(const char *const *settings, int count, const char *text)
{
    CHECK_ERRORS errors          = {0};
    CHECK_FREED(wagon) w         = wagon_read("wagon-transition", settings);
    const kane_run_definition *d = &w.definition;
    w.model                      = kane_model_create(d->vehicle, d->track, &d->drive, &d->model, &errors);
    if (w.model)
        w.simulation = kane_simulation_create(w.model, &d->settings, &d->conditions, &errors);
    assert_null(w.simulation);
    assert_int_equal(errors.count, count);
    assert_string_equal(kane_errors_get(&errors, 0)->text, text);
}

CHECK_TEST(what_cannot_be_guided_is_refused)
{
    check_refused(
        (const char *const[]){CONSTRAINT, "integrator.method=adams", "integrator.order=2", NULL}, 1,
        "wheels with contact as a constraint are projected after every step, which the method adams cannot do; "
        "choose bdf");
    check_refused(
        (const char *const[]){TABLES, "vehicle.wheelsets.leading.dof=[\"y\",\"z\",\"yaw\",\"roll\",\"pitch\"]", NULL},
        1,
        "rails guide 'leading' without giving way, but then it must have all its freedoms, or be attached by a joint");
}

CHECK_MAIN(NULL, NULL)
