// SPDX-License-Identifier: MIT
// Root loci: the modes of a vehicle while a parameter changes, followed from value to value, and where they lose their
// damping.

#ifndef KANE_LOCUS_H
#define KANE_LOCUS_H

#include <kane/base.h>
#include <kane/linear.h>

KANE_C_BEGIN

typedef struct kane_locus_study {
    int count;
    const double *values; // of the parameter, ascending or descending
    // Modes at a value, which the locus frees; NULL with errors. Also asked for values in between.
    kane_modes *(*modes)(double value, void *data, kane_errors *errors);
    void *data;
    double
        highest; // modes of a greater natural frequency are not followed [Hz], unless one like them grows; 0: all are
    double tolerance; // of crossings, relative to the step between two values; 0: 1e-9
} kane_locus_study;

// Where the damping of a branch passes through zero.
typedef struct kane_locus_crossing {
    double value;          // of the parameter
    int branch;            //
    int loses;             // 1: going along the values the branch becomes unstable there, 0: stable
    const kane_mode *mode; // there
} kane_locus_crossing;

typedef struct kane_locus kane_locus;

// Follows all modes by the likeness of their shapes and the distance of their eigenvalues; steps at which that is not
// clear are divided. NULL with errors filled.
KANE_API kane_locus *kane_locus_create(const kane_locus_study *study, kane_errors *errors);
KANE_API void kane_locus_free(kane_locus *locus);

// Branches, and the mode that branch `branch` is at value i of the study; NULL where it is not: a pair of eigenvalues
// may become two real ones, of which one continues and the other is a new branch.
KANE_API int kane_locus_count(const kane_locus *locus);
KANE_API const kane_mode *kane_locus_get(const kane_locus *locus, int branch, int i);

// Crossings in the order of the values.
KANE_API int kane_locus_crossing_count(const kane_locus *locus);
KANE_API const kane_locus_crossing *kane_locus_get_crossing(const kane_locus *locus, int i);

KANE_C_END

#endif
