// SPDX-License-Identifier: MIT
// Friction along the line.

#include "lines.h"

static kane_track *build_friction(int count, const kane_friction_change *changes)
{
    const kane_section_definition section = straight(400.0);
    kane_track_definition d               = kane_track_definition_default();
    d.start                               = 1000.0;
    d.friction                            = 0.4;
    d.friction_change_count               = count;
    d.friction_changes                    = changes;
    return build_line(d, 1, &section);
}

static double step_of(double t)
{
    const double x = fmin(fmax(t, 0.0), 1.0);
    return pow(x, 3) * (10.0 - 15.0 * x + 6.0 * x * x);
}

CHECK_TEST(without_changes_it_is_the_same_everywhere)
{
    CHECK_OWNED(kane_track) *track = build_friction(0, NULL);
    assert_false(kane_track_friction_changes(track));
    check_near(kane_track_friction(track, KANE_LEFT, 123.0), 0.4, 0.0);
}

// Chainage 1100 to 1250 is s = 100 to 250; half of the change at either place.
CHECK_TEST(changes_hold_on_their_rail_between_their_places)
{
    const kane_friction_change c[2] = {
        {.from = 1300.0, .to = 1310.0, .rails = KANE_BOTH_RAILS, .friction = 0.6, .over = 5.0},
        {.from = 1100.0, .to = 1250.0, .rails = KANE_RIGHT_RAIL, .friction = 0.15, .over = 2.0}};
    CHECK_OWNED(kane_track) *track = build_friction(2, c);
    assert_true(kane_track_friction_changes(track));
    for (int i = -500; i < 5000; i++) {
        const double s = 0.1 * i, both = 0.2 * (step_of((s - 297.5) / 5.0) - step_of((s - 307.5) / 5.0));
        const double right = -0.25 * (step_of((s - 99.0) / 2.0) - step_of((s - 249.0) / 2.0));
        check_near(kane_track_friction(track, KANE_LEFT, s), 0.4 + both, 1e-14);
        check_near(kane_track_friction(track, KANE_RIGHT, s), 0.4 + both + right, 1e-14);
    }
    check_near(kane_track_friction(track, KANE_RIGHT, 100.0), 0.275, 1e-15);
    check_near(kane_track_friction(track, KANE_RIGHT, 200.0), 0.15, 1e-15);
    check_near(kane_track_friction(track, KANE_LEFT, 200.0), 0.4, 0.0);
}

// Two that touch go over into each other: never is there anything but a mixture of both.
CHECK_TEST(neighbours_go_over_into_each_other)
{
    const kane_friction_change c[2] = {
        {.from = 1100.0, .to = 1150.0, .rails = KANE_BOTH_RAILS, .friction = 0.1, .over = 4.0},
        {.from = 1150.0, .to = 1200.0, .rails = KANE_LEFT_RAIL, .friction = 0.2, .over = 4.0}};
    CHECK_OWNED(kane_track) *track = build_friction(2, c);
    for (int i = 0; i <= 100; i++) {
        const double s = 145.0 + 0.1 * i;
        check_near(kane_track_friction(track, KANE_LEFT, s), 0.1 + 0.1 * step_of((s - 148.0) / 4.0), 1e-15);
    }
}

static void check_refused(const kane_friction_change *c, int count, const char *part)
{
    const kane_section_definition section = straight(400.0);
    kane_track_definition d               = kane_track_definition_default();
    CHECK_ERRORS errors                   = {0};
    d.sections                            = &section;
    d.section_count                       = 1;
    d.friction_changes                    = c;
    d.friction_change_count               = count;
    assert_null(kane_track_create(&d, &errors));
    assert_true(errors.count >= 1);
    if (!strstr(kane_errors_get(&errors, 0)->text, part))
        fail_msg("'%s' does not say '%s'", kane_errors_get(&errors, 0)->text, part);
    assert_int_equal(kane_errors_get(&errors, 0)->line, c[count - 1].place.line);
}

CHECK_TEST(faults_are_found)
{
    kane_friction_change c[2] = {
        {.from = 100.0, .to = 150.0, .rails = KANE_BOTH_RAILS, .friction = 0.1, .over = 4.0, .place = {"t", 3, 1, ""}},
        {.from = 152.0, .to = 200.0, .rails = KANE_LEFT_RAIL, .friction = 0.2, .over = 4.0, .place = {"t", 4, 1, ""}}};
    check_refused(c, 2,
                  "this change of friction, from 152 m, meets the one to 150 m on the same rail; their transitions "
                  "need 4 m between them, or the same place and the same length");
    c[0].to = 103.0;
    check_refused(c, 1, "from 100 m to 103 m has no room for transitions of 4 m");
    c[0].to       = 150.0;
    c[0].friction = -0.1;
    check_refused(c, 1, "friction -0.1 is out of range, must be from 0 to 2");
    c[0].friction = 0.1;
    c[0].over     = 0.0;
    check_refused(c, 1, "length of the transition of friction 0 m is out of range, must be positive");
    c[0].over  = 1.0;
    c[0].rails = (kane_rails)3;
    check_refused(c, 1, "choice of rails 3 does not exist");
    c[0].rails = KANE_LEFT_RAIL;
    c[0].from  = NAN;
    check_refused(c, 1, "beginning of the change of friction is nan, must be a finite number");
}

CHECK_MAIN(NULL, NULL)
