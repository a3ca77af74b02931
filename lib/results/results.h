// SPDX-License-Identifier: MIT
// A result file in memory, as its readers build it.

#ifndef KANE_RESULTS_RESULTS_H
#define KANE_RESULTS_RESULTS_H

#include <kane/results.h>

#include "base/arena.h"
#include "results/origin.h"

struct kane_results {
    kane_arena *arena;       // holds everything below
    const char *file;        // that was read
    kane_file_format format; // of it
    const char *manifest;    // NULL if there is none
    char key[KANE_KEY_SIZE]; // of their run; "": not known
    int column_count, row_count;
    kane_column *columns; // [column_count]
    double **values;      // [column_count][row_count]
    int room;             // rows that there is memory for, where they are added one by one
};

// One without columns, or NULL with an error.
kane_results *kane_results_create(const char *file, kane_errors *errors);

// Takes room for so many columns; their names, units and descriptions are empty texts. KANE_NO_MEMORY with an error.
kane_status kane_results_take_columns(kane_results *results, int count, kane_errors *errors);

// Takes room for so many rows. KANE_BAD_INPUT or KANE_NO_MEMORY with an error.
kane_status kane_results_take_rows(kane_results *results, unsigned long long count, kane_errors *errors);

// Says what a column is; the texts are copied. KANE_NO_MEMORY with an error.
kane_status kane_results_name_column(kane_results *results, int column, const kane_column *name, kane_errors *errors);

// Adds a row of column_count values. KANE_NO_MEMORY with an error.
kane_status kane_results_add_row(kane_results *results, const double *row, kane_errors *errors);

// The readers of the formats: fill an empty one.
kane_status kane_csv_read(kane_results *results, kane_errors *errors);
kane_status kane_hdf_read(kane_results *results, kane_errors *errors);

#endif
