// SPDX-License-Identifier: MIT
// Gears whose teeth give way, and torques between bodies: with stiff teeth the rigid relation, energy kept and lost as
// it should be also where the shafts move apart, no force where all turns together, mirror images, exact Jacobians.

#include "mechanisms.h"

#include <kane/laws.h>

#define A_RADIUS  0.12
#define B_RADIUS  0.3
#define DISTANCE  0.46
#define A_INERTIA 0.8
#define B_INERTIA 3.0

enum { CARRIER, WHEEL_A, SLIDER, WHEEL_B };

static const double base[] = {A_RADIUS, B_RADIUS};

typedef struct train {
    mechanism m;
    kane_gear gear;
    kane_spring spring;
    kane_input_definition torque;
} train;

// Both wheels on a carrier that can turn about y, in the plane y = 0; b on a slide along x, held by a spring, if
// `slides`.
static void begin_train(train *g, const kane_gear *gear, int slides)
{
    *g                 = (train){.gear = *gear};
    g->gear.block      = (kane_block){"gear", NULL};
    g->gear.base_radii = (kane_numbers){.count = 2, .values = base};
    if (g->gear.onset == 0.0)
        g->gear.onset = 5e-6;
    mechanism *m = &g->m;
    mechanism_begin(m, 0.0);
    (void)mechanism_add(m, "carrier", 5.0, kv3(1.0, 2.0, 1.0), kv3_zero());
    (void)mechanism_hang(m, CARRIER, KANE_JOINT_REVOLUTE, NULL, kv3_zero(), axes_about(1));
    (void)mechanism_add(m, "a", 3.0, kv3(A_INERTIA, A_INERTIA, A_INERTIA), kv3_zero());
    (void)mechanism_hang(m, WHEEL_A, KANE_JOINT_REVOLUTE, "carrier", kv3_zero(), axes_about(1));
    const kane_vec3 at = kv3(DISTANCE, 0.0, 0.0);
    (void)mechanism_add(m, "slider", 1.0, kv3(0.1, 0.1, 0.1), at);
    (void)mechanism_hang(m, SLIDER, KANE_JOINT_PRISMATIC, "carrier", at, axes_about(0));
    (void)mechanism_add(m, "b", 4.0, kv3(B_INERTIA, B_INERTIA, B_INERTIA), at);
    (void)mechanism_hang(m, WHEEL_B, KANE_JOINT_REVOLUTE, "slider", at, axes_about(1));
    (void)mechanism_element(m, "gear", &kane_law_gear, &g->gear, "a", kv3_zero(), "b", at);
    g->spring =
        (kane_spring){.block = {"bearing", NULL}, .stiffness = slides ? 4e5 : 1e11, .damping = slides ? 0.0 : 1e6};
    (void)mechanism_element(m, "bearing", &kane_law_spring, &g->spring, "carrier", kv3_zero(), "slider", at);
    g->torque = (kane_input_definition){
        .block = {"torque", NULL}, .kind = KANE_INPUT_TORQUE, .on = "a", .direction = {0.0, 1.0, 0.0}};
    m->vehicle.inputs      = &g->torque;
    m->vehicle.input_count = 1;
}

static void start_rate(train *g, int body, double rate)
{
    g->m.starts[body].rate[0] = rate;
}

static double spin(const train *g, const kane_work *work, int body)
{
    kane_vec3 v, w, a, alpha;
    kane_get_absolute(g->m.model, work, body, &v, &w, &a, &alpha);
    return w.y;
}

// The carrier held by its inertia alone would turn: as heavy as the earth here.
static void hold_carrier(train *g)
{
    for (int axis = 0; axis < 3; axis++)
        g->m.bodies[CARRIER].inertia[axis] = 1e9;
}

// r_a w_a + r_b w_b = 0, as J_a + (r_a/r_b)^2 J_b turns; angles are off by what the teeth give way, x = F/k:
// (J_a + (r_a/r_b)^2 J_b) phi_a = M t^2/2 + r_a/r_b^2 J_b x
CHECK_TEST(stiff_teeth_are_the_rigid_relation)
{
    const double M = 50.0, i = A_RADIUS / B_RADIUS, t = 0.2, J = A_INERTIA + i * i * B_INERTIA;
    for (int k = 0; k < 2; k++) {
        static train g;
        const kane_gear gear = {.stiffness = k ? 1e8 : 1e7, .damping = k ? 3e4 : 1e4};
        begin_train(&g, &gear, 0);
        hold_carrier(&g);
        mechanism_open(&g.m, KANE_FORM_COEFFICIENTS);
        const kane_settings settings = mechanism_settings(1e-11);
        mechanism_run(&g.m, &settings);
        (void)kane_simulation_set_input(g.m.simulation, 0, M);
        const kane_work *work = mechanism_go(&g.m, t);
        const double w_a = spin(&g, work, WHEEL_A), w_b = spin(&g, work, WHEEL_B);
        check_relative(w_b, -i * w_a, 1e-6);
        check_relative(w_a, M * t / J, 1e-6);
        // the force that drives b: J_b alpha_b/r_b
        const double F = B_INERTIA * i * M / J / B_RADIUS, x = F / gear.stiffness;
        kane_wrench on_b;
        kane_relative relative;
        kane_get_element(g.m.model, work, 0, &on_b, &relative);
        check_relative(relative.state[0], x, 1e-4);
        check_near(kane_simulation_state(g.m.simulation)[1] - 0.5 * M * t * t / J, i / B_RADIUS * B_INERTIA * x / J,
                   0.02 * i / B_RADIUS * B_INERTIA * x / J);
        mechanism_check_jacobian(&g.m, 1e-6);
        mechanism_close_all(&g.m);
    }
}

// All turns together, or teeth roll as they should: nothing happens.
CHECK_TEST(no_force_where_teeth_only_roll)
{
    for (int k = 0; k < 2; k++) {
        static train g;
        const kane_gear gear = {.stiffness = 1e7, .damping = 1e4};
        begin_train(&g, &gear, 0);
        start_rate(&g, CARRIER, k ? 0.0 : 3.0);
        start_rate(&g, WHEEL_A, k ? 5.0 : 0.0);
        start_rate(&g, WHEEL_B, k ? -5.0 * A_RADIUS / B_RADIUS : 0.0);
        mechanism_open(&g.m, KANE_FORM_COEFFICIENTS);
        const kane_settings settings = mechanism_settings(1e-10);
        mechanism_run(&g.m, &settings);
        const kane_work *work = mechanism_go(&g.m, 1.0);
        kane_wrench on_b;
        kane_relative relative;
        kane_get_element(g.m.model, work, 0, &on_b, &relative);
        check_near(kv3_norm(on_b.force), 0.0, 0.1);
        check_near(spin(&g, work, CARRIER), k ? 0.0 : 3.0, 1e-5);
        mechanism_close_all(&g.m);
    }
}

// Teeth that rattle in their play while the shafts move apart and back: all energy is there; with damping some is lost,
// what forces do is what is missing.
CHECK_TEST(energy_is_kept_and_lost)
{
    for (int damped = 0; damped < 2; damped++) {
        static train g;
        const kane_gear gear = {.stiffness = 2e6, .damping = damped ? 2e3 : 0.0, .backlash = 2e-4, .onset = 1e-4};
        kane_energy first, now;
        begin_train(&g, &gear, 1);
        start_rate(&g, WHEEL_A, 4.0);
        start_rate(&g, SLIDER, 0.4);
        mechanism_open(&g.m, KANE_FORM_COEFFICIENTS);
        kane_settings settings = mechanism_settings(1e-11);
        settings.energy        = 1;
        mechanism_run(&g.m, &settings);
        kane_get_energy(g.m.model, kane_simulation_work(g.m.simulation), &first);
        double heat = 0.0, most = 0.0, apart = 0.0;
        for (int i = 1; i <= 40; i++) {
            const kane_work *work = mechanism_go(&g.m, 0.005 * i);
            kane_get_energy(g.m.model, work, &now);
            const double *done = kane_simulation_state(g.m.simulation) + kane_model_state_count(g.m.model);
            const double total = now.kinetic + now.elements - first.kinetic - first.elements;
            check_near(now.kinetic - first.kinetic, done[1], 1e-6 * first.kinetic);
            most  = fmax(most, now.elements);
            apart = fmax(apart, fabs(kane_simulation_state(g.m.simulation)[2]));
            if (!damped)
                check_near(total, 0.0, 1e-6 * first.kinetic);
            assert_true(-total >= heat - 1e-7 * first.kinetic);
            heat = -total;
        }
        assert_true(most > 0.01 && apart > 3e-4 && (heat > 0.05) == damped);
        mechanism_check_jacobian(&g.m, 1e-5);
        mechanism_close_all(&g.m);
    }
}

// Distance and teeth say the base radii; the force is along the line of action, at the pressure angle.
CHECK_TEST(the_line_of_action_is_at_the_pressure_angle)
{
    static const double teeth[] = {20.0, 50.0};
    for (int sign = -1; sign <= 1; sign += 2) {
        static train g;
        const kane_gear gear = {.stiffness = 1e7};
        kane_wrench on_b;
        kane_relative relative;
        begin_train(&g, &gear, 0);
        g.gear.base_radii     = (kane_numbers){0};
        g.gear.teeth          = (kane_numbers){.count = 2, .values = teeth};
        g.gear.pressure_angle = 0.35;
        mechanism_open(&g.m, KANE_FORM_COEFFICIENTS);
        const int n  = kane_model_state_count(g.m.model);
        g.m.y[n - 1] = sign * 1e-4;
        mechanism_eval(&g.m, 0.0);
        kane_get_element(g.m.model, g.m.work, 0, &on_b, &relative);
        // e = x, t = y x e = -z: forward turning a (about y) pushes b down, and away
        check_vec3(on_b.force, kv3(1e3 * sin(0.35), 0.0, -sign * 1e3 * cos(0.35)), 1e-9);
        check_vec3(on_b.torque, kv3(0.0, -sign * 1e3 * DISTANCE * cos(0.35) * 50.0 / 70.0, 0.0), 1e-9);
        mechanism_close_all(&g.m);
    }
}

// A mirror image in its own plane of symmetry is itself.
CHECK_TEST(mirrored_gears_are_the_same)
{
    double ydot[2][16];
    for (int mirrored = 0; mirrored < 2; mirrored++) {
        static train g;
        const kane_gear gear = {.stiffness = 1e7, .damping = 1e3, .backlash = 1e-4};
        begin_train(&g, &gear, 1);
        g.m.elements[0].mirrored = mirrored;
        start_rate(&g, WHEEL_A, 3.0);
        start_rate(&g, SLIDER, 0.1);
        mechanism_open(&g.m, KANE_FORM_COEFFICIENTS);
        const int n  = kane_model_state_count(g.m.model);
        g.m.y[n - 1] = 1.3e-4;
        mechanism_eval(&g.m, 0.0);
        memcpy(ydot[mirrored], g.m.ydot, (size_t)n * sizeof **ydot);
        for (int i = 0; i < n; i++)
            check_near(ydot[mirrored][i], ydot[0][i], 1e-9 * (1.0 + fabs(ydot[0][i])));
        assert_true(fabs(ydot[0][n - 2]) > 1.0);
        mechanism_close_all(&g.m);
    }
}

// J w' = u T(w): a falling line gives an exponential; a brake takes what moves and stops it.
CHECK_TEST(motors_follow_their_table)
{
    static const double torque[] = {60.0, 20.0}, speed[] = {0.0, 20.0};
    for (int brakes = 0; brakes < 2; brakes++) {
        static train g;
        const kane_gear gear  = {.stiffness = 1e7};
        const kane_motor type = {.block   = {"motor", NULL},
                                 .torque  = {.count = brakes ? 1 : 2, .values = torque},
                                 .speed   = {.count = brakes ? 0 : 2, .values = speed},
                                 .against = brakes,
                                 .level   = 0.5};
        kane_wrench on_b;
        kane_relative relative;
        begin_train(&g, &gear, 0);
        g.m.elements[0] = (kane_element_definition){.block      = {"motor", NULL},
                                                    .law        = &kane_law_motor,
                                                    .parameters = &type,
                                                    .between    = {"carrier", "a"},
                                                    .preload    = KANE_PRELOAD_GIVEN};
        hold_carrier(&g);
        start_rate(&g, WHEEL_A, brakes ? -2.0 : 1.0);
        mechanism_open(&g.m, KANE_FORM_COEFFICIENTS);
        const kane_settings settings = mechanism_settings(1e-10);
        mechanism_run(&g.m, &settings);
        mechanism_check_jacobian(&g.m, 1e-7);
        const kane_work *work = mechanism_go(&g.m, 0.02);
        if (brakes) // 30 N m against a speed of -2 rad/s, where it does not fade yet
            check_near(spin(&g, work, WHEEL_A), -2.0 + 30.0 * 0.02 / A_INERTIA, 1e-8);
        else // 0.8 w' = .5 (60 - 2 w)
            check_near(spin(&g, work, WHEEL_A), 30.0 - 29.0 * exp(-0.02 / A_INERTIA), 1e-8);
        kane_get_element(g.m.model, work, 0, &on_b, &relative);
        check_vec3(on_b.torque, kv3(0.0, brakes ? 30.0 : 30.0 - spin(&g, work, WHEEL_A), 0.0), 1e-6);
        if (brakes) {
            (void)mechanism_go(&g.m, 1.0);
            check_near(spin(&g, kane_simulation_work(g.m.simulation), WHEEL_A), 0.0, 1e-3);
        }
        mechanism_close_all(&g.m);
    }
}

CHECK_MAIN(NULL, NULL)
