// SPDX-License-Identifier: MIT
// Rows of one channel, and the number that is made of them.

#ifndef KANE_EVALUATE_REDUCE_H
#define KANE_EVALUATE_REDUCE_H

#include "evaluate/measure.h"

typedef struct kane_measured {
    int count;
    double *time;  // [count] [s]
    double *place; // [count] distance travelled [m]; NULL: none
    double *value; // [count]
    const char *unit;
} kane_measured;

typedef struct kane_reduced {
    double value;
    double extreme; // reductions that give a place: the value there
    const char *unit;
} kane_reduced;

// There must be a row.
//   mean, rms   over time, by the trapezoidal rule: rows need not be even
//   percentile  rows count alike
//   at_...      distance travelled, or time where there is none; the first row of several
kane_reduced kane_reduce(kane_reduction reduction, double percent, const kane_measured *rows);

// Of several channels a measure takes one: 1 if it takes `a` rather than `b`.
int kane_reduced_exceeds(kane_reduction reduction, double percent, const kane_reduced *a, const kane_reduced *b);

#endif
