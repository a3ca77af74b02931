// SPDX-License-Identifier: MIT
// The vertical plane: grades, vertical arcs, and the climb of the centre line where a ramp turns about the inner rail.

#include "lines.h"

static kane_track *build_hill(int count, const kane_grade_definition *grades, double start_grade)
{
    const kane_section_definition section = straight(400.0);
    kane_track_definition d               = kane_track_definition_default();
    d.grade                               = start_grade;
    d.grade_count                         = count;
    d.grades                              = grades;
    return build_line(d, 1, &section);
}

// A circle: from the angle b0 on, height rho (cos b0 - cos b), way rho (sin b - sin b0), b linear in s.
CHECK_TEST(rounding_is_a_vertical_circle)
{
    for (int sign = -1; sign <= 1; sign += 2) {
        const double rho = 1500.0, b0 = atan(-sign * 0.01), b1 = atan(sign * 0.03), half = 0.5 * rho * fabs(b1 - b0);
        const kane_grade_definition grade = {.at = 200.0, .grade = sign * 0.03, .rounding = rho};
        CHECK_OWNED(kane_track) *track    = build_hill(1, &grade, -sign * 0.01);
        const kane_vec3 from              = place_at(track, 200.0 - half);

        assert_int_equal(kane_track_piece_count(track), 3);
        check_near(kane_track_piece_start(track, 1), 200.0 - half, 1e-12);
        check_near(kane_track_piece_start(track, 2), 200.0 + half, 1e-12);
        check_vec3(from, kv3((200.0 - half) * cos(b0), 0.0, (200.0 - half) * sin(b0)), 1e-12);
        for (int i = 0; i <= 10; i++) {
            const double s = 200.0 - half + 2.0 * half * i / 10.0, b = b0 + (b1 - b0) * i / 10.0;
            const kane_vec3 way = kv3_sub(place_at(track, s), from);
            check_near(state_at(track, 1, s).beta, b, 1e-15);
            check_near(state_at(track, 1, s).beta_s[0], sign / rho, 1e-17);
            check_near(way.z, sign * rho * (cos(b0) - cos(b)), 1e-12);
            check_near(way.x, sign * rho * (sin(b) - sin(b0)), 1e-12);
            // uphill is positive, and a sag lifts the front: Omega_y = -beta'
            check_vec3(frame_at(track, 1, s).Omega, kv3(0.0, -sign / rho, 0.0), 1e-17);
        }
        check_near(state_at(track, 2, 400.0).grade, sign * 0.03, 1e-16);
    }
}

CHECK_TEST(change_without_rounding_is_a_kink)
{
    const kane_grade_definition grade = {.at = 150.0, .grade = -0.02};
    CHECK_OWNED(kane_track) *track    = build_hill(1, &grade, 0.01);

    assert_int_equal(kane_track_piece_count(track), 2);
    check_near(kane_track_piece_start(track, 1), 150.0, 0.0);
    check_near(state_at(track, 0, 150.0).grade, 0.01, 1e-17);
    check_near(state_at(track, 1, 150.0).grade, -0.02, 1e-17);
    check_near(place_at(track, 400.0).z, 150.0 * sin(atan(0.01)) - 250.0 * sin(atan(0.02)), 1e-12);
}

// Several changes in a row, in one section, over borders of sections.
CHECK_TEST(height_is_the_integral_of_the_grade_line)
{
    const kane_section_definition sections[] = {straight(90.0), curve(120.0, 1.0 / 800.0, 0.0), straight(190.0)};
    const kane_grade_definition grades[]     = {{.at = 80.0, .grade = 0.02, .rounding = 2000.0},
                                                {.at = 140.0, .grade = 0.0, .rounding = 3000.0},
                                                {.at = 250.0, .grade = -0.035, .rounding = 600.0},
                                                {.at = 300.0, .grade = 0.0}};
    kane_track_definition d                  = kane_track_definition_default();
    d.grade_count                            = 4;
    d.grades                                 = grades;
    CHECK_OWNED(kane_track) *track           = build_line(d, 3, sections);
    double height = 0.0, before = 0.0;

    for (int i = 0; i < 4; i++) {
        const double b0 = atan(i ? grades[i - 1].grade : 0.0), b1 = atan(grades[i].grade), rho = grades[i].rounding;
        const double half = 0.5 * rho * fabs(b1 - b0);
        // |cos(b0) - cos(b1)| without cancellation
        height +=
            (grades[i].at - half - before) * sin(b0) + 2.0 * rho * sin(0.5 * (b0 + b1)) * sin(0.5 * fabs(b1 - b0));
        before = grades[i].at + half;
        check_near(place_at(track, before).z, height, 1e-13);
    }
    check_near(place_at(track, 400.0).z, height, 1e-13);
}

// The inner rail stays on the grade line: the centre line is half the superelevation above it, whichever rail is
// raised.
CHECK_TEST(centre_line_lies_half_the_superelevation_above_the_grade_line)
{
    for (int shape = 0; shape < SHAPES; shape++)
        for (int axis = 0; axis < 2; axis++) {
            const int joining                        = shape == KANE_PARABOLA_3 ? KANE_CLOTHOID : shape;
            const double k                           = 1.0 / 400.0;
            const kane_section_definition sections[] = {straight(30.0),         transition(shape, 60.0, k, 0.12),
                                                        curve(30.0, k, 0.12),   transition(joining, 90.0, -k, -0.15),
                                                        curve(30.0, -k, -0.15), transition(shape, 60.0, 0.0, 0.0),
                                                        straight(30.0)};
            kane_track_definition d                  = kane_track_definition_default();
            d.cant_axis                              = axis ? KANE_CANT_CENTRE_LINE : KANE_CANT_INNER_RAIL;
            CHECK_OWNED(kane_track) *track           = build_line(d, 7, sections);
            for (int s = 0; s <= 330; s++) {
                const kane_track_state q = state_at(track, kane_track_find(track, s), s);
                check_near(place_at(track, s).z, axis ? 0.0 : 0.5 * fabs(q.superelevation), 1e-14);
            }
        }
}

// Ramp and grade add up in the sine of the angle.
CHECK_TEST(ramp_climbs_on_top_of_the_grade)
{
    const kane_section_definition sections[] = {straight(50.0), transition(KANE_COSINE, 80.0, -1.0 / 400.0, -0.14),
                                                curve(70.0, -1.0 / 400.0, -0.14)};
    const kane_grade_definition grade        = {.at = 90.0, .grade = 0.03, .rounding = 1000.0};
    kane_track_definition d                  = kane_track_definition_default();
    d.grade                                  = -0.01;
    d.grade_count                            = 1;
    d.grades                                 = &grade;
    CHECK_OWNED(kane_track) *with            = build_line(d, 3, sections);
    d.cant_axis                              = KANE_CANT_CENTRE_LINE;
    CHECK_OWNED(kane_track) *without         = build_line(d, 3, sections);

    for (int s = 51; s < 130; s++) {
        const double ramp = 0.5 * 0.14 * 0.5 * pi / 80.0 * sin(pi * (s - 50) / 80.0);
        const double a    = sin(state_at(with, kane_track_find(with, s), s).beta);
        const double b    = sin(state_at(without, kane_track_find(without, s), s).beta);
        check_near(a, b + ramp, 1e-16);
    }
    check_near(place_at(with, 180.0).z - place_at(without, 180.0).z, 0.07, 1e-13);
}

CHECK_MAIN(NULL, NULL)
