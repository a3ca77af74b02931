// SPDX-License-Identifier: MIT
// Making sparsity patterns (kane_pattern).

#ifndef KANE_MATH_PATTERN_H
#define KANE_MATH_PATTERN_H

#include <kane/pattern.h>

// Entries under construction, in any order, any number of times.
typedef struct kane_pattern_entries kane_pattern_entries;

kane_pattern_entries *kane_pattern_begin(int size);
void kane_pattern_add(kane_pattern_entries *entries, int row, int column);
void kane_pattern_add_block(kane_pattern_entries *entries, int row, int rows, int column, int columns);

// The pattern of all entries added, and of the diagonal. Frees the entries. NULL if memory was short.
kane_pattern *kane_pattern_finish(kane_pattern_entries *entries);
void kane_pattern_free(kane_pattern *pattern);

#endif
