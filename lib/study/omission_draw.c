// SPDX-License-Identifier: MIT
// Pictures of an omission study: terms against conditions, of the strongest ones a list of conditions against another, and
// runs with and without them.

#include "study/omission.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void kane_omission_file_name(const char *before, const char *pattern, size_t size, char *name)
{
    kane_text t = kane_text_start(size, name);
    kane_text_add(&t, "%s", before);
    for (const char *p = pattern; *p; p++) {
        if (*p == '*')
            kane_text_add(&t, "all");
        else
            kane_text_add(&t, "%c", strchr("/?[]:", *p) ? '_' : *p);
    }
}

// The strongest terms, of all terms only those that are no wholes; how many there are.
static int find_strongest(const kane_omission_report *report, int most, int *terms)
{
    int count = 0;
    for (int k = 0; k < report->table.terms - 1 && count < most; k++) {
        const int term = report->order[0][k];
        if (!report->setup.asked->all || !kane_omission_is_whole(report->table.names[term]))
            terms[count++] = term;
    }
    return count;
}

// --- maps ---

enum { ROWS_MOST = 40, COLUMNS_MOST = 24, LABEL_SIZE = 160, MAPS_MOST = 8 };

static const char label[] = "effect [% of range]";

// Conditions that one column or cell of a map stands for: those with a value on one axis, or on two.
typedef struct group {
    int axis[2], value[2]; // axis -1: any
    int condition;         // only this one; -1: any
} group;

static int is_in(const kane_grid *grid, const group *g, int condition)
{
    int value[KANE_OMISSION_AXES_MOST];
    kane_grid_values(grid, condition, value);
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

// --- terms against conditions ---

typedef struct sheet {
    int columns, rows;
    group *groups;
    const char **x_texts, **y_texts;
    int *terms;     // of the rows, from the bottom
    double *values; // [rows][columns]
    char x_label[LABEL_SIZE];
} sheet;

static const char *axis_text(const kane_omission_report *report, kane_arena *arena, int axis, int value)
{
    const kane_axis *a = report->setup.grid.axes[axis];
    char text[LABEL_SIZE];
    (void)snprintf(text, sizeof text, "%s %s", a->path, a->texts[value]);
    return kane_arena_text(arena, text);
}

// "10 m/s, bloss", and of all conditions "speed, shape".
static const char *values_text(const kane_omission_report *report, kane_arena *arena, int condition)
{
    const kane_grid *grid = &report->setup.grid;
    char text[LABEL_SIZE];
    kane_text t = kane_text_start(sizeof text, text);
    int value[KANE_OMISSION_AXES_MOST];
    kane_grid_values(grid, condition, value);
    for (int a = 0; a < grid->axis_count; a++)
        kane_text_add(&t, "%s%s", a > 0 ? ", " : "", grid->axes[a]->texts[value[a]]);
    return kane_arena_text(arena, grid->axis_count > 0 ? text : report->conditions[0]);
}

static void say_axes(const kane_grid *grid, size_t size, char *text)
{
    kane_text t = kane_text_start(size, text);
    for (int a = 0; a < grid->axis_count; a++) {
        char name[LABEL_SIZE];
        kane_axis_label(grid->axes[a], 1, sizeof name, name);
        kane_text_add(&t, "%s%s", a > 0 ? ", " : "", name);
    }
    if (grid->axis_count == 0)
        kane_text_add(&t, "condition");
}

// Columns are the conditions, if they are few, else the values of every axis.
static void fill_columns(const kane_omission_report *report, kane_arena *arena, sheet *s)
{
    const kane_grid *grid = &report->setup.grid;
    if (report->table.conditions <= COLUMNS_MOST) {
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
    const size_t columns = COLUMNS_MOST + KANE_OMISSION_AXES_MOST * KANE_OMISSION_VALUES_MOST;
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
    char title[LABEL_SIZE * 4], name[LABEL_SIZE * 2];
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
    return kane_study_draw(&report->setup.study, name, &plot, errors);
}

// --- one list of conditions against another ---

// The first two axes with several values; 0 if there are not two.
static int choose_axes(const kane_grid *grid, int axis[2])
{
    int found = 0;
    for (int a = 0; a < grid->axis_count && found < 2; a++)
        if (grid->axes[a]->count > 1)
            axis[found++] = a;
    return found == 2;
}

static kane_status draw_strongest(const kane_omission_report *report, kane_arena *arena, kane_errors *errors)
{
    const kane_grid *grid = &report->setup.grid;
    int axis[2], terms[MAPS_MOST];
    const int most  = report->setup.asked->strongest < MAPS_MOST ? report->setup.asked->strongest : MAPS_MOST;
    const int count = find_strongest(report, most, terms);
    if (!choose_axes(grid, axis) || count == 0)
        return KANE_OK;
    const kane_axis *x = grid->axes[axis[0]], *y = grid->axes[axis[1]];
    kane_plot_panel *panels = kane_arena_alloc(arena, MAPS_MOST, sizeof *panels);
    kane_plot_map *maps     = kane_arena_alloc(arena, MAPS_MOST, sizeof *maps);
    char title[LABEL_SIZE * 2], labels[2][LABEL_SIZE];
    for (int i = 0; i < 2 && panels && maps; i++)
        kane_axis_label(grid->axes[axis[i]], 1, LABEL_SIZE, labels[i]);
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
    return kane_study_draw(&report->setup.study, "strongest-map", &plot, errors);
}

static kane_status draw_maps(const kane_omission_report *report, kane_errors *errors)
{
    kane_arena *arena  = report->setup.asked->strongest > 0 ? kane_arena_create() : NULL;
    kane_status status = KANE_OK;
    if (report->setup.asked->strongest == 0)
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

// --- runs against distance (without a track: time), after Figures 5 and 6 of the source: complete (solid) and without a term
// (dashed), their difference, and the term itself. The few runs that are drawn are carried out once more ---

enum { CONDITIONS_MOST = 6, PANELS_MOST = 6, CURVES_MOST = 2 * CONDITIONS_MOST * PANELS_MOST, TEXT_SIZE = 256 };

// One term under some conditions.
typedef struct pair {
    int condition;
    kane_run *run;
    kane_results *complete, *omitting;
} pair;

typedef struct picture {
    const kane_omission_report *report;
    kane_arena *arena;
    int term, pair_count;
    pair pairs[CONDITIONS_MOST];
    kane_plot_curve curves[CURVES_MOST];
    kane_plot_panel panels[PANELS_MOST];
    int curve_count, panel_count;
} picture;

// --- runs ---

static kane_status carry_out(picture *p, int condition, kane_errors *errors)
{
    const kane_omission_setup *setup = &p->report->setup;
    kane_outcome outcome;
    pair *own = &p->pairs[p->pair_count++];
    *own      = (pair){.condition = condition, .run = kane_omission_read(setup, condition, errors)};
    if (own->run)
        own->complete = kane_omission_carry_out(setup, own->run, KANE_OMISSION_COMPLETE, &outcome, errors);
    if (own->complete) { // what becomes of the other one is known from the table
        kane_errors known = {0};
        own->omitting     = kane_omission_carry_out(setup, own->run, p->term, &outcome, &known);
    }
    if (own->omitting)
        return KANE_OK;
    return kane_errors_status(errors, 0);
}

static void free_runs(picture *p)
{
    for (int i = 0; i < p->pair_count; i++) {
        kane_results_free(p->pairs[i].complete);
        kane_results_free(p->pairs[i].omitting);
        kane_run_free(p->pairs[i].run);
    }
    p->pair_count = 0;
}

// --- curves ---

static kane_plot_panel *add_panel(picture *p, const char *name, const char *unit)
{
    char text[TEXT_SIZE];
    (void)snprintf(text, sizeof text, "%s [%s]", name, unit);
    kane_plot_panel *panel = &p->panels[p->panel_count++];
    *panel = (kane_plot_panel){.x_label = p->report->setup.travels ? "distance travelled [m]" : "time [s]",
                               .y_label = kane_arena_text(p->arena, text),
                               .curves  = &p->curves[p->curve_count]};
    return panel;
}

static void add_curve(picture *p, kane_plot_panel *panel, int i, const kane_results *run, const char *channel)
{
    const int is_omitting  = run == p->pairs[i].omitting;
    const int column       = kane_column_named(run, channel);
    const char *condition  = p->report->conditions[p->pairs[i].condition];
    kane_plot_curve *curve = &p->curves[p->curve_count];
    if (column < 0 || p->curve_count == CURVES_MOST)
        return;
    *curve = (kane_plot_curve){.label  = is_omitting ? NULL : condition,
                               .count  = kane_results_row_count(run),
                               .x      = kane_results_values(run, kane_omission_progress(run)),
                               .y      = kane_results_values(run, column),
                               .style  = is_omitting ? KANE_DASHED : KANE_SOLID,
                               .colour = i};
    p->curve_count++;
    panel->curve_count++;
}

// Omitting minus complete at the same times, as far as both go.
static void add_difference(picture *p, kane_plot_panel *panel, int i, const char *channel)
{
    const kane_results *a = p->pairs[i].complete, *b = p->pairs[i].omitting;
    const int rows =
        kane_results_row_count(a) < kane_results_row_count(b) ? kane_results_row_count(a) : kane_results_row_count(b);
    const int ca = kane_column_named(a, channel), cb = kane_column_named(b, channel);
    double *values = kane_arena_doubles(p->arena, (size_t)rows);
    if (!values || ca < 0 || cb < 0 || p->curve_count == CURVES_MOST)
        return;
    for (int k = 0; k < rows; k++)
        values[k] = kane_results_values(b, cb)[k] - kane_results_values(a, ca)[k];
    p->curves[p->curve_count++] = (kane_plot_curve){.count  = rows,
                                                    .x      = kane_results_values(a, kane_omission_progress(a)),
                                                    .y      = values,
                                                    .style  = KANE_DASHED,
                                                    .colour = i};
    panel->curve_count++;
}

static void add_response(picture *p, const char *channel, const char *unit)
{
    kane_plot_panel *panel = add_panel(p, channel, unit);
    for (int i = 0; i < p->pair_count; i++) {
        add_curve(p, panel, i, p->pairs[i].complete, channel);
        add_curve(p, panel, i, p->pairs[i].omitting, channel);
    }
    panel = add_panel(p, "without − with it", unit);
    for (int i = 0; i < p->pair_count; i++)
        add_difference(p, panel, i, channel);
}

// Whether impulses are nothing beside what the term itself gives over the run: less than a hundredth.
static int are_slight(const kane_results *run, const char *impulses)
{
    char term[TEXT_SIZE];
    (void)snprintf(term, sizeof term, "imaginary%s", strchr(impulses, '.'));
    const int sums = kane_column_named(run, impulses), values = kane_column_named(run, term);
    const double *t = kane_results_values(run, 0);
    double most = 0.0, given = 1e-9; // round-off is nothing, either
    for (int k = 1; sums >= 0 && values >= 0 && k < kane_results_row_count(run); k++) {
        most = fmax(most, fabs(kane_results_values(run, sums)[k] - kane_results_values(run, sums)[k - 1]));
        given += fabs(kane_results_values(run, values)[k]) * (t[k] - t[k - 1]);
    }
    return most < 0.01 * given;
}

// Channels that show the omitted term in the complete model, a panel each as far as there is room; returns what is left of it.
// Impulses only where they matter.
static int add_shown(picture *p, const char *what, int room)
{
    char name[TEXT_SIZE];
    const kane_results *first = p->pairs[0].complete;
    const char *term          = p->report->table.names[p->term];
    const int impulses        = strcmp(what, "impulse") == 0;
    for (int c = 0; c < kane_results_column_count(first) && room > 0; c++) {
        const kane_column *column = kane_results_column(first, c);
        if (!kane_omission_shows(what, term, column->name) || (impulses && are_slight(first, column->name)))
            continue;
        (void)snprintf(name, sizeof name, "%s%s", impulses ? "sum of impulses of " : "",
                       column->name + strlen(what) + 1);
        kane_plot_panel *panel = add_panel(p, name, column->unit);
        for (int i = 0; i < p->pair_count; i++)
            add_curve(p, panel, i, p->pairs[i].complete, column->name);
        room--;
    }
    return room;
}

static void add_terms(picture *p, int room)
{
    (void)add_shown(p, "impulse", add_shown(p, "imaginary", room));
}

static kane_status draw(picture *p, const char *title, const char *name, kane_errors *errors)
{
    const kane_plot plot = {.title = title, .panel_count = p->panel_count, .panels = p->panels};
    p->panel_count = p->curve_count = 0;
    if (kane_arena_failed(p->arena))
        return KANE_NO_MEMORY;
    return plot.panel_count > 0 ? kane_study_draw(&p->report->setup.study, name, &plot, errors) : KANE_OK;
}

// --- pictures ---

// Pictures of a term that was named: itself, and every response that has the channel on which it does most. Of the only term of
// a study omitted.svg and RESPONSE.svg, else with the term before that.
static kane_status draw_named(picture *p, kane_errors *errors)
{
    const kane_omission_report *report = p->report;
    const char *term                   = report->table.names[p->term];
    char title[2 * TEXT_SIZE], name[2 * TEXT_SIZE], before[TEXT_SIZE] = "";
    if (report->table.terms > 2) {
        kane_omission_file_name("", term, sizeof before - 1, before);
        (void)strcat(before, "-");
    }
    (void)snprintf(title, sizeof title, "%s: imaginary term %s of the complete model", report->setup.vehicle, term);
    (void)snprintf(name, sizeof name, "%somitted", before);
    add_terms(p, PANELS_MOST);
    kane_status status = draw(p, title, name, errors);
    for (int r = 0; r < report->table.responses && status == KANE_OK; r++) {
        int condition, where;
        (void)kane_omission_largest(&report->table, p->term, r, &condition, &where);
        if (condition < 0)
            continue;
        const char *channel = kane_omission_at(&report->table, condition, p->term, r)->channel;
        add_response(p, channel, report->setup.responses[r].unit);
        (void)snprintf(title, sizeof title, "%s: complete (solid) and without %s (dashed)", report->setup.vehicle,
                       term);
        kane_omission_file_name(before, report->setup.responses[r].pattern, sizeof name, name);
        status = draw(p, title, name, errors);
    }
    return status;
}

// strongest-N.svg: what the term does to the response that it changes most, where it does so, and the term.
static kane_status draw_one(picture *p, int place, kane_errors *errors)
{
    const kane_omission_report *report = p->report;
    char title[2 * TEXT_SIZE], name[TEXT_SIZE];
    int condition, where;
    (void)kane_omission_largest(&report->table, p->term, -1, &condition, &where);
    const char *channel = kane_omission_at(&report->table, condition, p->term, where)->channel;
    add_response(p, channel, report->setup.responses[where].unit);
    add_terms(p, 3);
    (void)snprintf(title, sizeof title, "%s: complete (solid) and without %s (dashed)", report->setup.vehicle,
                   report->table.names[p->term]);
    (void)snprintf(name, sizeof name, "strongest-%d", place);
    return draw(p, title, name, errors);
}

// Conditions that are drawn of a named term: all, if they are few, else that under which it does most.
static kane_status carry_out_named(picture *p, kane_errors *errors)
{
    const kane_omission_table *t = &p->report->table;
    kane_status status           = KANE_OK;
    int condition, where;
    (void)kane_omission_largest(t, p->term, -1, &condition, &where);
    for (int c = 0; c < t->conditions && status == KANE_OK; c++)
        if (kane_omission_case_at(t, c, p->term)->is_known && (t->conditions <= CONDITIONS_MOST || c == condition))
            status = carry_out(p, c, errors);
    return status;
}

static kane_status draw_term(picture *p, int place, kane_errors *errors)
{
    const kane_omission_table *t = &p->report->table;
    const int is_named           = !p->report->setup.asked->all;
    int condition, where;
    (void)kane_omission_largest(t, p->term, -1, &condition, &where);
    if (condition < 0)
        return KANE_OK;
    kane_status status = is_named ? carry_out_named(p, errors) : carry_out(p, condition, errors);
    if (status == KANE_OK)
        status = is_named ? draw_named(p, errors) : draw_one(p, place, errors);
    free_runs(p);
    return status;
}

static kane_status draw_runs(const kane_omission_report *report, kane_errors *errors)
{
    const int most     = report->setup.asked->strongest;
    int *terms         = kane_allocate((size_t)report->table.terms, sizeof *terms);
    const int count    = terms ? find_strongest(report, most, terms) : 0;
    kane_status status = terms ? KANE_OK : KANE_NO_MEMORY;
    for (int k = 0; k < count && status == KANE_OK; k++) {
        picture *p = kane_allocate(1, sizeof *p);
        if (p)
            *p = (picture){.report = report, .arena = kane_arena_create(), .term = terms[k]};
        status = p && p->arena ? draw_term(p, k + 1, errors) : KANE_NO_MEMORY;
        if (p)
            kane_arena_free(p->arena);
        kane_release(p);
    }
    kane_release(terms);
    return status == KANE_NO_MEMORY && errors->count == 0 ? kane_no_memory(errors) : status;
}

kane_status kane_omission_draw(const kane_omission_report *report, kane_errors *errors)
{
    const kane_status status = draw_maps(report, errors);
    return status == KANE_OK ? draw_runs(report, errors) : status;
}
