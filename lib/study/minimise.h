// SPDX-License-Identifier: MIT
// Minima of functions of a few unknowns, or of the largest of several, by NLopt: the same path every time, bit by bit.

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
    // Parts: their largest is made small. COBYLA and SLSQP see each by itself, as min t with p_i(x) <= t.
    int part_count; // 0: one
    // Values of the parts at x; NaN in the first where there are none (a penalty takes its place, but not at the first
    // point). Any other status than KANE_OK ends the search, with that status.
    kane_status (*value)(const double *x, double *value, void *data);
    // COBYLA and SLSQP only; 0: none. All of them must be >= 0, or >= -slack. Called for the x of the last value.
    int constraint_count;
    double slack;
    void (*constrain)(const double *x, double *values, void *data);
    // SLSQP only: derivatives [part_count + constraint_count][count] of parts and constraints, for the x of the last
    // value.
    void (*gradient)(const double *x, double *gradient, void *data);
    void *data;
} minimisation;

typedef enum minimum_end {
    MINIMUM_FOUND,  // unknowns change by less than the tolerance
    MINIMUM_BUDGET, // all evaluations are used up
    MINIMUM_ROUND   // values are too much alike to go on
} minimum_end;

typedef struct minimum {
    double value;     // smallest one among points that hold the constraints; infinite: none does
    double violation; // largest -c_j at the best point; 0: all hold
    int evaluations;
    minimum_end end;
} minimum;

// Begins at x and leaves the best point there; where no point holds the constraints the one that violates them least.
// KANE_NOT_SOLVED where there is no value at the first point, or what `value` has returned.
kane_status minimise(const minimisation *m, double *x, minimum *result);

const char *minimum_end_text(minimum_end end);

#endif
