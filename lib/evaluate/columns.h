// SPDX-License-Identifier: MIT
// Columns of results, and what a measure finds among them.

#ifndef KANE_EVALUATE_COLUMNS_H
#define KANE_EVALUATE_COLUMNS_H

#include "evaluate/measure.h"

#include "base/text.h"

typedef struct kane_columns {
    int count;
    const kane_column *columns;
} kane_columns;

// Column of a name, -1 if there is none.
int kane_columns_named(kane_columns columns, const char *name);

// Column whose name differs from that of `column` in its last letter only, which is this one; -1 if there is none.
int kane_columns_sibling(kane_columns columns, int column, char letter);

// 1 if the measure is taken of that column; of mean comfort one of three.
int kane_measure_is_about(const kane_measure *measure, kane_columns columns, int column);

// An error of a measure, which names it. Returns 0.
int kane_measure_fail(const kane_measure *measure, kane_errors *errors, kane_status status, const char *format, ...)
    KANE_PRINTF(4, 5);

// Puts the measure and a channel (NULL: none) in front of the error number `before`, which a function further down has
// added. Returns 0.
int kane_measure_fail_as_told(const kane_measure *measure, kane_errors *errors, int before, const char *channel);

#endif
