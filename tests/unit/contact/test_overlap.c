// SPDX-License-Identifier: MIT
// The overlap law: the geometry of a yawed wheel, the area, Hertz' solution where the gap is a parabola, lobes.

#include "unit/contact/rig.h"
#include "contact/contact.h"
#include "contact/overlap.h"

// A left wheel's pose, for which side axes and rail axes are the same.
static wheel_pose pose_of(const kane_contact *c, rig_pose p)
{
    const kane_wheel_motion m = rig_motion(c, c->definition.radius[0], KANE_LEFT, p, 0.0, 0.0);
    return (wheel_pose){m.centre.y, m.centre.z, m.axle};
}

static contact_locus contact_locus_of(const kane_contact *c, rig_pose p)
{
    const wheel_pose pose = pose_of(c, p);
    return contact_locus_init(&c->pair[0]->wheel, &c->pair[0]->rail, &pose);
}

// A point of the outline must lie on the wheel, and the wheel's surface there must be seen edge-on along the rail.
CHECK_TEST(the_outline_of_a_yawed_wheel_touches_its_surface)
{
    for (double yaw = -0.04; yaw <= 0.041; yaw += 0.02)
        for (double s = -0.060; s < 0.06; s += 0.0031) {
            const wheel_pose pose = pose_of(steel, (rig_pose){0.003, 0.0, 0.01, yaw});
            const contact_locus g = contact_locus_init(&steel->pair[0]->wheel, &steel->pair[0]->rail, &pose);
            const overlap o       = overlap_at(&g, s);
            const double V = o.v + steel->pair[0]->wheel.radius, R = o.RR1 / o.R1;
            const kane_vec3 e = pose.axle;
            const kane_vec3 p = kv3(e.x * (s + o.RR1), o.U * g.uy + V * g.uz, o.U * g.uz - V * g.uy);

            const kane_vec3 radial = kv3_add_scaled(p, -s, e);
            check_near(kv3_dot(p, e), s, 1e-9);
            check_near(kv3_norm(radial), R, 1e-9);
            const kane_vec3 normal = kv3_add_scaled(kv3_scale(1.0 / R, radial), -o.R1, e);
            check_near(normal.x, 0.0, 1e-8);
        }
}

CHECK_TEST(the_overlap_is_the_distance_of_both_curves)
{
    const rig_pose where  = {0.002, -0.0001, -0.003, 0.015};
    const contact_locus g = contact_locus_of(steel, where);
    for (double s = -0.045; s < 0.03; s += 0.0017) {
        // from the outline's point straight along zeta to the rail
        const overlap o = overlap_at(&g, s);
        const double V = o.v + steel->pair[0]->wheel.radius, y = g.y + o.U * g.uy + V * g.uz,
                     z      = g.z + o.U * g.uz - V * g.uy;
        const double rail_y = y - o.p * KANE_TILT_SIN, rail_z = z + o.p * KANE_TILT_COS;
        double head[3];
        kane_contact_rail_profile(steel, KANE_LEFT, rail_y, head);
        check_near(rail_z, head[0], 1e-13 * (1.0 + fabs(head[1])));
    }
}

CHECK_TEST(derivatives_along_the_profile_are_those_of_the_overlap)
{
    const double h = 1e-7;
    for (int yawed = 0; yawed < 2; yawed++) {
        const contact_locus g = contact_locus_of(steel, (rig_pose){0.004, 0.0, 0.008, yawed ? 0.03 : 0.0});
        for (double s = -0.045035; s < 0.03; s += 0.00171) {
            const overlap o = overlap_at(&g, s), up = overlap_at(&g, s + h), down = overlap_at(&g, s - h);
            check_near(o.p1, (up.p - down.p) / (2.0 * h), 2e-6);
            check_near(o.eta1, (up.eta - down.eta) / (2.0 * h), 2e-6);
            check_near(o.slope, (up.rail - down.rail) / (up.eta - down.eta), 2e-6);
            check_near(o.p2, (up.p1 - down.p1) / (2.0 * h), 1e-4 * (1.0 + fabs(o.p2)));
        }
    }
}

static int spots_of(const kane_contact *c, rig_pose p, contact_patch spots[KANE_PATCHES_MAX])
{
    const contact_locus g = contact_locus_of(c, p);
    penetrations found;
    kane_penetrations_search(&g, &c->pair[0]->windows, &found);
    return kane_overlap_patches(&g, &found, c->hertz, c->E_star, spots);
}

// One lobe by brute force: the area above the level, its centre and mean slope from 20000 points, and from them the
// law.
CHECK_TEST(the_force_is_that_of_the_area)
{
    static const rig_pose poses[] = {{-0.004, 0, 0, 0},     {-0.002, 0, 0.001, 0.02}, {0.003, 0, -0.002, 0},
                                     {0.004, 0, 0, 0.025},  {0.0075, 0, 0, 0.0},      {0.0065, 0, 0, 0.03},
                                     {0.008, 0, 0, -0.012}, {0.0072, 0, 0.004, 0.04}, {0.003, 0, 0, -0.04}};
    for (size_t k = 0; k < sizeof poses / sizeof *poses; k++) {
        rig_pose p = poses[k];
        p.z        = rig_height(steel, 0.46, KANE_LEFT, p, 2e4);
        contact_patch spots[KANE_PATCHES_MAX];
        if (spots_of(steel, p, spots) != 1)
            fail_msg("pose %zu has more than one contact", k);

        const contact_locus g = contact_locus_of(steel, p);
        const int n           = 40000;
        const double first = spots->wheel_y - 0.012, step = 0.024 / n;
        double deepest = 0.0, area = 0.0, moment = 0.0, rise = 0.0;
        for (int i = 0; i <= n; i++)
            deepest = fmax(deepest, overlap_at(&g, first + i * step).p);
        for (int i = 0; i < n; i++) {
            const overlap a = overlap_at(&g, first + i * step), b = overlap_at(&g, first + (i + 1) * step);
            const double q = 0.5 * (a.p + b.p) - KANE_LEVEL * deepest;
            if (q <= 0.0)
                continue;
            area += q * (b.eta - a.eta);
            moment += q * (b.eta - a.eta) * 0.5 * (a.eta + b.eta);
            rise += q * (b.rail - a.rail);
        }
        const double slope = rise / area, cosine = 1.0 / sqrt(1.0 + slope * slope);
        const double height   = (1.0 - KANE_LEVEL) * deepest;
        const double B        = 16.0 / 9.0 * pow(height, 3) / (area * area) * pow(cosine, 3);
        const double angle    = atan(slope) + atan2(KANE_TILT_SIN, KANE_TILT_COS);
        const double A        = 0.5 * cos(angle) / spots->radius;
        const hertz_numbers h = kane_hertz_numbers(log(B / A));
        const double N        = steel->E_star * sqrt(B / (A + B)) * pow(h.r, -1.5) * area * pow(1.0 - KANE_LEVEL, -1.5);

        check_relative(spots->approach, deepest * cosine, 4e-4); // the direction is a quadrature's
        check_relative(spots->N, N, 2e-3);                       // A knows the yaw
        check_near(atan2(-spots->normal.y, spots->normal.z), angle, 4e-4);
        double head[3];
        kane_contact_rail_profile(steel, KANE_LEFT, spots->rail_y, head);
        check_near(spots->rail_y * KANE_TILT_COS + head[0] * KANE_TILT_SIN, moment / area, 3e-5);
    }
}

// The area itself, from which N is, to its last digits: N ~ J^(1 - 2 chi) at fixed depth, so compare J alone.
CHECK_TEST(the_area_is_exact_for_any_yaw)
{
    for (double yaw = 0.0; yaw <= 0.041; yaw += 0.01)
        for (double y = -0.004; y < 0.009; y += 0.003) {
            rig_pose p            = {y, 0.0, 0.001, yaw};
            p.z                   = rig_height(steel, 0.46, KANE_LEFT, p, 3e4);
            const contact_locus g = contact_locus_of(steel, p);
            penetrations found;
            contact_patch spots[KANE_PATCHES_MAX];
            kane_penetrations_search(&g, &steel->pair[0]->windows, &found);
            if (found.count != 1 || kane_overlap_patches(&g, &found, steel->hertz, steel->E_star, spots) != 1)
                continue;

            // Simpson's rule on the cells of the tables, cut at the ends
            const double level = KANE_LEVEL * found.at[0].peak.p, s0 = found.at[0].peak.s;
            double area       = 0.0;
            const double step = 2e-6;
            for (double s = s0 - 0.02; s < s0 + 0.02; s += step) {
                const overlap a = overlap_at(&g, s), m = overlap_at(&g, s + 0.5 * step), b = overlap_at(&g, s + step);
                if (a.p > level && b.p > level)
                    area +=
                        step / 6.0 * ((a.p - level) * a.eta1 + 4.0 * (m.p - level) * m.eta1 + (b.p - level) * b.eta1);
                else if (a.p > level || b.p > level) // the end: a triangle
                    area += 0.5 * pow(fmax(a.p, b.p) - level, 2) / fabs(m.p1) * m.eta1;
            }

            // N and the ellipse give J back: a/b gives B/A, N then J
            double low = -14.0, high = 14.0;
            for (int i = 0; i < 80; i++) {
                const hertz_shape h = kane_hertz_shape(steel->hertz, 0.5 * (low + high));
                if (h.along / h.across > spots->a / spots->b)
                    high = 0.5 * (low + high);
                else
                    low = 0.5 * (low + high);
            }
            const double above = 1.0 - KANE_LEVEL;
            const double J = spots->N * above * sqrt(above) / (steel->E_star * kane_hertz_shape(steel->hertz, low).h);
            check_relative(J, area, yaw < 0.025 ? 2e-6 : 1e-4); // the series in yaw ends somewhere
        }
}

// A cone on a round rail, solved by its overlap like all other pairs.
static kane_contact *create_by_overlap(kane_contact_definition definition)
{
    kane_contact *c    = rig_create(definition);
    contact_pair *pair = (contact_pair *)(uintptr_t)c->pair[0]; // its own: nobody shares it
    pair->method       = CONTACT_OVERLAP;
    kane_window_table_init(&pair->windows, &pair->wheel, &pair->rail, pair->wheel_distance - pair->rail_distance);
    return c;
}

// A cone on a round rail has a parabolic gap: what the overlap gives must be what the closed form gives.
CHECK_TEST(a_parabolic_gap_is_hertz)
{
    CHECK_OWNED(kane_contact) *closed     = rig_create(rig_cone_on_round()),
                              *by_overlap = create_by_overlap(rig_cone_on_round());
    for (double yaw = -0.03; yaw <= 0.031; yaw += 0.015)
        for (double y = -0.006; y <= 0.0061; y += 0.003) {
            rig_pose p                  = {y, 0.0, 0.002, yaw};
            p.z                         = rig_height(closed, 0.46, KANE_LEFT, p, 5e4);
            const kane_wheel_motion m   = rig_motion(closed, 0.46, KANE_LEFT, p, 20.0, 43.6);
            const kane_contact_result a = rig_eval(closed, KANE_LEFT, &m), b = rig_eval(by_overlap, KANE_LEFT, &m);
            assert_int_equal(a.patch_count, 1);
            assert_int_equal(b.patch_count, 1);
            check_relative(b.patch[0].approach, a.patch[0].approach, 2e-5);
            check_relative(b.patch[0].N, a.patch[0].N, 3e-4);
            check_relative(b.patch[0].a, a.patch[0].a, 3e-4);
            check_relative(b.patch[0].b, a.patch[0].b, 3e-4);
            check_vec3(b.patch[0].point, a.patch[0].point, 2e-5);
            check_vec3(b.patch[0].normal, a.patch[0].normal, 1e-5);
            check_near(b.patch[0].radius, a.patch[0].radius, 1e-6);
            check_near(b.patch[0].wheel_y, a.patch[0].wheel_y, 2e-5);
            check_near(b.patch[0].rail_y, a.patch[0].rail_y, 2e-5);
            check_vec3(b.on_wheel.force, a.on_wheel.force, 20.0);
            check_vec3(b.on_wheel.torque, a.on_wheel.torque, 8.0);
        }
}

// Heads and wheels of any size, along and across: ellipses from 1:30 to 30:1.
CHECK_TEST(parabolic_gaps_of_any_curvature_are_hertz)
{
    static const double radii[][2] = {{0.46, 0.08}, {0.2, 3.0}, {1.5, 0.03}, {0.15, 10.0}};
    for (int k = 0; k < 4; k++) {
        kane_contact_definition d = rig_cone_on_round();
        const kane_profile flat = kane_profile_cone(0.0), head = kane_profile_round(radii[k][1]);
        d.radius[0]                  = radii[k][0];
        d.wheel[0]                   = &flat;
        d.rail[0]                    = &head;
        CHECK_OWNED(kane_contact) *c = create_by_overlap(d);
        const double A = 0.5 / d.radius[0], B = 0.5 / head.radius;
        for (double load = 1e2; load < 1e5; load *= 10.0) {
            rig_pose p         = {0.0, 0.0, 0.0, 0.0};
            const kane_hertz h = kane_hertz_eval(A, B, c->E_star, load);
            p.z                = -h.approach;
            contact_patch spots[KANE_PATCHES_MAX];
            assert_int_equal(spots_of(c, p, spots), 1);
            check_relative(spots->approach, h.approach, 1e-6);
            // across, an arc is a parabola only up to (b/R)^2, and the rail a spline
            const double arc = 6e-5 + 2.0 * pow(h.b / head.radius, 2);
            check_relative(spots->N, load, arc);
            check_relative(spots->a, h.a, arc);
            check_relative(spots->b, h.b, arc);
        }
    }
}

// N ~ penetration^3/2 down to the last newton and far below.
CHECK_TEST(a_wheel_unloads_like_hertz)
{
    static const rig_pose poses[] = {{-0.003, 0, 0, 0}, {0.003, 0, 0, 0.005}, {0.0075, 0, 0, 0.01}};
    for (int k = 0; k < 3; k++) {
        rig_pose p          = poses[k];
        const double height = rig_height(steel, 0.46, KANE_LEFT, p, 1e-9);
        double before = 0.0, before_N = 0.0;
        for (double depth = 1e-9; depth < 2e-5; depth *= 2.0) {
            contact_patch spots[KANE_PATCHES_MAX];
            p.z             = height - depth;
            const int count = spots_of(steel, p, spots);
            assert_int_equal(count, 1);
            const double slope = log(spots->N / before_N) / log(spots->approach / before);
            if (before > 0.0 && depth > 5e-9)
                check_near(slope, 1.5, 0.02);
            before   = spots->approach;
            before_N = spots->N;
            check_relative(spots->a / sqrt(spots->approach), spots->b / sqrt(spots->approach) * spots->a / spots->b,
                           1e-12);
        }
        p.z = height + 1e-9;
        contact_patch none[KANE_PATCHES_MAX];
        assert_int_equal(spots_of(steel, p, none), 0);
    }
}

// Looking at part of the wheel only must give the same lobes, to the last bit, as looking at all of it.
CHECK_TEST(the_window_never_changes_a_result)
{
    static window_table everything;
    everything              = steel->pair[0]->windows;
    everything.y            = 1e9; // no pose is in its range
    unsigned long long seed = 7;
    for (int i = 0; i < 40000; i++) {
        rig_pose p = {rig_random(&seed, -0.012, 0.012), 0.0, rig_random(&seed, -0.02, 0.02),
                      rig_random(&seed, -0.04, 0.04)};
        p.z        = rig_random(&seed, -0.004, 0.003);
        // near to touching, where it matters
        contact_locus g = contact_locus_of(steel, p);
        double nodes[KANE_WHEEL_NODES], deepest = -1.0;
        kane_window_scan(&g, 0, steel->pair[0]->wheel.nodes.count - 1, nodes);
        for (int k = 0; k < steel->pair[0]->wheel.nodes.count; k++)
            deepest = fmax(deepest, nodes[k]);
        p.z += deepest - rig_random(&seed, 0.0, 2e-4);
        g = contact_locus_of(steel, p);

        penetrations part, all;
        kane_penetrations_search(&g, &steel->pair[0]->windows, &part);
        kane_penetrations_search(&g, &everything, &all);
        if (part.count != all.count)
            fail_msg("pose %d (%g %g %g %g): %d lobes in the window, %d in all", i, p.y, p.z, p.roll, p.yaw, part.count,
                     all.count);
        for (int k = 0; k < all.count; k++)
            assert_memory_equal(&part.at[k].peak, &all.at[k].peak, sizeof part.at[k].peak);
    }
}

// Shares of patches that grow together sum up: every lobe is counted once.
CHECK_TEST(shares_of_joining_patches_are_a_partition)
{
    int mixed = 0;
    for (double y = -0.001; y < 0.001; y += 2e-5) {
        rig_pose p = {y, 0.0, 0.0, 0.0};
        p.z        = rig_height(steel, 0.46, KANE_LEFT, p, 1e4);
        contact_patch spots[KANE_PATCHES_MAX];
        const int count = spots_of(steel, p, spots);
        if (count == 3) { // alone, both, alone
            mixed++;
            check_near(spots[0].share, spots[2].share, 1e-15);
            check_near(spots[0].share + spots[1].share, 1.0, 1e-15);
            assert_true(spots[0].wheel_y < spots[1].wheel_y && spots[0].wheel_y < spots[2].wheel_y);
        } else {
            for (int i = 0; i < count; i++)
                check_near(spots[i].share, 1.0, 0.0);
        }
    }
    assert_true(mixed > 5);
}

// With more lobes than are kept, the deepest stay.
CHECK_TEST(the_deepest_lobes_are_kept)
{
    unsigned long long seed = 11;
    for (int i = 0; i < 20000; i++) {
        const rig_pose p      = {rig_random(&seed, -0.03, 0.03), rig_random(&seed, -0.02, 0.01),
                                 rig_random(&seed, -0.05, 0.05), rig_random(&seed, -0.06, 0.06)};
        const contact_locus g = contact_locus_of(steel, p);
        penetrations found;
        kane_penetrations_search(&g, &steel->pair[0]->windows, &found);
        assert_true(found.count <= KANE_PENETRATIONS_MAX);
        for (int k = 0; k + 1 < found.count; k++) {
            assert_true(found.at[k].peak.s < found.at[k + 1].peak.s);
            assert_true(found.at[k].right_p < found.at[k].peak.p && found.at[k + 1].left_p < found.at[k + 1].peak.p);
            assert_true(found.at[k].right <= found.at[k + 1].peak.s && found.at[k].right >= found.at[k].peak.s);
        }
    }
}

CHECK_MAIN(make_steel, free_steel)
