// SPDX-License-Identifier: MIT
// Simulations that somebody else integrates: the motion is that of libkane's own integrators; what is refused. With
// events, projection and other independent speeds: unit.apps.fmu_exchange.

#include "runs.h"
#include "models.h"

#include <kane/kane.h>

#define FOUR_BAR KANE_SOURCE_DIR "/data/runs/mechanism-four-bar.json"
#define WAGON    KANE_SOURCE_DIR "/data/runs/wagon-transition.json"
#define MOTOR    KANE_SOURCE_DIR "/data/runs/motor-wagon.json"

enum { MOST = 128 };

typedef struct rig {
    kane_run *run;
    kane_model *model;
    kane_simulation *simulation;
} rig;

static rig make(const char *file, int outside)
{
    rig r;
    CHECK_ERRORS errors    = {0};
    r.run                  = run_read(file, NULL);
    kane_settings settings = kane_run_get_definition(r.run)->settings;
    settings.relative      = 1e-14; // errors add up: of the speed at 1 s 1e-7 at 1e-12
    settings.position = settings.angle = settings.speed = settings.turning = 1e-15;
    if (outside)
        settings.integrator = kane_outside_integrator();
    r.model      = kane_run_create_model(r.run, &errors);
    r.simulation = kane_simulation_create(r.model, &settings, &kane_run_get_definition(r.run)->conditions, &errors);
    check_no_errors(&errors);
    return r;
}

static void drop(rig *r)
{
    kane_simulation_free(r->simulation);
    kane_model_free(r->model);
    kane_run_free(r->run);
}

// A step of the classical Runge-Kutta method from (t, y).
static void step(kane_simulation *s, double t, double *y, double h)
{
    static const double at[] = {0.0, 0.5, 0.5, 1.0}, weight[] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
    const int n    = kane_outside_size(s);
    double k[MOST] = {0.0}, x[MOST], sum[MOST] = {0.0};
    for (int stage = 0; stage < 4; stage++) {
        for (int i = 0; i < n; i++)
            x[i] = y[i] + at[stage] * h * k[i];
        assert_int_equal(kane_outside_put(s, t + at[stage] * h, x), KANE_OK);
        assert_int_equal(kane_outside_rates(s, k, NULL), KANE_OK);
        for (int i = 0; i < n; i++)
            sum[i] += weight[stage] * h * k[i];
    }
    for (int i = 0; i < n; i++)
        y[i] += sum[i];
    assert_int_equal(kane_outside_put(s, t + h, y), KANE_OK);
}

CHECK_TEST(the_motion_is_that_of_integrators_inside)
{
    rig inside = make(FOUR_BAR, 0), outside = make(FOUR_BAR, 1);
    CHECK_ERRORS errors = {0};
    double y[MOST];
    int jumped, due;
    assert_int_equal(kane_outside_event(outside.simulation, &jumped, &errors), KANE_OK);
    assert_false(jumped);
    assert_true(kane_outside_next(outside.simulation) == kane_run_get_definition(outside.run)->conditions.time);
    memcpy(y, kane_simulation_state(outside.simulation), (size_t)kane_outside_size(outside.simulation) * sizeof *y);
    for (int i = 0; i < 4000; i++) {
        step(outside.simulation, 2.5e-4 * i, y, 2.5e-4);
        assert_int_equal(kane_outside_complete(outside.simulation, &due, &errors), KANE_OK);
        assert_false(due);
    }
    assert_int_equal(kane_simulation_advance(inside.simulation, 1.0, &errors), KANE_OK);
    for (int i = 0; i < kane_outside_size(outside.simulation); i++)
        check_near(y[i], kane_simulation_state(inside.simulation)[i], 1e-8);
    check_near(kane_simulation_time(outside.simulation), 1.0, 1e-12);
    // the end of the run is an event
    assert_int_equal(kane_outside_put(outside.simulation, kane_outside_next(outside.simulation), NULL), KANE_OK);
    assert_int_equal(kane_outside_event(outside.simulation, &jumped, &errors), KANE_OK);
    assert_int_equal(kane_simulation_stop(outside.simulation), KANE_STOP_TIME);
    drop(&inside);
    drop(&outside);
}

CHECK_TEST(slopes_are_those_of_the_jacobian)
{
    CHECK_END(drop) rig r                = make(WAGON, 1);
    const kane_pattern *pattern          = kane_outside_pattern(r.simulation);
    CHECK_OWNED(kane_work) *work         = kane_work_create(r.model, NULL);
    CHECK_OWNED(kane_jacobian) *jacobian = kane_jacobian_create(r.model, kane_model_state_count(r.model));
    CHECK_MEMORY double *said            = calloc((size_t)pattern->count, sizeof *said),
                        *own             = calloc((size_t)pattern->count, sizeof *own);
    double ydot[MOST], y[MOST];
    assert_int_equal(kane_initial_state(r.model, work, y, NULL), KANE_OK);
    assert_int_equal(kane_outside_put(r.simulation, 0.0, y), KANE_OK);
    assert_int_equal(kane_outside_slopes(r.simulation, said, NULL), KANE_OK);
    assert_int_equal(kane_jacobian_eval(jacobian, r.model, work, 0.0, y, ydot, own), KANE_OK);
    assert_memory_equal(said, own, (size_t)pattern->count * sizeof *own);
}

// What indicators are of, and on which side of zero they begin.
CHECK_TEST(indicators_have_names)
{
    char name[128];
    double values[MOST];
    rig wagon = make(WAGON, 1), motor = make(MOTOR, 1), bar = make(FOUR_BAR, 1);
    assert_int_equal(kane_outside_indicator_count(bar.simulation), 0);
    assert_int_equal(kane_outside_indicator_count(wagon.simulation), 6);
    kane_outside_indicator_name(wagon.simulation, 4, sizeof name, name);
    assert_string_equal(name, "trailing.right off its rail");
    kane_outside_indicator_name(wagon.simulation, 2, sizeof name, name);
    assert_string_equal(name, "leading.past a border of the line");
    assert_int_equal(kane_outside_indicators(wagon.simulation, values, NULL), KANE_OK);
    for (int i = 0; i < 6; i++)
        assert_true(values[i] < 0.0);
    const int count = kane_outside_indicator_count(motor.simulation); // driven
    kane_outside_indicator_name(motor.simulation, count - 3, sizeof name, name);
    assert_string_equal(name, "speed of the drive");
    assert_int_equal(kane_outside_indicators(motor.simulation, values, NULL), KANE_OK);
    check_near(values[count - 3], 10.0, 1e-9); // 36 km/h
    drop(&wagon);
    drop(&motor);
    drop(&bar);
}

static void check_unit(const kane_model *model, const char *state_name, const char *unit)
{
    char name[128];
    for (int i = 0; i < kane_model_state_count(model); i++) {
        kane_state_name(model, i, sizeof name, name);
        if (strcmp(name, state_name) != 0)
            continue;
        assert_string_equal(kane_state_unit(model, i), unit);
        return;
    }
    fail_msg("there is no state %s", state_name);
}

CHECK_TEST(states_have_units)
{
    rig wagon = make(WAGON, 1), motor = make(MOTOR, 1), bar = make(FOUR_BAR, 1);
    check_unit(wagon.model, "body.y", "m");
    check_unit(wagon.model, "body.yaw", "rad");
    check_unit(wagon.model, "body.v.y", "m/s");
    check_unit(wagon.model, "leading.omega.y", "rad/s");
    check_unit(motor.model, "travel.s", "m");
    check_unit(motor.model, "travel.b", "m/s^2");
    check_unit(bar.model, "crank.angle", "rad");
    check_unit(bar.model, "pin.u.0", "");
    drop(&wagon);
    drop(&motor);
    drop(&bar);
}

CHECK_TEST(what_cannot_be_is_refused)
{
    rig inside = make(FOUR_BAR, 0), outside = make(FOUR_BAR, 1);
    CHECK_ERRORS errors = {0};
    double y[MOST];
    int flag;
    memcpy(y, kane_simulation_state(outside.simulation), (size_t)kane_outside_size(outside.simulation) * sizeof *y);
    assert_int_equal(kane_outside_put(inside.simulation, 0.1, y), KANE_BAD_ARGUMENT);
    assert_int_equal(kane_outside_event(inside.simulation, &flag, &errors), KANE_BAD_ARGUMENT);
    assert_int_equal(kane_outside_complete(inside.simulation, &flag, &errors), KANE_BAD_ARGUMENT);
    assert_int_equal(kane_outside_put(outside.simulation, (double)NAN, y), KANE_BAD_ARGUMENT);
    y[1] = (double)INFINITY;
    assert_int_equal(kane_outside_put(outside.simulation, 0.1, y), KANE_BAD_ARGUMENT);
    check_near(kane_simulation_time(outside.simulation), 0.0, 0.0); // nothing was done
    assert_int_equal(kane_simulation_advance(outside.simulation, 0.1, &errors), KANE_INTEGRATION_FAILED);
    assert_non_null(strstr(kane_errors_get(&errors, 0)->text, "integrated from outside"));
    drop(&inside);
    drop(&outside);
}

CHECK_MAIN(NULL, NULL)
