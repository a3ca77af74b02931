// SPDX-License-Identifier: MIT
// Where the line is: positions along a piece as polynomials, prepared once.
//
// The tangent is interpolated at the nodes of a Gauss rule and integrated exactly, so that the polynomial's derivative
// is the tangent and each cell's end is as exact as the quadrature. Cells are halved until this holds to 3e-15.

#ifndef KANE_TRACK_CELLS_H
#define KANE_TRACK_CELLS_H

#include "track/piece.h"

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
