// SPDX-License-Identifier: MIT
// kane modes --over: root locus as a table and a picture, and where damping is lost.

#include "modes.h"

#include "base/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLACK = 6 };

static const double TOLERANCE = 1e-9; // of crossings, relative to a step

// The parameter goes through the values of --over, and through others in between.
typedef struct source {
    const modes_arguments *arguments;
    app_analysis *analysis;
} source;

static kane_modes *modes_at(double value, void *data, kane_errors *errors)
{
    const source *from = data;
    modes_found found;
    from->analysis->over.value[0] = value; // any value takes the first one's place
    from->analysis->read          = -1;
    if (!modes_find(from->analysis, 0, from->arguments->kind, &found, errors))
        return NULL;
    kane_modes *modes = found.modes;
    found.modes       = NULL; // the locus has them
    modes_close(&found);
    return modes;
}

// A branch is shown if it oscillates somewhere, or is unstable.
static int is_shown(const modes_arguments *a, const kane_locus *locus, int branch, int count)
{
    for (int i = 0; i < count; i++) {
        const kane_mode *m = kane_locus_get(locus, branch, i);
        if (m && (a->all || m->kind == KANE_MODE_OSCILLATES || kane_mode_grows(m)))
            return 1;
    }
    return 0;
}

// What is tabulated and drawn.
typedef struct locus_report {
    const modes_arguments *arguments;
    const kane_locus *locus;
    const char *path, *unit; // of the parameter
    int count;
    const double *values;
} locus_report;

static kane_table tabulate_locus(const locus_report *r)
{
    const int branches = kane_locus_count(r->locus);
    kane_table t       = kane_table_begin(kane_arena_create(), 7, r->count * branches);
    t.has_nan          = 1;
    kane_table_add_names(&t, 7, (const char *const[]){r->path, "branch", "re", "im", "frequency", "damping", "name"},
                         (const char *const[]){r->unit[0] ? r->unit : "1", "1", "1/s", "1/s", "Hz", "1", ""});
    for (int i = 0; i < r->count; i++)
        for (int b = 0; b < branches; b++) {
            const kane_mode *m = kane_locus_get(r->locus, b, i);
            if (m && is_shown(r->arguments, r->locus, b, r->count))
                kane_table_add(&t, 7,
                               (const kane_cell[]){kane_cell_number(r->values[i]), kane_cell_count(b + 1),
                                                   kane_cell_number(m->re), kane_cell_number(m->im),
                                                   kane_cell_number(m->frequency), kane_cell_number(m->damping),
                                                   kane_cell_text(m->name)});
        }
    return t;
}

// --- crossings ---

// Branches that are unstable where they begin lose their damping somewhere before that.
static int print_unstable(const modes_arguments *a, const kane_locus *locus, const char *path, const char *unit,
                          const double *values, int count)
{
    const char *before = count < 2 ? "" : values[0] < values[count - 1] ? " or less" : " or more";
    int unstable       = 0;
    for (int b = 0; b < kane_locus_count(locus); b++) {
        const kane_mode *m = kane_locus_get(locus, b, 0);
        char value[KANE_NUMBER_SIZE], frequency[KANE_NUMBER_SIZE];
        if (!m || !kane_mode_grows(m))
            continue;
        kane_format_number(values[0], a->digits, sizeof value, value);
        kane_format_number(m->frequency, a->digits, sizeof frequency, frequency);
        (void)fprintf(stderr, "already unstable at %s = %s%s%s%s: branch %d, %s Hz, %s\n", path, value,
                      unit[0] ? " " : "", unit, before, b + 1, frequency, m->name);
        unstable++;
    }
    return unstable;
}

static void print_crossings(const modes_arguments *a, const kane_locus *locus, const char *path, const char *unit,
                            const double *values, int count)
{
    const int unstable = print_unstable(a, locus, path, unit, values, count);
    for (int i = 0; i < kane_locus_crossing_count(locus); i++) {
        const kane_locus_crossing *c = kane_locus_get_crossing(locus, i);
        char value[KANE_NUMBER_SIZE], frequency[KANE_NUMBER_SIZE];
        kane_format_number(c->value, a->digits, sizeof value, value);
        kane_format_number(c->mode->frequency, a->digits, sizeof frequency, frequency);
        (void)fprintf(stderr, "%s at %s = %s%s%s: branch %d, %s Hz, %s\n",
                      c->loses ? "loses its damping" : "gains damping", path, value, unit[0] ? " " : "", unit,
                      c->branch + 1, frequency, c->mode->name);
    }
    if (kane_locus_crossing_count(locus) == 0)
        (void)fprintf(stderr, "no %smode gains or loses its damping\n", unstable ? "other " : "");
}

// --- picture ---

static const double FADES = 0.5; // branches whose damping ratio is always higher are not drawn

static int is_drawn(const modes_arguments *a, const kane_locus *locus, int branch, int count)
{
    double least = HUGE_VAL;
    for (int i = 0; i < count; i++) {
        const kane_mode *m = kane_locus_get(locus, branch, i);
        if (m && (m->kind == KANE_MODE_OSCILLATES || kane_mode_grows(m)))
            least = fmin(least, m->damping);
    }
    return a->all ? least < HUGE_VAL : least < FADES;
}

enum { PLANE, DAMPING }; // panels: real part against frequency, and damping against the parameter

// Only what oscillates: gaps elsewhere. Returns the highest frequency; the point at the first value goes to `first`.
static double draw_branch(const locus_report *r, kane_figure *f, int branch, int colour, double first[2])
{
    const int count = r->count;
    double *re = kane_figure_values(f, 3 * (size_t)count), *frequency = re + count, *damping = frequency + count,
           top            = 0.0;
    const kane_mode *last = NULL;
    for (int i = 0; re && i < count; i++) {
        const kane_mode *m = kane_locus_get(r->locus, branch, i);
        const int drawn    = m && (m->kind == KANE_MODE_OSCILLATES || kane_mode_grows(m));
        re[i]              = drawn ? m->re : (double)NAN;
        frequency[i]       = drawn ? m->frequency : (double)NAN;
        damping[i]         = drawn ? 100.0 * m->damping : (double)NAN;
        last               = drawn ? m : last;
        top                = fmax(top, frequency[i]);
    }
    if (!re)
        return 0.0;
    first[0]          = re[0];
    first[1]          = frequency[0];
    const char *label = kane_figure_text(f, "%d %s", branch + 1, last ? last->name : "");
    kane_figure_curve(f, PLANE, (kane_plot_curve){label, count, re, frequency, KANE_SOLID, colour});
    kane_figure_curve(f, DAMPING, (kane_plot_curve){NULL, count, r->values, damping, KANE_SOLID, colour});
    return top;
}

// Points where the branches are at the first value, and the axes between stable and unstable.
static int draw_locus(kane_figure *f, const void *data, kane_errors *errors)
{
    const locus_report *r = data;
    const int branches    = kane_locus_count(r->locus);
    char number[KANE_NUMBER_SIZE];
    double *x = kane_figure_values(f, 2 * (size_t)branches + 6), *y = x + branches, *zero = y + branches, top = 0.0;
    int drawn = 0;
    (void)errors;
    (void)kane_figure_add(f, NULL, "real part of the eigenvalue [1/s]", "frequency [Hz]");
    (void)kane_figure_add(f, NULL, kane_figure_text(f, "%s [%s]", r->path, r->unit[0] ? r->unit : "1"), "damping [%]");
    if (!x || f->plot.panel_count < 2)
        return 1; // told when it is drawn
    for (int b = 0; b < branches; b++)
        if (is_drawn(r->arguments, r->locus, b, r->count)) {
            double first[2] = {0.0, 0.0};
            top             = fmax(top, draw_branch(r, f, b, drawn, first));
            x[drawn]        = first[0];
            y[drawn++]      = first[1];
        }
    zero[3] = top;
    zero[4] = r->values[0];
    zero[5] = r->values[r->count - 1];
    kane_number_format(r->values[0], number);
    kane_figure_curve(
        f, PLANE, (kane_plot_curve){kane_figure_text(f, "at %s %s", number, r->unit), drawn, x, y, KANE_POINTS, BLACK});
    kane_figure_curve(f, PLANE, (kane_plot_curve){NULL, 2, zero, zero + 2, KANE_FAINT, 0});
    kane_figure_curve(f, DAMPING, (kane_plot_curve){NULL, 2, zero + 4, zero, KANE_FAINT, 0});
    f->plot.width = 1200;
    return 1;
}

static int write_locus(const locus_report *r, const char *title, kane_errors *errors)
{
    const kane_table table         = tabulate_locus(r);
    const kane_table_report report = {
        .title = title, .table_count = 1, .tables = &table, .draw = draw_locus, .data = r};
    const int good = app_write_report(&r->arguments->outputs, KANE_TABLE_CSV, &report, errors);
    kane_arena_free(table.arena);
    return good;
}

int modes_locus(const modes_arguments *a, app_analysis *analysis, kane_errors *errors)
{
    const char *path = analysis->over.path, *unit = analysis->over.unit;
    const int count = analysis->over.count;
    char name[400], title[512 + APP_OVER_PATH];
    source from    = {a, analysis};
    double *values = calloc((size_t)count, sizeof *values);
    if (!values)
        return kane_no_memory(errors) == KANE_OK;
    memcpy(values, analysis->over.value, (size_t)count * sizeof *values);
    const kane_locus_study study = {.count     = count,
                                    .values    = values,
                                    .modes     = modes_at,
                                    .data      = &from,
                                    .highest   = a->all ? 0.0 : a->highest,
                                    .tolerance = TOLERANCE};
    kane_locus *locus            = kane_locus_create(&study, errors);
    app_analysis_name(analysis, sizeof name, name);
    (void)snprintf(title, sizeof title, "%s: modes over %s", name, path);
    const locus_report report = {a, locus, path, unit, count, values};
    if (locus)
        print_crossings(a, locus, path, unit, values, count);
    const int good = locus && write_locus(&report, title, errors);
    kane_locus_free(locus);
    free(values);
    return good;
}
