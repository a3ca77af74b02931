// SPDX-License-Identifier: MIT
// Pieces of a line and what lies along it: irregularities, profiles, check rails, friction.

#ifndef KANE_TRACK_PIECE_H
#define KANE_TRACK_PIECE_H

#include <kane/track.h>

#include "base/arena.h"

// === What is wrong with the definition of a track.

// Errors of one definition, counted also without an error list.
typedef struct kane_check {
    kane_errors *errors; // may be NULL
    int count;
} kane_check;

// Adds an error that belongs to a place of the input.
#define KANE_CHECK_FAULT(check, place, ...)                                                                            \
    ((check)->count++, kane_errors_add_input((check)->errors, KANE_BAD_INPUT, (place), __VA_ARGS__))

// Lines that agree to this are the same: jumps of cant [m], of a table's curvature [1/m] and grade [1], lengths [m].
#define KANE_SAME 1e-9

// Sines of roll and grade angles that a track may have; at 1 the formulas end.
#define KANE_SINE_MAX 0.95

// Largest coefficient of friction that anybody means; more are per cent [1].
#define KANE_FRICTION_MAX 2.0

// Steepest grade that can be given [1].
#define KANE_GRADE_MAX 1.0

// Reports a number that is not finite; 1 if it is.
int kane_check_finite(double value, const char *name, kane_place place, kane_check *check);

// The same, and that it is positive or not negative. unit: with a space before it, " m".
void kane_check_positive(double value, const char *name, const char *unit, kane_place place, kane_check *check);
void kane_check_not_negative(double value, const char *name, const char *unit, kane_place place, kane_check *check);

// A coefficient of friction.
void kane_check_friction(double value, kane_place place, kane_check *check);

// Checks what belongs to the rails: irregularities and changes of friction.
void kane_check_rails(const kane_track_definition *d, kane_check *check);

// Checks all that can be seen without building the line, except the grades (kane_grade_prepare does that).
void kane_check_definition(const kane_track_definition *d, kane_check *check);

// === What lies ahead: how far one may look without passing over something short.

typedef struct kane_ahead kane_ahead;

// Prepares it for a checked definition. NULL if there is nothing that could be passed over, or if memory had none.
const kane_ahead *kane_ahead_make(const kane_track_definition *d, kane_arena *memory);

// kane_track_ahead
double kane_ahead_eval(const kane_ahead *ahead, double s);

// === Friction along the line.

typedef struct kane_friction kane_friction;

// Prepares the changes of a definition, or reports which of them meet. NULL if there are none, if they are faulty or if
// memory had none.
const kane_friction *kane_friction_make(const kane_track_definition *d, kane_arena *memory, kane_check *check);

double kane_friction_eval(const kane_friction *friction, kane_side side, double s);

// === Irregularities: displacements of the two rails.

typedef struct kane_irregularities kane_irregularities;

// Definitions with spectra whose table would have more intervals are refused: an int counts them, 192 bytes each.
#define KANE_INTERVALS_MOST 1e7

// Step of a definition's table of sines and spectra (HUGE_VAL: there are none) [m], and its intervals on a line of this
// length.
double kane_irregularities_step(const kane_track_definition *d);
double kane_irregularities_intervals(double step, double end);

// Prepares the irregularities of a checked definition for a line that ends at `end` [m]. NULL if there are none, or if
// memory had none.
kane_irregularities *kane_irregularities_make(const kane_track_definition *d, double end, kane_arena *memory);

// Computes the whole table now, which otherwise grows where it is first read.
void kane_irregularities_tabulate(const kane_irregularities *w);

void kane_irregularities_eval(const kane_irregularities *w, kane_side side, double s, kane_rail_offset *offset);

// kane_track_is_rough
int kane_irregularities_are_rough(const kane_irregularities *w);

// kane_track_spectrum
double kane_irregularities_spectrum(const kane_irregularities *w, kane_irregularity_kind kind, double O);

// === Check rails along the line.

typedef struct kane_flangeways kane_flangeways;

// Prepares the check rails of a definition, or reports which of them meet. NULL if there are none, if they are faulty
// or if memory had none.
const kane_flangeways *kane_flangeways_make(const kane_track_definition *d, kane_arena *memory, kane_check *check);

// The check rail beside a rail within KANE_CHECK_RAIL_REACH of s, NULL: there is none.
const kane_check_rail *kane_flangeways_at(const kane_flangeways *flangeways, kane_side side, double s);

// === Profiles of the rails along the line.

typedef struct kane_shapes kane_shapes;

// Prepares the changes of a definition, or reports which of them meet. NULL if there are none, if they are faulty or if
// memory had none.
const kane_shapes *kane_shapes_make(const kane_track_definition *d, kane_arena *memory, kane_check *check);

int kane_shapes_have_kinks(const kane_shapes *shapes); // 1: from slice to slice they go over straight
void kane_shapes_eval(const kane_shapes *shapes, kane_side side, double s, kane_rail_blend *blend);

// === What a track is made of: sections have a *course* (one formula for heading and cant), courses are cut into
// *pieces*,
// and the position along a piece stands in its *cells*.

// How heading and cant run along a section: one formula each. l counts from the beginning of the section.
typedef enum kane_line_function_kind {
    KANE_LINE_FUNCTION_CONSTANT,
    KANE_LINE_FUNCTION_LINEAR,
    KANE_LINE_FUNCTION_COSINE,
    KANE_LINE_FUNCTION_SINE,
    KANE_LINE_FUNCTION_BLOSS,
    KANE_LINE_FUNCTION_HELMERT_FIRST, // up to the middle
    KANE_LINE_FUNCTION_HELMERT_SECOND,
    KANE_LINE_FUNCTION_WIENER,
    KANE_LINE_FUNCTION_POLYNOMIAL,
    KANE_LINE_FUNCTION_SPLINE,
    KANE_LINE_FUNCTION_PARABOLA_OUT, // y = x^3/(6 R X) from the straight into the curve; cant is linear
    KANE_LINE_FUNCTION_PARABOLA_IN,  // the same backwards: from the curve into the straight
    KANE_LINE_FUNCTION_TABLE
} kane_line_function_kind;

// One interval of a tabulated line: cubics in l - at (value, slope, ...).
typedef struct kane_table_row {
    double at;       // l of its beginning [m]
    double psi;      // heading there, from the beginning of the section [rad]
    double k[4];     // curvature: coefficients of powers 0 .. 3
    double q[4];     // sine of the roll, likewise
    double grade[4]; // tangent of the angle uphill, likewise
} kane_table_row;

typedef struct kane_line_function {
    kane_line_function_kind kind;
    double length, inverse_length; // L [m], 1/L
    double psi;                    // heading at its beginning [rad]
    double k, k_change;            // curvature: k + k_change f(l/L) [1/m]
    double q, q_change;            // sine of the roll, -u/2b: q + q_change f(l/L) [1]
    double height;                 // Wiener Bogen: of its axis of rotation [m]
    int small_angle;               // Wiener Bogen: its curvature takes the sine of the roll for the roll
    double bend;                   // parabola: slope = bend x^2, x its abscissa [1/m^2]
    double bend_psi;               // parabola: heading change of the whole section [rad]
    const double *coefficients;    // polynomial in x, or of one interval of a B-spline in x - origin
    int coefficient_count;         //
    double origin, before;         // B-spline: where the interval begins [1], integral of f up to there [1]
    const struct kane_spline_interval *intervals; // B-spline (shape.h)
    int interval_count;                           //
    const kane_table_row *rows; // table: row 0 goes straight on before it, row row_count - 1 behind it
    int row_count;              //
    int table_grade;            // 1: the grade comes from the rows
} kane_line_function;

// A polynomial for the position (and for a parabola's abscissa): sum c[i] z^i, z = (l - middle) scale in -1 .. 1.
enum { KANE_CELL_DEGREE = 8 };

typedef struct kane_cell {
    double c[KANE_CELL_DEGREE + 1][4]; // x, y, z from the start point of the piece; abscissa of a parabola [m]
    double middle, scale;              //
    double end;                        // l up to which the cell is used; infinite for the last one
    const kane_table_row *row;         // table: the interval it lies in
} kane_cell;

typedef struct kane_piece {
    double start;      // s of its beginning [m]
    double length;     // [m]
    double offset;     // l of its beginning: distance from the beginning of its section [m]
    double low, high;  // range of l in which the formula is used; beyond, the line goes straight on [m]
    double buckets;    // of the list below, per metre [1/m]
    const int *bucket; // cell at the beginning of each of equal parts of low .. high
    const kane_cell *cells;
    double climb;       // sin(beta) = sin(grade) + climb dq/dl: -b times the sign of the cant; 0: about the centre [m]
    double grade;       // angle of the grade at its beginning [rad]
    double grade_slope; // of a vertical arc: its curvature [rad/m]
    double sin_grade;   // of a constant grade
    kane_line_function line_function;
    kane_vec3 anchor; // start point in A [m]
} kane_piece;

struct kane_track {
    kane_track_definition definition; // without arrays
    int section_count;
    kane_track_section *sections;
    int piece_count;
    kane_piece *pieces;
    double length;                       // of the line [m]
    kane_irregularities *irregularities; // NULL: none
    const kane_friction *friction;       // NULL: no changes
    const kane_shapes *shapes;           // NULL: no changes of profiles
    const kane_flangeways *flangeways;   // NULL: no check rails
    const kane_ahead *ahead;             // NULL: nothing short on the rails
    kane_arena *memory;                  // holds all of this
};

#endif
