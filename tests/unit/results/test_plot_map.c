// SPDX-License-Identifier: MIT
// Maps: which colour a value has, what is written beside them, and what is refused.

#include "plot.h"

#include "results/plot.h"

enum { COLUMNS = 3, ROWS = 2 };

static const char *const columns[] = {"10", "20", "a & b"}, *const rows[] = {"bloss", "cosine"};

static kane_plot_map map_of(const double *values, kane_map_scale scale)
{
    return (kane_plot_map){COLUMNS, ROWS, columns, rows, values, "max(body.y) [m]", scale, 0.0, 0.0, 0};
}

static unsigned colour_of(const kane_plot_map *map, double value)
{
    kane_plot_place place = {.top = 0};
    kane_plot_map_measure(map, 8, &place);
    return kane_plot_map_colour(map, &place.map, value);
}

files_test(the_least_and_the_greatest_value_have_the_ends_of_the_palette)
{
    const double values[]   = {1.0, 2.0, 3.0, 4.0, (double)NAN, 10.0};
    const kane_plot_map map = map_of(values, KANE_MAP_PLAIN);
    assert_int_equal(colour_of(&map, 1.0), 0x440154);
    assert_int_equal(colour_of(&map, 10.0), 0xFDE725);
    assert_int_equal(colour_of(&map, 2.0), 0x482878); // ten colours over nine units
    assert_int_equal(colour_of(&map, 9.0), 0xB5DE2B);
    assert_int_equal(colour_of(&map, 1.5), 0x461566); // half way between two
    assert_int_equal(colour_of(&map, (double)NAN), 0xE4E4E4);
}

files_test(ends_can_be_given)
{
    const double values[] = {1.0, 2.0, 3.0, 4.0, (double)NAN, 10.0};
    kane_plot_map map     = map_of(values, KANE_MAP_PLAIN);
    map.least             = -8.0;
    map.greatest          = 9.0;
    assert_int_equal(colour_of(&map, -8.0), 0x440154);
    assert_int_equal(colour_of(&map, 10.0), 0xFDE725); // further than what was given
    assert_int_equal(colour_of(&map, -6.0), 0x482878);
    map.scale = KANE_MAP_DECADES; // which has no place for -8
    assert_int_equal(colour_of(&map, 1.0), 0x440154);
    map.least = 0.01;
    assert_int_equal(colour_of(&map, 0.01), 0x440154);
    assert_int_equal(colour_of(&map, 1e-9), 0x440154);
}

files_test(zero_is_white_between_both_signs)
{
    const double values[]   = {-1.0, 0.0, 0.5, 4.0, 1.0, -2.0};
    const kane_plot_map map = map_of(values, KANE_MAP_BOTH_SIGNS);
    assert_int_equal(colour_of(&map, 0.0), 0xF7F7F7);
    assert_int_equal(colour_of(&map, 4.0), 0x67001F);
    assert_int_equal(colour_of(&map, -4.0), 0x053061);
    assert_int_equal(colour_of(&map, -1.6), 0x92C5DE);
    assert_int_equal(colour_of(&map, 1.6), 0xF4A582);
}

files_test(decades_are_as_long_as_each_other)
{
    const double values[]   = {1.0, 1e3, 1e6, 1e9, 1e9, 3.0};
    const kane_plot_map map = map_of(values, KANE_MAP_DECADES);
    kane_plot_place place   = {.top = 0};
    kane_plot_map_measure(&map, 8, &place);
    assert_true(place.map.bar.low == 1.0 && place.map.bar.high == 9.0); // eight of the nine
    assert_int_equal(place.map.is_cut, 1);
    assert_int_equal(colour_of(&map, 1e9), 0xFDE725);
    assert_int_equal(colour_of(&map, 10.0), 0x440154);
    assert_int_equal(colour_of(&map, 1.0), 0x440154);
    assert_int_equal(colour_of(&map, 0.0), 0x440154);
    assert_int_equal(colour_of(&map, 1e5), 0x23908C); // half way between the two in the middle
}

static int count_of(const char *text, const char *what)
{
    int count = 0;
    for (const char *p = text; (p = strstr(p, what)); p += strlen(what))
        count++;
    return count;
}

static char *draw(const kane_plot_map *map)
{
    const kane_plot_panel panel = {.x_label = "speed [m/s]", .y_label = "shape", .map = map};
    const kane_plot plot        = {.panel_count = 1, .panels = &panel};
    (void)CHECK_GOOD(kane_plot_draw, &plot, files_path("map.svg"));
    return read_text("map.svg");
}

files_test(a_map_has_cells_texts_numbers_and_a_bar)
{
    const double values[]   = {1.0, 2.0, 3.0, 4.0, (double)NAN, 1234.5};
    const kane_plot_map map = map_of(values, KANE_MAP_PLAIN);
    char *svg               = draw(&map);
    check_xml(svg);
    static const char *const texts[] = {"bloss", "cosine", "speed [m/s]", "shape", "max(body.y) [m]", ">1230<", ">–<"};
    for (int i = 0; i < 7; i++)
        assert_non_null(strstr(svg, texts[i]));
    assert_int_equal(count_of(svg, "rgb(228, 228, 228)"), 1);
    assert_true(count_of(svg, "<polygon") >= 128 + COLUMNS * ROWS);
    test_free(svg);
    svg       = draw(&map);
    char *two = draw(&map);
    assert_string_equal(svg, two); // the same picture has the same bits
    test_free(svg);
    test_free(two);
}

files_test(what_is_below_the_lowest_decade_is_told)
{
    const double values[]   = {1.0, 2.0, 3.0, 4.0, 0.0, 100.0};
    const kane_plot_map map = map_of(values, KANE_MAP_DECADES);
    char *svg               = draw(&map);
    assert_non_null(strstr(svg, ">≤ 1<"));
    assert_non_null(strstr(svg, ">10²<"));
    test_free(svg);
}

files_test(a_map_of_nothing_can_be_drawn)
{
    const double values[] = {(double)NAN, (double)NAN, (double)NAN, (double)NAN, (double)NAN, (double)NAN};
    const double zeros[6] = {0.0};
    for (int scale = KANE_MAP_PLAIN; scale <= KANE_MAP_DECADES; scale++) {
        const kane_plot_map nothing = map_of(values, (kane_map_scale)scale),
                            even    = map_of(zeros, (kane_map_scale)scale);
        test_free(draw(&nothing));
        test_free(draw(&even));
    }
}

// --- contour lines ---

enum { ACROSS = 41, UP = 31, SEGMENTS = 2 * (ACROSS - 1) * (UP - 1) };

// x^2 + y^2 about a place inside, in steps of 1: on the line x^2 + y^2 = R^2 within the error h^2/4 of a parabola's
// chord. All but a square with a hole in it: a closed line, as long as the circle less the arcs over its chords, which
// are at most sqrt(2) long: each is short by no more than s^3/(24 R^2).
files_test(a_contour_of_a_paraboloid_is_a_circle)
{
    static double values[ACROSS * UP], segments[4 * SEGMENTS];
    const double x0 = 20.3, y0 = 15.2, R = 12.1, pi = 3.14159265358979324;
    double length = 0.0;
    for (int r = 0; r < UP; r++)
        for (int c = 0; c < ACROSS; c++)
            values[r * ACROSS + c] = (c - x0) * (c - x0) + (r - y0) * (r - y0);
    const int count = kane_plot_contour(ACROSS, UP, values, R * R, segments);
    for (int i = 0; i < 2 * count; i++) {
        const double *end = segments + 2 * i;
        int meet          = 0;
        check_near(hypot(end[0] - x0, end[1] - y0), R, 0.25 / (2.0 * R - 0.25));
        for (int k = 0; k < 2 * count; k++)
            meet += hypot(segments[2 * k] - end[0], segments[2 * k + 1] - end[1]) < 1e-9;
        assert_int_equal(meet, 2); // it is closed
    }
    for (int i = 0; i < count; i++) {
        const double *s = segments + 4 * i;
        length += hypot(s[2] - s[0], s[3] - s[1]);
    }
    assert_true(length < 2.0 * pi * R && length > 2.0 * pi * (R - 0.25 / R) - count * 2.83 / (24.0 * R * R));

    // a value that is not known on the line: nothing of its four squares is left, all else is
    const int hole = 15 * ACROSS + 32;
    double left[4 * SEGMENTS];
    values[hole]    = (double)NAN;
    const int fewer = kane_plot_contour(ACROSS, UP, values, R * R, left);
    int kept        = 0;
    for (int i = 0; i < count; i++) {
        const double *s = segments + 4 * i;
        const int is_in = fabs(0.5 * (s[0] + s[2]) - 32.0) < 1.0 && fabs(0.5 * (s[1] + s[3]) - 15.0) < 1.0;
        kept += !is_in;
    }
    assert_true(kept < count);
    assert_int_equal(fewer, kept);
}

// (x - 1/2) (y - 1/2) of one square has two lines at each level but 0: where it is positive they cut off the high
// corners, where it is negative the low ones.
files_test(a_saddle_has_two_lines)
{
    const double values[] = {0.25, -0.25, -0.25, 0.25};
    double s[8];
    for (int sign = -1; sign <= 1; sign += 2) {
        assert_int_equal(kane_plot_contour(2, 2, values, sign * 0.05, s), 2);
        for (int i = 0; i < 2; i++) // middles on the diagonal of the corners that are cut off
            check_near(0.5 * (s[4 * i] + s[4 * i + 2]) - 0.5, sign * (0.5 * (s[4 * i + 1] + s[4 * i + 3]) - 0.5),
                       1e-12);
    }
    assert_int_equal(kane_plot_contour(2, 2, values, 0.3, s), 0);
}

files_test(lines_of_a_map_have_their_values_unless_cells_have)
{
    double values[40 * 20];
    char text[40][8];
    const char *names[40];
    for (int i = 0; i < 40; i++) {
        (void)snprintf(text[i], sizeof text[i], "%d", i);
        names[i] = text[i];
    }
    for (int i = 0; i < 800; i++)
        values[i] = i % 40 + i / 40;
    kane_plot_map map = {.columns = 40, .rows = 20, .x_texts = names, .y_texts = names, .values = values, .label = "v"};
    char *without     = draw(&map);
    map.with_contours = 1;
    char *with        = draw(&map);
    assert_int_equal(count_of(without, ">30<"), 2); // an axis, the bar
    assert_true(count_of(with, ">30<") > 2);        // beside a line it is drawn with its background
    assert_true(count_of(with, "<path") > count_of(without, "<path"));
    test_free(without);
    test_free(with);
    const double few[] = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0};
    map                = map_of(few, KANE_MAP_PLAIN);
    map.with_contours  = 1;
    with               = draw(&map);
    assert_int_equal(count_of(with, ">5<"), 2); // in its cell, at the bar
    test_free(with);
}

files_test(a_map_without_cells_or_with_too_many_is_refused)
{
    const int sizes[][2] = {{0, 2}, {2, 0}, {201, 200}, {KANE_PLOT_CELLS_MOST + 1, 1}};
    for (int i = 0; i < 4; i++) {
        CHECK_ERRORS errors         = {0};
        const kane_plot_map map     = {.columns = sizes[i][0], .rows = sizes[i][1]};
        const kane_plot_panel panel = {.map = &map};
        const kane_plot plot        = {.panel_count = 1, .panels = &panel};
        char text[200];
        (void)snprintf(text, sizeof text, "a map has 1 to 40000 cells, not %d x %d", sizes[i][0], sizes[i][1]);
        assert_int_equal(kane_plot_draw(&plot, files_path("none.svg"), &errors), KANE_BAD_ARGUMENT);
        assert_string_equal(kane_errors_get(&errors, 0)->text, text);
    }
}

CHECK_MAIN(plot_begin, NULL)
