// SPDX-License-Identifier: MIT
// Solutions of the elastic half-space: Hertz for the normal contact, Kalker's coefficients for rolling.

#ifndef KANE_CONTACT_HALF_SPACE_H
#define KANE_CONTACT_HALF_SPACE_H

#include <kane/contact.h>

// Hertz' solution, exact by elliptic integrals and from a table.
//
// Half relative curvatures A (along), B (across); semi-axes a = m c, b = n c with c^3 = 3 N / (4 E* (A + B));
// approach = r c^2 (A + B).

// Numbers that depend on B/A alone.
typedef struct hertz_numbers {
    double m, n; // semi-axes along and across over c [1]
    double r;    // approach over c^2 (A + B) [1]
} hertz_numbers;

// Exact; x = ln(B/A).
hertz_numbers kane_hertz_numbers(double x);

enum { KANE_HERTZ_CELLS = 224 };

// What the contact needs of them, as cubics in x = ln(B/A) from -14 to 14:
//   h       sqrt(B/(A+B)) r^-3/2:  a gap A x^2 + B y^2 pressed in by d has N = (4/3) E* h d^3/2 B^-1/2
//   along   m r^-1/2:              a = along sqrt(d/(A+B))
//   across  n r^-1/2:              b = across sqrt(d/(A+B))
typedef struct hertz_cell {
    double h[4], along[4], across[4];
} hertz_cell;

typedef struct hertz_table {
    hertz_cell cells[KANE_HERTZ_CELLS];
} hertz_table;

typedef struct hertz_shape {
    double h, along, across;
} hertz_shape;

void kane_hertz_table_init(hertz_table *table);

// Beyond the table's ends (axes of more than 1:10^4) the values at its ends.
hertz_shape kane_hertz_shape(const hertz_table *table, double x);

// Kalker's coefficients, prepared for one Poisson's ratio.

enum { KANE_KALKER_ROWS = 10 };

// At one ratio of the axes, and how much more at the next one.
typedef struct kalker_row {
    kane_kalker at, rise;
} kalker_row;

// Rows for the smaller ratio of the axes g = .1, .2, ..., .9, first for a <= b, then for a >= b.
typedef struct kalker_table {
    double poisson;
    kalker_row rows[2][KANE_KALKER_ROWS - 1];
    kane_kalker excess[2]; // table over asymptote at g = .1, minus 1
} kalker_table;

void kane_kalker_table_init(kalker_table *table, double poisson);

// g < .1: the asymptote, corrected by what it misses at .1, fading out toward g = 0.
kane_kalker kane_kalker_slender(const kalker_table *table, int a_above_b, double g);

// For semi-axes a, b > 0: linear between the rows.
static inline kane_kalker kane_kalker_lookup(const kalker_table *t, double a, double b)
{
    const int side     = a > b;
    const double minor = side ? b : a, major = side ? a : b, g = minor / major;
    if (!(g >= 0.1))
        return kane_kalker_slender(t, side, g);
    const double x      = 10.0 * g - 1.0;
    const int i         = x < KANE_KALKER_ROWS - 2 ? (int)x : KANE_KALKER_ROWS - 2;
    const double y      = x - i;
    const kalker_row *r = &t->rows[side][i];
    return (kane_kalker){r->at.C11 + y * r->rise.C11, r->at.C22 + y * r->rise.C22, r->at.C23 + y * r->rise.C23,
                         r->at.C33 + y * r->rise.C33};
}

#endif
