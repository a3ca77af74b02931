// SPDX-License-Identifier: MIT
// kane evaluate --psd: power spectral densities of channels by Welch's method, as a table and drawn with both axes
// logarithmic; or how much those of other results differ.

#include "app.h"

#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    CHANNELS_MOST = 64,
    WINDOWS       = 8,
    LEAST         = 16,
    LABEL         = 200
}; // LEAST: rows of a window; LABEL: of results, by their file

static const double constant = 1e-12; // a channel whose rms about its mean is less, times its largest size

typedef struct spectra {
    const kane_results *results;
    const char *of; // which results, before the names of their channels; "": there are no others
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
        kane_sampling_apply(&s->sampling, s->rows, axis, x, s->rows_even);
        if (kane_welch(s->sampling.count, s->sampling.step, s->rows_even, s->size, s->frequencies, s->densities[i],
                       errors) != KANE_OK)
            return 0;
    }
    if (!good)
        (void)kane_no_memory(errors);
    return good;
}

// --- table and picture ---

// "m^2/Hz", "(m/s^2)^2 m"; columns of a file without units have none
static const char *density_unit(const spectra *s, kane_table *t, const char *unit)
{
    const int is_simple = strpbrk(unit, "/^ *") == NULL;
    const char *per     = s->is_distance ? " m" : "/Hz";
    if (strcmp(unit, "1") == 0 || !unit[0])
        return s->is_distance ? "m" : "1/Hz";
    return kane_table_text(t, is_simple ? "%s^2%s" : "(%s)^2%s", unit, per);
}

// Whether a channel is more than its mean: df sum(S) is its variance.
static int has_variation(const spectra *s, int channel)
{
    double variance = 0.0;
    for (int line = 1; line < s->lines; line++)
        variance += s->densities[channel][line] * s->frequencies[1];
    return sqrt(variance) > constant * s->largest[channel];
}

static void add_channel_columns(kane_table *t, const spectra *s)
{
    for (int i = 0; i < s->count; i++) {
        const kane_column *of = kane_results_column(s->results, s->columns[i]);
        const char *unit      = density_unit(s, t, of->unit);
        const char *panel     = has_variation(s, i) ? kane_table_text(t, "density [%s]", unit) : "";
        const char *name      = s->of[0] ? kane_table_text(t, "%s: %s", s->of, of->name) : of->name;
        kane_table_add_columns(t, 1, &(kane_table_column){.name = name, .unit = unit, .curve = {.panel = panel}});
    }
}

// Of `runs` results, which have the same frequencies.
static kane_table tabulate_spectra(int runs, const spectra *s)
{
    kane_table t = kane_table_begin(kane_arena_create(), runs * s->count + 1, s->lines);
    t.has_nan    = 1;
    t.scale      = KANE_PLOT_LOG;
    kane_table_add_columns(
        &t, 1,
        &(kane_table_column){.name  = "frequency",
                             .unit  = s->is_distance ? "1/m" : "Hz",
                             .curve = {.panel = s->is_distance ? "wave number [1/m]" : "frequency [Hz]"}});
    for (int r = 0; r < runs; r++)
        add_channel_columns(&t, &s[r]);
    for (int line = 0; line < s->lines; line++) {
        kane_table_put(&t, kane_cell_number(s->frequencies[line]));
        for (int r = 0; r < runs; r++)
            for (int i = 0; i < s[r].count; i++)
                kane_table_put(&t, kane_cell_number(s[r].densities[i][line]));
    }
    return t;
}

static int draw_spectra(kane_figure *f, const void *table, kane_errors *errors)
{
    kane_table_draw(table, f);
    if (f->plot.panel_count == 0 && !kane_arena_failed(f->arena))
        kane_errors_add(errors, KANE_BAD_ARGUMENT, "there is nothing to draw: the channels are constant");
    return errors->count == 0;
}

static int write_spectra(int runs, const spectra *s, const app_outputs *outputs, kane_errors *errors)
{
    char run[APP_RUN_TITLE], title[APP_RUN_TITLE + 96];
    if (!app_run_title(s->results, "", sizeof run, run, errors))
        return 0;
    (void)snprintf(title, sizeof title, "%s%spower spectral densities, a line every %.3g %s", run, run[0] ? ": " : "",
                   s->frequencies[1], s->is_distance ? "1/m" : "Hz");
    const kane_table table         = tabulate_spectra(runs, s);
    const kane_table_report report = {
        .title = title, .table_count = 1, .tables = &table, .draw = draw_spectra, .data = &table};
    const int good =
        app_write_report(outputs, outputs->count > 0 ? KANE_TABLE_FORMATS : KANE_TABLE_CSV, &report, errors);
    kane_arena_free(table.arena);
    return good;
}

// --- how much others differ ---

// What the levels 10 log10 S of other results differ by from those of the first ones, in a band.
typedef struct level_difference {
    const spectra *of;
    double all, by_channel[CHANNELS_MOST]; // effective values over all lines and channels, and of each channel [dB]
} level_difference;

// 0 with an error where there is nothing to compare.
static int measure_difference(const spectra *first, const spectra *other, level_difference *d, kane_errors *errors)
{
    const double *band = first->what->compare.values;
    double sum         = 0.0;
    int lines          = 0;
    d->of              = other;
    for (int line = 1; line < first->lines; line++)
        lines += first->frequencies[line] >= band[0] && first->frequencies[line] <= band[1];
    for (int i = 0; i < first->count; i++) {
        const char *name      = kane_results_column(first->results, first->columns[i])->name;
        const char *same      = i < other->count ? kane_results_column(other->results, other->columns[i])->name : "";
        double sum_of_channel = 0.0;
        if (strcmp(name, same) != 0 || first->count != other->count) {
            kane_errors_add(errors, KANE_BAD_ARGUMENT, "%s: has not the same channels as the first results: no '%s'",
                            other->of, name);
            return 0;
        }
        for (int line = 1; line < first->lines; line++)
            if (first->frequencies[line] >= band[0] && first->frequencies[line] <= band[1]) {
                const double by = 10.0 * log10(other->densities[i][line] / first->densities[i][line]);
                sum_of_channel += by * by;
            }
        d->by_channel[i] = sqrt(sum_of_channel / lines);
        sum += sum_of_channel;
    }
    d->all = sqrt(sum / (lines * first->count));
    if (isfinite(d->all))
        return 1;
    kane_errors_add(errors, KANE_BAD_ARGUMENT, "%s: levels from %g to %g %s cannot be compared: %s", other->of, band[0],
                    band[1], first->is_distance ? "1/m" : "Hz",
                    lines > 0 ? "a density is zero" : "no frequency is there");
    return 0;
}

static int order_differences(const void *a, const void *b)
{
    const double one = ((const level_difference *)a)->all, other = ((const level_difference *)b)->all;
    return (one > other) - (one < other);
}

// A row for each of the other results, the nearest first.
static kane_table tabulate_differences(int count, const level_difference *d, const spectra *first)
{
    kane_table t = kane_table_begin(kane_arena_create(), first->count + 2, count);
    kane_table_add_columns(&t, 2,
                           (const kane_table_column[]){
                               {.name = "results", .unit = "", .text = {.head = "results", .width = -1}},
                               {.name = "difference", .unit = "dB", .text = {"difference [dB]", 1.0, .digits = 3}}});
    for (int i = 0; i < first->count; i++) {
        const char *name = kane_results_column(first->results, first->columns[i])->name;
        kane_table_add_columns(&t, 1,
                               &(kane_table_column){.name = name, .unit = "dB", .text = {name, 1.0, .digits = 3}});
    }
    for (int k = 0; k < count; k++) {
        kane_table_add(&t, 2, (const kane_cell[]){kane_cell_text(d[k].of->of), kane_cell_number(d[k].all)});
        kane_table_add_numbers(&t, first->count, d[k].by_channel);
    }
    return t;
}

static int write_differences(int runs, const spectra *s, const app_outputs *outputs, kane_errors *errors)
{
    level_difference *d = calloc((size_t)runs, sizeof *d);
    int good            = d != NULL || kane_no_memory(errors) == KANE_OK;
    for (int r = 1; r < runs && good; r++)
        good = measure_difference(s, &s[r], &d[r - 1], errors);
    if (good) {
        qsort(d, (size_t)runs - 1, sizeof *d, order_differences);
        const kane_table table         = tabulate_differences(runs - 1, d, s);
        const kane_table_report report = {.table_count = 1, .tables = &table};
        good                           = app_write_report(outputs, KANE_TABLE_TEXT, &report, errors);
        kane_arena_free(table.arena);
    }
    free(d);
    return good;
}

static int make_spectra(spectra *s, kane_errors *errors)
{
    const double *axis;
    s->is_distance = s->what->against && strcmp(s->what->against, "distance") == 0;
    return find_channels(s, errors) && find_section(s, errors) && find_axis(s, &axis, errors) &&
           compute(s, axis, errors);
}

// Those of other results must have the frequencies of the first ones.
static int add_spectra(spectra *s, const spectra *first, const char *file, kane_errors *errors)
{
    if (!s->results || !make_spectra(s, errors))
        return 0;
    const double f = s->frequencies[1], wanted = first->frequencies[1];
    if (s->lines == first->lines && fabs(f - wanted) <= 1e-9 * wanted)
        return 1;
    kane_errors_add(errors, KANE_BAD_ARGUMENT,
                    "%s: %d frequencies %g apart, the first results have %d, %g apart: give both the same interval of "
                    "output and --resolution",
                    file, s->lines, f, first->lines, wanted);
    return 0;
}

// Of `runs` results, the first of which are open already: 0 with errors. Those that are opened here come to `others`.
static int make_all(int runs, const spectra *like, const char *name, kane_results **others, char (*of)[LABEL],
                    spectra *s, kane_errors *errors)
{
    for (int r = 0; r < runs; r++) {
        const char *file = r == 0 ? name : like->what->beside.texts[r - 1];
        s[r]             = *like;
        s[r].of          = of[r];
        if (runs > 1)
            (void)snprintf(of[r], sizeof of[r], "%s", file);
        if (r > 0)
            s[r].results = others[r] = kane_results_open(file, errors);
        if (r == 0 ? !make_spectra(s, errors) : !add_spectra(&s[r], s, file, errors))
            return 0;
    }
    return 1;
}

int evaluate_spectrum(const kane_results *results, const char *name, const evaluate_spectra *what,
                      const app_outputs *outputs, kane_errors *errors)
{
    const int runs        = 1 + what->beside.count;
    const spectra like    = {.results = results, .what = what};
    spectra *s            = calloc((size_t)runs, sizeof *s);
    char(*of)[LABEL]      = calloc((size_t)runs, sizeof *of);
    kane_results **others = calloc((size_t)runs, sizeof *others);
    int good              = s && of && others;
    if (!good)
        (void)kane_no_memory(errors);
    good = good && make_all(runs, &like, name, others, of, s, errors) &&
           (what->compare.count > 0 ? write_differences : write_spectra)(runs, s, outputs, errors);
    for (int r = 0; r < runs && s && others; r++) {
        clear(&s[r]);
        kane_results_free(others[r]);
    }
    free(s);
    free(of);
    free(others);
    return good;
}
