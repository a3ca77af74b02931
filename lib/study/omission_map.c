// SPDX-License-Identifier: MIT
// Maps of an omission study: terms against conditions, and of the strongest terms one list of conditions against another.

#include "study/omission_report.h"

#include "base/arena.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

enum { ROWS_MOST = 40, CONDITIONS_MOST = 24, TEXT_SIZE = 160, PANELS_MOST = 8 };

static const char label[] = "effect [% of range]";

// Conditions that one column or cell of a map stands for: those with a value on one axis, or on two.
typedef struct group {
    int axis[2], value[2]; // axis -1: any
    int condition;         // only this one; -1: any
} group;

static int is_in(const kane_omission_grid *grid, const group *g, int condition)
{
    int value[KANE_OMISSION_AXES_MOST];
    kane_omission_grid_values(grid, condition, value);
    for (int i = 0; i < 2; i++)
        if (g->axis[i] >= 0 && value[g->axis[i]] != g->value[i])
            return 0;
    return g->condition < 0 || g->condition == condition;
}

// Largest effect of a term on a response (-1: any) under the conditions of a group [%]; NaN if there is none.
static double effect_in(const kane_omission_report *report, const group *g, int term, int response)
{
    const kane_omission_table *t = &report->table;
    double most                  = NAN;
    for (int c = 0; c < t->conditions; c++) {
        if (!is_in(&report->setup.grid, g, c) || !kane_omission_case_at(t, c, term)->is_known)
            continue;
        if (kane_omission_case_at(t, c, term)->ends_otherwise)
            return NAN;
        for (int r = response < 0 ? 0 : response; r < (response < 0 ? t->responses : response + 1); r++)
            most = fmax(most, 100.0 * kane_omission_at(t, c, term, r)->relative);
    }
    return most;
}

static kane_status draw(const kane_omission_report *report, const kane_plot *plot, const char *name,
                        kane_errors *errors)
{
    static const char *const ends[] = {"svg", "png"};
    kane_status status              = KANE_OK;
    for (int i = 0; i < 2 && status == KANE_OK; i++) {
        char file[4096];
        (void)snprintf(file, sizeof file, "%s/%s.%s", report->setup.study->execution.directory, name, ends[i]);
        status = kane_plot_draw(plot, file, errors);
    }
    return status;
}

// --- terms against conditions ---

typedef struct sheet {
    int columns, rows;
    group *groups;
    const char **x_texts, **y_texts;
    int *terms;     // of the rows, from the bottom
    double *values; // [rows][columns]
    char x_label[TEXT_SIZE];
} sheet;

static const char *axis_text(const kane_omission_report *report, kane_arena *arena, int axis, int value)
{
    const kane_axis *a = report->setup.grid.axes[axis];
    char text[TEXT_SIZE];
    (void)snprintf(text, sizeof text, "%s %s", a->path, a->texts[value]);
    return kane_arena_text(arena, text);
}

// "10 m/s, bloss", and of all conditions "speed, shape".
static const char *values_text(const kane_omission_report *report, kane_arena *arena, int condition)
{
    const kane_omission_grid *grid = &report->setup.grid;
    char text[TEXT_SIZE];
    kane_text t = kane_text_start(sizeof text, text);
    int value[KANE_OMISSION_AXES_MOST];
    kane_omission_grid_values(grid, condition, value);
    for (int a = 0; a < grid->axis_count; a++)
        kane_text_add(&t, "%s%s", a > 0 ? ", " : "", grid->axes[a]->texts[value[a]]);
    return kane_arena_text(arena, grid->axis_count > 0 ? text : report->conditions[0]);
}

static void say_axes(const kane_omission_grid *grid, size_t size, char *text)
{
    kane_text t = kane_text_start(size, text);
    for (int a = 0; a < grid->axis_count; a++)
        kane_text_add(&t, grid->axes[a]->unit[0] ? "%s%s [%s]" : "%s%s", a > 0 ? ", " : "", grid->axes[a]->path,
                      grid->axes[a]->unit);
    if (grid->axis_count == 0)
        kane_text_add(&t, "condition");
}

// Columns are the conditions, if they are few, else the values of every axis.
static void fill_columns(const kane_omission_report *report, kane_arena *arena, sheet *s)
{
    const kane_omission_grid *grid = &report->setup.grid;
    if (report->table.conditions <= CONDITIONS_MOST) {
        say_axes(grid, sizeof s->x_label, s->x_label);
        for (int c = 0; c < report->table.conditions; c++) {
            s->groups[s->columns]    = (group){.axis = {-1, -1}, .condition = c};
            s->x_texts[s->columns++] = values_text(report, arena, c);
        }
        return;
    }
    (void)snprintf(s->x_label, sizeof s->x_label, "conditions with this value");
    for (int a = 0; a < grid->axis_count; a++)
        for (int i = 0; i < grid->axes[a]->count; i++) {
            s->groups[s->columns]    = (group){.axis = {a, -1}, .value = {i, 0}, .condition = -1};
            s->x_texts[s->columns++] = axis_text(report, arena, a, i);
        }
}

static sheet take_sheet(const kane_omission_report *report, kane_arena *arena)
{
    const size_t columns = CONDITIONS_MOST + KANE_OMISSION_AXES_MOST * KANE_OMISSION_VALUES_MOST;
    sheet s              = {.groups  = kane_arena_alloc(arena, columns, sizeof *s.groups),
                            .x_texts = kane_arena_alloc(arena, columns, sizeof *s.x_texts),
                            .y_texts = kane_arena_alloc(arena, ROWS_MOST, sizeof *s.y_texts),
                            .terms   = kane_arena_alloc(arena, ROWS_MOST, sizeof *s.terms),
                            .values  = kane_arena_doubles(arena, columns * ROWS_MOST)};
    s.rows               = report->table.terms - 1 < ROWS_MOST ? report->table.terms - 1 : ROWS_MOST;
    if (!kane_arena_failed(arena))
        fill_columns(report, arena, &s);
    return s;
}

// One map: the strongest terms on a response (-1: any), the strongest at the top.
static kane_status draw_terms(const kane_omission_report *report, sheet *s, int response, kane_errors *errors)
{
    char title[TEXT_SIZE * 4], name[TEXT_SIZE * 2];
    const char *pattern = response < 0 ? "any response" : report->setup.responses[response].pattern;
    for (int i = 0; i < s->rows; i++) {
        const int term              = report->order[response + 1][i];
        s->y_texts[s->rows - 1 - i] = report->table.names[term];
        s->terms[s->rows - 1 - i]   = term;
    }
    for (int i = 0; i < s->rows; i++)
        for (int k = 0; k < s->columns; k++)
            s->values[i * s->columns + k] = effect_in(report, &s->groups[k], s->terms[i], response);
    const kane_plot_map map     = {.columns = s->columns,
                                   .rows    = s->rows,
                                   .x_texts = s->x_texts,
                                   .y_texts = s->y_texts,
                                   .values  = s->values,
                                   .label   = label,
                                   .scale   = KANE_MAP_DECADES};
    const kane_plot_panel panel = {.x_label = s->x_label, .y_label = "term left out", .map = &map};
    const kane_plot plot        = {
               .title = title, .width = 1100, .height = 330 + 22 * s->rows, .panel_count = 1, .panels = &panel};
    (void)snprintf(title, sizeof title, "%s: what leaving out imaginary terms does to %s", report->setup.vehicle,
                   pattern);
    kane_omission_file_name(response < 0 ? "effects" : "effects-", response < 0 ? "" : pattern, sizeof name, name);
    return draw(report, &plot, name, errors);
}

// --- one list of conditions against another ---

// The first two axes with several values; 0 if there are not two.
static int choose_axes(const kane_omission_grid *grid, int axis[2])
{
    int found = 0;
    for (int a = 0; a < grid->axis_count && found < 2; a++)
        if (grid->axes[a]->count > 1)
            axis[found++] = a;
    return found == 2;
}

static kane_status draw_strongest(const kane_omission_report *report, kane_arena *arena, kane_errors *errors)
{
    const kane_omission_grid *grid = &report->setup.grid;
    int axis[2], terms[PANELS_MOST];
    const int most  = report->setup.study->strongest < PANELS_MOST ? report->setup.study->strongest : PANELS_MOST;
    const int count = kane_omission_strongest(report, most, terms);
    if (!choose_axes(grid, axis) || count == 0)
        return KANE_OK;
    const kane_axis *x = grid->axes[axis[0]], *y = grid->axes[axis[1]];
    kane_plot_panel *panels = kane_arena_alloc(arena, PANELS_MOST, sizeof *panels);
    kane_plot_map *maps     = kane_arena_alloc(arena, PANELS_MOST, sizeof *maps);
    char title[TEXT_SIZE * 2], labels[2][TEXT_SIZE];
    for (int i = 0; i < 2 && panels && maps; i++)
        (void)snprintf(labels[i], TEXT_SIZE, grid->axes[axis[i]]->unit[0] ? "%s [%s]" : "%s", grid->axes[axis[i]]->path,
                       grid->axes[axis[i]]->unit);
    for (int p = 0; p < count && panels && maps; p++) {
        double *values = kane_arena_doubles(arena, (size_t)x->count * (size_t)y->count);
        for (int i = 0; i < y->count && values; i++)
            for (int k = 0; k < x->count; k++) {
                const group g            = {.axis = {axis[0], axis[1]}, .value = {k, i}, .condition = -1};
                values[i * x->count + k] = effect_in(report, &g, terms[p], -1);
            }
        maps[p]   = (kane_plot_map){.columns = x->count,
                                    .rows    = y->count,
                                    .x_texts = x->texts,
                                    .y_texts = y->texts,
                                    .values  = values,
                                    .label   = label};
        panels[p] = (kane_plot_panel){
            .title = report->table.names[terms[p]], .x_label = labels[0], .y_label = labels[1], .map = &maps[p]};
    }
    if (kane_arena_failed(arena))
        return KANE_NO_MEMORY;
    (void)snprintf(title, sizeof title, "%s: largest effect of the strongest terms, on any response",
                   report->setup.vehicle);
    const kane_plot plot = {.title       = title,
                            .width       = 900,
                            .height      = 60 + count * (180 + 40 * y->count),
                            .panel_count = count,
                            .panels      = panels};
    return draw(report, &plot, "strongest-map", errors);
}

kane_status kane_omission_draw_maps(const kane_omission_report *report, kane_errors *errors)
{
    kane_arena *arena  = report->setup.study->strongest > 0 ? kane_arena_create() : NULL;
    kane_status status = KANE_OK;
    if (report->setup.study->strongest == 0)
        return KANE_OK;
    sheet s = arena ? take_sheet(report, arena) : (sheet){0};
    if (!arena || kane_arena_failed(arena)) {
        kane_errors_add(errors, KANE_NO_MEMORY, "%s", kane_status_text(KANE_NO_MEMORY));
        status = KANE_NO_MEMORY;
    }
    for (int r = -1; status == KANE_OK && r < report->table.responses; r++)
        status = draw_terms(report, &s, r, errors);
    if (status == KANE_OK)
        status = draw_strongest(report, arena, errors);
    kane_arena_free(arena);
    return status;
}
