// SPDX-License-Identifier: MIT
// Hooke's joint: two shafts at an angle b, whose forks hold a cross. With f and g the turns of the shafts
//   tan(g) = cos(b) tan(f),   g'/f' = k = cos(b)/(cos^2(f) + cos^2(b) sin^2(f))
// and without torques (I1 + I2 k^2) f'^2 stays as it is. The joint is a constraint between two shafts with bearings, or
// a joint of the tree by which the second shaft hangs on the first one while a constraint is its bearing.

#include "mechanisms.h"

enum { FIRST, SECOND };

static const double angle = 0.6, inertia[2] = {0.7, 1.9}, rate = 3.0;

typedef enum way { BY_CONSTRAINT, BY_JOINT_AND_HINGE, BY_JOINT_AND_SLEEVE, WAYS } way;

// Axes of the cross in the drawing: x square to the first shaft, y and z square to and along the second.
static kane_mat3 cross_axes(void)
{
    return (kane_mat3){{0.0, 0.0, 1.0}, {sin(angle), -cos(angle), 0.0}, {cos(angle), sin(angle), 0.0}};
}

static void build(mechanism *m, way w)
{
    const kane_mat3 cross = cross_axes();
    mechanism_begin(m, 0.0);
    for (int i = 0; i < 2; i++)
        (void)mechanism_add(m, i ? "second" : "first", 1.0, kv3(inertia[i], inertia[i], inertia[i]), kv3_zero());
    (void)mechanism_hang(m, FIRST, KANE_JOINT_REVOLUTE, NULL, kv3_zero(), axes_about(0));
    m->starts[FIRST].rate[0]   = rate;
    m->starts[FIRST].held_rate = m->starts[FIRST].held_q = 1u;
    if (w == BY_CONSTRAINT) {
        (void)mechanism_hang(m, SECOND, KANE_JOINT_REVOLUTE, NULL, kv3_zero(), cross);
        (void)mechanism_close(m, "cross", KANE_CONSTRAINT_UNIVERSAL, "first", "second", kv3_zero(), cross);
        return;
    }
    (void)mechanism_hang(m, SECOND, KANE_JOINT_UNIVERSAL, "first", kv3_zero(), cross);
    (void)mechanism_close(m, "bearing",
                          w == BY_JOINT_AND_HINGE ? KANE_CONSTRAINT_REVOLUTE : KANE_CONSTRAINT_CYLINDRICAL, NULL,
                          "second", kv3_zero(), cross);
}

static void check_way(way w, kane_constraint_form form)
{
    const kane_settings settings               = mechanism_settings(1e-13);
    const kane_mat3 cross                      = cross_axes();
    CHECK_END(mechanism_close_all) mechanism m = {0};
    build(&m, w);
    mechanism_open(&m, form);
    assert_int_equal(kane_model_redundant_count(m.model), 1);
    mechanism_run(&m, &settings);
    for (int i = 1; i <= 20; i++) {
        const kane_work *work = mechanism_go(&m, 0.2 * i);
        const double f        = mechanism_coordinate(&m, work, FIRST, 0);
        const double g        = atan2(cos(angle) * sin(f), cos(f));
        const double k        = cos(angle) / (cos(f) * cos(f) + cos(angle) * cos(angle) * sin(f) * sin(f));
        const double k0 = cos(angle), whole = (inertia[0] + inertia[1] * k0 * k0) * rate * rate;
        const double f_rate = mechanism_rate(&m, work, FIRST, 0);
        kane_vec3 omega;
        check_vec3(mechanism_point(&m, work, SECOND, cross.y),
                   kv3_sub(kv3_scale(cos(g), cross.y), kv3_scale(sin(g), cross.x)), 1e-10);
        kane_get_absolute(m.model, work, SECOND, NULL, &omega, NULL, NULL);
        check_vec3(omega, kv3_scale(k * f_rate, cross.z), 1e-10);
        check_relative(f_rate, sqrt(whole / (inertia[0] + inertia[1] * k * k)), 1e-9);
    }
}

CHECK_TEST(test_ways)
{
    for (int w = BY_CONSTRAINT; w < WAYS; w++)
        for (int form = KANE_FORM_COEFFICIENTS; form <= KANE_FORM_MULTIPLIERS; form++)
            check_way((way)w, (kane_constraint_form)form);
}

CHECK_MAIN(NULL, NULL)
