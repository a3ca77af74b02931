// SPDX-License-Identifier: MIT
// A heavy top on a point: by a spherical joint, and as a free body that a constraint holds, in both forms. And a body
// that tumbles about its mass centre.
//
// Benchmark: Bruels, Cardona, Arnold, Lie group generalized-alpha time integration of constrained flexible multibody
// systems, Mechanism and Machine Theory 48 (2012) 121-137; values at t = 0.1 s were computed for libkane by independent
// code.

#include "mechanisms.h"

typedef enum way { BY_JOINT, BY_COEFFICIENTS, BY_MULTIPLIERS, WAYS } way;

static void open_top(mechanism *m, way w, double mass, kane_vec3 J, kane_vec3 centre, const double start_q[4],
                     kane_vec3 omega)
{
    mechanism_begin(m, 9.81);
    (void)mechanism_add(m, "top", mass, J, centre);
    if (w == BY_JOINT) {
        (void)mechanism_hang(m, 0, KANE_JOINT_SPHERICAL, NULL, kv3_zero(), km3_identity());
        memcpy(m->starts[0].q, start_q, 4 * sizeof *start_q);
        m->starts[0].rate[0] = omega.x;
        m->starts[0].rate[1] = omega.y;
        m->starts[0].rate[2] = omega.z;
    } else {
        // upright axes: the rates of yaw, roll and pitch are components of the angular velocity
        const double rate[6] = {omega.y * centre.z - omega.z * centre.y,
                                omega.z * centre.x - omega.x * centre.z,
                                omega.x * centre.y - omega.y * centre.x,
                                omega.z,
                                omega.x,
                                omega.y};
        (void)mechanism_close(m, "point", KANE_CONSTRAINT_SPHERICAL, NULL, "top", kv3_zero(), km3_identity());
        memcpy(m->starts[0].rate, rate, sizeof rate);
    }
    mechanism_open(m, w == BY_MULTIPLIERS ? KANE_FORM_MULTIPLIERS : KANE_FORM_COEFFICIENTS);
}

// Angular velocity in axes of the body.
static kane_vec3 own_omega(const mechanism *m, const kane_work *work)
{
    kane_vec3 omega;
    const kane_vec3 c = m->bodies[0].position;
    const kane_vec3 o = mechanism_point(m, work, 0, c);
    kane_mat3 R;
    R.x = kv3_sub(mechanism_point(m, work, 0, kv3_add(c, kv3_unit(0))), o);
    R.y = kv3_sub(mechanism_point(m, work, 0, kv3_add(c, kv3_unit(1))), o);
    R.z = kv3_sub(mechanism_point(m, work, 0, kv3_add(c, kv3_unit(2))), o);
    kane_get_absolute(m->model, work, 0, NULL, &omega, NULL, NULL);
    return km3_tmulv(R, omega);
}

// x at 0.1 s of Bruels's top; spins at 150 rad/s about the axis that carries its mass centre.
CHECK_TEST(test_benchmark)
{
    const double upright[4] = {1.0, 0.0, 0.0, 0.0};
    const kane_vec3 J       = {0.234375, 0.46875, 0.234375};
    for (way w = BY_JOINT; w < WAYS; w++) {
        CHECK_END(mechanism_close_all) mechanism m = {0};
        open_top(&m, w, 15.0, J, kv3(0.0, 1.0, 0.0), upright, kv3(0.0, 150.0, -4.61538));
        const double energy          = mechanism_energy(&m, m.work);
        const kane_settings settings = mechanism_settings(1e-12);
        mechanism_run(&m, &settings);
        const kane_work *work = mechanism_go(&m, 0.1);
        check_vec3(mechanism_point(&m, work, 0, m.bodies[0].position), kv3(0.42129666, 0.89457197, -0.14916470), 1e-8);
        check_vec3(own_omega(&m, work), kv3(4.80894133, 150.0, 1.02830076), 1e-7);
        check_relative(mechanism_energy(&m, work), energy, 1e-8);
    }
}

// Axial and transverse moments C and A about the point, mass centre l from it, axis at the angle theta from the
// vertical. With the total axial angular velocity n it goes round steadily at p if  A p^2 cos(theta) - C n p + m g l =
// 0.
CHECK_TEST(test_steady_precession)
{
    const double m0 = 2.0, l = 0.4, axial = 0.05, across = 0.03, theta = 0.7, p = 3.0;
    const double A = across + m0 * l * l, n = (A * p * p * cos(theta) + m0 * 9.81 * l) / (axial * p);
    const double start[4] = {cos(0.5 * theta), -sin(0.5 * theta), 0.0, 0.0}; // from z towards y
    // n along the axis, p sin(theta) across it, in the plane of axis and vertical
    const kane_vec3 omega                      = {0.0, -p * sin(theta), n};
    CHECK_END(mechanism_close_all) mechanism m = {0};
    open_top(&m, BY_JOINT, m0, kv3(across, across, axial), kv3(0.0, 0.0, l), start, omega);
    const kane_settings settings = mechanism_settings(1e-12);
    mechanism_run(&m, &settings);
    for (int i = 1; i <= 5; i++) {
        const double t = 0.5 * i, turned = p * t;
        const kane_work *work    = mechanism_go(&m, t);
        const kane_vec3 centre   = mechanism_point(&m, work, 0, m.bodies[0].position);
        const kane_vec3 in_plane = kv3(-l * sin(theta) * sin(turned), l * sin(theta) * cos(turned), l * cos(theta));
        check_vec3(centre, in_plane, 1e-8);
    }
}

// --- without torques ---

// Euler's equations  J w' = -w x J w  for principal moments J.
static kane_vec3 euler(kane_vec3 J, kane_vec3 w)
{
    return kv3((J.y - J.z) / J.x * w.y * w.z, (J.z - J.x) / J.y * w.z * w.x, (J.x - J.y) / J.z * w.x * w.y);
}

static kane_vec3 runge_kutta(kane_vec3 J, kane_vec3 w, double t, int steps)
{
    const double h = t / steps;
    for (int i = 0; i < steps; i++) {
        const kane_vec3 k1 = euler(J, w), k2 = euler(J, kv3_add_scaled(w, 0.5 * h, k1));
        const kane_vec3 k3 = euler(J, kv3_add_scaled(w, 0.5 * h, k2)), k4 = euler(J, kv3_add_scaled(w, h, k3));
        w = kv3_add_scaled(w, h / 6.0, kv3_add(kv3_add(k1, k4), kv3_scale(2.0, kv3_add(k2, k3))));
    }
    return w;
}

// A body on a point at its mass centre, which spins about its middle axis and turns over again and again, through every
// attitude. Its angular momentum in space and its energy stay, and its angular velocity is that of Euler's equations.
CHECK_TEST(test_tumbling)
{
    const double upright[4] = {1.0, 0.0, 0.0, 0.0};
    const kane_vec3 J = {1.0, 2.0, 3.0}, start = {0.01, 4.0, 0.02};
    const kane_settings settings               = mechanism_settings(1e-12);
    kane_vec3 w                                = start;
    double least                               = start.y;
    CHECK_END(mechanism_close_all) mechanism m = {0};
    open_top(&m, BY_JOINT, 1.0, J, kv3_zero(), upright, start);
    mechanism_run(&m, &settings);
    for (int i = 1; i <= 20; i++) {
        kane_vec3 omega;
        const kane_work *work = mechanism_go(&m, 0.5 * i);
        const kane_vec3 own   = own_omega(&m, work);
        w                     = runge_kutta(J, w, 0.5, 5000);
        least                 = fmin(least, w.y);
        kane_get_absolute(m.model, work, 0, NULL, &omega, NULL, NULL);
        check_vec3(own, w, 1e-7);
        // the momentum keeps its size
        check_relative(kv3_norm(kv3_mul(J, own)), kv3_norm(kv3_mul(J, start)), 1e-9);
        check_relative(mechanism_energy(&m, work), 0.5 * kv3_dot(start, kv3_mul(J, start)), 1e-9);
        // and its direction in space: w . L = 2 T
        check_near(kv3_dot(omega, kv3_mul(J, start)), kv3_dot(start, kv3_mul(J, start)), 1e-7);
    }
    assert_true(least < -3.5);
}

CHECK_MAIN(NULL, NULL)
