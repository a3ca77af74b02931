// SPDX-License-Identifier: MIT
// Measured irregularities: there and back again through a file, between its points and behind its ends, and files that
// are wrong.

#include "errors.h"
#include "folder.h"
#include "lines.h"

#include <unistd.h>

static kane_track *read_track(const char *file)
{
    CHECK_ERRORS errors = {0};
    kane_track *track   = kane_track_read(file, NULL, &errors);
    for (int i = 0; i < errors.count; i++)
        print_error("%s:%d:%d %s\n", kane_errors_get(&errors, i)->file, kane_errors_get(&errors, i)->line,
                    kane_errors_get(&errors, i)->column, kane_errors_get(&errors, i)->text);
    assert_non_null(track);
    return track;
}

// A line with spectra, written down every 0.25 m with the names that `kane track` prints, read again: the same rails.
// Waves of 3 m and more are lost to the spline by (2 pi 0.25/3)^4/384 at most.
CHECK_TEST(rails_come_back_from_a_file)
{
    write_file("random.json",
               "{ \"kane\": \"track 1\", \"start\": 500, \"sections\": [ { \"straight\": 200 } ],\n"
               "  \"irregularities\": { \"spectra\": [ { \"standard\": \"ore_high\", \"seed\": 5 } ] } }");
    write_file("again.json",
               "{ \"kane\": \"track 1\", \"start\": 500, \"sections\": [ { \"straight\": 200 } ],\n"
               "  \"irregularities\": { \"files\": [ { \"file\": \"rails.csv\", \"ignore\": [\"speed\"] } ] } }");
    CHECK_OWNED(kane_track) *track = read_track("random.json");
    FILE *file                     = fopen("rails.csv", "w");
    assert_non_null(file);
    (void)fprintf(file, "# a comment\nchainage,left_lateral,left_vertical,speed,right_lateral,right_vertical\n"
                        "m,mm,m,km/h,m,mm\n\n");
    for (int i = 0; i <= 800; i++) {
        const kane_rail_offset l = rail_at(track, KANE_LEFT, 0.25 * i), r = rail_at(track, KANE_RIGHT, 0.25 * i);
        (void)fprintf(file, "%.17g, %.17g ,%.17g,fast,%.17g,%.17g\r\n", 500.0 + 0.25 * i, 1e3 * l.y, l.z, r.y,
                      1e3 * r.z);
    }
    assert_int_equal(fclose(file), 0);
    CHECK_OWNED(kane_track) *again = read_track("again.json");
    for (int i = 40; i < 3960; i++) // natural ends lose the bend of the first metres
        for (int side = 0; side < 2; side++) {
            const kane_rail_offset a = rail_at(track, (kane_side)side, 0.05 * i);
            const kane_rail_offset b = rail_at(again, (kane_side)side, 0.05 * i);
            check_near(b.y, a.y, 2e-6);
            check_near(b.z, a.z, 2e-6);
            check_near(b.y_s, a.y_s, 2e-5);
            check_near(b.z_s, a.z_s, 2e-5);
        }
}

// A record of points that a cubic of C2 meets exactly: a straight slope. Behind the ends the slope goes to zero in 10
// m, which is 5 m times the slope further; and nothing jumps.
CHECK_TEST(record_runs_out_level_behind_its_ends)
{
    enum { COUNT = 501 };
    static double at[COUNT], value[COUNT];
    for (int i = 0; i < COUNT; i++) {
        at[i]    = 2000.0 + i;
        value[i] = 1e-4 * (i - 100);
    }
    const kane_record_definition record = {.kind = KANE_RIGHT_VERTICAL, .point_count = COUNT, .at = at, .value = value};
    const kane_section_definition section = straight(500.0);
    kane_track_definition d               = kane_track_definition_default();
    d.start                               = 2000.0;
    d.record_count                        = 1;
    d.records                             = &record;
    CHECK_OWNED(kane_track) *track        = build_line(d, 1, &section);
    for (int i = 0; i <= 500; i++) {
        check_near(rail_at(track, KANE_RIGHT, i).z, 1e-4 * (i - 100), 1e-15);
        check_near(rail_at(track, KANE_RIGHT, i).z_s, 1e-4, 1e-14);
        check_near(rail_at(track, KANE_LEFT, i).z, 0.0, 0.0);
    }
    for (int i = 0; i < 3; i++) { // within the table, at its end and beyond
        const double far = i == 0 ? 10.0 : i == 1 ? 99.0 : 500.0;
        check_near(rail_at(track, KANE_RIGHT, 500.0 + far).z, 1e-4 * 405.0, 1e-14);
        check_near(rail_at(track, KANE_RIGHT, -far).z, 1e-4 * -105.0, 1e-14);
        check_near(rail_at(track, KANE_RIGHT, 500.0 + far).z_s, 0.0, 1e-13);
    }
    kane_rail_offset before = rail_at(track, KANE_RIGHT, 490.0);
    for (int i = 1; i < 3000; i++) {
        const kane_rail_offset o = rail_at(track, KANE_RIGHT, 490.0 + 0.01 * i);
        check_near(o.z - before.z, 0.01 * 0.5 * (o.z_s + before.z_s), 1e-10);
        check_near(o.z_s - before.z_s, 0.01 * 0.5 * (o.z_ss + before.z_ss), 1e-9);
        check_below(fabs(o.z_ss - before.z_ss), 1e-6);
        before = o;
    }
}

static kane_track *build_record(int count, const double *at, const double *value)
{
    const kane_record_definition record   = {.kind = KANE_VERTICAL, .point_count = count, .at = at, .value = value};
    const kane_section_definition section = straight(100.0);
    kane_track_definition d               = kane_track_definition_default();
    d.record_count                        = 1;
    d.records                             = &record;
    return build_line(d, 1, &section);
}

// Values of 1 mm with other signs every 0.3 m are met at their points.
CHECK_TEST(rough_record_is_met_at_its_points)
{
    enum { COUNT = 340 };
    static double at[COUNT], value[COUNT];
    for (int i = 0; i < COUNT; i++) {
        at[i]    = 0.3 * i - 0.7;
        value[i] = (i * i / 3) % 2 ? 1e-3 : -1e-3;
    }
    CHECK_OWNED(kane_track) *track = build_record(COUNT, at, value);
    for (int i = 3; i < COUNT; i++)
        check_near(rail_at(track, KANE_LEFT, at[i]).z, value[i], 1e-15);
}

// A record of a part of the line: behind either end the rails stay where it has ended, level after 10 m.
CHECK_TEST(a_record_may_end_before_the_line)
{
    enum { COUNT = 161 };
    static double at[COUNT], value[COUNT];
    for (int i = 0; i < COUNT; i++) {
        at[i]    = 30.0 + 0.25 * i;
        value[i] = 1e-4 * (at[i] - 40.0);
    }
    CHECK_OWNED(kane_track) *track = build_record(COUNT, at, value);
    for (int i = 30; i <= 70; i++)
        check_near(rail_at(track, KANE_LEFT, i).z, 1e-4 * (i - 40), 1e-12);
    check_near(rail_at(track, KANE_LEFT, 100.0).z, 1e-4 * (30.0 + 5.0), 1e-12); // 5 m more of the slope, as runs out
    check_near(rail_at(track, KANE_LEFT, 5.0).z, 1e-4 * (-10.0 - 5.0), 1e-12);
    check_near(rail_at(track, KANE_LEFT, 90.0).z_s, 0.0, 1e-15);
}

// 100 km with a point every 0.1 m, two of them 1 cm apart: nothing but the points takes room.
CHECK_TEST(a_long_record_has_room)
{
    enum { COUNT = 1000001 };
    double *at = malloc(2 * COUNT * sizeof *at), *value = at + COUNT;
    assert_non_null(at);
    for (int i = 0; i < COUNT; i++) {
        at[i]    = i == 1 ? 0.01 : 0.1 * i;
        value[i] = 1e-3 * sin(0.5 * at[i]);
    }
    const kane_record_definition record   = {.kind = KANE_VERTICAL, .point_count = COUNT, .at = at, .value = value};
    const kane_section_definition section = straight(100000.0);
    kane_track_definition d               = kane_track_definition_default();
    d.record_count                        = 1;
    d.records                             = &record;
    CHECK_OWNED(kane_track) *track        = build_line(d, 1, &section);
    for (int i = 0; i < 200; i++) {
        const double s = 2.0 + 499.77 * i;
        check_near(rail_at(track, KANE_LEFT, s).z, 1e-3 * sin(0.5 * s), 1e-9);
    }
    check_near(rail_at(track, KANE_LEFT, 0.007).z, 1e-3 * sin(0.5 * 0.007), 1e-9);
    free(at);
}

// The bend at an end of the record is zero, as it is behind it.
CHECK_TEST(bent_record_ends_without_a_jump)
{
    enum { COUNT = 101 };
    static double at[COUNT], value[COUNT];
    for (int i = 0; i < COUNT; i++) {
        at[i]    = i;
        value[i] = 1e-5 * (i - 50) * (i - 50);
    }
    CHECK_OWNED(kane_track) *track = build_record(COUNT, at, value);
    check_near(rail_at(track, KANE_LEFT, 100.0).z_ss, 0.0, 1e-9);
    check_near(rail_at(track, KANE_LEFT, 0.0).z_ss, 0.0, 1e-9);
    check_near(rail_at(track, KANE_LEFT, 50.0).z_ss, 2e-5, 1e-9);
    check_near(rail_at(track, KANE_LEFT, 200.0 - 1e-6).z, rail_at(track, KANE_LEFT, 200.0 + 1e-6).z, 1e-12);
}

#define HEAD "chainage;vertical\nm;mm\n"

// What stands in rails.csv (NULL: there is none), and all messages.
static const struct {
    const char *content, *message;
} broken[] = {
    {NULL, "rails.csv: cannot be read: No such file or directory\n"
           "t.json:2:44: irregularities.files[0].file: the file of irregularities cannot be used"},
    {"# nothing\n",
     "rails.csv:1:1: the first line must name a column 'chainage' and at least one kind of irregularity"},
    {"chainage;verticale\nm;mm\n",
     "rails.csv:1:10: no kind of irregularity is called 'verticale'; did you mean 'vertical'? known: chainage, lateral, "
     "vertical, cross_level, gauge, left_lateral, left_vertical, right_lateral, right_vertical; other columns must be "
     "named in \"ignore\""},
    {"vertical\nmm\n1\n",
     "rails.csv:1:1: the first line must name a column 'chainage' and at least one kind of irregularity"},
    {"chainage,gauge,gauge\nm,m,m\n", "rails.csv:1:16: there are two columns 'gauge'"},
    {"chainage;vertical\n0;0.1\n1;0.2\n",
     "rails.csv:2:1: the line below the names must say the unit of each column, m or mm or km; found '0'\n"
     "rails.csv:2:3: the line below the names must say the unit of each column, m or mm or km; found '0.1'"},
    {"chainage;vertical\nm;kg\n",
     "rails.csv:2:3: the line below the names must say the unit of each column, m or mm or km; found 'kg'"},
    {"chainage;vertical\nm\n", "rails.csv:2:1: 1 units for 2 columns"},
    {HEAD "0.5;0,5\n", "rails.csv:3:5: '0,5' is not a number; the decimal mark is a point"},
    {HEAD "7+950.250;1\n", "rails.csv:3:1: '7+950.250' is not a number; the unit of 7+950.250 is \"km+m\""},
    {"chainage;vertical\nkm+m;mm\n7.5;1\n",
     "rails.csv:3:1: '7.5' is not a number; in \"km+m\" places are as 7+950.250"},
    {HEAD "0,5;0.5\n", "rails.csv:3:5: '0.5' is not a number; the decimal mark of this file is a comma"},
    {HEAD "0;nan\n", "rails.csv:3:3: 'nan' is not a number"},
    {HEAD "0;1e999\n", "rails.csv:3:3: the number is too large"},
    {HEAD "0;1\n1;1;5\n", "rails.csv:4:1: 3 numbers for 2 columns"},
    {HEAD "0;1\n\n2;1\n1;1\n", "rails.csv:6:1: points must be in order: 1 m comes after 2 m"},
    {HEAD "0;1\n5;1\n10;1\n", "rails.csv:1:10: the record has 3 points, must have at least 4"},
    {HEAD "20;1\n24;1\n27;1\n29;1\n",
     "rails.csv:1:10: it reaches from chainage 20 m to 29 m, and not onto the line from 0 m to 10 m"},
    {"chainage;vertical\nm;m\n0;1.5\n4;-2.5\n7;1\n10;1\n",
     "rails.csv:1:10: its largest value is 2.5 m, must be below 0.2 m; are these millimetres?"},
    {HEAD "0;0.0015\n4;-0.0025\n7;0.001\n10;0.001\n",
     "rails.csv:1:10: its largest value is 2.5e-06 m, must be above 1e-05 m; are these metres?"},
    {"chainage;vertical\nkm;mm\n0;1\n4;1\n7;1\n10;1\n",
     "rails.csv:1:10: its points are 3333 m apart, must be closer than 5 m; is the chainage in another unit?"},
};

CHECK_TEST(every_broken_file_gives_its_message)
{
    int bad = 0;
    write_file("t.json", "{ \"kane\": \"track 1\", \"sections\": [ { \"straight\": 10 } ],\n"
                         "  \"irregularities\": { \"files\": [ { \"file\": \"rails.csv\" } ] } }");
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        static char all[8192];
        CHECK_ERRORS errors = {0};
        (void)remove("rails.csv");
        if (broken[i].content)
            write_file("rails.csv", broken[i].content);
        assert_null(kane_track_read("t.json", NULL, &errors));
        errors_text(&errors, sizeof all, all);
        if (strcmp(all, broken[i].message) != 0) {
            print_error("--- row %zu\nexpected: %s\nfound:    %s\n", i, broken[i].message, all);
            bad++;
        }
    }
    assert_int_equal(bad, 0);
}

// A record of both rails in the words of an office: `place` and `number` write what stands in a row.
static kane_track *track_of_columns(const char *head, const char *columns, void (*row)(FILE *, int))
{
    char text[512];
    const int length =
        snprintf(text, sizeof text,
                 "{ \"kane\": \"track 1\", \"start\": 7950, \"sections\": [ { \"straight\": 10 } ],\n"
                 "  \"irregularities\": { \"files\": [ { \"file\": \"car.csv\", \"columns\": { %s } } ] } }",
                 columns);
    assert_true(length > 0 && (size_t)length < sizeof text);
    write_file("car.json", text);
    FILE *file = fopen("car.csv", "w");
    assert_non_null(file);
    (void)fputs(head, file);
    for (int i = 0; i <= 40; i++)
        row(file, i);
    assert_int_equal(fclose(file), 0);
    return read_track("car.json");
}

static int micrometres(int i) // of height of the left rail
{
    return (37 * i * i) % 1000;
}

static void write_plain(FILE *file, int i)
{
    (void)fprintf(file, "%.5f;%d.%03d;x\n", 7.95 + 0.25e-3 * i, micrometres(i) / 1000, micrometres(i) % 1000);
}

static void write_posts(FILE *file, int i)
{
    (void)fprintf(file, "\"1\",\"7+%d.%02d\",\"%d.%03d\"\n", 950 + i / 4, 25 * (i % 4), micrometres(i) / 1000,
                  micrometres(i) % 1000);
}

static void write_commas(FILE *file, int i)
{
    const int c = 795000 + 25 * i; // hundredths of a metre
    (void)fprintf(file, "%d,%05d;%d,%03d\n", c / 100000, c % 100000, micrometres(i) / 1000, micrometres(i) % 1000);
}

static void same_rails(kane_track *a, kane_track *b)
{
    for (int i = 0; i <= 100; i++)
        check_near(rail_at(a, KANE_LEFT, 0.1 * i).z, rail_at(b, KANE_LEFT, 0.1 * i).z, 1e-10);
    kane_track_free(b);
}

CHECK_TEST(files_of_recording_cars_are_read_as_they_are)
{
    const char *const columns      = "\"chainage\": \"km [km]\", \"left_vertical\": \"zL [mm]\"";
    CHECK_OWNED(kane_track) *plain = track_of_columns("km [km];zL [mm];note\n", columns, write_plain);
    for (int i = 0; i <= 40; i++)
        check_near(rail_at(plain, KANE_LEFT, 0.25 * i).z, 1e-6 * micrometres(i), 1e-10);
    same_rails(plain, track_of_columns("Recording car 7;line 42\nDate, 2024-03-05\n\nkm [km];zL [mm];note\n", columns,
                                       write_plain));
    same_rails(plain,
               track_of_columns("km;zL\nkm;mm\n", "\"chainage\": \"km\", \"left_vertical\": \"zL\"", write_commas));
    same_rails(plain,
               track_of_columns("\"Track\",\"Location [km+m]\",\"zL [mm]\"\n",
                                "\"chainage\": \"Location [km+m]\", \"left_vertical\": \"zL [mm]\"", write_posts));
}

CHECK_TEST(what_is_ignored_must_be_there)
{
    CHECK_ERRORS errors = {0};
    char text[1200];
    write_file("t.json",
               "{ \"kane\": \"track 1\", \"sections\": [ { \"straight\": 10 } ],\n"
               "  \"irregularities\": { \"files\": [ { \"file\": \"rails.csv\", \"ignore\": [ \"speed\" ] } ] } }");
    write_file("rails.csv", HEAD "0;1\n4;1\n7;1\n10;1\n");
    assert_null(kane_track_read("t.json", NULL, &errors));
    assert_int_equal(errors.count, 1);
    (void)kane_error_format(kane_errors_get(&errors, 0), sizeof text, text);
    assert_string_equal(text, "t.json:2:69: irregularities.files[0].ignore[0]: the file has no column 'speed'");
}

CHECK_MAIN(enter_folder, leave_folder)
