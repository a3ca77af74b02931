// SPDX-License-Identifier: MIT
// kane track --spectrum: the spectra that the rails have (Welch's method, behind the fade-in) and should have.

#include "app.h"

#include "base/number.h"
#include "math/statistics.h"

#include <stdlib.h>
#include <string.h>

enum { KINDS = KANE_GAUGE + 1, LINES = 120 };

static const double sample_step = 0.25, shortest = 1.0; // [m]
static const double window_least = 256.0, window_most = 1024.0;
static const double two_pi = 6.283185307179586477;
static const double SMOOTH = 1e-30; // a density that is less is none [m^3/rad]

// To the six digits that are written.
static double round_number(double value)
{
    char text[KANE_NUMBER_SIZE];
    kane_number_round(value, 6, text);
    return kane_number_value(text, strlen(text), 0);
}

static double *sample_rails(const kane_track *track, kane_irregularity_kind kind, double from, int count)
{
    double *x = malloc((size_t)count * sizeof *x);
    for (int i = 0; x && i < count; i++) {
        kane_rail_offset left, right;
        kane_track_rail(track, KANE_LEFT, from + i * sample_step, &left);
        kane_track_rail(track, KANE_RIGHT, from + i * sample_step, &right);
        x[i] = kane_irregularity_measure(kind, &left, &right);
    }
    return x;
}

// Densities of one kind at all wave numbers [rad/m], found, then wanted. Returns whether it is rough; -1 without
// memory.
static int find_densities(const kane_track *track, kane_irregularity_kind kind, double from, int count, int window,
                          const double O[LINES], double densities[2][LINES])
{
    double *x    = sample_rails(track, kind, from, count);
    int is_rough = x ? 0 : -1;
    for (int i = 0; i < LINES && x; i++) {
        densities[0][i] = kane_periodogram(count, sample_step, x, window, O[i]);
        densities[1][i] = kane_track_spectrum(track, kind, O[i]);
        is_rough |= densities[0][i] > SMOOTH;
    }
    free(x);
    return is_rough;
}

static void add_kind(kane_table *t, int kind, int is_rough, int is_wanted)
{
    static const char *const names[KINDS]  = {"lateral", "vertical", "cross_level", "gauge"};
    static const char *const panels[KINDS] = {"lateral, S [m^3/rad]", "vertical, S [m^3/rad]",
                                              "cross level, S [m^3/rad]", "gauge, S [m^3/rad]"};
    kane_table_add_columns(t, 2,
                           (const kane_table_column[]){
                               {.name  = names[kind],
                                .unit  = "m^3/rad",
                                .curve = {.panel = is_rough ? panels[kind] : "", .label = "found"}},
                               {.name  = kane_table_text(t, "%s_wanted", names[kind]),
                                .unit  = "m^3/rad",
                                .curve = {.panel = is_rough && is_wanted ? panels[kind] : "", .label = "wanted"}}});
}

// One table for all kinds; those that are smooth are not drawn, nor what is wanted of them. Without memory it has no
// arena.
static kane_table tabulate_spectra(const kane_track *track, double from, int count, int window)
{
    const double longest = window * sample_step / 4.0;
    double O[LINES], densities[KINDS][2][LINES];
    int is_rough = 0;
    kane_table t = kane_table_begin(kane_arena_create(), 2 + 2 * KINDS, LINES);
    t.has_nan    = 1;
    t.scale      = KANE_PLOT_LOG;
    kane_table_add_columns(
        &t, 2,
        (const kane_table_column[]){{.name = "wavenumber", .unit = "rad/m", .curve = {.panel = "wave number [rad/m]"}},
                                    {.name = "wavelength", .unit = "m", .curve = {.panel = ""}}});
    for (int i = 0; i < LINES; i++)
        O[i] = two_pi / longest * pow(longest / shortest, (double)i / (LINES - 1));
    for (int kind = 0; kind < KINDS && is_rough >= 0; kind++) {
        is_rough = find_densities(track, (kane_irregularity_kind)kind, from, count, window, O, densities[kind]);
        add_kind(&t, kind, is_rough > 0, densities[kind][1][0] > SMOOTH || densities[kind][1][LINES - 1] > SMOOTH);
    }
    for (int i = 0; i < LINES && is_rough >= 0; i++) {
        kane_table_put(&t, kane_cell_number(round_number(O[i])));
        kane_table_put(&t, kane_cell_number(round_number(two_pi / O[i])));
        for (int k = 0; k < 2 * KINDS; k++)
            kane_table_put(&t, kane_cell_number(round_number(densities[k / 2][k % 2][i])));
    }
    if (is_rough < 0) {
        kane_arena_free(t.arena);
        t.arena = NULL;
    }
    return t;
}

static int draw_spectra(kane_figure *f, const void *table, kane_errors *errors)
{
    kane_table_draw(table, f);
    f->plot.height = 300 * f->plot.panel_count;
    if (f->plot.panel_count == 0 && !kane_arena_failed(f->arena))
        kane_errors_add(errors, KANE_BAD_ARGUMENT, "there is no spectrum to draw: the rails are straight");
    return errors->count == 0;
}

int track_spectrum(const kane_track *track, const app_outputs *outputs, kane_errors *errors)
{
    const kane_track_definition *d = kane_track_get_definition(track);
    const double from   = d->fade_in_length > 0.0 ? fmax(0.0, d->fade_in_from + d->fade_in_length - d->start) : 0.0;
    const double length = kane_track_length(track) - from;
    if (!kane_track_is_irregular(track) || !(length >= window_least)) {
        kane_errors_add(errors, KANE_BAD_ARGUMENT,
                        "a spectrum needs irregularities on at least %g m behind the fade-in, this track has %g m",
                        window_least, kane_track_is_irregular(track) ? fmax(length, 0.0) : 0.0);
        return 0;
    }
    const int count                = (int)fmin(floor(length / sample_step), 4e6);
    const int window               = (int)(fmin(fmax(length / 8.0, window_least), window_most) / sample_step);
    const kane_table table         = tabulate_spectra(track, from, count, window);
    const kane_table_report report = {
        .title = d->name, .table_count = 1, .tables = &table, .draw = draw_spectra, .data = &table};
    const int good = app_write_report(outputs, KANE_TABLE_CSV, &report, errors);
    kane_arena_free(table.arena);
    return good;
}
