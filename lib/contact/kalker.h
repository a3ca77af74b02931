// SPDX-License-Identifier: MIT
// Kalker's coefficients, prepared for one Poisson's ratio.

#ifndef KANE_CONTACT_KALKER_H
#define KANE_CONTACT_KALKER_H

#include <kane/contact.h>

enum { KANE_KALKER_ROWS = 10 };

// Rows for the smaller ratio of the axes g = .1, .2, ..., 1, first for a <= b, then for a >= b.
typedef struct kalker_table {
    double poisson;
    kane_kalker rows[2][KANE_KALKER_ROWS];
    kane_kalker excess[2]; // table over asymptote at g = .1, minus 1
} kalker_table;

void kane_kalker_table_init(kalker_table *table, double poisson);

// For semi-axes a, b > 0.
kane_kalker kane_kalker_lookup(const kalker_table *table, double a, double b);

#endif
