// SPDX-License-Identifier: MIT
// Channels of one equilibrium after another.

#include "equilibrium.h"

#include "app.h"

#include "base/number.h"
#include "results/csv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PARAMETER, RESIDUAL, CHANNELS }; // columns

static int make(equilibrium_table *t, const app_analysis *a, const kane_channels *channels, kane_errors *errors)
{
    const int columns  = kane_channels_count(channels) + CHANNELS;
    const size_t cells = (size_t)columns * (size_t)a->over.count;
    t->name            = calloc((size_t)columns, sizeof *t->name);
    t->unit            = calloc((size_t)columns, sizeof *t->unit);
    t->values          = calloc(cells, sizeof *t->values);
    if (!t->name || !t->unit || !t->values) {
        kane_errors_add(errors, KANE_NO_MEMORY, "out of memory");
        return 0;
    }
    t->columns = columns;
    t->rows    = a->over.count;
    for (size_t i = 0; i < cells; i++)
        t->values[i] = i % (size_t)columns == PARAMETER ? a->over.value[i / (size_t)columns] : (double)NAN;
    (void)snprintf(t->name[PARAMETER], sizeof *t->name, "%s", a->over.path);
    (void)snprintf(t->unit[PARAMETER], sizeof *t->unit, "%s", a->over.unit[0] ? a->over.unit : "1");
    (void)snprintf(t->name[RESIDUAL], sizeof *t->name, "residual");
    (void)snprintf(t->unit[RESIDUAL], sizeof *t->unit, "1");
    for (int i = 0; i + CHANNELS < columns; i++) {
        (void)snprintf(t->name[i + CHANNELS], sizeof *t->name, "%s", kane_channels_info(channels, i)->name);
        (void)snprintf(t->unit[i + CHANNELS], sizeof *t->unit, "%s", kane_channels_info(channels, i)->unit);
    }
    return 1;
}

static int fill_row(const app_analysis *a, kane_steady *steady, const app_texts *patterns, int index,
                    equilibrium_table *t, kane_errors *errors)
{
    const kane_model *model = kane_steady_model(steady);
    kane_channels *channels = kane_channels_create_model(model, patterns->count, patterns->texts, NULL, errors);
    int good                = channels && (t->columns > 0 || make(t, a, channels, errors));
    if (good && kane_channels_count(channels) + CHANNELS != t->columns) {
        kane_errors_add(errors, KANE_BAD_INPUT, "%s changes which channels there are", a->over.path);
        good = 0;
    }
    if (good) {
        double *row   = t->values + (size_t)index * (size_t)t->columns;
        row[RESIDUAL] = kane_steady_equilibrium(steady)->residual;
        kane_channels_read_state(channels, model, kane_steady_work(steady), kane_steady_state(steady), row + CHANNELS);
        t->found++;
    }
    kane_channels_free(channels);
    return good;
}

// Says on standard error where what was found is not stable. 0 with errors.
static int say_stability(const app_analysis *a, int index, kane_steady *steady, kane_errors *errors)
{
    char before[APP_OVER_PATH + APP_OVER_UNIT + 64];
    app_stability stability;
    if (!app_analysis_stability(steady, &stability, errors))
        return 0;
    (void)kane_snprintf(before, sizeof before, "%s = %.6g%s%s: ", a->over.path, a->over.value[index],
                        a->over.unit[0] ? " " : "", a->over.unit);
    app_analysis_print_stability(stderr, before, steady, &stability);
    kane_modes_free(stability.growing);
    return 1;
}

int equilibrium_table_fill(app_analysis *a, const app_texts *patterns, equilibrium_table *t, kane_errors *errors)
{
    *t = (equilibrium_table){.columns = 0};
    app_catch_interrupt();
    for (int i = 0; i < a->over.count; i++) {
        if (app_progress(&(kane_progress){.done = 0.0}, NULL)) {
            kane_errors_add(errors, KANE_INTERRUPTED, "%s: %d of %d values are in the table",
                            kane_status_text(KANE_INTERRUPTED), i, a->over.count);
            t->rows = i;
            return t->found > 0;
        }
        kane_errors why     = {0};
        kane_steady *steady = app_analysis_steady(a, i, &why);
        const int none      = !steady && why.count > 0 && kane_errors_get(&why, 0)->status == KANE_NOT_SOLVED;
        if (none)
            app_print_errors(&why);
        else if (!steady)
            kane_errors_append(errors, &why);
        kane_errors_free(&why);
        const int good =
            none || (steady && fill_row(a, steady, patterns, i, t, errors) && say_stability(a, i, steady, errors));
        kane_steady_free(steady);
        if (!good) {
            equilibrium_table_clear(t);
            return 0;
        }
    }
    if (t->found == 0)
        kane_errors_add(errors, KANE_NOT_SOLVED, "there is no equilibrium at any value of %s", a->over.path);
    return t->found > 0;
}

void equilibrium_table_clear(equilibrium_table *t)
{
    free(t->name);
    free(t->unit);
    free(t->values);
    *t = (equilibrium_table){.columns = 0};
}

int equilibrium_table_write(const equilibrium_table *t, const char *file, kane_errors *errors)
{
    FILE *out = app_open_table(file, errors);
    if (!out)
        return 0;
    for (int i = 0; i < t->columns; i++) {
        kane_csv_write(out, t->name[i], 0);
        (void)fputc(i + 1 < t->columns ? ',' : '\n', out);
    }
    for (int i = 0; i < t->columns; i++)
        (void)fprintf(out, "%s%s", t->unit[i], i + 1 < t->columns ? "," : "\n");
    for (int i = 0; i < t->rows; i++)
        app_print_row(out, t->columns, t->values + (size_t)i * (size_t)t->columns);
    return app_close_table(out, file, errors);
}

// --- picture ---

enum { PANELS_MOST = 8 };

typedef struct picture {
    char x_label[200], y_label[PANELS_MOST][200];
    kane_plot_panel panels[PANELS_MOST];
    int panel_count;
    kane_plot_curve *curves; // panel by panel
    double *series;          // columns one after the other
} picture;

// Curves of all columns with the unit of column `first`.
static void add_panel(picture *p, const equilibrium_table *t, int first, int *next)
{
    kane_plot_panel *panel = &p->panels[p->panel_count];
    char *label            = p->y_label[p->panel_count++];
    const char *common     = t->name[first];
    *panel                 = (kane_plot_panel){.x_label = p->x_label, .y_label = label, .curves = p->curves + *next};
    for (int c = first; c < t->columns; c++) {
        if (strcmp(t->unit[c], t->unit[first]) != 0)
            continue;
        common               = common[0] ? kane_plot_common_end(common, t->name[c]) : "";
        p->curves[(*next)++] = (kane_plot_curve){.label  = t->name[c],
                                                 .count  = t->rows,
                                                 .x      = p->series + (size_t)PARAMETER * (size_t)t->rows,
                                                 .y      = p->series + (size_t)c * (size_t)t->rows,
                                                 .colour = panel->curve_count++};
    }
    kane_plot_axis_label(common, t->unit[first], sizeof p->y_label[0], label);
}

static void add_panels(picture *p, const equilibrium_table *t)
{
    int next = 0;
    for (int c = CHANNELS; c < t->columns && p->panel_count < PANELS_MOST; c++) {
        int is_new = 1;
        for (int k = CHANNELS; k < c; k++)
            is_new = is_new && strcmp(t->unit[k], t->unit[c]) != 0;
        if (is_new)
            add_panel(p, t, c, &next);
    }
}

int equilibrium_table_draw(const equilibrium_table *t, const char *title, const char *file, kane_errors *errors)
{
    picture p = {.panel_count = 0};
    p.curves  = calloc((size_t)t->columns, sizeof *p.curves);
    p.series  = calloc((size_t)t->columns * (size_t)t->rows, sizeof *p.series);
    int good  = p.curves && p.series;
    if (good) {
        for (int c = 0; c < t->columns; c++)
            for (int i = 0; i < t->rows; i++)
                p.series[(size_t)c * (size_t)t->rows + (size_t)i] =
                    t->values[(size_t)i * (size_t)t->columns + (size_t)c];
        (void)snprintf(p.x_label, sizeof p.x_label, "%s [%s]", t->name[PARAMETER], t->unit[PARAMETER]);
        add_panels(&p, t);
        const kane_plot plot = {.title = title, .panel_count = p.panel_count, .panels = p.panels};
        good                 = kane_plot_draw(&plot, file, errors) == KANE_OK;
    } else {
        kane_errors_add(errors, KANE_NO_MEMORY, "out of memory");
    }
    free(p.curves);
    free(p.series);
    return good;
}
