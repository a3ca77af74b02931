// SPDX-License-Identifier: MIT
// Pictures: what is drawn, that texts are texts, and what is refused.

#include "plot.h"

#include "results/plot.h"

#include <locale.h>

static int count_of(const char *text, const char *what)
{
    int count = 0;
    for (const char *p = text; (p = strstr(p, what)); p += strlen(what))
        count++;
    return count;
}

files_test(an_svg_is_xml_and_has_axes_texts_and_curves)
{
    const kane_plot_curve curves[] = {
        {.label = "first", .count = N, .x = x, .y = wave},
        {.label = "second", .count = N, .x = x, .y = flat, .style = KANE_DASHED, .colour = 1},
        {.label = "third", .count = N, .x = x, .y = wave, .style = KANE_POINTS, .colour = 2}};
    const kane_plot_panel panels[] = {
        {.title = "Above", .x_label = "time [s]", .y_label = "y [m]", .curve_count = 3, .curves = curves},
        {.x_label = "time [s]", .y_label = "empty [N]"}};
    const kane_plot plot = {.title = "Everything", .panel_count = 2, .panels = panels};
    (void)CHECK_GOOD(kane_plot_draw, &plot, files_path("a.svg"));
    char *svg = read_text("a.svg");
    check_xml(svg);
    static const char *const texts[] = {"Everything", "Above", "y [m]", "empty [N]", "first", "second", "third"};
    for (int i = 0; i < 7; i++)
        assert_true(strstr(svg, texts[i]) != NULL);
    assert_int_equal(count_of(svg, "time [s]"), 1);          // the panels share it
    assert_int_equal(count_of(svg, "stroke-dasharray="), 2); // curve and key
    assert_int_equal(count_of(svg, "<use xlink:href='#gpPt6'"), N + 1);
    assert_non_null(strstr(svg, "width=\"900\" height=\"720\""));
    assert_null(strstr(svg, "GNUPLOT")); // it does not tell by what it was drawn
    assert_null(strstr(svg, "<title>"));
    test_free(svg);
    assert_int_equal(files_count(), 1);
}

files_test(a_png_has_the_size_that_was_asked_for)
{
    static kane_errors errors;
    const kane_plot_curve curve = {.count = N, .x = x, .y = wave};
    const kane_plot_panel panel = {.curve_count = 1, .curves = &curve};
    const kane_plot plot        = {.width = 640, .height = 300, .panel_count = 1, .panels = &panel};
    assert_int_equal(kane_plot_draw(&plot, files_path("a.png"), &errors), KANE_OK);
    size_t length;
    char *png                      = files_read(files_path("a.png"), &length);
    const unsigned char expected[] = {0, 0, 640 / 256, 640 % 256, 0, 0, 300 / 256, 300 % 256};
    assert_memory_equal(png, "\x89PNG\r\n\x1a\n", 8);
    assert_memory_equal(png + 16, expected, 8);
    assert_memory_equal(png + length - 8, "IEND\xAE\x42\x60\x82", 8);
    test_free(png);
}

files_test(texts_are_shown_as_they_are)
{
    static const struct {
        const char *text, *svg;
    } cases[] = {
        {"a_b^{2}@x~y", ">a_b^{2}@x~y<"},
        {"it's \"quoted\" `date`", "it's \"quoted\" `date`"},
        {"back\\slash \\n \\101", ">back\\slash \\n \\101<"},
        {"a < b & c > d", ">a &lt; b &amp; c > d<"},
        {"50 % %g %s # $x ! {/Symbol a}", ">50 % %g %s # $x ! {/Symbol a}<"},
        {"Überhöhung γ, m/s², 線路", ">Überhöhung γ, m/s², 線路<"},
        {"' ; system 'touch x'; '", "' ; system 'touch x'; '"},
        {"bad \xFF\xC3 byte", ">bad \xEF\xBF\xBD\xEF\xBF\xBD byte<"},
        {"two\nlines\x01", ">two lines <"},
        {"no \xEF\xBF\xBE character", ">no \xEF\xBF\xBD character<"},
        {"&amp;", ">&amp;amp;<"},
        {"a = +1", ">a = +1<"}, // gnuplot reads a digit behind an octal number that begins with 0 as part of it
        {"+0.5", ">+0.5<"},
        {"-1 and 1.5", ">-1 and 1.5<"},
        {"axle-1", ">axle-1<"},
        {"a+7/8 (12) \\61", ">a+7/8 (12) \\61<"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *text             = cases[i].text;
        const kane_plot_curve curve  = {.label = text, .count = N, .x = x, .y = wave};
        const kane_plot_panel panels = {
            .title = text, .x_label = text, .y_label = text, .curve_count = 1, .curves = &curve};
        const kane_plot plot = {.title = text, .panel_count = 1, .panels = &panels};
        (void)CHECK_GOOD(kane_plot_draw, &plot, files_path("a.svg"));
        char *svg = read_text("a.svg");
        check_xml(svg);
        if (count_of(svg, cases[i].svg) != 5)
            fail_msg("%d of 5 are '%s'", count_of(svg, cases[i].svg), cases[i].svg);
        test_free(svg);
    }
}

// Number of moves of the pen within the first curve.
static int pieces_of_first_curve(const char *svg)
{
    const char *curve = strstr(svg, "stroke='rgb(  0, 114, 178)'  d='");
    assert_non_null(curve);
    curve += strlen("stroke='rgb(  0, 114, 178)'  d='");
    int moves = 0;
    for (; *curve != '\''; curve++)
        moves += *curve == 'M';
    return moves;
}

files_test(values_that_are_not_finite_leave_gaps)
{
    static kane_errors errors;
    double holes[N];
    memcpy(holes, wave, sizeof holes);
    holes[50] = (double)NAN;
    holes[90] = holes[91]       = (double)INFINITY;
    holes[93]                   = -(double)INFINITY; // 92 is alone
    const kane_plot_curve curve = {.count = N, .x = x, .y = holes};
    assert_int_equal(draw_curves("a.svg", 1, &curve, &errors), KANE_OK);
    char *svg = read_text("a.svg");
    assert_int_equal(pieces_of_first_curve(svg), 3);
    assert_int_equal(count_of(svg, "<use xlink:href='#gpPt6'"), 1);
    test_free(svg);
    assert_int_equal(draw_wave("b.svg", &errors), KANE_OK);
    svg = read_text("b.svg");
    assert_int_equal(pieces_of_first_curve(svg), 1);
    test_free(svg);

    for (int i = 0; i < N; i++)
        holes[i] = (double)NAN;
    assert_int_equal(draw_curves("c.svg", 1, &curve, &errors), KANE_OK); // nothing, but a picture
}

files_test(any_numbers_can_be_drawn)
{
    static kane_errors errors;
    static const double large[] = {-1.7e308, 1.7e308, 0}, small[] = {0, 5e-324, 1e-310}, same[] = {3, 3, 3};
    const kane_plot_curve curves[] = {{.count = 3, .x = x, .y = large},
                                      {.count = 3, .x = small, .y = small},
                                      {.count = 3, .x = large, .y = same},
                                      {.count = 1, .x = x, .y = same}};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(draw_curves("a.svg", 1, &curves[i], &errors), KANE_OK);
        char *svg = read_text("a.svg");
        check_xml(svg);
        test_free(svg);
    }
    assert_int_equal(draw_curves("a.svg", 4, curves, &errors), KANE_OK);
    const kane_plot_curve colours[] = {{.count = N, .x = x, .y = wave, .colour = -1},
                                       {.count = N, .x = x, .y = flat, .colour = 1000000007}};
    assert_int_equal(draw_curves("a.svg", 2, colours, &errors), KANE_OK);
}

files_test(the_same_plot_gives_the_same_bytes)
{
    static kane_errors errors;
    (void)draw_wave("a.svg", &errors);
    (void)draw_wave("a.png", &errors);
    (void)setlocale(LC_ALL, "de_DE.UTF-8"); // where there is none nothing changes
    (void)setenv("LC_ALL", "C", 1);
    (void)draw_wave("b.svg", &errors);
    (void)draw_wave("b.png", &errors);
    (void)check_set_locale();
    (void)unsetenv("LC_ALL");
    check_no_errors(&errors);
    assert_same_files(files_path("a.svg"), files_path("b.svg"));
    assert_same_files(files_path("a.png"), files_path("b.png"));
}

// A panel of the same scale is as high as its width asks for; neighbours of one label share axis and ticks.
files_test(a_panel_can_have_the_same_scale_on_both_axes)
{
    static kane_errors errors;
    static const double wide[] = {-60e-3, 70e-3}, high[] = {0.0, 9e-3}, wider[] = {-60e-3, 90e-3}, one[] = {0.0, 1.0};
    const kane_plot_curve curves[] = {
        {.count = 2, .x = wide, .y = high}, {.count = 2, .x = wider, .y = high}, {.count = 2, .x = one, .y = one}};
    const kane_plot_panel panels[] = {
        {.x_label = "y [m]", .y_label = "z [m]", .curve_count = 1, .curves = &curves[0], .same_scale = 1},
        {.x_label = "y [m]", .y_label = "z [m]", .curve_count = 1, .curves = &curves[1], .same_scale = 1},
        {.x_label = "t [s]", .y_label = "u [V]", .curve_count = 1, .curves = &curves[2]}};
    const kane_plot plot = {.width = 800, .height = 1200, .panel_count = 3, .panels = panels};
    kane_plot_layout l;
    assert_int_equal(kane_plot_layout_make(&plot, &l, &errors), KANE_OK);
    for (int p = 0; p < 2; p++) {
        const kane_plot_place *at = &l.panels[p];
        const double across       = (at->x.high - at->x.low) * pow(10.0, at->x.ten),
                     up           = (at->y.high - at->y.low) * pow(10.0, at->y.ten);
        check_near(at->bottom - at->top, (l.right - l.left) * up / across, 1.0);
        check_near(across, 150e-3, 1e-9);
    }
    assert_int_equal(l.panels[0].has_x_texts, 0);
    assert_int_equal(l.panels[1].has_x_texts, 1);
    assert_int_equal(l.panels[2].has_x_texts, 1);
    check_near(l.panels[2].x.high, 1.0, 1e-12);
    assert_true(l.panels[2].bottom > 1100 && l.panels[2].bottom <= 1200);
    kane_plot_layout_clear(&l);
}

// --- what is refused ---

files_test(what_cannot_be_a_picture_is_refused)
{
    static kane_errors errors;
    assert_int_equal(draw_wave("a.pdf", &errors), KANE_BAD_ARGUMENT);
    assert_string_equal(error_text(&errors), "a.pdf: a picture's name ends in .svg or .png");
    kane_plot_panel panels[40] = {{.title = NULL}};
    const kane_plot none       = {.panel_count = 0, .panels = panels},
                    flood      = {.height = 400, .panel_count = 40, .panels = panels},
                    tiny       = {.width = 5, .panel_count = 1, .panels = panels};
    assert_int_equal(kane_plot_draw(&none, files_path("a.svg"), &errors), KANE_BAD_ARGUMENT);
    assert_string_equal(error_text(&errors), "a.svg: a picture needs a panel");
    assert_int_equal(kane_plot_draw(&flood, files_path("a.svg"), &errors), KANE_BAD_ARGUMENT);
    assert_string_equal(error_text(&errors), "40 panels do not fit into a picture of 900 x 400 pixels");
    assert_int_equal(kane_plot_draw(&tiny, files_path("a.svg"), &errors), KANE_BAD_ARGUMENT);
    assert_string_equal(error_text(&errors), "a.svg: 5 x 0 is not a picture size: 100 to 30000 pixels");
    assert_int_equal(draw_wave("a.pdf", NULL), KANE_BAD_ARGUMENT);
    assert_int_equal(files_count(), 0);
}

files_test(a_place_that_cannot_be_written_is_named)
{
    static kane_errors errors;
    assert_int_equal(draw_wave("no/such/a.svg", &errors), KANE_NO_FILE);
    assert_string_equal(error_text(&errors), "no/such/a.svg cannot be written: No such file or directory");
    assert_int_equal(mkdir(files_path("d.svg"), 0777), 0);
    assert_int_equal(draw_wave("d.svg", &errors), KANE_NO_FILE);
    assert_string_equal(error_text(&errors), "d.svg cannot be written: Is a directory");
    assert_int_equal(files_count(), 1); // the directory
}

CHECK_MAIN(plot_begin, NULL)
