// SPDX-License-Identifier: MIT
// IFToMM library of computational benchmarks, A04: Bricard's mechanism, five rods along edges of a cube, joined to each
// other and to the ground by six hinges. Counting says that it cannot move; it can, because one of the closing hinge's
// five equations follows from the others.
//
// Rods of 1 m and 1 kg, 0.1 m square; they fall from rest for 10 s.

#include "mechanisms.h"

enum { RODS = 5, END = RODS + 1 };

static const kane_vec3 corner[END] = {{0, 0, 0}, {0, 1, 0}, {0, 1, -1}, {1, 1, -1}, {1, 0, -1}, {1, 0, 0}};
static const int axis[END]         = {2, 0, 1, 2, 0, 1}; // square to both edges that meet there

static void build(mechanism *m)
{
    static const char *const name[RODS] = {"rod 1", "rod 2", "rod 3", "rod 4", "rod 5"};
    const double along = 0.02 / 12.0, across = 1.01 / 12.0;
    mechanism_begin(m, 9.81);
    for (int i = 0; i < RODS; i++) {
        const kane_vec3 edge = kv3_sub(corner[i + 1], corner[i]), middle = kv3_add_scaled(corner[i], 0.5, edge);
        const kane_vec3 J = {edge.x != 0.0 ? along : across, edge.y != 0.0 ? along : across,
                             edge.z != 0.0 ? along : across};
        const int rod = mechanism_add(m, name[i], 1.0, J, middle);
        (void)mechanism_hang(m, rod, KANE_JOINT_REVOLUTE, i > 0 ? name[i - 1] : NULL, corner[i], axes_about(axis[i]));
    }
    (void)mechanism_close(m, "last hinge", KANE_CONSTRAINT_REVOLUTE, NULL, "rod 5", corner[RODS],
                          axes_about(axis[RODS]));
}

static void check_form(kane_constraint_form form, kane_vec3 place[10])
{
    CHECK_END(mechanism_close_all) mechanism m = {0};
    build(&m);
    mechanism_open(&m, form);
    assert_int_equal(kane_model_dof_count(m.model), 1);
    assert_int_equal(kane_model_redundant_count(m.model), 1);
    assert_string_equal(kane_model_redundant_name(m.model, 0), "last hinge");

    const double energy          = mechanism_energy(&m, m.work);
    const kane_settings settings = mechanism_settings(1e-11);
    mechanism_run(&m, &settings);
    for (int i = 0; i < 10; i++) {
        double value, rate;
        const kane_work *work = mechanism_go(&m, 1.0 + i);
        place[i]              = mechanism_point(&m, work, 2, corner[3]);
        check_near(mechanism_energy(&m, work), energy, 2e-8);
        kane_get_drift(m.model, work, &value, &rate);
        check_near(value, 0.0, 1e-9);
        check_near(rate, 0.0, 1e-9);
        mechanism_check_jacobian(&m, 1e-5);
    }
}

CHECK_TEST(test_forms)
{
    kane_vec3 coefficients[10], multipliers[10];
    check_form(KANE_FORM_COEFFICIENTS, coefficients);
    check_form(KANE_FORM_MULTIPLIERS, multipliers);
    for (int i = 0; i < 10; i++)
        check_vec3(coefficients[i], multipliers[i], 2e-8);
}

CHECK_MAIN(NULL, NULL)
