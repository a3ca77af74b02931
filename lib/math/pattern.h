// SPDX-License-Identifier: MIT
// Sparsity patterns: which entries of a square matrix can differ from zero, stored by columns.

#ifndef KANE_MATH_PATTERN_H
#define KANE_MATH_PATTERN_H

typedef struct kane_pattern {
    int size;          // rows and columns
    int count;         // entries
    int *column_start; // [size + 1]
    int *row;          // [count], ascending in every column
} kane_pattern;

// Entries under construction, in any order, any number of times.
typedef struct kane_pattern_entries kane_pattern_entries;

kane_pattern_entries *kane_pattern_begin(int size);
void kane_pattern_add(kane_pattern_entries *entries, int row, int column);
void kane_pattern_add_block(kane_pattern_entries *entries, int row, int rows, int column, int columns);

// The pattern of all entries added, and of the diagonal. Frees the entries. NULL if memory was short.
kane_pattern *kane_pattern_finish(kane_pattern_entries *entries);
void kane_pattern_free(kane_pattern *pattern);

// Where an entry stands in `row`; -1: it is not in the pattern.
int kane_pattern_find(const kane_pattern *pattern, int row, int column);

#endif
