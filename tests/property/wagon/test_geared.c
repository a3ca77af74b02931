// SPDX-License-Identifier: MIT
// A motor wagon whose gear gives way: in moving frames as in fixed ones, with exact derivatives, and with stiff teeth
// as with a rigid relation; the motor's torque over speed drives it.

#include "property/wagon/wagon.h"

#define ELASTIC    "variant=elastic gear"
#define ROTOR_AT   "vehicle.bodies.rotor.at=[4.06,0,0.5]"
#define JOINT_AT   "vehicle.bodies.rotor.joint.at=[4.06,0,0.5]"
#define COARSE_END "until.distance=60"

enum { WAGON_BODY, MOTOR, ROTOR, LEADING_AXLE };

static double body_rate(const wagon *w, const kane_work *work, const char *name, int coordinate)
{
    double q[6], rates[6];
    kane_get_relative(w->model, work, kane_model_find_body(w->model, name), q, rates);
    return rates[coordinate];
}

CHECK_TEST(moving_frames_are_fixed_ones)
{
    const char *const moving[] = {ELASTIC, TIGHT, NULL}, *const fixed[] = {ELASTIC, TIGHT, "formulation=fixed", NULL};
    CHECK_FREED(wagon) a = wagon_open("motor-wagon", moving), b = wagon_read("motor-wagon", fixed);
    wagon_start(&b);
    for (int i = 1; i <= 10; i++) {
        static const char *const names[] = {"body", "motor", "leading", "trailing"};
        assert_true(wagon_go(&a, 0.6 * i) && wagon_go(&b, 0.6 * i));
        const kane_work *of_a = kane_simulation_work(a.simulation), *of_b = kane_simulation_work(b.simulation);
        for (int k = 0; k < 4; k++)
            for (int c = 1; c < 5; c++)
                check_near(body_rate(&a, of_a, names[k], c), body_rate(&b, of_b, names[k], c), 1e-6);
        kane_wrench of_gear[2];
        kane_relative relative;
        const int gear = a.model->element_count - 2;
        assert_string_equal(a.model->elements[gear].name, "gear");
        kane_get_element(a.model, of_a, gear, &of_gear[0], &relative);
        kane_get_element(b.model, of_b, gear, &of_gear[1], &relative);
        check_near(kv3_norm(of_gear[0].force), kv3_norm(of_gear[1].force), 1e-3);
        assert_true(i < 4 || kv3_norm(of_gear[0].force) > 1e3);
    }
}

// The wheels turn by a quarter of what the rotor does against the motor; speeds and wheel forces as with the
// constraint.
CHECK_TEST(stiff_teeth_are_the_constraint)
{
    CHECK_FREED(wagon) a = wagon_open_with("motor-wagon", ELASTIC, "vehicle.elements.gear.stiffness=3e9",
                                           "vehicle.elements.gear.damping=5e5"),
                       b = wagon_with("motor-wagon", ROTOR_AT, JOINT_AT);
    wagon_start(&b);
    for (int i = 1; i <= 10; i++) {
        double s[2], v[2], acceleration[2], q[6], rates[6];
        assert_true(wagon_go(&a, i) && wagon_go(&b, i));
        const kane_work *of_a = kane_simulation_work(a.simulation), *of_b = kane_simulation_work(b.simulation);
        kane_get_travel(of_a, &s[0], &v[0], &acceleration[0]);
        kane_get_travel(of_b, &s[1], &v[1], &acceleration[1]);
        check_near(s[0], s[1], 1e-4);
        check_near(v[0], v[1], 1e-5);
        (void)kane_get_joint(a.model, of_a, kane_model_find_body(a.model, "rotor"), q, rates, NULL);
        const double wheel = body_rate(&a, of_a, "leading", KANE_PITCH),
                     motor = body_rate(&a, of_a, "motor", KANE_PITCH);
        check_relative(rates[0], -4.0 * (wheel - motor), 1e-5);
    }
}

CHECK_TEST(jacobians_are_exact)
{
    const char *const settings[] = {ELASTIC, NULL};
    const char *const fixed[]    = {ELASTIC, "formulation=fixed", NULL};
    const char *const loose[]    = {ELASTIC, "vehicle.elements.gear.backlash=1e-4", "vehicle.inputs.motor.value=0.7",
                                    NULL};
    wagon_check_jacobian("motor-wagon", settings, 1e-5);
    wagon_check_jacobian("motor-wagon", fixed, 1e-5);
    wagon_check_jacobian("motor-wagon", loose, 1e-5);
}

// The motor's table at level 1 is the torque of the run's own actuator at full force.
CHECK_TEST(a_motor_drives_as_an_actuator)
{
    double v[2];
    for (int i = 0; i < 2; i++) {
        CHECK_ERRORS errors = {0};
        double s, a;
        CHECK_FREED(wagon) w = wagon_open_with(
            "motor-wagon", ELASTIC, i ? "drive.motor.torque=[0,0,0]" : "drive.motor.torque=[-1200,-1200,-1200]");
        if (i)
            assert_int_equal(
                kane_simulation_set_input(w.simulation, kane_model_find_input(w.model, "motor", &errors), 1.0),
                KANE_OK);
        check_no_errors(&errors);
        assert_true(wagon_go(&w, 4.0));
        kane_get_travel(kane_simulation_work(w.simulation), &s, &v[i], &a);
    }
    assert_true(v[0] > 10.1);
    check_near(v[1], v[0], 1e-9);
}

CHECK_MAIN(NULL, NULL)
