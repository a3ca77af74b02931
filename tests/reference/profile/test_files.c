// SPDX-License-Identifier: MIT
// Profiles of others: the Manchester benchmark's wheel and rail, a worn wheel (SIMPACK's format), the wheels and the
// rail of UIC 519. They are not part of libkane; without them the tests are skipped.

#include "check.h"
#include "profile/profile.h"

static const double mm     = 1e-3;
static const char folder[] = KANE_SOURCE_DIR "/../shared/reference/profiles";

static kane_profile *read_or_skip(const char *name, kane_profile_options options)
{
    char path[1024], text[1200];
    CHECK_ERRORS errors = {0};
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    if (!file)
        check_skip("there is no %s", path);
    (void)fclose(file);
    kane_profile *p = kane_profile_read(path, &options, &errors);
    for (int i = 0; i < errors.kept; i++) {
        (void)kane_error_format(kane_errors_get(&errors, i), sizeof text, text);
        print_error("%s\n", text);
    }
    assert_non_null(p);
    return p;
}

CHECK_TEST(the_benchmarks_wheel_is_s1002)
{
    kane_profile *p = read_or_skip("MBench_S1002_v3.prw", (kane_profile_options){.kind = KANE_PROFILE_WHEEL});
    double farthest = 0.0;
    assert_int_equal(p->count, 399);
    for (int i = 0; i < p->count; i++)
        if (p->y[i] > -0.0695 && p->y[i] < 0.06)
            farthest = fmax(farthest, fabs(p->z[i] + kane_shape_s1002(p->y[i]).height));
    print_message("points: %.1e mm from the shape\n", farthest / mm);
    check_near(farthest, 0.0, 2e-6 * mm);
    assert_int_equal(kane_profile_kinks(p, 0.1745, NULL), 0);

    kane_contact_definition d           = kane_contact_definition_default();
    CHECK_OWNED(kane_contact) *standard = kane_contact_create(&d, NULL);
    d.wheel[0]                          = p;
    CHECK_OWNED(kane_contact) *points   = kane_contact_create(&d, NULL);
    kane_profile_free(p);
    assert_non_null(points);
    farthest = 0.0;
    for (double y = -59.0 * mm; y < 58.0 * mm; y += 0.05 * mm) {
        double a[3], b[3];
        kane_contact_wheel_profile(standard, KANE_LEFT, y, a);
        kane_contact_wheel_profile(points, KANE_LEFT, y, b);
        farthest = fmax(farthest, fabs(a[0] - b[0]) / sqrt(1.0 + a[1] * a[1]));
    }
    print_message("as the contact sees it: %.1e mm\n", farthest / mm);
    check_near(farthest, 0.0, 2.5e-4 * mm); // between points 0.4 mm apart, where the root meets the flank
}

CHECK_TEST(the_benchmarks_rail_is_60e1_turned_by_a_fortieth)
{
    kane_profile *p =
        read_or_skip("MBench_UIC60_v3.prr", (kane_profile_options){.kind = KANE_PROFILE_RAIL, .inclined = 1});
    kane_contact_definition d           = kane_contact_definition_default();
    CHECK_OWNED(kane_contact) *standard = kane_contact_create(&d, NULL);
    d.rail[0]                           = p;
    d.inclination                       = 0.05; // means nothing to a rail that is drawn inclined
    CHECK_OWNED(kane_contact) *points   = kane_contact_create(&d, NULL);
    kane_profile_free(p);
    assert_non_null(points);
    double farthest = 0.0;
    for (double y = -43.0 * mm; y < 24.0 * mm; y += 0.05 * mm) {
        double a[3], b[3];
        kane_contact_rail_profile(standard, KANE_LEFT, y, a);
        kane_contact_rail_profile(points, KANE_LEFT, y, b);
        farthest = fmax(farthest, fabs(a[0] - b[0]) / sqrt(1.0 + a[1] * a[1]));
    }
    print_message("60E1 inclined 1:40: %.1e mm\n", farthest / mm);
    check_near(farthest, 0.0, 2e-3 * mm);
    check_near(kane_contact_rail_distance(points, KANE_LEFT), kane_contact_rail_distance(standard, KANE_LEFT),
               1e-3 * mm);
}

// Its y counts from the back of the flange, and the running circle of American wheels is 2 7/8 inch from there.
CHECK_TEST(the_worn_wheel_wants_its_origin)
{
    kane_profile_options options = {.kind = KANE_PROFILE_WHEEL, .origin = 73.0 * mm, .smoothing = 0.01 * mm};
    CHECK_OWNED(kane_profile) *p = read_or_skip("worn_high_mileage.prw", options);
    assert_int_equal(p->count, 638);
    kane_contact_definition d    = kane_contact_definition_default();
    d.wheel[0]                   = p;
    d.flange_back                = 1.353;
    CHECK_OWNED(kane_contact) *c = kane_contact_create(&d, NULL);
    assert_non_null(c);
    double out[3];
    kane_contact_wheel_profile(c, KANE_LEFT, 0.0, out);
    check_near(out[0], 0.0, 1e-9);
    kane_contact_wheel_profile(c, KANE_LEFT, (10.510234 - 73.0) * mm, out); // two of its points
    const double back = out[0];
    kane_contact_wheel_profile(c, KANE_LEFT, (111.0 - 73.0) * mm, out);
    check_near(out[0] - back, (33.122416 - 0.338) * mm, 0.05 * mm);
}

CHECK_TEST(the_profiles_of_uic_519_are_read)
{
    static const char *const wheels[] = {"RUIC519A.dat", "RUIC519B.dat", "RUIC519H.dat", "RUIC519I.dat"};
    kane_profile_options options      = {
             .kind = KANE_PROFILE_WHEEL, .unit = mm, .lateral = KANE_LATERAL_OUTSIDE, .vertical = KANE_VERTICAL_UP};
    kane_contact_definition d         = kane_contact_definition_default();
    kane_profile_options rail_options = options;
    rail_options.kind                 = KANE_PROFILE_RAIL;
    rail_options.inclined             = 1;
    CHECK_OWNED(kane_profile) *rail   = read_or_skip("SUIC519A.dat", rail_options);
    d.gauge                           = 1.43516;
    d.rail[0]                         = rail;
    for (int i = 0; i < 4; i++) {
        CHECK_OWNED(kane_profile) *p = read_or_skip(wheels[i], options);
        double out[3];
        assert_int_equal(p->count, 1001);
        check_near(p->y[0], -70.0 * mm, 1e-12);
        assert_int_equal(kane_profile_kinks(p, 0.1745, NULL), 0);
        d.wheel[0]                   = p;
        CHECK_OWNED(kane_contact) *c = kane_contact_create(&d, NULL);
        assert_non_null(c);
        kane_contact_wheel_profile(c, KANE_LEFT, -55.0 * mm, out); // the tip of the flange
        check_near(out[0], -28.0 * mm, 0.1 * mm);
        // the gauge point lies in the file's axes at y = -32.5 mm and half a millimetre up, the top at 14.7 mm
        check_near(kane_contact_rail_distance(c, KANE_LEFT), 0.71758 + 46.7 * mm, 0.5 * mm);
    }
}

CHECK_MAIN(NULL, NULL)
