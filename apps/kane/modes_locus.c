// SPDX-License-Identifier: MIT
// kane modes --over: root locus as a table and a picture, and where damping is lost.

#include "modes.h"

#include "base/number.h"
#include "results/csv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LABEL = 200, BLACK = 6 };

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

static int write_table(const modes_arguments *a, const kane_locus *locus, const char *path, const char *unit,
                       const double *values, int count, kane_errors *errors)
{
    FILE *table = app_open_table(a->table, errors);
    if (!table)
        return 0;
    kane_csv_write(table, path, 0);
    (void)fprintf(table, ",branch,re,im,frequency,damping,name\n%s,1,1/s,1/s,Hz,1,\n", unit[0] ? unit : "1");
    for (int i = 0; i < count; i++)
        for (int b = 0; b < kane_locus_count(locus); b++) {
            const kane_mode *m = kane_locus_get(locus, b, i);
            if (!m || !is_shown(a, locus, b, count))
                continue;
            const double row[] = {values[i], b + 1, m->re, m->im, m->frequency, m->damping};
            for (int k = 0; k < 6; k++) {
                char text[KANE_NUMBER_SIZE];
                kane_number_format(row[k] + 0.0, text);
                (void)fprintf(table, "%s,", text);
            }
            kane_csv_write(table, m->name, 1);
            (void)fputc('\n', table);
        }
    return app_close_table(table, a->table, errors);
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
        char value[MODES_NUMBER], frequency[MODES_NUMBER];
        if (!m || !kane_mode_grows(m))
            continue;
        modes_format(a, values[0], value);
        modes_format(a, m->frequency, frequency);
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
        char value[MODES_NUMBER], frequency[MODES_NUMBER];
        modes_format(a, c->value, value);
        modes_format(a, c->mode->frequency, frequency);
        (void)fprintf(stderr, "%s at %s = %s%s%s: branch %d, %s Hz, %s\n",
                      c->loses ? "loses its damping" : "gains damping", path, value, unit[0] ? " " : "", unit,
                      c->branch + 1, frequency, c->mode->name);
    }
    if (kane_locus_crossing_count(locus) == 0)
        (void)fprintf(stderr, "no %smode gains or loses its damping\n", unstable ? "other " : "");
}

// --- picture ---

static const double FADES = 0.5; // branches whose damping ratio is always higher are not drawn

// Branches as curves: real part against frequency, and damping against the parameter.
typedef struct picture {
    int count;
    double *memory; // [3 * branches * values], then where each branch begins and the axes
    char (*labels)[LABEL];
    const char *unit;                 // of the parameter
    kane_plot_curve *plane, *damping; // [branches + 2]
} picture;

// Only what oscillates: gaps elsewhere.
static void add_branch(picture *p, const kane_locus *locus, int branch, const double *values, int count)
{
    double *re = p->memory + (size_t)(3 * p->count) * (size_t)count, *frequency = re + count,
           *damping       = frequency + count;
    const kane_mode *last = NULL;
    for (int i = 0; i < count; i++) {
        const kane_mode *m = kane_locus_get(locus, branch, i);
        const int drawn    = m && (m->kind == KANE_MODE_OSCILLATES || kane_mode_grows(m));
        re[i]              = drawn ? m->re : (double)NAN;
        frequency[i]       = drawn ? m->frequency : (double)NAN;
        damping[i]         = drawn ? 100.0 * m->damping : (double)NAN;
        last               = drawn ? m : last;
    }
    char *label = p->labels[p->count];
    (void)snprintf(label, LABEL, "%d %s", branch + 1, last ? last->name : "");
    const kane_plot_curve curve = {.label = label, .count = count, .colour = p->count};
    p->plane[p->count]          = curve;
    p->plane[p->count].x        = re;
    p->plane[p->count].y        = frequency;
    p->damping[p->count]        = curve;
    p->damping[p->count].label  = NULL;
    p->damping[p->count].x      = values;
    p->damping[p->count].y      = damping;
    p->count++;
}

// Points where the branches are at the first value, and the axes between stable and unstable. Returns how many curves.
static int add_marks(picture *p, const char *label, const double *values, int count, double *marks)
{
    const size_t branches = (size_t)p->count, n = (size_t)count;
    double *x = marks, *y = marks + branches, *zero = y + branches, top = 0.0;
    for (size_t b = 0; b < branches; b++) {
        x[b] = p->memory[3 * b * n];
        y[b] = p->memory[3 * b * n + n];
        for (size_t i = 0; i < n; i++)
            top = fmax(top, p->memory[3 * b * n + n + i]);
    }
    zero[3] = top;
    zero[4] = values[0];
    zero[5] = values[count - 1];
    p->plane[branches] =
        (kane_plot_curve){.label = label, .count = p->count, .x = x, .y = y, .style = KANE_POINTS, .colour = BLACK};
    p->plane[branches + 1] = (kane_plot_curve){.count = 2, .x = zero, .y = zero + 2, .style = KANE_FAINT};
    p->damping[branches]   = p->plane[branches + 1];
    p->damping[branches].x = zero + 4;
    p->damping[branches].y = zero;
    return p->count + 2;
}

static kane_status draw(const modes_arguments *a, const char *title, const char *x_label, picture *p,
                        const double *values, int count, double *marks, kane_errors *errors)
{
    char first[MODES_NUMBER + LABEL], number[KANE_NUMBER_SIZE];
    kane_number_format(values[0], number);
    (void)snprintf(first, sizeof first, "at %s %s", number, p->unit);
    const int curves               = add_marks(p, first, values, count, marks);
    const kane_plot_panel panels[] = {
        {.x_label     = "real part of the eigenvalue [1/s]",
         .y_label     = "frequency [Hz]",
         .curve_count = curves,
         .curves      = p->plane},
        {.x_label = x_label, .y_label = "damping [%]", .curve_count = curves - 1, .curves = p->damping}};
    const kane_plot plot = {.title = title, .width = 1200, .panel_count = 2, .panels = panels};
    return kane_plot_draw(&plot, a->picture, errors);
}

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

static int draw_locus(const modes_arguments *a, const char *title, const char *x_label, const char *unit,
                      const kane_locus *locus, const double *values, int count, kane_errors *errors)
{
    const size_t branches = (size_t)kane_locus_count(locus) + 2, n = (size_t)count;
    picture p = {.unit    = unit,
                 .memory  = calloc(3 * branches * n + 2 * branches + 6, sizeof *p.memory),
                 .labels  = calloc(branches, sizeof *p.labels),
                 .plane   = calloc(branches, sizeof *p.plane),
                 .damping = calloc(branches, sizeof *p.damping)};
    int good  = p.memory && p.labels && p.plane && p.damping;
    if (!good)
        kane_errors_add(errors, KANE_NO_MEMORY, "out of memory");
    for (int b = 0; good && b < kane_locus_count(locus); b++)
        if (is_drawn(a, locus, b, count))
            add_branch(&p, locus, b, values, count);
    good = good && draw(a, title, x_label, &p, values, count, p.memory + 3 * branches * n, errors) == KANE_OK;
    free(p.memory);
    free(p.labels);
    free(p.plane);
    free(p.damping);
    return good;
}

int modes_locus(const modes_arguments *a, app_analysis *analysis, kane_errors *errors)
{
    const char *path = analysis->over.path, *unit = analysis->over.unit;
    const int count = analysis->over.count;
    char label[256], name[400], title[512 + APP_OVER_PATH];
    source from    = {a, analysis};
    double *values = calloc((size_t)count, sizeof *values);
    if (!values) {
        kane_errors_add(errors, KANE_NO_MEMORY, "out of memory");
        return 0;
    }
    memcpy(values, analysis->over.value, (size_t)count * sizeof *values);
    const kane_locus_study study = {.count     = count,
                                    .values    = values,
                                    .modes     = modes_at,
                                    .data      = &from,
                                    .highest   = a->all ? 0.0 : a->highest,
                                    .tolerance = TOLERANCE};
    kane_locus *locus            = kane_locus_create(&study, errors);
    app_analysis_name(analysis, sizeof name, name);
    (void)snprintf(label, sizeof label, "%s [%s]", path, unit[0] ? unit : "1");
    (void)snprintf(title, sizeof title, "%s: modes over %s", name, path);
    int good = locus && write_table(a, locus, path, unit, values, count, errors);
    if (good)
        print_crossings(a, locus, path, unit, values, count);
    if (good && a->picture)
        good = draw_locus(a, title, label, unit, locus, values, count, errors);
    kane_locus_free(locus);
    free(values);
    return good;
}
