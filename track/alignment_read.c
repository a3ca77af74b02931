// SPDX-License-Identifier: MIT
// A line from a file of columns: chainage, curvature (itself, by versines, or by points in the plane), cant and grade;
// smoothed if requested, and how far the smooth line is from the points.

#include "track/track_file.h"

#include "base/number.h"
#include "base/column_file.h"
#include "math/spline.h"
#include "profile/curve.h"
#include "track/shape.h"

#include <kane/math.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

// What is no line: curves of less than 10 m, a cant of more than 0.5 m, angles between chords, gaps between points.
static const double CURVATURE_MOST = 0.1, CANT_MOST = 0.5, TURN_MOST = 0.5, GRADE_MOST = 1.0;
static const double GAP_MOST = 20.0, GAP_RATIO = 10.0; // [m], times the usual distance

enum { OUTER_RAIL, RIGHT_RAIL, LEFT_RAIL };

typedef enum column { CHAINAGE, CURVATURE, VERSINE, X, Y, CANT, GRADE, COLUMNS } column;

static const char *const keys[COLUMNS]  = {"chainage", "curvature", "versine", "x", "y", "cant", "grade"};
static const char *const units[COLUMNS] = {"m", "1/m", "m", "m", "m", "m", "1"};

typedef struct alignment {
    kane_reader *reader;
    const kane_alignment_input *in;
    kane_column_file *table;
    int column[COLUMNS];    // of the column file; -1: none
    double *value[COLUMNS]; // [count]
    int count;
    double *at;                               // length along the line [m]
    double *curvature, *cant, *grade;         // of the points
    double *smooth[3];                        // what the line gets
    double *h, *weight, *shift, *bend, *work; // of the smoothing
} alignment;

static kane_place place_of_key(const alignment *a, column c)
{
    return kane_block_place(&a->in->block, keys[c], -1);
}

static kane_place place_of(const alignment *a, int row, column c)
{
    return kane_column_file_place(a->table, row, a->column[c]);
}

// Which quantities say the curvature, and what belongs to them.
static void check_keys(const alignment *a, const char *const names[COLUMNS])
{
    const kane_alignment_input *in = a->in;
    const kane_place place         = kane_block_place(&in->block, NULL, -1);
    const int plane                = names[X] || names[Y];
    const int source_count         = (names[CURVATURE] != NULL) + (names[VERSINE] != NULL) + plane;
    if (source_count != 1)
        kane_reader_report(a->reader, place,
                           "curvature comes from one of \"curvature\", \"versine\", \"x\" and \"y\"; %s",
                           source_count == 0 ? "none of them is named" : "several are named");
    if (plane && !(names[X] && names[Y]))
        kane_reader_report(a->reader, place, "\"x\" and \"y\" go together; \"%s\" is missing", names[X] ? "y" : "x");
    if (!plane && !names[CHAINAGE])
        kane_reader_report(a->reader, place, "\"chainage\" is missing; only points by \"x\" and \"y\" can do without");
    if (names[VERSINE] && !kane_block_has(&in->block, "chord"))
        kane_reader_report(a->reader, place_of_key(a, VERSINE), "a versine needs the length of its \"chord\"");
    if (!names[VERSINE] && kane_block_has(&in->block, "chord"))
        kane_reader_fault(a->reader, &in->block, "chord", "only a \"versine\" has a chord");
    if (plane && kane_block_has(&in->block, "positive"))
        kane_reader_fault(a->reader, &in->block, "positive",
                          "points in the plane say themselves where they turn to; leave this out");
    if (!names[CANT] && kane_block_has(&in->block, "cant_of"))
        kane_reader_fault(a->reader, &in->block, "cant_of", "there is no \"cant\"");
    if (!names[GRADE] && kane_block_has(&in->block, "grade_positive"))
        kane_reader_fault(a->reader, &in->block, "grade_positive", "there is no \"grade\"");
}

static int take_columns(alignment *a)
{
    const kane_alignment_input *in   = a->in;
    const char *const names[COLUMNS] = {in->chainage, in->curvature, in->versine, in->x, in->y, in->cant, in->grade};
    const int before                 = a->reader->fault_count;
    check_keys(a, names);
    if (a->reader->fault_count != before)
        return 0;
    a->table = kane_column_file_open(a->reader, kane_block_place(&in->block, "file", -1), in->file,
                                     "the file of the line", "track");
    if (a->table)
        kane_column_file_pass_preamble(a->table, COLUMNS, names);
    for (int c = 0; a->table && c < COLUMNS; c++)
        a->column[c] = names[c] ? kane_column_file_map(a->table, names[c], place_of_key(a, (column)c), units[c]) : -1;
    if (!a->table || a->reader->fault_count != before)
        return 0;
    a->table->ascending = a->column[CHAINAGE];
    if (!kane_column_file_agree_units(a->table) || !kane_column_file_take_rows(a->table))
        return 0;
    a->count = a->table->row_count;
    for (int c = 0; c < COLUMNS; c++)
        a->value[c] = a->column[c] >= 0 ? a->table->columns[a->column[c]].values : NULL;
    if (a->count < 4)
        kane_reader_report(a->reader, kane_lines_place(&a->table->lines, NULL),
                           "the line has %d points, must have at least 4", a->count);
    return a->count >= 4;
}

// --- from columns to curvature, cant and grade over length ---

// Reports the first value beyond a limit.
static int check_limit(const alignment *a, column c, const char *what, const double *value, double most,
                       const char *unit, const char *hint)
{
    for (int i = 0; i < a->count; i++)
        if (!(fabs(value[i]) <= most)) {
            kane_reader_report(a->reader, place_of(a, i, c), "%s %.6g%s is out of range, must be from %g to %g%s; %s",
                               what, value[i], unit, -most, most, unit, hint);
            return 0;
        }
    return 1;
}

static int by_curvature(alignment *a)
{
    for (int i = 0; i < a->count; i++) {
        a->at[i]        = a->value[CHAINAGE][i] - a->value[CHAINAGE][0];
        a->curvature[i] = a->value[CURVATURE][i];
    }
    return check_limit(a, CURVATURE, "curvature", a->curvature, CURVATURE_MOST, " 1/m",
                       "is it a radius, or in another unit?");
}

// Of a circle: R = c^2/(8 f) + f/2.
static int by_versine(alignment *a)
{
    const double c = a->in->chord;
    if (!check_limit(a, VERSINE, "versine", a->value[VERSINE], 0.25 * c, " m", "is it in another unit?"))
        return 0;
    for (int i = 0; i < a->count; i++) {
        const double f  = a->value[VERSINE][i];
        a->at[i]        = a->value[CHAINAGE][i] - a->value[CHAINAGE][0];
        a->curvature[i] = 8.0 * f / (c * c + 4.0 * f * f);
    }
    return check_limit(a, VERSINE, "the curvature that this makes,", a->curvature, CURVATURE_MOST, " 1/m",
                       "is the chord right?");
}

// The angle between two chords over the length between their middles is the curvature of a circle through the three
// points; its arcs are (k c)^2/24 longer than their chords.
static int by_plane(alignment *a)
{
    const double *x = a->value[X], *y = a->value[Y];
    double before = 0.0;
    for (int i = 0; i + 1 < a->count; i++) {
        const double dx = x[i + 1] - x[i], dy = y[i + 1] - y[i], chord = hypot(dx, dy), psi = atan2(dy, dx);
        a->h[i] = chord;
        if (!(chord > 0.0)) {
            kane_reader_report(a->reader, place_of(a, i + 1, X),
                               "this point is the one before it again; leave one out");
            return 0;
        }
        if (i > 0) {
            const double turn = remainder(psi - before, 2.0 * KANE_PI);
            if (fabs(turn) > TURN_MOST) {
                kane_reader_report(
                    a->reader, place_of(a, i, X),
                    "the line turns by %.3g rad at this point, must be below %g rad; are points in order, are x "
                    "and y in one unit?",
                    turn, TURN_MOST);
                return 0;
            }
            a->curvature[i] = turn / (0.5 * (a->h[i] + a->h[i - 1]));
        }
        before = psi;
    }
    a->curvature[0]            = a->curvature[1];
    a->curvature[a->count - 1] = a->curvature[a->count - 2];
    a->at[0]                   = 0.0;
    for (int i = 0; i + 1 < a->count; i++) {
        const double bend = 0.5 * (a->curvature[i] + a->curvature[i + 1]) * a->h[i];
        a->at[i + 1]      = a->at[i] + a->h[i] * (1.0 + bend * bend / 24.0);
    }
    return check_limit(a, X, "the curvature here,", a->curvature, CURVATURE_MOST, " 1/m", "is this in another unit?");
}

// A spline over a gap would be an invention.
static int check_gaps(const alignment *a)
{
    double *sorted = a->work;
    for (int i = 0; i + 1 < a->count; i++)
        sorted[i] = a->at[i + 1] - a->at[i];
    qsort(sorted, (size_t)a->count - 1, sizeof *sorted, kane_compare_numbers);
    const double usual = sorted[(a->count - 1) / 2];
    for (int i = 0; i + 1 < a->count; i++) {
        const double gap = a->at[i + 1] - a->at[i];
        if (gap > GAP_MOST && gap > GAP_RATIO * usual) {
            kane_reader_report(
                a->reader, place_of(a, i + 1, a->value[CHAINAGE] ? CHAINAGE : X),
                "there is no point over %.6g m before this one, the others are %.6g m apart; a line by its "
                "elements is better given by sections",
                gap, usual);
            return 0;
        }
    }
    return 1;
}

// --- smoothing ---

static void smooth_column(const alignment *a, const double *value, double *out)
{
    kane_smoothing s = {.count   = a->count,
                        .h       = a->h,
                        .weight  = a->weight,
                        .columns = 1,
                        .y       = {value},
                        .shift   = {a->shift},
                        .bend    = {a->bend},
                        .work    = a->work};
    memcpy(out, value, (size_t)a->count * sizeof *out);
    if (!(a->in->smoothing > 0.0))
        return;
    (void)kane_smoothing_solve(&s, kane_smoothing_strength(a->in->smoothing));
    for (int i = 0; i < a->count; i++)
        out[i] = value[i] - a->shift[i];
}

static void note_difference(kane_difference *d, double difference, double at)
{
    d->rms += difference * difference;
    if (difference <= d->largest)
        return;
    d->largest = difference;
    d->at      = at;
}

static kane_difference compare_smoothed(const alignment *a, const double *points, const double *line, double start)
{
    kane_difference d = {.at = start};
    for (int i = 0; i < a->count; i++)
        note_difference(&d, fabs(points[i] - line[i]), start + a->at[i]);
    d.rms = sqrt(d.rms / a->count);
    return d;
}

// Cant as the height of the right rail over the left one. The outer rail is the right one in a left-hand curve.
static void fill_superelevation(const alignment *a)
{
    for (int i = 0; i < a->count; i++) {
        const double cant = a->value[CANT] ? a->value[CANT][i] : 0.0;
        const int left    = a->in->cant_of == LEFT_RAIL || (a->in->cant_of == OUTER_RAIL && a->smooth[0][i] < 0.0);
        a->cant[i]        = left ? -cant : cant;
    }
}

// Places of the line at its points, beginning at the first one with heading 0, and the heading with which they lie
// nearest to the points in the plane.
static double place_points(const alignment *a, double *px, double *py)
{
    enum { NODES = 4 };
    double node[NODES], w[NODES], psi = 0.0, dot = 0.0, cross = 0.0;
    kane_cubic *spline = (kane_cubic *)(void *)a->work;
    kane_gauss_legendre(NODES, node, w);
    kane_spline_fit(a->count, a->at, a->smooth[0], KANE_SPLINE_NATURAL, spline);
    px[0] = py[0] = 0.0;
    for (int i = 0; i + 1 < a->count; i++) {
        const double h = a->at[i + 1] - a->at[i];
        px[i + 1]      = px[i];
        py[i + 1]      = py[i];
        for (int k = 0; k < NODES; k++) {
            const double angle = psi + kane_cubic_integral(&spline[i], 0.5 * h * (1.0 + node[k]));
            px[i + 1] += 0.5 * h * w[k] * cos(angle);
            py[i + 1] += 0.5 * h * w[k] * sin(angle);
        }
        psi += kane_cubic_integral(&spline[i], h);
        const double qx = a->value[X][i + 1] - a->value[X][0], qy = a->value[Y][i + 1] - a->value[Y][0];
        dot += px[i + 1] * qx + py[i + 1] * qy;
        cross += px[i + 1] * qy - py[i + 1] * qx;
    }
    return atan2(cross, dot);
}

static void compare_places(const alignment *a, double start, kane_smoothing_report *report, double *heading)
{
    double *px = a->shift, *py = a->bend;
    *heading       = place_points(a, px, py);
    const double c = cos(*heading), s = sin(*heading);
    for (int i = 0; i < a->count; i++) {
        const double qx = a->value[X][i] - a->value[X][0], qy = a->value[Y][i] - a->value[Y][0];
        note_difference(&report->position, hypot(c * px[i] - s * py[i] - qx, s * px[i] + c * py[i] - qy),
                        start + a->at[i]);
        if (a->value[CHAINAGE])
            note_difference(&report->length, fabs(a->value[CHAINAGE][i] - a->value[CHAINAGE][0] - a->at[i]),
                            start + a->at[i]);
    }
    report->position.rms = sqrt(report->position.rms / a->count);
    report->length.rms   = sqrt(report->length.rms / a->count);
}

static int make_room(alignment *a)
{
    kane_arena *arena    = a->reader->arena;
    const size_t n       = (size_t)a->count;
    double **const all[] = {&a->at,        &a->curvature, &a->cant,  &a->grade,  &a->smooth[0], &a->smooth[1],
                            &a->smooth[2], &a->h,         &a->shift, &a->weight, &a->bend};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        *all[i] = kane_arena_doubles(arena, n);
    a->work = kane_arena_doubles(arena, KANE_SMOOTHING_WORK * n);
    return !kane_arena_failed(arena);
}

static int make_quantities(alignment *a)
{
    const int made = a->value[X] ? by_plane(a) : a->value[VERSINE] ? by_versine(a) : by_curvature(a);
    if (!made || !check_gaps(a))
        return 0;
    if (a->value[CANT] && !check_limit(a, CANT, "cant", a->value[CANT], CANT_MOST, " m", "is it in another unit?"))
        return 0;
    if (a->value[GRADE] &&
        !check_limit(a, GRADE, "grade", a->value[GRADE], GRADE_MOST, "", "is it in permille or per cent?"))
        return 0;
    for (int i = 0; a->in->positive == 1 && i < a->count; i++)
        a->curvature[i] = -a->curvature[i];
    for (int i = 0; a->value[GRADE] && i < a->count; i++)
        a->grade[i] = a->in->grade_positive == 1 ? -a->value[GRADE][i] : a->value[GRADE][i];
    memset(a->weight, 0, (size_t)a->count * sizeof *a->weight);
    for (int i = 0; i + 1 < a->count; i++) {
        a->h[i] = a->at[i + 1] - a->at[i];
        a->weight[i] += 0.5 * a->h[i];
        a->weight[i + 1] += 0.5 * a->h[i];
    }
    return 1;
}

int kane_alignment_read(kane_reader *reader, const kane_alignment_input *in, kane_section_definition *d, double *start,
                        double *heading)
{
    alignment *a = kane_arena_alloc(reader->arena, 1, sizeof *a);
    *start = *heading = NAN;
    if (a)
        *a = (alignment){.reader = reader, .in = in};
    if (a && !take_columns(a))
        return 0;
    if (!a || !make_room(a)) {
        kane_reader_no_memory(reader, d->place);
        return 0;
    }
    if (!make_quantities(a))
        return 0;
    if (a->value[CHAINAGE])
        *start = a->value[CHAINAGE][0];
    const double from = isfinite(*start) ? *start : 0.0;

    smooth_column(a, a->curvature, a->smooth[0]);
    fill_superelevation(a);
    smooth_column(a, a->cant, a->smooth[1]);
    smooth_column(a, a->grade, a->smooth[2]);
    kane_smoothing_report *report = &d->smoothed;
    *report                       = (kane_smoothing_report){.file           = a->table->lines.file,
                                                            .point_count    = a->count,
                                                            .wavelength     = in->smoothing,
                                                            .curvature      = compare_smoothed(a, a->curvature, a->smooth[0], from),
                                                            .superelevation = compare_smoothed(a, a->cant, a->smooth[1], from),
                                                            .grade          = compare_smoothed(a, a->grade, a->smooth[2], from)};
    if (a->value[X])
        compare_places(a, from, report, heading);

    d->length               = a->at[a->count - 1];
    d->point_count          = a->count;
    d->at                   = a->at;
    d->table_curvature      = a->smooth[0];
    d->table_superelevation = a->smooth[1];
    d->table_grade          = a->value[GRADE] ? a->smooth[2] : NULL;
    d->curvature            = a->smooth[0][a->count - 1];
    d->superelevation       = a->smooth[1][a->count - 1];
    return 1;
}
