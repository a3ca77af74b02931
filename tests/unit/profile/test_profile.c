// SPDX-License-Identifier: MIT
// Profiles through the C interface: what is refused, what is alike, kinks, drawings.

#include "unit/profile/drawn.h"
#include "allocation.h"

// One message about a profile.
static void check_refused_by(const kane_profile *p, kane_profile_kind kind, const char *text, const char *file,
                             int line)
{
    CHECK_ERRORS errors      = {0};
    const kane_status status = kane_profile_check(p, kind, &errors);
    if (status == KANE_BAD_ARGUMENT && errors.count == 1 && strcmp(kane_errors_get(&errors, 0)->text, text) == 0)
        return;
    print_error("expected: %s\n", text);
    for (int i = 0; i < errors.count && i < 3; i++)
        print_error("found:    %s\n", kane_errors_get(&errors, i)->text);
    _fail(file, line);
}
#define check_refused(p, kind, text) check_refused_by((p), (kind), (text), __FILE__, __LINE__)

CHECK_TEST(shapes_are_what_they_are_called)
{
    const kane_profile cone = kane_profile_cone(0.05), arc = kane_profile_arc(-0.5, 0.1),
                       head = kane_profile_round(0.3);
    assert_int_equal(kane_profile_check(kane_profile_s1002(), KANE_PROFILE_WHEEL, NULL), KANE_OK);
    assert_int_equal(kane_profile_check(&cone, KANE_PROFILE_WHEEL, NULL), KANE_OK);
    assert_int_equal(kane_profile_check(&arc, KANE_PROFILE_WHEEL, NULL), KANE_OK);
    assert_int_equal(kane_profile_check(kane_profile_60e1(), KANE_PROFILE_RAIL, NULL), KANE_OK);
    assert_int_equal(kane_profile_check(&head, KANE_PROFILE_RAIL, NULL), KANE_OK);

    check_refused(kane_profile_s1002(), KANE_PROFILE_RAIL, "the profile is not that of a rail");
    check_refused(&head, KANE_PROFILE_WHEEL, "the profile is not that of a wheel");
    kane_profile p = kane_profile_cone(0.6);
    check_refused(&p, KANE_PROFILE_WHEEL, "conicity of the profile 0.6 is not allowed, must be within -0.5 and 0.5");
    p = kane_profile_arc(0.0, 0.0);
    check_refused(&p, KANE_PROFILE_WHEEL, "radius of the profile 0 m is not allowed, must be within 0.1 m and 1000 m");
    p = kane_profile_round(20.0);
    check_refused(&p, KANE_PROFILE_RAIL, "radius of the profile 20 m is not allowed, must be within 0.02 m and 10 m");
    p                  = *kane_profile_s1002();
    p.flange_to_circle = -0.07;
    check_refused(&p, KANE_PROFILE_WHEEL,
                  "flange_to_circle of the profile -0.07 m is not allowed, must be within 0.02 m and 0.15 m");
}

CHECK_TEST(points_must_be_a_wheel)
{
    drawn *d        = drawn_wheel(1e-3);
    kane_profile *p = &d->profile;
    const int count = p->count;
    assert_int_equal(kane_profile_check(p, KANE_PROFILE_WHEEL, NULL), KANE_OK);
    p->count = 7;
    check_refused(p, KANE_PROFILE_WHEEL, "the profile has 7 points, must have 8 to 100000");
    p->count     = count;
    p->smoothing = 2e-3;
    check_refused(p, KANE_PROFILE_WHEEL, "smoothing by 2 mm is not allowed, must be from 0 mm to 1 mm");
    p->smoothing   = 0.0;
    const double y = d->y[30];
    d->y[30]       = (double)NAN;
    char text[200];
    (void)snprintf(text, sizeof text, "point 31 is not finite: y = %g, z = %g", d->y[30], d->z[30]);
    check_refused(p, KANE_PROFILE_WHEEL, text);
    d->y[30]  = y;
    p->weight = d->z; // the flange's are negative
    assert_int_equal(kane_profile_check(p, KANE_PROFILE_WHEEL, NULL), KANE_BAD_ARGUMENT);
    p->weight = NULL;
    for (int i = 0; i < count; i++)
        d->y[i] = -d->y[i];
    check_refused(
        p, KANE_PROFILE_WHEEL,
        "the profile ends at y = -63.98 mm where it begins at 67 mm: points must run from the inside to the outside");
    for (int i = 0; i < count; i++) {
        d->y[i] = -d->y[i];
        d->z[i] = -d->z[i];
    }
    check_refused(p, KANE_PROFILE_WHEEL, "this wheel is upside down: its flange points up; z must be positive upward");
    free(d);
}

CHECK_TEST(alike_is_what_has_the_same_values)
{
    drawn *a = drawn_wheel(1e-3), *b = drawn_wheel(1e-3);
    const kane_profile cone = kane_profile_cone(0.05), steeper = kane_profile_cone(0.06),
                       arc = kane_profile_arc(0.5, 0.05);
    kane_profile other     = *kane_profile_s1002();
    assert_true(kane_profile_same(kane_profile_s1002(), &other));
    other.flange_to_circle = 0.07; // what 0 stands for
    assert_true(kane_profile_same(kane_profile_s1002(), &other));
    other.flange_to_circle = 0.071;
    assert_false(kane_profile_same(kane_profile_s1002(), &other));
    assert_false(kane_profile_same(&cone, &steeper));
    assert_false(kane_profile_same(&cone, &arc));
    assert_true(kane_profile_same(&a->profile, &b->profile));
    b->profile.smoothing = 1e-6;
    assert_false(kane_profile_same(&a->profile, &b->profile));
    b->profile.smoothing = 0.0;
    b->z[10] += 1e-9;
    assert_false(kane_profile_same(&a->profile, &b->profile));
    free(a);
    free(b);
}

CHECK_TEST(kinks_have_their_place)
{
    drawn *d             = drawn_wheel(5e-4);
    CHECK_ERRORS remarks = {0};
    assert_int_equal(kane_profile_kinks(kane_profile_s1002(), 0.1, &remarks), 0);
    assert_int_equal(kane_profile_kinks(&d->profile, 0.1745, &remarks), 0);
    int k = 0;
    while (d->y[k] < 0.01)
        k++;
    for (int i = 0; i < d->profile.count; i++)
        d->line[i] = 100 + i;
    for (int i = k; i < d->profile.count; i++)
        d->z[i] += 0.4 * (d->y[i] - d->y[k]); // a corner of about 20 degrees
    d->profile.line  = d->line;
    d->profile.place = (kane_place){"w.txt", 100, 1, ""};
    assert_int_equal(kane_profile_kinks(&d->profile, 0.1745, &remarks), 1);
    assert_int_equal(remarks.count, 1);
    assert_int_equal(kane_errors_get(&remarks, 0)->status, KANE_OK);
    assert_int_equal(kane_errors_get(&remarks, 0)->line, 100 + k);
    assert_int_equal(kane_errors_get(&remarks, 0)->column, 1);
    assert_string_equal(kane_errors_get(&remarks, 0)->file, "w.txt");
    assert_non_null(strstr(kane_errors_get(&remarks, 0)->text, "the profile has a kink of 2"));
    d->profile.smoothing = 5e-4; // rounds it
    assert_int_equal(kane_profile_kinks(&d->profile, 0.1745, &remarks), 0);
    free(d);
}

// 60E1 drawn with its inclination, forgotten to say so; and upright ones, which do not lean.
CHECK_TEST(a_rail_that_leans_is_remarked_on)
{
    enum { POINTS = 200 };
    static double y[POINTS], z[POINTS], turned_y[POINTS], turned_z[POINTS];
    CHECK_ERRORS remarks = {0};
    assert_int_equal(kane_profile_draw(kane_profile_60e1(), POINTS, y, z), KANE_OK);
    for (int way = -1; way <= 1; way++) {
        for (int i = 0; i < POINTS; i++) { // to the middle of the track where the inside sinks
            turned_y[i] = y[i] - way * z[i] / 40.0;
            turned_z[i] = z[i] + way * y[i] / 40.0;
        }
        kane_profile rail = {.kind  = KANE_PROFILE_RAIL,
                             .shape = KANE_SHAPE_POINTS,
                             .count = POINTS,
                             .y     = turned_y,
                             .z     = turned_z,
                             .place = {"r.txt", 7, 1, ""}};
        assert_int_equal(kane_profile_check(&rail, KANE_PROFILE_RAIL, NULL), KANE_OK);
        assert_int_equal(kane_profile_leans(&rail, &remarks), way > 0);
        rail.inclined = 1;
        assert_int_equal(kane_profile_leans(&rail, &remarks), 0);
    }
    assert_int_equal(kane_profile_leans(kane_profile_60e1(), &remarks), 0);
    assert_int_equal(kane_profile_leans(kane_profile_s1002(), &remarks), 0);
    assert_int_equal(remarks.count, 1);
    assert_int_equal(kane_errors_get(&remarks, 0)->line, 7);
    assert_non_null(strstr(kane_errors_get(&remarks, 0)->text, "write \"inclined\": true"));
}

CHECK_TEST(a_drawing_is_the_curve)
{
    double y[201], z[201];
    assert_int_equal(kane_profile_draw(kane_profile_s1002(), 201, y, z), KANE_OK);
    check_near(y[0], KANE_S1002_FIRST, 0.0);
    check_near(y[200], KANE_S1002_LAST, 1e-17);
    check_near(z[100], -kane_shape_s1002(y[100]).height, 0.0);
    const kane_profile arc = kane_profile_arc(0.5, 0.0), cone = kane_profile_cone(0.1),
                       crowned = kane_profile_arc(-0.5, 0.1);
    assert_int_equal(kane_profile_draw(&arc, 201, y, z), KANE_OK);
    check_near(z[0], -(0.5 - sqrt(0.25 - 0.01)), 1e-15); // hollow: the sides are lower
    assert_int_equal(kane_profile_draw(&cone, 201, y, z), KANE_OK);
    check_near(z[0], -0.01, 1e-15); // the radius grows to the inside
    assert_int_equal(kane_profile_draw(&crowned, 201, y, z), KANE_OK);
    check_near((z[101] - z[99]) / (y[101] - y[99]), 0.1, 1e-5);
    check_near(z[101] - 2.0 * z[100] + z[99], 1e-6 * 2.0 * pow(1.01, 1.5), 1e-8);
    assert_int_equal(kane_profile_draw(&cone, 1, y, z), KANE_BAD_ARGUMENT);
}

CHECK_TEST(missing_memory_is_reported)
{
    drawn *d = drawn_wheel(1e-3);
    for (int k = 1;; k++) {
        CHECK_ERRORS errors = {0};
        allocation_fail_at(k);
        const kane_status status = kane_profile_check(&d->profile, KANE_PROFILE_WHEEL, &errors);
        if (!allocation_stop())
            break;
        assert_int_equal(status, KANE_NO_MEMORY);
        assert_int_equal(errors.count, 1);
    }
    free(d);
}

CHECK_MAIN(NULL, NULL)
