// SPDX-License-Identifier: MIT
// IFToMM library of computational benchmarks, A01: a mass of 1 kg on a massless rod of 1 m starts horizontally, at
// rest. By a hinge; and as a point of the plane that a rod holds, in both forms.
//
// Positions were computed for libkane by independent code.

#include "mechanisms.h"

static const double moments[3]     = {1.0, 5.0, 10.0};
static const double expected[3][2] = {
    {0.986291751132, -0.165010853126},
    {-0.942305435044, -0.334754338414},
    {-0.275087462576, -0.961419205099},
};

static void follow(mechanism *m, kane_constraint_form form, double tolerance)
{
    mechanism_open(m, form);
    const double energy          = mechanism_energy(m, m->work);
    const kane_settings settings = mechanism_settings(1e-13);
    mechanism_run(m, &settings);
    for (int i = 0; i < 3; i++) {
        double value, rate;
        const kane_work *work = mechanism_go(m, moments[i]);
        check_vec3(mechanism_point(m, work, 0, m->bodies[0].position), planar(expected[i][0], expected[i][1]),
                   tolerance);
        check_near(mechanism_energy(m, work), energy, 3.0 * tolerance);
        kane_get_drift(m->model, work, &value, &rate);
        check_near(value, 0.0, 1e-10);
        check_near(rate, 0.0, 1e-9);
    }
    mechanism_close_all(m);
}

CHECK_TEST(test_hinge)
{
    mechanism m;
    mechanism_begin(&m, 9.81);
    (void)mechanism_add(&m, "mass", 1.0, kv3_zero(), planar(-1.0, 0.0));
    (void)mechanism_hang(&m, 0, KANE_JOINT_REVOLUTE, NULL, kv3_zero(), planar_axes());
    follow(&m, KANE_FORM_COEFFICIENTS, 1e-9);
}

// Two freedoms in the plane; the start is where the constraint allows it.
static void begin_point(mechanism *m)
{
    mechanism_begin(m, 9.81);
    const int body               = mechanism_add(m, "mass", 1.0, kv3_zero(), planar(-1.0, 0.0));
    kane_joint_definition *joint = mechanism_hang(m, body, KANE_JOINT_FREE, NULL, planar(-1.0, 0.0), km3_identity());
    joint->dof                   = KANE_DOF(KANE_X) | KANE_DOF(KANE_Z);
}

CHECK_TEST(test_rod)
{
    for (int form = KANE_FORM_COEFFICIENTS; form <= KANE_FORM_MULTIPLIERS; form++) {
        mechanism m;
        begin_point(&m);
        (void)mechanism_close_at(&m, "rod", KANE_CONSTRAINT_DISTANCE, NULL, kv3_zero(), "mass", planar(-1.0, 0.0),
                                 km3_identity());
        follow(&m, (kane_constraint_form)form, 3e-8);
    }
}

CHECK_MAIN(NULL, NULL)
