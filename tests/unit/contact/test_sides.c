// SPDX-License-Identifier: MIT
// Profiles by points, and wheels and rails that differ from side to side.

#include "unit/contact/rig.h"
#include "unit/profile/drawn.h"
#include "contact/contact.h"
#include "contact/gap_places.h"
#include "contact/search.h"

static kane_wheel_motion mirrored(kane_wheel_motion m)
{
    m.centre.y = -m.centre.y, m.velocity.y = -m.velocity.y;
    m.axle.x = -m.axle.x, m.axle.z = -m.axle.z;
    m.omega.x = -m.omega.x, m.omega.z = -m.omega.z;
    return m;
}

static void check_mirrored(const kane_contact *c, const kane_contact *d, kane_side side)
{
    const kane_side other = side == KANE_LEFT ? KANE_RIGHT : KANE_LEFT;
    int touching          = 0;
    for (double y = -0.009; y < 0.01; y += 0.0013) {
        rig_pose p                = {y, 0.0, 0.001, 0.004};
        p.z                       = rig_height(c, 0.46, side, p, 6e4);
        const kane_wheel_motion m = rig_motion(c, 0.46, side, p, 10.0, 21.5), n = mirrored(m);
        const kane_contact_result a = rig_eval(c, side, &m), b = rig_eval(d, other, &n);
        double by_m[6][12], by_n[6][12];
        assert_true(a.patch_count == b.patch_count && a.patch_count > 0);
        assert_true(a.on_wheel.force.x == b.on_wheel.force.x && a.on_wheel.force.y == -b.on_wheel.force.y &&
                    a.on_wheel.force.z == b.on_wheel.force.z && a.on_wheel.torque.y == b.on_wheel.torque.y);
        assert_int_equal(kane_contact_derive(c, side, &m, by_m), KANE_OK);
        assert_int_equal(kane_contact_derive(d, other, &n, by_n), KANE_OK);
        assert_true(by_m[2][2] == by_n[2][2] && by_m[2][1] == -by_n[2][1]);
        touching++;
    }
    assert_true(touching > 10);
}

// What is on the left of one is on the right of the other.
CHECK_TEST(sides_may_differ_and_mirror_each_other)
{
    const kane_profile cone = kane_profile_cone(0.05), head = kane_profile_round(0.3);
    kane_contact_definition d = kane_contact_definition_default(), e = d;
    d.wheel[1] = &cone, d.rail[1] = &head, d.radius[1] = 0.459;
    e.wheel[0] = &cone, e.rail[0] = &head, e.radius[0] = 0.459;
    e.wheel[1] = kane_profile_s1002(), e.rail[1] = kane_profile_60e1(), e.radius[1] = 0.46;
    CHECK_OWNED(kane_contact) *c = rig_create(d), *m = rig_create(e);
    check_mirrored(c, m, KANE_LEFT);
    check_mirrored(c, m, KANE_RIGHT);
    assert_int_equal(c->pair[KANE_LEFT]->method, CONTACT_OVERLAP);
    assert_int_equal(c->pair[KANE_RIGHT]->method, CONTACT_CONE);
    for (int side = 0; side < 2; side++) {
        assert_true(kane_contact_rail_distance(c, side) == kane_contact_rail_distance(m, 1 - side));
        assert_true(kane_contact_wheel_distance(c, side) == kane_contact_wheel_distance(m, 1 - side));
    }
}

CHECK_TEST(equal_sides_share_their_tables)
{
    kane_contact_definition d = kane_contact_definition_default();
    d.wheel[1] = kane_profile_s1002(), d.radius[1] = 0.46;
    kane_contact *c = rig_create(d);
    assert_ptr_equal(c->pair[0], c->pair[1]);
    kane_contact_free(c);
    d.radius[1] = 0.4601;
    c           = rig_create(d);
    assert_ptr_not_equal(c->pair[0], c->pair[1]);
    kane_contact_free(c);
}

CHECK_TEST(distances_follow_the_profiles)
{
    kane_profile wheel           = *kane_profile_s1002();
    kane_contact_definition d    = kane_contact_definition_default();
    wheel.flange_to_circle       = 0.073;
    d.wheel[1]                   = &wheel;
    d.gauge_height               = 0.016;
    CHECK_OWNED(kane_contact) *c = rig_create(d);
    d.gauge_height               = 0.0165;
    CHECK_OWNED(kane_contact) *e = rig_create(d);
    check_near(kane_contact_wheel_distance(c, KANE_LEFT), 0.75, 1e-15);
    check_near(kane_contact_wheel_distance(c, KANE_RIGHT), 0.753, 1e-15);
    // the gauge face is 20:1 steep there, and inclined 1:40
    const double narrower = 5e-4 * tan(atan(1.0 / 20.0) - atan(1.0 / 40.0));
    check_near(kane_contact_rail_distance(e, KANE_LEFT) - kane_contact_rail_distance(c, KANE_LEFT), narrower, 1e-12);
}

static double normal_at(const kane_contact *c, rig_pose p, kane_contact_result *r)
{
    const kane_wheel_motion m = rig_motion(c, 0.46, KANE_LEFT, p, 20.0, 43.4);
    *r                        = rig_eval(c, KANE_LEFT, &m);
    return r->on_wheel.force.z;
}

// The standard's wheel and rail by points are the standard's wheel and rail.
CHECK_TEST(points_of_a_standard_profile_are_that_profile)
{
    drawn *wheel = drawn_wheel(2e-4), *rail = drawn_rail(2e-4, 1.0 / 40.0), *upright = drawn_rail(2e-4, 0.0);
    kane_contact_definition d           = kane_contact_definition_default();
    CHECK_OWNED(kane_contact) *standard = rig_create(d);
    d.wheel[0] = &wheel->profile, d.rail[0] = &rail->profile;
    CHECK_OWNED(kane_contact) *inclined = rig_create(d);
    d.rail[0]                           = &upright->profile;
    CHECK_OWNED(kane_contact) *points   = rig_create(d);
    free(wheel);
    free(rail);
    free(upright); // the contact has what it needs

    kane_contact *const all[] = {points, inclined};
    double worst              = 0.0;
    for (int k = 0; k < 2; k++) {
        check_near(kane_contact_rail_distance(all[k], KANE_LEFT), kane_contact_rail_distance(standard, KANE_LEFT),
                   2e-9);
        for (double y = -0.012; y < 0.0125; y += 0.0005) {
            rig_pose p = {-y, 0.0, 0.0, 0.003};
            kane_contact_result a, b;
            p.z                = rig_height(standard, 0.46, KANE_LEFT, p, 7e4);
            const double force = normal_at(standard, p, &a);
            worst              = fmax(worst, fabs(normal_at(all[k], p, &b) / force - 1.0));
            assert_int_equal(a.patch_count, b.patch_count);
            for (int i = 0; i < a.patch_count; i++)
                check_near(b.patch[i].angle, a.patch[i].angle, 1e-3);
        }
    }
    print_message("points for shapes: vertical force within %.1e\n", worst);
    check_near(worst, 0.0, 1e-3);
}

// A hollow arc on a round head: half the difference of their curvatures, and Hertz.
CHECK_TEST(an_arc_on_a_round_head_is_hertz)
{
    static const double radii[] = {0.6, -0.6, 2.0};
    const kane_profile head     = kane_profile_round(0.3);
    for (int k = 0; k < 3; k++) {
        const kane_profile arc    = kane_profile_arc(radii[k], 0.05);
        kane_contact_definition d = kane_contact_definition_default();
        d.wheel[0] = &arc, d.rail[0] = &head;
        CHECK_OWNED(kane_contact) *c = rig_create(d);
        // where both slopes agree: the arc's radius falls to the outside at its middle, the head does inside of its top
        const double sine = 0.05 / sqrt(1.0 + 0.0025);
        rig_pose p = {-0.3 * sine - (kane_contact_wheel_distance(c, 0) - kane_contact_rail_distance(c, 0)), 0.0, 0.0,
                      0.0};
        p.z        = rig_height(c, 0.46, KANE_LEFT, p, 2e4);
        const kane_wheel_motion m   = rig_motion(c, 0.46, KANE_LEFT, p, 0.0, 0.0);
        const kane_contact_result r = rig_eval(c, KANE_LEFT, &m);
        assert_int_equal(r.patch_count, 1);
        const double A = 0.5 * sqrt(1.0 - sine * sine) / 0.46, B = 0.5 / 0.3 - 0.5 / radii[k];
        const kane_hertz h = kane_hertz_eval(A, B, c->E_star, r.patch[0].N);
        check_near(r.patch[0].angle, -atan(0.05), 2e-4);
        check_near(r.patch[0].wheel_y, 0.0, 1e-4);
        check_relative(r.patch[0].a, h.a, 2e-3);
        check_relative(r.patch[0].b, h.b, 2e-3);
        check_relative(r.patch[0].approach, h.approach, 2e-3);
    }
}

static contact_locus contact_locus_of(const kane_contact *c, rig_pose p)
{
    const kane_wheel_motion m = rig_motion(c, 0.46, KANE_LEFT, p, 0.0, 0.0);
    const wheel_pose pose     = {m.centre.y, m.centre.z, m.axle};
    return contact_locus_init(&c->pair[0]->wheel, &c->pair[0]->rail, &pose);
}

// A wheel with a worn face: the flange is narrower below, and steeper than S1002's 70 degrees.
static drawn *steep_flange(void)
{
    drawn *wheel = drawn_wheel(2e-4);
    for (int i = 0; i < wheel->profile.count; i++)
        if (wheel->y[i] < -0.036)
            wheel->y[i] = -0.036 + 0.55 * (wheel->y[i] + 0.036);
    return wheel;
}

// A pose at random whose deepest node is so deep.
static contact_locus contact_locus_at_depth(const kane_contact *c, unsigned long long *seed, double least, double most)
{
    const int count = c->pair[0]->wheel.nodes.count;
    rig_pose p = {rig_random(seed, -0.012, 0.012), 0.0, rig_random(seed, -0.02, 0.02), rig_random(seed, -0.03, 0.03)};
    const contact_locus g = contact_locus_of(c, p);
    double nodes[KANE_WHEEL_NODES];
    kane_window_scan(&g, 0, count - 1, nodes);
    p.z += window_largest(count, nodes) - rig_random(seed, least, most);
    return contact_locus_of(c, p);
}

// The windows leave nothing out.
CHECK_TEST(windows_hold_for_a_steep_flange)
{
    drawn *wheel              = steep_flange();
    kane_contact_definition d = kane_contact_definition_default();
    d.wheel[0]                = &wheel->profile;
    kane_contact *c           = rig_create(d);
    const contact_pair *pair  = c->pair[0];
    static window_table everything;
    everything              = pair->windows;
    everything.y            = 1e9; // no pose is in its range
    unsigned long long seed = 11;
    int touching            = 0;
    for (int i = 0; i < 20000; i++) {
        const contact_locus g = contact_locus_at_depth(c, &seed, 0.0, 1.5e-4); // near to touching, where it matters
        penetrations all, part;
        kane_penetrations_search(&g, &everything, &all);
        kane_penetrations_search(&g, &pair->windows, &part);
        assert_int_equal(part.count, all.count);
        for (int k = 0; k < all.count; k++) {
            assert_memory_equal(&part.at[k].peak, &all.at[k].peak, sizeof part.at[k].peak);
            touching++;
        }
    }
    print_message("%d lobes\n", touching);
    assert_true(touching > 2000);
    kane_contact_free(c);
    free(wheel);
}

// The places that count for gaps are the same whether one looks in the windows or everywhere.
static void check_windows_of_gaps(const kane_contact *c)
{
    const contact_pair *pair = c->pair[0];
    static window_table everything;
    everything              = pair->windows;
    everything.y            = 1e9;
    unsigned long long seed = 12;
    long nodes              = 0;
    for (int i = 0; i < 20000; i++) {
        const contact_locus g = contact_locus_at_depth(c, &seed, -KANE_WINDOW_CONTACT, KANE_WINDOW_CONTACT);
        gap_ranges all, part;
        assert_true(gap_ranges_find(&g, &everything, &all) && gap_ranges_find(&g, &pair->windows, &part));
        assert_true(part.top == all.top);
        assert_int_equal(part.count, all.count);
        assert_memory_equal(part.first, all.first, (size_t)all.count * sizeof *all.first);
        assert_memory_equal(part.end, all.end, (size_t)all.count * sizeof *all.end);
        const window *w = kane_window_at(&pair->windows, WINDOW_GAP, &g);
        for (int k = 0; k < w->count; k++)
            nodes += w->last[k] + 1 - w->first[k];
    }
    print_message("windows have %ld nodes of %d\n", nodes / 20000, pair->wheel.nodes.count);
    assert_true(nodes / 20000 < pair->wheel.nodes.count * 2 / 3);
}

CHECK_TEST(windows_of_gaps_leave_nothing_out)
{
    drawn *wheel              = steep_flange();
    kane_contact_definition d = kane_contact_definition_default();
    kane_contact *usual       = rig_create(d);
    d.wheel[0]                = &wheel->profile;
    kane_contact *steep       = rig_create(d);
    check_windows_of_gaps(usual);
    check_windows_of_gaps(steep);
    kane_contact_free(usual);
    kane_contact_free(steep);
    free(wheel);
}

CHECK_MAIN(NULL, NULL)
