// SPDX-License-Identifier: MIT
// What must be true of wheelsets on joints with bodies on their axles: static loads by hand, rest at the start, the
// pull of a nose-suspended motor in closed form, energy, and the exact Jacobian.

#include "property/railcar/railcar.h"

static double static_load(const wagon *w, int axle)
{
    double load[2];
    assert_int_equal(kane_model_wheel_load(w->model, railcar_axle(w, axle), load), KANE_OK);
    check_near(load[0], load[1], 1e-6);
    return load[0] + load[1];
}

// Of a bogie with all that hangs on it: forces and moments about its middle, at which it carries half of the body.
CHECK_TEST(wheel_loads_are_those_by_hand)
{
    CHECK_FREED(wagon) w = wagon_read("railcar", NULL);
    const double g = 9.81, body = 0.5 * 30000.0, bogie = 2600.0, wheelset = 1300.0, box = 120.0, yoke = 320.0;
    wagon_start(&w);
    // leading: boxes 0.1 m inside of the axles, motor and rotor 0.7 m and 0.65 m before the middle
    const double sum    = g * (body + bogie + 2.0 * wheelset + 4.0 * box + 1300.0 + 400.0);
    const double moment = g * (1300.0 * 0.7 + 400.0 * 0.65); // of all the others none is left
    check_near(static_load(&w, 0), 0.5 * sum + moment / 2.4, 1e-5);
    check_near(static_load(&w, 1), 0.5 * sum - moment / 2.4, 1e-5);
    for (int k = 2; k < 4; k++)
        check_near(static_load(&w, k), 0.5 * g * (body + bogie + 2.0 * wheelset + 2.0 * yoke), 1e-5);
}

// As statics leaves it, before any search for equilibrium: nothing moves across the line, and along it only what the
// rails of wheels that roll exert, a few newtons.
CHECK_TEST(it_rests_as_statics_says)
{
    CHECK_FREED(wagon) w = wagon_with("railcar", "start.speed=20");
    CHECK_ERRORS errors  = {0};
    wagon_start(&w);
    const int n                  = kane_model_state_count(w.model);
    CHECK_OWNED(kane_work) *work = kane_work_create(w.model, &errors);
    double *y = calloc((size_t)n, sizeof *y), *ydot = calloc((size_t)n, sizeof *ydot), across = 0.0, along = 0.0;
    check_no_errors(&errors);
    assert_int_equal(kane_initial_state(w.model, work, y, &errors), KANE_OK);
    assert_int_equal(kane_eval(w.model, work, 0.0, y, ydot), KANE_OK);
    kane_observe(w.model, work);
    for (int j = 0; j < RAILCAR_BODIES; j++) {
        const kane_body_state *b = &work->body[j];
        across                   = fmax(across, fmax(fabs(b->a.y), fmax(fabs(b->e.x), fabs(b->e.z))));
        across                   = fmax(across, fabs(b->a.z));
        along                    = fmax(along, fabs(b->a.x));
    }
    if (getenv("KANE_SHOW"))
        print_message("across %g, along %g m/s^2\n", across, along);
    check_below(across, 2e-3);
    check_below(along, 5e-3);
    free(y);
    free(ydot);
}

// The torque T of the motor turns the rotor four times as fast as the axle and the other way round, while the motor
// does not turn:
//   T w_rotor = dE/dt     (M + sum of I/r^2 + 4^2 I_rotor/r^2) a = 4 T/r
// and the nose keeps motor and rotor from turning about the axle: the axle takes 4 times what gear wheels give the
// rotor, and the nose the same about the axle, besides what the bodies' own acceleration asks for.
CHECK_TEST(a_nose_suspended_motor_pulls_as_by_hand)
{
    const double r = 0.46, mass = 30000.0 + 2.0 * 2600.0 + 4.0 * 1300.0 + 4.0 * 120.0 + 1700.0 + 2.0 * 320.0;
    const double a    = 4.0 * 400.0 / r / (mass + 4.0 * 100.0 / (r * r) + 16.0 * 6.0 / (r * r));
    const double gear = 400.0 - 6.0 * 4.0 * a / r; // on the rotor; the shaft's own inertia keeps the rest
    CHECK_FREED(wagon) w =
        wagon_with("railcar", "track.sections[0].straight=2000", "until.distance=1900", "until.time=60",
                   "drive.motor.time=[0, 3, 12]", "drive.motor.torque=[0, -400, -400]");
    double nose = 0.0, before = 0.0;
    kane_vec3 v, e;
    wagon_start(&w);
    const int body = kane_model_find_body(w.model, "body");
    for (int i = 0; i < w.model->element_count; i++)
        if (strcmp(w.model->elements[i].name, "nose") == 0)
            nose = i;
    kane_relative relative;
    kane_wrench on_motor;
    kane_get_element(w.model, kane_simulation_work(w.simulation), (int)nose, &on_motor, &relative);
    before = on_motor.force.z;
    assert_true(wagon_go(&w, 12.0));
    kane_get_absolute(w.model, kane_simulation_work(w.simulation), body, &v, NULL, &e, NULL);
    check_relative(e.x, a, 1e-2); // creep, and what wheels that roll resist
    kane_get_element(w.model, kane_simulation_work(w.simulation), (int)nose, &on_motor, &relative);
    // about the axle, to the left: 1.05 m behind it, 0.14 m above; both mass centres 0.04 m above it are accelerated
    const double moment = (on_motor.force.z - before) * 1.05;
    if (getenv("KANE_SHOW"))
        print_message("a %g %g, nose %g N m, gear %g N m\n", e.x, a, moment, 4.0 * gear);
    check_relative(fabs(moment), 4.0 * gear - 1700.0 * 0.04 * a, 1e-2);
}

CHECK_TEST(energy_is_balanced)
{
    static const char *const settings[] = {TIGHT, "output.work=true", "until.distance=90", NULL};
    wagon_check_balance("railcar", settings, 1.01);
}

CHECK_TEST(its_jacobian_is_the_derivative)
{
    static const char *const as_it_is[]    = {NULL};
    static const char *const multipliers[] = {"form=multipliers", NULL};
    wagon_check_jacobian("railcar", as_it_is, 5e-5);
    wagon_check_jacobian("railcar", multipliers, 5e-5);
}

CHECK_MAIN(NULL, NULL)
