// SPDX-License-Identifier: MIT
// A plot as a script for gnuplot, which gets ranges, ticks and places of everything and decides nothing.

#include "results/plot.h"

#include "base/arena.h"

#include <math.h>
#include <string.h>

// Okabe and Ito (2008) without yellow, which is hard to see on white, and a dark one of Paul Tol's "muted": all can be
// told apart by people who do not see all colours.
static const char *const palette[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                      "#E69F00", "#56B4E9", "#000000", "#882255"};
enum { COLOURS = sizeof palette / sizeof *palette, LOOKS = 4 };

// Solid and dashed lines, points; each for the first eight colours, the second ones, ...
static const char *const looks[4][LOOKS] = {
    {"lw 1.7", "lw 1.7 dt (20,5,3,5)", "lw 1.7 dt (3,4)", "lw 1.7 dt (20,5,3,5,3,5)"},
    {"lw 1.7 dt (16,9)", "lw 1.7 dt (9,6)", "lw 1.7 dt (16,9,5,9)", "lw 1.7 dt (9,6,3,6)"},
    {"pt 7 ps 0.45", "pt 5 ps 0.45", "pt 9 ps 0.55", "pt 13 ps 0.55"},
    {"lw 0.8", "lw 0.8", "lw 0.8", "lw 0.8"}};

static unsigned colour_number(const kane_plot_curve *curve)
{
    return (unsigned)curve->colour;
}

static const char *colour_of(const kane_plot_curve *curve)
{
    return curve->style == KANE_FAINT ? "#999999" : palette[colour_number(curve) % COLOURS];
}

static const char *line_style_of(const kane_plot_curve *curve, kane_line_style style)
{
    return looks[style][colour_number(curve) / COLOURS % LOOKS];
}

// --- axes ---

// 2 to 9 times a power of ten; where few decades are seen 2 and 5 have labels.
static void write_small_ticks(const kane_plot_pen *s, const kane_plot_axis *axis, int count, int has_texts)
{
    const int is_narrow = has_texts && axis->high - axis->low <= 2.0;
    for (int ten = (int)floor(axis->low); ten <= (int)floor(axis->high); ten++)
        for (int m = 2; m <= 9; m++) {
            const double at              = ten + log10(m);
            char label[KANE_NUMBER_SIZE] = "";
            if (at < axis->low || at > axis->high)
                continue;
            if (is_narrow && (m == 2 || m == 5) && ten >= -3 && ten <= 5)
                kane_number_format(m * pow(10.0, ten), label);
            (void)fprintf(s->out, "%s'%s' ", count++ ? ", " : "", label);
            kane_pen_number(s, at);
            (void)fprintf(s->out, " 1");
        }
}

static void write_ticks(const kane_plot_pen *s, char which, const kane_plot_axis *axis, int has_texts)
{
    char label[KANE_TICK_SIZE];
    long first, last;
    kane_plot_axis_ticks(axis, &first, &last);
    (void)fprintf(s->out, "set %crange [", which);
    kane_pen_number(s, axis->low);
    (void)fprintf(s->out, ":");
    kane_pen_number(s, axis->high);
    (void)fprintf(s->out, "]\nset %ctics (", which);
    for (long k = first; k <= last; k++) {
        const double at = kane_plot_axis_tick(axis, k, label);
        (void)fprintf(s->out, "%s'%s' ", k > first ? ", " : "", has_texts ? label : "");
        kane_pen_number(s, at);
    }
    if (axis->is_log && axis->step == 1.0)
        write_small_ticks(s, axis, first <= last, has_texts);
    (void)fprintf(s->out, ")\n");
}

// With the prefix of its unit, and with what kind of axis it is if that is not the usual one.
static void axis_label(const char *label, const kane_plot_axis *axis, size_t size, char *text,
                       char factor[KANE_NUMBER_SIZE])
{
    kane_plot_unit_label(label, axis->ten, size, text, factor);
    const size_t length = strlen(text);
    if (axis->is_log && length > 0)
        (void)snprintf(text + length, size - length, ", logarithmic");
}

// Every bar whose text has room beside it.
static void write_bar_texts(const kane_plot_pen *s, const kane_plot_bars *bars, const kane_plot_place *at)
{
    const int rows = bars->count, room = (at->bottom - at->top) / KANE_PLOT_LINE;
    (void)fprintf(s->out, "set yrange [0:%d]\nunset ytics\n", rows);
    kane_plot_row_texts(s, rows, bars->texts, room >= rows ? 1 : (rows + room - 1) / (room > 0 ? room : 1), at);
}

static void write_axes(const kane_plot_pen *s, const kane_plot_layout *l, const kane_plot_panel *panel,
                       const kane_plot_place *at)
{
    const int middle_x = (at->left + at->right) / 2, middle_y = (at->top + at->bottom) / 2;
    char label[256], factor[KANE_NUMBER_SIZE];
    (void)fprintf(s->out,
                  "set lmargin at screen %d./%d\nset rmargin at screen %d./%d\n"
                  "set tmargin at screen %d./%d\nset bmargin at screen %d./%d\n",
                  at->left, l->width, at->right, l->width, l->height - at->top, l->height, l->height - at->bottom,
                  l->height);
    if (panel->map) {
        kane_plot_map_ticks(s, l, panel->map, at);
    } else {
        write_ticks(s, 'x', &at->x, at->has_x_texts);
        if (panel->bars)
            write_bar_texts(s, panel->bars, at);
        else
            write_ticks(s, 'y', &at->y, 1);
    }
    kane_pen_label(s, panel->title, middle_x, at->top - 3 * KANE_PLOT_LINE / 2, at->right - at->left, "center");
    axis_label(panel->y_label, &at->y, sizeof label, label, factor);
    kane_pen_label(s, label, at->left - l->left + KANE_PLOT_LINE, middle_y, at->bottom - at->top + KANE_PLOT_LINE,
                   "center rotate by 90");
    kane_pen_label(s, factor, at->left, at->top - KANE_PLOT_LINE / 2, l->width, "left");
    if (!at->has_x_texts)
        return;
    const int texts = panel->map ? at->map.x_height : KANE_PLOT_LINE,
              below = at->bottom + texts + KANE_PLOT_LINE / 2 + 8;
    axis_label(panel->x_label, &at->x, sizeof label, label, factor);
    kane_pen_label(s, label, middle_x, below, at->right - at->left, "center");
    kane_pen_label(s, factor, at->right, below, l->width, "right");
}

// --- key ---

static void write_entry(const kane_plot_pen *s, const kane_plot_curve *curve, int x, int y, int width)
{
    const char *colour = colour_of(curve);
    if (curve->style == KANE_POINTS) {
        (void)fprintf(s->out, "set label '' at ");
        kane_pen_place(s, x + KANE_PLOT_SAMPLE / 2, y);
        (void)fprintf(s->out, " point %s lc rgb '%s'\n", line_style_of(curve, KANE_POINTS), colour);
    } else {
        (void)fprintf(s->out, "set arrow from ");
        kane_pen_place(s, x, y);
        (void)fprintf(s->out, " to ");
        kane_pen_place(s, x + KANE_PLOT_SAMPLE, y);
        (void)fprintf(s->out, " nohead %s lc rgb '%s'\n", line_style_of(curve, curve->style), colour);
    }
    kane_pen_label(s, curve->label, x + KANE_PLOT_SAMPLE + 8, y, width - KANE_PLOT_SAMPLE - 8, "left");
}

static void write_key(const kane_plot_pen *s, const kane_plot_panel *panel, const kane_plot_key *key)
{
    const int is_cut = key->shown < key->count, whole = is_cut ? key->shown - 1 : key->shown;
    int entry = 0;
    for (int c = 0; c < panel->curve_count && entry < whole; c++) {
        const kane_plot_curve *curve = &panel->curves[c];
        if (!curve->label || !curve->label[0])
            continue;
        const int x = key->left + entry % key->columns * key->width;
        const int y = key->top + entry / key->columns * KANE_PLOT_LINE + KANE_PLOT_LINE / 2;
        write_entry(s, curve, x, y, key->width);
        entry++;
    }
    if (is_cut) {
        char more[64];
        (void)snprintf(more, sizeof more, "and %d more", key->count - whole);
        kane_pen_label(s, more, key->left + entry % key->columns * key->width,
                       key->top + entry / key->columns * KANE_PLOT_LINE + KANE_PLOT_LINE / 2, key->width, "left");
    }
}

// --- curves ---

static void write_point(const kane_plot_pen *s, const kane_plot_curve *curve, const kane_plot_place *at, int i)
{
    kane_pen_number(s, kane_plot_axis_divide(&at->x, curve->x[i]));
    (void)fputc(' ', s->out);
    kane_pen_number(s, kane_plot_axis_divide(&at->y, curve->y[i]));
    (void)fputc('\n', s->out);
}

// Points without a neighbour, which a line would not show.
static int is_alone(const int *selected, int count, int k)
{
    return selected[k] != KANE_PLOT_GAP && (k == 0 || selected[k - 1] == KANE_PLOT_GAP) &&
           (k == count - 1 || selected[k + 1] == KANE_PLOT_GAP);
}

static void write_line(const kane_plot_pen *s, const kane_plot_curve *curve, const kane_plot_place *at, int number,
                       const int *selected, int count)
{
    (void)fprintf(s->out, "$lines%d << END\n", number);
    for (int k = 0; k < count; k++)
        if (selected[k] == KANE_PLOT_GAP || is_alone(selected, count, k))
            (void)fputc('\n', s->out);
        else
            write_point(s, curve, at, selected[k]);
    (void)fprintf(s->out, "END\n");
}

// All points, or of a line those that are alone. Returns how many.
static int write_points(const kane_plot_pen *s, const kane_plot_curve *curve, const kane_plot_place *at, int number,
                        const int *selected, int count)
{
    int written = 0;
    for (int k = 0; k < count; k++) {
        if (curve->style != KANE_POINTS && !is_alone(selected, count, k))
            continue;
        if (written++ == 0)
            (void)fprintf(s->out, "$points%d << END\n", number);
        write_point(s, curve, at, selected[k]);
    }
    if (written)
        (void)fprintf(s->out, "END\n");
    return written;
}

// Memory for one panel at a time.
typedef struct buffers {
    int *selected;   // [points of the longest curve]
    int *has_points; // [curves of the fullest panel]
} buffers;

// Data first, then the command that draws them.
static kane_status write_curves(const kane_plot_pen *s, const kane_plot_panel *panel, const kane_plot_place *at,
                                const buffers *b)
{
    const int width = at->right - at->left, height = at->bottom - at->top;
    for (int c = 0; c < panel->curve_count; c++) {
        const kane_plot_curve *curve = &panel->curves[c];
        const int count              = kane_plot_thin(curve, &at->x, &at->y, width, height, b->selected);
        if (count < 0)
            return KANE_NO_MEMORY;
        if (curve->style != KANE_POINTS)
            write_line(s, curve, at, c, b->selected, count);
        b->has_points[c] = write_points(s, curve, at, c, b->selected, count) > 0;
    }
    (void)fprintf(s->out, "plot NaN notitle"); // a panel may have no curve
    for (int c = 0; c < panel->curve_count; c++) {
        const kane_plot_curve *curve = &panel->curves[c];
        const char *colour           = colour_of(curve);
        if (curve->style != KANE_POINTS)
            (void)fprintf(s->out, ", $lines%d with lines %s lc rgb '%s' notitle", c, line_style_of(curve, curve->style),
                          colour);
        if (b->has_points[c])
            (void)fprintf(s->out, ", $points%d with points %s lc rgb '%s' notitle", c,
                          line_style_of(curve, KANE_POINTS), colour);
    }
    (void)fprintf(s->out, "\n");
    return KANE_OK;
}

// Bars of 0.7 of a row, and whiskers.
static kane_status write_bars(const kane_plot_pen *s, const kane_plot_bars *bars, const kane_plot_place *at)
{
    (void)fprintf(s->out, "$bars << END\n");
    for (int i = 0; i < bars->count; i++) {
        if (!isfinite(bars->values[i]))
            continue;
        const double error = isfinite(bars->errors[i]) ? bars->errors[i] : 0.0;
        const double x[]   = {0.0, bars->values[i], bars->values[i] - error, bars->values[i] + error};
        for (int k = 0; k < 4; k++) {
            kane_pen_number(s, kane_plot_axis_divide(&at->x, x[k]));
            (void)fputc(' ', s->out);
        }
        (void)fprintf(s->out, "%d.15 %d.5 %d.85\n", i, i, i);
    }
    (void)fprintf(
        s->out,
        "END\nplot NaN notitle, $bars using 2:6:1:2:5:7 with boxxyerror lc rgb '%s' fs solid 0.6 noborder "
        "notitle, $bars using 2:6:3:4 with xerrorbars lc rgb '#000000' lw 1 pt 0 notitle\nset ytics nomirror\n",
        palette[0]);
    return KANE_OK;
}

static void write_head(const kane_plot_pen *s)
{
    const char *terminal =
        s->kind == KANE_SVG ? "svg rounded font 'sans-serif,13'" : "pngcairo rounded font 'Sans,9.75'";
    (void)fprintf(s->out,
                  "set encoding utf8\nset terminal %s noenhanced size %d,%d background rgb 'white'\n"
                  "set datafile missing 'nan'\nunset key\nset border 3 lc rgb '#555555'\n"
                  "set tics out nomirror scale 0.5 textcolor rgb '#000000'\n"
                  "set grid back lt 1 lw 0.6 lc rgb '#dddddd'\nset multiplot\n",
                  terminal, s->width, s->height);
}

static kane_status make_buffers(const kane_plot *plot, buffers *b)
{
    int points = 0, curves = 0;
    for (int p = 0; p < plot->panel_count; p++) {
        const kane_plot_panel *panel = &plot->panels[p];
        curves                       = panel->curve_count > curves ? panel->curve_count : curves;
        for (int c = 0; c < panel->curve_count; c++)
            points = panel->curves[c].count > points ? panel->curves[c].count : points;
    }
    b->selected   = kane_allocate((size_t)points + 1, sizeof *b->selected);
    b->has_points = kane_allocate((size_t)curves + 1, sizeof *b->has_points);
    return b->selected && b->has_points ? KANE_OK : KANE_NO_MEMORY;
}

static kane_status write_panels(const kane_plot *plot, const kane_plot_layout *l, const kane_plot_pen *s)
{
    buffers b          = {NULL, NULL};
    kane_status status = make_buffers(plot, &b);
    for (int p = 0; p < plot->panel_count && status == KANE_OK; p++) {
        const kane_plot_panel *panel = &plot->panels[p];
        (void)fprintf(s->out, "unset label\nunset arrow\n");
        if (p == 0)
            kane_pen_label(s, plot->title, s->width / 2, KANE_PLOT_LINE / 2 + 4, s->width - 16, "center");
        write_axes(s, l, panel, &l->panels[p]);
        write_key(s, panel, &l->panels[p].key);
        status = panel->map    ? kane_plot_map_write(s, l, panel->map, &l->panels[p])
                 : panel->bars ? write_bars(s, panel->bars, &l->panels[p])
                               : write_curves(s, panel, &l->panels[p], &b);
    }
    kane_release(b.selected);
    kane_release(b.has_points);
    return status;
}

kane_status kane_plot_script(const kane_plot *plot, kane_picture_kind kind, FILE *out, kane_errors *errors)
{
    kane_plot_layout layout;
    kane_status status = kane_plot_layout_make(plot, &layout, errors);
    if (status == KANE_OK) {
        const kane_plot_pen pen = {out, kind, layout.width, layout.height};
        write_head(&pen);
        status = write_panels(plot, &layout, &pen);
        if (status == KANE_NO_MEMORY)
            (void)kane_no_memory(errors);
        (void)fprintf(out, "unset multiplot\n");
    }
    kane_plot_layout_clear(&layout);
    return status;
}
