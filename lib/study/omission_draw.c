// SPDX-License-Identifier: MIT
// Runs of an omission study against distance (without a track: time), after Figures 5 and 6 of the source: complete (solid) and without a term
// (dashed), their difference, and the term itself. The few runs that are drawn are carried out once more.

#include "study/omission_report.h"

#include "base/arena.h"
#include "base/text.h"
#include "study/omission_compare.h"

#include <fnmatch.h>
#include <math.h>
#include <string.h>

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

int kane_omission_strongest(const kane_omission_report *report, int most, int *terms)
{
    int count = 0;
    for (int k = 0; k < report->table.terms - 1 && count < most; k++) {
        const int term = report->order[0][k];
        if (!report->setup.study->all || !kane_omission_is_whole(report->table.names[term]))
            terms[count++] = term;
    }
    return count;
}

// --- runs ---

static kane_status carry_out(picture *p, int condition, kane_errors *errors)
{
    const kane_omission_setup *setup = &p->report->setup;
    kane_outcome outcome;
    pair *own = &p->pairs[p->pair_count++];
    *own      = (pair){.condition = condition, .run = kane_omission_read(setup, condition, p->arena, errors)};
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

static int column_of(const kane_results *run, const char *name)
{
    for (int c = 0; c < kane_results_column_count(run); c++)
        if (strcmp(kane_results_column(run, c)->name, name) == 0)
            return c;
    return -1;
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
    const int column       = column_of(run, channel);
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
    const int ca = column_of(a, channel), cb = column_of(b, channel);
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
    const int sums = column_of(run, impulses), values = column_of(run, term);
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
    char pattern[TEXT_SIZE], name[TEXT_SIZE];
    const kane_results *first = p->pairs[0].complete;
    const int impulses        = strcmp(what, "impulse") == 0;
    if (!kane_omission_channels(what, p->report->table.names[p->term], sizeof pattern, pattern))
        return room;
    for (int c = 0; c < kane_results_column_count(first) && room > 0; c++) {
        const kane_column *column = kane_results_column(first, c);
        if (fnmatch(pattern, column->name, 0) != 0 || (impulses && are_slight(first, column->name)))
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
    static const char *const ends[] = {"svg", "png"};
    const kane_plot plot            = {.title = title, .panel_count = p->panel_count, .panels = p->panels};
    kane_status status              = kane_arena_failed(p->arena) ? KANE_NO_MEMORY : KANE_OK;
    for (int i = 0; i < 2 && status == KANE_OK && p->panel_count > 0; i++) {
        char file[4096];
        (void)snprintf(file, sizeof file, "%s/%s.%s", p->report->setup.study->execution.directory, name, ends[i]);
        status = kane_plot_draw(&plot, file, errors);
    }
    p->panel_count = p->curve_count = 0;
    return status;
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
    const int is_named           = !p->report->setup.study->all;
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

kane_status kane_omission_draw_runs(const kane_omission_report *report, kane_errors *errors)
{
    const int most     = report->setup.study->strongest;
    int *terms         = kane_allocate((size_t)report->table.terms, sizeof *terms);
    const int count    = terms ? kane_omission_strongest(report, most, terms) : 0;
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
    if (status == KANE_NO_MEMORY && errors->count == 0)
        kane_errors_add(errors, status, "%s", kane_status_text(status));
    return status;
}
