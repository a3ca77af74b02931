// SPDX-License-Identifier: MIT
// Pictures of an omission study: terms against conditions, of the strongest ones a list of conditions against another,
// and runs with and without them.

#include "study/omission.h"
#include "study/study.h"

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
static int is_drawn(const kane_omission_setup *o, int term)
{
    return !o->asked->all || !kane_omission_is_whole(o->is.term[term]);
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
static double effect_in(const kane_omission_setup *o, const group *g, int term, int response)
{
    double most = NAN;
    for (int c = 0; c < o->is.conditions; c++) {
        const kane_omission_case *run = kane_omission_report_case(&o->is, c, term);
        if (!is_in(&o->grid, g, c) || !run->is_known)
            continue;
        if (run->ends_otherwise)
            return NAN;
        for (int r = response < 0 ? 0 : response; r < (response < 0 ? o->is.responses : response + 1); r++)
            most = fmax(most, 100.0 * kane_omission_report_effect(&o->is, c, term, r)->relative);
    }
    return most;
}

// Columns of terms against conditions: the conditions ("10 m/s, bloss" below "speed, shape"), if they are few, else the
// values of every axis. Returns how many; their texts, and *x_label.
static int fill_columns(const kane_omission_setup *o, kane_figure *f, group *groups, const char **texts,
                        const char **x_label)
{
    char text[LABEL_SIZE], name[LABEL_SIZE];
    int count = 0, value[KANE_OMISSION_AXES_MOST];
    for (int a = 0; o->is.conditions > COLUMNS_MOST && a < o->grid.axis_count; a++)
        for (int i = 0; i < o->grid.axes[a]->count; i++) {
            groups[count]  = (group){.axis = {a, -1}, .value = {i, 0}, .condition = -1};
            texts[count++] = kane_figure_text(f, "%s %s", o->grid.axes[a]->path, o->grid.axes[a]->texts[i]);
        }
    *x_label = "conditions with this value";
    for (int c = -1; o->is.conditions <= COLUMNS_MOST && c < o->is.conditions; c++) {
        kane_text t = kane_text_start(sizeof text, text);
        kane_grid_values(&o->grid, c < 0 ? 0 : c, value);
        for (int a = 0; a < o->grid.axis_count; a++) {
            kane_axis_label(o->grid.axes[a], 1, sizeof name, name);
            kane_text_add(&t, "%s%s", a > 0 ? ", " : "", c < 0 ? name : o->grid.axes[a]->texts[value[a]]);
        }
        if (o->grid.axis_count == 0)
            kane_text_add(&t, "%s", c < 0 ? "condition" : o->is.condition[0]);
        if (c >= 0)
            groups[count++] = (group){.axis = {-1, -1}, .condition = c};
        *(c < 0 ? x_label : &texts[c]) = kane_figure_text(f, "%s", text);
    }
    return count;
}

// Terms against conditions: the strongest terms on a response (-1: any), the strongest at the top.
static int draw_terms(const kane_omission_setup *o, int response)
{
    char name[LABEL_SIZE * 2];
    kane_figure f        = kane_figure_begin();
    group *groups        = f.arena ? kane_arena_alloc(f.arena, COLUMNS_ROOM, sizeof *groups) : NULL;
    const int *order     = o->is.rank[response + 1];
    const int rows       = o->is.terms - 1 < ROWS_MOST ? o->is.terms - 1 : ROWS_MOST;
    const char **x_texts = kane_figure_texts(&f, COLUMNS_ROOM), **y_texts = kane_figure_texts(&f, ROWS_MOST);
    const char *x_label = "", *pattern = response < 0 ? "" : o->is.response[response];
    const int columns = x_texts && groups ? fill_columns(o, &f, groups, x_texts, &x_label) : 0;
    double *values    = kane_figure_values(&f, (size_t)rows * (size_t)columns);
    for (int i = 0; y_texts && values && i < rows; i++) {
        y_texts[rows - 1 - i] = o->is.term[order[i]];
        for (int k = 0; k < columns; k++)
            values[(rows - 1 - i) * columns + k] = effect_in(o, &groups[k], order[i], response);
    }
    kane_figure_map(&f, kane_figure_add(&f, NULL, x_label, "term left out"),
                    (kane_plot_map){.columns = columns,
                                    .rows    = rows,
                                    .x_texts = x_texts,
                                    .y_texts = y_texts,
                                    .values  = values,
                                    .label   = label,
                                    .scale   = KANE_MAP_DECADES});
    f.plot.title  = kane_figure_text(&f, "%s: what leaving out imaginary terms does to %s", o->vehicle,
                                    response < 0 ? "any response" : pattern);
    f.plot.width  = 1100;
    f.plot.height = 330 + 22 * rows;
    kane_omission_file_name(response < 0 ? "effects" : "effects-", pattern, sizeof name, name);
    return kane_figure_end(&f, &o->study, name);
}

// The strongest terms, each over the first two axes with several values.
static int draw_strongest(const kane_omission_setup *o)
{
    const int most = o->asked->strongest < MAPS_MOST ? o->asked->strongest : MAPS_MOST;
    int axis[2], axes = 0, count = 0;
    for (int a = 0; a < o->grid.axis_count && axes < 2; a++)
        if (o->grid.axes[a]->count > 1)
            axis[axes++] = a;
    if (axes < 2)
        return 1;
    const kane_axis *x = o->grid.axes[axis[0]], *y = o->grid.axes[axis[1]];
    kane_figure f = kane_figure_begin();
    for (int k = 0; k < o->is.terms - 1 && count < most; k++) {
        const int term = o->is.rank[0][k];
        if (!is_drawn(o, term))
            continue;
        double *values = kane_figure_values(&f, (size_t)x->count * (size_t)y->count);
        for (int i = 0; values && i < x->count * y->count; i++)
            values[i] = effect_in(
                o, &(group){.axis = {axis[0], axis[1]}, .value = {i % x->count, i / x->count}, .condition = -1}, term,
                -1);
        kane_figure_map(
            &f, kane_figure_add(&f, o->is.term[term], kane_figure_axis(&f, x, 1), kane_figure_axis(&f, y, 1)),
            (kane_plot_map){x->count, y->count, x->texts, y->texts, values, label, KANE_MAP_PLAIN, 0.0, 0.0, 0});
        count++;
    }
    f.plot.title  = kane_figure_text(&f, "%s: largest effect of the strongest terms, on any response", o->vehicle);
    f.plot.width  = 900;
    f.plot.height = 60 + count * (180 + 40 * y->count);
    return kane_figure_end(&f, &o->study, "strongest-map");
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
    const kane_omission_setup *of;
    const char *term; // its name
    int number, pair_count;
    pair pairs[CONDITIONS_MOST];
    kane_figure f;
} picture;

static int run_condition(picture *p, int condition)
{
    kane_errors *errors = p->of->study.errors;
    pair *own           = &p->pairs[p->pair_count++];
    kane_outcome outcome;
    *own = (pair){.condition = condition, .run = kane_omission_read(p->of, condition, errors)};
    if (own->run)
        own->complete =
            kane_omission_run_cases(p->of, condition, own->run, KANE_OMISSION_COMPLETE, NULL, &outcome, errors);
    if (own->complete) { // what becomes of the other one is known from the table
        kane_errors known = {.limit = 1};
        own->omitting     = kane_omission_run_cases(p->of, condition, own->run, p->number, NULL, &outcome, &known);
    }
    return own->omitting != NULL;
}

// --- curves ---

static int add_panel(picture *p, const char *name, const char *unit)
{
    return kane_figure_add(&p->f, NULL, p->of->travels ? "distance travelled [m]" : "time [s]",
                           kane_figure_text(&p->f, "%s [%s]", name, unit));
}

static void add_curve(picture *p, int panel, int i, const kane_results *run, const char *channel)
{
    const int is_omitting = run == p->pairs[i].omitting;
    const int column      = kane_column_named(run, channel);
    if (column >= 0)
        kane_figure_curve(&p->f, panel,
                          (kane_plot_curve){.label  = is_omitting ? NULL : p->of->is.condition[p->pairs[i].condition],
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
    const int na = kane_results_row_count(a), nb = kane_results_row_count(b), rows = na < nb ? na : nb;
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
    const char *channel = kane_omission_report_effect(&p->of->is, condition, p->number, response)->channel;
    const char *unit    = p->of->is.unit[response];
    const int both = add_panel(p, channel, unit), difference = add_panel(p, "without − with it", unit);
    for (int i = 0; i < p->pair_count; i++) {
        add_curve(p, both, i, p->pairs[i].complete, channel);
        add_curve(p, both, i, p->pairs[i].omitting, channel);
        add_difference(p, difference, i, channel);
    }
    p->f.plot.title = kane_figure_text(&p->f, "%s: complete (solid) and without %s (dashed)", p->of->vehicle, p->term);
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

// Channels that show the omitted term in the complete model, a panel each as far as there is room; returns what is left
// of it. Impulses only where they matter.
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

// Pictures of a term that was named: itself, and every response that has the channel on which it does most. Of the only
// term of a study omitted.svg and RESPONSE.svg, else with the term before that.
static int draw_named(picture *p)
{
    const kane_omission_setup *o = p->of;
    char name[2 * TEXT_SIZE], before[TEXT_SIZE] = "";
    if (o->is.terms > 2) {
        kane_omission_file_name("", p->term, sizeof before - 1, before);
        (void)strcat(before, "-");
    }
    p->f = kane_figure_begin();
    add_terms(p, PANELS_MOST);
    p->f.plot.title = kane_figure_text(&p->f, "%s: imaginary term %s of the complete model", o->vehicle, p->term);
    (void)snprintf(name, sizeof name, "%somitted", before);
    int good = kane_figure_end(&p->f, &o->study, name);
    for (int r = 0; r < o->is.responses && good; r++) {
        int condition, where;
        (void)kane_omission_report_largest(&o->is, p->number, r, &condition, &where);
        if (condition < 0)
            continue;
        p->f = kane_figure_begin();
        add_response(p, condition, r);
        kane_omission_file_name(before, o->is.response[r], sizeof name, name);
        good = kane_figure_end(&p->f, &o->study, name);
    }
    return good;
}

// strongest-N.svg: what the term does to the response that it changes most, where it does so, and the term.
static int draw_one(picture *p, int condition, int response, int place)
{
    char name[TEXT_SIZE];
    p->f = kane_figure_begin();
    add_response(p, condition, response);
    add_terms(p, 3);
    (void)snprintf(name, sizeof name, "strongest-%d", place);
    return kane_figure_end(&p->f, &p->of->study, name);
}

// Of a named term under all conditions, if they are few, else under that where it does most.
static int draw_term(const kane_omission_setup *o, int term, int place)
{
    const int is_named = !o->asked->all;
    picture p          = {.of = o, .number = term, .term = o->is.term[term]};
    int good           = 1, condition, where;
    (void)kane_omission_report_largest(&o->is, term, -1, &condition, &where);
    if (condition < 0)
        return 1;
    for (int c = 0; c < o->is.conditions && good; c++)
        if (c == condition ||
            (is_named && o->is.conditions <= CONDITIONS_MOST && kane_omission_report_case(&o->is, c, term)->is_known))
            good = run_condition(&p, c);
    if (good)
        good = is_named ? draw_named(&p) : draw_one(&p, condition, where, place);
    for (int i = 0; i < p.pair_count; i++) {
        kane_results_free(p.pairs[i].complete);
        kane_results_free(p.pairs[i].omitting);
        kane_run_free(p.pairs[i].run);
    }
    return good;
}

int kane_omission_draw(const kane_omission_setup *o)
{
    const int most = o->asked->strongest;
    int good       = 1;
    for (int r = -1; most > 0 && good && r < o->is.responses; r++)
        good = draw_terms(o, r);
    if (most > 0 && good)
        good = draw_strongest(o);
    for (int k = 0, place = 0; k < o->is.terms - 1 && place < most && good; k++)
        if (is_drawn(o, o->is.rank[0][k]))
            good = draw_term(o, o->is.rank[0][k], ++place);
    return good;
}
