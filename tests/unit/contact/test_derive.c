// SPDX-License-Identifier: MIT
// Derivatives of the contact's wrench against central differences of the evaluation.

#include "unit/contact/differences.h"

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

CHECK_TEST(a_cone_on_a_round_rail)
{
    CHECK_OWNED(kane_contact) *c = rig_create(rig_cone_on_round());
    for (int side = 0; side < 2; side++)
        for (double y = -0.006; y < 0.007; y += 0.003)
            for (double yaw = -0.01; yaw < 0.011; yaw += 0.01) {
                const kane_wheel_motion m = moving(c, (kane_side)side, y, yaw, 5e4);
                check_columns(c, (kane_side)side, &m, 3e-5);
            }
}

// Away from the places where patches join (their slope has a corner there).
CHECK_TEST(s1002_on_60e1)
{
    static const double places[][2] = {{-0.0041, 0.001}, {-0.0031, -0.004}, {0.0017, 0.002},
                                       {0.0031, 0.006},  {0.0043, -0.011},  {0.0049, 0.004},
                                       {0.0061, 0.012},  {0.0073, 0.02},    {0.0081, -0.02}};
    CHECK_OWNED(kane_contact) *c    = rig_create(kane_contact_definition_default());
    for (int side = 0; side < 2; side++)
        for (size_t k = 0; k < sizeof places / sizeof *places; k++)
            for (double N = 1e4; N < 1e5; N *= 6.0) {
                const double y            = rig_outside((kane_side)side) * places[k][0];
                const kane_wheel_motion m = moving(c, (kane_side)side, y, places[k][1], N);
                check_columns(c, (kane_side)side, &m, 3e-5);
            }
}

CHECK_TEST(nearly_unloaded)
{
    CHECK_OWNED(kane_contact) *c = rig_create(kane_contact_definition_default());
    for (double N = 300.0; N < 5e3; N *= 4.0) {
        const kane_wheel_motion m = moving(c, KANE_LEFT, -0.0041, 0.001, N);
        check_columns(c, KANE_LEFT, &m, 1e-4);
    }
}

// Where creep reaches its limit, at standstill, and where dissipation is clipped.
CHECK_TEST(in_every_branch_of_the_laws)
{
    CHECK_OWNED(kane_contact) *c = rig_create(rig_cone_on_round());
    kane_wheel_motion m          = moving(c, KANE_LEFT, 0.001, 0.001, 5e4);
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
}

// A turn of the axle about itself changes nothing, whatever its direction.
CHECK_TEST(turning_the_axle_about_itself_changes_nothing)
{
    CHECK_OWNED(kane_contact) *c = rig_create(kane_contact_definition_default());
    const kane_wheel_motion m    = moving(c, KANE_RIGHT, -0.003, 0.02, 5e4);
    double d[6][12];
    assert_int_equal(kane_contact_derive(c, KANE_RIGHT, &m, d), KANE_OK);
    for (int i = 0; i < 6; i++)
        check_near(d[i][3] * m.axle.x + d[i][4] * m.axle.y + d[i][5] * m.axle.z, 0.0, 1e-9 * fabs(d[i][3]));
}

// --- random states: how good the differences are, by kind of contact ---

enum { TREAD, FLANGE, APART, GROWING, LIGHT, KINDS };
static const char *const kinds[KINDS] = {"one patch, tread", "one patch, flange", "two patches apart",
                                         "two growing together", "less than 300 N"};

// A wheel somewhere between the field side and the flange, under 1 N to 100 kN. Returns the kind of its contact, or -1.
static int random_state(const kane_contact *c, kane_side side, unsigned long long *seed, kane_wheel_motion *m,
                        double *approach)
{
    static const int by_count[4] = {-1, TREAD, APART, GROWING};
    rig_pose p                   = {rig_random(seed, -8.5e-3, 8.5e-3), 0.0, 0.0, rig_random(seed, -0.05, 0.05)};
    if (rig_random(seed, 0.0, 1.0) < 0.3)
        p.roll = rig_random(seed, -0.012, 0.012);
    const double load = pow(10.0, rig_random(seed, rig_random(seed, 0.0, 1.0) < 0.15 ? 0.0 : 2.5, 5.0));
    p.z               = rig_height(c, 0.46, side, p, load);
    *m                = rig_motion(c, 0.46, side, p, 20.0, 43.5);
    m->velocity.y += rig_random(seed, -0.02, 0.02);
    m->velocity.z += rig_random(seed, -0.05, 0.05);
    m->omega = kv3_add(m->omega, kv3(rig_random(seed, -0.03, 0.03), rig_random(seed, -0.1, 0.1), 0.01));

    const kane_contact_result r = rig_eval(c, side, m);
    *approach                   = 1.0;
    for (int i = 0; i < r.patch_count; i++)
        *approach = fmin(*approach, r.patch[i].approach);
    if (rig_normal(&r) < 300.0)
        return r.patch_count > 0 ? LIGHT : -1;
    if (r.patch_count > 3)
        return -1;
    return r.patch_count == 1 && fabs(r.patch[0].angle) > 0.5 ? FLANGE : by_count[r.patch_count];
}

CHECK_TEST(random_states_are_as_good_as_promised)
{
    enum { STATES = 3000 };
    static double errors[KINDS][STATES];
    static const double half[KINDS] = {5e-6, 5e-6, 5e-6, 5e-6, 5e-5}, most[KINDS] = {6e-5, 6e-5, 6e-5, 6e-5, 6e-4};
    int count[KINDS] = {0}, doubtful = 0;
    unsigned long long seed      = 5;
    CHECK_OWNED(kane_contact) *c = rig_create(kane_contact_definition_default());
    for (int i = 0; i < STATES; i++) {
        const kane_side side = i % 2 ? KANE_LEFT : KANE_RIGHT;
        kane_wheel_motion m;
        double approach;
        const int kind = random_state(c, side, &seed, &m, &approach);
        if (kind < 0)
            continue;
        const double error = worst_error(c, side, &m, approach, 1e-5);
        if (error < 0.0)
            doubtful++;
        else
            errors[kind][count[kind]++] = error;
    }
    for (int k = 0; k < KINDS; k++) {
        assert_true(count[k] > 40);
        qsort(errors[k], (size_t)count[k], sizeof **errors, ascending);
        const double median = errors[k][count[k] / 2], nearly_all = errors[k][count[k] * 97 / 100];
        check_figure(median, "%s: half", kinds[k]);
        check_figure(nearly_all, "%s: 97 of 100", kinds[k]);
        check_figure(errors[k][count[k] - 1], "%s: worst", kinds[k]);
        print_message("%-22s %5d states: half below %.1e, 97 of 100 below %.1e, worst %.1e\n", kinds[k], count[k],
                      median, nearly_all, errors[k][count[k] - 1]);
        check_near(median, 0.0, half[k]);
        check_near(nearly_all, 0.0, most[k]);
    }
    assert_true(doubtful < STATES / 10);
}

CHECK_MAIN(NULL, NULL)
