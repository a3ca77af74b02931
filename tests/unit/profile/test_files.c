// SPDX-License-Identifier: MIT
// Files of profiles: the same wheel in every format and orientation.

#include "allocation.h"
#include "unit/profile/written.h"

static kane_profile *read_good(const char *name, kane_profile_options options)
{
    CHECK_ERRORS errors = {0};
    kane_profile *p     = kane_profile_read(name, &options, &errors);
    if (!p)
        print_error("%s\n", kane_errors_get(&errors, 0)->text);
    assert_non_null(p);
    assert_int_equal(errors.count, 0);
    assert_int_equal(kane_profile_check(p, options.kind, NULL), KANE_OK);
    return p;
}

static kane_profile_options wheel_in_mm(kane_profile_lateral lateral, kane_profile_vertical vertical)
{
    return (kane_profile_options){.kind = KANE_PROFILE_WHEEL, .unit = 1e-3, .lateral = lateral, .vertical = vertical};
}

// All 65 points of S1002, from the inside to the outside; `line` is that of the innermost one, to the outside they
// count up or down.
static void check_wheel(kane_profile *p, int line, int step)
{
    assert_int_equal(p->count, 65);
    for (int i = 0; i < p->count; i++) {
        check_near(p->y[i], 1e-3 * (-66.0 + 2.0 * i), 2e-14);                           // digits that are written
        check_near(p->z[i], -kane_shape_s1002(p->y[i]).height, i == 20 ? 4e-8 : 6e-10); // S1002 has a step at -26 mm
        assert_int_equal(p->line[i], line + i * step);
    }
    assert_null(p->weight);
    kane_profile_free(p);
}

CHECK_TEST(columns_are_read_in_any_orientation)
{
    written_profile("a.txt", &(written){0});
    check_wheel(read_good("a.txt", wheel_in_mm(KANE_LATERAL_OUTSIDE, KANE_VERTICAL_UP)), 2, 1);
    written_profile("a.txt", &(written){.y_factor = -1.0});
    check_wheel(read_good("a.txt", wheel_in_mm(KANE_LATERAL_INSIDE, KANE_VERTICAL_UP)), 2, 1);
    written_profile("a.txt", &(written){.z_factor = -1.0});
    check_wheel(read_good("a.txt", wheel_in_mm(KANE_LATERAL_OUTSIDE, KANE_VERTICAL_DOWN)), 2, 1);

    // the running circle elsewhere, in the file's direction
    kane_profile_options options = wheel_in_mm(KANE_LATERAL_INSIDE, KANE_VERTICAL_DOWN);
    options.origin               = 0.1;
    written_profile("a.txt", &(written){.y_factor = -1.0, .z_factor = -1.0, .shift = 100.0});
    check_wheel(read_good("a.txt", options), 2, 1);

    // other units, separators, line ends; comments; the same point twice
    options      = wheel_in_mm(KANE_LATERAL_OUTSIDE, KANE_VERTICAL_UP);
    options.unit = 0.0254;
    written_profile(
        "a.csv", &(written){.y_factor = 1.0 / 25.4, .z_factor = 1.0 / 25.4, .format = "\t%.12f;%.12f ! a point\r\n"});
    check_wheel(read_good("a.csv", options), 2, 1);
    options.unit = 1.0;
    written_profile("a.csv", &(written){.before   = "\xef\xbb\xbf# first\n\n! second\n",
                                        .y_factor = 1e-3,
                                        .z_factor = 1e-3,
                                        .format   = "%.9e , %.12f # 1 2 3\n"});
    check_wheel(read_good("a.csv", options), 4, 1);
    options.unit = 1e-3;
    written_profile("a.dat", &(written){.line = 65, .by = "62 3.202046\n62. .3202046D1\n+6.2e1 +3.202046e0"});
    check_wheel(read_good("a.dat", options), 2, 1);
}

static const char simpack_head[] =
    "! a wheel\nheader.begin\n  version = 1\n  type = 1 ! 0=rail\nheader.end\nspline.begin\n"
    "  approx.smooth = 0.\n  comment = 'it''s one'\n  units.len.f = +1.0E+03\n"
    "  bound.y.min = 1\n  bound.y.max = 0\n  inversion = 1\n  mirror.y = 0\n";

static void write_simpack(const char *name, const char *keys, const written *w)
{
    char head[1024];
    written copy = *w;
    (void)snprintf(head, sizeof head, "%s%s  point.begin\n", simpack_head, keys);
    copy.before = head;
    copy.after  = copy.after ? copy.after : "  point.end\nspline.end\n";
    written_profile(name, &copy);
}

// Outside and down, unless it says otherwise; lines count from 15.
CHECK_TEST(simpack_files_say_what_they_are)
{
    const kane_profile_options options = {.kind = KANE_PROFILE_WHEEL};
    const written down                 = {.z_factor = -1.0};
    write_simpack("a.prw", "", &down);
    check_wheel(read_good("a.prw", options), 15, 1);
    write_simpack("a.PRW", "mirror.y = 1\n", &(written){.y_factor = -1.0, .z_factor = -1.0});
    check_wheel(read_good("a.PRW", options), 16, 1);
    write_simpack("a.prw", "mirror.z = 1\n", &(written){0});
    check_wheel(read_good("a.prw", options), 16, 1);
    write_simpack("a.prw", "shift.y = -30\nshift.z = 2\n", &(written){.z_factor = -1.0, .shift = 30.0});
    kane_profile *p = read_good("a.prw", options);
    check_near(p->z[33] - p->z[32], kane_shape_s1002(-2e-3).height, 1e-9);
    check_near(p->z[33], -2e-3, 1e-9); // down is positive there; a constant height means nothing
    kane_profile_free(p);

    // stated as well, in agreement
    kane_profile_options stated = wheel_in_mm(KANE_LATERAL_OUTSIDE, KANE_VERTICAL_DOWN);
    stated.format               = KANE_PROFILE_SIMPACK;
    write_simpack("a.txt", "", &down);
    check_wheel(read_good("a.txt", stated), 15, 1);
    write_simpack("a.prw", "", &(written){0}); // or the other way, if somebody insists
    stated.vertical = KANE_VERTICAL_UP;
    check_wheel(read_good("a.prw", stated), 15, 1);
}

CHECK_TEST(simpack_points_are_processed)
{
    const kane_profile_options options = {.kind = KANE_PROFILE_WHEEL};
    write_simpack("a.prw", "bound.y.min = -50\nbound.y.max = 40\n", &(written){.z_factor = -1.0});
    kane_profile *p = read_good("a.prw", options);
    assert_int_equal(p->count, 46);
    check_near(p->y[0], -0.05, 1e-15);
    check_near(p->y[45], 0.04, 1e-15);
    kane_profile_free(p);

    write_simpack("a.prw", "point.dist.min = 3\n", &(written){.z_factor = -1.0});
    p = read_good("a.prw", options);
    assert_in_range(p->count, 32, 44); // every other one, but for the steep flank
    kane_profile_free(p);

    // turned about x by 0.01 rad, as 10 mrad: y to z in the file's axes
    write_simpack("a.prw", "units.ang.f = 1000\nrotate = 10\n", &(written){.z_factor = -1.0});
    p              = read_good("a.prw", options);
    const double h = kane_shape_s1002(0.02).height, y = 0.02 * cos(0.01) - h * sin(0.01);
    check_near(p->y[43], y, 1e-9);
    check_near(p->z[43], -(0.02 * sin(0.01) + h * cos(0.01)), 1e-9);
    kane_profile_free(p);

    write_simpack("a.prw", "", &(written){.z_factor = -1.0, .format = "%.6f %.6f 2.5\n"});
    p = read_good("a.prw", options);
    assert_non_null(p->weight);
    check_near(p->weight[7], 2.5, 0.0);
    kane_profile_free(p);
}

CHECK_TEST(miniprof_files_are_read)
{
    const kane_profile_options options = wheel_in_mm(KANE_LATERAL_OUTSIDE, KANE_VERTICAL_UP);
    written_profile("a.whl", &(written){.before = "ProgramName=MiniProf\nDate=1.2.2020\nXYPoints=65\n\n"});
    check_wheel(read_good("a.whl", options), 5, 1);
    written_profile("a.mpt", &(written){.before = "[Header]\nColumnDef=X,Y,A,C\n", .format = "%.6f %.6f 0.1 1e9\n"});
    check_wheel(read_good("a.mpt", options), 3, 1);
    written_profile("a.ban", &(written){.before = "ColumnDef=N,Y,X\n", .rail = 1, .format = "7 %2$.6f %1$.6f\n"});
    kane_profile_options rail    = options;
    rail.kind                    = KANE_PROFILE_RAIL;
    CHECK_OWNED(kane_profile) *p = read_good("a.ban", rail);
    assert_int_equal(p->count, 38);
    check_near(p->z[10], kane_shape_60e1(p->y[10]).height, 6e-10);
}

CHECK_TEST(old_miniprof_headers_are_passed_over)
{
    written_profile("old.whl",
                    &(written){.before = "MINIPROF 101 207 1996 11 5\nown.prd\nStock.......:\nmark = 3 of 7\n"
                                         "31.10 29.40 9.80 (Sd/Sh/qR)\n\n",
                               .format = "%.6f %.6f 0.000\n"});
    check_wheel(read_good("old.whl", wheel_in_mm(KANE_LATERAL_OUTSIDE, KANE_VERTICAL_UP)), 7, 1);
}

CHECK_TEST(one_of_several_profiles_is_read)
{
    const char *const before = "[FileInfo]\nProgramName=own\n[Profile1Info]\nRail=left\nXYPoints=3\n[Profile1Points]\n"
                               "1 2\n3 4\n5 6\n[Profile2Info]\nRail=right\nXYPoints=65\n[Profile2Points]\n",
                      *const after = "[Profile3Info]\nColumnDef=N,X,Y\nXYPoints=1\n[Profile3Points]\n1 2 3\n";
    kane_profile_options options   = wheel_in_mm(KANE_LATERAL_OUTSIDE, KANE_VERTICAL_UP);
    options.profile                = 2;
    written_profile("several.mpt", &(written){.before = before, .after = after});
    check_wheel(read_good("several.mpt", options), 14, 1);
}

// A point 0.01 mm back, and a scan that begins 0.6 mm before the end of the one before it.
CHECK_TEST(steps_back_of_measuring_noise_are_left_out)
{
    kane_errors remarks = {0};
    char by[128];
    double y, z;
    written_point(&(written){0}, -26.0, &y, &z);
    const int length = snprintf(by, sizeof by, "%.6f %.6f\n%.6f %.6f\n", y, z, y - 0.01, z + 0.001);
    assert_true(length > 0 && (size_t)length < sizeof by);
    written_profile("noise.txt", &(written){.line = 21, .by = by});
    kane_profile *p = read_good("noise.txt", wheel_in_mm(KANE_LATERAL_OUTSIDE, KANE_VERTICAL_UP));
    assert_int_equal(p->count, 65);
    assert_int_equal(p->left_out, 1);
    assert_int_equal(kane_profile_left_out(p, &remarks), 1);
    assert_string_equal(kane_errors_get(&remarks, 0)->text,
                        "1 point left out, behind its neighbour by as little as measuring devices err");
    assert_int_equal(kane_errors_get(&remarks, 0)->line, 23);
    kane_profile_free(p);

    // points 20 and 21 of S1002 every 2 mm, and 0.6 and 0.3 mm before the second once more
    double back[3][2];
    for (int i = 0; i < 3; i++)
        written_point(&(written){0}, 0.0 - 0.3 * (2 - i), &back[i][0], &back[i][1]);
    assert_true(snprintf(by, sizeof by, "%.6f %.6f\n%.6f %.6f\n%.6f %.6f\n", back[2][0], back[2][1], back[0][0],
                         back[0][1], back[1][0], back[1][1]) < (int)sizeof by);
    written_profile("overlap.txt", &(written){.line = 34, .by = by});
    p = read_good("overlap.txt", wheel_in_mm(KANE_LATERAL_OUTSIDE, KANE_VERTICAL_UP));
    assert_int_equal(p->count, 65);
    assert_int_equal(p->left_out, 2);
    kane_profile_free(p);
    kane_errors_free(&remarks);
}

// From the outside to the inside is turned round.
CHECK_TEST(order_does_not_matter)
{
    written_profile("a.txt", &(written){.y_factor = -1.0, .shift = 0.0});
    kane_profile *a = read_good("a.txt", wheel_in_mm(KANE_LATERAL_INSIDE, KANE_VERTICAL_UP));
    FILE *file      = fopen("b.txt", "w");
    assert_non_null(file);
    for (int i = a->count - 1; i >= 0; i--)
        (void)fprintf(file, "%.17g %.17g\n", a->y[i], a->z[i]);
    (void)fclose(file);
    kane_profile_options options = wheel_in_mm(KANE_LATERAL_OUTSIDE, KANE_VERTICAL_UP);
    options.unit                 = 1.0;
    check_wheel(read_good("b.txt", options), 65, -1);
    kane_profile_free(a);
    kane_profile_free(NULL);
}

CHECK_TEST(missing_memory_is_reported)
{
    const kane_profile_options options = {.kind = KANE_PROFILE_WHEEL};
    write_simpack("a.prw", "", &(written){.z_factor = -1.0});
    int k = 1;
    for (;; k++) {
        CHECK_ERRORS errors = {0};
        allocation_fail_at(k);
        kane_profile *p = kane_profile_read("a.prw", &options, &errors);
        if (!allocation_stop()) {
            kane_profile_free(p);
            break;
        }
        assert_null(p);
        assert_int_equal(errors.count, 1);
        assert_int_equal(kane_errors_get(&errors, 0)->status, KANE_NO_MEMORY);
    }
    assert_true(k > 4);
}

CHECK_MAIN(enter_folder, leave_folder)
