// SPDX-License-Identifier: MIT
// Pictures of a sweep: measures over the axes.
//
//   one axis, numbers      sweep.*: a panel for each measure
//   grid of two or more    N-MEASURE.*: lines over one axis, one for each value of another; N-MEASURE-map.*: both as a map; a
//                          panel for each combination of the other axes
//   anything else          N-MEASURE.*: points, a panel for each axis

#include "study/figure.h"
#include "study/sweep.h"

#include "base/number.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// "max(body.y, 50 m..)" -> "max-body.y-50-m"
static void name_file(const char *text, size_t size, char *name)
{
    static const char kept[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.";
    size_t n                 = 0;
    for (; *text && n + 4 < size; text++) {
        if (*text == '*') {
            n += (size_t)snprintf(name + n, size - n, "all");
            continue;
        }
        const int is_kept = strchr(kept, *text) != NULL;
        if (is_kept || (n > 0 && name[n - 1] != '-'))
            name[n++] = is_kept ? *text : '-';
    }
    while (n > 0 && (name[n - 1] == '-' || name[n - 1] == '.'))
        n--;
    name[n] = '\0';
}

// Ends a picture as DIR/N-MEASURE<end>.svg and .png; a measure below 0: DIR/sweep.*. each: height of a panel [pixels].
static int finish(const kane_sweep_study *s, kane_figure *f, int measure, const char *end, int each)
{
    enum { HIGHEST = 30000 };
    char name[64] = "", file[128] = "sweep";
    const int height = 60 + f->plot.panel_count * each;
    if (measure >= 0) {
        name_file(s->measures.text[measure], sizeof name, name);
        (void)snprintf(file, sizeof file, "%d-%s%s", measure + 1, name, end);
    }
    f->plot.height = height < HIGHEST ? height : HIGHEST;
    return kane_figure_end(f, &s->study, file);
}

static const char *axis_label(kane_figure *f, const kane_axis *axis)
{
    return kane_figure_axis(f, axis, kane_axis_is_numeric(axis));
}

// "max(body.y) [m]"
static const char *measure_label(kane_figure *f, const kane_sweep_study *s, int measure)
{
    return kane_figure_text(f, "%s [%s]", s->measures.text[measure], s->measures.units[measure]);
}

static double value_of(const kane_sweep_study *s, int index, int measure)
{
    return kane_table_at(&s->table, index, kane_sweep_measure_column(s) + measure)->number;
}

// --- a measure over an axis, case by case: points, and a line through them ---

static void add_cases(kane_figure *f, const kane_sweep_study *s, int axis, int measure, int has_line)
{
    const kane_axis *column = &s->columns[axis];
    double *y               = kane_figure_values(f, (size_t)column->count);
    const int panel         = kane_figure_add(f, NULL, axis_label(f, column), measure_label(f, s, measure));
    for (int i = 0; y && i < column->count; i++)
        y[i] = value_of(s, i, measure);
    kane_plot_curve curve = {.count = column->count, .x = column->numbers, .y = y};
    if (has_line)
        kane_figure_curve(f, panel, curve);
    curve.style = KANE_POINTS;
    kane_figure_curve(f, panel, curve);
}

// --- a measure over a grid: lines over one axis for the values of another, and both as a map ---

enum { PANELS_MOST = 12, LINES_MOST = 14, LABEL = 256 };

// What goes across, what from line to line (from row to row of a map); the rest are panels.
typedef struct sheet {
    const kane_sweep_study *sweep;
    int measure;
    const kane_axis *across, *along; // along NULL: there is none
    int number[2];                   // of these axes; -1: there is none
    int rows, columns;               // values along, and across
    int panels, all_panels;          // drawn, and how many there would be
    double *values;                  // [panels][rows][columns]
    const char *titles[PANELS_MOST];
} sheet;

static int is_panel(const sheet *g, int axis)
{
    return axis != g->number[0] && axis != g->number[1];
}

// The first axis of numbers goes across; else the first one.
static void choose_axes(sheet *g)
{
    const kane_sweep_definition *is = &g->sweep->is;
    for (int a = is->axis_count - 1; a >= 0; a--)
        if (kane_axis_is_numeric(is->axes[a]) && is->axes[a]->count > 1)
            g->number[0] = a;
    g->number[1]  = is->axis_count < 2 ? -1 : g->number[0] == 0;
    g->across     = is->axes[g->number[0]];
    g->along      = g->number[1] < 0 ? NULL : is->axes[g->number[1]];
    g->columns    = g->across->count;
    g->rows       = g->along ? g->along->count : 1;
    g->all_panels = 1;
    for (int a = 0; a < is->axis_count; a++)
        if (is_panel(g, a))
            g->all_panels = g->all_panels > PANELS_MOST ? g->all_panels : g->all_panels * is->axes[a]->count;
    g->panels = g->all_panels < PANELS_MOST ? g->all_panels : PANELS_MOST;
}

// "speed = 30 m/s", "bloss"
static void write_value(const kane_axis *axis, int index, kane_text *text)
{
    const char *value  = axis->texts[index];
    const int is_plain = axis->unit[0] && value[kane_number_length(value)] == '\0';
    if (kane_axis_is_numeric(axis))
        kane_text_add(text, "%s = %s%s%s", axis->path, value, is_plain ? " " : "", is_plain ? axis->unit : "");
    else
        kane_text_add(text, "%s", value);
}

// Values of the axes that are panels; returns their title.
static const char *place_panel(const sheet *g, kane_figure *f, int panel, int *value)
{
    char text[LABEL];
    kane_text title                 = kane_text_start(sizeof text, text);
    const kane_sweep_definition *is = &g->sweep->is;
    for (int a = is->axis_count - 1, left = panel; a >= 0; a--)
        if (is_panel(g, a)) {
            value[a] = left % is->axes[a]->count;
            left /= is->axes[a]->count;
        }
    for (int a = 0; a < is->axis_count; a++)
        if (is_panel(g, a)) {
            kane_text_add(&title, "%s", title.length ? ", " : "");
            write_value(is->axes[a], value[a], &title);
        }
    return kane_figure_text(f, "%s", text);
}

// Values and titles of all panels, in the memory of a picture.
static void fill(sheet *g, kane_figure *f)
{
    int value[KANE_SWEEP_AXES_MOST] = {0};
    const int cells                 = g->rows * g->columns;
    g->values                       = kane_figure_values(f, (size_t)g->panels * (size_t)cells);
    for (int p = 0; g->values && p < g->panels; p++) {
        g->titles[p] = place_panel(g, f, p, value);
        for (int i = 0; i < cells; i++) {
            if (g->along)
                value[g->number[1]] = i / g->columns;
            value[g->number[0]] = i % g->columns;
            g->values[(size_t)p * (size_t)cells + (size_t)i] =
                value_of(g->sweep, kane_grid_index(&g->sweep->grid, value), g->measure);
        }
    }
    if (g->panels < g->all_panels)
        f->plot.title = kane_figure_text(f, "the first %d combinations of the other axes", g->panels);
}

// --- lines ---

// The lines of one panel, each with its points: all values along, or so many of them with the first and the last one.
static void add_lines(const sheet *g, kane_figure *f, int p)
{
    const int lines = g->rows < LINES_MOST ? g->rows : LINES_MOST;
    const int panel =
        kane_figure_add(f, g->titles[p], axis_label(f, g->across), measure_label(f, g->sweep, g->measure));
    for (int k = 0; k < lines; k++) {
        const int row   = lines == g->rows ? k : (int)((long long)k * (g->rows - 1) / (lines - 1));
        const double *y = g->values + ((size_t)p * (size_t)g->rows + (size_t)row) * (size_t)g->columns;
        char text[LABEL];
        kane_text label = kane_text_start(sizeof text, text);
        if (g->along)
            write_value(g->along, row, &label);
        kane_figure_marked(
            f, panel,
            (kane_plot_curve){kane_figure_text(f, "%s", text), g->columns, g->across->numbers, y, KANE_SOLID, k});
    }
}

// --- maps ---

// Values of an axis as texts, numbers without their unit, which the label has; one that is empty of no axis.
static const char **texts_of(kane_figure *f, const kane_axis *axis)
{
    const char **texts = kane_figure_texts(f, axis ? axis->count : 1);
    if (texts && !axis)
        texts[0] = "";
    for (int i = 0; texts && axis && i < axis->count; i++) {
        char number[KANE_NUMBER_SIZE];
        if (kane_axis_is_numeric(axis))
            kane_format_number(axis->numbers[i], 6, sizeof number, number);
        texts[i] = kane_axis_is_numeric(axis) ? kane_figure_text(f, "%s", number) : axis->texts[i];
    }
    return texts;
}

// The same colours mean the same in all panels.
static void find_ends(const sheet *g, double *least, double *greatest)
{
    const size_t count = (size_t)g->panels * (size_t)g->rows * (size_t)g->columns;
    *least             = (double)INFINITY;
    *greatest          = -(double)INFINITY;
    for (size_t i = 0; i < count; i++)
        if (isfinite(g->values[i])) {
            *least    = fmin(*least, g->values[i]);
            *greatest = fmax(*greatest, g->values[i]);
        }
    if (!(*least <= *greatest))
        *least = *greatest = 0.0;
}

static void add_maps(const sheet *g, kane_figure *f)
{
    kane_plot_map map = {.columns = g->columns,
                         .rows    = g->rows,
                         .x_texts = texts_of(f, g->across),
                         .y_texts = texts_of(f, g->along),
                         .label   = measure_label(f, g->sweep, g->measure)};
    find_ends(g, &map.least, &map.greatest);
    for (int p = 0; p < g->panels; p++) {
        map.values = g->values + (size_t)p * (size_t)g->rows * (size_t)g->columns;
        kane_figure_map(
            f, kane_figure_add(f, g->titles[p], axis_label(f, g->across), g->along ? axis_label(f, g->along) : ""),
            map);
    }
}

static int draw_grid(const kane_sweep_study *s, int measure)
{
    sheet g           = {.sweep = s, .measure = measure};
    kane_figure lines = kane_figure_begin(), map = kane_figure_begin();
    choose_axes(&g);
    fill(&g, &map);
    lines.plot.title = map.plot.title;
    for (int p = 0; g.values && p < g.panels && kane_axis_is_numeric(g.across) && g.columns > 1; p++)
        add_lines(&g, &lines, p);
    if (g.values && g.rows <= KANE_PLOT_CELLS_MOST / g.columns) // of more nobody could see anything
        add_maps(&g, &map);
    const int high = g.rows * 26 < 220 ? 300 : g.rows * 26 > 700 ? 780 : 80 + g.rows * 26;
    const int good = finish(s, &lines, measure, "", 320); // its title is the map's
    if (!good)
        map.plot.panel_count = 0;
    return finish(s, &map, measure, "-map", g.along ? high : 180) && good;
}

// Points of a measure over every axis of numbers.
static int draw_points(const kane_sweep_study *s, int measure)
{
    kane_figure f = kane_figure_begin();
    for (int a = 0; a < s->is.axis_count; a++)
        if (kane_axis_is_numeric(&s->columns[a]))
            add_cases(&f, s, a, measure, 0);
    return finish(s, &f, measure, "", 280);
}

// All measures over the only axis.
static int draw_single(const kane_sweep_study *s)
{
    kane_figure f = kane_figure_begin();
    for (int m = 0; m < s->is.measure_count && s->study.case_count > 1; m++)
        add_cases(&f, s, 0, m, 1);
    return finish(s, &f, -1, "", 260);
}

int kane_sweep_draw(const kane_sweep_study *s)
{
    const int is_grid = s->is.kind == KANE_SWEEP_GRID;
    int good          = 1;
    if (s->is.axis_count == 1 && is_grid && kane_axis_is_numeric(s->is.axes[0]))
        return draw_single(s);
    for (int m = 0; m < s->is.measure_count && good; m++)
        good = is_grid ? draw_grid(s, m) : draw_points(s, m);
    return good;
}
