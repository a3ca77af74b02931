// SPDX-License-Identifier: MIT
// Patterns of sparse matrices.

#ifndef KANE_PATTERN_H
#define KANE_PATTERN_H

#include <kane/base.h>

KANE_C_BEGIN

// Which entries of a square matrix can differ from zero, stored by columns.
typedef struct kane_pattern {
    int size;          // rows and columns
    int count;         // entries
    int *column_start; // where the entries of every column begin in `row`, and `count` [size + 1]
    int *row;          // [count], ascending in every column
} kane_pattern;

// Place of an entry in `row`; -1: it is not in the pattern.
KANE_API int kane_pattern_find(const kane_pattern *pattern, int row, int column);

KANE_C_END

#endif
