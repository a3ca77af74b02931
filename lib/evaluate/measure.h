// SPDX-License-Identifier: MIT
// A measure as it is kept: what is done with a channel, step by step, and what is left of it in the end.

#ifndef KANE_EVALUATE_MEASURE_H
#define KANE_EVALUATE_MEASURE_H

#include <kane/measure.h>

#include "base/arena.h"

enum { KANE_MEASURE_STEPS = 8 }; // most arguments behind a channel

// How rows become one number; the order is that of the table in measure_words.c.
typedef enum kane_reduction {
    KANE_REDUCE_MAX,
    KANE_REDUCE_MIN,
    KANE_REDUCE_MEAN,
    KANE_REDUCE_RMS,
    KANE_REDUCE_PEAK,
    KANE_REDUCE_RANGE,
    KANE_REDUCE_END,
    KANE_REDUCE_AT_MAX,
    KANE_REDUCE_AT_MIN,
    KANE_REDUCE_AT_PEAK,
    KANE_REDUCE_PERCENTILE,
    KANE_REDUCTIONS
} kane_reduction;

// What is done with rows before; in the order in which it was typed.
typedef enum kane_step_kind {
    KANE_STEP_SIZE // values become their sizes
} kane_step_kind;

typedef struct kane_step {
    kane_step_kind kind;
} kane_step;

typedef enum kane_window_axis { KANE_WINDOW_NONE, KANE_WINDOW_DISTANCE, KANE_WINDOW_TIME } kane_window_axis;

struct kane_measure {
    kane_arena *arena;
    const char *text;     // as typed
    const char *channels; // pattern
    kane_reduction reduction;
    double percent; // of a percentile
    int step_count;
    kane_step steps[KANE_MEASURE_STEPS];
    kane_window_axis axis;
    double from, to; // [m] or [s]; infinite where nothing was typed
};

// "max", "p99.85", ... of a text of that length; 0 if there is none of that name. percent: of a percentile.
int kane_reduction_find(const char *text, size_t length, kane_reduction *reduction, double *percent);
const char *kane_reduction_name(kane_reduction reduction);

// All names, for messages: "max, min, ...".
const char *kane_reduction_list(void);

#endif
