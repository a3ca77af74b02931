// SPDX-License-Identifier: MIT
// Shapes of transitions beside each other, as pictures: what they are, what the vehicle does, what the criteria say.

#include "study/figure.h"
#include "study/transitions.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>

enum { POINTS = 400, PANELS_MOST = 6, COLOURS = 6, MAP_HEIGHT = 160, ROW_HEIGHT = 30 };

static const double MARGIN = 0.1;                  // of a transition's length, drawn before and behind it
static const double BEFORE = 20.0, BEHIND = 100.0; // of responses [m]

// The last colour, black, is of the shape that matters.
static kane_plot_curve curve_of(const comparison *c, int index, int count, const double *x, const double *y)
{
    return (kane_plot_curve){.label  = c->shapes[index].name,
                             .count  = count,
                             .x      = x,
                             .y      = y,
                             .style  = index < COLOURS || index == c->highlight ? KANE_SOLID : KANE_DASHED,
                             .colour = index == c->highlight ? COLOURS : index % COLOURS};
}

// --- shapes ---

// Curvature, its derivative and cant of the line with a shape, y [3][POINTS], at places along the first of the sections.
static int sample_line(const comparison *c, int index, const double *x, double *y)
{
    kane_run *run = kane_study_read(c->study, c->settings[index], c->study->errors);
    if (!run)
        return 0;
    const kane_track *track         = kane_run_get_definition(run)->track;
    const kane_track_section *first = &c->sections.section[0];
    for (int i = 0; i < POINTS; i++) {
        kane_track_state state;
        const double s = fmin(fmax(first->start + x[i], 0.0), kane_track_length(track));
        kane_track_describe(track, kane_track_find(track, s), s, &state);
        y[i]              = 1e3 * state.curvature;
        y[POINTS + i]     = 1e6 * state.psi_s[1];
        y[2 * POINTS + i] = 1e3 * state.superelevation;
    }
    kane_run_free(run);
    return 1;
}

static int draw_lines(const comparison *c)
{
    static const char *const labels[] = {"curvature [1/km]", "its change [1/km²]", "superelevation [mm]"};
    const double length               = c->sections.section[0].length;
    kane_figure f                     = kane_figure_begin();
    double *x                         = kane_figure_values(&f, POINTS);
    int panels[3], good = 1;
    for (int i = 0; x && i < POINTS; i++)
        x[i] = length * (-MARGIN + (1.0 + 2.0 * MARGIN) * i / (POINTS - 1));
    for (int k = 0; k < 3; k++)
        panels[k] = kane_figure_add(&f, NULL, "distance from the beginning of the transition [m]", labels[k]);
    for (int i = 0; i < c->count && good; i++) {
        double *y = c->rows[i] ? kane_figure_values(&f, 3 * POINTS) : NULL;
        if (!x || !y)
            continue;
        good = sample_line(c, i, x, y);
        for (int k = 0; k < 3; k++)
            kane_figure_curve(&f, panels[k], curve_of(c, i, POINTS, x, y + k * POINTS));
    }
    f.plot.title = kane_figure_text(&f, "Transition of %g m, section %d of the track", length, c->sections.index[0]);
    if (good)
        return kane_figure_end(&f, c->study, "curvature");
    kane_figure_drop(&f);
    return 0;
}

// --- responses ---

// Rows from a little before the first transition to some way behind the last one.
static void find_window(const comparison *c, const kane_results *results, double start, int *first, int *count)
{
    const kane_track_section *a = &c->sections.section[0], *b = &c->sections.section[c->sections.count - 1];
    const int rows  = kane_results_row_count(results);
    const double *s = kane_results_values(results, kane_column_of(results, "distance"));
    *first          = 0;
    while (*first < rows && s[*first] < a->start - start - BEFORE)
        ++*first;
    int end = *first;
    while (end < rows && s[end] <= b->start + b->length - start + BEHIND)
        end++;
    *count = end - *first;
}

// A panel for the first channel that a criterion looks at, if no criterion before has it. start: of the guide, from the beginning of
// the line [m].
static void add_panel(const comparison *c, kane_figure *f, int criterion, double start)
{
    const kane_results *reference = c->rows[c->reference];
    const int column              = kane_column_of(reference, c->criteria->patterns[criterion]);
    for (int i = 0; i < criterion; i++)
        if (kane_column_of(reference, c->criteria->patterns[i]) == column)
            return;
    const kane_column *channel = kane_results_column(reference, column);
    const int panel            = kane_figure_add(f, NULL, "distance travelled [m]",
                                                 kane_figure_text(f, "%s [%s]", channel->name, channel->unit));
    for (int i = 0; i < c->count; i++) {
        int first, count;
        if (!c->rows[i])
            continue;
        find_window(c, c->rows[i], start, &first, &count);
        const double *x = kane_results_values(c->rows[i], kane_column_of(c->rows[i], "distance"));
        const double *y = kane_results_values(c->rows[i], column);
        kane_figure_curve(f, panel, curve_of(c, i, count, x + first, y + first));
    }
}

static int draw_responses(const comparison *c)
{
    kane_run *run = kane_study_read(c->study, c->settings[c->reference], c->study->errors);
    kane_figure f = kane_figure_begin();
    f.plot.title  = "Responses";
    for (int k = 0; run && k < c->criteria->count && f.plot.panel_count < PANELS_MOST; k++)
        add_panel(c, &f, k, kane_run_get_definition(run)->drive.start);
    const int good = kane_figure_end(&f, c->study, "responses") && run;
    kane_run_free(run);
    return good;
}

// --- criteria ---

// Cells in words and numbers: shapes from the top, criteria side by side, relative to the reference.
static int draw_criteria(const comparison *c)
{
    const int columns   = comparison_columns(c);
    kane_figure f       = kane_figure_begin();
    double *values      = kane_figure_values(&f, (size_t)(c->count * columns));
    const char **shapes = kane_figure_texts(&f, c->count), **titles = kane_figure_texts(&f, columns);
    char legend[512];
    kane_text all = kane_text_start(sizeof legend, legend);
    for (int k = 0; titles && k < columns; k++) {
        titles[k] = kane_figure_text(&f, "[%d]", k + 1);
        kane_text_add(&all, "%s[%d] %s", k > 0 ? ",   " : "", k + 1, comparison_title(c, k));
    }
    for (int i = 0; values && shapes && i < c->count; i++) {
        const int row = c->count - 1 - i;
        shapes[row]   = c->shapes[i].name;
        for (int k = 0; k < columns; k++)
            values[row * columns + k] = comparison_relative(c, i, k);
    }
    const kane_plot_map map = {.columns = columns,
                               .rows    = c->count,
                               .x_texts = titles,
                               .y_texts = shapes,
                               .values  = values,
                               .label   = kane_figure_text(&f, "relative to %s [1]", c->shapes[c->reference].name)};
    kane_figure_map(&f, kane_figure_add(&f, NULL, legend, "shape"), map);
    f.plot.title  = "Criteria";
    f.plot.height = MAP_HEIGHT + ROW_HEIGHT * c->count;
    return kane_figure_end(&f, c->study, "criteria");
}

int comparison_draw(const comparison *c)
{
    return c->reference < 0 || // all have failed
           (draw_lines(c) && draw_responses(c) && draw_criteria(c));
}
