// SPDX-License-Identifier: MIT
// A sweep in memory.

#ifndef KANE_STUDY_SWEEP_H
#define KANE_STUDY_SWEEP_H

#include <kane/sweep.h>

#include "study/axis.h"
#include "study/study.h"

// What a case records: measures, then these.
enum { KANE_SWEEP_STOP, KANE_SWEEP_TIME, KANE_SWEEP_DISTANCE, KANE_SWEEP_STEPS, KANE_SWEEP_EXTRAS };

// What became of a case.
typedef struct kane_sweep_record {
    kane_case_state state;
    const double *values;
    const char *why;
} kane_sweep_record;

struct kane_sweep_study {
    kane_study study;
    kane_sweep_definition is;
    kane_grid grid; // the axes
    kane_measures measures;
    int case_count;
    kane_axis *columns; // [axis_count] each axis with one value a case
    // what became of the cases; NULL before it is complete
    const kane_sweep_record *records; // [case_count]
};

// Pictures.
kane_status kane_sweep_draw(const kane_sweep_study *sweep, kane_errors *errors);

#endif
