// SPDX-License-Identifier: MIT
// What kane_get_joint and kane_put_... say of a body that nothing joins to others, beside one that hangs by a joint.

#include "mechanisms.h"

static void build(mechanism *m)
{
    mechanism_begin(m, 9.81);
    const int tumbling = mechanism_add(m, "tumbling", 2.0, kv3(0.1, 0.2, 0.25), kv3(0.0, 0.0, 1.0));
    const int arm      = mechanism_add(m, "arm", 1.0, kv3(0.1, 0.1, 0.1), kv3(0.5, 0.0, 0.0));
    (void)mechanism_hang(m, arm, KANE_JOINT_REVOLUTE, NULL, kv3_zero(), axes_about(1));
    m->starts[tumbling] =
        (kane_start_definition){.q = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6}, .rate = {1.0, 2.0, 3.0, 1.5, -0.7, 2.5}};
    m->bodies[tumbling].start = &m->starts[tumbling];
}

// Rates of body 0 at a state that ydot leads to in a short time.
static void rates_near(mechanism *m, double time, double rates[6])
{
    double y[32], ydot[32];
    for (int i = 0; i < kane_model_state_count(m->model); i++)
        y[i] = m->y[i] + time * m->ydot[i];
    assert_int_equal(kane_eval(m->model, m->work, 0.0, y, ydot), KANE_OK);
    kane_observe(m->model, m->work);
    assert_int_equal(kane_get_joint(m->model, m->work, 0, NULL, rates, NULL), 6);
}

CHECK_TEST(accelerations_of_a_free_body_are_those_of_its_coordinates)
{
    CHECK_END(mechanism_close_all) mechanism m = {0};
    static const double h                      = 1e-5;
    double acceleration[6], before[6], after[6];
    build(&m);
    mechanism_open(&m, KANE_FORM_COEFFICIENTS);
    assert_int_equal(kane_eval(m.model, m.work, 0.0, m.y, m.ydot), KANE_OK);
    kane_observe(m.model, m.work);
    assert_int_equal(kane_get_joint(m.model, m.work, 0, NULL, NULL, acceleration), 6);
    rates_near(&m, -h, before);
    rates_near(&m, h, after);
    for (int k = 0; k < 6; k++)
        check_near(acceleration[k], (after[k] - before[k]) / (2.0 * h), 1e-8);
}

CHECK_TEST(what_does_not_fit_a_body_is_refused)
{
    CHECK_END(mechanism_close_all) mechanism m = {0};
    const double six[6]                        = {0.0};
    double before[32];
    build(&m);
    mechanism_open(&m, KANE_FORM_COEFFICIENTS);
    memcpy(before, m.y, (size_t)kane_model_state_count(m.model) * sizeof *before);
    assert_int_equal(kane_put_joint(m.model, m.work, 0, six, six), KANE_BAD_ARGUMENT);
    assert_int_equal(kane_put_joint(m.model, m.work, 1, six, six), KANE_OK);
    assert_int_equal(kane_put_relative(m.model, m.work, 1, six, six, m.y), KANE_BAD_ARGUMENT);
    assert_memory_equal(before, m.y, (size_t)kane_model_state_count(m.model) * sizeof *before);
    assert_int_equal(kane_put_relative(m.model, m.work, 0, six, six, m.y), KANE_OK);
}

CHECK_MAIN(NULL, NULL)
