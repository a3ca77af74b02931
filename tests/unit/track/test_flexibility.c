// SPDX-License-Identifier: MIT
// How flexible a track is: the usual values, those that are typed, and those that no track has.

#include "lines.h"

static const char *const kinds[3] = {"mass", "stiffness", "damping"};

static kane_track *read(const char *flexibility, kane_errors *errors)
{
    char setting[512];
    (void)snprintf(setting, sizeof setting, "flexibility=%s", flexibility);
    const char *const settings[] = {setting, NULL};
    return kane_track_read(KANE_SOURCE_DIR "/data/tracks/short-transition.json", settings, errors);
}

CHECK_TEST(an_empty_flexibility_has_the_usual_values)
{
    CHECK_ERRORS errors               = {0};
    const kane_track_definition usual = kane_track_definition_default();
    kane_track *track                 = read("{}", &errors);
    assert_non_null(track);
    const kane_track_definition *d = kane_track_get_definition(track);
    assert_int_equal(usual.is_flexible, 0);
    assert_int_equal(d->is_flexible, 1);
    for (int i = 0; i < 3; i++) {
        check_near(d->flexibility.inertia[i], usual.flexibility.inertia[i], 0.0);
        check_near(d->flexibility.stiffness[i], usual.flexibility.stiffness[i], 0.0);
        check_near(d->flexibility.damping[i], usual.flexibility.damping[i], 0.0);
    }
    kane_track_free(track);

    track = kane_track_read(KANE_SOURCE_DIR "/data/tracks/short-transition.json", NULL, &errors);
    assert_int_equal(kane_track_get_definition(track)->is_flexible, 0);
    kane_track_free(track);
    assert_int_equal(errors.count, 0);
}

CHECK_TEST(values_go_where_they_belong)
{
    CHECK_ERRORS errors = {0};
    CHECK_OWNED(kane_track) *track =
        read("{\"mass\":{\"lateral\":\"1 t\",\"vertical\":\"2 t\"},\"inertia\":300,"
             "\"stiffness\":{\"lateral\":\"4 MN/m\",\"vertical\":\"5 MN/m\",\"roll\":\"6 MN m/rad\"},"
             "\"damping\":{\"lateral\":\"7 kN s/m\",\"vertical\":0,\"roll\":\"9 kN m s/rad\"}}",
             &errors);
    assert_int_equal(errors.count, 0);
    const kane_flexibility_definition *f = &kane_track_get_definition(track)->flexibility;
    const double expected[3][3]          = {{1000.0, 2000.0, 300.0}, {4e6, 5e6, 6e6}, {7e3, 0.0, 9e3}};
    for (int i = 0; i < 3; i++) {
        check_relative(f->inertia[i], expected[0][i], 1e-15);
        check_relative(f->stiffness[i], expected[1][i], 1e-15);
        check_relative(f->damping[i], expected[2][i], 1e-15);
    }
}

// Without units: kg for tonnes, N/m for MN/m.
CHECK_TEST(a_track_of_feathers_is_refused)
{
    static const char *const wrong[] = {
        "{\"mass\":{\"lateral\":0.9}}",     "{\"mass\":{\"vertical\":1e7}}",      "{\"inertia\":0.4}",
        "{\"stiffness\":{\"lateral\":20}}", "{\"stiffness\":{\"vertical\":140}}", "{\"stiffness\":{\"roll\":80}}"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        CHECK_ERRORS errors = {0};
        assert_null(read(wrong[i], &errors));
        assert_int_equal(errors.count, 1);
        assert_non_null(strstr(kane_errors_get(&errors, 0)->text, "is out of range, must be from"));
    }
}

CHECK_TEST(each_value_of_a_definition_is_checked)
{
    const kane_section_definition line = straight(100.0);
    for (int kind = 0; kind < 3; kind++)
        for (int which = 0; which < 3; which++)
            for (int bad = 0; bad < 3; bad++) {
                kane_track_definition d = kane_track_definition_default();
                CHECK_ERRORS errors     = {0};
                double *const of[3]     = {d.flexibility.inertia, d.flexibility.stiffness, d.flexibility.damping};
                d.sections              = &line;
                d.section_count         = 1;
                d.flexibility.place     = (kane_place){"test.json", 41, 1, ""};
                of[kind][which]         = bad == 0 ? -1.0 : bad == 1 ? (double)NAN : 0.0;
                kane_track *rigid       = kane_track_create(&d, &errors);
                assert_non_null(rigid); // nobody looks at it
                kane_track_free(rigid);
                d.is_flexible                  = 1;
                CHECK_OWNED(kane_track) *track = kane_track_create(&d, &errors);
                const int good                 = kind == 2 && bad == 2; // no damping
                assert_int_equal(errors.count, good ? 0 : 1);
                assert_int_equal(track != NULL, good);
                if (!good) {
                    assert_int_equal(kane_errors_get(&errors, 0)->line, 41);
                    assert_non_null(
                        strstr(kane_errors_get(&errors, 0)->text, which == 2 && kind == 0 ? "inertia" : kinds[kind]));
                }
            }
}

CHECK_MAIN(NULL, NULL)
