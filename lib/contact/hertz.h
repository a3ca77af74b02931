// SPDX-License-Identifier: MIT
// Hertz' solution, exact by elliptic integrals and from a table.
//
// Half relative curvatures A (along), B (across); semi-axes a = m c, b = n c with c^3 = 3 N / (4 E* (A + B));
// approach = r c^2 (A + B).

#ifndef KANE_CONTACT_HERTZ_H
#define KANE_CONTACT_HERTZ_H

#include <kane/contact.h>

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

#endif
