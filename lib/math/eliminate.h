// SPDX-License-Identifier: MIT
// Elimination of rectangular sparse equations: rank, pivots, and how redundant rows are made of others. What a pivot costs is in
// proportion to the entries that it changes (and the logarithm of the number of rows); pivots are chosen by size, not for
// few new entries, so that they are those of the same elimination in a dense matrix, to the last bit.

#ifndef KANE_MATH_ELIMINATE_H
#define KANE_MATH_ELIMINATE_H

#include <stddef.h>

typedef struct kane_elimination kane_elimination; // for one thread at a time

// Room for equations of this size. It grows with what is filled in; with `room` of rows * columns entries it never does. NULL if
// memory is short.
kane_elimination *kane_elimination_create(int rows, int columns, size_t room);
void kane_elimination_free(kane_elimination *elimination); // NULL is allowed

// Begins anew with an empty matrix; adds an entry, each place once.
void kane_elimination_begin(kane_elimination *elimination);
void kane_elimination_add(kane_elimination *elimination, int row, int column, double value);

// One stage. `row` and `column` hold the order of rows and columns; the first `done` of them are eliminated. Further pivots are
// looked for in rows done .. end - 1 of that order and in all columns that are left: the greatest, but among rows that have one
// at least `prefer` times as great the one with the least index. Rows behind `end` are reduced too. Stops when `most` pivots are
// there in all, or where none above `small` is left. Returns how many there are then. Between stages rows behind the pivots may
// be put in another order.
int kane_eliminate(kane_elimination *elimination, int *row, int *column, int done, int end, int most, double small,
                   double prefer);

// Of a row that got no pivot: z with  sum z_i (row i) = what is left of it, one of the row itself. Writes the rows and their z
// where that is not zero, the row itself first; returns how many there are. rows, z [pivots + 1]
int kane_elimination_combine(kane_elimination *elimination, int row, int *rows, double *z);

// 1: memory was short, and what came out is of no use.
int kane_elimination_lacks_memory(const kane_elimination *elimination);

#endif
