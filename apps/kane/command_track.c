// SPDX-License-Identifier: MIT
// kane track: tabulates and draws a line and how frames turn on it.

#include "app.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_MOST = 10000000 };

typedef struct arguments {
    const char *file, *picture;
    double step, speed, acceleration;
    int spectrum;
    app_texts settings;
} arguments;

static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0, "picture: FILE.svg or FILE.png", 0},
    {"step", 'd', "M", 0, "distance between rows [m] (default: a hundredth of the line)", 0},
    {"speed", 'v', "V", 0, "speed for omega and epsilon [m/s] (default 20)", 0},
    {"acceleration", 'a', "A", 0, "acceleration for epsilon [m/s^2] (default 0)", 0},
    {"set", 's', "PATH=VALUE", APP_SETS, "change a value of the track", 0},
    {"spectrum", 'p', NULL, 0, "the spectra of the irregularities instead of the line", 0},
    {0},
};

static error_t parse(int key, char *value, struct argp_state *state)
{
    arguments *a = state->input;
    switch (key) {
    case 'o': a->picture = app_take_picture(value, state); break;
    case 'd':
        a->step = app_take_number(value, state);
        if (!(a->step > 0.0))
            argp_error(state, "the step must be positive");
        break;
    case 'v': a->speed = app_take_number(value, state); break;
    case 'a': a->acceleration = app_take_number(value, state); break;
    case 's': app_collect(&a->settings, value, state); break;
    case 'p': a->spectrum = 1; break;
    default: return app_take_file(key, value, state, "track file", &a->file);
    }
    return 0;
}

// Quantities of one row.
typedef enum quantity {
    S,
    CURVATURE,
    CANT,
    GRADE,
    HEADING,
    X,
    Y,
    Z,
    KAPPA,
    TAU,
    OMEGA_X,
    OMEGA_Y,
    OMEGA_Z,
    EPSILON_X,
    EPSILON_Y,
    EPSILON_Z,
    LEFT_LATERAL, // from here on only of rails that are not straight
    LEFT_VERTICAL,
    RIGHT_LATERAL,
    RIGHT_VERTICAL,
    LEFT_FRICTION, // from here on only of rails whose friction changes
    RIGHT_FRICTION,
    QUANTITIES
} quantity;

static const char *const names[QUANTITIES] = {"chainage",
                                              "curvature",
                                              "superelevation",
                                              "grade",
                                              "heading",
                                              "x",
                                              "y",
                                              "z",
                                              "kappa",
                                              "tau",
                                              "omega_x",
                                              "omega_y",
                                              "omega_z",
                                              "epsilon_x",
                                              "epsilon_y",
                                              "epsilon_z",
                                              "left_lateral",
                                              "left_vertical",
                                              "right_lateral",
                                              "right_vertical",
                                              "left_friction",
                                              "right_friction"};
static const char *const units[QUANTITIES] = {"m",   "1/m", "m",     "1",     "rad",   "m",       "m",       "m",
                                              "1/m", "1/m", "rad/s", "rad/s", "rad/s", "rad/s^2", "rad/s^2", "rad/s^2",
                                              "m",   "m",   "m",     "m",     "1",     "1"};

static int is_shown(const kane_track *track, quantity q)
{
    return q < LEFT_LATERAL ||
           (q < LEFT_FRICTION ? kane_track_is_irregular(track) : kane_track_friction_changes(track));
}

static void eval(const kane_track *track, const arguments *a, int piece, double s, double row[QUANTITIES])
{
    kane_track_frame frame;
    kane_track_state line;
    kane_transport T = kane_transport_rest();
    kane_track_eval(track, piece, s, &frame);
    kane_track_describe(track, piece, s, &line);
    kane_track_transport(&frame, a->speed, a->acceleration, &T);
    kane_rail_offset left, right;
    kane_track_rail(track, KANE_LEFT, s, &left);
    kane_track_rail(track, KANE_RIGHT, s, &right);
    const kane_vec3 at              = kv3_add(kane_track_anchor(track, piece), frame.origin);
    const double chainage           = kane_track_get_definition(track)->start;
    const double values[QUANTITIES] = {chainage + s,
                                       line.curvature,
                                       line.superelevation,
                                       line.grade,
                                       line.psi,
                                       at.x,
                                       at.y,
                                       at.z,
                                       line.kappa,
                                       line.tau,
                                       T.omega.x,
                                       T.omega.y,
                                       T.omega.z,
                                       T.epsilon.x,
                                       T.epsilon.y,
                                       T.epsilon.z,
                                       left.y,
                                       left.z,
                                       right.y,
                                       right.z,
                                       kane_track_friction(track, KANE_LEFT, s),
                                       kane_track_friction(track, KANE_RIGHT, s)};
    memcpy(row, values, sizeof values);
}

// A grid from the beginning to the end, and both sides of every border of a piece, so that jumps are seen as jumps.
typedef struct grid {
    int count, room;
    double *column[QUANTITIES];
} grid;

static int add_row(grid *g, const kane_track *track, const arguments *a, int piece, double s)
{
    double row[QUANTITIES];
    if (g->count == g->room) {
        g->room = g->room ? 2 * g->room : 512;
        for (int q = 0; q < QUANTITIES; q++) {
            double *larger = realloc(g->column[q], (size_t)g->room * sizeof *larger);
            if (!larger)
                return 0;
            g->column[q] = larger;
        }
    }
    eval(track, a, piece, s, row);
    for (int q = 0; q < QUANTITIES; q++)
        g->column[q][g->count] = row[q];
    g->count++;
    return 1;
}

static int fill(grid *g, const kane_track *track, const arguments *a, double step)
{
    for (int piece = 0; piece < kane_track_piece_count(track); piece++) {
        const double from = kane_track_piece_start(track, piece), to = kane_track_piece_start(track, piece + 1);
        if (!add_row(g, track, a, piece, from))
            return 0;
        for (double k = floor(from / step) + 1.0; k * step < to; k += 1.0)
            if (!add_row(g, track, a, piece, k * step))
                return 0;
        if (!add_row(g, track, a, piece, to))
            return 0;
    }
    return 1;
}

static void print(const grid *g, const kane_track *track)
{
    for (int q = 0; q < QUANTITIES; q++)
        if (is_shown(track, (quantity)q))
            (void)printf("%s%s", q ? "," : "", names[q]);
    (void)printf("\n");
    for (int q = 0; q < QUANTITIES; q++)
        if (is_shown(track, (quantity)q))
            (void)printf("%s%s", q ? "," : "", units[q]);
    (void)printf("\n");
    for (int i = 0; i < g->count; i++) {
        double row[QUANTITIES];
        int count = 0;
        for (int q = 0; q < QUANTITIES; q++)
            if (is_shown(track, (quantity)q))
                row[count++] = g->column[q][i];
        app_print_row(stdout, count, row);
    }
}

static kane_status draw(const grid *g, const arguments *a, const kane_track *track, kane_errors *errors)
{
    static const char *const sides[] = {"left", "right"};
    static const struct {
        quantity first;
        int count, stride; // curves, and from one to the next
        const char *label;
    } layout[] = {{CURVATURE, 1, 1, "curvature [1/m]"}, {CANT, 1, 1, "superelevation [m]"},
                  {KAPPA, 1, 1, "kappa [1/m]"},         {TAU, 1, 1, "torsion tau [1/m]"},
                  {OMEGA_X, 3, 1, "omega [rad/s]"},     {EPSILON_X, 3, 1, "epsilon [rad/s²]"},
                  {LEFT_LATERAL, 2, 2, "rails, y [m]"}, {LEFT_VERTICAL, 2, 2, "rails, z [m]"},
                  {LEFT_FRICTION, 2, 1, "friction [1]"}};
    enum { PANELS = sizeof layout / sizeof *layout };
    kane_plot_panel panels[PANELS];
    kane_plot_curve curves[PANELS][3];
    char title[256];
    int count = 0;
    for (int p = 0; p < PANELS; p++) {
        const int is_of_rails = layout[p].first >= LEFT_LATERAL;
        if (!is_shown(track, layout[p].first))
            continue;
        for (int k = 0; k < layout[p].count; k++)
            curves[p][k] = (kane_plot_curve){.label  = layout[p].count == 1 ? NULL
                                                       : is_of_rails        ? sides[k]
                                                                            : kane_axis_name(k),
                                             .count  = g->count,
                                             .x      = g->column[S],
                                             .y      = g->column[layout[p].first + (quantity)(k * layout[p].stride)],
                                             .colour = k};
        panels[count++] = (kane_plot_panel){
            .x_label = "chainage [m]", .y_label = layout[p].label, .curve_count = layout[p].count, .curves = curves[p]};
    }
    (void)snprintf(title, sizeof title, "%s; omega and epsilon at v = %g m/s, a = %g m/s²",
                   kane_track_get_definition(track)->name, a->speed, a->acceleration);
    const kane_plot plot = {.title = title, .height = 240 * count, .panel_count = count, .panels = panels};
    return kane_plot_draw(&plot, a->picture, errors);
}

static void empty(grid *g)
{
    for (int q = 0; q < QUANTITIES; q++)
        free(g->column[q]);
}

// A picture has its own grid: a table with few rows would make a line of corners. Irregularities are drawn every half
// metre, on lines of more than 10 km by 20000 points.
static int draw_fine(const arguments *a, const kane_track *track, kane_errors *errors)
{
    const double length = kane_track_length(track);
    const double step =
        fmin(length / 500.0, kane_track_is_irregular(track) ? fmax(0.5, length / 20000.0) : length / 500.0);
    grid g         = {0};
    const int good = fill(&g, track, a, step) && draw(&g, a, track, errors) == KANE_OK;
    empty(&g);
    return good;
}

int command_track(int argc, char **argv)
{
    const struct argp argp = {
        options,
        parse,
        "TRACK.json",
        "Prints a line as a table (CSV: names, units, rows): curvature, superelevation, grade, position, "
        "kappa, tau, and how a frame on it turns at a speed and an acceleration; draws it with --output.",
        NULL,
        NULL,
        NULL};
    arguments a        = {.speed = 20.0};
    kane_errors errors = {0};
    app_parse(&argp, argc, argv, &a);

    kane_track *track = kane_track_read(a.file, a.settings.texts, &errors);
    if (!track)
        return app_fail(&errors);
    if (a.spectrum) {
        const kane_status status = track_spectrum(track, a.picture, &errors);
        kane_track_free(track);
        return status == KANE_OK ? EXIT_DONE : app_fail(&errors);
    }
    const double length = kane_track_length(track);
    grid g              = {0};
    const double step   = a.step > 0.0 ? a.step : length / 100.0;
    if (length / step > ROWS_MOST) {
        (void)fprintf(stderr, "kane track: a step of %g m makes more than %d rows of a line of %g m\n", step, ROWS_MOST,
                      length);
        kane_track_free(track);
        return EXIT_USAGE;
    }
    int good = fill(&g, track, &a, step);
    if (good) {
        print(&g, track);
        good = !a.picture || draw_fine(&a, track, &errors);
    }
    empty(&g);
    kane_track_free(track);
    return good ? EXIT_DONE : app_fail(&errors);
}
