// SPDX-License-Identifier: MIT
// Andrews' squeezing mechanism: seven bodies, three loops that meet in one point, driven by a torque against a spring.
// Data and reference: Lioen, de Swart, Test set for initial value problem solvers (PSIDE, tolerance 1e-14).

#include "mechanism_tree.h"

static const kane_vec3 spring_end = {0.014, 0.072, 0.0}, spring_point = {0.02, -0.018, 0.0};
static const double spring_stiffness = 4530.0, spring_length = 0.07785, drive = 0.033;

enum { K1, K2, K3, K5, K4, K7, K6, BODIES }; // links, parents first

// Coordinates of the source (beta, Theta, gamma, Phi, delta, Omega, epsilon) among those of the links.
static const int coordinate[BODIES] = {K1, K2, K3, K4, K5, K6, K7};

static void drive_and_spring(mechanism *m)
{
    const kane_link_state *s = &m->s.work.link[K3];
    const kane_vec3 arm      = km3_mulv(s->R, spring_point);
    const kane_vec3 d        = kv3_sub(spring_end, kv3_add(s->r, arm));
    const double length      = kv3_norm(d);
    const kane_vec3 force    = kv3_scale(spring_stiffness * (length - spring_length) / length, d);
    kane_tree_apply_wrench(&m->s.work, K3, force, kv3_cross(arm, force));
    kane_tree_apply_wrench(&m->s.work, K1, kv3_zero(), kv3(0.0, 0.0, drive));
}

static int add(mechanism *m, int parent, kane_vec3 seat, double mass, double inertia, double x, double y)
{
    return mechanism_hinge(m, parent, seat, 2, mass, kv3(inertia, inertia, inertia), kv3(x, y, 0.0));
}

static void andrews(mechanism *m, kane_constraint_form form)
{
    static const double q0[BODIES] = {-0.0617138900142764496, 0.0,
                                      0.455279819163070380,   0.222668390165885885,
                                      0.487364979543842550,   -0.222668390165885885,
                                      1.23054744454982120};
    const kane_vec3 A = {-0.06934, -0.00227, 0.0}, B = {-0.03635, 0.03273, 0.0};
    const kane_vec3 end = {-0.028, 0.0, 0.0};
    mechanism_begin(m);
    (void)add(m, -1, kv3_zero(), 0.04325, 2.194e-6, 0.00092, 0.0);
    (void)add(m, K1, kv3(0.007, 0.0, 0.0), 0.00365, 4.410e-7, -0.0115, 0.0);
    (void)add(m, -1, B, 0.02373, 5.255e-6, 0.01043, -0.01874);
    (void)add(m, -1, A, 0.07050, 1.169e-5, 0.02308, 0.00916);
    (void)add(m, K5, kv3(0.04, 0.0, 0.0), 0.00706, 5.667e-7, 0.0, -(0.02 - 0.01421));
    (void)add(m, -1, A, 0.05498, 1.912e-5, -0.00449, -0.01228);
    (void)add(m, K7, kv3(0.0, -0.04, 0.0), 0.00706, 5.667e-7, 0.02 - 0.01421, 0.0);
    (void)mechanism_close(m, "lower", KANE_CONSTRAINT_SPHERICAL, K3, kv3(0.0, -0.035, 0.0), K2, end);
    (void)mechanism_close(m, "left", KANE_CONSTRAINT_SPHERICAL, K4, kv3(0.0, -0.02, 0.0), K2, end);
    (void)mechanism_close(m, "right", KANE_CONSTRAINT_SPHERICAL, K6, kv3(0.02, 0.0, 0.0), K2, end);
    mechanism_create(m, form);
    for (int k = 0; k < BODIES; k++)
        m->s.work.q[coordinate[k]] = q0[k];
    m->s.base.a   = kv3_zero();
    m->push       = drive_and_spring;
    m->held_q[K2] = 1;
    assert_true(mechanism_assemble(m));
    assert_int_equal(m->cluster.rank, 6);
}

CHECK_TEST(accelerations_at_the_start_are_those_of_the_source)
{
    for (int form = KANE_FORM_COEFFICIENTS; form <= KANE_FORM_MULTIPLIERS; form++) {
        CHECK_END(mechanism_free) mechanism m = {0};
        andrews(&m, (kane_constraint_form)form);
        check_near(m.s.work.q[K1], -0.0617138900142764496, 1e-14);
        assert_true(mechanism_eval(&m));
        check_relative(m.s.work.v_dot[K1], 14222.4439199541139, 1e-12);
        check_relative(m.s.work.v_dot[K2], -10666.8329399655854, 1e-12);
        for (int k = 2; k < BODIES; k++)
            check_near(m.s.work.v_dot[coordinate[k]], 0.0, 1e-8);
        const double *lambda  = mechanism_multipliers(&m); // along the axes of K3
        const kane_vec3 force = km3_mulv(m.s.work.link[K3].R, kv3(lambda[0], lambda[1], lambda[2]));
        check_relative(fabs(force.x), 98.5668703962410896, 1e-12);
        check_relative(fabs(force.y), 6.12268834425566266, 1e-11);
        assert_true(force.x * force.y < 0.0);
        for (int k = 2; k < 9; k++)
            check_near(lambda[k], 0.0, 1e-10);
    }
}

CHECK_TEST(motion_is_that_of_the_source)
{
    static const double angle[BODIES] = {15.81077119629904,   -15.75637105984298, 0.04082224013073101,
                                         -0.5347301163226948, 0.5244099658805304, 0.5347301163226948,
                                         1.048080741042263};
    static const double force[3][2]   = {{199.1753333731910, -29.75531228015052},
                                         {23.06654119098399, 31.45271365475927},
                                         {22.64249232082739, 11.61740700019673}};
    static const int held_by[3]       = {K3, K4, K6}; // multipliers are along their axes
    static const double rate[BODIES]  = {1139.920302151208,  -1424.379294994111, 11.03291221937134, 19.29337464421385,
                                         0.5735699284790808, -19.29337464421385, 0.3231791658026955};
    static const double sign          = -1.0; // rows are there those of here the other way round
    enum { STEPS = 6000 };
    for (int form = KANE_FORM_COEFFICIENTS; form <= KANE_FORM_MULTIPLIERS; form++) {
        CHECK_END(mechanism_free) mechanism m = {0};
        double worst                          = 0.0, value, drift;
        andrews(&m, (kane_constraint_form)form);
        for (int i = 0; i < STEPS; i++)
            assert_true(mechanism_step(&m, 0.03 / STEPS));
        for (int k = 0; k < BODIES; k++) {
            worst = fmax(worst, fabs(m.s.work.q[coordinate[k]] / angle[k] - 1.0));
            check_relative(m.s.work.q[coordinate[k]], angle[k], 1e-7);
            check_relative(m.s.work.v[coordinate[k]], rate[k], 1e-6);
        }
        assert_true(mechanism_eval(&m));
        const double *lambda = mechanism_multipliers(&m);
        for (int i = 0; i < 3; i++) {
            const double *l    = lambda + m.cluster.row_begin[i];
            const kane_vec3 at = km3_mulv(m.s.work.link[held_by[i]].R, kv3(l[0], l[1], l[2]));
            check_near(at.x, sign * force[i][0], 1e-7 * force[0][0]);
            check_near(at.y, sign * force[i][1], 1e-7 * force[0][0]);
        }
        mechanism_drift(&m, &value, &drift);
        print_message("angles within %.1e, drift %.1e %.1e\n", worst, value, drift);
        check_near(value, 0.0, 1e-15);
        check_near(drift, 0.0, 1e-12);
    }
}

CHECK_MAIN(NULL, NULL)
