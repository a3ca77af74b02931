// SPDX-License-Identifier: MIT
// Single defects: their formulas, worked out here in other words, and where they lie.

#include "lines.h"

enum { SHAPES_OF_DEFECTS = KANE_DEFECT_JOG + 1 };

static kane_track *build_defects(int count, const kane_defect_definition *defects, double start)
{
    const kane_section_definition section = straight(300.0);
    kane_track_definition d               = kane_track_definition_default();
    d.start                               = start;
    d.defect_count                        = count;
    d.defects                             = defects;
    return build_line(d, 1, &section);
}

// One metre high, x from its middle.
static double formula(kane_defect_shape shape, double L, double x)
{
    const double t = fmin(fmax(x / L + 0.5, 0.0), 1.0);
    switch (shape) {
    case KANE_DEFECT_COSINE: return fabs(x) < 0.5 * L ? pow(cos(pi * x / L), 2) : 0.0;
    case KANE_DEFECT_RAMP: return pow(t, 3) * (10.0 - 15.0 * t + 6.0 * t * t);
    case KANE_DEFECT_CUSP: return exp(-(hypot(x, L / 20.0) - L / 20.0) / L);
    default: return 0.5 * (1.0 + sin(atan(2.0 * x / L)));
    }
}

// The rounding of the cosine moves it by no more than (pi r/L)^2/6 of its height, r = L/50.
CHECK_TEST(defects_have_their_shapes)
{
    for (int shape = 0; shape < SHAPES_OF_DEFECTS; shape++) {
        const kane_defect_definition e = {.kind   = KANE_LEFT_VERTICAL,
                                          .shape  = (kane_defect_shape)shape,
                                          .at     = 1120.0,
                                          .length = 3.0,
                                          .height = -0.008};
        CHECK_OWNED(kane_track) *track = build_defects(1, &e, 1000.0);
        assert_true(kane_track_is_irregular(track));
        for (int i = -4000; i <= 8000; i++) { // far before and behind the line, too
            const double s = 0.05 * i, z = -0.008 * formula(e.shape, 3.0, s - 120.0);
            check_near(rail_at(track, KANE_LEFT, s).z, z, shape == KANE_DEFECT_COSINE ? 0.008 * 6.6e-4 : 1e-16);
            check_near(rail_at(track, KANE_LEFT, s).y, 0.0, 0.0);
            check_near(rail_at(track, KANE_RIGHT, s).z, 0.0, 0.0);
        }
    }
}

// Inside, the mean of a cosine over r is the cosine times sin(k r/2)/(k r/2).
CHECK_TEST(rounded_cosine_is_a_mean)
{
    const kane_defect_definition e = {.kind = KANE_LATERAL, .at = 100.0, .length = 5.0, .height = 0.01};
    CHECK_OWNED(kane_track) *track = build_defects(1, &e, 0.0);
    const double k = 2.0 * pi / 5.0, half = 0.5 * k * 0.1, part = sin(half) / half;
    for (int i = -24; i <= 24; i++) {
        const double x = 0.1 * i;
        check_near(rail_at(track, KANE_RIGHT, 100.0 + x).y, 0.005 * (1.0 + part * cos(k * x)), 1e-15);
        check_near(rail_at(track, KANE_RIGHT, 100.0 + x).y_ss, -0.005 * k * k * part * cos(k * x), 1e-12);
    }
    check_near(rail_at(track, KANE_RIGHT, 100.0 + 2.56).y, 0.0, 0.0);
    check_near(rail_at(track, KANE_RIGHT, 100.0 - 2.56).y, 0.0, 0.0);
}

// All shapes at once on the right rail, in the fade-in, too: derivatives by differences, and no step of the second one.
CHECK_TEST(derivatives_belong_to_the_displacement)
{
    kane_defect_definition e[SHAPES_OF_DEFECTS];
    for (int shape = 0; shape < SHAPES_OF_DEFECTS; shape++)
        e[shape] = (kane_defect_definition){.kind   = shape % 2 ? KANE_RIGHT_LATERAL : KANE_VERTICAL,
                                            .shape  = (kane_defect_shape)shape,
                                            .at     = 40.0 + 3.0 * shape,
                                            .length = 2.0,
                                            .height = 0.01};
    const kane_section_definition section = straight(300.0);
    kane_track_definition d               = kane_track_definition_default();
    d.defect_count                        = SHAPES_OF_DEFECTS;
    d.defects                             = e;
    d.fade_in_from                        = 30.0;
    d.fade_in_length                      = 20.0;
    CHECK_OWNED(kane_track) *track        = build_line(d, 1, &section);
    kane_rail_offset before               = rail_at(track, KANE_RIGHT, 20.0);
    for (int i = 1; i < 80000; i++) {
        const double s           = 20.0 + 0.0005 * i;
        const kane_rail_offset o = rail_at(track, KANE_RIGHT, s);
        check_below(fabs(o.y_ss - before.y_ss), 1e-3); // the sharpest: 3e-2 1/m at the cusp, within 0.1 m
        check_below(fabs(o.z_ss - before.z_ss), 1e-3);
        before = o;
        if (i % 20 == 0) {
            double slope[4];
            differentiate(displacement, track, 4, s, 1e-3, slope);
            check_near(o.y_s, slope[0], 1e-10);
            check_near(o.z_s, slope[1], 1e-10);
            check_near(o.y_ss, slope[2], 2e-4); // across the corners of the third derivative
            check_near(o.z_ss, slope[3], 2e-4);
        }
    }
    for (int i = 0; i < 4000; i++) { // between the corners of the third derivative
        const double s = 20.005 + 0.01 * i, h = 1e-4;
        const kane_rail_offset a = rail_at(track, KANE_RIGHT, s - h), b = rail_at(track, KANE_RIGHT, s + h);
        const kane_rail_offset o = rail_at(track, KANE_RIGHT, s);
        check_near(o.y_sss, (b.y_ss - a.y_ss) / (2.0 * h), 2e-6);
        check_near(o.z_sss, (b.z_ss - a.z_ss) / (2.0 * h), 2e-6);
    }
}

// On smooth track nothing is passed over: up to a stretch and a quarter of it, and quarters within.
CHECK_TEST(short_things_are_seen_from_afar)
{
    const kane_defect_definition e[] = {
        {.kind = KANE_VERTICAL, .shape = KANE_DEFECT_COSINE, .at = 100.0, .length = 2.0, .height = 0.001},
        {.kind = KANE_LATERAL, .shape = KANE_DEFECT_CUSP, .at = 80.0, .length = 0.5, .height = 0.001},
    };
    const kane_friction_change wet = {
        .rails = KANE_BOTH_RAILS, .from = 90.0, .to = 120.0, .friction = 0.1, .over = 2.0};
    const kane_section_definition section = straight(300.0);
    kane_track_definition d               = kane_track_definition_default();
    kane_track *smooth                    = build_line(d, 1, &section);
    assert_true(kane_track_ahead(smooth, 10.0) == HUGE_VAL);
    kane_track_free(smooth);
    d.defect_count                 = 2;
    d.defects                      = e;
    d.friction_change_count        = 1;
    d.friction_changes             = &wet;
    CHECK_OWNED(kane_track) *track = build_line(d, 1, &section);
    check_near(kane_track_ahead(track, 10.0), 68.0 + 0.125, 1e-12);
    check_near(kane_track_ahead(track, 79.0), 0.125, 1e-12);
    check_near(kane_track_ahead(track, 83.0), 6.0 + 8.0, 1e-12); // the friction
    check_near(kane_track_ahead(track, 95.0), 4.0 + 0.5, 1e-12); // in the friction, before the dip
    check_near(kane_track_ahead(track, 100.5), 0.5, 1e-12);
    check_near(kane_track_ahead(track, 101.0), 8.0, 1e-12);
    assert_true(kane_track_ahead(track, 121.0) == HUGE_VAL);
}

// Hundreds of them find each other's lists: the sum is that of all formulas.
CHECK_TEST(many_defects_are_added_up)
{
    enum { MANY = 300 };
    static kane_defect_definition e[MANY];
    for (int i = 0; i < MANY; i++)
        e[i] = (kane_defect_definition){.kind   = i % 3 ? KANE_LEFT_VERTICAL : KANE_CROSS_LEVEL,
                                        .shape  = (kane_defect_shape)(i % SHAPES_OF_DEFECTS),
                                        .at     = fmod(37.7 * i, 310.0) - 5.0,
                                        .length = 0.3 + 0.1 * (i % 40),
                                        .height = 0.001 * (1 + i % 5)};
    CHECK_OWNED(kane_track) *track = build_defects(MANY, e, 0.0);
    for (int k = -100; k < 3200; k++) {
        double z = 0.0;
        for (int i = 0; i < MANY; i++) {
            double w[3] = {formula(e[i].shape, e[i].length, 0.1 * k - e[i].at)};
            z += (i % 3 ? 1.0 : 0.5) * e[i].height * w[0];
        }
        check_near(rail_at(track, KANE_LEFT, 0.1 * k).z, z, 1e-5); // the rounded cosines
    }
}

CHECK_MAIN(NULL, NULL)
