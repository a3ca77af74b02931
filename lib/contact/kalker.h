// SPDX-License-Identifier: MIT
// Kalker's coefficients, prepared for one Poisson's ratio.

#ifndef KANE_CONTACT_KALKER_H
#define KANE_CONTACT_KALKER_H

#include <kane/contact.h>

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
