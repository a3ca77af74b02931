// SPDX-License-Identifier: MIT
// How a line is made of its sections: course and grade, cuts, cells.

#ifndef KANE_TRACK_LINE_FUNCTION_H
#define KANE_TRACK_LINE_FUNCTION_H

#include "track/piece.h"

// === From the definition of a section to its formula.

// Where a section begins.
typedef struct kane_line_function_start {
    double psi;            // heading [rad]
    double curvature;      // [1/m]
    double superelevation; // [m]
} kane_line_function_start;

// The formula of a checked section. What a polynomial or a table needs comes from memory; kane_arena_failed says
// whether there was none.
kane_line_function kane_line_function_make(const kane_section_definition *section,
                                           const kane_line_function_start *start, double running_distance,
                                           kane_arena *memory);

// The course as it holds at l: Helmert's has two formulas, a B-spline's one between any two knots.
kane_line_function kane_line_function_at(const kane_line_function *line_function, double l);

// The row of a table that holds l, NULL of any other course.
const kane_table_row *kane_line_function_row(const kane_line_function *line_function, double l);

// Abscissa of a parabola at l, 0 of any other course.
double kane_line_function_abscissa(const kane_line_function *line_function, double l);

// Arc length of y' = bend x^2 from 0 to x, for slopes below 1.
double kane_parabola_length(double bend, double x);

// Sine of the roll at l.
double kane_line_function_roll(const kane_line_function *line_function, double l);

// === The grade line: constant grades, vertical arcs between them, and what tables bring with them.

// From a distance on, the angle of the grade is beta + slope (distance - from).
typedef struct kane_grade_leg {
    double from;  // distance from the beginning of the track [m]
    double beta;  // [rad]
    double slope; // [rad/m]
} kane_grade_leg;

// No more legs than this come from a definition: the first one, two for each change, one for each table.
static inline int kane_grade_leg_limit(const kane_track_definition *d)
{
    return 1 + 2 * d->grade_count + d->section_count;
}

// Fills legs in ascending order and returns how many there are. ends[i] is the distance of the beginning of section i
// from that of the track [m], ends[section_count] its length. Adds to check what is wrong.
int kane_grade_prepare(const kane_track_definition *d, const double *ends, kane_grade_leg *legs, kane_check *check);

// === Where a section is cut into pieces.

// Room that the cuts of any section of a definition need at most.
int kane_cuts_limit(const kane_track_definition *d, int leg_count);

// Cuts of a section that begins at distance `begin` from the beginning of the track, ascending from 0 to its length:
// kinks of the grade line, the middle of Helmert's shape, knots of a B-spline and, with the axis on the inner rail,
// changes of sign of the cant. Returns the number of pieces; there is one cut more.
int kane_cuts_find(const kane_line_function *line_function, kane_cant_axis axis, const kane_grade_leg *legs,
                   int leg_count, double begin, double *cuts);

// Sign of the cant (right rail over left one) between a and b, 1 where there is none.
double kane_cuts_cant_sign(const kane_line_function *line_function, double a, double b);

// === Where the line is: positions along a piece as polynomials, prepared once.
//
// The tangent is interpolated at the nodes of a Gauss rule and integrated exactly, so that the polynomial's derivative
// is the tangent and each cell's end is as exact as the quadrature. Cells are halved until this holds to 3e-15.

static inline const kane_cell *kane_piece_cell(const kane_piece *p, double l)
{
    const kane_cell *cell = p->cells + p->bucket[(int)((l - p->low) * p->buckets)];
    while (l >= cell->end)
        cell++;
    return cell;
}

// x, y, z and the abscissa at l: even and odd powers side by side.
static inline void kane_cell_eval(const kane_cell *cell, double l, double out[4])
{
    const double z = (l - cell->middle) * cell->scale, z2 = z * z;
    const double(*c)[4] = cell->c;

    for (int j = 0; j < 4; j++) {
        const double even = c[0][j] + z2 * (c[2][j] + z2 * (c[4][j] + z2 * (c[6][j] + z2 * c[8][j])));
        const double odd  = c[1][j] + z2 * (c[3][j] + z2 * (c[5][j] + z2 * c[7][j]));
        out[j]            = even + z * odd;
    }
}

// What interpolation at the nodes of a Gauss rule needs.
enum { KANE_CELL_NODES = KANE_CELL_DEGREE };

typedef struct kane_cell_rule {
    double node[KANE_CELL_NODES];
    double project[KANE_CELL_NODES][KANE_CELL_NODES];         // values at the nodes to coefficients of Legendre's P_j
    double power[KANE_CELL_DEGREE + 1][KANE_CELL_DEGREE + 1]; // [j][k]: coefficient of z^k in P_j
} kane_cell_rule;

void kane_cell_rule_init(kane_cell_rule *rule);

// Fills cells, bucket and buckets of a piece whose other members (but the anchor) are known. Returns the way from its
// start to its end point [m]; kane_arena_failed says whether memory was not to be had.
kane_vec3 kane_piece_prepare(kane_piece *piece, const kane_cell_rule *rule, kane_arena *memory, kane_arena *scratch);

#endif
