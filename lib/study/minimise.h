// SPDX-License-Identifier: MIT
// Minima of functions of a few unknowns without derivatives, by NLopt: the same path every time, bit by bit.

#ifndef KANE_STUDY_MINIMISE_H
#define KANE_STUDY_MINIMISE_H

#include <kane/transition.h>

typedef struct minimisation {
    kane_algorithm algorithm;
    int count;            // unknowns
    double bound;         // |x_i| <= bound
    double step;          // first steps
    double tolerance;     // ends when the unknowns change by less
    int evaluations_most; // is kept exactly
    int seed;             // of what an algorithm takes at random
    // The value at x; NaN where there is none (a penalty takes its place, but not at the first point). Any other status
    // than KANE_OK ends the search, with that status.
    kane_status (*value)(const double *x, double *value, void *data);
    int constraint_count;                                           // COBYLA only; 0: none
    void (*constrain)(const double *x, double *values, void *data); // all of them must be >= 0
    void *data;
} minimisation;

typedef enum minimum_end {
    MINIMUM_FOUND,  // unknowns change by less than the tolerance
    MINIMUM_BUDGET, // all evaluations are used up
    MINIMUM_ROUND   // values are too much alike to go on
} minimum_end;

typedef struct minimum {
    double value; // smallest one among points that hold the constraints
    int evaluations;
    minimum_end end;
} minimum;

// Begins at x and leaves the best point there. KANE_NOT_SOLVED where there is no value at the first point, or what
// `value` has returned.
kane_status minimise(const minimisation *m, double *x, minimum *result);

const char *minimum_end_text(minimum_end end);

#endif
