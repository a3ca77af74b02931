// SPDX-License-Identifier: MIT
// Pictures of an omission study, after Figures 5 and 6 of the source.

#include "study/omission_draw.h"

#include "base/arena.h"

#include <stdio.h>
#include <string.h>

enum { LABEL = 48, PANELS_MOST = 6 };

// Room for the curves and texts of one picture.
typedef struct sheet {
    kane_plot_curve *curves;
    char (*labels)[LABEL];
    double *differences; // values of all difference curves, one after the other
    char title[512], y_labels[PANELS_MOST][192];
    kane_plot_panel panels[PANELS_MOST];
    int curve_count, panel_count;
} sheet;

static kane_status draw(const kane_omission_cases *cases, const sheet *s, const char *name, kane_errors *errors)
{
    static const char *const ends[] = {"svg", "png"};
    const kane_plot plot            = {.title = s->title, .panel_count = s->panel_count, .panels = s->panels};
    for (int i = 0; i < 2; i++) {
        char file[4096];
        (void)snprintf(file, sizeof file, "%s/%s.%s", cases->study->directory, name, ends[i]);
        const kane_status status = kane_plot_draw(&plot, file, errors);
        if (status != KANE_OK)
            return status;
    }
    return KANE_OK;
}

static kane_plot_panel *add_panel(sheet *s, const char *name, const char *unit)
{
    kane_plot_panel *panel = &s->panels[s->panel_count];
    (void)snprintf(s->y_labels[s->panel_count], sizeof s->y_labels[0], "%s [%s]", name, unit);
    *panel = (kane_plot_panel){.x_label = "distance travelled [m]",
                               .y_label = s->y_labels[s->panel_count],
                               .curves  = &s->curves[s->curve_count]};
    s->panel_count++;
    return panel;
}

// Column of case `which` over the distance; in the key with its acceleration if it is the complete one.
static void add_curve(const kane_omission_cases *cases, sheet *s, kane_plot_panel *panel, int which, const char *column)
{
    const kane_series *series = cases->series[which];
    char *label               = s->labels[s->curve_count];
    const double a            = cases->study->accelerations[which / 2];
    const char *sign          = a > 0.0 ? "+" : "";
    (void)snprintf(label, LABEL, "a = %s%g m/s²%s", sign, a, which % 2 ? ", omitted" : "");
    s->curves[s->curve_count++] = (kane_plot_curve){.label  = label,
                                                    .count  = series->row_count,
                                                    .x      = series->column[kane_series_find(series, "distance")],
                                                    .y      = series->column[kane_series_find(series, column)],
                                                    .style  = which % 2 ? KANE_DASHED : KANE_SOLID,
                                                    .colour = which / 2};
    panel->curve_count++;
}

static kane_status draw_omitted(const kane_omission_cases *cases, sheet *s, kane_errors *errors)
{
    const kane_series *first = cases->series[0];
    for (int c = 0; c < first->column_count && s->panel_count < PANELS_MOST; c++) {
        if (strncmp(first->name[c], "imaginary.", 10) != 0)
            continue;
        kane_plot_panel *panel = add_panel(s, first->name[c] + 10, first->unit[c]);
        for (int i = 0; i < cases->study->acceleration_count; i++)
            add_curve(cases, s, panel, 2 * i, first->name[c]);
    }
    (void)snprintf(s->title, sizeof s->title, "%s: imaginary term %s of the complete model",
                   cases->study->run->vehicle->name, cases->study->omit);
    return draw(cases, s, "omitted", errors);
}

// Omitting minus complete model at one acceleration, as far as both go: their rows are at the same times and places.
static void add_difference(const kane_omission_cases *cases, sheet *s, kane_plot_panel *panel, int i,
                           const char *column)
{
    const kane_series *complete = cases->series[2 * i], *omitting = cases->series[2 * i + 1];
    const double *a = complete->column[kane_series_find(complete, column)];
    const double *b = omitting->column[kane_series_find(omitting, column)];
    const int rows  = complete->row_count < omitting->row_count ? complete->row_count : omitting->row_count;
    double *values  = s->differences;
    for (int k = 0; k < rows; k++)
        values[k] = b[k] - a[k];
    s->differences += rows;
    s->curves[s->curve_count++] = (kane_plot_curve){.count  = rows,
                                                    .x      = complete->column[kane_series_find(complete, "distance")],
                                                    .y      = values,
                                                    .style  = KANE_DASHED,
                                                    .colour = i};
    panel->curve_count++;
}

// Both models above each other and, since what an omitted term does may be less than a line's width, their difference.
static kane_status draw_response(const kane_omission_cases *cases, sheet *s, const char *name, kane_errors *errors)
{
    const kane_series *first = cases->series[0];
    const char *unit         = first->unit[kane_series_find(first, name)];
    kane_plot_panel *panel   = add_panel(s, name, unit);
    for (int i = 0; i < 2 * cases->study->acceleration_count; i++)
        add_curve(cases, s, panel, i, name);
    panel = add_panel(s, "omitted − complete", unit);
    for (int i = 0; i < cases->study->acceleration_count; i++)
        add_difference(cases, s, panel, i, name);
    (void)snprintf(s->title, sizeof s->title, "%s: complete (solid) and without %s (dashed)",
                   cases->study->run->vehicle->name, cases->study->omit);
    return draw(cases, s, name, errors);
}

// Of all complete runs together.
static size_t count_rows(const kane_omission_cases *cases)
{
    size_t rows = 0;
    for (int i = 0; i < cases->study->acceleration_count; i++)
        rows += (size_t)cases->series[2 * i]->row_count;
    return rows;
}

kane_status kane_omission_draw(const kane_omission_cases *cases, kane_errors *errors)
{
    const size_t most       = (size_t)(2 * cases->study->acceleration_count * PANELS_MOST);
    kane_plot_curve *curves = kane_allocate(most, sizeof *curves);
    char(*labels)[LABEL]    = kane_allocate(most, sizeof *labels);
    double *differences     = kane_allocate(count_rows(cases), sizeof *differences);
    kane_status status      = curves && labels && differences ? KANE_OK : KANE_NO_MEMORY;
    if (status == KANE_OK) {
        sheet s = {.curves = curves, .labels = labels};
        status  = draw_omitted(cases, &s, errors);
    }
    for (int r = 0; r < cases->response_count && status == KANE_OK; r++) {
        sheet s = {.curves = curves, .labels = labels, .differences = differences};
        status  = draw_response(cases, &s, cases->responses[r], errors);
    }
    kane_release(curves);
    kane_release(labels);
    kane_release(differences);
    return status;
}
