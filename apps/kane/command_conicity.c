// SPDX-License-Identifier: MIT
// kane conicity: equivalent conicity of a wheelset on its rails.

#include "wheelset.h"

#include <stdio.h>
#include <stdlib.h>

enum { AMPLITUDES_MOST = 100000 };

static const double GRID = 2e-5; // of shifts on which the rolling radius difference is known [m]

typedef struct arguments {
    app_wheelset_choice choice;
    const char *picture, *table;
    double distance, last, step;
    kane_axle axle;
} arguments;

static const struct argp_option options[] = {
    APP_WHEELSET_OPTIONS,
    {"amplitude", 'a', "M", 0, "largest amplitude [m] (default 0.01)", 0},
    {"csv", 'c', "FILE", 0, "table to a file instead of standard output", 0},
    {"step", 'd', "M", 0, "smallest amplitude, and distance from one to the next [m] (default 0.001)", 0},
    {"distance", 'e', "M", 0, "distance between the contact points [m] (default 1.5)", 0},
    {"output", 'o', "FILE", 0, "picture: FILE.svg or FILE.png", 0},
    {"roll", 'r', NULL, 0, "let the wheelset roll (default: a level axle, as the reference values of EN 15302)", 0},
    {0},
};

static error_t parse(int key, char *value, struct argp_state *state)
{
    arguments *a = state->input;
    switch (key) {
    case 'a':
        a->last = app_take_positive(value, "amplitude", "m", state);
        if (a->last > 0.05)
            argp_error(state, "the amplitude must not be more than 0.05 m");
        break;
    case 'c': a->table = value; break;
    case 'd': a->step = app_take_positive(value, "step", "m", state); break;
    case 'e': a->distance = app_take_positive(value, "distance", "m", state); break;
    case 'o': a->picture = app_take_picture(value, state); break;
    case 'r': a->axle = KANE_AXLE_ROLLS; break;
    default: return app_wheelset_parse(key, value, state, &a->choice);
    }
    return 0;
}

// Of one amplitude; wave and turning points are those of the quadrature.
typedef enum quantity { AMPLITUDE, INTEGRATION, QUADRATURE, REGRESSION, WAVELENGTH, LOW, HIGH, QUANTITIES } quantity;

static const char *const names = "amplitude,integration,quadrature,regression,wavelength,low,high\nm,1,1,1,m,m,m\n";

// Returns what kind of motion there is.
static kane_conicity_kind eval(const kane_rolling *rolling, double amplitude, double row[QUANTITIES])
{
    const kane_conicity q = kane_conicity_eval(rolling, KANE_CONICITY_QUADRATURE, amplitude);
    row[AMPLITUDE]        = amplitude;
    row[INTEGRATION]      = kane_conicity_eval(rolling, KANE_CONICITY_INTEGRATION, amplitude).conicity;
    row[QUADRATURE]       = q.conicity;
    row[REGRESSION]       = kane_conicity_eval(rolling, KANE_CONICITY_REGRESSION, amplitude).conicity;
    row[WAVELENGTH]       = q.wavelength;
    row[LOW]              = q.low;
    row[HIGH]             = q.high;
    return q.kind;
}

static void tell(kane_conicity_kind kind, double amplitude)
{
    if (kind == KANE_CONICITY_NONE)
        (void)fprintf(stderr, "note: there is no periodic motion with an amplitude of %g mm\n", 1e3 * amplitude);
    if (kind == KANE_CONICITY_NEGATIVE)
        (void)fprintf(stderr, "note: at an amplitude of %g mm the wheelset is driven away: negative conicity\n",
                      1e3 * amplitude);
}

static int write_table(const arguments *a, const kane_rolling *rolling, kane_errors *errors)
{
    FILE *table = app_open_table(a->table, errors);
    if (!table)
        return 0;
    (void)fprintf(table, "%s", names);
    for (int i = 1; i * a->step <= a->last * (1.0 + 1e-9); i++) {
        double row[QUANTITIES];
        const kane_conicity_kind kind = eval(rolling, i * a->step, row);
        app_print_row(table, QUANTITIES, row);
        tell(kind, i * a->step);
    }
    return app_close_table(table, a->table, errors);
}

// --- picture ---

enum { POINTS = 200 };

typedef struct points {
    double shift[POINTS], difference[POINTS]; // [mm]
    double rows[QUANTITIES][POINTS];          // amplitude in mm
} points;

// The difference is shown where the motions of all amplitudes are.
static void fill(points *p, const kane_rolling *rolling, double last)
{
    double low = -last, high = last;
    for (int i = 0; i < POINTS; i++) {
        double row[QUANTITIES];
        (void)eval(rolling, last * (i + 1) / POINTS, row);
        for (int q = 0; q < QUANTITIES; q++)
            p->rows[q][i] = row[q];
        p->rows[AMPLITUDE][i] *= 1e3;
        low  = fmin(low, row[LOW]);
        high = fmax(high, row[HIGH]);
    }
    for (int i = 0; i < POINTS; i++) {
        const double y   = low + (high - low) * i / (POINTS - 1);
        p->shift[i]      = 1e3 * y;
        p->difference[i] = 1e3 * kane_rolling_difference(rolling, y);
    }
}

static kane_status draw(const arguments *a, const char *title, const points *p, kane_errors *errors)
{
    static const char *const labels[] = {"integration", "quadrature", "regression"};
    const kane_plot_curve difference  = {.count = POINTS, .x = p->shift, .y = p->difference};
    kane_plot_curve curves[3];
    for (int k = 0; k < 3; k++)
        curves[k] = (kane_plot_curve){.label  = labels[k],
                                      .count  = POINTS,
                                      .x      = p->rows[AMPLITUDE],
                                      .y      = p->rows[INTEGRATION + k],
                                      .style  = k == 1 ? KANE_DASHED : KANE_SOLID,
                                      .colour = k};
    const kane_plot_panel panels[] = {
        {.x_label = "amplitude [mm]", .y_label = "equivalent conicity [1]", .curve_count = 3, .curves = curves},
        {.x_label     = "shift y of the wheelset to the left [mm]",
         .y_label     = "rolling radius difference [mm]",
         .curve_count = 1,
         .curves      = &difference},
    };
    const kane_plot plot = {.title = title, .panel_count = 2, .panels = panels};
    return kane_plot_draw(&plot, a->picture, errors);
}

static int draw_fine(const arguments *a, const char *title, const kane_rolling *rolling, kane_errors *errors)
{
    points *p = calloc(1, sizeof *p);
    int good  = p != NULL;
    if (good) {
        fill(p, rolling, a->last);
        good = draw(a, title, p, errors) == KANE_OK;
    } else {
        kane_errors_add(errors, KANE_NO_MEMORY, "out of memory");
    }
    free(p);
    return good;
}

int command_conicity(int argc, char **argv)
{
    const struct argp argp = {
        options,
        parse,
        "[VEHICLE.json]",
        "Equivalent conicity of a wheelset, of a vehicle or as options describe it, on the rails of a track as EN "
        "15302 has it: prints a table (CSV: names, units, rows) over the amplitude, found by integration along the "
        "track, by quadrature, and as the slope of the nearest line; draws it with --output.",
        NULL,
        NULL,
        NULL};
    arguments a = {
        .choice = app_wheelset_choice_default(), .axle = KANE_AXLE_LEVEL, .distance = 1.5, .last = 0.01, .step = 0.001};
    kane_errors errors = {0};
    app_wheelset wheelset;
    app_parse(&argp, argc, argv, &a);
    if (a.last / a.step > AMPLITUDES_MOST) {
        (void)fprintf(stderr, "kane conicity: a step of %g m makes more than %d rows\n", a.step, AMPLITUDES_MOST);
        return EXIT_USAGE;
    }
    if (!app_wheelset_open(&a.choice, &wheelset, &errors))
        return app_fail(&errors);
    // the middle of the motion may lie aside
    kane_rolling *rolling = kane_rolling_create(wheelset.contact, a.axle, a.last + 0.01, GRID, a.distance, &errors);
    const int good =
        rolling && write_table(&a, rolling, &errors) && (!a.picture || draw_fine(&a, wheelset.title, rolling, &errors));
    kane_rolling_free(rolling);
    app_wheelset_close(&wheelset);
    return good ? EXIT_DONE : app_fail(&errors);
}
