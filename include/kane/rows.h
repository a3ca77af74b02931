// SPDX-License-Identifier: MIT
// User-defined constraint rows: what must vanish, as one formula of markers, coordinates of joints and time.
//
// Rows are of two sorts. *Holonomic* ones are a relation of positions, Phi(q, t) = 0, such as the length of a rope over
// pulleys. *Non-holonomic* ones are a relation of velocities which is linear in them, Psi(q, q', t) = 0, such as
// rolling. Time may stand in both (rheonomic constraints). From the formula, written in numbers that know their
// derivatives (kane/number.h), libkane has rate, acceleration, the directions in which multipliers push, and all that
// the Jacobian wants of them.
//
// A kind of rows is a constant table, as a force law is (kane/force.h):
//
//   // a rope of length L from marker 1 over marker 2 (an eye, seen from the first) to marker 3
//   static void rope(const void *data, const kane_rows_input *in, kane_number *phi)
//   {
//       const kane_number3 a = in->marker[0].position, b = in->marker[1].position;
//       phi[0] = kn_shift(kn_add(kn3_norm(a), kn3_norm(kn3_sub(b, a))), -((const struct rope *)data)->length);
//   }
//   static const kane_rows_kind rope_kind = {.name = "rope", .markers = 3, .positions = 1, .position = rope};
//
// and a constraint of kind KANE_CONSTRAINT_USER names it. A table may have a closed form of its coordinates besides, or
// that alone: then a constraint that closes a loop can name it, too (KANE_CLOSED_USER). docs/mechanisms.md, section 4;
// apps/examples/own_rows.c.

#ifndef KANE_ROWS_H
#define KANE_ROWS_H

#include <kane/base.h>
#include <kane/input.h>
#include <kane/number.h>

KANE_C_BEGIN

// The most of each that one constraint can have: markers with the first one, coordinates, rows.
enum { KANE_ROWS_MARKERS = 5, KANE_ROWS_COORDINATES = 8, KANE_ROWS = 6 };

// A marker as the first marker sees it, in the first one's axes, whatever that does.
typedef struct kane_rows_marker {
    kane_number3 position; // of its origin, from the first one's [m]
    kane_number3 axis[3];  // its x, y, z axes [1]
    // of non-holonomic rows only; elsewhere not a number
    kane_number3 velocity; // rate of the position [m/s]
    kane_number3 turning;  // angular velocity against the first one [rad/s]
} kane_rows_marker;

// A coordinate of a joint, times its factor.
typedef struct kane_rows_coordinate {
    kane_number value; // [m], [rad]
    kane_number rate;  // of non-holonomic rows only; elsewhere not a number
} kane_rows_coordinate;

typedef struct kane_rows_input {
    kane_number time; // [s]
    int marker_count; // of those that the first one sees
    kane_rows_marker marker[KANE_ROWS_MARKERS - 1];
    int coordinate_count;
    kane_rows_coordinate coordinate[KANE_ROWS_COORDINATES];
} kane_rows_input;

typedef struct kane_rows_kind {
    const char *name; // as typed in "rows": ...
    const char *help;
    const kane_schema *schema; // of the parameters (first member: kane_block); NULL: none
    int markers;               // how many it takes, with the first one: 0, or 2 to KANE_ROWS_MARKERS
    int coordinates;           // how many coordinates: 0 to KANE_ROWS_COORDINATES
    int positions, rates;      // how many holonomic rows there are, and non-holonomic ones: together 1 to KANE_ROWS

    // Checks the parameters and makes of them what the functions receive as `data`, from `memory`, which lasts as long
    // as the model. NULL with errors filled. NULL: the functions receive a copy of the parameters.
    void *(*prepare)(const void *parameters, kane_arena *memory, kane_errors *errors);

    // phi[0] ... of the holonomic rows: what shall vanish, in metres or radians or about of that size (rows are closed
    // to 1e-10). NULL if there are none. A function of its arguments alone, smooth.
    void (*position)(const void *data, const kane_rows_input *in, kane_number *phi);

    // psi[0] ... of the non-holonomic rows, linear in velocities, turnings and rates (and a part without them), per s.
    void (*rate)(const void *data, const kane_rows_input *in, kane_number *psi);

    // Closed form of a loop, v = H(u, t), and how many of the first coordinates are v; the others are u. NULL: none.
    //   u, v   coordinates times their factors, [coordinates - dependents], [dependents]; v holds the present values,
    //          to choose the branch by, and receives H
    // Where the independent speeds are others than those of u, Newton's method takes its place. Rows of a table without
    // `position` are v - H(u, t), so there are as many as dependents; dv/du and the rest of v'' are their derivatives.
    int dependents;
    void (*closed)(const void *data, kane_number time, const kane_number *u, kane_number *v);
} kane_rows_kind;

// An angle, moved by whole turns to be nearest to the present one [rad].
static inline kane_number kane_rows_nearest_turn(kane_number angle, kane_number present)
{
    const double turn = 6.283185307179586;
    return kn_shift(angle, turn * floor((kn_value(present) - kn_value(angle)) / turn + 0.5));
}

KANE_C_END

#endif
