// SPDX-License-Identifier: MIT
// Check rails along the line: where there is one, and how wide its flangeway is.

#include "lines.h"

static const kane_check_rail usual = {.from      = 1100.0,
                                      .to        = 1107.0,
                                      .flare     = 2.0,
                                      .rails     = KANE_LEFT_RAIL,
                                      .flangeway = 0.041,
                                      .opening   = 0.08,
                                      .height    = 0.02,
                                      .stiffness = 5e7,
                                      .onset     = 1e-4,
                                      .damping   = 5e4,
                                      .friction  = 0.3,
                                      .place     = {"t", 3, 1, ""}};

static kane_track_definition definition(const kane_section_definition *section, int count, const kane_check_rail *rails)
{
    kane_track_definition d = kane_track_definition_default();
    d.start                 = 1000.0;
    d.section_count         = 1;
    d.sections              = section;
    d.check_rail_count      = count;
    d.check_rails           = rails;
    return d;
}

static kane_track *build_guarded(int count, const kane_check_rail *rails)
{
    const kane_section_definition section = straight(400.0);
    return build_line(definition(&section, count, rails), 1, &section);
}

static double step_of(double t)
{
    const double x = fmin(fmax(t, 0.0), 1.0);
    return pow(x, 3) * (10.0 - 15.0 * x + 6.0 * x * x);
}

CHECK_TEST(they_are_where_they_lie)
{
    kane_check_rail rails[3] = {usual, usual, usual};
    rails[1].from            = 1300.0; // not in order
    rails[1].to              = 1310.0;
    rails[2].from            = 1200.0;
    rails[2].to              = 1204.0;
    rails[2].rails           = KANE_BOTH_RAILS;
    kane_track *track        = build_guarded(3, rails);
    assert_true(kane_track_has_check_rails(track));
    for (int i = 0; i < 4000; i++) {
        const double s = 0.1 * i + 0.05;
        const int left = (s > 99.5 && s < 107.5) || (s > 299.5 && s < 310.5), both = s > 199.5 && s < 204.5;
        assert_int_equal(kane_track_check_rail(track, KANE_LEFT, s) != NULL, left || both);
        assert_int_equal(kane_track_check_rail(track, KANE_RIGHT, s) != NULL, both);
    }
    check_near(kane_track_check_rail(track, KANE_LEFT, 300.0)->from, 300.0, 1e-12);
    kane_track_free(track);
    track = build_guarded(0, NULL);
    assert_false(kane_track_has_check_rails(track));
    assert_null(kane_track_check_rail(track, KANE_LEFT, 100.0));
    kane_track_free(track);
}

CHECK_TEST(flangeway_narrows_over_its_flares)
{
    CHECK_OWNED(kane_track) *track = build_guarded(1, &usual);
    const kane_check_rail *r       = kane_track_check_rail(track, KANE_LEFT, 103.0);
    const double h                 = 1e-5;
    double here[3], ahead[3], back[3];
    for (int i = 0; i <= 80; i++) {
        const double s = 99.5 + 0.1 * i;
        kane_check_rail_width(r, s, here);
        kane_check_rail_width(r, s + h, ahead);
        kane_check_rail_width(r, s - h, back);
        check_near(here[0], 0.08 - 0.039 * (step_of((s - 100.0) / 2.0) - step_of((s - 105.0) / 2.0)), 1e-15);
        check_near(here[1], (ahead[0] - back[0]) / (2.0 * h), 1e-9);
        check_near(here[2], (ahead[1] - back[1]) / (2.0 * h), 3e-6);
    }
    // no step goes past a flare unseen
    check_near(kane_track_ahead(track, 90.0), 10.5, 1e-12);
    check_near(kane_track_ahead(track, 101.0), 0.5, 1e-12);
    check_near(kane_track_ahead(track, 103.0), 2.5, 1e-12);
    assert_true(kane_track_ahead(track, 107.5) > 1e6);
}

static void check_refused(const kane_check_rail *rails, int count, const char *part)
{
    const kane_section_definition section = straight(400.0);
    const kane_track_definition d         = definition(&section, count, rails);
    CHECK_ERRORS errors                   = {0};
    assert_null(kane_track_create(&d, &errors));
    assert_true(errors.count >= 1);
    if (!strstr(kane_errors_get(&errors, 0)->text, part))
        fail_msg("'%s' does not say '%s'", kane_errors_get(&errors, 0)->text, part);
    assert_int_equal(kane_errors_get(&errors, 0)->line, 3);
}

CHECK_TEST(faults_are_found)
{
    kane_check_rail r = usual, two[2] = {usual, usual};
    two[1].from = 1107.5;
    two[1].to   = 1115.0;
    check_refused(two, 2,
                  "begins at 1107.5 m, and the one before it on the same side ends at 1107 m; there must be 1 m");
    r.to = 1103.0;
    check_refused(&r, 1, "a check rail from 1100 m to 1103 m has no room for two flares of 2 m each");
    r         = usual;
    r.opening = 0.041;
    check_refused(&r, 1, "opens to 0.041 m at its ends, but its flangeway is 0.041 m wide");
    r           = usual;
    r.flangeway = 41.0;
    check_refused(&r, 1, "flangeway of the check rail, 41 m, must be from 0.02 to 0.2");
    r        = usual;
    r.height = -0.01;
    check_refused(&r, 1, "height of the check rail, -0.01 m, must be from 0 to 0.1");
    r           = usual;
    r.stiffness = 0.0;
    check_refused(&r, 1, "stiffness of the check rail 0 N/m is out of range, must be positive");
    r      = usual;
    r.from = 2000.0;
    r.to   = 2010.0;
    check_refused(&r, 1, "the check rail lies outside of the line");
}

CHECK_MAIN(NULL, NULL)
