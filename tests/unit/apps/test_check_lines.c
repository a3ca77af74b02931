// SPDX-License-Identifier: MIT
// What kane check says of lines and irregularities from files is what was done to them.

#include "unit/apps/program.h"

// A right-hand curve of 350 m between straights, by points that lie 110 m apart: chords alone do not lead through them.
CHECK_TEST(a_line_beside_its_points_is_not_said_to_go_through_them)
{
    FILE *file = fopen("nodes.csv", "w");
    assert_non_null(file);
    (void)fputs("E [m],N [m]\n", file);
    for (int i = -5; i <= 0; i++)
        (void)fprintf(file, "%d,0\n", 110 * i);
    for (int i = 1; i <= 5; i++)
        (void)fprintf(file, "%.3f,%.3f\n", 350.0 * sin(0.3 * i), -350.0 * (1.0 - cos(0.3 * i)));
    for (int i = 1; i <= 4; i++)
        (void)fprintf(file, "%.3f,%.3f\n", 350.0 * sin(1.5) + 110.0 * i * cos(1.5),
                      -350.0 * (1.0 - cos(1.5)) - 110.0 * i * sin(1.5));
    assert_int_equal(fclose(file), 0);
    write_file("line.json",
               "{\"kane\":\"track 1\",\"sections\":[{\"alignment\":{\"file\":\"nodes.csv\",\"x\":\"E [m]\","
               "\"y\":\"N [m]\"}}]}");
    assert_int_equal(CALL("check", "line.json"), 0);
    expect("out", "not smoothed: the curvature is that of the chords, and the line lies beside the points");
    expect("out", "    place: at most ");
    assert_null(strstr(content("out"), "through all points"));
}

CHECK_TEST(a_record_of_a_part_of_the_line_is_said_to_be_one)
{
    write_file("part.csv", "chainage,vertical\nm,mm\n3,0\n4,1\n5,0\n6,1\n7,0\n");
    write_file("part.json", "{\"kane\":\"track 1\",\"sections\":[{\"straight\":100}],"
                            "\"irregularities\":{\"files\":[{\"file\":\"part.csv\"}]}}");
    assert_int_equal(CALL("check", "part.json"), 0);
    expect("out", "begins at 3 m: before it the rails run level to the line's beginning at 0 m");
    expect("out", "ends at 7 m: behind it the rails run level to the line's end at 100 m");
}

// A curve of 500 m behind a straight, without a transition.
CHECK_TEST(kinks_are_a_table)
{
    write_file("kinks.json", "{\"kane\":\"track 1\",\"sections\":[{\"straight\":100},"
                             "{\"curve\":200,\"radius\":500}]}");
    assert_int_equal(CALL("check", "kinks.json", "-o", "kinks.csv"), 0);
    assert_string_equal(content("kinks.csv"), "at,curvature,ramp,grade\nm,1/m,rad/m,1\n100,0.002,,\n");
}

CHECK_MAIN(enter_folder, leave_folder)
