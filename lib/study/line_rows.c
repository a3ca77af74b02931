// SPDX-License-Identifier: MIT
// What the line of a transition is by itself, as rows that measures can be taken of: criteria that need no run.

#include "evaluate/measure.h"
#include "results/results.h"
#include "study/transitions.h"

#include <math.h>
#include <string.h>

// Rows along a transition; a piece of it has rows at both of its ends, so that jumps have both of their values.
enum { LINE_ROWS = 1000 };

// k: curvature, u: superelevation, 2b: running distance, v: the run's speed at its start, which stays, ' = d/ds
//   deficiency   2b v^2 k/g - u         acceleration  v^2 k - g u/2b
static const kane_column columns[] = {
    {"time", "s", "at the speed of the start"},
    {"distance", "m", "travelled from the start on"},
    {"line.curvature", "1/m", "k, positive to the left"},
    {"line.curvature_s", "1/m^2", "k'"},
    {"line.curvature_ss", "1/m^3", "k''"},
    {"line.superelevation", "m", "u, right rail over the left one"},
    {"line.superelevation_s", "1", "u', cant gradient"},
    {"line.superelevation_ss", "1/m", "u''"},
    {"line.superelevation_sss", "1/m^2", "u'''"},
    {"line.superelevation_ssss", "1/m^3", "u''''"},
    {"line.superelevation_t", "m/s", "v u', rate of change of cant"},
    {"line.superelevation_tt", "m/s^2", "v^2 u''"},
    {"line.deficiency", "m", "2b v^2 k/g - u"},
    {"line.deficiency_t", "m/s", "its rate"},
    {"line.acceleration", "m/s^2", "v^2 k - g u/2b, in the plane of the track"},
    {"line.jerk", "m/s^3", "v^3 k' - v g u'/2b, its rate"},
    {"line.length", "m", "of the transition"},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

int line_columns(const kane_column **all)
{
    *all = columns;
    return COLUMNS;
}

int line_channel_power(const char *channel)
{
    static const int powers[COLUMNS] = {0, 0, 0, 1, 2, 0, 1, 2, 3, 4, 1, 2, 0, 1, 0, 1, -1};
    for (int i = 0; i < COLUMNS; i++)
        if (strcmp(columns[i].name, channel) == 0)
            return powers[i];
    return 0;
}

int line_has_channel(const char *pattern)
{
    return strncmp(pattern, "line.", strlen("line.")) == 0;
}

// One row, by the formula of a piece.
static void fill_row(const kane_run_definition *run, int piece, double s, double length, double *row)
{
    const double v = run->drive.speed, g = run->vehicle->gravity, travelled = s - run->drive.start;
    const double b2 = kane_track_get_definition(run->track)->running_distance;
    kane_track_state line;
    kane_track_describe(run->track, piece, s, &line);
    const double *k = line.psi_s, u = line.superelevation, *u_s = line.superelevation_s;
    const double values[COLUMNS] = {travelled / v,
                                    travelled,
                                    k[0],
                                    k[1],
                                    k[2],
                                    u,
                                    u_s[0],
                                    u_s[1],
                                    u_s[2],
                                    u_s[3],
                                    v * u_s[0],
                                    v * v * u_s[1],
                                    b2 * v * v * k[0] / g - u,
                                    v * (b2 * v * v * k[1] / g - u_s[0]),
                                    v * v * k[0] - g * u / b2,
                                    v * (v * v * k[1] - g * u_s[0] / b2),
                                    length};
    memcpy(row, values, sizeof values);
}

// --- kinks ---

// Jumps below this part of k/l^n and u/l^n are rounding: n-th derivatives, l the length of the transition.
static const double ROUNDING = 1e-4;

// k and u at s by the formula of a piece, and their derivatives: two of k, three of u.
static void describe_piece(const kane_track *track, int piece, double s, double k[4], double u[4])
{
    kane_track_state line;
    kane_track_describe(track, piece, s, &line);
    memcpy(k, line.psi_s, sizeof line.psi_s);
    k[3] = 0.0; // no channel has a derivative above it
    u[0] = line.superelevation;
    memcpy(u + 1, line.superelevation_s, 3 * sizeof *u);
}

// Does k or u, or one of their derivatives below the given order, jump where a piece of the transition begins?
static int has_jump(const kane_track *track, int piece, const kane_track_section *section, int with_k, int with_u,
                    int order)
{
    double k[2][4], u[2][4], unit = 1.0;
    const double s      = kane_track_piece_start(track, piece);
    const double size_k = fmax(fabs(section->curvature[0]), fabs(section->curvature[1]));
    const double size_u = fmax(fabs(section->superelevation[0]), fabs(section->superelevation[1]));
    for (int i = 0; i < 2; i++)
        describe_piece(track, piece - 1 + i, s, k[i], u[i]);
    for (int n = 0; n < order; n++, unit *= section->length)
        if ((with_k && unit * fabs(k[1][n] - k[0][n]) > ROUNDING * size_k) ||
            (with_u && unit * fabs(u[1][n] - u[0][n]) > ROUNDING * size_u))
            return 1;
    return 0;
}

// Is a place on the line within a transition, its ends included, and in the window of a measure?
static int is_within(const kane_run_definition *run, const kane_track_section *section, const kane_measure *measure,
                     double s)
{
    const double near = 1e-9 * section->length, unit = measure->axis == KANE_WINDOW_TIME ? run->drive.speed : 1.0;
    const double place = (s - run->drive.start) / unit;
    return s >= section->start - near && s <= section->start + section->length + near &&
           (measure->axis == KANE_WINDOW_NONE || (place >= measure->from && place <= measure->to));
}

int line_has_impulse(const kane_run_definition *run, const shape_sections *sections, const kane_measure *measure)
{
    const kane_track *track = run->track;
    const int with_k        = strncmp(measure->channels, "line.superelevation", strlen("line.superelevation")) != 0,
              with_u        = strncmp(measure->channels, "line.curvature", strlen("line.curvature")) != 0;
    for (int i = 0; i < sections->count; i++) {
        const kane_track_section section = kane_track_get_section(track, sections->index[i]);
        for (int piece = 1; piece < kane_track_piece_count(track); piece++)
            if (is_within(run, &section, measure, kane_track_piece_start(track, piece)) &&
                has_jump(track, piece, &section, with_k, with_u, line_channel_power(measure->channels)))
                return 1;
    }
    return 0;
}

// --- rows ---

// Rows of a piece of a transition of this length.
static kane_status add_piece_rows(const kane_run_definition *run, int piece, double length, kane_results *results,
                                  kane_errors *errors)
{
    const double from = kane_track_piece_start(run->track, piece), to = kane_track_piece_start(run->track, piece + 1);
    const int count    = (int)fmax(1.0, ceil(LINE_ROWS * (to - from) / length - 1e-9));
    kane_status status = KANE_OK;
    for (int i = 0; i <= count && status == KANE_OK; i++) {
        double row[COLUMNS];
        fill_row(run, piece, i == count ? to : from + (to - from) * i / count, length, row);
        status = kane_results_add_row(results, row, errors);
    }
    return status;
}

kane_results *line_rows(const kane_run_definition *run, const shape_sections *sections, kane_errors *errors)
{
    if (!(run->drive.speed > 0.0)) {
        kane_errors_add(errors, KANE_BAD_INPUT,
                        "criteria of the line need the speed at which it is run over: the run's start.speed is %g m/s",
                        run->drive.speed);
        return NULL;
    }
    kane_results *results = kane_results_create(run->file ? run->file : "", errors);
    kane_status status    = results ? kane_results_take_columns(results, COLUMNS, errors) : KANE_NO_MEMORY;
    for (int i = 0; i < COLUMNS && status == KANE_OK; i++)
        status = kane_results_name_column(results, i, &columns[i], errors);
    for (int i = 0; i < sections->count && status == KANE_OK; i++) {
        const kane_track_section section = kane_track_get_section(run->track, sections->index[i]);
        for (int k = 0; k < kane_track_piece_count(run->track) && status == KANE_OK; k++) {
            const double middle =
                0.5 * (kane_track_piece_start(run->track, k) + kane_track_piece_start(run->track, k + 1));
            if (middle > section.start && middle < section.start + section.length)
                status = add_piece_rows(run, k, section.length, results, errors);
        }
    }
    if (status == KANE_OK)
        return results;
    kane_results_free(results);
    return NULL;
}
