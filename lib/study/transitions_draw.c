// SPDX-License-Identifier: MIT
// Shapes of transitions beside each other, as pictures: what they are, what the vehicle does, what the criteria say.

#include "study/transitions.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>

enum { POINTS = 400, PANELS_MOST = 6, COLOURS = 6, TEXT = 192, MAP_HEIGHT = 160, ROW_HEIGHT = 30 };

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

// Curvature, its derivative and cant of the line with a shape, at places along the first of the sections.
static kane_status sample_line(const comparison *c, int index, const double *x, double *const y[3], kane_errors *errors)
{
    kane_run *run = kane_study_read(c->study, c->settings[index], errors);
    if (!run)
        return KANE_BAD_INPUT;
    const kane_track *track         = kane_run_get_definition(run)->track;
    const kane_track_section *first = &c->sections.section[0];
    for (int i = 0; i < POINTS; i++) {
        kane_track_state state;
        const double s = fmin(fmax(first->start + x[i], 0.0), kane_track_length(track));
        kane_track_describe(track, kane_track_find(track, s), s, &state);
        y[0][i] = 1e3 * state.curvature;
        y[1][i] = 1e6 * state.psi_s[1];
        y[2][i] = 1e3 * state.superelevation;
    }
    kane_run_free(run);
    return KANE_OK;
}

static kane_status draw_lines(const comparison *c, kane_errors *errors)
{
    static const char *const labels[3] = {"curvature [1/km]", "its change [1/km²]", "superelevation [mm]"};
    const double length                = c->sections.section[0].length;
    double *x                          = kane_arena_doubles(c->study->arena, POINTS);
    kane_plot_curve *curves            = kane_arena_alloc(c->study->arena, 3 * (size_t)c->count, sizeof *curves);
    kane_plot_panel panels[3];
    char title[TEXT];
    int drawn = 0;
    if (!x || !curves)
        return kane_no_memory(errors);
    for (int i = 0; i < POINTS; i++)
        x[i] = length * (-MARGIN + (1.0 + 2.0 * MARGIN) * i / (POINTS - 1));
    for (int i = 0; i < c->count; i++) {
        double *y[3];
        if (!c->rows[i])
            continue;
        for (int k = 0; k < 3; k++)
            y[k] = kane_arena_doubles(c->study->arena, POINTS);
        if (!y[0] || !y[1] || !y[2])
            return kane_no_memory(errors);
        const kane_status status = sample_line(c, i, x, y, errors);
        if (status != KANE_OK)
            return status;
        for (int k = 0; k < 3; k++)
            curves[k * c->count + drawn] = curve_of(c, i, POINTS, x, y[k]);
        drawn++;
    }
    for (int k = 0; k < 3; k++)
        panels[k] = (kane_plot_panel){.x_label     = "distance from the beginning of the transition [m]",
                                      .y_label     = labels[k],
                                      .curve_count = drawn,
                                      .curves      = &curves[k * c->count]};
    (void)snprintf(title, sizeof title, "Transition of %g m, section %d of the track", length, c->sections.index[0]);
    return kane_study_draw(c->study, "curvature", &(kane_plot){.title = title, .panel_count = 3, .panels = panels},
                           errors);
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

// One panel for the first channel that a criterion looks at; 0 if another criterion has it already.
static int add_panel(const comparison *c, int criterion, double start, kane_plot_curve *curves, kane_plot_panel *panel,
                     char label[TEXT])
{
    const kane_results *reference = c->rows[c->reference];
    const int column              = kane_column_of(reference, c->criteria->patterns[criterion]);
    for (int i = 0; i < criterion; i++)
        if (kane_column_of(reference, c->criteria->patterns[i]) == column)
            return 0;
    const kane_column *channel = kane_results_column(reference, column);
    (void)snprintf(label, TEXT, "%s [%s]", channel->name, channel->unit);
    *panel = (kane_plot_panel){.x_label = "distance travelled [m]", .y_label = label, .curves = curves};
    for (int i = 0; i < c->count; i++) {
        int first, count;
        if (!c->rows[i])
            continue;
        find_window(c, c->rows[i], start, &first, &count);
        const double *x              = kane_results_values(c->rows[i], kane_column_of(c->rows[i], "distance"));
        const double *y              = kane_results_values(c->rows[i], column);
        curves[panel->curve_count++] = curve_of(c, i, count, x + first, y + first);
    }
    return 1;
}

// Where the guide begins, from the beginning of the line [m]; NaN with errors.
static double start_of_runs(const comparison *c, kane_errors *errors)
{
    kane_run *run      = kane_study_read(c->study, c->settings[c->reference], errors);
    const double start = run ? kane_run_get_definition(run)->drive.start : (double)NAN;
    kane_run_free(run);
    return start;
}

static kane_status draw_responses(const comparison *c, kane_errors *errors)
{
    const double start      = start_of_runs(c, errors);
    kane_plot_curve *curves = kane_arena_alloc(c->study->arena, PANELS_MOST * (size_t)c->count, sizeof *curves);
    char labels[PANELS_MOST][TEXT];
    kane_plot_panel panels[PANELS_MOST];
    int count = 0;
    if (!curves)
        return kane_no_memory(errors);
    if (isnan(start))
        return KANE_BAD_INPUT;
    for (int k = 0; k < c->criteria->count && count < PANELS_MOST; k++)
        count += add_panel(c, k, start, &curves[count * c->count], &panels[count], labels[count]);
    return kane_study_draw(c->study, "responses",
                           &(kane_plot){.title = "Responses", .panel_count = count, .panels = panels}, errors);
}

// --- criteria ---

// Cells in words and numbers: shapes from the top, criteria side by side, relative to the reference.
static kane_status draw_criteria(const comparison *c, kane_errors *errors)
{
    const int columns   = comparison_columns(c);
    double *values      = kane_arena_doubles(c->study->arena, (size_t)(c->count * columns));
    const char **shapes = kane_arena_alloc(c->study->arena, (size_t)c->count, sizeof *shapes);
    const char **titles = kane_arena_alloc(c->study->arena, (size_t)columns, sizeof *titles);
    char label[TEXT], legend[512], numbers[KANE_CRITERIA_MOST + 1][8];
    kane_text all = kane_text_start(sizeof legend, legend);
    if (!values || !shapes || !titles)
        return kane_no_memory(errors);
    for (int k = 0; k < columns; k++) {
        (void)snprintf(numbers[k], sizeof numbers[k], "[%d]", k + 1);
        titles[k] = numbers[k];
        kane_text_add(&all, "%s%s %s", k > 0 ? ",   " : "", numbers[k], comparison_title(c, k));
    }
    for (int i = 0; i < c->count; i++) {
        const int row = c->count - 1 - i;
        shapes[row]   = c->shapes[i].name;
        for (int k = 0; k < columns; k++)
            values[row * columns + k] = comparison_relative(c, i, k);
    }
    (void)snprintf(label, sizeof label, "relative to %s [1]", c->shapes[c->reference].name);
    const kane_plot_map map     = {.columns = columns,
                                   .rows    = c->count,
                                   .x_texts = titles,
                                   .y_texts = shapes,
                                   .values  = values,
                                   .label   = label,
                                   .scale   = KANE_MAP_PLAIN};
    const kane_plot_panel panel = {.x_label = legend, .y_label = "shape", .map = &map};
    const kane_plot plot        = {
               .title = "Criteria", .height = MAP_HEIGHT + ROW_HEIGHT * c->count, .panel_count = 1, .panels = &panel};
    return kane_study_draw(c->study, "criteria", &plot, errors);
}

kane_status comparison_draw(const comparison *c, kane_errors *errors)
{
    if (c->reference < 0) // all have failed
        return KANE_OK;
    kane_status status = draw_lines(c, errors);
    if (status == KANE_OK)
        status = draw_responses(c, errors);
    return status == KANE_OK ? draw_criteria(c, errors) : status;
}
