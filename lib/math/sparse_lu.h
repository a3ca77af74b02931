// SPDX-License-Identifier: MIT
// Sparse linear equations by KLU: the pattern once, pivots once, numbers as often as wanted.

#ifndef KANE_MATH_SPARSE_LU_H
#define KANE_MATH_SPARSE_LU_H

#include "math/pattern.h"

typedef struct kane_sparse_lu kane_sparse_lu; // for one thread at a time

// Orders the equations of a pattern, which must outlive the result. NULL if memory is short, or if no choice of entries
// of the pattern could make a matrix that is not singular.
kane_sparse_lu *kane_sparse_lu_create(const kane_pattern *pattern);
void kane_sparse_lu_free(kane_sparse_lu *lu); // NULL is allowed

// Chooses pivots for these values [pattern->count] and factors. This is the step that allocates. Returns 0 if the matrix
// is singular or memory is short.
int kane_sparse_lu_pivot(kane_sparse_lu *lu, const double *values);

// Factors other values with the pivots chosen before. Pivots are chosen anew only where those have become useless
// (or where there are none yet): that alone allocates. Returns 0 if the matrix is singular or memory is short.
int kane_sparse_lu_factor(kane_sparse_lu *lu, const double *values);

// The present pivots are kept for good: where they are useless, others serve for one factorisation alone, so that results do
// not depend on what was factored before.
void kane_sparse_lu_keep(kane_sparse_lu *lu);

// 1: the last factorisation failed because memory is short, not because of the matrix.
int kane_sparse_lu_lacks_memory(const kane_sparse_lu *lu);

// b becomes the solution of A x = b, of what was factored last.
void kane_sparse_lu_solve(kane_sparse_lu *lu, double *b);

#endif
