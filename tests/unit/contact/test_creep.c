// SPDX-License-Identifier: MIT
// Rolling: creepages, creep forces and their signs, dissipation, standstill and reversal.

#include "unit/contact/rig.h"
#include "contact/contact.h"

static kane_contact *cone; // 1:20 on round rails

static int make_cone(void **state)
{
    (void)state;
    cone = rig_create(rig_cone_on_round());
    return 0;
}

static int free_cone(void **state)
{
    (void)state;
    kane_contact_free(cone);
    return 0;
}

static rig_pose loaded(double y, double yaw)
{
    return rig_place(cone, 0.46, y, yaw, 6e4);
}

static kane_patch patch_of(const kane_contact *c, kane_side side, const kane_wheel_motion *m)
{
    const kane_contact_result r = rig_eval(c, side, m);
    assert_int_equal(r.patch_count, 1);
    return r.patch[0];
}

// Rolling with the radius of the actual contact, a centred wheelset does not creep; it still spins on its cones.
CHECK_TEST(a_centred_cone_rolls_purely)
{
    const rig_pose p    = loaded(0.0, 0.0);
    kane_wheel_motion m = rig_motion(cone, 0.46, KANE_LEFT, p, 20.0, 43.0);
    const double radius = patch_of(cone, KANE_LEFT, &m).radius;
    for (int k = 0; k < 2; k++) {
        const kane_side side   = k ? KANE_RIGHT : KANE_LEFT;
        m                      = rig_motion(cone, 0.46, side, p, 20.0, 20.0 / radius);
        const kane_patch patch = patch_of(cone, side, &m);
        check_near(patch.xi_x, 0.0, 1e-12);
        check_near(patch.xi_y, 0.0, 1e-12);
        check_near(patch.T_x, 0.0, 1e-6);
        // the wheel turns about the axle, which leans away from the normal: phi = omega.n/v
        check_near(patch.phi, patch.normal.y / radius, 1e-6);
        assert_true(rig_outside(side) * patch.normal.y < 0.0); // the cones' inner sides are the thick ones
        assert_true(patch.phi * rig_outside(side) < 0.0);
        assert_true(patch.T_y * rig_outside(side) > 0.0); // Kalker: F_y = -G (ab)^3/2 C23 phi
    }
}

// Traction and braking: a wheel that turns too fast is pushed forward, and the axle is braked by the same force.
CHECK_TEST(a_spinning_wheel_is_pushed_forward)
{
    const rig_pose p      = loaded(0.0, 0.0);
    kane_wheel_motion m   = rig_motion(cone, 0.46, KANE_LEFT, p, 20.0, 43.6 * 1.002);
    kane_contact_result r = rig_eval(cone, KANE_LEFT, &m);
    assert_true(r.patch[0].xi_x < 0.0 && r.patch[0].T_x > 1e3);
    check_near(r.on_wheel.force.x, r.patch[0].T_x, 1e-9);
    check_relative(r.on_wheel.torque.y, -r.patch[0].T_x * r.patch[0].radius, 1e-2);
    m = rig_motion(cone, 0.46, KANE_LEFT, p, 20.0, 43.6 * 0.996);
    r = rig_eval(cone, KANE_LEFT, &m);
    assert_true(r.patch[0].xi_x > 0.0 && r.patch[0].T_x < -1e3 && r.on_wheel.torque.y > 0.0);
}

// Klingel: a wheelset shifted to the left rolls on a larger radius there; the creep forces turn it back to the right.
CHECK_TEST(a_shifted_wheelset_is_steered_back)
{
    const double y = 0.002, spin = 20.0 / 0.4592;
    const rig_pose p = loaded(y, 0.0);
    kane_patch patch[2];
    double yawing = 0.0;
    for (int k = 0; k < 2; k++) {
        const kane_side side        = k ? KANE_RIGHT : KANE_LEFT;
        const kane_wheel_motion m   = rig_motion(cone, 0.46, side, p, 20.0, spin);
        const kane_contact_result r = rig_eval(cone, side, &m);
        patch[k]                    = r.patch[0];
        const kane_vec3 wheel       = kv3(0.0, rig_outside(side) * 0.75, 0.0); // from the wheelset's centre
        yawing += r.on_wheel.torque.z + kv3_cross(wheel, r.on_wheel.force).z;
    }
    assert_true(patch[0].radius > patch[1].radius);
    assert_true(patch[0].xi_x < patch[1].xi_x);
    assert_true(patch[0].T_x > patch[1].T_x); // the left wheel is the faster one and pulls ahead
    assert_true(yawing < -1e3);               // negative about z up: the front turns to the right

    // the difference of creepages is that of the radii
    check_near(patch[1].xi_x - patch[0].xi_x, (patch[0].radius - patch[1].radius) / 0.46, 2e-5);
}

// A wheelset that points to the left while it moves straight slips to the right over the rail and is pushed to the
// left.
CHECK_TEST(a_yawed_wheelset_is_pushed_where_it_points)
{
    for (int k = 0; k < 2; k++) {
        const kane_side side      = k ? KANE_RIGHT : KANE_LEFT;
        const kane_wheel_motion m = rig_motion(cone, 0.46, side, loaded(0.0, 0.001), 20.0, 20.0 / 0.4592);
        const kane_patch patch    = patch_of(cone, side, &m);
        check_near(patch.xi_y, -0.001, 3e-5);
        assert_true(patch.T_y > 3e3);
    }
}

// The forces of Kalker's linear theory, where creepages are too small to saturate.
CHECK_TEST(small_creepages_give_kalkers_forces)
{
    kane_contact_definition d  = rig_cone_on_round();
    d.laws.friction[KANE_LEFT] = d.laws.friction[KANE_RIGHT] = 1e6;
    CHECK_OWNED(kane_contact) *rough                         = rig_create(d);
    const kane_wheel_motion m = rig_motion(rough, 0.46, KANE_LEFT, loaded(0.001, 4e-4), 25.0, 25.0 / 0.4595);
    const kane_patch p        = patch_of(rough, KANE_LEFT, &m);
    const kane_kalker C       = kane_kalker_eval(p.a, p.b, d.laws.poisson);

    // creepages from the velocity of the wheel's contact point over the rail
    const kane_vec3 v = kv3_add(m.velocity, kv3_cross(m.omega, p.point));
    const double V = sqrt(pow(25.0 - 0.5 * v.x, 2) + d.laws.slow * d.laws.slow), k = (25.0 - 0.5 * v.x) / V;
    const double ab = p.a * p.b, G = d.laws.shear_modulus;
    check_relative(p.T_x, -G * ab * C.C11 * p.xi_x, 1e-6);
    check_relative(p.T_y, -G * (ab * C.C22 * p.xi_y + k * pow(ab, 1.5) * C.C23 * p.phi), 1e-6);
    check_relative(p.M_z, G * (k * pow(ab, 1.5) * C.C23 * p.xi_y - ab * ab * C.C33 * p.phi), 1e-6);
    check_near(p.xi_x, v.x / V, 1e-15);
    check_near(p.xi_y, (v.y * p.normal.z - v.z * p.normal.y) / V, 1e-15);
    check_near(p.phi, kv3_dot(m.omega, p.normal) / V, 1e-15);

    // all of it is what the wrench is made of
    const kane_contact_result r = rig_eval(rough, KANE_LEFT, &m);
    const kane_vec3 y           = kv3(0.0, p.normal.z, -p.normal.y);
    const kane_vec3 F           = kv3_add(kv3_scale(p.N, p.normal), kv3_add(kv3(p.T_x, 0.0, 0.0), kv3_scale(p.T_y, y)));
    check_vec3(r.on_wheel.force, F, 1e-6);
    check_vec3(r.on_wheel.torque, kv3_add(kv3_cross(p.point, F), kv3_scale(p.M_z, p.normal)), 1e-6);
}

CHECK_TEST(friction_limits_the_force)
{
    for (double slip = 0.001; slip < 2.0; slip *= 1.7) {
        const kane_wheel_motion m = rig_motion(cone, 0.46, KANE_LEFT, loaded(0.0, 0.01), 20.0, 43.6 * (1.0 + slip));
        const kane_patch p        = patch_of(cone, KANE_LEFT, &m);
        const double T            = hypot(p.T_x, p.T_y);
        assert_true(T <= 0.3 * p.N * (1.0 + 1e-12));
        if (slip > 0.05)
            check_relative(T, 0.3 * p.N, 1e-12);
    }
}

// Sliding takes energy: the power of tangential force and spin moment is never positive.
CHECK_TEST(creep_dissipates)
{
    CHECK_OWNED(kane_contact) *metal = rig_create(kane_contact_definition_default());
    unsigned long long seed          = 5;
    int touching                     = 0;
    for (int i = 0; i < 20000; i++) {
        const rig_pose p     = {rig_random(&seed, -0.008, 0.008), rig_random(&seed, -5e-4, 2e-4),
                                rig_random(&seed, -1e-3, 1e-3), rig_random(&seed, -0.03, 0.03)};
        const kane_side side = i % 2 ? KANE_RIGHT : KANE_LEFT;
        const double speed   = rig_random(&seed, -30.0, 30.0);
        kane_wheel_motion m  = rig_motion(metal, 0.46, side, p, speed, speed / 0.46 * rig_random(&seed, 0.99, 1.01));
        m.velocity.y         = rig_random(&seed, -0.1, 0.1);
        m.omega.z += rig_random(&seed, -0.1, 0.1);
        const kane_contact_result r = rig_eval(metal, side, &m);
        for (int k = 0; k < r.patch_count; k++, touching++) {
            const kane_patch *q = &r.patch[k];
            assert_true(q->T_x * q->xi_x + q->T_y * q->xi_y + q->M_z * q->phi <= 1e-9 * q->N);
        }
    }
    assert_true(touching > 5000);
}

// Rolling back is the mirror image (in a plane across the track) of rolling on.
CHECK_TEST(rolling_back_is_the_mirror_image_of_rolling_on)
{
    const rig_pose p = loaded(0.003, 0.006), q = loaded(0.003, -0.006);
    kane_wheel_motion on = rig_motion(cone, 0.46, KANE_LEFT, p, 12.0, 26.2), back;
    on.omega.z += 0.02;
    back                        = rig_motion(cone, 0.46, KANE_LEFT, q, -12.0, -26.2);
    back.omega                  = kv3(on.omega.x, -on.omega.y, -on.omega.z);
    const kane_contact_result a = rig_eval(cone, KANE_LEFT, &on), b = rig_eval(cone, KANE_LEFT, &back);
    check_near(b.on_wheel.force.x, -a.on_wheel.force.x, 1e-7);
    check_near(b.on_wheel.force.y, a.on_wheel.force.y, 1e-7);
    check_near(b.on_wheel.force.z, a.on_wheel.force.z, 1e-7);
    check_near(b.on_wheel.torque.x, a.on_wheel.torque.x, 1e-7);
    check_near(b.on_wheel.torque.y, -a.on_wheel.torque.y, 1e-7);
    check_near(b.on_wheel.torque.z, -a.on_wheel.torque.z, 1e-7);
}

// Through standstill: finite, continuous, and without any motion without tangential force.
CHECK_TEST(standstill_is_nothing_special)
{
    const rig_pose p            = loaded(0.002, 0.002);
    const kane_wheel_motion m   = rig_motion(cone, 0.46, KANE_LEFT, p, 0.0, 0.0);
    const kane_contact_result r = rig_eval(cone, KANE_LEFT, &m);
    check_near(r.patch[0].T_x, 0.0, 0.0);
    check_near(r.patch[0].T_y, 0.0, 0.0);
    check_near(r.patch[0].M_z, 0.0, 0.0);

    double before = 0.0;
    for (double v = -0.2; v < 0.2; v += 1e-4) {
        const kane_wheel_motion n = rig_motion(cone, 0.46, KANE_LEFT, p, v, v / 0.4598);
        const kane_patch q        = patch_of(cone, KANE_LEFT, &n);
        assert_true(isfinite(q.T_x + q.T_y + q.M_z));
        if (v > -0.2 + 5e-5)
            check_near(q.T_y, before, 100.0); // the steepest: T_y changes its sign within about +-slow
        before = q.T_y;
    }
}

// What presses the wheel into the rail is resisted more, what lifts it less, and never held back.
CHECK_TEST(dissipation_never_pulls)
{
    const rig_pose p = loaded(0.0, 0.0);
    double N0        = 0.0;
    for (double down = 0.0; down < 3.01; down += 0.25)
        for (int sign = 1; sign >= -1; sign -= 2) {
            kane_wheel_motion m    = rig_motion(cone, 0.46, KANE_LEFT, p, 20.0, 43.5);
            m.velocity.z           = -sign * down;
            const kane_patch patch = patch_of(cone, KANE_LEFT, &m);
            const kane_vec3 v      = kv3_add(m.velocity, kv3_cross(m.omega, patch.point));
            const double rate      = -kv3_dot(v, patch.normal);
            if (down == 0.0)
                N0 = patch.N / (1.0 + rate);
            assert_true(patch.N >= 0.0);
            if (rate > -0.5)
                check_relative(patch.N, N0 * (1.0 + rate), 1e-9);
            if (rate < -1.5)
                check_near(patch.N, 0.0, 0.0);
            assert_true(hypot(patch.T_x, patch.T_y) <= 0.3 * patch.N * (1.0 + 1e-12));
        }
}

CHECK_TEST(the_clipping_is_smooth)
{
    const rig_pose p = loaded(0.0, 0.0);
    double N[3]      = {0.0};
    for (int i = 0; i < 4000; i++) {
        kane_wheel_motion m = rig_motion(cone, 0.46, KANE_LEFT, p, 20.0, 43.5);
        m.velocity.z        = 1e-3 * i * 0.5;
        N[0]                = N[1];
        N[1]                = N[2];
        N[2]                = patch_of(cone, KANE_LEFT, &m).N;
        if (i > 1) // curvature of the parabola between: N0 d^2/(2 w)
            check_near(N[2] - 2.0 * N[1] + N[0], 0.0, 1.01 * 6.1e4 * 0.25e-6);
    }
}

// A wheel that is lifted off its rail loses its creep forces with its load, without 0/0.
CHECK_TEST(creep_forces_fade_with_the_load)
{
    CHECK_OWNED(kane_contact) *metal = rig_create(kane_contact_definition_default());
    rig_pose p                       = {0.003, 0.0, 0.0, 0.004};
    const double height              = rig_height(metal, 0.46, KANE_LEFT, p, 1e-9);
    for (double depth = 1e-4; depth > 1e-13; depth *= 0.3) {
        p.z                         = height - depth;
        const kane_wheel_motion m   = rig_motion(metal, 0.46, KANE_LEFT, p, 20.0, 43.4);
        const kane_contact_result r = rig_eval(metal, KANE_LEFT, &m);
        for (int i = 0; i < r.patch_count; i++) {
            const kane_patch *q = &r.patch[i];
            assert_true(isfinite(q->T_x + q->T_y + q->M_z + q->pressure + q->angle));
            assert_true(hypot(q->T_x, q->T_y) <= 0.3 * q->N * (1.0 + 1e-12));
            assert_true(fabs(q->M_z) <= q->N * 1e-2);
        }
    }
    p.z                       = height + 1e-9;
    const kane_wheel_motion m = rig_motion(metal, 0.46, KANE_LEFT, p, 20.0, 43.4);
    assert_int_equal(rig_eval(metal, KANE_LEFT, &m).patch_count, 0);
}

// A frictionless contact only presses.
CHECK_TEST(without_friction_nothing_is_tangential)
{
    kane_contact_definition d  = rig_cone_on_round();
    d.laws.friction[KANE_LEFT] = d.laws.friction[KANE_RIGHT] = 0.0;
    CHECK_OWNED(kane_contact) *ice                           = rig_create(d);
    const kane_wheel_motion m = rig_motion(ice, 0.46, KANE_LEFT, loaded(0.003, 0.01), 20.0, 44.0);
    const kane_patch p        = patch_of(ice, KANE_LEFT, &m);
    assert_true(p.T_x == 0.0 && p.T_y == 0.0 && p.M_z == 0.0 && p.N > 1e4);
}

CHECK_MAIN(make_cone, free_cone)
