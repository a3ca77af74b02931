// SPDX-License-Identifier: MIT
// A sweep from inside: what its parts (cases, summary, the rest) share.

#ifndef KANE_STUDY_SWEEP_STUDY_H
#define KANE_STUDY_SWEEP_STUDY_H

#include <kane/sweep.h>

#include "study/study.h"

#include <stdio.h>

// What a case records: measures, then these.
enum { KANE_SWEEP_STOP, KANE_SWEEP_TIME, KANE_SWEEP_DISTANCE, KANE_SWEEP_STEPS, KANE_SWEEP_EXTRAS };

struct kane_sweep_study {
    kane_study study;
    kane_sweep_definition is;
    kane_grid grid; // the axes; a distribution has one value there
    // [axis_count] each axis with one value a case: of a list, a Latin hypercube or a distribution no axis of the
    // definition says which case has which value
    kane_axis *columns;
    int distributions;     // number of them among the axes
    int blocks;            // cases of a sample: 1, or of Saltelli's scheme distributions + 2
    kane_table table;      // of what became of the cases; empty before it is complete
    kane_table statistics; // of distributions: a row for each measure and point of the grid
    kane_table indices;    // of Sobol: a row for each distribution of those
};

// --- cases (sweep_cases.c) ---
//
// Grids, lists and Latin hypercubes of ranges: as kane/sweep.h says. With distributions: for each point of the grid of
// the other axes samples 1 .. N; for each sample `blocks` cases, which are A, B, AB_1, ... AB_k of Saltelli's scheme
// (sample.h) or one.

// Counts cases, distributions and blocks, and fills the columns. 0 with an error.
int kane_sweep_fill_columns(kane_sweep_study *sweep);

// --- summary (sweep_summary.c) ---

// Fills both tables of distributions from the records of all cases. 0 without memory.
int kane_sweep_tabulate_samples(kane_sweep_study *sweep, const kane_plan *plan);

// Writes both as text.
void kane_sweep_print_samples(const kane_sweep_study *sweep, FILE *out);

// Number of an axis among the parameters of the finder; -1: it is a setting of the run.
int kane_sweep_parameter(const kane_sweep_study *sweep, int axis);

#endif
