// SPDX-License-Identifier: MIT
// Non-holonomic constraints against closed forms: a thin disc that rolls upright, in a circle, or wobbles; a skate on a
// slope.

#include "mechanisms.h"

// --- a disc with r = g = m = 1 ---

static const double C = 0.5, A = 0.25; // moments of inertia of a thin disc about its axis and across

// Rolls ahead along x at the spin n about its axis y, turned by `roll`, with a rate of yaw.
static void open_disc(mechanism *m, kane_body_kind kind, kane_constraint_form form, double roll, double yaw_rate,
                      double pitch_rate, double spin)
{
    const kane_vec3 centre = {0.0, 0.0, 1.0};
    mechanism_begin(m, 1.0);
    (void)mechanism_add(m, "disc", 1.0, kv3(A, C, A), centre);
    m->bodies[0].kind = kind;
    kane_constraint_definition *rolling =
        mechanism_close_at(m, "ground", KANE_CONSTRAINT_ROLLING, NULL, kv3_zero(), "disc", centre, km3_identity());
    rolling->at[1].axes = axes_about(1);
    rolling->radius     = 1.0;
    m->starts[0]        = (kane_start_definition){
               .q         = {0.0, 0.0, cos(roll) - 1.0, 0.0, roll, 0.0},
               .rate      = {spin, 0.0, 0.0, yaw_rate, 0.0, pitch_rate},
               .held_q    = 63u,
               .held_rate = 63u,
    };
    mechanism_open(m, form);
}

static const kane_work *roll_on(mechanism *m, double t, double q[6])
{
    double rates[6];
    const kane_work *work = mechanism_go(m, t);
    kane_get_relative(m->model, work, 0, q, rates);
    return work;
}

// A small tilt f and the yaw that it brings about:  A yaw'' = -C n f',  (A + m r^2) f'' = m g r f + (C + m r^2) n yaw'.
// With yaw' = -C n f/A at the start
//   (A + m r^2) f'' = (m g r - C (C + m r^2) n^2/A) f
// so that a thin disc rolls upright above n = 1/sqrt(3).
static void check_tilt(double n, kane_body_kind kind, kane_constraint_form form)
{
    const double tilt = 1e-4, square = (1.0 - C * (C + 1.0) * n * n / A) / (A + 1.0);
    const double rate                          = sqrt(fabs(square));
    const kane_settings settings               = mechanism_settings(1e-12);
    CHECK_END(mechanism_close_all) mechanism m = {0};
    open_disc(&m, kind, form, tilt, -C * n * tilt / A, n + C * n * tilt / A * sin(tilt), n);
    mechanism_run(&m, &settings);
    for (int i = 1; i <= 4; i++) {
        double q[6];
        (void)roll_on(&m, i, q);
        check_near(q[KANE_ROLL] / tilt, square < 0.0 ? cos(rate * i) : cosh(rate * i), 1e-6);
    }
}

CHECK_TEST(test_critical_spin)
{
    const double critical = 1.0 / sqrt(3.0);
    for (int kind = KANE_BODY_RIGID; kind <= KANE_BODY_SPINNING; kind++)
        for (int form = KANE_FORM_COEFFICIENTS; form <= KANE_FORM_MULTIPLIERS; form++) {
            check_tilt(0.9 * critical, (kane_body_kind)kind, (kane_constraint_form)form); // falls
            check_tilt(critical, (kane_body_kind)kind, (kane_constraint_form)form);       // stays as it is
            check_tilt(1.1 * critical, (kane_body_kind)kind, (kane_constraint_form)form); // rights itself
        }
}

// An upright disc whose mass centre, through which the axle passes, is e below its own centre at the start, phi = 0:
//   (C + m (r^2 + e^2 - 2 r e cos(phi))) phi'^2/2 - m g e cos(phi) = constant
static void check_eccentric(kane_body_kind kind, kane_constraint_form form)
{
    const double e = 0.3, n = 1.5, start = 0.5 * (C + (1.0 - e) * (1.0 - e)) * n * n - e;
    const kane_settings settings               = mechanism_settings(1e-12);
    CHECK_END(mechanism_close_all) mechanism m = {0};
    mechanism_begin(&m, 1.0);
    (void)mechanism_add(&m, "disc", 1.0, kv3(A, C, A), kv3(0.0, 0.0, 1.0 - e));
    m.bodies[0].kind                    = kind;
    kane_constraint_definition *rolling = mechanism_close_at(&m, "ground", KANE_CONSTRAINT_ROLLING, NULL, kv3_zero(),
                                                             "disc", kv3(0.0, 0.0, 1.0), km3_identity());
    rolling->at[1].axes                 = axes_about(1);
    rolling->radius                     = 1.0;
    m.starts[0] =
        (kane_start_definition){.rate = {(1.0 - e) * n, 0.0, 0.0, 0.0, 0.0, n}, .held_q = 63u, .held_rate = 63u};
    mechanism_open(&m, form);
    mechanism_run(&m, &settings);
    for (int i = 1; i <= 8; i++) {
        double q[6], rates[6];
        kane_get_relative(m.model, mechanism_go(&m, 0.5 * i), 0, q, rates);
        const double cosine = cos(q[KANE_PITCH]), square = 2.0 * (start + e * cosine);
        check_near(q[KANE_Z], 1.0 - e * cosine, 1e-9);
        check_near(fabs(rates[KANE_PITCH]), sqrt(square / (C + 1.0 + e * e - 2.0 * e * cosine)), 1e-9);
    }
}

CHECK_TEST(an_eccentric_disc_keeps_its_energy)
{
    for (int kind = KANE_BODY_RIGID; kind <= KANE_BODY_SPINNING; kind++)
        for (int form = KANE_FORM_COEFFICIENTS; form <= KANE_FORM_MULTIPLIERS; form++)
            check_eccentric((kane_body_kind)kind, (kane_constraint_form)form);
}

// A disc whose axis is not the axle of its body, which has three different moments of inertia: described in axes that
// spin or as a rigid body it moves alike, and wobbles.
CHECK_TEST(a_tilted_disc_of_a_rotating_body_is_that_of_a_rigid_one)
{
    static const char *const names[] = {"rigid", "rotating"};
    const kane_settings settings     = mechanism_settings(1e-12);
    for (int form = KANE_FORM_COEFFICIENTS; form <= KANE_FORM_MULTIPLIERS; form++) {
        double q[2][8][6];
        for (int kind = KANE_BODY_RIGID; kind <= KANE_BODY_SPINNING; kind++) {
            CHECK_END(mechanism_close_all) mechanism m = {0};
            mechanism_begin(&m, 1.0);
            (void)mechanism_add(&m, "disc", 1.0, kv3(A, C, 0.35), kv3(0.0, 0.05, 0.9));
            m.bodies[0].kind                    = (kane_body_kind)kind;
            kane_constraint_definition *rolling = mechanism_close_at(
                &m, "ground", KANE_CONSTRAINT_ROLLING, NULL, kv3_zero(), "disc", kv3(0.0, 0.0, 1.0), km3_identity());
            rolling->at[1].axes = km3_turn_x(axes_about(1), sin(0.1), cos(0.1));
            rolling->radius     = 1.0;
            m.starts[0]         = (kane_start_definition){.rate = {1.5, 0.0, 0.0, 0.0, 0.0, 1.5}};
            for (int k = KANE_YAW; k <= KANE_PITCH; k++)
                m.starts[0].held_rate |= 1u << k;
            mechanism_open(&m, (kane_constraint_form)form);
            mechanism_run(&m, &settings);
            for (int i = 0; i < 8; i++)
                (void)roll_on(&m, 0.25 * (i + 1), q[kind == KANE_BODY_SPINNING][i]);
            (void)run_check_jacobian(m.simulation, m.model, names[kind == KANE_BODY_SPINNING], 1e-6);
        }
        for (int i = 0; i < 8; i++)
            for (int k = 0; k < 6; k++)
                check_near(q[1][i][k], q[0][i][k], 1e-8);
        assert_true(fabs(q[0][7][KANE_YAW]) > 0.01);
    }
}

// A steady circle: tilt f, rate of yaw p, spin n about the axis (with p's part of it):
//   n p cos(f) (C + m r^2) - A p^2 sin(f) cos(f) + m g r sin(f) = 0
// and the centre moves at n r on a circle of radius n r/p.
static void check_circle(kane_body_kind kind, kane_constraint_form form)
{
    const double f = 0.3, p = -0.8, n = (A * p * p * sin(f) * cos(f) - sin(f)) / (p * cos(f) * (C + 1.0));
    const kane_settings settings               = mechanism_settings(1e-12);
    CHECK_END(mechanism_close_all) mechanism m = {0};
    open_disc(&m, kind, form, f, p, n - p * sin(f), n);
    const double energy = mechanism_energy(&m, m.work);
    mechanism_run(&m, &settings);
    for (int i = 1; i <= 5; i++) {
        double q[6], value, rate;
        const kane_work *work = roll_on(&m, i, q);
        check_near(q[KANE_ROLL], f, 1e-8);
        check_near(q[KANE_YAW], p * i, 1e-8);
        check_near(q[KANE_PITCH], (n - p * sin(f)) * i, 1e-8);
        check_vec3(kv3(q[KANE_X], q[KANE_Y], q[KANE_Z]), kv3(n / p * sin(p * i), n / p * (1.0 - cos(p * i)), cos(f)),
                   1e-8);
        check_near(mechanism_energy(&m, work), energy, 1e-9);
        kane_get_drift(m.model, work, &value, &rate);
        check_near(value, 0.0, 1e-9);
        check_near(rate, 0.0, 1e-9);
    }
}

CHECK_TEST(test_circle)
{
    for (int kind = KANE_BODY_RIGID; kind <= KANE_BODY_SPINNING; kind++)
        for (int form = KANE_FORM_COEFFICIENTS; form <= KANE_FORM_MULTIPLIERS; form++)
            check_circle((kane_body_kind)kind, (kane_constraint_form)form);
}

// A disc that wobbles: neither its tilt nor its rate of yaw is steady. It loses no energy, and what touches the ground
// is at rest: the velocity of the centre is  w x (way from the contact to the centre).
CHECK_TEST(test_wobble)
{
    const kane_settings settings = mechanism_settings(1e-13);
    for (int kind = KANE_BODY_RIGID; kind <= KANE_BODY_SPINNING; kind++)
        for (int form = KANE_FORM_COEFFICIENTS; form <= KANE_FORM_MULTIPLIERS; form++) {
            const double roll = 0.5, yaw_rate = 0.4, pitch_rate = 0.6, n = pitch_rate + yaw_rate * sin(roll);
            double least = roll, most = roll;
            CHECK_END(mechanism_close_all) mechanism m = {0};
            open_disc(&m, (kane_body_kind)kind, (kane_constraint_form)form, roll, yaw_rate, pitch_rate, n);
            const double energy = mechanism_energy(&m, m.work);
            mechanism_run(&m, &settings);
            for (int i = 1; i <= 50; i++) {
                double q[6];
                kane_vec3 velocity, omega;
                const kane_work *work = roll_on(&m, 0.1 * i, q);
                const kane_vec3 up =
                    kv3(sin(q[KANE_ROLL]) * sin(q[KANE_YAW]), -sin(q[KANE_ROLL]) * cos(q[KANE_YAW]), cos(q[KANE_ROLL]));
                kane_get_absolute(m.model, work, 0, &velocity, &omega, NULL, NULL);
                check_vec3(velocity, kv3_cross(omega, up), 1e-11);
                check_near(q[KANE_Z], cos(q[KANE_ROLL]), 1e-11);
                check_near(mechanism_energy(&m, work), energy, 1e-9);
                least = fmin(least, q[KANE_ROLL]);
                most  = fmax(most, q[KANE_ROLL]);
                mechanism_check_jacobian(&m, 1e-4);
            }
            assert_true(most - least > 0.5);
        }
}

// --- a skate ---

// Its mass centre is over the blade, which turns steadily at w and points down the slope at first. It never comes down:
//   x = s sin^2(w t), y = s (w t - sin(2 w t)/2), s = g sin(slope)/(2 w^2);  the ice holds it by 2 m g sin(slope) sin(w t).
// Coordinates of its plane joint along the slope's own axes, x downhill.
static void check_skate(kane_constraint_form form)
{
    const double slope = 0.35, w = 1.7, mass = 3.0, s = 9.81 * sin(slope) / (2.0 * w * w);
    const kane_mat3 axes         = {{cos(slope), 0.0, -sin(slope)}, {0.0, 1.0, 0.0}, {sin(slope), 0.0, cos(slope)}};
    const kane_settings settings = mechanism_settings(1e-13);
    CHECK_END(mechanism_close_all) mechanism m = {0};
    mechanism_begin(&m, 9.81);
    (void)mechanism_add(&m, "skate", mass, kv3(0.4, 0.4, 0.4), kv3_zero());
    (void)mechanism_hang(&m, 0, KANE_JOINT_PLANAR, NULL, kv3_zero(), axes);
    (void)mechanism_close(&m, "blade", KANE_CONSTRAINT_KNIFE, NULL, "skate", kv3_zero(), axes);
    m.starts[0].rate[2]   = w;
    m.starts[0].held_rate = 7u;
    mechanism_open(&m, form);
    mechanism_run(&m, &settings);
    for (int i = 1; i <= 5; i++) {
        const double turned = w * i;
        double q[KANE_JOINT_COORDINATES], force[6];
        const kane_work *work = mechanism_go(&m, i);
        assert_int_equal(kane_get_joint(m.model, work, 0, q, NULL, NULL), 3);
        check_near(q[0], s * sin(turned) * sin(turned), 1e-9);
        check_near(q[1], s * (turned - 0.5 * sin(2.0 * turned)), 1e-9);
        check_near(q[2], turned, 1e-9);
        assert_int_equal(kane_get_constraint(m.model, work, 0, force), 1);
        check_near(force[0], 2.0 * mass * 9.81 * sin(slope) * sin(turned), 1e-7);
    }
    mechanism_check_jacobian(&m, 1e-5);
}

CHECK_TEST(test_skate)
{
    check_skate(KANE_FORM_COEFFICIENTS);
    check_skate(KANE_FORM_MULTIPLIERS);
}

CHECK_MAIN(NULL, NULL)
