// SPDX-License-Identifier: MIT
// Pictures of a sweep: measures over the axes.
//
//   one axis, numbers      sweep.*: a panel for each measure
//   grid of two or more    N-MEASURE.*: lines over one axis, one for each value of another; N-MEASURE-map.*: both as a map; a
//                          panel for each combination of the other axes
//   anything else          N-MEASURE.*: points, a panel for each axis

#include "study/sweep_draw.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

int kane_sweep_cell_of(const kane_sweep_study *s, const int *value)
{
    int index = 0;
    for (int a = 0; a < s->is.axis_count; a++)
        index = index * s->is.axes[a]->count + value[a];
    return index;
}

double kane_sweep_value(const kane_sweep_study *s, int index, int measure)
{
    return s->records[index].values[measure];
}

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

kane_status kane_sweep_draw_as(const kane_sweep_study *s, const kane_plot *plot, int measure, const char *end,
                               kane_errors *errors)
{
    static const char *const formats[] = {"svg", "png"};
    char name[64]                      = "", file[4200];
    if (measure >= 0)
        name_file(s->is.measures[measure], sizeof name, name);
    for (int i = 0; i < 2; i++) {
        if (measure < 0)
            (void)snprintf(file, sizeof file, "%s/sweep.%s", s->directory, formats[i]);
        else
            (void)snprintf(file, sizeof file, "%s/%d-%s%s.%s", s->directory, measure + 1, name, end, formats[i]);
        const kane_status status = kane_plot_draw(plot, file, errors);
        if (status != KANE_OK)
            return status;
    }
    return KANE_OK;
}

void kane_sweep_axis_label(const kane_axis *axis, size_t size, char *text)
{
    (void)snprintf(text, size, kane_axis_is_numeric(axis) && axis->unit[0] ? "%s [%s]" : "%s", axis->path, axis->unit);
}

void kane_sweep_measure_label(const kane_sweep_study *s, int measure, size_t size, char *text)
{
    (void)snprintf(text, size, "%s [%s]", s->is.measures[measure], s->units[measure]);
}

// --- measures over one axis ---

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
    kane_sweep_axis_label(axis, sizeof label, label);
    for (int m = 0; sheets && panels && values && m < count; m++) {
        double *y = values + (size_t)m * (size_t)s->case_count;
        for (int i = 0; i < s->case_count; i++)
            y[i] = kane_sweep_value(s, i, m);
        kane_sweep_measure_label(s, m, sizeof sheets[m].label, sheets[m].label);
        sheets[m].line   = (kane_plot_curve){.count = s->case_count, .x = axis->numbers, .y = y};
        sheets[m].points = (kane_plot_curve){.count = s->case_count, .x = axis->numbers, .y = y, .style = KANE_POINTS};
        panels[m]        = (kane_plot_panel){
                   .x_label = label, .y_label = sheets[m].label, .curve_count = 2, .curves = &sheets[m].line};
        status = KANE_OK;
    }
    if (status == KANE_OK) {
        const kane_plot plot = {.panel_count = count, .panels = panels, .height = kane_sweep_height(count, 260)};
        status               = kane_sweep_draw_as(s, &plot, -1, "", errors);
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
        y[i] = kane_sweep_value(s, i, measure);
    kane_sweep_measure_label(s, measure, sizeof y_label, y_label);
    for (int a = 0; a < s->is.axis_count; a++) {
        if (!kane_axis_is_numeric(&s->columns[a]))
            continue;
        kane_sweep_axis_label(&s->columns[a], sizeof labels[count], labels[count]);
        curves[count] =
            (kane_plot_curve){.count = s->case_count, .x = s->columns[a].numbers, .y = y, .style = KANE_POINTS};
        panels[count] =
            (kane_plot_panel){.x_label = labels[count], .y_label = y_label, .curve_count = 1, .curves = &curves[count]};
        count++;
    }
    if (status == KANE_OK && count > 0) {
        const kane_plot plot = {.panel_count = count, .panels = panels, .height = kane_sweep_height(count, 280)};
        status               = kane_sweep_draw_as(s, &plot, measure, "", errors);
    }
    kane_release(y);
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
            status = is_grid ? kane_sweep_draw_grid(s, m, errors) : draw_points(s, m, errors);
    if (status == KANE_NO_MEMORY)
        kane_errors_add(errors, status, "%s", kane_status_text(status));
    return status;
}
