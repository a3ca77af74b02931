// SPDX-License-Identifier: MIT
// The contact as a whole: what it accepts, both sides, purity, any pose at all.

#include "allocation.h"

#include "unit/contact/rig.h"
#include <kane/geometry.h>

#include "contact/contact.h"

CHECK_TEST(every_value_of_a_definition_is_checked)
{
    kane_contact_free(NULL);
    for (int i = 0; i < 19; i++) {
        kane_contact_definition d = rig_cone_on_round();
        kane_profile cone = *d.wheel[0], head = *d.rail[0];
        double *const values[] = {&cone.conicity,
                                  &head.radius,
                                  &d.radius[0],
                                  &d.radius[1],
                                  &d.flange_back,
                                  &d.inclination,
                                  &d.gauge,
                                  &d.gauge_height,
                                  &d.laws.shear_modulus,
                                  &d.laws.poisson,
                                  &d.laws.friction[0],
                                  &d.laws.dissipation,
                                  &cone.flange_to_circle,
                                  &d.laws.slow};
        d.wheel[0]             = &cone;
        d.rail[0]              = &head;
        if (i < 14)
            *values[i] = (double)NAN;
        else if (i == 14)
            cone.shape = (kane_profile_shape)77;
        else if (i == 15)
            d.rail[1] = kane_profile_s1002();
        else if (i == 16)
            d.laws.slow = 0.0;
        else if (i == 17)
            d.wheel[0] = NULL;
        else
            d.laws.poisson = 0.51;
        CHECK_ERRORS errors = {0};
        assert_null(kane_contact_create(&d, &errors));
        assert_int_equal(errors.count, 1);
        assert_int_equal(kane_errors_get(&errors, 0)->status, KANE_BAD_ARGUMENT);
        assert_non_null(strstr(kane_errors_get(&errors, 0)->text,
                               i < 2 || i == 12 || i == 14 || i == 15 ? "profile" : "contact: "));
        assert_null(kane_contact_create(&d, NULL));
    }
    kane_contact_definition d = kane_contact_definition_default();
    d.radius[0] = -1.0, d.laws.friction[1] = -0.1;
    CHECK_ERRORS errors = {0};
    assert_null(kane_contact_create(&d, &errors));
    assert_int_equal(errors.count, 2);
}

CHECK_TEST(a_definition_says_what_it_lacks)
{
    kane_contact_definition d = kane_contact_definition_default();
    CHECK_ERRORS errors       = {0};
    d.rail[0]                 = NULL;
    assert_null(kane_contact_create(&d, &errors));
    assert_string_equal(kane_errors_get(&errors, 0)->text, "contact: the left rail has no profile");
    d                    = kane_contact_definition_default();
    d.laws.creep         = KANE_CREEP_FASTSIM;
    d.laws.fastsim.steps = 0;
    kane_errors_free(&errors);
    assert_null(kane_contact_create(&d, &errors));
    assert_int_equal(errors.count, 1);
    assert_string_equal(kane_errors_get(&errors, 0)->text,
                        "contact: fastsim.steps = 0 is not allowed, must be within 2 and 100");
}

// The face of S1002 is 14 mm deep 39.155 mm inside of its running circle: gauge - 2 (750 - 39.155) mm. A cone has no
// flange.
CHECK_TEST(flanges_have_their_play_between_the_rails)
{
    kane_contact_definition d = kane_contact_definition_default();
    double out[3];
    for (int i = 0; i < 2; i++) {
        d.gauge                      = i ? 1.405 : 1.435;
        CHECK_OWNED(kane_contact) *c = rig_create(d);
        const double play            = kane_contact_play(c);
        const double of_wheel        = 0.5 * (d.gauge - play) - kane_contact_wheel_distance(c, KANE_LEFT);
        kane_contact_wheel_profile(c, KANE_LEFT, of_wheel, out);
        check_near(out[0], -0.014, 1e-6);
        check_near(play, i ? -0.01669 : 0.01331, 1e-5);
    }
    CHECK_OWNED(kane_contact) *cone = rig_create(rig_cone_on_round());
    assert_true(isinf(kane_contact_play(cone)));
}

CHECK_TEST(missing_memory_is_reported)
{
    const kane_contact_definition d = kane_contact_definition_default();
    int k                           = 1;
    for (;; k++) {
        CHECK_ERRORS errors = {0};
        allocation_fail_at(k);
        kane_contact *c = kane_contact_create(&d, &errors);
        if (!allocation_stop()) {
            kane_contact_free(c);
            break;
        }
        assert_null(c);
        assert_int_equal(errors.count, 1);
        assert_int_equal(kane_errors_get(&errors, 0)->status, KANE_NO_MEMORY);
    }
    assert_true(k > 1);
}

// Exactly the mirror image, bit for bit: motion, forces, patches, derivatives.
CHECK_TEST(the_right_wheel_is_the_mirror_image_of_the_left_one)
{
    CHECK_OWNED(kane_contact) *cone = rig_create(rig_cone_on_round());
    unsigned long long seed         = 1;
    for (int i = 0; i < 4000; i++) {
        const kane_contact *c = i % 4 ? steel : cone;
        const rig_pose p      = {rig_random(&seed, -0.009, 0.009), rig_random(&seed, -6e-4, 0.0),
                                 rig_random(&seed, -1e-3, 1e-3), rig_random(&seed, -0.03, 0.03)};
        kane_wheel_motion l =
            rig_motion(c, 0.46, KANE_LEFT, p, rig_random(&seed, -20.0, 20.0), rig_random(&seed, -40.0, 40.0));
        l.velocity.y = rig_random(&seed, -0.1, 0.1), l.velocity.z = rig_random(&seed, -0.1, 0.1);
        l.omega.x += rig_random(&seed, -0.1, 0.1), l.omega.z += rig_random(&seed, -0.1, 0.1);
        const kane_wheel_motion r   = {.centre   = kv3(l.centre.x, -l.centre.y, l.centre.z),
                                       .axle     = kv3(-l.axle.x, l.axle.y, -l.axle.z),
                                       .velocity = kv3(l.velocity.x, -l.velocity.y, l.velocity.z),
                                       .omega    = kv3(-l.omega.x, l.omega.y, -l.omega.z)};
        const kane_contact_result a = rig_eval(c, KANE_LEFT, &l), b = rig_eval(c, KANE_RIGHT, &r);
        const kane_vec3 f = a.on_wheel.force, t = a.on_wheel.torque;
        assert_true(b.on_wheel.force.x == f.x && b.on_wheel.force.y == -f.y && b.on_wheel.force.z == f.z);
        assert_true(b.on_wheel.torque.x == -t.x && b.on_wheel.torque.y == t.y && b.on_wheel.torque.z == -t.z);
        assert_int_equal(a.patch_count, b.patch_count);
        for (int k = 0; k < a.patch_count; k++) {
            const kane_patch *u = &a.patch[k], *v = &b.patch[k];
            assert_true(u->point.x == v->point.x && u->point.y == -v->point.y && u->point.z == v->point.z);
            assert_true(u->normal.y == -v->normal.y && u->normal.z == v->normal.z && u->angle == v->angle);
            assert_true(u->wheel_y == v->wheel_y && u->rail_y == v->rail_y && u->N == v->N && u->a == v->a);
            assert_true(u->xi_x == v->xi_x && u->xi_y == -v->xi_y && u->phi == -v->phi && u->radius == v->radius);
            assert_true(u->T_x == v->T_x && u->T_y == -v->T_y && u->M_z == -v->M_z && u->share == v->share);
        }
        if (i % 40)
            continue;
        double d[6][12], e[6][12];
        assert_int_equal(kane_contact_derive(c, KANE_LEFT, &l, d), KANE_OK);
        assert_int_equal(kane_contact_derive(c, KANE_RIGHT, &r, e), KANE_OK);
        static const int sign[6] = {1, -1, 1, -1, 1, -1};
        for (int k = 0; k < 6; k++)
            for (int j = 0; j < 12; j++)
                assert_true(e[k][j] == sign[k] * sign[j % 6] * d[k][j]);
    }
}

// Forces depend on the arguments alone: the same bits in any order, whatever was asked before.
CHECK_TEST(the_same_question_has_the_same_answer)
{
    enum { COUNT = 200 };
    kane_wheel_motion motions[COUNT];
    kane_contact_result first[COUNT];
    static double derivative[COUNT][6][12], again_d[6][12];
    unsigned long long seed = 2;
    for (int i = 0; i < COUNT; i++) {
        const rig_pose p = {rig_random(&seed, -0.009, 0.009), rig_random(&seed, -6e-4, 0.0), 0.0,
                            rig_random(&seed, -0.03, 0.03)};
        motions[i]       = rig_motion(steel, 0.46, KANE_LEFT, p, 20.0, 43.5);
        memset(&first[i], 0, sizeof first[i]);
        assert_int_equal(kane_contact_eval(steel, KANE_LEFT, &motions[i], &first[i]), KANE_OK);
        assert_int_equal(kane_contact_derive(steel, KANE_LEFT, &motions[i], derivative[i]), KANE_OK);
    }
    CHECK_OWNED(kane_contact) *other = rig_create(kane_contact_definition_default());
    for (int round = 0; round < 3; round++)
        for (int k = 0; k < COUNT; k++) {
            const int i = round == 0 ? COUNT - 1 - k : (k * 37 + round) % COUNT;
            kane_contact_result again;
            memset(&again, 0, sizeof again);
            assert_int_equal(kane_contact_eval(round == 2 ? other : steel, KANE_LEFT, &motions[i], &again), KANE_OK);
            assert_memory_equal(&again, &first[i], sizeof again);
            assert_int_equal(kane_contact_derive(round == 2 ? other : steel, KANE_LEFT, &motions[i], again_d), KANE_OK);
            assert_memory_equal(again_d, derivative[i], sizeof again_d);
        }
}

// A wheel that has just touched does so where rigid profiles would: no depth is too small for the ends of its contact.
CHECK_TEST(a_contact_begins_where_profiles_touch)
{
    for (int i = -24; i <= 24; i++)
        for (double depth = 1e-17; depth < 1e-9; depth *= 2.0) {
            kane_wheelset_position s;
            assert_int_equal(kane_wheelset_position_rigid(steel, 2.5e-4 * i, 0.002, &s), KANE_OK);
            const rig_pose p            = {s.y, s.z - depth, s.roll, s.yaw};
            const kane_wheel_motion m   = rig_motion(steel, 0.46, KANE_LEFT, p, 0.0, 0.0);
            const kane_contact_result r = rig_eval(steel, KANE_LEFT, &m);
            for (int k = 0; k < r.patch_count; k++)
                check_near(r.patch[k].wheel_y, s.contact_point[KANE_LEFT][0].wheel_y, 2e-4);
        }
}

static int finite_result(const kane_contact_result *r)
{
    int finite = isfinite(r->on_wheel.force.x + r->on_wheel.force.y + r->on_wheel.force.z) &&
                 isfinite(r->on_wheel.torque.x + r->on_wheel.torque.y + r->on_wheel.torque.z);
    for (int i = 0; i < r->patch_count; i++) {
        const kane_patch *p = &r->patch[i];
        finite              = finite &&
                 isfinite(p->N + p->a + p->b + p->pressure + p->angle + p->radius + p->T_x + p->T_y + p->M_z) &&
                 isfinite(p->point.x + p->point.y + p->point.z + p->normal.y + p->energy + p->wheel_y + p->rail_y) &&
                 p->N >= 0.0 && p->a >= 0.0 && p->b >= 0.0 && p->share > 0.0 && p->share <= 1.0;
    }
    return finite && r->patch_count <= KANE_PATCHES_MAX;
}

// From far off to deep inside of each other, at any angle the contact takes.
CHECK_TEST(any_pose_has_finite_forces)
{
    kane_contact_definition d           = kane_contact_definition_default();
    d.rail[0]                           = rig_round();
    CHECK_OWNED(kane_contact) *on_round = rig_create(d);
    d                                   = kane_contact_definition_default();
    d.wheel[0]                          = rig_cone();
    CHECK_OWNED(kane_contact) *cone     = rig_create(d);
    const kane_contact *all[]           = {steel, steel, on_round, cone};
    unsigned long long seed             = 99;
    int touching                        = 0;
    for (int i = 0; i < 250000; i++) {
        const double wild     = i % 5 == 0 ? 6.0 : 1.0;
        const rig_pose p      = {wild * rig_random(&seed, -0.012, 0.012), wild * rig_random(&seed, -0.01, 0.008),
                                 wild * rig_random(&seed, -0.03, 0.03), fmin(wild, 4.0) * rig_random(&seed, -0.04, 0.04)};
        const kane_side side  = i % 2 ? KANE_LEFT : KANE_RIGHT;
        const kane_contact *c = all[i % 4];
        kane_wheel_motion m =
            rig_motion(c, 0.46, side, p, rig_random(&seed, -80.0, 80.0), rig_random(&seed, -200.0, 200.0));
        m.velocity.z = rig_random(&seed, -3.0, 3.0);
        kane_contact_result r;
        if (kane_contact_eval(c, side, &m, &r) != KANE_OK)
            continue;
        touching += r.patch_count > 0;
        if (!finite_result(&r))
            fail_msg("pose %d: y %g z %g roll %g yaw %g", i, p.y, p.z, p.roll, p.yaw);
        if (i % 50 == 0) {
            double d6[6][12];
            assert_int_equal(kane_contact_derive(c, side, &m, d6), KANE_OK);
            for (int k = 0; k < 72; k++)
                assert_true(isfinite(d6[k / 12][k % 12]));
        }
    }
    assert_true(touching > 50000);
}

CHECK_TEST(impossible_motions_are_refused)
{
    const kane_wheel_motion good = rig_motion(steel, 0.46, KANE_LEFT, (rig_pose){0}, 20.0, 43.5);
    kane_wheel_motion bad[7];
    for (int i = 0; i < 7; i++)
        bad[i] = good;
    bad[0].axle       = kv3(1.0, 0.0, 0.0);
    bad[1].axle       = kv3(0.0, 0.0, 1.0);
    bad[2].axle       = kv3(0.0, -1.0, 0.0);
    bad[3].centre.y   = (double)NAN;
    bad[4].velocity.x = (double)INFINITY;
    bad[5].omega.z    = (double)NAN;
    bad[6].axle.y     = (double)NAN;
    for (int i = 0; i < 7; i++) {
        kane_contact_result r;
        double d[6][12];
        d[3][3] = 1.0;
        assert_int_equal(kane_contact_eval(steel, KANE_LEFT, &bad[i], &r), KANE_RETRY);
        assert_int_equal(r.patch_count, 0);
        check_vec3(r.on_wheel.force, kv3_zero(), 0.0);
        assert_int_equal(kane_contact_derive(steel, KANE_LEFT, &bad[i], d), KANE_RETRY);
        check_near(d[3][3], 0.0, 0.0);
    }
    kane_wheel_motion far_off = good;
    far_off.centre            = kv3(1e300, -1e300, 1e300);
    kane_contact_result r;
    assert_int_equal(kane_contact_eval(steel, KANE_LEFT, &far_off, &r), KANE_OK);
    assert_int_equal(r.patch_count, 0);
}

CHECK_TEST(a_lifted_wheel_feels_nothing)
{
    const rig_pose places[] = {
        {0.0, 0.002, 0.0, 0.0}, {0.0, 0.3, 0.0, 0.0}, {0.4, -0.02, 0.0, 0.0}, {-0.2, -0.02, 0.0, 0.0}};
    for (int i = 0; i < 4; i++) {
        const kane_wheel_motion m   = rig_motion(steel, 0.46, KANE_LEFT, places[i], 20.0, 43.5);
        const kane_contact_result r = rig_eval(steel, KANE_LEFT, &m);
        double d[6][12];
        assert_int_equal(r.patch_count, 0);
        check_vec3(r.on_wheel.force, kv3_zero(), 0.0);
        check_vec3(r.on_wheel.torque, kv3_zero(), 0.0);
        assert_int_equal(kane_contact_derive(steel, KANE_LEFT, &m, d), KANE_OK);
        for (int k = 0; k < 72; k++)
            check_near(d[k / 12][k % 12], 0.0, 0.0);
    }
}

// The place along the rail does not matter.
CHECK_TEST(the_rail_is_the_same_everywhere)
{
    kane_wheel_motion m         = rig_motion(steel, 0.46, KANE_LEFT, (rig_pose){0.002, -3e-4, 0.0, 0.01}, 20.0, 43.5);
    const kane_contact_result a = rig_eval(steel, KANE_LEFT, &m);
    m.centre.x                  = 12345.0;
    const kane_contact_result b = rig_eval(steel, KANE_LEFT, &m);
    assert_true(a.patch_count > 0);
    assert_memory_equal(&a.on_wheel, &b.on_wheel, sizeof a.on_wheel);
}

// Pressed against the rail the flange climbs: the load passes from the tread to the flange's face, its root and its
// tip, which at last stands on the head. The wheel is lifted by the height of the flange, the force never fails to
// carry it.
CHECK_TEST(a_climbing_flange_is_carried_to_its_tip)
{
    double lift = -1.0, least_angle = 0.0;
    for (double y = 0.0; y < 0.065; y += 2.5e-4) {
        const rig_pose p            = {y, 0.0, 0.0, 0.0};
        const double z              = rig_height(steel, 0.46, KANE_LEFT, p, 5e4);
        const kane_wheel_motion m   = rig_motion(steel, 0.46, KANE_LEFT, (rig_pose){y, z, 0.0, 0.0}, 0.0, 0.0);
        const kane_contact_result r = rig_eval(steel, KANE_LEFT, &m);
        check_relative(rig_normal(&r), 5e4, 1e-6);
        if (y > 0.002)
            assert_true(z > lift);
        lift = z;
        for (int i = 0; i < r.patch_count; i++) {
            least_angle = fmin(least_angle, r.patch[i].angle);
            assert_true(r.patch[i].wheel_y > -0.067 && r.patch[i].rail_y > -0.05);
        }
    }
    check_near(least_angle, -70.0 * 3.14159265358979323846 / 180.0, 0.03); // of the flange's face
    const rig_pose top = {0.0655, 0.0, 0.0, 0.0};                          // the tip, at -55 mm, on the rail's top
    check_near(rig_height(steel, 0.46, KANE_LEFT, top, 5e4), 0.028, 2e-4); // 28 mm high
}

CHECK_MAIN(make_steel, free_steel)
