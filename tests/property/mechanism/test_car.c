// SPDX-License-Identifier: MIT
// A car on four tyres: it rests, coasts straight, loses what its tyres take, and turns as its cornering stiffness says.

#include "mechanisms.h"

#include "agem/element.h"
#include "oracle/plain_tyre.h"
#include "simulate/simulation.h"

enum { CAR, FIRST_WHEEL, WHEELS = 4 };

static const double height = 0.33, wheelbase = 2.7, track = 1.5, mass = 1400.0, wheel_mass = 20.0,
                    free_rolling = 0.33757;

static const char *const wheels[WHEELS] = {"front left", "front right", "rear left", "rear right"};
static const char *const tyres[WHEELS]  = {"tyre 1", "tyre 2", "tyre 3", "tyre 4"};

typedef struct car {
    mechanism m;
    kane_tyre tyre[WHEELS];
    kane_motion_definition steered[2];
    kane_body_definition axle[2];
} car;

// The front wheels' axles are turned by `steer` for good; sides 0: all tyres are left ones.
static void build(car *c, double speed, double steer, int sides)
{
    mechanism *m = &c->m;
    mechanism_begin(m, 9.81);
    (void)mechanism_add(m, "car", mass, kv3(400.0, 1500.0, 1700.0), kv3(0.0, 0.0, 0.5));
    m->starts[CAR].rate[0]   = speed;
    m->starts[CAR].held_rate = 1u;
    for (int i = 0; i < WHEELS; i++) {
        const double x = i < 2 ? 0.5 * wheelbase : -0.5 * wheelbase, y = i % 2 == 0 ? 0.5 * track : -0.5 * track;
        const double turn      = i < 2 ? steer : 0.0;
        const kane_vec3 centre = kv3(x, y, height), axle = kv3(-sin(turn), cos(turn), 0.0);
        const int j          = mechanism_add(m, wheels[i], wheel_mass, kv3(0.6, 1.2, 0.6), centre);
        const kane_mat3 axes = {{0.0, 0.0, 1.0}, {cos(turn), sin(turn), 0.0}, axle};
        const double c2 = cos(turn) * cos(turn), s2 = sin(turn) * sin(turn), cs = cos(turn) * sin(turn);
        const double J[6] = {0.6 * c2 + 1.2 * s2, 0.6 * s2 + 1.2 * c2, 0.6, (0.6 - 1.2) * cs, 0.0, 0.0};
        memcpy(m->bodies[j].inertia, J, sizeof J);
        (void)mechanism_hang(m, j, KANE_JOINT_REVOLUTE, "car", centre, axes);
        m->starts[j].rate[0]   = speed / free_rolling;
        m->starts[j].held_rate = 1u;
        c->tyre[i] =
            (kane_tyre){.file = KANE_SOURCE_DIR "/data/tyres/sedan.tir", .side = sides ? i % 2 : 0, .axle = axle};
        mechanism_element(m, tyres[i], &kane_law_tyre, &c->tyre[i], NULL, kv3(x, y, 0.0), wheels[i], centre)->preload =
            KANE_PRELOAD_SOLVED;
    }
}

static void relative(const car *c, const kane_work *work, double q[KANE_COORDINATES], double rate[KANE_COORDINATES])
{
    kane_get_relative(c->m.model, work, CAR, q, rate);
}

CHECK_TEST(a_car_rests_on_its_tyres)
{
    static car c;
    const kane_settings settings = mechanism_settings(1e-9);
    double q[KANE_COORDINATES], rate[KANE_COORDINATES], sum = 0.0;
    build(&c, 0.0, 0.0, 1);
    mechanism_open(&c.m, KANE_FORM_COEFFICIENTS);
    for (int i = 0; i < WHEELS; i++)
        sum += kane_model_static_load(c.m.model, i).z;
    check_near(sum, (mass + WHEELS * wheel_mass) * 9.81, 1e-9 * sum);
    for (int k = 0; k < kane_model_state_count(c.m.model); k++)
        check_near(c.m.ydot[k], 0.0, 1e-10);
    mechanism_run(&c.m, &settings);
    relative(&c, mechanism_go(&c.m, 60.0), q, rate);
    for (int k = 0; k < KANE_COORDINATES; k++)
        check_near(q[k], k == KANE_Z ? 0.5 : 0.0, 1e-9);
    mechanism_close_all(&c.m);
}

// Left and right tyres are mirror images; four left ones steer by themselves.
CHECK_TEST(a_car_coasts_straight)
{
    const kane_settings settings = mechanism_settings(1e-10);
    for (int sides = 1; sides >= 0; sides--) {
        static car c;
        double q[KANE_COORDINATES], rate[KANE_COORDINATES];
        build(&c, 25.0, 0.0, sides);
        mechanism_open(&c.m, KANE_FORM_COEFFICIENTS);
        mechanism_run(&c.m, &settings);
        relative(&c, mechanism_go(&c.m, 3.0), q, rate);
        assert_true(q[KANE_X] > 70.0 && q[KANE_X] < 75.5);
        if (sides) {
            check_near(q[KANE_Y], 0.0, 1e-8);
            check_near(q[KANE_YAW], 0.0, 1e-8);
        } else {
            assert_true(fabs(q[KANE_Y]) > 0.01);
        }
        mechanism_close_all(&c.m);
    }
}

// In a turn, everything leaning.
CHECK_TEST(jacobian_and_energy_are_right)
{
    static car c;
    const kane_settings settings = mechanism_settings(1e-12);
    const double h               = 1e-4;
    double energy[3], power = 0.0;
    build(&c, 25.0, 0.02, 1);
    mechanism_open(&c.m, KANE_FORM_COEFFICIENTS);
    mechanism_run(&c.m, &settings);
    (void)mechanism_go(&c.m, 0.7);
    mechanism_check_jacobian(&c.m, 2e-6);
    for (int i = 0; i < 3; i++) {
        const kane_work *work = mechanism_go(&c.m, 0.8 + i * h);
        kane_energy e;
        assert_int_equal(kane_simulation_evaluate(c.m.simulation, KANE_KNOWS_ALL), KANE_OK);
        kane_get_energy(c.m.model, work, &e);
        energy[i] = e.kinetic + e.gravity;
        if (i == 1)
            power = e.power_drive + e.power_elements;
    }
    assert_true(fabs(power) > 1e3);
    check_near((energy[2] - energy[0]) / (2.0 * h), power, 1e-5 * fabs(power)); // of 440 kJ over 0.2 ms
    mechanism_close_all(&c.m);
}

// Steady turn by a small angle: the bicycle model with cornering stiffness C and trail t at the static loads. With t
// behind the axles, a' = a - t, b' = b + t:
//   C_f alpha_f = m V r b'/L   C_r alpha_r = m V r a'/L   steer = alpha_f - alpha_r + L r/V
static double bicycle(const car *c, double V, double steer)
{
    const double L = wheelbase, m = mass + WHEELS * wheel_mass, small = 1e-5;
    double C[2], t[2];
    for (int axle = 0; axle < 2; axle++) {
        const double N               = kane_model_static_load(c->m.model, 2 * axle).z;
        const plain_tyre_forces more = plain_tyre(0, small, 0, N, 1), less = plain_tyre(0, -small, 0, N, 1);
        C[axle] = -2.0 * (more.Fy - less.Fy) / (2.0 * small);
        t[axle] = -(more.Mz - less.Mz) / (more.Fy - less.Fy);
    }
    const double front = 0.5 * L - t[0], rear = 0.5 * L + t[1];
    return steer / (L / V + m * V / (front + rear) * (rear / C[0] - front / C[1]));
}

CHECK_TEST(a_steady_turn_is_that_of_the_bicycle_model)
{
    static car c;
    const kane_settings settings = mechanism_settings(1e-8);
    const double steer           = 0.002;
    double q[KANE_COORDINATES], rate[2][KANE_COORDINATES], expected = 0.0;
    for (int way = 0; way < 2; way++) { // to both sides: what the tyres do by themselves goes out
        build(&c, 20.0, way == 0 ? steer : -steer, 1);
        mechanism_open(&c.m, KANE_FORM_COEFFICIENTS);
        mechanism_run(&c.m, &settings);
        relative(&c, mechanism_go(&c.m, 2.0), q, rate[way]);
        expected = bicycle(&c, hypot(rate[way][KANE_X], rate[way][KANE_Y]), steer);
        mechanism_close_all(&c.m);
    }
    check_near(0.5 * (rate[0][KANE_YAW] - rate[1][KANE_YAW]), expected, 0.01 * expected);
}

CHECK_MAIN(NULL, NULL)
