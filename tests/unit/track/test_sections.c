// SPDX-License-Identifier: MIT
// What a track tells of its sections is what it was made of, and what its line does there.

#include "errors.h"
#include "folder.h"
#include "lines.h"

enum { SECTIONS = 5 };

static kane_section_definition section_of(kane_section_kind kind, double length, double curvature, double cant)
{
    return (kane_section_definition){
        .kind = kind, .length = length, .curvature = curvature, .superelevation = cant, .shape = KANE_BLOSS};
}

CHECK_TEST(sections_are_told_as_they_were_built)
{
    const double k            = 1.0 / 500.0;
    kane_track_definition d   = kane_track_definition_default();
    const double starts[]     = {0.0, 50.0, 110.0, 210.0, 270.0};
    const double curvatures[] = {0.0, 0.0, k, k, -0.5 * k, -0.5 * k}; // where they begin, and the end
    const kane_section_definition sections[SECTIONS] = {
        section_of(KANE_STRAIGHT, 50.0, 0.0, 0.0),     section_of(KANE_TRANSITION, 60.0, k, 0.1),
        section_of(KANE_CURVE, 100.0, k, 0.1),         section_of(KANE_TRANSITION, 60.0, -0.5 * k, -0.05),
        section_of(KANE_CURVE, 40.0, -0.5 * k, -0.05),
    };
    d.cant_axis                    = KANE_CANT_CENTRE_LINE;
    CHECK_OWNED(kane_track) *track = build_line(d, SECTIONS, sections);
    assert_int_equal(kane_track_section_count(track), SECTIONS);
    for (int i = 0; i < SECTIONS; i++) {
        const kane_track_section s = kane_track_get_section(track, i);
        assert_int_equal(s.kind, sections[i].kind);
        assert_int_equal(s.shape, KANE_BLOSS);
        check_near(s.start, starts[i], 1e-12);
        check_near(s.length, sections[i].length, 0.0);
        check_near(s.curvature[0], curvatures[i], 0.0);
        check_near(s.curvature[1], curvatures[i + 1], 0.0);
        const kane_track_state a = state_at(track, kane_track_find(track, s.start), s.start);
        const double end         = s.start + s.length;
        const kane_track_state b = state_at(track, kane_track_find(track, end - 1e-9), end);
        check_near(s.curvature[0], a.curvature, 1e-12);
        check_near(s.curvature[1], b.curvature, 1e-12);
        check_near(s.superelevation[0], a.superelevation, 1e-12);
        check_near(s.superelevation[1], b.superelevation, 1e-12);
    }
}

// A straight behind a curve, and a curve behind a straight: curvature jumps.
CHECK_TEST(jumps_belong_to_the_section_behind_them)
{
    const double k                            = -1.0 / 150.0;
    const kane_section_definition sections[3] = {section_of(KANE_CURVE, 30.0, k, 0.0),
                                                 section_of(KANE_STRAIGHT, 20.0, 0.0, 0.0),
                                                 section_of(KANE_CURVE, 30.0, 0.5 * k, 0.0)};
    CHECK_OWNED(kane_track) *track            = build_line(kane_track_definition_default(), 3, sections);
    for (int i = 0; i < 3; i++)
        for (int end = 0; end < 2; end++)
            check_near(kane_track_get_section(track, i).curvature[end], sections[i].curvature, 0.0);
}

// Two curves of one hand with a canted straight between them, by its cant and by a transition that changes nothing.
CHECK_TEST(a_straight_may_keep_the_cant_of_the_curve_before)
{
    static const char *const straights[] = {"\"straight\": 20, \"cant\": \"60 mm\"",
                                            "\"transition\": 20, \"to\": { \"cant\": \"60 mm\" }"};
    for (int hand = -1; hand <= 1; hand += 2)
        for (int i = 0; i < 2; i++) {
            char text[600];
            (void)snprintf(
                text, sizeof text,
                "{ \"kane\": \"track 1\", \"sections\": [ { \"curve\": 60, \"radius\": %d, \"cant\": \"60 mm\" },"
                "{ \"transition\": 40, \"to\": { \"cant\": \"60 mm\" } }, { %s },"
                "{ \"transition\": 40, \"to\": { \"radius\": %d, \"cant\": \"60 mm\" } }, { \"curve\": 50 } ] }",
                400 * hand, straights[i], 500 * hand);
            write_file("canted.json", text);
            CHECK_OWNED(kane_track) *track = CHECK_GOOD(kane_track_read, "canted.json", NULL);
            assert_non_null(track);
            for (double s = 1.0; s < 209.0; s += 2.0) // (right - left rail) of 0.06 m everywhere
                check_near(state_at(track, kane_track_find(track, s), s).superelevation, hand * 0.06, 1e-12);
        }
}

CHECK_MAIN(enter_folder, leave_folder)
