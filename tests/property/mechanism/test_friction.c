// SPDX-License-Identifier: MIT
// Bodies that rest on dry friction stay there in a simulation, for an hour, and those that slip lose what friction takes.

#include "mechanisms.h"

#define SLOPE 0.1 // of the incline [rad]

// A block of 1000 kg that slides down an incline along x and stands on its friction.
static kane_friction build(mechanism *m, double coefficient)
{
    const kane_mat3 incline = kane_matrix_from_angles(0.0, 0.0, SLOPE); // pitched: x goes down
    mechanism_begin(m, 9.81);
    const int block = mechanism_add(m, "block", 1000.0, kv3(50, 50, 50), kv3(0, 0, 0.3));
    (void)mechanism_hang(m, block, KANE_JOINT_PRISMATIC, NULL, kv3(0, 0, 0.3),
                         (kane_mat3){incline.y, incline.z, incline.x});
    return (kane_friction){
        .directions = 0,
        .force      = coefficient * 9810.0 * cos(SLOPE),
        .friction   = {.stick_displacement = 0.5e-3, .stick_damping = 2e4},
    };
}

static void lay(mechanism *m, const kane_friction *friction)
{
    kane_element_definition *e =
        mechanism_element(m, "base", &kane_law_friction, friction, NULL, kv3_zero(), "block", kv3_zero());
    e->axes = kane_matrix_from_angles(0.0, 0.0, SLOPE);
}

static double place(mechanism *m, double t)
{
    return mechanism_coordinate(m, mechanism_go(m, t), 0, 0);
}

static void a_block_rests_for_an_hour(void **state)
{
    static mechanism m;
    kane_statistics statistics;
    (void)state;
    const kane_friction friction = build(&m, 0.2);
    lay(&m, &friction);
    mechanism_open(&m, KANE_FORM_COEFFICIENTS);
    const kane_settings settings = kane_settings_default();
    mechanism_run(&m, &settings);
    const double settled = place(&m, 30.0);
    mechanism_check_jacobian(&m, 1e-6);
    const double later = place(&m, 3600.0);
    kane_simulation_statistics(m.simulation, &statistics);
    // the weight's share of tan 0.1/0.2 = half of the limit, as the layer is stiff
    check_relative(settled, 0.5e-3 * tan(SLOPE) / 0.2, 1e-4);
    check_near(later, settled, 1e-9);
    print_message("%ld steps, %.3g m\n", statistics.steps, later - settled);
    assert_true(statistics.steps < 2000);
    mechanism_close_all(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_rests_for_an_hour),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
