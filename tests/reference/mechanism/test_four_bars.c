// SPDX-License-Identifier: MIT
// IFToMM library of computational benchmarks, A02: two four-bar loops of bars of 1 kg and 1 m, which pass through
// positions where the loops are singular (all bars on one line) and could go on in another way. They start upright, the
// tip of the first rocker at 1 m/s along x, and run for 10 s.
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

typedef struct lengths {
    double rocker, coupler;
} lengths;

// The drawing: rockers upright. `tips`: how the couplers' ends are tied to the rockers' tips.
static void build(mechanism *m, lengths l, kane_constraint_kind tips)
{
    const double J = 1.0 / 12.0;
    kane_vec3 foot[3], tip[3];
    for (int i = 0; i < 3; i++) {
        foot[i] = planar(l.coupler * i, 0.0);
        tip[i]  = planar(l.coupler * i, l.rocker);
    }
    mechanism_begin(m, 9.81);
    (void)mechanism_bar(m, "rocker 0", NULL, 1.0, J * l.rocker * l.rocker, foot[0], tip[0]);
    (void)mechanism_bar(m, "coupler 1", "rocker 0", 1.0, J * l.coupler * l.coupler, tip[0], tip[1]);
    (void)mechanism_bar(m, "rocker 1", NULL, 1.0, J * l.rocker * l.rocker, foot[1], tip[1]);
    (void)mechanism_bar(m, "coupler 2", "rocker 1", 1.0, J * l.coupler * l.coupler, tip[1], tip[2]);
    (void)mechanism_bar(m, "rocker 2", NULL, 1.0, J * l.rocker * l.rocker, foot[2], tip[2]);
    (void)mechanism_close(m, "tip 1", tips, "coupler 1", "rocker 1", tip[1], planar_axes());
    (void)mechanism_close(m, "tip 2", tips, "coupler 2", "rocker 2", tip[2], planar_axes());
    m->starts[0].rate[0]   = -1.0;
    m->starts[0].held_rate = 1u;
    m->starts[0].held_q    = 1u;
}

// drift: between steps multipliers hold the constraints as well as the integrator interpolates.
static void check_state(const mechanism *m, const kane_work *work, double energy, double drift)
{
    double value, rate;
    kane_get_drift(m->model, work, &value, &rate);
    check_near(value, 0.0, drift);
    check_near(rate, 0.0, drift);
    check_near(mechanism_coordinate(m, work, 2, 0) - mechanism_coordinate(m, work, 0, 0), 0.0, drift);
    check_near(mechanism_coordinate(m, work, 4, 0) - mechanism_coordinate(m, work, 0, 0), 0.0, drift);
    check_near(mechanism_energy(m, work), energy, 5e-5);
}

static void check_branch(kane_constraint_form form, kane_constraint_kind tips)
{
    const lengths one            = {1.0, 1.0};
    const kane_settings settings = mechanism_settings(1e-9); // tighter ones see round-off grow at singular positions
    CHECK_END(mechanism_close_all) mechanism m = {0};
    build(&m, one, tips);
    mechanism_open(&m, form);
    const double energy = mechanism_energy(&m, m.work);
    mechanism_run(&m, &settings);
    for (int i = 0; i < 4; i++) {
        const kane_work *work = mechanism_go(&m, moments[i]);
        check_vec3(mechanism_point(&m, work, 0, planar(0.0, 1.0)), planar(expected[i][0], expected[i][1]), 5e-5);
        check_state(&m, work, energy, 1e-9);
        mechanism_check_jacobian(&m, 1e-4);
    }
}

CHECK_TEST(test_coefficients)
{
    check_branch(KANE_FORM_COEFFICIENTS, KANE_CONSTRAINT_SPHERICAL);
}

CHECK_TEST(test_multipliers)
{
    check_branch(KANE_FORM_MULTIPLIERS, KANE_CONSTRAINT_SPHERICAL);
}

// Hinges of the drawing's plane say nothing that the loop has not said, but for two equations each.
CHECK_TEST(test_redundant)
{
    check_branch(KANE_FORM_COEFFICIENTS, KANE_CONSTRAINT_REVOLUTE);
    check_branch(KANE_FORM_MULTIPLIERS, KANE_CONSTRAINT_REVOLUTE);
}

// Other lengths, which no binary number is, from tolerances of every day to tight ones.
CHECK_TEST(test_lengths)
{
    const lengths other        = {0.7, 1.3};
    const double tolerances[3] = {1e-6, 1e-8, 1e-9};
    for (int form = KANE_FORM_COEFFICIENTS; form <= KANE_FORM_MULTIPLIERS; form++)
        for (int k = 0; k < 3; k++) {
            const kane_settings settings               = mechanism_settings(tolerances[k]);
            CHECK_END(mechanism_close_all) mechanism m = {0};
            build(&m, other, KANE_CONSTRAINT_SPHERICAL);
            mechanism_open(&m, (kane_constraint_form)form);
            mechanism_run(&m, &settings);
            for (int i = 1; i <= 10; i++) {
                const kane_work *work = mechanism_go(&m, i);
                check_state(&m, work, mechanism_energy(&m, work), fmax(0.1 * tolerances[k], 1e-9));
            }
        }
}

CHECK_MAIN(NULL, NULL)
