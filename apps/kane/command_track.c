// SPDX-License-Identifier: MIT
// kane track: tabulates and draws a line and how frames turn on it.

#include "app.h"

enum { ROWS_MOST = 10000000 };

typedef struct arguments {
    const char *file;
    app_outputs outputs;
    double step, speed, acceleration;
    int spectrum;
    app_texts settings;
} arguments;

static const app_option options[] = {
    APP_OUTPUT_OPTION("", outputs),
    {"step", 'd', "M", 0, "distance between rows [m] (default: a hundredth of the line)",
     APP_POSITIVE(step, "step", "m")},
    {"speed", 'v', "V", 0, "speed for omega and epsilon [m/s] (default 20)", APP_QUANTITY(speed, "m/s")},
    {"acceleration", 'a', "A", 0, "acceleration for epsilon [m/s^2] (default 0)", APP_QUANTITY(acceleration, "m/s^2")},
    {"set", 's', "PATH=VALUE", APP_SETS, "change a value of the track", APP_TEXTS(settings)},
    {"spectrum", 'p', NULL, 0, "the spectra of the irregularities instead of the line", APP_FLAG(spectrum)},
    {0},
};

// Columns: from the first number on those of rails that are not straight, from the second on those of rails whose
// friction changes.
enum { IRREGULAR = 16, FRICTION = 20, QUANTITIES = 22 };

static const kane_table_column columns[QUANTITIES] = {
    {.name = "chainage", .unit = "m", .curve = {.panel = "chainage [m]"}},
    {.name = "curvature", .unit = "1/m", .curve = {.panel = "curvature [1/m]", .label = ""}},
    {.name = "superelevation", .unit = "m", .curve = {.panel = "superelevation [m]", .label = ""}},
    {.name = "grade", .unit = "1", .curve = {.panel = ""}},
    {.name = "heading", .unit = "rad", .curve = {.panel = ""}},
    {.name = "x", .unit = "m", .curve = {.panel = ""}},
    {.name = "y", .unit = "m", .curve = {.panel = ""}},
    {.name = "z", .unit = "m", .curve = {.panel = ""}},
    {.name = "kappa", .unit = "1/m", .curve = {.panel = "kappa [1/m]", .label = ""}},
    {.name = "tau", .unit = "1/m", .curve = {.panel = "torsion tau [1/m]", .label = ""}},
    {.name = "omega_x", .unit = "rad/s", .curve = {.panel = "omega [rad/s]", .label = "x"}},
    {.name = "omega_y", .unit = "rad/s", .curve = {.panel = "omega [rad/s]", .label = "y"}},
    {.name = "omega_z", .unit = "rad/s", .curve = {.panel = "omega [rad/s]", .label = "z"}},
    {.name = "epsilon_x", .unit = "rad/s^2", .curve = {.panel = "epsilon [rad/s²]", .label = "x"}},
    {.name = "epsilon_y", .unit = "rad/s^2", .curve = {.panel = "epsilon [rad/s²]", .label = "y"}},
    {.name = "epsilon_z", .unit = "rad/s^2", .curve = {.panel = "epsilon [rad/s²]", .label = "z"}},
    {.name = "left_lateral", .unit = "m", .curve = {.panel = "rails, y [m]", .label = "left"}},
    {.name = "left_vertical", .unit = "m", .curve = {.panel = "rails, z [m]", .label = "left"}},
    {.name = "right_lateral", .unit = "m", .curve = {.panel = "rails, y [m]", .label = "right"}},
    {.name = "right_vertical", .unit = "m", .curve = {.panel = "rails, z [m]", .label = "right"}},
    {.name = "left_friction", .unit = "1", .curve = {.panel = "friction [1]", .label = "left"}},
    {.name = "right_friction", .unit = "1", .curve = {.panel = "friction [1]", .label = "right"}},
};

static int is_shown(const kane_track *track, int q)
{
    return q < IRREGULAR || (q < FRICTION ? kane_track_is_irregular(track) : kane_track_friction_changes(track));
}

static void add_row(kane_table *t, const kane_track *track, const arguments *a, int piece, double s)
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
    const kane_vec3 at = kv3_add(kane_track_anchor(track, piece), frame.origin), w = T.omega, e = T.epsilon;
    const double chainage = kane_track_get_definition(track)->start + s;
    kane_table_add_numbers(t, 5, (const double[]){chainage, line.curvature, line.superelevation, line.grade, line.psi});
    kane_table_add_numbers(t, 5, (const double[]){at.x, at.y, at.z, line.kappa, line.tau});
    kane_table_add_numbers(t, 6, (const double[]){w.x, w.y, w.z, e.x, e.y, e.z});
    if (is_shown(track, IRREGULAR))
        kane_table_add_numbers(t, 4, (const double[]){left.y, left.z, right.y, right.z});
    if (is_shown(track, FRICTION))
        kane_table_add_numbers(
            t, 2,
            (const double[]){kane_track_friction(track, KANE_LEFT, s), kane_track_friction(track, KANE_RIGHT, s)});
}

// A grid from the beginning to the end, and both sides of every border of a piece, so that jumps are seen as jumps.
static kane_table tabulate_track(kane_arena *arena, const kane_track *track, const arguments *a, double step)
{
    kane_table t = kane_table_begin(arena, QUANTITIES, 0);
    t.has_nan    = 1;
    for (int q = 0; q < QUANTITIES; q++)
        if (is_shown(track, q))
            kane_table_add_columns(&t, 1, &columns[q]);
    for (int piece = 0; piece < kane_track_piece_count(track); piece++) {
        const double from = kane_track_piece_start(track, piece), to = kane_track_piece_start(track, piece + 1);
        add_row(&t, track, a, piece, from);
        for (double k = floor(from / step) + 1.0; k * step < to; k += 1.0)
            add_row(&t, track, a, piece, k * step);
        add_row(&t, track, a, piece, to);
    }
    return t;
}

// What is drawn.
typedef struct track_picture {
    const arguments *arguments;
    const kane_track *track;
} track_picture;

// A picture has its own grid: a table with few rows would make a line of corners. Irregularities are drawn every half
// metre, on lines of more than 10 km by 20000 points.
static int draw_track(kane_figure *f, const void *picture, kane_errors *errors)
{
    const track_picture *p  = picture;
    const kane_track *track = p->track;
    const double length     = kane_track_length(track);
    const double step =
        fmin(length / 500.0, kane_track_is_irregular(track) ? fmax(0.5, length / 20000.0) : length / 500.0);
    const kane_table fine = tabulate_track(f->arena, track, p->arguments, step);
    (void)errors;
    kane_table_draw(&fine, f);
    f->plot.height = 240 * f->plot.panel_count;
    f->plot.title =
        kane_figure_text(f, "%s; omega and epsilon at v = %g m/s, a = %g m/s²", kane_track_get_definition(track)->name,
                         p->arguments->speed, p->arguments->acceleration);
    return 1;
}

static int write_track(const arguments *a, const kane_track *track, double step, kane_errors *errors)
{
    const track_picture picture    = {a, track};
    const kane_table table         = tabulate_track(kane_arena_create(), track, a, step);
    const kane_table_report report = {.table_count = 1, .tables = &table, .draw = draw_track, .data = &picture};
    const int good                 = app_write_report(&a->outputs, KANE_TABLE_CSV, &report, errors);
    kane_arena_free(table.arena);
    return good;
}

int command_track(int argc, char **argv)
{
    static const app_command command =
        APP_COMMAND(options, "TRACK.json", "track file", file, 0, NULL,
                    "Prints a line as a table (CSV: names, units, rows): curvature, superelevation, grade, position, "
                    "kappa, tau, and how a frame on it turns at a speed and an acceleration; draws it with --output.");
    arguments a        = {.speed = 20.0};
    kane_errors errors = {0};
    app_parse(&command, argc, argv, &a);

    kane_track *track = kane_track_read(a.file, a.settings.texts, &errors);
    if (!track)
        return app_fail(&errors);
    const double length = kane_track_length(track);
    const double step   = a.step > 0.0 ? a.step : length / 100.0;
    if (!a.spectrum && length / step > ROWS_MOST) {
        (void)fprintf(stderr, "kane track: a step of %g m makes more than %d rows of a line of %g m\n", step, ROWS_MOST,
                      length);
        kane_track_free(track);
        return EXIT_USAGE;
    }
    const int good = a.spectrum ? track_spectrum(track, &a.outputs, &errors) : write_track(&a, track, step, &errors);
    kane_track_free(track);
    return good ? EXIT_DONE : app_fail(&errors);
}
