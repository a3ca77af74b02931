// SPDX-License-Identifier: MIT
// A measure as kept: what is done with a channel, step by step, and what is left of it in the end.

#ifndef KANE_EVALUATE_MEASURE_H
#define KANE_EVALUATE_MEASURE_H

#include <kane/measure.h>
#include <kane/signal.h>

#include "base/arena.h"
#include "base/text.h"

static inline double kane_square(double x)
{
    return x * x;
}

enum { KANE_MEASURE_STEPS = 8 }; // most arguments behind a channel

// How rows become one number; the order is that of the table in measure_words.c.
typedef enum kane_reduction {
    KANE_REDUCE_MAX,
    KANE_REDUCE_MIN,
    KANE_REDUCE_MEAN,
    KANE_REDUCE_RMS,
    KANE_REDUCE_INTEGRAL, // over time
    KANE_REDUCE_PEAK,
    KANE_REDUCE_RANGE,
    KANE_REDUCE_END,
    KANE_REDUCE_AT_MAX,
    KANE_REDUCE_AT_MIN,
    KANE_REDUCE_AT_PEAK,
    KANE_REDUCE_COMFORT_X, // of vibrations: 95th percentile of blocks
    KANE_REDUCE_COMFORT_Y,
    KANE_REDUCE_COMFORT_Z,
    KANE_REDUCE_NMV, // of three channels
    KANE_REDUCE_SPERLING_Y,
    KANE_REDUCE_SPERLING_Z,
    KANE_REDUCE_SPERLING_QUALITY,
    KANE_REDUCE_PERCENTILE,
    KANE_REDUCTIONS
} kane_reduction;

typedef enum kane_window_axis { KANE_WINDOW_NONE, KANE_WINDOW_DISTANCE, KANE_WINDOW_TIME } kane_window_axis;

// What is done with rows before; in the order in which it was typed.
typedef enum kane_measure_step_kind {
    KANE_STEP_SIZE,      // values become their sizes
    KANE_STEP_RATE,      // derivative by time
    KANE_STEP_LOW_PASS,  // below `high`
    KANE_STEP_HIGH_PASS, // above `low`
    KANE_STEP_BAND_PASS,
    KANE_STEP_WEIGHTING,
    KANE_STEP_SLIDING // rows become others: one for each place of the window
} kane_measure_step_kind;

typedef struct kane_measure_step {
    kane_measure_step_kind kind;
    double low, high; // [Hz]
    kane_filter_passes passes;
    kane_weighting weighting;
    kane_sliding_kind sliding;
    kane_window_axis axis; // sliding: over distance or time,
    double length, by;     // [m] or [s]
} kane_measure_step;

struct kane_measure {
    kane_arena *arena;
    const char *text;     // as typed
    const char *channels; // pattern
    kane_reduction reduction;
    double percent; // of a percentile
    int step_count;
    kane_measure_step steps[KANE_MEASURE_STEPS];
    kane_window_axis axis;
    double from, to; // [m] or [s]; infinite where nothing was typed
};

// "max", "p99.85", ... of a text of that length; 0 if there is none of that name. percent: of a percentile.
int kane_reduction_find(const char *text, size_t length, kane_reduction *reduction, double *percent);

// All names, for messages: "max, min, ...".
const char *kane_reduction_list(void);

// The weighting that a reduction brings along; KANE_WEIGHTINGS: none.
kane_weighting kane_reduction_weighting(kane_reduction reduction);

// Can the step be done with rows `every` so many seconds? KANE_BAD_ARGUMENT with an error.
kane_status kane_measure_check_step(const kane_measure_step *step, double every, kane_errors *errors);

// --- reading ---

// A text while it is read, and a piece of it.
typedef struct kane_measure_parser {
    kane_measure *measure;
    const char *text;
    kane_errors *errors;
} kane_measure_parser;

typedef struct kane_piece {
    const char *at;
    size_t length;
} kane_piece;

kane_piece kane_piece_trim(kane_piece a);
int kane_piece_is(kane_piece a, const char *word);

// An error at a character of the text. Returns 0.
int kane_measure_refuse(const kane_measure_parser *p, const char *at, const char *format, ...) KANE_PRINTF(3, 4);

// Reads what stands between two commas behind the channel: a step, or the window. 0 with an error.
int kane_measure_read_argument(const kane_measure_parser *p, kane_piece a);

// === Rows of one channel, what is done with them, and the number that is made of them.

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

// Rows of the one channel that a measure names, as its reduction has them. Memory comes from the arena. 0 where it
// names several, or with an error.
int kane_measure_rows(const kane_measure *measure, const kane_results *results, kane_arena *arena, kane_measured *rows,
                      kane_errors *errors);

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

// === Columns of results, and what a measure finds among them.

typedef struct kane_columns {
    int count;
    const kane_column *columns;
} kane_columns;

// Column of a name, -1 if there is none.
int kane_columns_named(kane_columns columns, const char *name);

// Column whose name differs from that of `column` in its last letter only, which is this one; -1 if there is none.
int kane_columns_sibling(kane_columns columns, int column, char letter);

// 1 if the measure is taken of that column; of mean comfort one of three.
int kane_measure_is_about(const kane_measure *measure, kane_columns columns, int column);

// An error of a measure, which names it. Returns 0.
int kane_measure_fail(const kane_measure *measure, kane_errors *errors, kane_status status, const char *format, ...)
    KANE_PRINTF(4, 5);

// Puts the measure and a channel (NULL: none) in front of the error number `before`, which a function further down has
// added. Returns 0.
int kane_measure_report(const kane_measure *measure, kane_errors *errors, int before, const char *channel);

#endif
