// SPDX-License-Identifier: MIT
// Whole runs as a user starts them, by CVODE, of a wagon with mechanisms on it: the frames and the form of constraints
// change nothing but round-off and the integrator's error.

#include "property/mechanism/ride.h"

static const double turns[] = {0.4, 5.0}; // of a motor: angle over time

static kane_mat3 across(void)
{
    return (kane_mat3){{1, 0, 0}, {0, 0, -1}, {0, 1, 0}}; // z to the left
}

// On the car a four-bar that a motor drives round, its loop closed in space so that nothing is redundant; on the bogie
// a pendulum of two links and a rod from it to the car; a flywheel that a gear drives from the pendulum.
static void build(rig *r, int motor)
{
    rig_begin_vehicle(r);
    const int crank =
        rig_link(r, "crank", 40.0, kv3(0.1, 0.3, 2.0), "car", KANE_JOINT_REVOLUTE, kv3(0.0, 0.3, 2.0), across());
    const int coupler =
        rig_link(r, "coupler", 60.0, kv3(0.7, 0.3, 2.3), "crank", KANE_JOINT_REVOLUTE, kv3(0.2, 0.3, 2.0), across());
    (void)rig_link(r, "rocker", 70.0, kv3(1.1, 0.3, 2.2), "car", KANE_JOINT_REVOLUTE, kv3(1.0, 0.3, 1.9), across());
    const int arm =
        rig_link(r, "arm", 50.0, kv3(3.3, 0.2, 0.5), "bogie", KANE_JOINT_SPHERICAL, kv3(3.2, 0.2, 0.9), rig_turned());
    const int tail =
        rig_link(r, "tail", 30.0, kv3(3.4, 0.2, -0.1), "arm", KANE_JOINT_UNIVERSAL, kv3(3.4, 0.2, 0.2), km3_identity());
    const int wheel =
        rig_link(r, "wheel", 25.0, kv3(3.4, 0.5, -0.1), "tail", KANE_JOINT_REVOLUTE, kv3(3.4, 0.5, -0.1), across());
    (void)rig_link(r, "flywheel", 35.0, kv3(3.9, 0.4, 0.9), "bogie", KANE_JOINT_REVOLUTE, kv3(3.9, 0.4, 0.9),
                   rig_turned());
    if (motor)
        rig_move(r, crank, 0, (kane_function){.kind = KANE_FUNCTION_POLYNOMIAL, .count = 2, .coefficients = turns});
    else
        rig_start(r, crank, 0, 0.4, 5.0);
    rig_start(r, coupler, 0, -0.2, 0.0);
    rig_start(r, arm, 0, 0.95, 0.4);
    rig_start(r, arm, 2, 0.1, -0.6);
    rig_start(r, tail, 1, 0.1, 0.5);
    rig_start(r, wheel, 0, 0.2, 3.0);
    (void)rig_close(r, "pin", KANE_CONSTRAINT_CURVE, "rocker", "coupler", kv3(1.1, 0.3, 2.5),
                    (kane_mat3){{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}); // along the axle: free; x and z of the vehicle: none
    static const double none[] = {0.0};
    for (int i = 0; i < 2; i++)
        r->constraints[0].function[i] =
            (kane_function){.kind = KANE_FUNCTION_POLYNOMIAL, .count = 1, .coefficients = none};
    kane_constraint_definition *rod =
        rig_close(r, "rod", KANE_CONSTRAINT_DISTANCE, "car", "tail", kv3(1.4, -0.2, 0.9), km3_identity());
    rod->at[1].at = kv3(3.3, 0.3, 0.1);
    (void)rig_relate(r, "gear", KANE_CONSTRAINT_LINEAR, "wheel", 1.0, "flywheel", 2.5);
}

static kane_settings tight(void)
{
    kane_settings s = kane_settings_default();
    s.order         = 5;
    s.energy        = 1;
    s.relative      = 1e-10;
    s.position = s.angle = s.speed = s.turning = 1e-11;
    return s;
}

// The model and start of a ride, driven by CVODE up to a time.
static void travel(ride *a, double until, kane_simulation **simulation)
{
    const kane_settings settings = tight();
    const kane_conditions never  = {.time = 100.0};
    *simulation                  = CHECK_GOOD(kane_simulation_create, a->model, &settings, &never);
    (void)CHECK_GOOD(kane_simulation_start_from, *simulation, 0.0, a->y);
    assert_int_equal(CHECK_GOOD(kane_simulation_advance, *simulation, until), KANE_OK);
    check_near(kane_simulation_time(*simulation), until, 1e-12);
}

// A ride whose work is that of a simulation, to be compared with others.
static ride look(const ride *a, kane_simulation *simulation)
{
    ride b = *a;
    b.work = (kane_work *)(uintptr_t)kane_simulation_work(simulation); // only looked at
    return b;
}

static void check_drift(const ride *a)
{
    double value, rate;
    kane_get_drift(a->model, a->work, &value, &rate);
    if (getenv("RIDE_SHOW"))
        print_message("drift %.2g m, %.2g m/s\n", value, rate);
    check_near(value, 0.0, 1e-9);
    check_near(rate, 0.0, 1e-9);
}

static double mechanical(const ride *a)
{
    kane_energy e;
    kane_get_energy(a->model, a->work, &e);
    return e.kinetic + e.gravity;
}

// What the vehicle has gained is the work that was done on it.
static void check_work(const ride *before, const ride *after, kane_simulation *simulation)
{
    const double *work = kane_simulation_state(simulation) + kane_model_state_count(before->model);
    const double gain = mechanical(after) - mechanical(before), done = work[0] + work[1] + work[2] + work[3];
    if (getenv("RIDE_SHOW"))
        print_message("gains %.9g J, work %.9g J\n", gain, done);
    check_near(gain, done, 1e-7 * (1.0 + fabs(work[0]) + fabs(work[1])));
}

// 2 s: 38 m through the transition and into the curve.
static void check_runs(int motor, int driven, int shape)
{
    static rig r;
    ride rides[6];
    kane_simulation *simulations[6];
    CHECK_OWNED(kane_track) *track = model_track(1.0, (kane_transition_shape)shape);
    build(&r, motor);
    for (int i = 0; i < 6; i++) {
        ride_create(&rides[i], &r, track,
                    (ride_options){.start               = 30.0,
                                   .driven              = driven,
                                   .formulation         = i % 3 == 2 ? KANE_FIXED : KANE_MOVING,
                                   .imaginary_as_forces = i % 3 == 1,
                                   .form                = i / 3 ? KANE_FORM_MULTIPLIERS : KANE_FORM_COEFFICIENTS});
        if (i > 0) // a start in the curve closes a loop that spans frames to second order by the coordinates it is in
            ride_copy(&rides[0], &rides[i]);
        travel(&rides[i], 2.0, &simulations[i]);
        kane_statistics n;
        kane_simulation_statistics(simulations[i], &n);
        const ride first = look(&rides[0], simulations[0]), here = look(&rides[i], simulations[i]);
        check_drift(&here);
        check_work(&rides[i], &here, simulations[i]);
        char what[80];
        (void)snprintf(what, sizeof what, "way %d (%ld steps, %ld Newton failures, %ld restarts)", i, n.steps,
                       n.newton_failures, n.restarts);
        ride_check_same(&first, &here, 3e-8, 1e-7, 3e-7, what);
    }
    for (int i = 0; i < 6; i++) {
        kane_simulation_free(simulations[i]);
        ride_free(&rides[i]);
    }
}

CHECK_TEST(a_driven_four_bar_is_the_same_in_all_ways)
{
    check_runs(1, 0, KANE_CLOTHOID);
}

CHECK_TEST(a_free_four_bar_is_the_same_in_all_ways)
{
    check_runs(0, 0, KANE_BLOSS);
}

// The car, which the frames follow, is in the loop that the rod closes.
CHECK_TEST(a_coasting_vehicle_is_the_same_in_all_ways)
{
    check_runs(0, 1, KANE_SINE);
    check_runs(1, 0, KANE_SINE);
}

// What terms of joined bodies leave out is accounted for, in both forms, along a transition and at its kinks.
CHECK_TEST(energy_is_balanced_without_terms)
{
    static const char *const omissions[] = {"arm:torque.rotation.*", "rocker:force.*.*", "car:torque.gyroscopic.*",
                                            "*:force.rotation.y"};
    for (int i = 0; i < 8; i++) {
        static rig r;
        CHECK_END(ride_free) ride a = {0};
        kane_simulation *simulation;
        CHECK_OWNED(kane_track) *track = model_track(1.0, i % 2 ? KANE_CLOTHOID : KANE_BLOSS);
        build(&r, i / 4);
        ride_create(&a, &r, track,
                    (ride_options){.start = 30.0,
                                   .omit  = omissions[i / 2],
                                   .form  = i % 3 ? KANE_FORM_MULTIPLIERS : KANE_FORM_COEFFICIENTS});
        travel(&a, 2.0, &simulation);
        const ride here    = look(&a, simulation);
        const double *work = kane_simulation_state(simulation) + kane_model_state_count(a.model);
        check_work(&a, &here, simulation);
        if (!(fabs(work[3]) > 1e-3))
            fail_msg("without %s %g J come of nothing", omissions[i / 2], work[3]);
        kane_simulation_free(simulation);
    }
}

CHECK_MAIN(NULL, NULL)
