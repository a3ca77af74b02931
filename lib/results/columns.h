// SPDX-License-Identifier: MIT
// What the columns of a result file must be.

#ifndef KANE_RESULTS_COLUMNS_H
#define KANE_RESULTS_COLUMNS_H

#include <kane/results.h>

// Columns that a caller wants to write: names that any format can hold, each once.
kane_status kane_columns_check(int count, const kane_column *columns, kane_errors *errors);

// No name twice. file: where the columns were read, "" if they were not.
kane_status kane_columns_unique(int count, const kane_column *columns, const char *file, kane_errors *errors);

#endif
