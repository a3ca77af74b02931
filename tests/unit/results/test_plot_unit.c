// SPDX-License-Identifier: MIT
// Pictures say units as people write them, logarithmic axes say that they are, curves can be told apart, and keys and
// views have room. The script for gnuplot is text: what is tested here is what gnuplot is told.

#include "plot.h"

#include "results/plot.h"

static void check_label(const char *label, double magnitude, const char *text, const char *factor)
{
    char found[200], left[KANE_NUMBER_SIZE];
    const kane_plot_axis axis = kane_plot_axis_make(0.0, magnitude, 0.0, 5);
    const int ten             = kane_plot_unit_ten(label, magnitude, axis.ten);
    kane_plot_unit_label(label, ten, sizeof found, found, left);
    assert_string_equal(found, text);
    assert_string_equal(left, factor);
}

files_test(units_have_the_prefix_that_makes_numbers_short)
{
    check_label("Q [N]", 999.0, "Q [N]", "");
    check_label("Q [N]", 1000.0, "Q [kN]", "");
    check_label("Q [N]", 1.3e5, "Q [kN]", "");
    check_label("Q [N]", 2.5e6, "Q [MN]", "");
    check_label("pressure [Pa]", 1.1e9, "pressure [GPa]", "");
    check_label("torque [N m]", 4200.0, "torque [kN m]", "");
    check_label("stiffness [N/m]", 1e7, "stiffness [MN/m]", "");
    check_label("y [m]", 0.2, "y [m]", "");
    check_label("y [m]", 0.02, "y [mm]", "");
    check_label("y [m]", 3e-6, "y [µm]", "");
    check_label("distance [m]", 85000.0, "distance [m]", "");
    check_label("distance [m]", 250000.0, "distance [km]", "");
    check_label("yaw [rad]", 0.004, "yaw [mrad]", "");
    check_label("yaw [rad]", 3e6, "yaw [rad]", "×10⁶");
    check_label("a [m/s^2]", 1.0, "a [m/s²]", "");
    check_label("a [m/s^2]", 0.01, "a [mm/s²]", "");
    check_label("a [m/s^2]", 2e6, "a [m/s²]", "×10⁶"); // no km/s²
    check_label("J [kg m^2]", 1e6, "J [kg m²]", "×10⁶");
    check_label("density [m^2/Hz]", 1e-6, "density [m²/Hz]", "×10⁻⁶"); // a prefix would be squared, too
    check_label("curvature [1/m]", 1e-3, "curvature [1/m]", "×10⁻³");
    check_label("ratio [1]", 1e-3, "ratio [1]", "×10⁻³");
    check_label("mode [kN]", 1e6, "mode [kN]", "×10⁶"); // has one
    check_label("x [m^-1]", 1.0, "x [m⁻¹]", "");
    check_label("x [m^1.5]", 1.0, "x [m^1.5]", "");
    check_label("no unit", 1e6, "no unit", "×10⁶");
    check_label("a_b^{2}@x~y", 1.0, "a_b^{2}@x~y", "");
    check_label("speed [km/h]", 120.0, "speed [km/h]", "");
}

// What gnuplot is told, without the octal escapes of texts. To be freed.
static char *script_of(const kane_plot *plot)
{
    static kane_errors errors;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    assert_int_equal(kane_plot_script(plot, KANE_SVG, out, &errors), KANE_OK);
    (void)fclose(out);
    char *to = text;
    for (const char *from = text; *from;) {
        int code, used = 0;
        if (from[0] == '\\' && sscanf(from + 1, "%4o%n", (unsigned *)&code, &used) == 1 && used == 3) {
            *to++ = (char)code;
            from += 4;
        } else {
            *to++ = *from++;
        }
    }
    *to = '\0';
    return text;
}

static void expect(const char *script, const char *text)
{
    if (!strstr(script, text))
        fail_msg("'%s' is not in:\n%.3000s", text, script);
}

files_test(curves_differ_in_dashes_after_eight_of_them)
{
    enum { CURVES = 20 };
    kane_plot_curve curves[CURVES];
    char labels[CURVES][16];
    char looks[CURVES][120];
    for (int i = 0; i < CURVES; i++) {
        (void)snprintf(labels[i], sizeof labels[i], "curve %d", i);
        curves[i] = (kane_plot_curve){.label = labels[i], .count = N, .x = x, .y = wave, .colour = i};
    }
    curves[19].style            = KANE_DASHED;
    curves[19].colour           = 9; // the same colour as the tenth
    const kane_plot_panel panel = {.x_label = "t [s]", .y_label = "y [m]", .curve_count = CURVES, .curves = curves};
    const kane_plot plot        = {.panel_count = 1, .panels = &panel};
    CHECK_MEMORY char *script   = script_of(&plot);
    for (int i = 0; i < CURVES; i++) {
        char wanted[32];
        (void)snprintf(wanted, sizeof wanted, "$lines%d with lines ", i);
        const char *at = strstr(script, wanted);
        assert_non_null(at);
        (void)snprintf(looks[i], sizeof looks[i], "%.*s", (int)strcspn(at + strlen(wanted), "'") + 9,
                       at + strlen(wanted));
        if ((i < 8) != (strstr(looks[i], " dt ") == NULL))
            fail_msg("curve %d: %s", i, looks[i]);
        for (int k = 0; k < i; k++)
            if (strcmp(looks[k], looks[i]) == 0)
                fail_msg("curves %d and %d look the same: %s", k, i, looks[i]);
    }
}

files_test(logarithmic_axes_are_labelled_and_leave_out_what_is_not_positive)
{
    static const double f[] = {0.0, 0.1, 1.0, 10.0, 100.0}, s[] = {1.0, 1e-6, 0.0, 1e-2, 1e3};
    const kane_plot_curve curve = {.count = 5, .x = f, .y = s};
    const kane_plot_panel panel = {.x_label     = "frequency [Hz]",
                                   .y_label     = "density [m^2/Hz]",
                                   .curve_count = 1,
                                   .curves      = &curve,
                                   .x_scale     = KANE_PLOT_LOG,
                                   .y_scale     = KANE_PLOT_LOG};
    const kane_plot plot        = {.panel_count = 1, .panels = &panel};
    char *script                = script_of(&plot);
    expect(script, "\"frequency [Hz], logarithmic\"");
    expect(script, "\"density [m²/Hz], logarithmic\"");
    expect(script, "set xrange [-1:2]\nset xtics ('0.1' -1, '1' 0, '10' 1, '100' 2, '' -0.69897");
    expect(script, "set yrange [-6:3]");
    expect(script, "'10⁻⁶' -6");
    expect(script, "$lines0 << END\n\n\n\n1 -2\n2 3\nEND"); // f = 0.1 is alone: a point
    expect(script, "$points0 << END\n-1 -6\nEND");
    free(script);
    const kane_plot_panel linear = {.x_label = "f [Hz]", .y_label = "y [m]", .curve_count = 1, .curves = &curve};
    const kane_plot plain        = {.panel_count = 1, .panels = &linear};
    script                       = script_of(&plain);
    assert_null(strstr(script, "logarithmic"));
    free(script);
}

// Keys below their panel make a picture higher that has no height of its own; all entries are in it.
files_test(keys_have_room)
{
    enum { CURVES = 40 };
    kane_plot_curve curves[CURVES];
    char labels[CURVES][300];
    CHECK_ERRORS errors = {0};
    kane_plot_layout l;
    for (int i = 0; i < CURVES; i++) {
        (void)snprintf(labels[i], sizeof labels[i], "%d %0200d end", i, 7);
        curves[i] = (kane_plot_curve){.label = labels[i], .count = N, .x = x, .y = wave, .colour = i};
    }
    const kane_plot_panel panels[] = {{.x_label = "t [s]", .y_label = "y [m]", .curve_count = CURVES, .curves = curves},
                                      {.x_label = "t [s]", .y_label = "z [m]", .curve_count = 1, .curves = curves}};
    kane_plot plot                 = {.panel_count = 2, .panels = panels};
    assert_int_equal(kane_plot_layout_make(&plot, &l, &errors), KANE_OK);
    const kane_plot_key *key = &l.panels[0].key;
    const int rows           = (key->shown + key->columns - 1) / key->columns;
    assert_int_equal(key->shown, CURVES);
    assert_int_equal(key->columns, 2);
    assert_true(key->top > l.panels[0].bottom && key->top + rows * KANE_PLOT_LINE <= l.panels[1].top);
    assert_true(l.panels[0].bottom - l.panels[0].top > 200);
    assert_true(l.panels[1].key.top + KANE_PLOT_LINE <= l.height && l.height > 720);
    kane_plot_layout_clear(&l);
    char *script = script_of(&plot);
    expect(script, "\"39 0000000"); // its middle is left out
    expect(script, "…0");
    expect(script, "7 end\"");
    assert_null(strstr(script, "more\""));
    assert_null(strstr(script, labels[39]));
    free(script);
    plot.height = 720; // asked for: what has no room is counted
    script      = script_of(&plot);
    expect(script, " more\"");
    free(script);
}

// Side and end view beside each other, plan view below: one scale, left edges in line, nothing over the edge.
files_test(views_have_one_scale)
{
    static const double along[] = {-10.0, 10.0}, up[] = {0.0, 4.0}, across[] = {-1.5, 1.5};
    const kane_plot_curve side = {.count = 2, .x = along, .y = up}, end = {.count = 2, .x = across, .y = up},
                          plan     = {.label = "plan", .count = 2, .x = along, .y = across, .style = KANE_FAINT};
    const kane_plot_panel panels[] = {
        {.title = "side", .x_label = "x [m]", .y_label = "z [m]", .curve_count = 1, .curves = &side, .same_scale = 2},
        {.title       = "end",
         .x_label     = "y [m]",
         .y_label     = "z [m]",
         .curve_count = 1,
         .curves      = &end,
         .same_scale  = 2,
         .beside      = 1},
        {.title = "plan", .x_label = "x [m]", .y_label = "y [m]", .curve_count = 1, .curves = &plan, .same_scale = 2}};
    const kane_plot plot = {.title = "mode", .width = 1000, .panel_count = 3, .panels = panels};
    CHECK_ERRORS errors  = {0};
    kane_plot_layout l;
    assert_int_equal(kane_plot_layout_make(&plot, &l, &errors), KANE_OK);
    const kane_plot_place *p = l.panels;
    const double scale       = (p[0].right - p[0].left) / (p[0].x.high - p[0].x.low);
    assert_true(scale > 25.0);
    for (int i = 0; i < 3; i++) {
        check_near(p[i].right - p[i].left, scale * (p[i].x.high - p[i].x.low), 1.5);
        check_near(p[i].bottom - p[i].top, scale * (p[i].y.high - p[i].y.low), 1.5);
        assert_true(p[i].right <= l.width && p[i].bottom < l.height && p[i].has_x_texts);
    }
    assert_int_equal(p[0].left, p[2].left);
    assert_int_equal(p[0].right, p[2].right);
    assert_int_equal(p[0].bottom, p[1].bottom);
    assert_true(p[1].left > p[0].right + 30 && p[2].top > p[0].bottom + 40);
    assert_true(p[2].key.top + KANE_PLOT_LINE <= l.height);
    kane_plot_layout_clear(&l);
    char *script = script_of(&plot);
    expect(script, "lw 0.8 lc rgb '#999999'");
    free(script);
    assert_int_equal(kane_plot_draw(&plot, files_path("views.svg"), &errors), KANE_OK);
}

CHECK_MAIN(plot_begin, NULL)
