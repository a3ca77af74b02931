// SPDX-License-Identifier: MIT
// Andrews' squeezing mechanism of the test set for IVP solvers (index-3 form; Schiehlen, Multibody Systems Handbook,
// 1990; Mazzia, Magherini, Test Set for Initial Value Problem Solvers, release 2.4): seven bodies in a plane, driven by
// a torque, held by three hinges that close loops, and a spring.
//
// The drawing is the mechanism with all seven angles zero; joints have just these angles as coordinates.

#include "mechanisms.h"

enum { K1, K2, K3, K5, K4, K7, K6, BODIES }; // parents first

static const double xa = -.06934, ya = -.00227, xb = -0.03635, yb = .03273, xc = .014, yc = .072;
static const double d = .028, da = .0115, e = .02, ea = .01421, rr = .007, ra = .00092, ss = .035;
static const double sa = .01874, sb = .01043, sc = .018, sd = .02, ta = .02308, tb = .00916;
static const double u = .04, ua = .01228, ub = .00449, zf = .02, zt = .04, fa = .01421;
static const double mom = .033;

// In the problem's order: beta, Theta, gamma, Phi, delta, Omega, epsilon.
static const int body_of[BODIES]          = {K1, K2, K3, K4, K5, K6, K7};
static const double start[BODIES]         = {-0.0617138900142764496, 0.0,
                                             0.455279819163070380,   0.222668390165885885,
                                             0.487364979543842550,   -0.222668390165885885,
                                             1.23054744454982120};
static const double start_acceleration[2] = {14222.4439199541139, -10666.8329399655854};
static const double start_lambda[6]       = {98.5668703962410896, -6.12268834425566266};

static const double end[BODIES] = {15.81077119629904,  -15.75637105984298, 0.04082224013073101, -0.5347301163226948,
                                   0.5244099658805304, 0.5347301163226948, 1.048080741042263};
static const double end_rate[BODIES] = {1139.920302151208,  -1424.379294994111, 11.03291221937134, 19.29337464421385,
                                        0.5735699284790808, -19.29337464421385, 0.3231791658026955};
static const double end_acceleration[BODIES] = {-24631.76316945196, 51850.37701610329, 324102.5686413781,
                                                566749.3645176213,  16743.62929479361, -566749.3645176222,
                                                9826.520791458422};
static const double end_lambda[6]            = {199.1753333731910, -29.75531228015052, 23.06654119098399,
                                                31.45271365475927, 22.64249232082739,  11.61740700019673};

// The drive: a constant torque on the second body about the axis of the drawing.
static int drive_eval(const void *law, const kane_relative *r, kane_wrench *on_b)
{
    (void)r;
    on_b->torque = kv3_scale(-*(const double *)law, kv3_unit(1));
    return 0;
}

static int drive_turns(const void *law)
{
    (void)law;
    return 0;
}

static void *drive_prepare(const void *parameters, kane_arena *memory, kane_errors *errors)
{
    double *torque = kane_law_memory(memory, 1, sizeof *torque);
    (void)errors;
    if (torque)
        *torque = *(const double *)parameters;
    return torque;
}

static void drive_derive(const void *law, const kane_relative *r, kane_law_derivative *out)
{
    (void)law;
    (void)r;
    (void)out; // it is constant
}

static const kane_law drive = {
    .name    = "constant torque",
    .prepare = drive_prepare,
    .turns   = drive_turns,
    .eval    = drive_eval,
    .derive  = drive_derive,
};

static void add(mechanism *m, const char *name, const char *parent, double mass, double J, kane_vec3 joint,
                kane_vec3 centre)
{
    const int body = mechanism_add(m, name, mass, kv3(J, J, J), centre);
    (void)mechanism_hang(m, body, KANE_JOINT_REVOLUTE, parent, joint, planar_axes());
}

static void build(mechanism *m, const kane_spring *spring)
{
    const kane_vec3 A = planar(xa, ya), B = planar(xb, yb), P = planar(rr - d, 0.0), D = planar(xb + sd, yb - sc);
    mechanism_begin(m, 0.0);
    add(m, "K1", NULL, .04325, 2.194e-6, kv3_zero(), planar(ra, 0.0));
    add(m, "K2", "K1", .00365, 4.410e-7, planar(rr, 0.0), planar(rr - da, 0.0));
    add(m, "K3", NULL, .02373, 5.255e-6, B, planar(xb + sb, yb - sa));
    add(m, "K5", NULL, .07050, 1.169e-5, A, planar(xa + ta, ya + tb));
    add(m, "K4", "K5", .00706, 5.667e-7, planar(xa + zt, ya), planar(xa + zt, ya - (e - ea)));
    add(m, "K7", NULL, .05498, 1.912e-5, A, planar(xa - ub, ya - ua));
    add(m, "K6", "K7", .00706, 5.667e-7, planar(xa, ya - u), planar(xa + (zf - fa), ya - u));
    // the point P of K2 is one of K3, K4 and K6
    (void)mechanism_close_at(m, "P of K3", KANE_CONSTRAINT_SPHERICAL, "K3", planar(xb, yb - ss), "K2", P,
                             planar_axes());
    (void)mechanism_close_at(m, "P of K4", KANE_CONSTRAINT_SPHERICAL, "K4", planar(xa + zt, ya - e), "K2", P,
                             planar_axes());
    (void)mechanism_close_at(m, "P of K6", KANE_CONSTRAINT_SPHERICAL, "K6", planar(xa + zf, ya - u), "K2", P,
                             planar_axes());
    (void)mechanism_element(m, "spring", &kane_law_spring, spring, "track", planar(xc, yc), "K3", D);
    (void)mechanism_element(m, "drive", &drive, &mom, "track", kv3_zero(), "K1", kv3_zero());
    for (int i = 0; i < BODIES; i++)
        m->starts[body_of[i]].q[0] = start[i];
}

static double acceleration(const mechanism *m, const kane_work *work, int body)
{
    double a[KANE_JOINT_COORDINATES];
    (void)kane_get_joint(m->model, work, body, NULL, NULL, a);
    return a[0];
}

// The problem's multipliers act on the bodies with the opposite sign, along the axes of the drawing; here along those
// of the first body, which has turned by `angle`.
static void check_lambda(const mechanism *m, const kane_work *work, int constraint, double angle,
                         const double expected[2], double tolerance)
{
    double l[6];
    assert_int_equal(kane_get_constraint(m->model, work, constraint, l), 3);
    check_near(-(cos(angle) * l[0] - sin(angle) * l[1]), expected[0], tolerance);
    check_near(-(sin(angle) * l[0] + cos(angle) * l[1]), expected[1], tolerance);
    assert_true(isnan(l[2])); // out of the plane the hinges hold as well: nothing says how much
}

static void check_lambdas(const mechanism *m, const kane_work *work, const double q[BODIES], const double expected[6],
                          double tolerance)
{
    check_lambda(m, work, 0, q[2], expected, tolerance);
    check_lambda(m, work, 1, q[3] + q[4], expected + 2, tolerance);
    check_lambda(m, work, 2, q[5] + q[6], expected + 4, tolerance);
}

static void check_form(kane_constraint_form form)
{
    const kane_spring spring                   = {.stiffness = 4530.0, .free_length = .07785};
    CHECK_END(mechanism_close_all) mechanism m = {0};
    build(&m, &spring);
    mechanism_open(&m, form);
    for (int i = 0; i < BODIES; i++) {
        check_near(mechanism_coordinate(&m, m.work, body_of[i], 0), start[i], 1e-13);
        check_near(acceleration(&m, m.work, body_of[i]), i < 2 ? start_acceleration[i] : 0.0, 1e-6);
    }
    check_lambdas(&m, m.work, start, start_lambda, 1e-8);

    const kane_settings settings = mechanism_settings(1e-12);
    mechanism_run(&m, &settings);
    const kane_work *work = mechanism_go(&m, 0.03);
    for (int i = 0; i < BODIES; i++) {
        check_relative(mechanism_coordinate(&m, work, body_of[i], 0), end[i], 2e-8);
        check_relative(mechanism_rate(&m, work, body_of[i], 0), end_rate[i], 2e-6);
        check_relative(acceleration(&m, work, body_of[i]), end_acceleration[i], 5e-6);
    }
    check_lambdas(&m, work, end, end_lambda, 1e-4);
    mechanism_check_jacobian(&m, 1e-4);
}

CHECK_TEST(test_coefficients)
{
    check_form(KANE_FORM_COEFFICIENTS);
}

CHECK_TEST(test_multipliers)
{
    check_form(KANE_FORM_MULTIPLIERS);
}

CHECK_MAIN(NULL, NULL)
