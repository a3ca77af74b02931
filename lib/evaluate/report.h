// SPDX-License-Identifier: MIT
// A report while it is made.

#ifndef KANE_EVALUATE_REPORT_H
#define KANE_EVALUATE_REPORT_H

#include <kane/report.h>

#include "base/arena.h"
#include "evaluate/sections.h"
#include "evaluate/standard.h"

enum { KANE_REPORT_RUNS_MOST = 64 };

typedef struct kane_report_run {
    const kane_results *results;
    const char *name;
    kane_evaluation *whole;
    kane_filtered filtered;
    const double *s, *curvature, *superelevation, *speed; // columns of the results
    int rows;
} kane_report_run;

struct kane_report {
    kane_arena *arena;
    kane_report_options options;
    int run_count;
    kane_report_run runs[KANE_REPORT_RUNS_MOST];
    int section_count, section_room;
    kane_report_section *sections;
    kane_left_out_list left_out;
    int row_count;
    kane_report_row *rows;
    int remark_count, remark_room;
    const char **remarks;
};

// Adds the sections of one run (report_sections.c). 0 without memory.
int kane_report_find_sections(kane_report *report, int run);

#endif
