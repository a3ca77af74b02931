// SPDX-License-Identifier: MIT
// What an omission study has found, and how it is written down.

#ifndef KANE_STUDY_OMISSION_REPORT_H
#define KANE_STUDY_OMISSION_REPORT_H

#include "base/replace.h"
#include "study/omission_setup.h"

struct kane_omission_report {
    kane_omission_setup setup;
    kane_omission_table table;
    const char *const *conditions;   // [conditions], in words
    kane_omission_verdict *verdicts; // [terms]
    int **order;                     // [responses + 1]: terms by rank, of all responses first
    double *accuracy;                // [responses] largest relative effect of tighter tolerances
};

// Content of the plan, as a JSON text of memory's own; to be given back with free.
char *kane_omission_content(const kane_omission_setup *setup, kane_errors *errors);

// Fills the report's table from the records of a plan, then all the rest. 0 without memory.
int kane_omission_report_fill(kane_omission_report *report, const kane_plan *plan);

// 1 if a term is more than one body, kind, term and axis.
int kane_omission_is_whole(const char *term);

// A file of the study's directory, to be replaced in one step.
kane_status kane_omission_open(const kane_omission_report *report, const char *name, kane_replacement *file,
                               kane_errors *errors);

// effects.csv, effects.json, ranking.csv, ranking.json, ranking.txt.
kane_status kane_omission_write(const kane_omission_report *report, kane_errors *errors);
kane_status kane_omission_write_json(const kane_omission_report *report, kane_errors *errors);

// The strongest terms, of all terms only those that are no wholes; how many there are.
int kane_omission_strongest(const kane_omission_report *report, int most, int *terms);

// Name of a file from a pattern: "*" is "all", other signs of patterns and slashes are '_'.
void kane_omission_file_name(const char *before, const char *pattern, size_t size, char *name);

// Pictures: maps of effects, and the strongest terms.
kane_status kane_omission_draw_maps(const kane_omission_report *report, kane_errors *errors);
kane_status kane_omission_draw_runs(const kane_omission_report *report, kane_errors *errors);

#endif
