// SPDX-License-Identifier: MIT
// A plot as a script for gnuplot.

#include "results/plot_script.h"

#include <math.h>

static const char *const palette[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"};
enum { COLOURS = sizeof palette / sizeof *palette };

// A text between single quotes, in which gnuplot leaves everything as it is.
static void write_text(FILE *out, const char *text)
{
    (void)fputc('\'', out);
    for (const char *c = text ? text : ""; *c; c++)
        (void)(*c == '\'' ? fputs("''", out) : fputc((unsigned char)*c < ' ' ? ' ' : *c, out));
    (void)fputc('\'', out);
}

static void write_curve(FILE *out, const kane_plot_curve *curve)
{
    static const char *const styles[] = {"lines lw 1.6", "lines lw 1.6 dt (12,6)", "points pt 7 ps 0.4"};
    (void)fprintf(out, "'-' using 1:2 with %s lc rgb '%s' ", styles[curve->style], palette[curve->colour % COLOURS]);
    if (curve->label) {
        (void)fprintf(out, "title ");
        write_text(out, curve->label);
    } else {
        (void)fprintf(out, "notitle");
    }
}

static void write_data(FILE *out, const kane_plot_curve *curve)
{
    for (int i = 0; i < curve->count; i++)
        if (isfinite(curve->x[i]) && isfinite(curve->y[i]))
            (void)fprintf(out, "%.17g %.17g\n", curve->x[i], curve->y[i]);
        else
            (void)fprintf(out, "\n");
    (void)fprintf(out, "e\n");
}

static void write_panel(FILE *out, const kane_plot_panel *panel)
{
    (void)fprintf(out, "set title ");
    write_text(out, panel->title);
    (void)fprintf(out, "\nset xlabel ");
    write_text(out, panel->x_label);
    (void)fprintf(out, "\nset ylabel ");
    write_text(out, panel->y_label);
    (void)fprintf(out, "\nplot ");
    if (panel->curve_count == 0)
        (void)fprintf(out, "[0:1] [0:1] 1/0 notitle");
    for (int i = 0; i < panel->curve_count; i++) {
        (void)fprintf(out, i ? ", " : "");
        write_curve(out, &panel->curves[i]);
    }
    (void)fprintf(out, "\n");
    for (int i = 0; i < panel->curve_count; i++)
        write_data(out, &panel->curves[i]);
}

kane_status kane_plot_script(const kane_plot *plot, kane_picture_kind kind, FILE *out, kane_errors *errors)
{
    const int width = plot->width ? plot->width : 900, height = plot->height ? plot->height : 360 * plot->panel_count;
    (void)errors;
    (void)fprintf(out, "set encoding utf8\nset terminal %s size %d,%d noenhanced background rgb 'white'\n",
                  kind == KANE_SVG ? "svg" : "pngcairo", width, height);
    (void)fprintf(out, "set grid lc rgb '#dddddd'\nset key outside right top\nset multiplot layout %d,1 title ",
                  plot->panel_count);
    write_text(out, plot->title);
    (void)fprintf(out, "\n");
    for (int i = 0; i < plot->panel_count; i++)
        write_panel(out, &plot->panels[i]);
    (void)fprintf(out, "unset multiplot\n");
    return KANE_OK;
}
