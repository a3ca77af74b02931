// SPDX-License-Identifier: MIT
// kane conicity: equivalent conicity of a wheelset on its rails.

#include "wheelset.h"

enum { AMPLITUDES_MOST = 100000 };

static const double GRID = 2e-5; // of shifts on which the rolling radius difference is known [m]

typedef struct arguments {
    app_wheelset_choice choice;
    app_outputs outputs;
    double distance, last, step;
    kane_axle axle;
} arguments;

static const app_option options[] = {
    {"amplitude", 'a', "M", 0, "largest amplitude [m] (default 0.01)", APP_POSITIVE(last, "amplitude", "m")},
    {"step", 'd', "M", 0, "smallest amplitude, and distance from one to the next [m] (default 0.001)",
     APP_POSITIVE(step, "step", "m")},
    {"distance", 'e', "M", 0, "distance between the contact points [m] (default 1.5)",
     APP_POSITIVE(distance, "distance", "m")},
    APP_OUTPUT_OPTION("", outputs),
    {"roll", 'r', NULL, 0, "let the wheelset roll (default: a level axle, as the reference values of EN 15302)",
     APP_TAKES(app_take_flag, axle, NULL, NULL, 0, KANE_AXLE_ROLLS)},
    {0},
};

static void check_arguments(void *all, struct argp_state *state)
{
    const arguments *a = all;
    if (a->last > 0.05)
        argp_error(state, "the amplitude must not be more than 0.05 m");
    app_wheelset_check(&a->choice, state);
}

// Of one amplitude; wave and turning points are those of the quadrature.
typedef enum quantity { AMPLITUDE, INTEGRATION, QUADRATURE, REGRESSION, WAVELENGTH, LOW, HIGH, QUANTITIES } quantity;

static const kane_table_column columns[QUANTITIES] = {
    {.name = "amplitude", .unit = "m"},
    {.name = "integration", .unit = "1", .curve = {.panel = "equivalent conicity [1]"}},
    {.name = "quadrature", .unit = "1", .curve = {.panel = "equivalent conicity [1]", .style = KANE_DASHED}},
    {.name = "regression", .unit = "1", .curve = {.panel = "equivalent conicity [1]"}},
    {.name = "wavelength", .unit = "m", .curve = {.panel = ""}},
    {.name = "low", .unit = "m", .curve = {.panel = ""}},
    {.name = "high", .unit = "m", .curve = {.panel = ""}},
};

static void print_note(kane_conicity_kind kind, double amplitude)
{
    if (kind == KANE_CONICITY_NONE)
        (void)fprintf(stderr, "note: there is no periodic motion with an amplitude of %g mm\n", 1e3 * amplitude);
    if (kind == KANE_CONICITY_NEGATIVE)
        (void)fprintf(stderr, "note: at an amplitude of %g mm the wheelset is driven away: negative conicity\n",
                      1e3 * amplitude);
}

// Amplitudes are the multiples of a step up to the last one.
static kane_table tabulate_conicity(kane_arena *arena, const kane_rolling *rolling, double step, double last,
                                    int with_notes)
{
    kane_table t = kane_table_begin(arena, QUANTITIES, (int)(last / step) + 1);
    t.has_nan    = 1;
    kane_table_add_columns(&t, QUANTITIES, columns);
    for (int i = 1; i * step <= last * (1.0 + 1e-9); i++) {
        const double y        = i * step;
        const kane_conicity q = kane_conicity_eval(rolling, KANE_CONICITY_QUADRATURE, y);
        kane_table_add_numbers(&t, QUANTITIES,
                               (const double[]){y, kane_conicity_eval(rolling, KANE_CONICITY_INTEGRATION, y).conicity,
                                                q.conicity,
                                                kane_conicity_eval(rolling, KANE_CONICITY_REGRESSION, y).conicity,
                                                q.wavelength, q.low, q.high});
        if (with_notes)
            print_note(q.kind, y);
    }
    return t;
}

// --- picture ---

enum { POINTS = 200 };

typedef struct picture {
    const kane_rolling *rolling;
    double last; // amplitude [m]
} picture;

// The difference is shown where the motions of all amplitudes are.
static int draw_conicity(kane_figure *figure, const void *data, kane_errors *errors)
{
    const picture *p      = data;
    const kane_table fine = tabulate_conicity(figure->arena, p->rolling, p->last / POINTS, p->last, 0);
    kane_table difference = kane_table_begin(figure->arena, 2, POINTS);
    double low = -p->last, high = p->last;
    (void)errors;
    for (int i = 0; i < fine.rows; i++) {
        low  = fmin(low, kane_table_at(&fine, i, LOW)->number);
        high = fmax(high, kane_table_at(&fine, i, HIGH)->number);
    }
    kane_table_add_columns(
        &difference, 2,
        (const kane_table_column[]){
            {.name = "shift", .unit = "m", .curve = {.panel = "shift y of the wheelset to the left [m]"}},
            {.name = "difference", .unit = "m", .curve = {.panel = "rolling radius difference [m]", .label = ""}}});
    for (int i = 0; i < POINTS; i++) {
        const double y = low + (high - low) * i / (POINTS - 1);
        kane_table_add_numbers(&difference, 2, (const double[]){y, kane_rolling_difference(p->rolling, y)});
    }
    kane_table_draw(&fine, figure);
    kane_table_draw(&difference, figure);
    return 1;
}

static int write_conicity(const arguments *a, const char *title, const kane_rolling *rolling, kane_errors *errors)
{
    const picture p                = {rolling, a->last};
    const kane_table t             = tabulate_conicity(kane_arena_create(), rolling, a->step, a->last, 1);
    const kane_table_report report = {
        .title = title, .table_count = 1, .tables = &t, .draw = draw_conicity, .data = &p};
    const int good = app_write_report(&a->outputs, KANE_TABLE_CSV, &report, errors);
    kane_arena_free(t.arena);
    return good;
}

int command_conicity(int argc, char **argv)
{
    static const app_command command = APP_COMMAND_WITH(
        options, app_wheelset_options, choice, "[VEHICLE.json]", "vehicle file", choice.file, 1, check_arguments,
        "Equivalent conicity of a wheelset, of a vehicle or as options describe it, on the rails of a track "
        "as EN 15302 has it: prints a table (CSV: names, units, rows) over the amplitude, found by "
        "integration along the track, by quadrature, and as the slope of the nearest line; draws it with "
        "--output.");
    arguments a = {
        .choice = app_wheelset_choice_default(), .axle = KANE_AXLE_LEVEL, .distance = 1.5, .last = 0.01, .step = 0.001};
    kane_errors errors = {0};
    app_wheelset wheelset;
    app_parse(&command, argc, argv, &a);
    if (a.last / a.step > AMPLITUDES_MOST) {
        (void)fprintf(stderr, "kane conicity: a step of %g m makes more than %d rows\n", a.step, AMPLITUDES_MOST);
        return EXIT_USAGE;
    }
    if (!app_wheelset_open(&a.choice, &wheelset, &errors))
        return app_fail(&errors);
    // the middle of the motion may lie aside
    kane_rolling *rolling = kane_rolling_create(wheelset.contact, a.axle, a.last + 0.01, GRID, a.distance, &errors);
    const int good        = rolling && write_conicity(&a, wheelset.title, rolling, &errors);
    kane_rolling_free(rolling);
    app_wheelset_close(&wheelset);
    return good ? EXIT_DONE : app_fail(&errors);
}
