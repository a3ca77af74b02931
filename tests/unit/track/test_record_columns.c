// SPDX-License-Identifier: MIT
// Measured irregularities with columns, units and signs of their own: the same rails as with libkane's names;
// wavelengths that are kept; files without chainage.

#include "errors.h"
#include "folder.h"
#include "lines.h"

#include <unistd.h>

enum { POINTS = 1200 };

static const double step = 0.25;

static kane_track *read_with(const char *name, const char *files)
{
    char text[2000];
    (void)snprintf(
        text, sizeof text,
        "{ \"kane\": \"track 1\", \"start\": 1000, \"sections\": [ { \"straight\": 300 } ], \"irregularities\": { "
        "\"files\": [ %s ] } }",
        files);
    write_file(name, text);
    kane_track *track = CHECK_GOOD(kane_track_read, name, NULL);
    assert_non_null(track);
    return track;
}

static double wave(int i, double length, double phase)
{
    return 2e-3 * sin(2.0 * pi * step * i / length + phase);
}

// Points differ in their last digits, and so may the number of steps of the table between them: slopes are met as it
// meets them.
static void check_same_rails(const kane_track *a, const kane_track *b, double tolerance)
{
    for (int i = 20; i < 2 * POINTS - 20; i++)
        for (int side = 0; side < 2; side++) {
            const kane_rail_offset p = rail_at(a, (kane_side)side, 0.125 * i),
                                   q = rail_at(b, (kane_side)side, 0.125 * i);
            check_near(p.y, q.y, tolerance);
            check_near(p.z, q.z, tolerance);
            check_near(p.y_s, q.y_s, 1e-9);
            check_near(p.z_s, q.z_s, 1e-9);
        }
}

// Alignment to the right, heights downwards, the gauge itself, the right rail over the left one.
CHECK_TEST(other_names_units_and_signs_mean_the_same_rails)
{
    FILE *own = fopen("own.csv", "w"), *other = fopen("other.csv", "w");
    assert_non_null(own);
    assert_non_null(other);
    (void)fputs("chainage,lateral,gauge,vertical,cross_level\nm,m,m,m,m\n", own);
    (void)fputs("no\tkm\tPfeil\tSpur [mm]\tHoehe\tQuer\n\tkm\tcm\tmm\tmm\tmm\n", other);
    for (int i = 0; i <= POINTS; i++) {
        const double lateral = wave(i, 17.0, 0.1), gauge = wave(i, 9.0, 1.0), vertical = wave(i, 13.0, 2.0),
                     cross = wave(i, 21.0, 3.0);
        (void)fprintf(own, "%.17g,%.17g,%.17g,%.17g,%.17g\n", 1000.0 + step * i, lateral, gauge, vertical, cross);
        (void)fprintf(other, "%d\t%.17g\t%.17g\t%.17g\t%.17g\t%.17g\n", i, 1.0 + 1e-3 * step * i, -1e2 * lateral,
                      1435.0 + 1e3 * gauge, -1e3 * vertical, -1e3 * cross);
    }
    assert_int_equal(fclose(own), 0);
    assert_int_equal(fclose(other), 0);
    CHECK_OWNED(kane_track) *a = read_with("a.json", "{ \"file\": \"own.csv\" }");
    CHECK_OWNED(kane_track) *b = read_with(
        "b.json",
        "{ \"file\": \"other.csv\", \"columns\": { \"chainage\": \"km [km]\", \"lateral\": \"Pfeil\", "
        "\"gauge\": \"Spur [mm]\", \"vertical\": \"Hoehe [mm]\", \"cross_level\": \"Quer\" }, \"lateral_positive\": "
        "\"right\", \"vertical_positive\": \"down\", \"cross_level_positive\": \"right_rail\", "
        "\"nominal_gauge\": \"1435 mm\" }");
    check_same_rails(a, b, 1e-10);
    const kane_rail_offset left = rail_at(b, KANE_LEFT, 100.0), right = rail_at(b, KANE_RIGHT, 100.0);
    check_near(0.5 * (left.y + right.y), wave(400, 17.0, 0.1), 1e-10);
    check_near(left.y - right.y, wave(400, 9.0, 1.0), 1e-10);
    check_near(left.z - right.z, wave(400, 21.0, 3.0), 1e-10);
}

// Rails one by one, alignment to the inside of the track; no chainage but a step.
CHECK_TEST(rails_one_by_one_count_to_the_inside)
{
    FILE *file = fopen("rails.txt", "w");
    assert_non_null(file);
    (void)fputs("left right up\n", file);
    for (int i = 0; i <= POINTS; i++)
        (void)fprintf(file, "%.17g %.17g %.17g\n", 1e3 * wave(i, 17.0, 0.1), 1e3 * wave(i, 9.0, 1.0),
                      1e3 * wave(i, 13.0, 2.0));
    assert_int_equal(fclose(file), 0);
    CHECK_OWNED(kane_track) *track =
        read_with("c.json", "{ \"file\": \"rails.txt\", \"from\": \"1 km\", \"step\": \"25 cm\", \"scale\": 2, "
                            "\"lateral_positive\": \"inside\", \"columns\": { \"left_lateral\": \"left [mm]\", "
                            "\"right_lateral\": \"right [mm]\", \"right_vertical\": \"up [mm]\" } }");
    for (int i = 40; i < POINTS - 40; i++) {
        check_near(rail_at(track, KANE_LEFT, step * i).y, -2.0 * wave(i, 17.0, 0.1), 1e-10);
        check_near(rail_at(track, KANE_RIGHT, step * i).y, 2.0 * wave(i, 9.0, 1.0), 1e-10);
        check_near(rail_at(track, KANE_RIGHT, step * i).z, 2.0 * wave(i, 13.0, 2.0), 1e-10);
        check_near(rail_at(track, KANE_LEFT, step * i).z, 0.0, 0.0);
    }
}

// Three waves: of 60 m, 12 m and 2 m. Filters at 30 m and 6 m keep 1/(1 + (L/30)^4) less and 1/(1 + (6/L)^4).
CHECK_TEST(filters_keep_what_they_say)
{
    static const double lengths[3] = {60.0, 12.0, 2.0};
    FILE *file                     = fopen("waves.csv", "w");
    assert_non_null(file);
    (void)fputs("s [m];z [mm]\n", file);
    for (int i = 0; i <= POINTS; i++)
        (void)fprintf(file, "%.17g;%.17g\n", 1000.0 + step * i,
                      1e3 * (wave(i, 60.0, 0.3) + wave(i, 12.0, 1.3) + wave(i, 2.0, 2.3)));
    assert_int_equal(fclose(file), 0);
    CHECK_OWNED(kane_track) *track = read_with(
        "d.json", "{ \"file\": \"waves.csv\", \"min_wavelength\": \"6 m\", \"max_wavelength\": \"30 m\", \"columns\": "
                  "{ \"chainage\": \"s [m]\", \"vertical\": \"z [mm]\" } }");
    for (int i = POINTS / 3; i < 2 * POINTS / 3; i++) {
        double expected = 0.0;
        for (int k = 0; k < 3; k++) {
            const double high = 1.0 - 1.0 / (1.0 + pow(30.0 / lengths[k], 4.0)),
                         low  = 1.0 / (1.0 + pow(6.0 / lengths[k], 4.0));
            expected += high * low * wave(i, lengths[k], 0.3 + k);
        }
        check_near(rail_at(track, KANE_LEFT, step * i).z, expected, 1e-5); // 0.5 % of a wave
    }
    const kane_record_definition *kept = &kane_track_get_definition(track)->records[0];
    assert_int_equal(kept->point_count, POINTS + 1);
    check_near(kept->longest, 30.0, 0.0);
    check_near(kept->shortest, 6.0, 0.0);
    assert_true(kept->longer > 1.8e-3 && kept->longer < 2.5e-3); // 16/17 of 2 mm and what little of the others
    assert_true(kept->shorter > 1.8e-3 && kept->shorter < 2.5e-3);
}

CHECK_MAIN(enter_folder, leave_folder)
