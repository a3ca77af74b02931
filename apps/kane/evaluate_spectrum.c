// SPDX-License-Identifier: MIT
// kane evaluate --psd: power spectral densities of channels by Welch's method, as a table and drawn with both axes
// logarithmic.

#include "app.h"

#include "base/number.h"
#include "base/text.h"
#include "results/csv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CHANNELS_MOST = 64, WINDOWS = 8, LEAST = 16 }; // LEAST: rows of a window

static const double nothing  = 1e-30; // of a spectrum that is drawn, times its largest value
static const double constant = 1e-12; // a channel whose rms about its mean is less, times its largest size

typedef struct spectra {
    const kane_results *results;
    const evaluate_spectra *what;
    int is_distance;
    int begin, rows; // of the section
    kane_sampling sampling;
    int size;  // of a window
    int lines; // of a spectrum
    int count; // channels
    int columns[CHANNELS_MOST];
    double *frequencies, *densities[CHANNELS_MOST]; // [lines]
    double largest[CHANNELS_MOST];                  // size of the channels
    double *rows_even;                              // [sampling.count]
} spectra;

static void clear(spectra *s)
{
    for (int i = 0; i < s->count; i++)
        free(s->densities[i]);
    free(s->frequencies);
    free(s->rows_even);
}

// --- what there is ---

static int add_channel(spectra *s, int column, const char *pattern, kane_errors *errors)
{
    for (int k = 0; k < s->count; k++)
        if (s->columns[k] == column) // of an earlier pattern
            return 1;
    if (s->count == CHANNELS_MOST) {
        kane_errors_add(errors, KANE_BAD_ARGUMENT, "more than %d channels match, the last of '%s'", (int)CHANNELS_MOST,
                        pattern);
        return 0;
    }
    s->columns[s->count++] = column;
    return 1;
}

static int find_channels(spectra *s, kane_errors *errors)
{
    for (int p = 0; p < s->what->channels.count; p++) {
        const char *pattern = s->what->channels.texts[p];
        int found           = 0;
        for (int i = 0; i < kane_results_column_count(s->results); i++) {
            if (!kane_name_matches(pattern, kane_results_column(s->results, i)->name))
                continue;
            found = 1;
            if (!add_channel(s, i, pattern, errors))
                return 0;
        }
        if (!found && kane_results_find(s->results, pattern, errors) < 0)
            return 0;
    }
    return 1;
}

// The rows between two distances; all without any.
static int find_section(spectra *s, kane_errors *errors)
{
    const int n = kane_results_row_count(s->results);
    s->rows     = n;
    if (n < 2) {
        kane_errors_add(errors, KANE_BAD_ARGUMENT, "%s", n == 0 ? "there are no rows" : "there is only one row");
        return 0;
    }
    if (!isfinite(s->what->from) && !isfinite(s->what->to))
        return 1;
    const int column = kane_results_find(s->results, "distance", errors);
    if (column < 0)
        return 0;
    const double *distance = kane_results_values(s->results, column);
    while (s->begin < n && !(distance[s->begin] >= s->what->from))
        s->begin++;
    int end = n;
    while (end > s->begin && !(distance[end - 1] <= s->what->to))
        end--;
    s->rows = end - s->begin;
    if (s->rows > 1)
        return 1;
    kane_errors_add(errors, KANE_BAD_ARGUMENT, "no rows lie between %g m and %g m", s->what->from, s->what->to);
    return 0;
}

// The axis, and the windows that give the resolution.
static int find_axis(spectra *s, const double **axis, kane_errors *errors)
{
    const int column = kane_results_find(s->results, s->is_distance ? "distance" : "time", errors);
    if (column < 0)
        return 0;
    *axis = kane_results_values(s->results, column) + s->begin;
    if (kane_sampling_find(s->rows, *axis, &s->sampling, errors) != KANE_OK)
        return 0;
    s->size = kane_welch_size(s->sampling.count, WINDOWS);
    if (s->what->resolution > 0.0) {
        const double wanted = 1.0 / (s->what->resolution * s->sampling.step);
        if (!(wanted <= s->sampling.count)) {
            kane_errors_add(errors, KANE_BAD_ARGUMENT, "a resolution of %g %s needs %g %s; there are %g %s",
                            s->what->resolution, s->is_distance ? "1/m" : "Hz", 1.0 / s->what->resolution,
                            s->is_distance ? "m" : "s", s->sampling.count * s->sampling.step,
                            s->is_distance ? "m" : "s");
            return 0;
        }
        if (wanted < LEAST) {
            kane_errors_add(errors, KANE_BAD_ARGUMENT, "a resolution of %g %s is too coarse: at most %g %s",
                            s->what->resolution, s->is_distance ? "1/m" : "Hz", 1.0 / (LEAST * s->sampling.step),
                            s->is_distance ? "1/m" : "Hz");
            return 0;
        }
        s->size = LEAST;
        while (s->size < wanted)
            s->size *= 2;
    }
    if (s->size == 0 || s->size > s->sampling.count) {
        kane_errors_add(errors, KANE_BAD_ARGUMENT, "%d rows are too few for a spectrum%s", s->sampling.count,
                        s->what->resolution > 0.0 ? " of this resolution" : "");
        return 0;
    }
    s->lines = s->size / 2 + 1;
    return 1;
}

// 0 with an error if a value is not finite.
static int find_largest(spectra *s, int k, kane_errors *errors)
{
    const int column = s->columns[k];
    const double *x  = kane_results_values(s->results, column) + s->begin;
    for (int i = 0; i < s->rows; i++) {
        s->largest[k] = fmax(s->largest[k], fabs(x[i]));
        if (!isfinite(x[i])) {
            kane_errors_add(errors, KANE_BAD_ARGUMENT, "channel '%s' is not finite in row %d",
                            kane_results_column(s->results, column)->name, s->begin + i + 1);
            return 0;
        }
    }
    return 1;
}

static int compute(spectra *s, const double *axis, kane_errors *errors)
{
    s->frequencies = calloc((size_t)s->lines, sizeof *s->frequencies);
    s->rows_even   = calloc((size_t)s->sampling.count, sizeof *s->rows_even);
    int good       = s->frequencies && s->rows_even;
    for (int i = 0; i < s->count && good; i++) {
        const double *x = kane_results_values(s->results, s->columns[i]) + s->begin;
        s->densities[i] = calloc((size_t)s->lines, sizeof *s->densities[i]);
        good            = s->densities[i] != NULL;
        if (!good)
            break;
        if (!find_largest(s, i, errors))
            return 0;
        kane_sampling_take(&s->sampling, s->rows, axis, x, s->rows_even);
        if (kane_welch(s->sampling.count, s->sampling.step, s->rows_even, s->size, s->frequencies, s->densities[i],
                       errors) != KANE_OK)
            return 0;
    }
    if (!good)
        kane_errors_add(errors, KANE_NO_MEMORY, "%s", kane_status_text(KANE_NO_MEMORY));
    return good;
}

// --- the table ---

// "m^2/Hz", "(m/s^2)^2 m"; columns of a file without units have none
static void unit_of(const spectra *s, const char *unit, size_t size, char *text)
{
    const int is_simple = strpbrk(unit, "/^ *") == NULL;
    const char *per     = s->is_distance ? " m" : "/Hz";
    if (strcmp(unit, "1") == 0 || !unit[0])
        (void)snprintf(text, size, "%s", s->is_distance ? "m" : "1/Hz");
    else
        (void)snprintf(text, size, is_simple ? "%s^2%s" : "(%s)^2%s", unit, per);
}

static int write_table(const spectra *s, kane_errors *errors)
{
    FILE *out = app_open_table(s->what->table, errors);
    char unit[128];
    if (!out)
        return 0;
    (void)fprintf(out, "frequency");
    for (int i = 0; i < s->count; i++) {
        (void)fputc(',', out);
        kane_csv_write(out, kane_results_column(s->results, s->columns[i])->name, 0);
    }
    (void)fprintf(out, "\n%s", s->is_distance ? "1/m" : "Hz");
    for (int i = 0; i < s->count; i++) {
        unit_of(s, kane_results_column(s->results, s->columns[i])->unit, sizeof unit, unit);
        (void)fprintf(out, ",%s", unit);
    }
    (void)fprintf(out, "\n");
    for (int line = 0; line < s->lines; line++) {
        double row[CHANNELS_MOST + 1] = {s->frequencies[line]};
        for (int i = 0; i < s->count; i++)
            row[i + 1] = s->densities[i][line];
        app_print_row(out, s->count + 1, row);
    }
    return app_close_table(out, s->what->table, errors);
}

// --- the picture ---

typedef struct picture {
    kane_plot_panel panels[CHANNELS_MOST];
    kane_plot_curve curves[CHANNELS_MOST][CHANNELS_MOST];
    char y_labels[CHANNELS_MOST][192];
    const char *units[CHANNELS_MOST];
    int panel_count;
    double *x[CHANNELS_MOST], *y[CHANNELS_MOST];
} picture;

static kane_plot_panel *panel_of(picture *p, const spectra *s, const kane_column *column, const char *x_label)
{
    char unit[128];
    int i = 0;
    while (i < p->panel_count && strcmp(p->units[i], column->unit) != 0)
        i++;
    if (i < p->panel_count)
        return &p->panels[i];
    unit_of(s, column->unit, sizeof unit, unit);
    (void)snprintf(p->y_labels[i], sizeof p->y_labels[i], "density [%s]", unit);
    p->units[i]  = column->unit;
    p->panels[i] = (kane_plot_panel){.x_label = x_label,
                                     .y_label = p->y_labels[i],
                                     .curves  = p->curves[i],
                                     .x_scale = KANE_PLOT_LOG,
                                     .y_scale = KANE_PLOT_LOG};
    p->panel_count++;
    return &p->panels[i];
}

static int add_curve(picture *p, const spectra *s, int i, const char *x_label)
{
    const kane_column *column = kane_results_column(s->results, s->columns[i]);
    const double *density     = s->densities[i];
    double most = 0.0, variance = 0.0;
    int count = 0;
    p->x[i]   = calloc((size_t)s->lines, sizeof *p->x[i]);
    p->y[i]   = calloc((size_t)s->lines, sizeof *p->y[i]);
    if (!p->x[i] || !p->y[i])
        return 0;
    for (int line = 1; line < s->lines; line++) {
        most = fmax(most, density[line]);
        variance += density[line] * s->frequencies[1];
    }
    if (sqrt(variance) <= constant * s->largest[i])
        return 1;
    for (int line = 1; line < s->lines; line++)
        if (density[line] > nothing * most) {
            p->x[i][count]   = s->frequencies[line];
            p->y[i][count++] = density[line];
        }
    kane_plot_panel *panel = panel_of(p, s, column, x_label);
    const size_t which     = (size_t)(panel - p->panels);
    const int k            = panel->curve_count++;
    p->curves[which][k]    = (kane_plot_curve){column->name, count, p->x[i], p->y[i], KANE_SOLID, k};
    return 1;
}

static int draw(const spectra *s, const char *title, kane_errors *errors)
{
    const char *x_label = s->is_distance ? "wave number [1/m]" : "frequency [Hz]";
    picture *p          = calloc(1, sizeof *p);
    int good            = p != NULL;
    for (int i = 0; i < s->count && good; i++)
        good = add_curve(p, s, i, x_label);
    if (!good)
        kane_errors_add(errors, KANE_NO_MEMORY, "%s", kane_status_text(KANE_NO_MEMORY));
    if (good && p->panel_count == 0) {
        kane_errors_add(errors, KANE_BAD_ARGUMENT, "there is nothing to draw: the channels are constant");
        good = 0;
    }
    if (good) {
        const kane_plot plot = {.title = title, .panel_count = p->panel_count, .panels = p->panels};
        good                 = kane_plot_draw(&plot, s->what->picture, errors) == KANE_OK;
    }
    for (int i = 0; i < s->count && p; i++) {
        free(p->x[i]);
        free(p->y[i]);
    }
    free(p);
    return good;
}

int evaluate_spectrum(const kane_results *results, const evaluate_spectra *what, kane_errors *errors)
{
    spectra s = {.results = results, .what = what};
    const double *axis;
    char run[APP_RUN_TITLE], title[APP_RUN_TITLE + 96];
    s.is_distance = what->against && strcmp(what->against, "distance") == 0;
    int good      = find_channels(&s, errors) && find_section(&s, errors) && find_axis(&s, &axis, errors) &&
               compute(&s, axis, errors);
    if (good && (what->table || !what->picture))
        good = write_table(&s, errors);
    if (good && what->picture) {
        const double step = s.frequencies[1];
        good              = app_run_title(results, "", sizeof run, run, errors);
        (void)snprintf(title, sizeof title, "%s%spower spectral densities, a line every %.3g %s", run,
                       run[0] ? ": " : "", step, s.is_distance ? "1/m" : "Hz");
        good = good && draw(&s, title, errors);
    }
    clear(&s);
    return good;
}
