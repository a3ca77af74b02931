// SPDX-License-Identifier: MIT
// Equations of a run, in which numbers of its files stay symbols.

#ifndef KANE_RECORD_PARAMETERS_H
#define KANE_RECORD_PARAMETERS_H

#include <kane/run.h>

#include "base/arena.h"
#include "record/kernels.h"
#include "record/record.h"

// Which run, and what of it.
typedef struct kane_record_source {
    const char *file;              // run file
    const char *const *settings;   // "PATH=VALUE", NULL-terminated; NULL: none
    const char *const *omit;       // as in kane_run_options
    const char *const *parameters; // paths as before the '=' of a setting, NULL-terminated; NULL: none
} kane_record_source;

// As kane_record_create of the run's model; parameters are the last of the symbols of KANE_GROUP_SYMBOL, by their
// paths. With other values of them the equations are those of a model that is compiled with these. NULL with errors
// filled, also where the structure of the model depends on a parameter, or a number that the equations need does in no
// simple way.
kane_recording *kane_record_run(const kane_record_source *source, const kane_record_options *options,
                                kane_errors *errors);

// === Formulas of numbers that depend on parameters, found from samples.

enum { KANE_LEVELS = 4, KANE_CHECKS = 2, KANE_ROOTS = 32, KANE_SPREADS = 8 };

// One choice of values: which level of each parameter; the last KANE_CHECKS points have values of their own.
typedef struct kane_sample_point {
    unsigned char level[KANE_RECORD_PARAMETERS_MOST];
    int below[KANE_RECORD_PARAMETERS_MOST]; // the point with one level less of a parameter, -1: none
} kane_sample_point;

// A formula that is no sum, such as a length, and its values at all points.
typedef struct kane_formula_root {
    int node;
    double *value; // [points]
} kane_formula_root;

// Where numbers are sampled; point 0 has the values of the files.
typedef struct kane_samples {
    int count;                                  // of parameters
    int parameter[KANE_RECORD_PARAMETERS_MOST]; // their nodes on the tape
    double level[KANE_RECORD_PARAMETERS_MOST][KANE_LEVELS], check[KANE_RECORD_PARAMETERS_MOST][KANE_CHECKS];
    int point_count, grid_count;
    kane_sample_point *points; // [point_count]
    int root_count;
    kane_formula_root roots[KANE_ROOTS];
    double *scratch; // [4 point_count]
} kane_samples;

// Points of so many parameters; 0 if memory is short.
int kane_samples_create(kane_samples *samples, int count, kane_arena *arena);
// Values of parameter i about the start, in one of KANE_SPREADS ways, the usual one first.
void kane_samples_spread(kane_samples *samples, int i, double start, int spread);
// Parameter i at a point.
double kane_samples_value(const kane_samples *samples, int point, int i);

// The node of a formula on the tape of this thread of a number with values f [point_count]; -1: there is none. First
// directly, which notes roots; then, when all have been tried, by these.
int kane_formula_direct(kane_samples *samples, const double *f);
int kane_formula_by_root(const kane_samples *samples, const double *f);

#endif
