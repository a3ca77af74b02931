// SPDX-License-Identifier: MIT
// Rigid contact: the gap and its derivatives, against differences, the exact cone and the elastic contact.

#include "contact/contact.h"
#include "unit/contact/rig.h"

static const double radius = 0.46;

// A wheelset's pose as a function of time, with rates that are not small.
static kane_wheel_path path_at(const kane_contact *c, kane_side side, double t, rig_pose p)
{
    const rig_pose rate = {0.02, 0.003, 0.012, 0.04}, bend = {-0.3, 0.05, 0.1, 0.7};
    kane_wheel_path path = {0};
    const double h       = 1e-4;
    kane_wheel_motion m[3];
    for (int i = 0; i < 3; i++) {
        const double u      = t + (i - 1) * h;
        const rig_pose here = {p.y + u * (rate.y + 0.5 * u * bend.y), p.z + u * (rate.z + 0.5 * u * bend.z),
                               p.roll + u * (rate.roll + 0.5 * u * bend.roll),
                               p.yaw + u * (rate.yaw + 0.5 * u * bend.yaw)};
        m[i]                = rig_motion(c, radius, side, here, 0.0, 0.0);
    }
    path.centre      = m[1].centre;
    path.axle        = m[1].axle;
    path.centre_rate = kv3_scale(0.5 / h, kv3_sub(m[2].centre, m[0].centre));
    path.axle_rate   = kv3_scale(0.5 / h, kv3_sub(m[2].axle, m[0].axle));
    path.centre_accel =
        kv3_scale(1.0 / h / h, kv3_add(kv3_sub(m[2].centre, m[1].centre), kv3_sub(m[0].centre, m[1].centre)));
    path.axle_accel = kv3_scale(1.0 / h / h, kv3_add(kv3_sub(m[2].axle, m[1].axle), kv3_sub(m[0].axle, m[1].axle)));
    if (c->shapes) { // over the rail's change
        path.blend       = rail_blend_at(0.8 + t * (3.0 + 0.5 * t * 7.0));
        path.along_rate  = 3.0 + t * 7.0;
        path.along_accel = 7.0;
    }
    return path;
}

static kane_gap touch_at(const kane_contact *c, kane_side side, const kane_wheel_path *path)
{
    kane_gap contact_point;
    assert_int_equal(kane_contact_gap(c, side, path, &contact_point), KANE_OK);
    return contact_point;
}

static const rig_pose poses[] = {{0.0, -2e-5, 0.0, 0.0},      {0.001, 1e-5, 1e-4, 0.004}, {0.004, 0.0, -3e-4, -0.01},
                                 {-0.0055, 2e-4, 5e-4, 0.02}, {0.0068, 3e-3, 4e-3, 0.03}, {-0.003, 0.0, 0.0, 0.0}};
enum { POSES = sizeof poses / sizeof *poses };

static void derivatives_along_a_path_are_those_of_differences(const kane_contact *c)
{
    const double h = 2e-5;
    for (int i = 0; i < POSES; i++)
        for (int side = 0; side < 2; side++) {
            kane_gap t[3];
            for (int k = 0; k < 3; k++) {
                const kane_wheel_path path = path_at(c, side, (k - 1) * h, poses[i]);
                t[k]                       = touch_at(c, side, &path);
            }
            // third derivatives are of the order of rate^3/D^2 where two lobes meet
            check_near(t[1].rate, (t[2].size - t[0].size) / (2.0 * h), 3e-8);
            check_near(t[1].accel, (t[2].rate - t[0].rate) / (2.0 * h), 2e-4 * (0.01 + fabs(t[1].accel)));
        }
}

static void gradients_are_those_of_differences(const kane_contact *c)
{
    const double h = 1e-7;
    for (int i = 0; i < POSES; i++)
        for (int side = 0; side < 2; side++) {
            const kane_wheel_path here = path_at(c, side, 0.0, poses[i]);
            const kane_gap t           = touch_at(c, side, &here);
            for (int axis = 0; axis < 3; axis++) {
                const kane_vec3 d = kv3_scale(h, kv3_unit(axis)), turn = kv3_cross(d, here.axle);
                kane_wheel_path up = here, down = here;
                up.centre   = kv3_add(here.centre, d);
                down.centre = kv3_sub(here.centre, d);
                check_near((touch_at(c, side, &up).size - touch_at(c, side, &down).size) / (2.0 * h),
                           kv3_get(t.direction, axis), 2e-8);
                up = down = here;
                up.axle   = kv3_add(here.axle, turn);
                down.axle = kv3_sub(here.axle, turn);
                check_near((touch_at(c, side, &up).size - touch_at(c, side, &down).size) / (2.0 * h),
                           kv3_get(t.twist, axis), 2e-8);
            }
            kane_wheel_path ahead = here, back = here;
            ahead.blend.share += h * here.blend.share_s;
            back.blend.share -= h * here.blend.share_s;
            check_near((touch_at(c, side, &ahead).size - touch_at(c, side, &back).size) / (2.0 * h), t.along, 2e-8);
            assert_true(!c->shapes || fabs(t.along) > 1e-4);
        }
}

static void on_each(void (*check)(const kane_contact *))
{
    double y[RAIL_POINTS], z[RAIL_POINTS];
    const kane_profile profile          = rail_worn(1.5e-3, y, z);
    CHECK_OWNED(kane_contact) *cone     = rig_create(rig_cone_on_round()),
                              *s1002    = rig_create(kane_contact_definition_default()),
                              *changing = rail_create(&profile, 1);
    check(cone);
    check(s1002);
    check(changing);
}

CHECK_TEST(the_gap_moves_as_its_derivatives_say)
{
    on_each(derivatives_along_a_path_are_those_of_differences);
}

CHECK_TEST(the_gap_has_the_gradient_that_it_says)
{
    on_each(gradients_are_those_of_differences);
}

// A second profile that lies `up` along zeta, the oblique axis: between both the rail lies up by its share of it. So
// the wheel is lower by that against the first profile alone.
CHECK_TEST(a_profile_that_lies_higher_is_a_wheel_that_goes_down)
{
    const double up = 2e-3, axis[2] = {-KANE_TILT_SIN, KANE_TILT_COS};
    double y[RAIL_POINTS], z[RAIL_POINTS], higher_y[RAIL_POINTS], higher_z[RAIL_POINTS];
    const kane_profile own   = rail_worn(0.5e-3, y, z);
    kane_profile higher      = own;
    const kane_rail_shape at = {.profile = &higher, .as_drawn = 1};
    higher.y                 = higher_y;
    higher.z                 = higher_z;
    for (int i = 0; i < RAIL_POINTS; i++) {
        higher_y[i] = y[i] + up * axis[0];
        higher_z[i] = z[i] + up * axis[1];
    }
    kane_contact_definition d        = kane_contact_definition_default();
    d.rail[0]                        = &own;
    d.inclination                    = 0.0;
    CHECK_OWNED(kane_contact) *plain = rig_create(d);
    d.shape_count                    = 1;
    d.shapes                         = &at;
    CHECK_OWNED(kane_contact) *both  = rig_create(d);
    for (int i = 0; i < POSES; i++)
        for (int side = 0; side < 2; side++) {
            const kane_wheel_path over = path_at(both, side, 0.0, poses[i]);
            const double s = over.along_rate, share_rate = over.blend.share_s * s,
                         share_accel = over.blend.share_s * over.along_accel + over.blend.share_ss * s * s;
            const kane_vec3 lower    = kv3(0.0, -up * axis[0] * rig_outside(side), -up * axis[1]);
            kane_wheel_path down     = path_at(plain, side, 0.0, poses[i]);
            down.centre              = kv3_add_scaled(down.centre, over.blend.share, lower);
            down.centre_rate         = kv3_add_scaled(down.centre_rate, share_rate, lower);
            down.centre_accel        = kv3_add_scaled(down.centre_accel, share_accel, lower);
            const kane_gap a = touch_at(both, side, &over), b = touch_at(plain, side, &down);
            check_near(a.size, b.size, 1e-12);
            check_near(a.rate, b.rate, 1e-10);
            check_near(a.accel, b.accel, 1e-8 * (0.01 + fabs(b.accel)));
            check_near(kv3_norm(kv3_sub(a.direction, b.direction)), 0.0, 1e-10);
            check_near(kv3_norm(kv3_sub(a.twist, b.twist)), 0.0, 1e-10);
            check_near(a.along, -up * over.blend.share_s, 1e-12);
        }
}

// Of a cone the gradient is the wrench of a unit force along the normal in the contact point, and the gap the distance.
CHECK_TEST(a_cone_touches_in_a_point)
{
    CHECK_OWNED(kane_contact) *c = rig_create(rig_cone_on_round());
    for (int i = 0; i < POSES; i++)
        for (int side = 0; side < 2; side++) {
            rig_pose p                 = poses[i];
            p.z                        = rig_height(c, radius, side, p, 1e-9); // elastic contact begins
            const kane_wheel_path path = path_at(c, side, 0.0, p);
            const kane_gap t           = touch_at(c, side, &path);
            const kane_vec3 push_twist = kv3_cross(t.point, t.normal);
            check_near(t.size, 0.0, 1e-10);
            check_near(kv3_norm(kv3_sub(t.direction, t.normal)), 0.0, 1e-12);
            check_near(kv3_norm(kv3_sub(t.twist, push_twist)), 0.0, 1e-9);
        }
}

// Pressed on with what the elastic contact carries, a cone meets the same patch and the same creep forces.
CHECK_TEST(a_cone_rolls_as_the_elastic_one_does)
{
    kane_contact_definition d    = rig_cone_on_round();
    d.laws.dissipation_law       = KANE_DISSIPATION_NONE;
    CHECK_OWNED(kane_contact) *c = rig_create(d);
    for (int i = 0; i < POSES; i++)
        for (int side = 0; side < 2; side++) {
            rig_pose p                  = poses[i];
            p.z                         = rig_height(c, radius, side, p, 5e4);
            const kane_wheel_motion m   = rig_motion(c, radius, side, p, 20.0, 20.0 / radius);
            const kane_contact_result r = rig_eval(c, side, &m);
            const kane_wheel_path path  = path_at(c, side, 0.0, p);
            const kane_gap t            = touch_at(c, side, &path);
            kane_patch patch;
            kane_wrench w;
            assert_int_equal(kane_contact_creep(c, side, &t, &m, r.patch[0].N, &w, &patch), KANE_OK);
            const kane_vec3 all = kv3_add_scaled(w.force, r.patch[0].N, t.normal);
            check_near(patch.a, r.patch[0].a, 1e-9);
            check_near(patch.b, r.patch[0].b, 1e-9);
            check_near(patch.T_y, r.patch[0].T_y, 1e-5);
            check_near(patch.phi, r.patch[0].phi, 1e-12);
            check_near(kv3_norm(kv3_sub(all, r.on_wheel.force)), 0.0, 1e-4);
        }
}

// The smooth gap of S1002 on 60E1 begins where elastic contact does, but for its depth; contact is in the same place.
CHECK_TEST(profiles_touch_where_elastic_ones_do)
{
    CHECK_OWNED(kane_contact) *c = rig_create(kane_contact_definition_default());
    for (double y = -0.0045; y < 0.0046; y += 0.0015) {
        for (int side = 0; side < 2; side++) {
            rig_pose p                  = {y, 0.0, 0.0, 0.0};
            p.z                         = rig_height(c, radius, side, p, 1e4);
            const kane_wheel_motion m   = rig_motion(c, radius, side, p, 0.0, 0.0);
            const kane_contact_result r = rig_eval(c, side, &m);
            const kane_wheel_path path  = path_at(c, side, 0.0, p);
            const kane_gap t            = touch_at(c, side, &path);
            check_near(t.size, -r.patch[0].approach, 4e-5); // two depths
            if (r.patch_count == 1) {
                check_near(t.rail_y, r.patch[0].rail_y, 2e-3); // two crowns share the load near y = 1 mm
                check_near(t.radius, r.patch[0].radius, 1.5e-4);
            }
        }
    }
}

// The right wheel of the mirrored pose is the mirror image of the left one.
CHECK_TEST(the_right_wheel_is_the_left_ones_image)
{
    CHECK_OWNED(kane_contact) *c = rig_create(kane_contact_definition_default());
    for (int i = 0; i < POSES; i++) {
        const rig_pose p = poses[i], image = {-p.y, p.z, -p.roll, -p.yaw};
        const kane_wheel_motion m[2] = {rig_motion(c, radius, KANE_LEFT, p, 0.0, 0.0),
                                        rig_motion(c, radius, KANE_RIGHT, image, 0.0, 0.0)};
        kane_gap t[2];
        for (int k = 0; k < 2; k++) {
            const kane_wheel_path path = {.centre = m[k].centre, .axle = m[k].axle};
            t[k]                       = touch_at(c, k, &path);
        }
        check_near(t[0].size, t[1].size, 1e-14);
        check_near(t[0].direction.y, -t[1].direction.y, 1e-12);
        check_near(t[0].direction.z, t[1].direction.z, 1e-12);
        check_near(t[0].twist.x, -t[1].twist.x, 1e-12);
        check_near(t[0].twist.z, -t[1].twist.z, 1e-12);
        check_near(t[0].twist.y, t[1].twist.y, 1e-12);
        check_near(t[0].rail_y, t[1].rail_y, 1e-12);
    }
}

// A value that is not finite is refused, wherever it stands; never a gap or a force that is none.
CHECK_TEST(what_is_not_finite_is_refused)
{
    kane_contact *all[2] = {rig_create(kane_contact_definition_default()), rig_create(rig_cone_on_round())};
    for (int k = 0; k < 2; k++) {
        const kane_contact *c            = all[k];
        const kane_wheel_path path       = path_at(c, KANE_LEFT, 0.0, poses[1]);
        const kane_wheel_motion rolling  = rig_motion(c, radius, KANE_LEFT, poses[1], 20.0, 20.0 / radius);
        const kane_gap contact_point     = touch_at(c, KANE_LEFT, &path);
        static const double wrong[]      = {(double)NAN, (double)INFINITY, -(double)INFINITY, 1e300};
        static const size_t velocities[] = {offsetof(kane_wheel_motion, velocity.x),
                                            offsetof(kane_wheel_motion, omega.z),
                                            offsetof(kane_wheel_motion, friction_change)};
        static const size_t rates[] = {offsetof(kane_wheel_path, centre.y), offsetof(kane_wheel_path, centre_rate.y),
                                       offsetof(kane_wheel_path, axle_rate.x),
                                       offsetof(kane_wheel_path, centre_accel.z),
                                       offsetof(kane_wheel_path, axle_accel.z)};
        kane_wrench creep;
        for (int i = 0; i < 4; i++) {
            kane_gap g;
            for (size_t f = 0; f < sizeof rates / sizeof *rates; f++) {
                kane_wheel_path p                          = path;
                *(double *)(void *)((char *)&p + rates[f]) = wrong[i];
                const kane_status status                   = kane_contact_gap(c, KANE_LEFT, &p, &g);
                assert_true(status == KANE_RETRY || (i == 3 && isfinite(g.size + g.rate + g.accel)));
            }
            for (size_t f = 0; f < 3 && i < 3; f++) {
                kane_wheel_motion m                             = rolling;
                *(double *)(void *)((char *)&m + velocities[f]) = wrong[i];
                if (f < 2 || i != 1)
                    assert_int_equal(kane_contact_creep(c, KANE_LEFT, &contact_point, &m, 5e4, &creep, NULL),
                                     KANE_RETRY);
            }
            if (i < 3)
                assert_int_equal(kane_contact_creep(c, KANE_LEFT, &contact_point, &rolling, wrong[i], &creep, NULL),
                                 KANE_RETRY);
        }
        assert_int_equal(kane_contact_creep(c, KANE_LEFT, &contact_point, &rolling, 5e4, &creep, NULL), KANE_OK);
        kane_contact_free(all[k]);
    }
}

CHECK_MAIN(NULL, NULL)
