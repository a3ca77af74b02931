// SPDX-License-Identifier: MIT
// The profiles S1002, 60E1, cone and round head, by their definitions and as the contact sees them.

#include "unit/contact/rig.h"
#include "contact/contact.h"
#include "contact/profile_tables.h"
#include "profile/profile.h"

static const double mm = 1e-3;

CHECK_TEST(s1002_has_the_heights_of_the_standard)
{
    static const double points[][2] = {{10, -.2084},    {-10, .52276}, {-20, 1.59656}, {-30, 3.92157},
                                       {-45, 23.53771}, {-55, 28.0},   {60, -2.63568}, {0, 0}};
    for (size_t i = 0; i < sizeof points / sizeof *points; i++)
        check_near(kane_shape_s1002(points[i][0] * mm).height, points[i][1] * mm, 6e-6 * mm);
    check_near(kane_shape_s1002(10 * mm).height, -.2084 * mm, 5e-5 * mm);
}

CHECK_TEST(s1002_has_no_corners_but_those_of_its_rounding)
{
    static const double borders[] = {60.0,          32.15796,      -26.0,         -35.0,
                                     -38.426669071, -39.764473993, -49.662510381, -62.764705882};
    for (size_t i = 0; i < sizeof borders / sizeof *borders; i++) {
        const double s          = borders[i] * mm;
        const profile_point out = kane_shape_s1002(s + 1e-13), in = kane_shape_s1002(s - 1e-13);
        check_near(out.height, in.height, 1.3e-4 * mm); // published: 3.6e-5 at -26, 1.2e-4 at -35
        check_near(out.slope, in.slope, 2e-4);
    }
}

CHECK_TEST(slopes_are_those_of_the_heights)
{
    const double h = 1e-7;
    for (double s = -66.7; s < 64.0; s += 1.37) {
        const profile_point p = kane_shape_s1002(s * mm);
        const double slope    = (kane_shape_s1002(s * mm + h).height - kane_shape_s1002(s * mm - h).height) / (2.0 * h);
        check_near(p.slope, slope, 1e-6);
    }
    for (double y = -37.9; y < 38.0; y += 0.71) {
        const profile_point p = kane_shape_60e1(y * mm);
        check_near(p.slope, (kane_shape_60e1(y * mm + h).height - kane_shape_60e1(y * mm - h).height) / (2.0 * h),
                   1e-4);
        check_near(kane_shape_round(0.3, y * mm).slope,
                   (kane_shape_round(0.3, y * mm + h).height - kane_shape_round(0.3, y * mm - h).height) / (2.0 * h),
                   1e-6);
    }
}

// Circles fitted to measured points of 60E1 (millimetres; z down from the top).
CHECK_TEST(a_60e1_head_is_made_of_its_circles)
{
    for (double y = -36.0; y <= 36.0; y += 0.25) {
        const double a = fabs(y), z = -kane_shape_60e1(y * mm).height / mm;
        if (a < 10.5)
            check_near(hypot(a, 300.0 - z), 300.0, 1e-4);
        else if (a < 25.988)
            check_near(hypot(a - 7.7, 80.1348 - z), 80.0, 1e-4);
        else if (z < 14.2)
            check_near(hypot(a - 23.0162, 14.9090 - z), 13.0, 1e-4);
    }
    check_near(kane_shape_60e1(25.988 * mm).height, -2.253 * mm, 1e-3 * mm);
    check_near(kane_shape_60e1(35.984 * mm).height, -14.0 * mm, 2e-2 * mm);
    check_near(kane_shape_60e1(38.0 * mm).slope, -20.0, 1e-12);
    check_near(kane_shape_60e1(-38.0 * mm).slope, 20.0, 1e-12);
}

// The gauge, 14 mm below the tops: on 60E1 inclined 1:40 it is met 43.04 mm from the highest point.
CHECK_TEST(the_gauge_is_found_below_the_top)
{
    for (double inclination = 0.0; inclination < 0.06; inclination += 0.025) {
        kane_contact_definition d = kane_contact_definition_default();
        d.inclination             = inclination;
        d.gauge                   = 1.432;
        kane_contact *c           = rig_create(d);
        double p[3];
        kane_contact_rail_profile(c, KANE_LEFT, 0.5 * d.gauge - kane_contact_rail_distance(c, KANE_LEFT), p);
        check_near(p[0], -14.0 * mm, 5e-7); // the face is steep: 6e-8 m across
        kane_contact_free(c);
    }
    kane_contact *c = rig_create(kane_contact_definition_default());
    check_near(kane_contact_rail_distance(c, KANE_LEFT), 760.5385 * mm, 1e-4 * mm);
    check_near(kane_contact_wheel_distance(c, KANE_LEFT), 750.0 * mm, 1e-15);
    kane_contact_free(c);

    c = rig_create(rig_cone_on_round());
    check_near(kane_contact_rail_distance(c, KANE_LEFT), 760.53 * mm, 1e-9);
    kane_contact_free(c);
}

// The origin is the highest point; the inclination leans the head to the inside.
CHECK_TEST(an_inclined_rail_has_its_origin_on_top)
{
    CHECK_OWNED(kane_contact) *c = rig_create(kane_contact_definition_default());
    double p[3], inside[3], outside[3];
    kane_contact_rail_profile(c, KANE_LEFT, 0.0, p);
    check_near(p[0], 0.0, 1e-12);
    check_near(p[1], 0.0, 1e-9);
    check_near(p[2], -1.0 / 0.3, 1e-3);

    // upright, the middle of the 300 mm crown lies 7.5 mm to the inside: 18 mm of it there, 3 mm outside
    kane_contact_rail_profile(c, KANE_LEFT, -17.5 * mm, inside);
    kane_contact_rail_profile(c, KANE_LEFT, 4.5 * mm, outside);
    check_near(inside[2], -1.0 / 0.3, 0.02);
    check_near(outside[2], -1.0 / 0.08, 0.05);
}

// A worn head with a second, lower top beside the highest one, on either side of it:
//   z = -h cos(2 pi y/L) + slope y,   L = 26 mm
// and flanks.
CHECK_TEST(the_origin_is_on_the_higher_of_two_tops)
{
    enum { POINTS = 361 };
    static double y[POINTS], z[POINTS];
    const double wave = 2.0 * acos(-1.0) / (26.0 * mm), h = 0.2 * mm;
    for (int side = -1; side <= 1; side += 2) {
        const double slope = 4e-3 * side;
        for (int i = 0; i < POINTS; i++) {
            y[i] = (-36.0 + 0.2 * i) * mm;
            z[i] = -h * cos(wave * y[i]) + slope * y[i] - 14.0 * mm * pow(y[i] / (36.0 * mm), 8.0);
        }
        const kane_profile profile = {
            .kind = KANE_PROFILE_RAIL, .shape = KANE_SHAPE_POINTS, .name = "two tops", .count = POINTS, .y = y, .z = z};
        CHECK_OWNED(kane_arena) *arena = kane_arena_create();
        form head;
        assert_int_equal(kane_form_init(&head, &profile, arena), 1);
        const rail_origin top = kane_rail_top(&head, 0.0);
        print_message("top at %.3f mm, %.4f mm\n", top.y / mm, top.z / mm);
        int at = 0;
        for (int i = 0; i < POINTS; i++)
            at = z[i] > z[at] ? i : at;
        check_near(top.y, y[at], 0.2 * mm);
        assert_true(top.z >= z[at]);
    }
}

// Where the curvature of S1002 jumps.
static int near_a_joint(double s)
{
    static const double joints[] = {60.0, 32.16, -26.0, -35.0, -38.43, -39.76, -49.66, -62.76};
    for (size_t i = 0; i < sizeof joints / sizeof *joints; i++)
        if (fabs(s - joints[i]) < 0.6)
            return 1;
    return 0;
}

CHECK_TEST(the_splines_follow_the_profiles)
{
    CHECK_OWNED(kane_contact) *c = rig_create(kane_contact_definition_default());
    double p[3];
    for (double s = -66.9; s < 64.0; s += 0.0371) {
        kane_contact_wheel_profile(c, KANE_LEFT, s * mm, p);
        const profile_point exact = kane_shape_s1002(s * mm);
        check_near(p[0], -exact.height, near_a_joint(s) ? 7e-4 * mm : 3e-6 * mm);
        check_near(p[1], -exact.slope, 0.02);
    }

    // the rail turned back upright
    const double slope = 1.0 / 40.0, cosine = 1.0 / sqrt(1.0 + slope * slope), sine = slope * cosine;
    const double top_y = 300.0 * sine, top_z = 300.0 * (1.0 - cosine); // of the inclined crown [mm], in upright axes
    for (double y = -43.6; y < 23.5; y += 0.0719) {
        kane_contact_rail_profile(c, KANE_LEFT, y * mm, p);
        const double dy = y, dz = p[0] / mm;
        const double u = dy * cosine + dz * sine + top_y, w = -dy * sine + dz * cosine - top_z;
        check_near(kane_shape_60e1(u * mm).height / mm, w, fabs(p[1]) > 3.0 ? 1e-2 : 4e-5);
    }
}

CHECK_TEST(derivatives_belong_to_their_profiles)
{
    CHECK_OWNED(kane_contact) *c = rig_create(kane_contact_definition_default());
    const double h               = 1e-6;
    for (double y = -40.0; y < 30.0; y += 2.313) {
        double p[3], up[3], down[3];
        kane_contact_rail_profile(c, KANE_LEFT, y * mm, p);
        kane_contact_rail_profile(c, KANE_LEFT, y * mm + h, up);
        kane_contact_rail_profile(c, KANE_LEFT, y * mm - h, down);
        check_near(p[1], (up[0] - down[0]) / (2.0 * h), 1e-7 * (1.0 + p[1] * p[1]) * (1.0 + fabs(p[1])));
        check_near(p[2], (up[1] - down[1]) / (2.0 * h), 1e-3 * (1.0 + fabs(p[2])));
        kane_contact_wheel_profile(c, KANE_LEFT, y * mm, p);
        kane_contact_wheel_profile(c, KANE_LEFT, y * mm + h, up);
        kane_contact_wheel_profile(c, KANE_LEFT, y * mm - h, down);
        check_near(p[1], (up[0] - down[0]) / (2.0 * h), 1e-6);
        check_near(p[2], (up[1] - down[1]) / (2.0 * h), 1e-3 * (1.0 + fabs(p[2])));
    }
}

CHECK_TEST(profiles_continue_straight_beyond_their_ends)
{
    CHECK_OWNED(kane_contact) *c = rig_create(kane_contact_definition_default());
    static const double places[] = {-0.3, 0.3};
    for (int i = 0; i < 2; i++) {
        double near[3], far[3];
        kane_contact_wheel_profile(c, KANE_LEFT, places[i], near);
        kane_contact_wheel_profile(c, KANE_LEFT, places[i] + 0.01, far);
        check_near(far[0] - near[0], 0.01 * near[1], 1e-12);
        check_near(far[2], 0.0, 0.0);
        kane_contact_rail_profile(c, KANE_LEFT, places[i], near);
        kane_contact_rail_profile(c, KANE_LEFT, places[i] + 0.01, far);
        check_near(far[0] - near[0], 0.01 * near[1], 1e-9);
        check_near(far[1], near[1], 1e-9);
    }
}

CHECK_TEST(a_cone_is_a_cone_and_a_round_head_a_circle)
{
    CHECK_OWNED(kane_contact) *c = rig_create(rig_cone_on_round());
    for (double y = -50.0; y < 51.0; y += 10.0) {
        double p[3];
        kane_contact_wheel_profile(c, KANE_LEFT, y * mm, p);
        check_near(p[0], 0.05 * y * mm, 1e-15); // higher outside, lower toward the flange side
        check_near(p[1], 0.05, 1e-12);
        kane_contact_rail_profile(c, KANE_LEFT, y * mm, p);
        check_near(p[0], sqrt(0.09 - y * y * mm * mm) - 0.3, 1e-9);
    }
}

CHECK_MAIN(NULL, NULL)
