// SPDX-License-Identifier: MIT
// A slider-crank whose crank is turned as time prescribes, ever faster: nothing is left that moves by itself. The
// slider against its formula, and the torque of the drive against the energy that it brings in.

#include "mechanisms.h"

enum { CRANK, ROD, SLIDER };

static const double r = 0.3, l = 0.8, e = 0.05; // crank, rod, height of the slider's line
static const double angle[3] = {0.2, 5.0, 1.5}; // of the crank from upright, a polynomial of time

static double crank_angle(double t)
{
    return 0.5 * acos(-1.0) + angle[0] + angle[1] * t + angle[2] * t * t;
}

// The slider's place, speed and acceleration: x = r cos(f) + sqrt(l^2 - (r sin(f) - e)^2).
static void formula(double t, double x[3])
{
    const double f = crank_angle(t), w = angle[1] + 2.0 * angle[2] * t, a = 2.0 * angle[2];
    const double h = r * sin(f) - e, h1 = r * cos(f) * w, h2 = r * cos(f) * a - r * sin(f) * w * w;
    const double s = sqrt(l * l - h * h), s1 = -h * h1 / s, s2 = -(h1 * h1 + h * h2 + s1 * s1) / s;
    x[0] = r * cos(f) + s;
    x[1] = -r * sin(f) * w + s1;
    x[2] = -r * cos(f) * w * w - r * sin(f) * a + s2;
}

static void build(mechanism *m, kane_motion_definition *motion, kane_closed_form closed)
{
    const kane_vec3 tip = planar(0.0, r), pin = planar(sqrt(l * l - (r - e) * (r - e)), e);
    mechanism_begin(m, 9.81);
    *motion =
        (kane_motion_definition){.function = {.kind = KANE_FUNCTION_POLYNOMIAL, .count = 3, .coefficients = angle}};
    (void)mechanism_bar(m, "crank", NULL, 2.0, 0.02, kv3_zero(), tip);
    m->joints[CRANK].motion_count = 1;
    m->joints[CRANK].motions      = motion;
    (void)mechanism_bar(m, "rod", "crank", 1.0, 0.05, tip, pin);
    (void)mechanism_add(m, "slider", 3.0, kv3(0.1, 0.1, 0.1), pin);
    (void)mechanism_hang(m, SLIDER, KANE_JOINT_PRISMATIC, NULL, pin, axes_about(0));
    mechanism_close(m, "pin", KANE_CONSTRAINT_SPHERICAL, "rod", "slider", pin, planar_axes())->closed = closed;
}

static void check_slider(const mechanism *m, const kane_work *work, double t, double tolerance)
{
    double x[3], q, rate, acceleration;
    formula(t, x);
    assert_int_equal(kane_get_joint(m->model, work, SLIDER, &q, &rate, &acceleration), 1);
    check_near(sqrt(l * l - (r - e) * (r - e)) + q, x[0], tolerance);
    check_near(rate, x[1], 10.0 * tolerance);
    check_near(acceleration, x[2], 1000.0 * tolerance);
}

static void check_way(kane_constraint_form form, kane_closed_form closed, double tolerance)
{
    const kane_settings settings = mechanism_settings(1e-12);
    kane_motion_definition motion;
    CHECK_END(mechanism_close_all) mechanism m = {0};
    build(&m, &motion, closed);
    mechanism_open(&m, form);
    check_slider(&m, m.work, 0.0, 1e-13);
    mechanism_run(&m, &settings);
    for (int i = 1; i <= 10; i++) {
        const double t = 0.3 * i, step = 1e-4;
        const double before   = mechanism_energy(&m, mechanism_go(&m, t - step));
        const kane_work *work = mechanism_go(&m, t);
        check_slider(&m, work, t, tolerance);
        // the drive turns about the axis of the drawing, its torque is the joint's
        const double torque = kane_get_joint_reaction(m.model, work, CRANK).torque.z;
        const double after  = mechanism_energy(&m, mechanism_go(&m, t + step));
        check_near(torque * (angle[1] + 2.0 * angle[2] * t), (after - before) / (2.0 * step), 1e-3);
    }
}

CHECK_TEST(test_ways)
{
    check_way(KANE_FORM_COEFFICIENTS, KANE_CLOSED_NONE, 1e-13);
    check_way(KANE_FORM_COEFFICIENTS, KANE_CLOSED_SLIDER_CRANK, 1e-13);
    check_way(KANE_FORM_MULTIPLIERS, KANE_CLOSED_NONE, 1e-10);
}

CHECK_MAIN(NULL, NULL)
