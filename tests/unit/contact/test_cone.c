// SPDX-License-Identifier: MIT
// A cone on a round rail in closed form, against brute force and against the conservation of energy.

#include "unit/contact/rig.h"
#include "contact/contact.h"

static kane_contact *pair;

static int make_pair(void **state)
{
    (void)state;
    kane_contact_definition d  = rig_cone_on_round();
    d.laws.dissipation         = 0.0;
    d.laws.friction[KANE_LEFT] = d.laws.friction[KANE_RIGHT] = 0.0;
    pair                                                     = rig_create(d);
    return 0;
}

static int free_pair(void **state)
{
    (void)state;
    kane_contact_free(pair);
    return 0;
}

static wheel_pose pose_of(rig_pose p)
{
    const kane_wheel_motion m = rig_motion(pair, 0.46, KANE_LEFT, p, 0.0, 0.0);
    return (wheel_pose){m.centre.y, m.centre.z, m.axle};
}

// The point of the cone at s along the axle, at an angle from downward, and its distance from the rail's axis.
static double distance(const wheel_pose *p, double s, double angle, kane_vec3 *point)
{
    const kane_vec3 e = p->axle, across = kv3(0.0, e.z, -e.y);
    const kane_vec3 v = kv3_scale(1.0 / kv3_norm(across), across), w = kv3_cross(v, e);
    const kane_vec3 d = kv3_add(kv3_scale(cos(angle), v), kv3_scale(sin(angle), w));
    *point            = kv3_add_scaled(kv3_scale(s, e), 0.46 - 0.05 * s, d);
    return hypot(p->y + point->y, p->z + point->z + 0.3);
}

// The deepest point of a cone in the rail is where its distance from the rail's axis is smallest.
CHECK_TEST(the_contact_is_the_deepest_point)
{
    for (double yaw = -0.06; yaw <= 0.061; yaw += 0.03)
        for (double roll = -0.02; roll <= 0.021; roll += 0.02)
            for (double y = -0.012; y < 0.013; y += 0.006) {
                rig_pose where     = {y, 0.0, roll, yaw};
                where.z            = rig_height(pair, 0.46, KANE_LEFT, where, 6e4);
                const wheel_pose p = pose_of(where);
                contact_patch spot;
                assert_int_equal(kane_cone_patch(&pair->pair[0]->cone, &p, pair->hertz, pair->E_star, &spot), 1);

                // cyclic search, ever finer
                double s = 0.0, angle = 0.0, best = 1.0, reach = 0.05;
                kane_vec3 point, nearest = kv3_zero();
                for (int round = 0; round < 60; round++, reach *= 0.7)
                    for (int i = -3; i <= 3; i++)
                        for (int k = -3; k <= 3; k++) {
                            const double t = s + i * reach / 3.0, a = angle + k * reach / 3.0;
                            const double d = distance(&p, t, a, &point);
                            if (d < best) {
                                best    = d;
                                nearest = point;
                                s       = t;
                                angle   = a;
                            }
                        }
                check_near(spot.approach, 0.3 - best, 1e-12);
                check_near(spot.wheel_y, s, 1e-6);
                check_vec3(spot.point, nearest, 1e-6);
                // straight over it, along the normal, the place on the rail
                const kane_vec3 on_rail = kv3_add_scaled(spot.point, spot.approach, spot.normal);
                check_near(hypot(p.y + on_rail.y, p.z + on_rail.z + 0.3), 0.3, 1e-14);
                check_near(spot.rail_y, p.y + on_rail.y, 1e-14);
                check_near(spot.normal.x, 0.0, 0.0);
                check_near(kv3_norm(spot.normal), 1.0, 1e-14);
                check_near(spot.normal.y, spot.rail_y / 0.3, 1e-12);
                const kane_vec3 out = kv3_add_scaled(spot.point, -kv3_dot(spot.point, p.axle), p.axle);
                check_near(spot.radius, kv3_norm(out), 1e-9);
            }
}

CHECK_TEST(its_force_is_hertz)
{
    rig_pose where     = {0.0, 0.0, 0.0, 0.0};
    where.z            = rig_height(pair, 0.46, KANE_LEFT, where, 8.95e4);
    const wheel_pose p = pose_of(where);
    contact_patch spot;
    assert_int_equal(kane_cone_patch(&pair->pair[0]->cone, &p, pair->hertz, pair->E_star, &spot), 1);
    const double cosine = 1.0 / sqrt(1.0 + 0.05 * 0.05), R = 0.46 - 0.05 * spot.wheel_y;
    const kane_hertz h = kane_hertz_eval(0.5 * cosine / R, 0.5 / 0.3, pair->E_star, 8.95e4);
    check_relative(spot.approach, h.approach, 1e-7);
    check_relative(spot.a, h.a, 1e-7);
    check_relative(spot.b, h.b, 1e-7);
    // known: about a tenth of a millimetre, contact 15 mm off the middle of the head, to the inside
    check_near(spot.approach, 9.75e-5, 0.1e-5);
    check_near(spot.rail_y, -0.015, 2e-4);
}

// A wheel turned about its axle, or a rail moved along itself, is the same; a yawed wheel touches ahead or behind.
CHECK_TEST(yaw_moves_the_contact_along_the_rail)
{
    for (double yaw = -0.02; yaw <= 0.021; yaw += 0.01) {
        rig_pose where     = {0.0, 0.0, 0.0, yaw};
        where.z            = rig_height(pair, 0.46, KANE_LEFT, where, 6e4);
        const wheel_pose p = pose_of(where);
        contact_patch spot;
        assert_int_equal(kane_cone_patch(&pair->pair[0]->cone, &p, pair->hertz, pair->E_star, &spot), 1);
        // x = ex (s + R R'), R' = -conicity
        const double R = 0.46 - 0.05 * spot.wheel_y;
        check_near(spot.point.x, p.axle.x * (spot.wheel_y - 0.05 * R), 1e-12);
    }
}

// Without friction and dissipation the force has a potential: carried once around a closed path the wheel gains
// nothing. The path runs through height, side, roll and yaw. `energy` is that potential.
CHECK_TEST(no_energy_is_gained_on_a_closed_path)
{
    const int n         = 4000;
    const double height = rig_height(pair, 0.46, KANE_LEFT, (rig_pose){0}, 6e4);
    double work = 0.0, turned = 0.0, largest = 0.0, least = 1.0, worst = 0.0, first = 0.0, sum = 0.0;
    kane_contact_result before = {0};
    kane_wheel_motion m_before = {0};
    for (int i = 0; i <= n; i++) {
        const double t            = 2.0 * 3.14159265358979323846 * i / n;
        const rig_pose p          = {5e-4 * sin(t), height + 4e-5 * cos(t), 2e-5 * cos(2.0 * t), 0.015 * sin(t + 1.0)};
        const kane_wheel_motion m = rig_motion(pair, 0.46, KANE_LEFT, p, 0.0, 0.0);
        const kane_contact_result r = rig_eval(pair, KANE_LEFT, &m);
        assert_int_equal(r.patch_count, 1);
        if (i > 0) {
            const kane_vec3 step = kv3_sub(m.centre, m_before.centre);
            const kane_vec3 turn = kv3_cross(m_before.axle, m.axle); // of the axle; about itself no torque acts
            const kane_vec3 F    = kv3_add(r.on_wheel.force, before.on_wheel.force);
            const kane_vec3 M    = kv3_add(r.on_wheel.torque, before.on_wheel.torque);
            const double dW      = 0.5 * kv3_dot(F, step) + 0.5 * kv3_dot(M, turn);
            work += dW;
            turned += fabs(dW);
            sum += dW;
            worst = fmax(worst, fabs(sum + r.patch[0].energy - first));
        } else {
            first = r.patch[0].energy;
        }
        largest  = fmax(largest, r.patch[0].energy);
        least    = fmin(least, r.patch[0].energy);
        before   = r;
        m_before = m;
    }
    assert_true(largest > 2.0 * least);
    check_near(work, 0.0, 3e-5 * turned); // the stiffness changes a little along the cone
    check_near(worst, 0.0, 5e-3 * largest);
}

CHECK_TEST(apart_there_is_nothing)
{
    const rig_pose up = {0.0, 0.001, 0.0, 0.0}, beside = {0.5, -0.05, 0.0, 0.0};
    wheel_pose p = pose_of(up);
    contact_patch spot;
    assert_int_equal(kane_cone_patch(&pair->pair[0]->cone, &p, pair->hertz, pair->E_star, &spot), 0);
    p = pose_of(beside); // the cone is 100 mm wide to each side
    assert_int_equal(kane_cone_patch(&pair->pair[0]->cone, &p, pair->hertz, pair->E_star, &spot), 0);
}

CHECK_MAIN(make_pair, free_pair)
