// SPDX-License-Identifier: MIT
// kane track --spectrum: the spectra that the rails have (Welch's method, behind the fade-in) and should have.

#include "app.h"

#include "base/number.h"
#include "math/statistics.h"

#include <stdio.h>
#include <stdlib.h>

enum { KINDS = KANE_GAUGE + 1, LINES = 120 };

static const double sample_step = 0.25, shortest = 1.0; // [m]
static const double window_least = 256.0, window_most = 1024.0;
static const double two_pi = 6.283185307179586477;

static const char *const names[KINDS] = {"lateral", "vertical", "cross level", "gauge"};

// What is printed: wave numbers, densities found and wanted.
typedef struct spectra {
    double O[LINES], found[KINDS][LINES], wanted[KINDS][LINES];
} spectra;

static double *sample(const kane_track *track, kane_irregularity_kind kind, double from, int count)
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

static int find(const kane_track *track, double from, int count, int window, spectra *out)
{
    const double longest = window * sample_step / 4.0;
    for (int i = 0; i < LINES; i++)
        out->O[i] = two_pi / longest * pow(longest / shortest, (double)i / (LINES - 1));
    for (int kind = 0; kind < KINDS; kind++) {
        double *x = sample(track, (kane_irregularity_kind)kind, from, count);
        if (!x)
            return 0;
        for (int i = 0; i < LINES; i++) {
            out->found[kind][i]  = kane_periodogram(count, sample_step, x, window, out->O[i]);
            out->wanted[kind][i] = kane_track_spectrum(track, (kane_irregularity_kind)kind, out->O[i]);
        }
        free(x);
    }
    return 1;
}

static void print_number(double value, char end)
{
    char text[KANE_NUMBER_SIZE];
    kane_number_round(value, 6, text);
    (void)printf("%s%c", text, end);
}

static void print(const spectra *s)
{
    (void)printf("wavenumber,wavelength,lateral,lateral_wanted,vertical,vertical_wanted,cross_level,cross_level_wanted,"
                 "gauge,gauge_wanted\nrad/m,m,m^3/rad,m^3/rad,m^3/rad,m^3/rad,m^3/rad,m^3/rad,m^3/rad,m^3/rad\n");
    for (int i = 0; i < LINES; i++) {
        print_number(s->O[i], ',');
        print_number(two_pi / s->O[i], ',');
        for (int kind = 0; kind < KINDS; kind++) {
            print_number(s->found[kind][i], ',');
            print_number(s->wanted[kind][i], kind + 1 < KINDS ? ',' : '\n');
        }
    }
}

// What is not zero.
static int drawn(const double *O, const double *density, double *x, double *y)
{
    int count = 0;
    for (int i = 0; i < LINES; i++)
        if (density[i] > 1e-30) {
            x[count]   = O[i];
            y[count++] = density[i];
        }
    return count;
}

static kane_status draw(const spectra *s, const char *picture, const char *name, kane_errors *errors)
{
    double x[KINDS][2][LINES], y[KINDS][2][LINES];
    kane_plot_curve curves[KINDS][2];
    kane_plot_panel panels[KINDS];
    char labels[KINDS][64];
    int count = 0;
    for (int kind = 0; kind < KINDS; kind++) {
        const int found  = drawn(s->O, s->found[kind], x[kind][0], y[kind][0]);
        const int wanted = drawn(s->O, s->wanted[kind], x[kind][1], y[kind][1]);
        if (found == 0)
            continue;
        (void)snprintf(labels[kind], sizeof labels[kind], "%s, S [m^3/rad]", names[kind]);
        curves[kind][0] = (kane_plot_curve){"found", found, x[kind][0], y[kind][0], .colour = 0};
        curves[kind][1] = (kane_plot_curve){"wanted", wanted, x[kind][1], y[kind][1], .colour = 1};
        panels[count++] = (kane_plot_panel){.x_label     = "wave number [rad/m]",
                                            .y_label     = labels[kind],
                                            .curve_count = wanted > 1 ? 2 : 1,
                                            .curves      = curves[kind],
                                            .x_scale     = KANE_PLOT_LOG,
                                            .y_scale     = KANE_PLOT_LOG};
    }
    const kane_plot plot = {.title = name, .height = 300 * count, .panel_count = count, .panels = panels};
    return kane_plot_draw(&plot, picture, errors);
}

kane_status track_spectrum(const kane_track *track, const char *picture, kane_errors *errors)
{
    const kane_track_definition *d = kane_track_get_definition(track);
    const double from   = d->fade_in_length > 0.0 ? fmax(0.0, d->fade_in_from + d->fade_in_length - d->start) : 0.0;
    const double length = kane_track_length(track) - from;
    if (!kane_track_is_irregular(track) || !(length >= window_least)) {
        kane_errors_add(errors, KANE_BAD_ARGUMENT,
                        "a spectrum needs irregularities on at least %g m behind the fade-in, this track has %g m",
                        window_least, kane_track_is_irregular(track) ? fmax(length, 0.0) : 0.0);
        return KANE_BAD_ARGUMENT;
    }
    const int count  = (int)fmin(floor(length / sample_step), 4e6);
    const int window = (int)(fmin(fmax(length / 8.0, window_least), window_most) / sample_step);
    spectra s;
    if (!find(track, from, count, window, &s)) {
        kane_errors_add(errors, KANE_NO_MEMORY, "%s", kane_status_text(KANE_NO_MEMORY));
        return KANE_NO_MEMORY;
    }
    print(&s);
    if (!picture)
        return KANE_OK;
    for (int kind = 0; kind < KINDS; kind++)
        for (int i = 0; i < LINES; i++)
            if (s.found[kind][i] > 1e-30)
                return draw(&s, picture, d->name, errors);
    kane_errors_add(errors, KANE_BAD_ARGUMENT, "there is no spectrum to draw: the rails are straight");
    return KANE_BAD_ARGUMENT;
}
