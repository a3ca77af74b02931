// SPDX-License-Identifier: MIT
// Rows of one channel, what is done with them, and the number that is made of them.

#ifndef KANE_EVALUATE_REDUCE_H
#define KANE_EVALUATE_REDUCE_H

#include "evaluate/measure.h"

typedef struct kane_measured {
    int count;
    double *time;  // [count] [s]
    double *place; // [count] distance travelled [m]; NULL: none
    double *value; // [count]
    double step;   // rows are as far apart [s]; 0: not known to be even in time
    int is_alike;  // rows count alike in a percentile: even in time, or where a window has slid
} kane_measured;

// Does one step with the rows, which may become fewer, or others. Memory comes from the arena. KANE_BAD_ARGUMENT or
// KANE_NO_MEMORY with an error.
kane_status kane_measured_apply(kane_measured *rows, const kane_measure_step *step, kane_arena *arena,
                                kane_errors *errors);

// Makes rows even in time, if they are not yet known to be.
kane_status kane_measured_even(kane_measured *rows, kane_arena *arena, kane_errors *errors);

// Keeps the rows within a window of time or distance; perhaps none.
void kane_measured_cut(kane_measured *rows, const double *axis, double from, double to);

typedef struct kane_reduced {
    double value;
    double extreme; // reductions that give a place: the value there
} kane_reduced;

// There must be a row. Weighting is done already.
//   mean, rms   over time, by the trapezoidal rule: rows need not be even
//   percentile  rows count alike; they are put into order
//   at_...      distance travelled, or time where there is none; the first row of several
// NaN with an error where rows are too few.
kane_reduced kane_reduce(const kane_measure *measure, kane_measured *rows, kane_errors *errors);

// Of several channels a measure takes one: 1 if it takes `a` rather than `b`.
int kane_reduced_exceeds(const kane_measure *measure, const kane_reduced *a, const kane_reduced *b);

#endif
