// SPDX-License-Identifier: MIT
// The table of a study as it lies in the directory, for a page that shows it.

#ifndef KANE_VIEW_STUDY_H
#define KANE_VIEW_STUDY_H

#include <kane/view.h>

#include "base/arena.h"
#include "base/json.h"
#include "view/encode.h"

typedef enum kane_study_role {
    KANE_ROLE_NUMBER,  // counts cases
    KANE_ROLE_AXIS,    // what differs from case to case
    KANE_ROLE_MEASURE, // a number that came out
    KANE_ROLE_WORD     // a text that came out
} kane_study_role;

typedef struct kane_study_column {
    const char *name, *unit; // unit "": none is known
    kane_study_role role;
    double *numbers;    // [rows] NaN: none; NULL of words
    const char **words; // [rows]; NULL of numbers
} kane_study_column;

// A row's run that was kept, and which one it is compared with. Wheelsets of one limit cycle share theirs, as responses
// of an omission do.
typedef struct kane_study_kept {
    int row, run;
    int under; // the run that it is laid over, -1: none
} kane_study_kept;

typedef struct kane_study_table {
    const char *kind, *folder; // "sweep"; the directory
    const char *file;          // of the table
    const kane_node *plan;     // root of plan.json, or of critical.json
    const kane_node *cases;    // of a sweep: list of the cases with their settings; NULL: none
    int column_count, row_count;
    kane_study_column *columns;
    int kept_count, run_count;
    kane_study_kept *kept;
    const char **runs; // files or directories of their results [run_count]
    char changed[512]; // which file is not any more what it was, "" if all are
} kane_study_table;

// Reads plan and table of a study that is complete. Cases whose rows were kept: those of the list, or all if it is
// empty. NULL with an error: no study, no table yet, a table that is none or of another plan, a case that there is not
// or of which nothing was kept.
const kane_study_table *kane_study_table_read(kane_arena *arena, const char *directory, int case_count,
                                              const int *cases, kane_errors *errors);

// 1: kept runs are those of kane run, with a manifest; else tables alone, which nothing can be seen of in 3-D.
int kane_study_has_manifests(const kane_study_table *study);

// As the value of "study"; the page has the runs of kept[] in this order, each once.
void kane_study_table_write(const kane_study_table *study, kane_encoder *encoder);

#endif
