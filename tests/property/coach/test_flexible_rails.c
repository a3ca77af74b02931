// SPDX-License-Identifier: MIT
// A car body that bends, with a bogie and a guided wheelset on joints in its tree, without loops: its modes answer the
// rails. Fixed frames and a loop in place of the bogie's joint lead to the same, energy is balanced, derivatives are
// exact.

#include "property/wagon/guided_loops.h"

#define AXLE "\"type\": \"revolute\", \"axis\": [0, 1, 0], \"at\": [10.78, 0, 0.46]"
#define RUN                                                                                                            \
    TIGHT, GUIDED, "vehicle.elements.leading secondary.stiffness=[0, 0, 0]",                                           \
        "vehicle.wheelsets.wheelset 1.joint={" AXLE ", \"parent\": \"leading bogie\"}"
#define PIVOT "\"type\": \"revolute\", \"axis\": [0, 1, 0], \"at\": [9.5, 0, 0.8275]"
#define JOINT "vehicle.bodies.leading bogie.joint={" PIVOT ", \"parent\": \"car\"}"
#define LOOP  "vehicle.constraints={\"pivot\": {" PIVOT ", \"between\": [\"car\", \"leading bogie\"]}}"

enum { BODIES = 7, ALL = 3 * BODIES + 4 };

static void run_to(const char *const *settings, double out[ALL])
{
    static const int kept[3] = {KANE_Y, KANE_Z, KANE_YAW};
    CHECK_FREED(wagon) w     = wagon_open("coach-flexible", settings);
    if (!wagon_go(&w, 0.6))
        fail_msg("%s stops at %g s", settings[0], kane_simulation_time(w.simulation));
    const kane_work *work = kane_simulation_work(w.simulation);
    for (int j = 0; j < BODIES; j++) {
        double q[6], rates[6];
        kane_get_relative(w.model, work, j, q, rates);
        for (int k = 0; k < 3; k++)
            out[3 * j + k] = q[kept[k]];
    }
    for (int i = 0; i < 4; i++)
        out[3 * BODIES + i] = work->wheels[i / 2].guidance.N[i % 2];
}

static void check_alike(const char *const *a, const char *const *b, double places, double loads)
{
    double first[ALL], other[ALL];
    run_to(a, first);
    run_to(b, other);
    for (int k = 0; k < ALL; k++)
        check_near(other[k], first[k], k < 3 * BODIES ? places : loads);
}

CHECK_TEST(frames_move_alike)
{
    const char *const moving[] = {RUN, JOINT, NULL}, *const fixed[] = {RUN, JOINT, "formulation=fixed", NULL};
    check_alike(moving, fixed, 1e-10, 0.01);
}

// At rest they hang a little differently: the sag of the body under what a loop bears is not that under a joint.
CHECK_TEST(a_joint_is_nearly_a_loop)
{
    const char *const joint[] = {RUN, JOINT, NULL}, *const loop[] = {RUN, LOOP, NULL};
    check_alike(joint, loop, 1e-4, 30.0);
}

// What comes in is in motion and in springs, or has become heat.
CHECK_TEST(work_and_heat_balance)
{
    const char *const settings[] = {RUN, JOINT, "output.work=true", "drive={}", "until.distance=20", NULL};
    wagon_check_balance("coach-flexible", settings, 0.9);
}

CHECK_TEST(the_jacobian_is_the_derivative)
{
    for (double t = 0.3; t < 0.7; t += 0.3) {
        double y[STATES];
        CHECK_FREED(wagon) w = wagon_open_with("coach-flexible", RUN, JOINT);
        assert_true(wagon_go(&w, t));
        CHECK_OWNED(kane_work) *work = kane_work_create(w.model, NULL);
        memcpy(y, kane_simulation_state(w.simulation), (size_t)kane_model_state_count(w.model) * sizeof *y);
        kane_work_copy(w.model, kane_simulation_work(w.simulation), work);
        assert_int_equal(kane_project(w.model, work, t, y), KANE_OK);
        check_derivative(&w, work, t, y, 3e-7);
    }
}

// Where small motions may go, by all states: against differences of projections, from a state on the rails.
CHECK_TEST(the_projection_has_its_columns)
{
    const double t = 0.3, h = 1e-7;
    double y[STATES], ydot[STATES], moved[2][STATES];
    CHECK_FREED(wagon) w = wagon_open_with("coach-flexible", RUN, JOINT);
    assert_true(wagon_go(&w, t));
    const size_t n                       = (size_t)kane_model_state_count(w.model);
    CHECK_OWNED(kane_work) *work         = kane_work_create(w.model, NULL);
    CHECK_OWNED(kane_jacobian) *jacobian = kane_jacobian_create(w.model, (int)n);
    CHECK_MEMORY double *values          = calloc((size_t)kane_jacobian_pattern(jacobian)->count, sizeof *values);
    CHECK_MEMORY double *P               = calloc(n * n, sizeof *P);
    memcpy(y, kane_simulation_state(w.simulation), n * sizeof *y);
    kane_work_copy(w.model, kane_simulation_work(w.simulation), work);
    assert_int_equal(kane_project(w.model, work, t, y), KANE_OK);
    assert_int_equal(kane_jacobian_eval(jacobian, w.model, work, t, y, ydot, values), KANE_OK);
    for (size_t k = 0; k < n * n; k += n + 1)
        P[k] = 1.0;
    assert_int_equal(kane_jacobian_project(jacobian, P), KANE_OK);
    for (size_t c = (size_t)w.model->travel_count; c < n; c++) {
        double size = 1.0;
        for (int k = 0; k < 2; k++) {
            memcpy(moved[k], y, n * sizeof *y);
            moved[k][c] += k ? h : -h;
            assert_int_equal(kane_project(w.model, work, t, moved[k]), KANE_OK);
        }
        for (size_t row = (size_t)w.model->travel_count; row < n; row++)
            size = fmax(size, fabs(P[c * n + row]));
        for (size_t row = (size_t)w.model->travel_count; row < n; row++)
            check_near(P[c * n + row], (moved[1][row] - moved[0][row]) / (2.0 * h), 1e-6 * size);
    }
}

CHECK_MAIN(NULL, NULL)
