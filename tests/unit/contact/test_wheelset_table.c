// SPDX-License-Identifier: MIT
// Rigid contact functions: cones in closed form, and the table against what it was made from.

#include "unit/contact/rig.h"

#include "contact/contact.h"

static const double radius = 0.46;

// A wheelset of cones on round rails, small angles: roll = -(conicity/(half gauge - conicity r)) y, and r_left -
// r_right = 2 conicity y r_s'... exactly: both gaps are closed.
static void the_table_closes_both_gaps(const kane_contact *c, double tolerance, double flange)
{
    CHECK_OWNED(kane_wheelset_table) *guide = kane_wheelset_table_create(c, NULL);
    unsigned long long seed                 = 7;
    assert_non_null(guide);
    for (int i = 0; i < 400; i++) {
        const double y = rig_random(&seed, -0.0095, 0.0095), yaw = rig_random(&seed, -0.028, 0.028);
        kane_wheelset_values s;
        assert_int_equal(kane_wheelset_table_eval(guide, y, yaw, &s), KANE_OK);
        const rig_pose p = {y, s.height.value - radius, s.roll.value, yaw};
        for (int side = 0; side < 2; side++) {
            const kane_wheel_motion m  = rig_motion(c, radius, side, p, 0.0, 0.0);
            const kane_wheel_path path = {.centre = m.centre, .axle = m.axle};
            kane_gap t;
            assert_int_equal(kane_contact_gap(c, side, &path, &t), KANE_OK);
            check_near(t.size, 0.0, fabs(y) < 5.5e-3 ? tolerance : flange);
            if (fabs(y) > 5.5e-3) // near the corner where the flange takes over places move by millimetres in a cell
                continue;
            check_near(t.wheel_y, s.contact_point[side].wheel_y, 1e4 * tolerance);
            check_near(t.radius, s.contact_point[side].radius, 1e3 * tolerance);
            check_near(t.point.x, s.contact_point[side].point.x, 1e3 * tolerance);
            check_near(t.B / s.contact_point[side].B, 1.0, 1e6 * tolerance);
        }
    }
}

CHECK_TEST(a_cone_stands_on_its_rails)
{
    CHECK_OWNED(kane_contact) *c = rig_create(rig_cone_on_round());
    the_table_closes_both_gaps(c, 1e-10, 1e-10);
}

CHECK_TEST(s1002_stands_on_its_rails)
{
    CHECK_OWNED(kane_contact) *c = rig_create(kane_contact_definition_default());
    the_table_closes_both_gaps(c, 2e-8, 2.5e-7);
}

// The classic figures of a coned wheelset on round rails: with roll = conicity y/(a - conicity (r0 + r_head)), a half
// the distance of the rails' axes, the contact moves on the cone by more than y:
//   (r_left - r_right)/2 = conicity y/(1 - conicity (r0 + r_head)/a)
CHECK_TEST(a_cone_has_its_conicity)
{
    CHECK_OWNED(kane_contact) *c            = rig_create(rig_cone_on_round());
    CHECK_OWNED(kane_wheelset_table) *guide = kane_wheelset_table_create(c, NULL);
    const double h                          = 1e-4;
    kane_wheelset_values s;
    assert_int_equal(kane_wheelset_table_eval(guide, h, 0.0, &s), KANE_OK);
    const double a = kane_contact_rail_distance(c, KANE_LEFT), gain = 1.0 / (1.0 - 0.05 * (radius + 0.3) / a);
    check_near((s.contact_point[0].radius - s.contact_point[1].radius) / (2.0 * h), 0.05 * gain, 1e-3 * 0.05);
    check_near(s.roll.by_y, 0.05 / a * gain, 5e-3 * 0.05 / a);
}

// Yawed in the middle of the track, each wheel meets a rail that has gone down by the twist times how far ahead it
// touches times how far from the middle; shifted and not yawed, none touches ahead.
CHECK_TEST(a_wheelset_on_a_twist_stands_lower)
{
    CHECK_OWNED(kane_contact) *c            = rig_create(rig_cone_on_round());
    CHECK_OWNED(kane_wheelset_table) *guide = kane_wheelset_table_create(c, NULL);
    for (double yaw = -0.02; yaw < 0.025; yaw += 0.01) {
        kane_wheelset_values s;
        assert_int_equal(kane_wheelset_table_eval(guide, 0.0, yaw, &s), KANE_OK);
        const double ahead = s.contact_point[0].point.x - kane_contact_wheel_distance(c, KANE_LEFT) * sin(yaw);
        const double left  = kane_contact_rail_distance(c, KANE_LEFT) + s.contact_point[0].rail_y;
        check_near(s.twist_height.value, ahead * left, 1e-4 * fabs(ahead) + 1e-9);
        check_near(s.twist_roll.value, 0.0, 1e-9);
        assert_int_equal(kane_wheelset_table_eval(guide, 0.25 * yaw, 0.0, &s), KANE_OK);
        check_near(s.twist_height.value, 0.0, 1e-9);
        check_near(s.twist_roll.value, 0.0, 1e-9);
    }
}

CHECK_TEST(derivatives_are_those_of_the_table)
{
    CHECK_OWNED(kane_contact) *c            = rig_create(kane_contact_definition_default());
    CHECK_OWNED(kane_wheelset_table) *guide = kane_wheelset_table_create(c, NULL);
    unsigned long long seed                 = 3;
    const double h = 1e-8, k = 1e-6;
    for (int i = 0; i < 100; i++) {
        const double y = rig_random(&seed, -0.0095, 0.0095), w = rig_random(&seed, -0.028, 0.028);
        kane_wheelset_values at, y0, y1, w0, w1;
        double height, roll;
        assert_int_equal(kane_wheelset_table_eval(guide, y, w, &at), KANE_OK);
        assert_int_equal(kane_wheelset_table_pose(guide, y, w, 0.0, &height, &roll), KANE_OK);
        check_near(height, at.height.value, 1e-16);
        check_near(roll, at.roll.value, 1e-17);
        assert_int_equal(kane_wheelset_table_pose(guide, y, w, 0.003, &height, &roll), KANE_OK);
        check_near(height, at.height.value + 0.003 * at.twist_height.value, 1e-16);
        check_near(roll, at.roll.value + 0.003 * at.twist_roll.value, 1e-17);
        assert_int_equal(kane_wheelset_table_eval(guide, y - h, w, &y0), KANE_OK);
        assert_int_equal(kane_wheelset_table_eval(guide, y + h, w, &y1), KANE_OK);
        assert_int_equal(kane_wheelset_table_eval(guide, y, w - k, &w0), KANE_OK);
        assert_int_equal(kane_wheelset_table_eval(guide, y, w + k, &w1), KANE_OK);
        check_near(at.height.by_y, (y1.height.value - y0.height.value) / (2.0 * h),
                   1e-6 * (1.0 + 1e-3 * fabs(at.height.by_y_y)));
        check_near(at.roll.by_y, (y1.roll.value - y0.roll.value) / (2.0 * h),
                   1e-6 * (1.0 + 1e-3 * fabs(at.height.by_y_y)));
        check_near(at.height.by_yaw, (w1.height.value - w0.height.value) / (2.0 * k), 1e-8);
        check_near(at.height.by_y_y, (y1.height.by_y - y0.height.by_y) / (2.0 * h),
                   1e-2 + 1e-4 * fabs(at.height.by_y_y));
        check_near(at.height.by_y_yaw, (y1.height.by_yaw - y0.height.by_yaw) / (2.0 * h),
                   1e-3 + 1e-4 * fabs(at.height.by_y_yaw));
        check_near(at.twist_height.by_y, (y1.twist_height.value - y0.twist_height.value) / (2.0 * h),
                   1e-6 * (1.0 + 1e-3 * fabs(at.twist_height.by_y_y)));
        check_near(at.twist_height.by_yaw, (w1.twist_height.value - w0.twist_height.value) / (2.0 * k), 1e-6);
        check_near(at.twist_roll.by_yaw, (w1.twist_roll.value - w0.twist_roll.value) / (2.0 * k), 1e-6);
        check_near(at.roll.by_yaw_yaw, (w1.roll.by_yaw - w0.roll.by_yaw) / (2.0 * k), 1e-5);
    }
    kane_wheelset_values s;
    double height, roll;
    assert_int_equal(kane_wheelset_table_pose(guide, 0.0101, 0.0, 0.0, &height, &roll), KANE_RETRY);
    assert_int_equal(kane_wheelset_table_eval(guide, 0.0101, 0.0, &s), KANE_RETRY);
    assert_int_equal(kane_wheelset_table_eval(guide, 0.0, -0.031, &s), KANE_RETRY);
    assert_int_equal(kane_wheelset_table_eval(guide, (double)NAN, 0.0, &s), KANE_RETRY);
}

CHECK_MAIN(NULL, NULL)
