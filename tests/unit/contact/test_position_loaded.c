// SPDX-License-Identifier: MIT
// A wheelset under load has an equilibrium at every shift, and it is the right one.

#include "unit/contact/rig.h"

static double carried(const kane_wheelset_position *s, kane_side side)
{
    double sum = 0.0;
    for (int i = 0; i < s->count[side]; i++)
        sum += s->contact_point[side][i].N * cos(s->contact_point[side][i].angle);
    return sum;
}

// 20 and 100 kN on the wheelset, from the middle to the flange.
CHECK_TEST(there_is_an_equilibrium_at_every_shift)
{
    enum { STEPS = 1600 };
    static const double axle[]   = {20e3, 100e3};
    CHECK_OWNED(kane_contact) *c = rig_create(kane_contact_definition_default());
    for (int k = 0; k < 2; k++) {
        const double load[2] = {0.5 * axle[k], 0.5 * axle[k]};
        double before        = 0.0;
        for (int i = 0; i <= STEPS; i++) {
            kane_wheelset_position s;
            const double y = 8e-3 * i / STEPS;
            if (kane_wheelset_position_elastic(c, y, 0.0, load, &s) != KANE_OK)
                fail_msg("%g kN at y = %g mm: no equilibrium", 1e-3 * axle[k], 1e3 * y);
            check_relative(carried(&s, KANE_LEFT), load[KANE_LEFT], 1e-7);
            check_relative(carried(&s, KANE_RIGHT), load[KANE_RIGHT], 1e-7);
            // no leap: on the flange's flank, 70 degrees steep (t = 2.75), the middle rises by 11 to 13 times the
            // shift, (t/2)/(1 - t r/2b), because the roll that comes with it shifts the wheel further
            assert_true(i == 0 || fabs(s.z - before) < 14.0 * 8e-3 / STEPS);
            before = s.z;
        }
    }
}

CHECK_TEST(it_is_hertz_for_cones_on_round_rails)
{
    const kane_contact_definition d = rig_cone_on_round();
    CHECK_OWNED(kane_contact) *c    = rig_create(d);
    const double load[2] = {60e3, 40e3}, E_star = d.laws.shear_modulus / (1.0 - d.laws.poisson);
    kane_wheelset_position s;
    assert_int_equal(kane_wheelset_position_elastic(c, 3e-3, 0.0, load, &s), KANE_OK);
    for (int side = 0; side < 2; side++) {
        const kane_contact_point *t = &s.contact_point[side][0];
        assert_int_equal(s.count[side], 1);
        check_relative(t->N * cos(t->angle), load[side], 1e-9);
        const kane_hertz h = kane_hertz_eval(t->A, t->B, E_star, t->N);
        check_relative(t->a, h.a, 1e-3);
        check_relative(t->b, h.b, 1e-3);
        check_relative(t->approach, h.approach, 1e-3);
        check_relative(t->pressure, h.pressure, 1e-3);
        assert_int_equal(t->conformal, 0);
    }
}

// Ever lighter, it stands as the rigid one, lower by the approaches.
CHECK_TEST(without_load_it_is_rigid)
{
    CHECK_OWNED(kane_contact) *c = rig_create(kane_contact_definition_default());
    for (int i = -3; i <= 3; i++) {
        const double y = 1.9e-3 * i + 1e-4, load[2] = {0.1, 0.1};
        kane_wheelset_position rigid, light;
        assert_int_equal(kane_wheelset_position_rigid(c, y, 2e-3, &rigid), KANE_OK);
        assert_int_equal(kane_wheelset_position_elastic(c, y, 2e-3, load, &light), KANE_OK);
        check_near(light.z, rigid.z, 3e-8);
        assert_true(light.z < rigid.z);
        check_near(light.roll, rigid.roll, 3e-8);
        for (int side = 0; side < 2; side++) {
            check_near(light.contact_point[side][0].wheel_y, rigid.contact_point[side][0].wheel_y, 2e-4);
            check_near(light.contact_point[side][0].lead, rigid.contact_point[side][0].lead, 5e-6);
        }
    }
}

// Where tread and root carry together, the one that carries more comes first; the rolling radius is the mean.
CHECK_TEST(patches_come_by_their_forces)
{
    CHECK_OWNED(kane_contact) *c = rig_create(kane_contact_definition_default());
    int places = 0, outer_first = 0;
    for (int i = 0; i < 40; i++) {
        const double y = 4.8e-3 + 1e-5 * i, load[2] = {30e3, 30e3};
        kane_wheelset_position s;
        assert_int_equal(kane_wheelset_position_elastic(c, y, 0.0, load, &s), KANE_OK);
        const kane_contact_point *t = s.contact_point[KANE_LEFT];
        if (s.count[KANE_LEFT] != 2)
            continue;
        places++;
        outer_first += t[0].rail_y > t[1].rail_y;
        assert_true(t[0].N >= t[1].N);
        check_near(s.radius_difference,
                   (t[0].N * t[0].radius + t[1].N * t[1].radius) / (t[0].N + t[1].N) -
                       s.contact_point[KANE_RIGHT][0].radius,
                   1e-12);
    }
    assert_true(places > 10 && outer_first > 0 && outer_first < places);
}

// Where not loads but normal forces are given, the patches of a wheel have them together.
CHECK_TEST(normal_forces_can_be_given)
{
    CHECK_OWNED(kane_contact) *c = rig_create(kane_contact_definition_default());
    for (int i = 0; i <= 80; i++) {
        const double normal[2] = {30e3, 12e3};
        kane_wheelset_position s;
        assert_int_equal(kane_wheelset_position_pressed(c, 1e-4 * i, 3e-3, normal, &s), KANE_OK);
        for (int side = 0; side < 2; side++) {
            double sum = 0.0;
            for (int k = 0; k < s.count[side]; k++)
                sum += s.contact_point[side][k].N;
            check_relative(sum, normal[side], 1e-8);
        }
    }
    const double none[2] = {0.0, 1.0};
    kane_wheelset_position s;
    assert_int_equal(kane_wheelset_position_pressed(c, 0.0, 0.0, none, &s), KANE_BAD_ARGUMENT);
}

// Cones on round rails: with equal forces and in the linear range the wheelset turns as the mean of its rolling radii,
// and each wheel creeps by its part of the difference.
CHECK_TEST(cones_roll_by_their_mean_radius)
{
    kane_contact_definition d    = rig_cone_on_round();
    d.laws.creep                 = KANE_CREEP_LINEAR;
    CHECK_OWNED(kane_contact) *c = rig_create(d);
    const double normal[2]       = {50e3, 50e3};
    for (int i = -3; i <= 3; i++) {
        kane_wheelset_position s;
        kane_wheelset_rolling rolling;
        assert_int_equal(kane_wheelset_position_pressed(c, 1e-3 * i, 0.0, normal, &s), KANE_OK);
        assert_int_equal(kane_wheelset_position_roll(c, &s, 20.0, &rolling), KANE_OK);
        const double left = s.contact_point[KANE_LEFT][0].radius, right = s.contact_point[KANE_RIGHT][0].radius,
                     mean = 0.5 * (left + right);
        check_relative(rolling.omega, 20.0 / mean, 2e-7);
        check_near(rolling.wheel[KANE_LEFT].patch[0].xi_x, (mean - left) / mean, 3e-7);
        check_near(rolling.wheel[KANE_RIGHT].patch[0].xi_x, (mean - right) / mean, 3e-7);
    }
}

// No torque about the axle is left, for any law and friction, on tread and flange, yawed, with wheels that differ.
CHECK_TEST(nothing_drives_a_wheelset_that_rolls_freely)
{
    const double load[2] = {40e3, 60e3};
    for (int law = KANE_CREEP_SHE; law <= KANE_CREEP_POLACH; law++)
        for (int k = 0; k < 3; k++) {
            kane_contact_definition d    = kane_contact_definition_default();
            d.radius[KANE_RIGHT]         = 0.458;
            d.laws.creep                 = (kane_creep_law)law;
            d.laws.friction[KANE_LEFT]   = 0.2 * k;
            d.laws.friction[KANE_RIGHT]  = 0.1 * k;
            CHECK_OWNED(kane_contact) *c = rig_create(d);
            for (int i = -4; i <= 4; i++) {
                kane_wheelset_position s;
                kane_wheelset_rolling r;
                assert_int_equal(kane_wheelset_position_elastic(c, 1.7e-3 * i, 2e-3 * i, load, &s), KANE_OK);
                if (kane_wheelset_position_roll(c, &s, 25.0, &r) != KANE_OK)
                    fail_msg("law %d, friction %g, y = %g mm", law, 0.2 * k, 1.7 * i);
                const kane_vec3 axle = kv3(-sin(s.yaw) * cos(s.roll), cos(s.yaw) * cos(s.roll), sin(s.roll));
                check_near(kv3_dot(kv3_add(r.wheel[0].on_wheel.torque, r.wheel[1].on_wheel.torque), axle), 0.0,
                           1e-9 * 0.46 * 3e5);
                check_relative(r.omega, 25.0 / 0.459, 0.05);
            }
        }
}

CHECK_TEST(what_cannot_roll_is_refused)
{
    CHECK_OWNED(kane_contact) *c = rig_create(kane_contact_definition_default());
    const double load[2]         = {40e3, 60e3};
    kane_wheelset_position s;
    kane_wheelset_rolling r;
    assert_int_equal(kane_wheelset_position_elastic(c, 0.0, 0.0, load, &s), KANE_OK);
    assert_int_equal(kane_wheelset_position_roll(c, &s, 0.0, &r), KANE_BAD_ARGUMENT);
    assert_int_equal(kane_wheelset_position_roll(c, &s, (double)INFINITY, &r), KANE_BAD_ARGUMENT);
    s.yaw = 1.0;
    assert_int_equal(kane_wheelset_position_roll(c, &s, 1.0, &r), KANE_BAD_ARGUMENT);
}

CHECK_TEST(the_mirror_image_is_the_other_side)
{
    CHECK_OWNED(kane_contact) *c = rig_create(kane_contact_definition_default());
    for (int i = -6; i <= 6; i++) {
        const double y = 1e-3 * i + 2e-4, load[2] = {30e3, 50e3}, swapped[2] = {50e3, 30e3};
        kane_wheelset_position s, m;
        assert_int_equal(kane_wheelset_position_elastic(c, y, 1e-3, load, &s), KANE_OK);
        assert_int_equal(kane_wheelset_position_elastic(c, -y, -1e-3, swapped, &m), KANE_OK);
        check_near(m.z, s.z, 1e-12);
        check_near(m.roll, -s.roll, 1e-12);
        check_near(m.radius_difference, -s.radius_difference, 1e-9);
        assert_int_equal(m.count[KANE_LEFT], s.count[KANE_RIGHT]);
        check_relative(m.contact_point[KANE_LEFT][0].N, s.contact_point[KANE_RIGHT][0].N, 1e-8);
        assert_true(s.count[KANE_LEFT] < 2 || s.contact_point[KANE_LEFT][0].N >= s.contact_point[KANE_LEFT][1].N);
    }
}

CHECK_MAIN(NULL, NULL)
