// SPDX-License-Identifier: MIT
// Channels of one equilibrium after another, against the parameter that changes.

#ifndef KANE_APPS_EQUILIBRIUM_TABLE_H
#define KANE_APPS_EQUILIBRIUM_TABLE_H

#include "analysis.h"

typedef struct equilibrium_table {
    int columns, rows; // the first column is the parameter, the second what is left; no columns: nothing was found
    int found;         // rows with an equilibrium; the others hold no numbers but the parameter
    double *values;    // by rows
    char (*name)[160]; // of the columns
    char (*unit)[32];
} equilibrium_table;

// patterns: of channels. 0 with errors; values without equilibrium are only told. After Ctrl-C the rows so far, and an error.
int equilibrium_table_fill(app_analysis *analysis, const app_texts *patterns, equilibrium_table *table,
                           kane_errors *errors);
void equilibrium_table_clear(equilibrium_table *table);

// As CSV to a file (NULL: standard output); as a picture, a panel for each unit. 0 with errors.
int equilibrium_table_write(const equilibrium_table *table, const char *file, kane_errors *errors);
int equilibrium_table_draw(const equilibrium_table *table, const char *title, const char *file, kane_errors *errors);

#endif
