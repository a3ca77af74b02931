// SPDX-License-Identifier: MIT
// A run in memory: one series of values per channel.

#ifndef KANE_STUDY_SERIES_H
#define KANE_STUDY_SERIES_H

#include <kane/run.h>

typedef struct kane_series {
    int column_count;
    char (*name)[128];
    char (*unit)[16];
    int row_count;
    double **column; // [column_count][row_count]
    kane_stop stop;
    char subject[96];
} kane_series;

// Carries out a run and keeps the channels that match the patterns, time and distance ahead of them. A run that fails
// keeps what it has reached. NULL with errors filled if there is nothing.
kane_series *kane_series_create(const kane_run_definition *run, int pattern_count, const char *const *patterns,
                                kane_errors *errors);
void kane_series_free(kane_series *series);

// Index of a column by name, -1 if there is none.
int kane_series_find(const kane_series *series, const char *name);

// Writes it as a result file.
kane_status kane_series_write(const kane_series *series, const char *file, kane_errors *errors);

#endif
