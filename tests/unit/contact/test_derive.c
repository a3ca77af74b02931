// SPDX-License-Identifier: MIT
// Derivatives of the contact's wrench against central differences of the evaluation.

#include "unit/contact/rig.h"

// Displaces a motion by h in one of the twelve directions.
static void displace(kane_wheel_motion *m, int direction, double h)
{
    const double u[3] = {direction % 3 == 0 ? h : 0.0, direction % 3 == 1 ? h : 0.0, direction % 3 == 2 ? h : 0.0};
    const kane_vec3 d = kv3(u[0], u[1], u[2]);
    switch (direction / 3) {
    case 0: m->centre = kv3_add(m->centre, d); break;
    case 1: { // an exact rotation
        const double sine = sin(h) / h, cosine = (1.0 - cos(h)) / (h * h);
        const kane_vec3 once = kv3_cross(d, m->axle), twice = kv3_cross(d, once);
        m->axle = kv3_add(m->axle, kv3_add(kv3_scale(sine, once), kv3_scale(cosine, twice)));
        break;
    }
    case 2: m->velocity = kv3_add(m->velocity, d); break;
    default: m->omega = kv3_add(m->omega, d);
    }
}

static void rows_at(const kane_contact *c, kane_side side, kane_wheel_motion m, int direction, double h, double rows[6])
{
    displace(&m, direction, h);
    const kane_contact_result r = rig_eval(c, side, &m);
    memcpy(rows, &r.on_wheel, 6 * sizeof *rows);
}

// Central difference of fourth order.
static void difference(const kane_contact *c, kane_side side, const kane_wheel_motion *m, int direction, double h,
                       double column[6])
{
    double a[6], b[6], e[6], f[6];
    rows_at(c, side, *m, direction, h, a);
    rows_at(c, side, *m, direction, -h, b);
    rows_at(c, side, *m, direction, 2.0 * h, e);
    rows_at(c, side, *m, direction, -2.0 * h, f);
    for (int i = 0; i < 6; i++)
        column[i] = (8.0 * (a[i] - b[i]) - (e[i] - f[i])) / (12.0 * h);
}

static double norm(const double *v)
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

// Steps of the differences to compare with, and what a force or torque may be off in proportion to its column and, for
// the small columns of pitch and yaw, in proportion to the forces per radian.
static void check_columns(const kane_contact *c, kane_side side, const kane_wheel_motion *m, double tolerance)
{
    static const double steps[12] = {1e-8, 2e-9, 2e-9, 4e-9, 4e-7, 2e-7, 1e-4, 1e-4, 1e-4, 1e-4, 1e-4, 1e-4};
    double d[6][12];
    assert_int_equal(kane_contact_derive(c, side, m, d), KANE_OK);
    const kane_contact_result r = rig_eval(c, side, m);
    const double force          = kv3_norm(r.on_wheel.force);
    for (int k = 0; k < 12; k++) {
        double expected[6], error[6], scale[2];
        difference(c, side, m, k, steps[k], expected);
        for (int i = 0; i < 6; i++)
            error[i] = d[i][k] - expected[i];
        const double small = k == 4 || k == 5 ? 50.0 * force : 1e-9 * force, part = k < 6 ? tolerance : 1e-7;
        scale[0] = part * norm(expected) + tolerance * small;
        scale[1] = part * norm(expected + 3) + tolerance * small;
        if (!(norm(error) <= check_tolerance(scale[0]) && norm(error + 3) <= check_tolerance(scale[1])))
            fail_msg("column %d: force off by %g of %g, torque by %g of %g", k, norm(error), norm(expected),
                     norm(error + 3), norm(expected + 3));
    }
    for (int i = 0; i < 6; i++)
        check_near(d[i][0], 0.0, 0.0); // the place along the rail
}

static kane_wheel_motion moving(const kane_contact *c, kane_side side, double y, double yaw, double N)
{
    kane_wheel_motion m = rig_motion(c, 0.46, side, rig_place(c, 0.46, y, yaw, N), 20.0, 20.0 / 0.4598);
    m.velocity.y += 0.012;
    m.velocity.z += 0.021;
    m.omega = kv3_add(m.omega, kv3(0.011, 0.02, -0.03));
    return m;
}

static void a_cone_on_a_round_rail(void **state)
{
    (void)state;
    kane_contact *c = rig_create(rig_cone_on_round());
    for (int side = 0; side < 2; side++)
        for (double y = -0.006; y < 0.007; y += 0.003)
            for (double yaw = -0.01; yaw < 0.011; yaw += 0.01) {
                const kane_wheel_motion m = moving(c, (kane_side)side, y, yaw, 5e4);
                check_columns(c, (kane_side)side, &m, 3e-5);
            }
    kane_contact_free(c);
}

// Away from the places where patches join (their slope has a corner there).
static void s1002_on_60e1(void **state)
{
    (void)state;
    static const double places[][2] = {{-0.0041, 0.001}, {-0.0031, -0.004}, {0.0017, 0.002},
                                       {0.0031, 0.006},  {0.0043, -0.011},  {0.0049, 0.004},
                                       {0.0061, 0.012},  {0.0073, 0.02},    {0.0081, -0.02}};
    kane_contact *c                 = rig_create(kane_contact_definition_default());
    for (int side = 0; side < 2; side++)
        for (size_t k = 0; k < sizeof places / sizeof *places; k++)
            for (double N = 1e4; N < 1e5; N *= 6.0) {
                const double y            = rig_outside((kane_side)side) * places[k][0];
                const kane_wheel_motion m = moving(c, (kane_side)side, y, places[k][1], N);
                check_columns(c, (kane_side)side, &m, 3e-5);
            }
    kane_contact_free(c);
}

static void nearly_unloaded(void **state)
{
    (void)state;
    kane_contact *c = rig_create(kane_contact_definition_default());
    for (double N = 300.0; N < 5e3; N *= 4.0) {
        const kane_wheel_motion m = moving(c, KANE_LEFT, -0.0041, 0.001, N);
        check_columns(c, KANE_LEFT, &m, 1e-4);
    }
    kane_contact_free(c);
}

// Where creep reaches its limit, at standstill, and where dissipation is clipped.
static void in_every_branch_of_the_laws(void **state)
{
    (void)state;
    kane_contact *c     = rig_create(rig_cone_on_round());
    kane_wheel_motion m = moving(c, KANE_LEFT, 0.001, 0.001, 5e4);
    m.omega.y *= 1.05; // full slip
    check_columns(c, KANE_LEFT, &m, 3e-5);
    m            = moving(c, KANE_LEFT, 0.001, 0.001, 5e4);
    m.velocity.z = 1.1; // between the straight line and zero
    check_columns(c, KANE_LEFT, &m, 3e-5);

    m          = moving(c, KANE_LEFT, 0.001, 0.001, 5e4);
    m.velocity = kv3(0.02, 1e-5, 0.0);
    m.omega    = kv3_scale(0.02 / 0.4592, m.axle);
    double d[6][12], expected[6];
    assert_int_equal(kane_contact_derive(c, KANE_LEFT, &m, d), KANE_OK);
    for (int k = 6; k < 12; k++) {
        difference(c, KANE_LEFT, &m, k, 1e-6, expected);
        for (int i = 0; i < 6; i++)
            check_near(d[i][k], expected[i], 1e-6 * (norm(expected) + norm(expected + 3)));
    }
    kane_contact_free(c);
}

// A turn of the axle about itself changes nothing, whatever its direction.
static void turning_the_axle_about_itself_changes_nothing(void **state)
{
    (void)state;
    kane_contact *c           = rig_create(kane_contact_definition_default());
    const kane_wheel_motion m = moving(c, KANE_RIGHT, -0.003, 0.02, 5e4);
    double d[6][12];
    assert_int_equal(kane_contact_derive(c, KANE_RIGHT, &m, d), KANE_OK);
    for (int i = 0; i < 6; i++)
        check_near(d[i][3] * m.axle.x + d[i][4] * m.axle.y + d[i][5] * m.axle.z, 0.0, 1e-9 * fabs(d[i][3]));
    kane_contact_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cone_on_a_round_rail),
        cmocka_unit_test(s1002_on_60e1),
        cmocka_unit_test(nearly_unloaded),
        cmocka_unit_test(in_every_branch_of_the_laws),
        cmocka_unit_test(turning_the_axle_about_itself_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
