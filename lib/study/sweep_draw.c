// SPDX-License-Identifier: MIT
// Pictures of a sweep: measures over the axes.
//
//   one axis, numbers      sweep.*: a panel for each measure
//   grid of two or more    N-MEASURE.*: lines over one axis, one for each value of another; N-MEASURE-map.*: both as a map; a
//                          panel for each combination of the other axes
//   anything else          N-MEASURE.*: points, a panel for each axis

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

// Draws into DIR/N-MEASURE<end>.svg and .png; a measure below 0: DIR/sweep.*.
static kane_status draw_as(const kane_sweep_study *s, const kane_plot *plot, int measure, const char *end,
                           kane_errors *errors)
{
    char name[64] = "", file[128] = "sweep";
    if (measure >= 0) {
        name_file(s->measures.text[measure], sizeof name, name);
        (void)snprintf(file, sizeof file, "%d-%s%s", measure + 1, name, end);
    }
    return kane_study_draw(&s->study, file, plot, errors);
}

// Height of so many panels [pixels], as far as a picture goes.
static int height_of(int panels, int each)
{
    enum { MOST = 30000 };
    const int height = 60 + panels * each;
    return height < MOST ? height : MOST;
}

// Measure of a case; NaN: none.
static double value_of(const kane_sweep_study *s, int index, int measure)
{
    return s->records[index].values[measure];
}

// "max(body.y) [m]"
static void measure_label(const kane_sweep_study *s, int measure, size_t size, char *text)
{
    (void)snprintf(text, size, "%s [%s]", s->measures.text[measure], s->measures.units[measure]);
}

// --- measures over one axis ---

// A panel of one measure.
typedef struct kane_sweep_sheet {
    kane_plot_curve line, points; // beside each other, as a panel wants them
    char label[256];
} kane_sweep_sheet;

static kane_status draw_single(const kane_sweep_study *s, kane_errors *errors)
{
    enum { LABEL = 256 };
    const int count          = s->is.measure_count;
    const kane_axis *axis    = &s->columns[0];
    kane_sweep_sheet *sheets = kane_allocate((size_t)count, sizeof *sheets);
    kane_plot_panel *panels  = kane_allocate((size_t)count, sizeof *panels);
    double *values           = kane_allocate((size_t)count * (size_t)s->case_count, sizeof *values);
    kane_status status       = KANE_NO_MEMORY;
    char label[LABEL];
    kane_axis_label(axis, kane_axis_is_numeric(axis), sizeof label, label);
    for (int m = 0; sheets && panels && values && m < count; m++) {
        double *y = values + (size_t)m * (size_t)s->case_count;
        for (int i = 0; i < s->case_count; i++)
            y[i] = value_of(s, i, m);
        measure_label(s, m, sizeof sheets[m].label, sheets[m].label);
        sheets[m].line   = (kane_plot_curve){.count = s->case_count, .x = axis->numbers, .y = y};
        sheets[m].points = (kane_plot_curve){.count = s->case_count, .x = axis->numbers, .y = y, .style = KANE_POINTS};
        panels[m]        = (kane_plot_panel){
                   .x_label = label, .y_label = sheets[m].label, .curve_count = 2, .curves = &sheets[m].line};
        status = KANE_OK;
    }
    if (status == KANE_OK) {
        const kane_plot plot = {.panel_count = count, .panels = panels, .height = height_of(count, 260)};
        status               = draw_as(s, &plot, -1, "", errors);
    }
    kane_release(sheets);
    kane_release(panels);
    kane_release(values);
    return status;
}

// --- points over each axis ---

static kane_status draw_points(const kane_sweep_study *s, int measure, kane_errors *errors)
{
    char labels[KANE_SWEEP_AXES_MOST][256], y_label[256];
    kane_plot_curve curves[KANE_SWEEP_AXES_MOST];
    kane_plot_panel panels[KANE_SWEEP_AXES_MOST];
    double *y          = kane_allocate((size_t)s->case_count, sizeof *y);
    kane_status status = y ? KANE_OK : KANE_NO_MEMORY;
    int count          = 0;
    for (int i = 0; y && i < s->case_count; i++)
        y[i] = value_of(s, i, measure);
    measure_label(s, measure, sizeof y_label, y_label);
    for (int a = 0; a < s->is.axis_count; a++) {
        if (!kane_axis_is_numeric(&s->columns[a]))
            continue;
        kane_axis_label(&s->columns[a], kane_axis_is_numeric(&s->columns[a]), sizeof labels[count], labels[count]);
        curves[count] =
            (kane_plot_curve){.count = s->case_count, .x = s->columns[a].numbers, .y = y, .style = KANE_POINTS};
        panels[count] =
            (kane_plot_panel){.x_label = labels[count], .y_label = y_label, .curve_count = 1, .curves = &curves[count]};
        count++;
    }
    if (status == KANE_OK && count > 0) {
        const kane_plot plot = {.panel_count = count, .panels = panels, .height = height_of(count, 280)};
        status               = draw_as(s, &plot, measure, "", errors);
    }
    kane_release(y);
    return status;
}

// --- a measure over a grid: lines over one axis for the values of another, and both as a map ---

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
                *out++           = value_of(g->sweep, kane_grid_index(&g->sweep->grid, value), g->measure);
            }
    }
    kane_axis_label(axis_of(g, g->across), kane_axis_is_numeric(axis_of(g, g->across)), LABEL, g->x_label);
    measure_label(g->sweep, g->measure, LABEL, g->y_label);
    if (g->along >= 0)
        kane_axis_label(axis_of(g, g->along), kane_axis_is_numeric(axis_of(g, g->along)), LABEL, g->along_label);
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
            .title = g->title, .panel_count = g->panels, .panels = panels, .height = height_of(g->panels, 320)};
        status = draw_as(g->sweep, &plot, g->measure, "", errors);
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
                            .height      = height_of(g->panels, g->along < 0 ? 180 : height)};
    return draw_as(g->sweep, &plot, g->measure, "-map", errors);
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

static kane_status draw_grid(const kane_sweep_study *s, int measure, kane_errors *errors)
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

kane_status kane_sweep_draw(const kane_sweep_study *s, kane_errors *errors)
{
    const int is_grid  = s->is.kind == KANE_SWEEP_GRID;
    kane_status status = KANE_OK;
    if (s->is.axis_count == 1 && is_grid && kane_axis_is_numeric(s->is.axes[0]))
        status = s->case_count > 1 ? draw_single(s, errors) : KANE_OK;
    else
        for (int m = 0; m < s->is.measure_count && status == KANE_OK; m++)
            status = is_grid ? draw_grid(s, m, errors) : draw_points(s, m, errors);
    return status == KANE_NO_MEMORY ? kane_no_memory(errors) : status;
}
