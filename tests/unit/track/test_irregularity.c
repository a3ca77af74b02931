// SPDX-License-Identifier: MIT
// Irregularities of the rails: what each kind moves, and that the table is the sum of sines.

#include "lines.h"

static kane_track *build_rough(kane_track_definition d, int count, const kane_irregularity_definition *waves)
{
    const kane_section_definition section = straight(300.0);
    d.irregularity_count                  = count;
    d.irregularities                      = waves;
    return build_line(d, 1, &section);
}

static void check_offset(kane_rail_offset o, double y, double z, double y_s, double z_s, double tolerance)
{
    check_near(o.y, y, tolerance);
    check_near(o.z, z, tolerance);
    check_near(o.y_s, y_s, 20.0 * tolerance); // a wave of 6 m: the slope is that much more sensitive
    check_near(o.z_s, z_s, 20.0 * tolerance);
}

// The same for second derivatives: a polynomial of degree five over a twelfth of a wave loses two orders there.
static void check_bend(kane_rail_offset o, double y_ss, double z_ss, double tolerance)
{
    check_near(o.y_ss, y_ss, tolerance);
    check_near(o.z_ss, z_ss, tolerance);
}

// amplitude sin(2 pi s/wavelength + phase): at the crest, the rails are where the conventions put them.
CHECK_TEST(kinds_of_irregularity_move_the_rails_they_name)
{
    const double a              = 0.004;
    static const double y[8][2] = {{1.0, 1.0}, {0.0, 0.0}, {0.0, 0.0}, {0.5, -0.5},
                                   {1.0, 0.0}, {0.0, 0.0}, {0.0, 1.0}, {0.0, 0.0}};
    static const double z[8][2] = {{0.0, 0.0}, {1.0, 1.0}, {0.5, -0.5}, {0.0, 0.0},
                                   {0.0, 0.0}, {1.0, 0.0}, {0.0, 0.0},  {0.0, 1.0}};

    for (int kind = 0; kind < 8; kind++) {
        const kane_irregularity_definition wave = {
            .kind = (kane_irregularity_kind)kind, .amplitude = a, .wavelength = 6.0, .phase = 0.3};
        CHECK_OWNED(kane_track) *track = build_rough(kane_track_definition_default(), 1, &wave);
        assert_true(kane_track_is_irregular(track));
        for (int i = 0; i <= 300; i++)
            for (int side = 0; side < 2; side++) {
                const double k = 2.0 * pi / 6.0, S = a * sin(k * i + 0.3), C = a * k * cos(k * i + 0.3);
                const kane_rail_offset o = rail_at(track, (kane_side)side, i);
                check_offset(o, y[kind][side] * S, z[kind][side] * S, y[kind][side] * C, z[kind][side] * C, 1e-6 * a);
                check_bend(o, -k * k * y[kind][side] * S, -k * k * z[kind][side] * S, 1e-4 * k * k * a);
                const kane_rail_offset left = rail_at(track, KANE_LEFT, i), right = rail_at(track, KANE_RIGHT, i);
                check_near(kane_irregularity_measure((kane_irregularity_kind)kind, &left, &right), S, 1e-6 * a);
            }
    }
}

CHECK_TEST(track_without_irregularities_has_its_rails_in_place)
{
    const kane_section_definition section = straight(300.0);
    CHECK_OWNED(kane_track) *track        = build_line(kane_track_definition_default(), 1, &section);

    assert_false(kane_track_is_irregular(track));
    check_offset(rail_at(track, KANE_LEFT, 100.0), 0.0, 0.0, 0.0, 0.0, 0.0);
    check_bend(rail_at(track, KANE_LEFT, 100.0), 0.0, 0.0, 0.0);
}

// Many waves of all kinds; directly summed here.
enum { WAVES = 40 };

static void make_waves(kane_irregularity_definition *waves)
{
    for (int i = 0; i < WAVES; i++)
        waves[i] = (kane_irregularity_definition){.kind       = (kane_irregularity_kind)(i % 4),
                                                  .amplitude  = 0.001 / (1 + i % 7),
                                                  .wavelength = 1.5 + 0.77 * i,
                                                  .phase      = 2.3 * i};
}

// kinds 0 to 3
static kane_rail_offset sum_of(const kane_irregularity_definition *waves, int side, double s)
{
    kane_rail_offset o = {0};
    for (int i = 0; i < WAVES; i++) {
        const kane_irregularity_definition *w = &waves[i];
        const double k = 2.0 * pi / w->wavelength, S = w->amplitude * sin(k * s + w->phase);
        const double C = w->amplitude * k * cos(k * s + w->phase), half = side == KANE_LEFT ? 0.5 : -0.5;
        switch (w->kind) {
        case KANE_LATERAL: o.y += S, o.y_s += C; break;
        case KANE_VERTICAL: o.z += S, o.z_s += C; break;
        case KANE_CROSS_LEVEL: o.z += half * S, o.z_s += half * C; break;
        case KANE_GAUGE: o.y += half * S, o.y_s += half * C; break;
        default: break;
        }
    }
    return o;
}

CHECK_TEST(rails_follow_the_sum_of_all_sines)
{
    kane_irregularity_definition waves[WAVES];
    make_waves(waves);
    CHECK_OWNED(kane_track) *track = build_rough(kane_track_definition_default(), WAVES, waves);

    for (int i = -3000; i <= 6000; i++) { // also far before and behind the track
        const double s = 0.1003 * i;
        for (int side = 0; side < 2; side++) {
            const kane_rail_offset o = rail_at(track, (kane_side)side, s), e = sum_of(waves, side, s);
            check_near(o.y, e.y, 1e-9);
            check_near(o.z, e.z, 1e-9);
            check_near(o.y_s, e.y_s, 2e-8);
            check_near(o.z_s, e.z_s, 2e-8);
        }
    }
}

// Slope and second derivative belong to the value, also while irregularities fade in (20 .. 50 m), and the second
// derivative has no step between two polynomials (1/8 m apart): over h it changes by no more than h times the third
// one.
CHECK_TEST(derivatives_are_those_of_the_displacement_and_continuous)
{
    kane_irregularity_definition waves[WAVES];
    make_waves(waves);
    kane_track_definition d        = kane_track_definition_default();
    d.fade_in_from                 = 20.0;
    d.fade_in_length               = 30.0;
    CHECK_OWNED(kane_track) *track = build_rough(d, WAVES, waves);
    double third                   = 0.0; // bound of the third derivative, with some room for fade-in and polynomials

    for (int i = 0; i < WAVES; i++)
        third += 1.5 * waves[i].amplitude * pow(2.0 * pi / waves[i].wavelength, 3);
    kane_rail_offset before = rail_at(track, KANE_RIGHT, 0.0);
    for (int i = 1; i < 60000; i++) {
        const double s = 0.0025 * i, h = 0.003;
        const kane_rail_offset o = rail_at(track, KANE_RIGHT, s);
        assert_true(fabs(o.y_ss - before.y_ss) < 0.0025 * third);
        assert_true(fabs(o.z_ss - before.z_ss) < 0.0025 * third);
        before = o;
        if (fabs(s * 8.0 - round(s * 8.0)) < 0.06)
            continue; // differences across a border would see the step of the third derivative
        double slope[4];
        differentiate(displacement, track, 4, s, h, slope);
        check_near(o.y_s, slope[0], 1e-11);
        check_near(o.z_s, slope[1], 1e-11);
        check_near(o.y_ss, slope[2], 1e-10);
        check_near(o.z_ss, slope[3], 1e-10);
        const kane_rail_offset a = rail_at(track, KANE_RIGHT, s - h), b = rail_at(track, KANE_RIGHT, s + h);
        check_near(o.y_sss, (b.y_ss - a.y_ss) / (2.0 * h), 1e-4 * third);
        check_near(o.z_sss, (b.z_ss - a.z_ss) / (2.0 * h), 1e-4 * third);
    }
}

// 10 x^3 - 15 x^4 + 6 x^5 of the full size
CHECK_TEST(irregularities_fade_in)
{
    kane_irregularity_definition waves[WAVES];
    make_waves(waves);
    kane_track_definition d        = kane_track_definition_default();
    CHECK_OWNED(kane_track) *full  = build_rough(d, WAVES, waves);
    d.fade_in_from                 = 40.0;
    d.fade_in_length               = 25.0;
    CHECK_OWNED(kane_track) *faded = build_rough(d, WAVES, waves);

    for (int i = -20; i <= 300; i++) {
        const double s = i + 0.37, x = fmin(fmax((s - 40.0) / 25.0, 0.0), 1.0);
        const double f = pow(x, 3) * (10.0 - 15.0 * x + 6.0 * x * x), f_s = 30.0 * pow(x * (1.0 - x), 2) / 25.0;
        const kane_rail_offset a = rail_at(full, KANE_LEFT, s), b = rail_at(faded, KANE_LEFT, s);
        const double f_ss = (60.0 * x - 180.0 * x * x + 120.0 * x * x * x) / (25.0 * 25.0);
        check_offset(b, f * a.y, f * a.z, f * a.y_s + f_s * a.y, f * a.z_s + f_s * a.z, 1e-17);
        check_bend(b, f * a.y_ss + 2.0 * f_s * a.y_s + f_ss * a.y, f * a.z_ss + 2.0 * f_s * a.z_s + f_ss * a.z, 1e-16);
    }
}

// Waves too short for a table of the whole line are summed.
CHECK_TEST(very_short_waves_are_summed)
{
    const kane_irregularity_definition wave = {.kind = KANE_VERTICAL, .amplitude = 1e-5, .wavelength = 0.002};
    CHECK_OWNED(kane_track) *track          = build_rough(kane_track_definition_default(), 1, &wave);
    for (int i = 0; i < 100; i++) {
        const double s = 100.0 + 0.000137 * i, k = 2.0 * pi / 0.002;
        check_near(rail_at(track, KANE_LEFT, s).z, 1e-5 * sin(k * s), 1e-15);
        check_near(rail_at(track, KANE_LEFT, s).z_s, 1e-5 * k * cos(k * s), 1e-11);
        check_near(rail_at(track, KANE_LEFT, s).z_ss, -1e-5 * k * k * sin(k * s), 1e-7);
    }
}

CHECK_TEST(kinds_stay_apart_at_kilometre_100)
{
    const kane_irregularity_definition wave = {.kind = KANE_LATERAL, .amplitude = 0.003, .wavelength = 8.0};
    kane_track_definition d                 = kane_track_definition_default();
    d.start                                 = 1e5;
    CHECK_OWNED(kane_track) *track          = build_rough(d, 1, &wave);
    for (int i = 0; i < 300; i++) // 100 km are 12500 waves
        check_near(rail_at(track, KANE_LEFT, i).y, 0.003 * sin(2.0 * pi * (i % 8) / 8.0), 3e-9);
}

CHECK_MAIN(NULL, NULL)
