// SPDX-License-Identifier: MIT
// A measure over a grid: lines over one axis for the values of another, and both as a map.

#include "base/number.h"
#include "base/text.h"
#include "study/sweep_draw.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PANELS_MOST = 12, LINES_MOST = 14, LABEL = 256 };

// What goes across, what from line to line (from row to row of a map); the rest are panels.
typedef struct sheet {
    const kane_sweep_study *sweep;
    int measure, across, along; // axes; along -1: there is none
    int panels, all_panels;     // drawn, and how many there would be
    double *values;             // [panels][values along][values across]
    char titles[PANELS_MOST][LABEL], x_label[LABEL], y_label[LABEL], along_label[LABEL], title[LABEL];
} sheet;

static const kane_axis *axis_of(const sheet *g, int a)
{
    return g->sweep->is.axes[a];
}

static int rows_of(const sheet *g)
{
    return g->along < 0 ? 1 : axis_of(g, g->along)->count;
}

static int columns_of(const sheet *g)
{
    return axis_of(g, g->across)->count;
}

// The first axis of numbers goes across; else the first one.
static void choose_axes(sheet *g)
{
    const kane_sweep_definition *is = &g->sweep->is;
    for (int a = is->axis_count - 1; a >= 0; a--)
        if (kane_axis_is_numeric(is->axes[a]) && is->axes[a]->count > 1)
            g->across = a;
    g->along      = is->axis_count < 2 ? -1 : g->across == 0 ? 1 : 0;
    g->all_panels = 1;
    for (int a = 0; a < is->axis_count; a++)
        if (a != g->across && a != g->along)
            g->all_panels = g->all_panels > PANELS_MOST ? g->all_panels : g->all_panels * is->axes[a]->count;
    g->panels = g->all_panels < PANELS_MOST ? g->all_panels : PANELS_MOST;
}

// "speed = 30 m/s", "bloss"
static void write_value(const kane_axis *axis, int index, size_t size, char *text)
{
    const char *value  = axis->texts[index];
    const int is_plain = axis->unit[0] && value[kane_number_length(value)] == '\0';
    if (kane_axis_is_numeric(axis))
        (void)snprintf(text, size, "%s = %s%s%s", axis->path, value, is_plain ? " " : "", is_plain ? axis->unit : "");
    else
        (void)snprintf(text, size, "%s", value);
}

// Values of the axes that are panels; their title.
static void place_panel(sheet *g, int panel, int *value)
{
    kane_text title = kane_text_start(sizeof g->titles[panel], g->titles[panel]);
    int left        = panel;
    for (int a = g->sweep->is.axis_count - 1; a >= 0; a--) {
        if (a == g->across || a == g->along)
            continue;
        value[a] = left % axis_of(g, a)->count;
        left /= axis_of(g, a)->count;
    }
    for (int a = 0; a < g->sweep->is.axis_count; a++) {
        const kane_axis *axis = axis_of(g, a);
        if (a == g->across || a == g->along)
            continue;
        char text[LABEL];
        write_value(axis, value[a], sizeof text, text);
        kane_text_add(&title, "%s%s", title.length ? ", " : "", text);
    }
}

static void fill(sheet *g)
{
    int value[KANE_SWEEP_AXES_MOST] = {0};
    double *out                     = g->values;
    for (int p = 0; p < g->panels; p++) {
        place_panel(g, p, value);
        for (int r = 0; r < rows_of(g); r++)
            for (int c = 0; c < columns_of(g); c++) {
                if (g->along >= 0)
                    value[g->along] = r;
                value[g->across] = c;
                *out++           = kane_sweep_value(g->sweep, kane_sweep_cell_of(g->sweep, value), g->measure);
            }
    }
    kane_sweep_axis_label(axis_of(g, g->across), LABEL, g->x_label);
    kane_sweep_measure_label(g->sweep, g->measure, LABEL, g->y_label);
    if (g->along >= 0)
        kane_sweep_axis_label(axis_of(g, g->along), LABEL, g->along_label);
    if (g->panels < g->all_panels)
        (void)snprintf(g->title, LABEL, "the first %d combinations of the other axes", g->panels);
}

// --- lines ---

// Which of the values along get a line: all, or so many of them with the first and the last one.
static int line_row(int line, int lines, int rows)
{
    return lines == rows ? line : (int)((long long)line * (rows - 1) / (lines - 1));
}

// The curves of one panel: each line, and its points.
static void add_lines(const sheet *g, int panel, int lines, char (*labels)[LABEL], kane_plot_curve *curves)
{
    const int rows = rows_of(g), columns = columns_of(g);
    const double *x = axis_of(g, g->across)->numbers;
    for (int k = 0; k < lines; k++) {
        const int row   = line_row(k, lines, rows);
        const double *y = g->values + ((size_t)panel * (size_t)rows + (size_t)row) * (size_t)columns;
        if (g->along >= 0)
            write_value(axis_of(g, g->along), row, LABEL, labels[k]);
        curves[2 * k]     = (kane_plot_curve){labels[k], columns, x, y, KANE_SOLID, k};
        curves[2 * k + 1] = (kane_plot_curve){NULL, columns, x, y, KANE_POINTS, k};
    }
}

static kane_status draw_lines(const sheet *g, kane_errors *errors)
{
    const int rows = rows_of(g), lines = rows < LINES_MOST ? rows : LINES_MOST;
    const size_t each       = 2 * (size_t)lines;
    kane_plot_curve *curves = kane_allocate(each * (size_t)g->panels, sizeof *curves);
    char(*labels)[LABEL]    = kane_allocate((size_t)lines, sizeof *labels);
    kane_plot_panel panels[PANELS_MOST];
    kane_status status = KANE_NO_MEMORY;
    if (curves && labels) {
        for (int p = 0; p < g->panels; p++) {
            add_lines(g, p, lines, labels, curves + each * (size_t)p);
            panels[p] = (kane_plot_panel){.title       = g->titles[p],
                                          .x_label     = g->x_label,
                                          .y_label     = g->y_label,
                                          .curve_count = 2 * lines,
                                          .curves      = curves + each * (size_t)p};
        }
        const kane_plot plot = {
            .title = g->title, .panel_count = g->panels, .panels = panels, .height = kane_sweep_height(g->panels, 320)};
        status = kane_sweep_draw_as(g->sweep, &plot, g->measure, "", errors);
    }
    kane_release(curves);
    kane_release(labels);
    return status;
}

// --- map ---

// Numbers without their unit, which the label has.
static void texts_of(const kane_axis *axis, char (*room)[LABEL], const char **texts)
{
    for (int i = 0; i < axis->count; i++) {
        (void)snprintf(room[i], LABEL, "%s", axis->texts[i]);
        if (kane_axis_is_numeric(axis)) {
            char number[KANE_NUMBER_SIZE];
            kane_number_round(axis->numbers[i], 6, number);
            kane_number_format(kane_number_value(number, strlen(number), 0), number);
            (void)snprintf(room[i], LABEL, "%s", number);
        }
        texts[i] = room[i];
    }
}

// The same colours mean the same in all panels.
static void find_ends(const sheet *g, double *least, double *greatest)
{
    const size_t count = (size_t)g->panels * (size_t)rows_of(g) * (size_t)columns_of(g);
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

// Texts of the columns, then of the rows (an empty one if there is no axis along).
static void fill_texts(const sheet *g, char (*room)[LABEL], const char **texts)
{
    const int columns = columns_of(g);
    texts_of(axis_of(g, g->across), room, texts);
    texts[columns] = "";
    if (g->along >= 0)
        texts_of(axis_of(g, g->along), room + columns, texts + columns);
}

static kane_status draw_panels(const sheet *g, const char *const *texts, kane_errors *errors)
{
    const int rows = rows_of(g), columns = columns_of(g);
    const int height = rows * 26 < 220 ? 300 : rows * 26 > 700 ? 780 : 80 + rows * 26;
    kane_plot_panel panels[PANELS_MOST];
    kane_plot_map maps[PANELS_MOST];
    double least, greatest;
    find_ends(g, &least, &greatest);
    for (int p = 0; p < g->panels; p++) {
        maps[p] = (kane_plot_map){.columns  = columns,
                                  .rows     = rows,
                                  .x_texts  = texts,
                                  .y_texts  = texts + columns,
                                  .values   = g->values + (size_t)p * (size_t)rows * (size_t)columns,
                                  .label    = g->y_label,
                                  .least    = least,
                                  .greatest = greatest};
        panels[p] =
            (kane_plot_panel){.title = g->titles[p], .x_label = g->x_label, .y_label = g->along_label, .map = &maps[p]};
    }
    const kane_plot plot = {.title       = g->title,
                            .panel_count = g->panels,
                            .panels      = panels,
                            .height      = kane_sweep_height(g->panels, g->along < 0 ? 180 : height)};
    return kane_sweep_draw_as(g->sweep, &plot, g->measure, "-map", errors);
}

static kane_status draw_map(const sheet *g, kane_errors *errors)
{
    const int rows = rows_of(g), columns = columns_of(g);
    if (rows > KANE_PLOT_CELLS_MOST / columns)
        return KANE_OK; // nobody could see so many
    char(*room)[LABEL] = kane_allocate((size_t)(rows + columns), sizeof *room);
    const char **texts = kane_allocate((size_t)(rows + columns), sizeof *texts);
    kane_status status = KANE_NO_MEMORY;
    if (room && texts) {
        fill_texts(g, room, texts);
        status = draw_panels(g, texts, errors);
    }
    kane_release(room);
    kane_release(texts);
    return status;
}

kane_status kane_sweep_draw_grid(const kane_sweep_study *s, int measure, kane_errors *errors)
{
    sheet *g = kane_allocate(1, sizeof *g);
    if (!g)
        return KANE_NO_MEMORY;
    g->sweep   = s;
    g->measure = measure;
    choose_axes(g);
    g->values = kane_allocate((size_t)g->panels * (size_t)rows_of(g) * (size_t)columns_of(g), sizeof *g->values);
    kane_status status = KANE_NO_MEMORY;
    if (g->values) {
        fill(g);
        status = KANE_OK;
        if (kane_axis_is_numeric(axis_of(g, g->across)) && columns_of(g) > 1)
            status = draw_lines(g, errors);
        if (status == KANE_OK)
            status = draw_map(g, errors);
    }
    kane_release(g->values);
    kane_release(g);
    return status;
}
