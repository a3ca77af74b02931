// SPDX-License-Identifier: MIT
// Pictures of an omission study: terms against conditions, of the strongest ones a list of conditions against another, and
// runs with and without them.

#include "study/figure.h"
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

// Is a term one of those that are drawn? Of all terms those that are no wholes.
static int is_drawn(const kane_omission_report *report, int term)
{
    return !report->setup.asked->all || !kane_omission_is_whole(report->table.names[term]);
}

// --- maps ---

enum { ROWS_MOST = 40, COLUMNS_MOST = 24, LABEL_SIZE = 160, MAPS_MOST = 8 };
enum { COLUMNS_ROOM = COLUMNS_MOST + KANE_OMISSION_AXES_MOST * KANE_OMISSION_VALUES_MOST };

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

// "10 m/s, bloss", and of all conditions "speed, shape".
static const char *values_text(const kane_omission_report *report, kane_figure *f, int condition)
{
    const kane_grid *grid = &report->setup.grid;
    char text[LABEL_SIZE];
    kane_text t = kane_text_start(sizeof text, text);
    int value[KANE_OMISSION_AXES_MOST];
    kane_grid_values(grid, condition, value);
    for (int a = 0; a < grid->axis_count; a++)
        kane_text_add(&t, "%s%s", a > 0 ? ", " : "", grid->axes[a]->texts[value[a]]);
    return grid->axis_count > 0 ? kane_figure_text(f, "%s", text) : report->conditions[0];
}

static const char *axes_text(const kane_grid *grid, kane_figure *f)
{
    char text[LABEL_SIZE];
    kane_text t = kane_text_start(sizeof text, text);
    for (int a = 0; a < grid->axis_count; a++) {
        char name[LABEL_SIZE];
        kane_axis_label(grid->axes[a], 1, sizeof name, name);
        kane_text_add(&t, "%s%s", a > 0 ? ", " : "", name);
    }
    return grid->axis_count > 0 ? kane_figure_text(f, "%s", text) : "condition";
}

// Columns are the conditions, if they are few, else the values of every axis. Returns how many; their texts, and *x_label.
static int fill_columns(const kane_omission_report *report, kane_figure *f, group *groups, const char **texts,
                        const char **x_label)
{
    const kane_grid *grid = &report->setup.grid;
    int count             = 0;
    if (report->table.conditions <= COLUMNS_MOST) {
        *x_label = axes_text(grid, f);
        for (int c = 0; c < report->table.conditions; c++) {
            groups[count]  = (group){.axis = {-1, -1}, .condition = c};
            texts[count++] = values_text(report, f, c);
        }
        return count;
    }
    *x_label = "conditions with this value";
    for (int a = 0; a < grid->axis_count; a++)
        for (int i = 0; i < grid->axes[a]->count; i++) {
            groups[count]  = (group){.axis = {a, -1}, .value = {i, 0}, .condition = -1};
            texts[count++] = kane_figure_text(f, "%s %s", grid->axes[a]->path, grid->axes[a]->texts[i]);
        }
    return count;
}

// One map: the strongest terms on a response (-1: any), the strongest at the top.
static kane_status draw_terms(const kane_omission_report *report, int response, kane_errors *errors)
{
    group groups[COLUMNS_ROOM];
    char name[LABEL_SIZE * 2];
    kane_figure f        = kane_figure_begin();
    const int *order     = report->order[response + 1];
    const int rows       = report->table.terms - 1 < ROWS_MOST ? report->table.terms - 1 : ROWS_MOST;
    const char **x_texts = kane_figure_texts(&f, COLUMNS_ROOM), **y_texts = kane_figure_texts(&f, ROWS_MOST);
    const char *x_label = "", *pattern = response < 0 ? "" : report->setup.responses[response].pattern;
    const int columns = x_texts ? fill_columns(report, &f, groups, x_texts, &x_label) : 0;
    double *values    = kane_figure_values(&f, (size_t)rows * (size_t)columns);
    for (int i = 0; y_texts && values && i < rows; i++) {
        y_texts[rows - 1 - i] = report->table.names[order[i]];
        for (int k = 0; k < columns; k++)
            values[(rows - 1 - i) * columns + k] = effect_in(report, &groups[k], order[i], response);
    }
    kane_figure_map(&f, kane_figure_add(&f, NULL, x_label, "term left out"),
                    (kane_plot_map){.columns = columns,
                                    .rows    = rows,
                                    .x_texts = x_texts,
                                    .y_texts = y_texts,
                                    .values  = values,
                                    .label   = label,
                                    .scale   = KANE_MAP_DECADES});
    f.plot.title  = kane_figure_text(&f, "%s: what leaving out imaginary terms does to %s", report->setup.vehicle,
                                    response < 0 ? "any response" : pattern);
    f.plot.width  = 1100;
    f.plot.height = 330 + 22 * rows;
    kane_omission_file_name(response < 0 ? "effects" : "effects-", pattern, sizeof name, name);
    return kane_figure_end(&f, &report->setup.study, name, errors);
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

// The map of a term over two axes.
static void add_map(const kane_omission_report *report, kane_figure *f, int term, const int axis[2])
{
    const kane_axis *x = report->setup.grid.axes[axis[0]], *y = report->setup.grid.axes[axis[1]];
    double *values = kane_figure_values(f, (size_t)x->count * (size_t)y->count);
    for (int i = 0; i < y->count && values; i++)
        for (int k = 0; k < x->count; k++) {
            const group g            = {.axis = {axis[0], axis[1]}, .value = {k, i}, .condition = -1};
            values[i * x->count + k] = effect_in(report, &g, term, -1);
        }
    kane_figure_map(f,
                    kane_figure_add(f, report->table.names[term], kane_figure_axis(f, x, 1), kane_figure_axis(f, y, 1)),
                    (kane_plot_map){x->count, y->count, x->texts, y->texts, values, label, KANE_MAP_PLAIN, 0.0, 0.0});
}

static kane_status draw_strongest(const kane_omission_report *report, kane_errors *errors)
{
    const kane_grid *grid = &report->setup.grid;
    const int most        = report->setup.asked->strongest < MAPS_MOST ? report->setup.asked->strongest : MAPS_MOST;
    int axis[2], count = 0;
    if (!choose_axes(grid, axis))
        return KANE_OK;
    kane_figure f = kane_figure_begin();
    for (int k = 0; k < report->table.terms - 1 && count < most; k++)
        if (is_drawn(report, report->order[0][k])) {
            add_map(report, &f, report->order[0][k], axis);
            count++;
        }
    f.plot.title =
        kane_figure_text(&f, "%s: largest effect of the strongest terms, on any response", report->setup.vehicle);
    f.plot.width  = 900;
    f.plot.height = 60 + count * (180 + 40 * grid->axes[axis[1]]->count);
    return kane_figure_end(&f, &report->setup.study, "strongest-map", errors);
}

// --- runs against distance (without a track: time), after Figures 5 and 6 of the source: complete (solid) and without a term
// (dashed), their difference, and the term itself. The few runs that are drawn are carried out once more ---

enum { CONDITIONS_MOST = 6, PANELS_MOST = 6, TEXT_SIZE = 256 };

// One term under some conditions.
typedef struct pair {
    int condition;
    kane_run *run;
    kane_results *complete, *omitting;
} pair;

typedef struct picture {
    const kane_omission_report *report;
    const char *term; // its name
    int number, pair_count;
    pair pairs[CONDITIONS_MOST];
    kane_figure f;
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
        own->omitting     = kane_omission_carry_out(setup, own->run, p->number, &outcome, &known);
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
}

// --- curves ---

static int add_panel(picture *p, const char *name, const char *unit)
{
    return kane_figure_add(&p->f, NULL, p->report->setup.travels ? "distance travelled [m]" : "time [s]",
                           kane_figure_text(&p->f, "%s [%s]", name, unit));
}

static void add_curve(picture *p, int panel, int i, const kane_results *run, const char *channel)
{
    const int is_omitting = run == p->pairs[i].omitting;
    const int column      = kane_column_named(run, channel);
    if (column >= 0)
        kane_figure_curve(&p->f, panel,
                          (kane_plot_curve){.label  = is_omitting ? NULL : p->report->conditions[p->pairs[i].condition],
                                            .count  = kane_results_row_count(run),
                                            .x      = kane_results_values(run, kane_omission_progress(run)),
                                            .y      = kane_results_values(run, column),
                                            .style  = is_omitting ? KANE_DASHED : KANE_SOLID,
                                            .colour = i});
}

// Omitting minus complete at the same times, as far as both go.
static void add_difference(picture *p, int panel, int i, const char *channel)
{
    const kane_results *a = p->pairs[i].complete, *b = p->pairs[i].omitting;
    const int rows =
        kane_results_row_count(a) < kane_results_row_count(b) ? kane_results_row_count(a) : kane_results_row_count(b);
    const int ca = kane_column_named(a, channel), cb = kane_column_named(b, channel);
    double *values = kane_figure_values(&p->f, (size_t)rows);
    if (!values || ca < 0 || cb < 0)
        return;
    for (int k = 0; k < rows; k++)
        values[k] = kane_results_values(b, cb)[k] - kane_results_values(a, ca)[k];
    kane_figure_curve(&p->f, panel,
                      (kane_plot_curve){.count  = rows,
                                        .x      = kane_results_values(a, kane_omission_progress(a)),
                                        .y      = values,
                                        .style  = KANE_DASHED,
                                        .colour = i});
}

// The channel of a response on which the term does most under a condition: both runs, and their difference.
static void add_response(picture *p, int condition, int response)
{
    const char *channel = kane_omission_at(&p->report->table, condition, p->number, response)->channel;
    const char *unit    = p->report->setup.responses[response].unit;
    int panel           = add_panel(p, channel, unit);
    for (int i = 0; i < p->pair_count; i++) {
        add_curve(p, panel, i, p->pairs[i].complete, channel);
        add_curve(p, panel, i, p->pairs[i].omitting, channel);
    }
    panel = add_panel(p, "without − with it", unit);
    for (int i = 0; i < p->pair_count; i++)
        add_difference(p, panel, i, channel);
    p->f.plot.title =
        kane_figure_text(&p->f, "%s: complete (solid) and without %s (dashed)", p->report->setup.vehicle, p->term);
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
    const int impulses        = strcmp(what, "impulse") == 0;
    for (int c = 0; c < kane_results_column_count(first) && room > 0; c++) {
        const kane_column *column = kane_results_column(first, c);
        if (!kane_omission_shows(what, p->term, column->name) || (impulses && are_slight(first, column->name)))
            continue;
        (void)snprintf(name, sizeof name, "%s%s", impulses ? "sum of impulses of " : "",
                       column->name + strlen(what) + 1);
        const int panel = add_panel(p, name, column->unit);
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

// --- pictures ---

// Pictures of a term that was named: itself, and every response that has the channel on which it does most. Of the only term of
// a study omitted.svg and RESPONSE.svg, else with the term before that.
static kane_status draw_named(picture *p, kane_errors *errors)
{
    const kane_omission_report *report = p->report;
    char name[2 * TEXT_SIZE], before[TEXT_SIZE] = "";
    if (report->table.terms > 2) {
        kane_omission_file_name("", p->term, sizeof before - 1, before);
        (void)strcat(before, "-");
    }
    p->f = kane_figure_begin();
    add_terms(p, PANELS_MOST);
    p->f.plot.title =
        kane_figure_text(&p->f, "%s: imaginary term %s of the complete model", report->setup.vehicle, p->term);
    (void)snprintf(name, sizeof name, "%somitted", before);
    kane_status status = kane_figure_end(&p->f, &report->setup.study, name, errors);
    for (int r = 0; r < report->table.responses && status == KANE_OK; r++) {
        int condition, where;
        (void)kane_omission_largest(&report->table, p->number, r, &condition, &where);
        if (condition < 0)
            continue;
        p->f = kane_figure_begin();
        add_response(p, condition, r);
        kane_omission_file_name(before, report->setup.responses[r].pattern, sizeof name, name);
        status = kane_figure_end(&p->f, &report->setup.study, name, errors);
    }
    return status;
}

// strongest-N.svg: what the term does to the response that it changes most, where it does so, and the term.
static kane_status draw_one(picture *p, int condition, int response, int place, kane_errors *errors)
{
    char name[TEXT_SIZE];
    p->f = kane_figure_begin();
    add_response(p, condition, response);
    add_terms(p, 3);
    (void)snprintf(name, sizeof name, "strongest-%d", place);
    return kane_figure_end(&p->f, &p->report->setup.study, name, errors);
}

// Of a named term under all conditions, if they are few, else under that where it does most.
static kane_status draw_term(const kane_omission_report *report, int term, int place, kane_errors *errors)
{
    const kane_omission_table *t = &report->table;
    const int is_named           = !report->setup.asked->all;
    picture p                    = {.report = report, .number = term, .term = t->names[term]};
    kane_status status           = KANE_OK;
    int condition, where;
    (void)kane_omission_largest(t, term, -1, &condition, &where);
    if (condition < 0)
        return KANE_OK;
    for (int c = 0; c < t->conditions && status == KANE_OK; c++)
        if (c == condition ||
            (is_named && t->conditions <= CONDITIONS_MOST && kane_omission_case_at(t, c, term)->is_known))
            status = carry_out(&p, c, errors);
    if (status == KANE_OK)
        status = is_named ? draw_named(&p, errors) : draw_one(&p, condition, where, place, errors);
    free_runs(&p);
    return status;
}

kane_status kane_omission_draw(const kane_omission_report *report, kane_errors *errors)
{
    const int most     = report->setup.asked->strongest;
    kane_status status = KANE_OK;
    for (int r = -1; most > 0 && status == KANE_OK && r < report->table.responses; r++)
        status = draw_terms(report, r, errors);
    if (most > 0 && status == KANE_OK)
        status = draw_strongest(report, errors);
    for (int k = 0, place = 0; k < report->table.terms - 1 && place < most && status == KANE_OK; k++)
        if (is_drawn(report, report->order[0][k]))
            status = draw_term(report, report->order[0][k], ++place, errors);
    return status;
}
