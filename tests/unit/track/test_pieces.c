// SPDX-License-Identifier: MIT
// Where a line is cut, what is continuous there, and how a piece goes on beyond its borders.

#include "lines.h"

CHECK_TEST(sections_are_cut_at_kinks_and_nowhere_else)
{
    // a section each; Helmert's middle; the ends of a vertical arc of 1000 m radius about 150 m
    const kane_section_definition sections[] = {straight(40.0), transition(KANE_HELMERT, 60.0, 1.0 / 600.0, 0.1),
                                                curve(100.0, 1.0 / 600.0, 0.1)};
    const kane_grade_definition grade        = {.at = 150.0, .grade = 0.02, .rounding = 1000.0};
    const double half                        = 500.0 * atan(0.02);
    const double starts[]                    = {0.0, 40.0, 70.0, 100.0, 150.0 - half, 150.0 + half, 200.0};
    kane_track_definition d                  = kane_track_definition_default();
    d.grade_count                            = 1;
    d.grades                                 = &grade;
    CHECK_OWNED(kane_track) *track           = build_line(d, 3, sections);

    assert_int_equal(kane_track_piece_count(track), 6);
    for (int i = 0; i <= 6; i++)
        check_near(kane_track_piece_start(track, i), starts[i], 1e-13);
    check_near(kane_track_length(track), 200.0, 0.0);
}

// The ramp about the inner rail has a kink where the inner rail changes sides, a ramp about the centre line has none.
CHECK_TEST(change_of_sign_of_the_cant_is_a_cut_where_the_axis_is_the_inner_rail)
{
    for (int i = 0; i < 2; i++) {
        const kane_section_definition sections[] = {curve(30.0, 1.0 / 500.0, 0.15),
                                                    transition(KANE_CLOTHOID, 60.0, -1.0 / 500.0, -0.05)};
        kane_track_definition d                  = kane_track_definition_default();
        d.cant_axis                              = i ? KANE_CANT_CENTRE_LINE : KANE_CANT_INNER_RAIL;
        d.curvature                              = 1.0 / 500.0;
        d.superelevation                         = 0.15;
        CHECK_OWNED(kane_track) *track           = build_line(d, 2, sections);

        assert_int_equal(kane_track_piece_count(track), i ? 2 : 3);
        if (i == 0) {
            check_near(kane_track_piece_start(track, 2), 30.0 + 45.0, 1e-12);
            check_near(state_at(track, 2, 75.0).superelevation, 0.0, 1e-15);
            check_near(state_at(track, 1, 75.0).beta, -state_at(track, 2, 75.0).beta, 1e-15);
            assert_true(state_at(track, 2, 75.0).beta > 0.0); // it goes down to level and climbs again
        }
    }
}

CHECK_TEST(borders_very_close_to_each_other_are_one)
{
    // the vertical arc ends where the section does, but for 0.3 nm
    const double half                        = 500.0 * atan(0.02);
    const kane_section_definition sections[] = {straight(100.0 + half - 3e-10), straight(50.0)};
    const kane_grade_definition grade        = {.at = 100.0, .grade = 0.02, .rounding = 1000.0};
    kane_track_definition d                  = kane_track_definition_default();
    d.grade_count                            = 1;
    d.grades                                 = &grade;
    CHECK_OWNED(kane_track) *track           = build_line(d, 2, sections);

    assert_int_equal(kane_track_piece_count(track), 3);
}

CHECK_TEST(find_takes_the_piece_that_begins_at_a_border)
{
    route r;
    route_init(&r, KANE_HELMERT, KANE_CANT_INNER_RAIL, 1);
    r.d.start                      = -20.0;
    r.grades[0].at                 = 50.0;
    CHECK_OWNED(kane_track) *track = build(&r.d);
    const int count                = kane_track_piece_count(track);

    for (int i = 0; i < count; i++) {
        const double from = kane_track_piece_start(track, i), to = kane_track_piece_start(track, i + 1);
        assert_true(to > from);
        assert_int_equal(kane_track_find(track, from), i);
        assert_int_equal(kane_track_find(track, 0.5 * (from + to)), i);
        assert_int_equal(kane_track_find(track, nextafter(to, from)), i);
    }
    assert_int_equal(kane_track_find(track, -1e9), 0);
    assert_int_equal(kane_track_find(track, 1e9), count - 1);
    assert_int_equal(kane_track_find(track, kane_track_length(track)), count - 1);
}

// --- continuity ---

static void check_place_and_heading(const kane_track *track, const char *name)
{
    (void)name;
    for (int i = 1; i < kane_track_piece_count(track); i++) {
        const double s           = kane_track_piece_start(track, i);
        const kane_track_state a = state_at(track, i - 1, s), b = state_at(track, i, s);
        const kane_vec3 before = kv3_add(kane_track_anchor(track, i - 1), frame_at(track, i - 1, s).origin);

        check_vec3(before, kane_track_anchor(track, i), 3e-13);
        check_vec3(frame_at(track, i, s).origin, kv3_zero(), 1e-14);
        check_near(a.psi, b.psi, 1e-15);
        check_near(a.theta, b.theta, 1e-16);
    }
}

CHECK_TEST(place_heading_and_roll_are_continuous_everywhere)
{
    for_all_routes(check_place_and_heading);
}

// How many derivatives of curvature (up to the second) and roll are continuous at the end of a transition; -1 where the
// curvature itself jumps. The curvature of a Wiener Bogen contains the second derivative of its cant.
CHECK_TEST(smoothness_of_each_shape_is_the_known_one)
{
    static const int smooth[SHAPES]           = {0, -1, 1, 2, 1, 1, 1, 1};
    static const int smooth_of_roll[SHAPES]   = {0, 0, 1, 2, 1, 1, 3, 1};
    const kane_section_definition sections[3] = {straight(40.0), {0}, curve(40.0, 1.0 / 300.0, 0.15)};

    for (int shape = 0; shape < SHAPES; shape++) {
        kane_section_definition all[3];
        memcpy(all, sections, sizeof all);
        all[1]                         = transition(shape, 60.0, 1.0 / 300.0, 0.15);
        kane_track_definition d        = kane_track_definition_default();
        d.cant_axis                    = KANE_CANT_CENTRE_LINE;
        CHECK_OWNED(kane_track) *track = build_line(d, 3, all);
        const int last                 = kane_track_piece_count(track) - 1;
        const kane_track_state a = state_at(track, last - 1, 100.0), b = state_at(track, last, 100.0);
        int k = -1, q = 0;

        assert_true(a.theta == b.theta);
        while (k < 2 && fabs(a.psi_s[k + 1] - b.psi_s[k + 1]) < 1e-12)
            k++;
        while (q < 3 && fabs(a.theta_s[q] - b.theta_s[q]) < 1e-12)
            q++;
        assert_int_equal(k, smooth[shape]);
        assert_int_equal(q, smooth_of_roll[shape]);
    }
}

// What jumps first at a border: 0 the attitude, 1 Omega, 2 Omega', 3 none of them.
static int first_jump(const kane_track *track, int piece)
{
    const double s = kane_track_piece_start(track, piece), nothing = 1e-14;
    const kane_track_frame a = frame_at(track, piece - 1, s), b = frame_at(track, piece, s);
    const kane_mat3 R = km3_sub(a.R, b.R);

    if (kv3_norm(R.x) + kv3_norm(R.y) + kv3_norm(R.z) > nothing)
        return 0;
    if (kv3_norm(kv3_sub(a.Omega, b.Omega)) > nothing)
        return 1;
    return kv3_norm(kv3_sub(a.Omega_s, b.Omega_s)) > nothing ? 2 : 3;
}

// What an integrator must remap (docs/theory.md, section 5) where a transition begins and ends.
CHECK_TEST(jumps_between_sections_are_the_known_ones)
{
    static const int expected[SHAPES][2] = {{0, 1}, {0, 1}, {1, 2}, {2, 3}, {1, 2}, {1, 2}, {3, 3}, {1, 2}};

    for (int shape = 0; shape < SHAPES; shape++)
        for (int axis = 0; axis < 2; axis++) {
            const kane_section_definition sections[] = {straight(40.0), transition(shape, 60.0, 1.0 / 600.0, 0.1),
                                                        curve(40.0, 1.0 / 600.0, 0.1)};
            kane_track_definition d                  = kane_track_definition_default();
            d.cant_axis                              = axis ? KANE_CANT_CENTRE_LINE : KANE_CANT_INNER_RAIL;
            CHECK_OWNED(kane_track) *track           = build_line(d, 3, sections);
            const int last                           = kane_track_piece_count(track) - 1;
            assert_int_equal(first_jump(track, last), expected[shape][axis]);
            if (shape != KANE_POLYNOMIAL) // this one is not the same at both ends
                assert_int_equal(first_jump(track, 1), expected[shape][axis]);
        }
}

// A Bloss ramp about the inner rail begins and ends with beta' = u''/2.
CHECK_TEST(Omega_jumps_by_the_bend_of_a_Bloss_ramp)
{
    const kane_section_definition sections[] = {straight(40.0), transition(KANE_BLOSS, 60.0, 1.0 / 600.0, 0.1),
                                                curve(40.0, 1.0 / 600.0, 0.1)};
    CHECK_OWNED(kane_track) *track           = build_line(kane_track_definition_default(), 3, sections);
    const double u_ss = 0.1 * 6.0 / 3600.0, cos_theta = sqrt(1.0 - 0.01 / 2.25); // of the curve

    check_near(frame_at(track, 1, 40.0).Omega.y - frame_at(track, 0, 40.0).Omega.y, -0.5 * u_ss, 1e-16);
    check_near(frame_at(track, 2, 100.0).Omega.y - frame_at(track, 1, 100.0).Omega.y, -0.5 * u_ss * cos_theta, 1e-16);
}

// --- beyond the borders ---

CHECK_TEST(piece_goes_on_by_its_own_formula)
{
    const kane_section_definition sections[] = {straight(40.0), transition(KANE_BLOSS, 60.0, 1.0 / 600.0, 0.1),
                                                curve(40.0, 1.0 / 600.0, 0.1)};
    CHECK_OWNED(kane_track) *track           = build_line(kane_track_definition_default(), 3, sections);

    for (int i = -8; i <= 68; i++) {
        const double x = i / 60.0;
        check_near(state_at(track, 1, 40.0 + i).curvature, x * x * (3.0 - 2.0 * x) / 600.0, 1e-17);
        check_near(state_at(track, 1, 40.0 + i).superelevation, x * x * (3.0 - 2.0 * x) * 0.1, 1e-16);
    }
    for (int i = 90; i < 100; i++)
        check_near(state_at(track, 2, i).curvature, 1.0 / 600.0, 0.0);
}

// Straights and curves at the ends of a track go on for a long train.
CHECK_TEST(ends_of_the_track_go_on)
{
    const double k                           = 1.0 / 600.0;
    const kane_section_definition sections[] = {straight(40.0), transition(KANE_BLOSS, 60.0, k, 0.1),
                                                curve(40.0, k, 0.1)};
    CHECK_OWNED(kane_track) *track           = build_line(kane_track_definition_default(), 3, sections);
    const kane_track_frame at_end = frame_at(track, 2, 140.0), later = frame_at(track, 2, 940.0);

    check_vec3(frame_at(track, 0, -500.0).origin, kv3(-500.0, 0.0, 0.0), 0.0);
    check_near(state_at(track, 2, 940.0).curvature, k, 0.0);
    check_vec3(later.Omega, at_end.Omega, 0.0);
    check_near(state_at(track, 2, 940.0).psi - state_at(track, 2, 140.0).psi, 800.0 * k, 1e-15);
}

// The thousand metres before the first piece cost no digits on the piece itself.
CHECK_TEST(first_piece_is_as_exact_as_any)
{
    const kane_section_definition section = straight(40.0);
    kane_track_definition d               = kane_track_definition_default();
    d.heading                             = 0.3;
    CHECK_OWNED(kane_track) *track        = build_line(d, 1, &section);
    for (int i = 0; i <= 40; i++)
        check_vec3(frame_at(track, 0, 0.1 * i).origin, kv3(0.1 * i * cos(0.3), 0.1 * i * sin(0.3), 0.0), 8e-15);
    check_vec3(frame_at(track, 0, 0.0).origin, kv3_zero(), 1e-17);
}

// Where a formula would no longer be a line, the line goes straight on: finite, and one with its own turning.
CHECK_TEST(beyond_its_formula_a_piece_goes_straight_on)
{
    for (int shape = 0; shape < SHAPES; shape++) {
        const kane_section_definition section = transition(shape, 20.0, 1.0 / 200.0, 0.15);
        CHECK_OWNED(kane_track) *track        = build_line(kane_track_definition_default(), 1, &section);
        const int last                        = kane_track_piece_count(track) - 1;
        for (int end = 0; end < 2; end++) {
            const int piece          = end ? last : 0;
            const double s           = end ? 60.0 : -50.0;
            const kane_track_frame a = frame_at(track, piece, s), b = frame_at(track, piece, s + 7.0);
            assert_memory_equal(&a.R, &b.R, sizeof a.R);
            check_vec3(kv3_sub(b.origin, a.origin), kv3_scale(7.0, a.R.x), 1e-13);
            check_vec3(a.Omega, kv3_zero(), 0.0);
            check_vec3(a.Omega_s, kv3_zero(), 0.0);
            check_near(state_at(track, piece, s).curvature, 0.0, 0.0);
            check_near(state_at(track, piece, s).kappa, 0.0, 0.0);
            check_near(state_at(track, piece, s).psi, atan2(a.R.x.y, a.R.x.x), 1e-15);
        }
        // up to a quarter of its length the formula holds, and place and attitude have no step where it ends
        assert_true(fabs(state_at(track, 0, -4.99).psi_s[0]) + fabs(state_at(track, 0, -4.99).psi_s[1]) > 0.0);
        const kane_track_frame a = frame_at(track, 0, -5.0), b = frame_at(track, 0, -5.0 - 1e-9);
        check_mat3(a.R, b.R, 1e-9);
        check_vec3(a.origin, b.origin, 2e-9);
        check_vec3(b.Omega, kv3_zero(), 0.0);
    }
}

CHECK_TEST(what_is_not_a_number_stays_not_a_number)
{
    route r;
    route_init(&r, KANE_BLOSS, KANE_CANT_INNER_RAIL, 0);
    CHECK_OWNED(kane_track) *track = build(&r.d);
    assert_true(isnan(frame_at(track, 1, (double)NAN).origin.x));
}

CHECK_MAIN(NULL, NULL)
