// SPDX-License-Identifier: MIT
// A sweep in memory.

#ifndef KANE_STUDY_SWEEP_H
#define KANE_STUDY_SWEEP_H

#include <kane/sweep.h>

#include "study/axis.h"
#include "study/study.h"

// What a case records: measures, then these.
enum { KANE_SWEEP_STOP, KANE_SWEEP_TIME, KANE_SWEEP_DISTANCE, KANE_SWEEP_STEPS, KANE_SWEEP_EXTRAS };

struct kane_sweep_study {
    kane_study study;
    kane_sweep_definition is;
    kane_grid grid; // the axes
    kane_measures measures;
    kane_axis *columns; // [axis_count] each axis with one value a case
    kane_table table;   // of what became of the cases; empty before it is complete
};

// The first measure's.
int kane_sweep_measure_column(const kane_sweep_study *sweep);

// Pictures. 0 with an error.
int kane_sweep_draw(const kane_sweep_study *sweep);

#endif
