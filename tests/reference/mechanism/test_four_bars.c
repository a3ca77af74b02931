// SPDX-License-Identifier: MIT
// IFToMM library of computational benchmarks, A02: two four-bar loops of bars of 1 kg and 1 m, which pass through positions
// where the loops are singular (all bars on one line) and could go on in another way. They start upright, the tip of the first
// rocker at 1 m/s along x, and run for 10 s.
//
// As long as all rockers stay parallel they move as one pendulum,  3 theta'' = -3.5 g cos(theta),  whose positions were
// computed for libkane by independent code. Who leaves this motion at a singular position has lost its branch.

#include "mechanisms.h"

static const double moments[4]     = {1.0, 2.0, 4.0, 10.0};
static const double expected[4][2] = {
    {-0.195020301950, -0.980799205662},
    {0.057815795768, 0.998327267863},
    {0.117616102377, 0.993059138451},
    {0.328458111539, 0.944518538179},
};

// The drawing: rockers upright. `tips`: how the couplers' ends are tied to the rockers' tips.
static void build(mechanism *m, kane_constraint_kind tips)
{
    const double J = 1.0 / 12.0;
    mechanism_begin(m, 9.81);
    (void)mechanism_bar(m, "rocker 0", NULL, 1.0, J, planar(0.0, 0.0), planar(0.0, 1.0));
    (void)mechanism_bar(m, "coupler 1", "rocker 0", 1.0, J, planar(0.0, 1.0), planar(1.0, 1.0));
    (void)mechanism_bar(m, "rocker 1", NULL, 1.0, J, planar(1.0, 0.0), planar(1.0, 1.0));
    (void)mechanism_bar(m, "coupler 2", "rocker 1", 1.0, J, planar(1.0, 1.0), planar(2.0, 1.0));
    (void)mechanism_bar(m, "rocker 2", NULL, 1.0, J, planar(2.0, 0.0), planar(2.0, 1.0));
    (void)mechanism_close(m, "tip 1", tips, "coupler 1", "rocker 1", planar(1.0, 1.0), planar_axes());
    (void)mechanism_close(m, "tip 2", tips, "coupler 2", "rocker 2", planar(2.0, 1.0), planar_axes());
    m->starts[0].rate[0]   = -1.0;
    m->starts[0].held_rate = 1u;
    m->starts[0].held_q    = 1u;
}

static void check_branch(kane_constraint_form form, kane_constraint_kind tips)
{
    mechanism m;
    build(&m, tips);
    mechanism_open(&m, form);
    const double energy          = mechanism_energy(&m, m.work);
    const kane_settings settings = mechanism_settings(1e-9); // tighter ones see round-off grow at singular positions
    mechanism_run(&m, &settings);
    for (int i = 0; i < 4; i++) {
        double value, rate;
        const kane_work *work   = mechanism_go(&m, moments[i]);
        const kane_vec3 tip     = mechanism_point(&m, work, 0, planar(0.0, 1.0));
        const double difference = mechanism_coordinate(&m, work, 4, 0) - mechanism_coordinate(&m, work, 0, 0);
        check_vec3(tip, planar(expected[i][0], expected[i][1]), 2e-5);
        check_near(difference, 0.0, 1e-7);
        check_near(mechanism_energy(&m, work), energy, 5e-5);
        kane_get_drift(m.model, work, &value, &rate);
        check_near(value, 0.0, 1e-9);
        check_near(rate, 0.0, 1e-9);
    }
    mechanism_close_all(&m);
}

static void test_coefficients(void **state)
{
    (void)state;
    check_branch(KANE_FORM_COEFFICIENTS, KANE_CONSTRAINT_SPHERICAL);
}

static void test_multipliers(void **state)
{
    (void)state;
    check_branch(KANE_FORM_MULTIPLIERS, KANE_CONSTRAINT_SPHERICAL);
}

// Hinges of the drawing's plane say nothing that the loop has not said, but for two equations each.
static void test_redundant(void **state)
{
    (void)state;
    check_branch(KANE_FORM_COEFFICIENTS, KANE_CONSTRAINT_REVOLUTE);
    check_branch(KANE_FORM_MULTIPLIERS, KANE_CONSTRAINT_REVOLUTE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_coefficients),
        cmocka_unit_test(test_multipliers),
        cmocka_unit_test(test_redundant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
