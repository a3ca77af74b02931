// SPDX-License-Identifier: MIT
// A rigid wheelset on rigid rails: it touches, it overlaps nowhere, it moves along its contacts, and left is right in
// the mirror.

#include "unit/contact/rig.h"

static kane_wheelset_position stand_at(const kane_contact *c, double y, double yaw)
{
    kane_wheelset_position s;
    if (kane_wheelset_position_rigid(c, y, yaw, &s) != KANE_OK)
        fail_msg("does not stand at y = %g, yaw = %g", y, yaw);
    return s;
}

// The wheels are two straight lines that make a V, the rails two circles: each line has the radius as its distance from
// its circle's centre.
static void check_lines_on_circles(const kane_contact *c, double y, const double radius[2])
{
    const double head = 0.3, g = atan(0.05), middle = 0.5 * (radius[0] + radius[1]);
    const kane_wheelset_position s = stand_at(c, y, 0.0);
    for (int side = 0; side < 2; side++) {
        const kane_contact_point *t = &s.contact_point[side][0];
        const double out = rig_outside(side), a = kane_contact_rail_distance(c, side);
        // circle's centre from the wheelset's middle, in its axes (y to the left, z up)
        const double dy = out * a - s.y, dz = -head - (middle + s.z);
        const double cy = dy * cos(s.roll) + dz * sin(s.roll), cz = dz * cos(s.roll) - dy * sin(s.roll);
        // from the line's point at the running circle, along the line to the outside and normal to it
        const double py = out * cy - kane_contact_wheel_distance(c, side), pz = cz + radius[side];
        const double along = py * cos(g) + pz * sin(g), off = pz * cos(g) - py * sin(g);
        check_near(off, -head, 1e-9);
        check_near(t->wheel_y, along * cos(g), 1e-8);
        check_near(t->radius, radius[side] - along * sin(g), 1e-9);
        check_near(t->angle, -(g + out * s.roll), 1e-8);
        check_near(t->rail_y, -head * sin(g + out * s.roll), 1e-8);
        check_near(t->gap, 0.0, 1e-12);
        check_relative(t->A, cos(g) / (2.0 * t->radius), 1e-6);
        check_relative(t->B, 0.5 / head, 1e-3); // of the rail's spline
        check_near(t->lead, 0.0, 1e-15);
    }
    check_near(s.radius_difference, s.contact_point[KANE_LEFT][0].radius - s.contact_point[KANE_RIGHT][0].radius, 0.0);
}

CHECK_TEST(cones_on_round_rails_are_lines_on_circles)
{
    static const double radii[][2] = {{0.46, 0.46}, {0.46, 0.458}, {0.455, 0.457}};
    for (int k = 0; k < 3; k++) {
        kane_contact_definition d    = rig_cone_on_round();
        d.radius[0]                  = radii[k][0];
        d.radius[1]                  = radii[k][1];
        CHECK_OWNED(kane_contact) *c = rig_create(d);
        for (int i = -8; i <= 8; i++)
            check_lines_on_circles(c, 1e-3 * i, radii[k]);
    }
}

// With a level axle each wheel is a line on a circle by itself.
CHECK_TEST(a_level_axle_does_not_roll)
{
    const double head = 0.3, g = atan(0.05);
    CHECK_OWNED(kane_contact) *c = rig_create(rig_cone_on_round());
    kane_wheelset_position s;
    assert_int_equal(kane_wheelset_position_level(c, 5e-3, 0.0, &s), KANE_OK);
    check_near(s.roll, 0.0, 0.0);
    for (int side = 0; side < 2; side++) {
        const double offset = kane_contact_rail_distance(c, side) - kane_contact_wheel_distance(c, side);
        check_near(s.contact_point[side][0].angle, -g, 1e-8);
        check_near(s.contact_point[side][0].wheel_y, offset - rig_outside(side) * 5e-3 - head * sin(g), 1e-8);
        check_near(s.contact_point[side][0].gap, 0.0, 1e-12);
    }
    check_near(s.radius_difference, 2.0 * 5e-3 * 0.05, 1e-9);
    assert_int_equal(kane_wheelset_position_level(c, 0.2, 0.0, &s), KANE_BAD_ARGUMENT);
}

// To the left the left wheel comes to its flange: its rolling radius grows and so does its height.
CHECK_TEST(a_shift_to_the_left_brings_the_left_flange_to_its_rail)
{
    CHECK_OWNED(kane_contact) *c        = rig_create(kane_contact_definition_default());
    const kane_wheelset_position middle = stand_at(c, 0.0, 0.0), left = stand_at(c, 6e-3, 0.0);
    check_near(middle.roll, 0.0, 1e-12);
    check_near(middle.radius_difference, 0.0, 1e-12);
    assert_true(left.radius_difference > 4e-3);
    assert_true(left.roll > 5e-4);
    assert_true(left.z > middle.z + 2e-4);
    assert_true(left.contact_point[KANE_LEFT][0].angle < -0.4);
    assert_true(left.contact_point[KANE_LEFT][0].wheel_y < -0.03);
    assert_true(left.contact_point[KANE_RIGHT][0].wheel_y > 0.0);
}

CHECK_TEST(the_mirror_image_is_the_other_side)
{
    CHECK_OWNED(kane_contact) *c = rig_create(kane_contact_definition_default());
    for (int i = -7; i <= 7; i++) {
        const double y = 1e-3 * i + 1e-4, yaw = 3e-3 * i + 1e-3;
        const kane_wheelset_position s = stand_at(c, y, yaw), m = stand_at(c, -y, -yaw);
        check_near(m.z, s.z, 1e-13);
        check_near(m.roll, -s.roll, 1e-13);
        check_near(m.radius_difference, -s.radius_difference, 1e-9);
        for (int side = 0; side < 2; side++) {
            const kane_contact_point *a = &s.contact_point[side][0], *b = &m.contact_point[1 - side][0];
            check_near(a->rail_y, b->rail_y, 1e-9);
            check_near(a->wheel_y, b->wheel_y, 1e-9);
            check_near(a->angle, b->angle, 1e-7);
            check_near(a->lead, b->lead, 1e-9);
        }
    }
}

// Least gap over the wheel's surface, point by point, and where along the rail it is.
static double least_gap(const kane_contact *c, const kane_wheelset_position *s, kane_side side, double *x)
{
    const double radius = kane_contact_definition_default().radius[0], out = rig_outside(side);
    const rig_pose p          = {s->y, s->z, s->roll, s->yaw};
    const kane_wheel_motion m = rig_motion(c, radius, side, p, 0.0, 0.0);
    const kane_vec3 e = m.axle, forward = kv3_scale(1.0 / hypot(e.x, e.y), kv3(e.y, -e.x, 0.0)),
                    down = kv3_cross(e, forward);
    double least         = 1.0;
    assert_true(down.z < 0.0);
    for (int i = -45000; i <= 30000; i += 20) {
        double f[3], h[3];
        const double w = 1e-6 * i;
        kane_contact_wheel_profile(c, side, w, f);
        for (int k = -60; k <= 60; k++) {
            const double turn = 1e-3 * k, R = radius - f[0];
            kane_vec3 q = kv3_add(m.centre, kv3_scale(out * w, e));
            q           = kv3_add(q, kv3_scale(R * sin(turn), forward));
            q           = kv3_add(q, kv3_scale(R * cos(turn), down));
            kane_contact_rail_profile(c, side, out * q.y, h);
            const double gap = (q.z - h[0]) / sqrt(1.0 + h[1] * h[1]);
            if (gap < least) {
                least = gap;
                *x    = q.x - m.centre.x;
            }
        }
    }
    return least;
}

CHECK_TEST(a_yawed_wheel_touches_with_its_surface_and_nowhere_deeper)
{
    static const double poses[][2] = {{0.0, 0.0}, {3e-3, 0.01}, {6e-3, 0.02}, {6e-3, -0.02}, {-5.5e-3, 0.015}};
    CHECK_OWNED(kane_contact) *c   = rig_create(kane_contact_definition_default());
    for (size_t i = 0; i < sizeof poses / sizeof *poses; i++) {
        const kane_wheelset_position s = stand_at(c, poses[i][0], poses[i][1]);
        for (int side = 0; side < 2; side++) {
            double x = 0.0;
            check_near(least_gap(c, &s, side, &x), 0.0, 5e-7); // half a step of the grid off: 1e-7 m of the circle
            check_near(x, s.contact_point[side][0].lead, 0.46 * 1e-3 + 1e-4); // a step of the grid
        }
    }
}

// Height and roll change with the shift such that the material points in contact move in their contact planes.
CHECK_TEST(the_wheelset_slides_along_its_contacts)
{
    CHECK_OWNED(kane_contact) *c = rig_create(kane_contact_definition_default());
    const double h               = 1e-7;
    const double b               = kane_contact_wheel_distance(c, KANE_LEFT);
    const double at[] = {-5.6e-3, -3.3e-3, -1e-3, 0.0, 0.1e-3, 1.1e-3, 2.7e-3, 4e-3, 5.2e-3, 5.9e-3, 6.6e-3, 7.4e-3};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        const kane_wheelset_position s = stand_at(c, at[i], 0.0), low = stand_at(c, at[i] - h, 0.0),
                                     high = stand_at(c, at[i] + h, 0.0);
        const double dz = (high.z - low.z) / (2.0 * h), roll = (high.roll - low.roll) / (2.0 * h);
        for (int side = 0; side < 2; side++) {
            const kane_contact_point *t = &s.contact_point[side][0];
            const double out            = rig_outside(side);
            const double wy = out * (b + t->wheel_y), wz = -t->radius; // from the middle, wheelset's axes
            const double y = wy * cos(s.roll) - wz * sin(s.roll), z = wz * cos(s.roll) + wy * sin(s.roll);
            // the contact's tangent falls to the outside by the angle: its normal leans to the outside
            const double ny = out * sin(t->angle), nz = cos(t->angle);
            check_near(ny * (1.0 - z * roll) + nz * (dz + y * roll), 0.0, 2e-6);
        }
    }
}

CHECK_TEST(at_a_jump_two_places_touch_at_once)
{
    enum { MOST = 8 };
    CHECK_OWNED(kane_contact) *c = rig_create(kane_contact_definition_default());
    kane_jump jumps[MOST];
    int count;
    assert_int_equal(kane_wheelset_position_jumps(c, 0.0, -6e-3, 6e-3, 1e-3, MOST, jumps, &count), KANE_OK);
    assert_int_equal(count, 4);
    for (int i = 0; i < count; i++) {
        const kane_jump *j = &jumps[i], *m = &jumps[count - 1 - i];
        const kane_wheelset_position s = stand_at(c, j->y, 0.0);
        assert_int_equal(s.count[j->side], 2);
        check_near(s.contact_point[j->side][1].gap, 0.0, 1e-9);
        assert_int_equal(m->side, 1 - j->side);
        check_near(m->y, -j->y, 2e-9);
        check_near(m->before.wheel_y, j->after.wheel_y, 1e-6);
        assert_true(fabs(j->after.radius - j->before.radius) > 4e-4);
    }
    check_near(jumps[3].y, 4.848e-3, 1e-6);

    // fewer kept than there are, and none where there is none
    assert_int_equal(kane_wheelset_position_jumps(c, 0.0, -6e-3, 6e-3, 1e-3, 1, jumps, &count), KANE_OK);
    assert_int_equal(count, 4);
    assert_int_equal(kane_wheelset_position_jumps(c, 0.0, 1e-3, 4.5e-3, 1e-3, MOST, jumps, &count), KANE_OK);
    assert_int_equal(count, 0);
}

CHECK_TEST(what_cannot_stand_is_refused)
{
    CHECK_OWNED(kane_contact) *c = rig_create(kane_contact_definition_default());
    kane_wheelset_position s;
    kane_jump jump;
    int count;
    const double load[2] = {1e4, 0.0};
    assert_int_equal(kane_wheelset_position_rigid(c, (double)NAN, 0.0, &s), KANE_BAD_ARGUMENT);
    assert_int_equal(kane_wheelset_position_rigid(c, 0.0, 0.11, &s), KANE_BAD_ARGUMENT);
    assert_int_equal(kane_wheelset_position_rigid(c, 0.11, 0.0, &s), KANE_BAD_ARGUMENT);
    assert_int_equal(kane_wheelset_position_rigid(c, 0.08, 0.0, &s), KANE_NOT_SOLVED); // beside its rails
    assert_int_equal(kane_wheelset_position_elastic(c, 0.0, 0.0, load, &s), KANE_BAD_ARGUMENT);
    assert_int_equal(kane_wheelset_position_jumps(c, 0.0, 1e-3, 1e-3, 1e-3, 1, &jump, &count), KANE_BAD_ARGUMENT);
    assert_int_equal(kane_wheelset_position_jumps(c, 0.0, 0.0, 1e-3, 0.0, 1, &jump, &count), KANE_BAD_ARGUMENT);
}

// A round head is the same however it leans, also where the wheel reaches farther out than rails are tabulated.
CHECK_TEST(a_round_rail_does_not_feel_its_inclination)
{
    const kane_profile round  = kane_profile_round(0.06);
    kane_contact_definition d = rig_cone_on_round();
    d.rail[KANE_LEFT]         = &round;
    double z                  = 0.0;
    for (int i = 0; i <= 80; i++) {
        d.inclination                = 1e-3 * i;
        CHECK_OWNED(kane_contact) *c = rig_create(d);
        kane_wheelset_position s;
        if (kane_wheelset_position_rigid(c, 1e-3, 0.0, &s) != KANE_OK)
            fail_msg("inclination %g: it does not stand", d.inclination);
        z = i == 0 ? s.z : z;
        check_near(s.z, z, 1e-12);
    }
}

CHECK_MAIN(NULL, NULL)
