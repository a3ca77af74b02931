// SPDX-License-Identifier: MIT
// Sparse matrices: their pattern, factorisation and lowest modes.

#ifndef KANE_MATH_SPARSE_H
#define KANE_MATH_SPARSE_H

#include <kane/pattern.h>

#include "base/arena.h"
#include "math/small.h"

#include <stddef.h>

// === Making sparsity patterns (kane_pattern).

// Entries under construction, in any order, any number of times.
typedef struct kane_pattern_entries kane_pattern_entries;

kane_pattern_entries *kane_pattern_begin(int size);
void kane_pattern_add(kane_pattern_entries *entries, int row, int column);
void kane_pattern_add_block(kane_pattern_entries *entries, int row, int rows, int column, int columns);

// The pattern of all entries added, and of the diagonal. Frees the entries. NULL if memory was short.
kane_pattern *kane_pattern_finish(kane_pattern_entries *entries);
void kane_pattern_free(kane_pattern *pattern);

// === Sparse linear equations by KLU: the pattern once, pivots once, numbers as often as wanted.

typedef struct kane_sparse_lu kane_sparse_lu; // for one thread at a time

// Orders the equations of a pattern, which must outlive the result. NULL if memory is short, or if no choice of entries
// of the pattern could make a matrix that is not singular.
kane_sparse_lu *kane_sparse_lu_create(const kane_pattern *pattern);
void kane_sparse_lu_free(kane_sparse_lu *lu); // NULL is allowed

// Chooses pivots for these values [pattern->count] and factors. This is the step that allocates. Returns 0 if the
// matrix is singular or memory is short.
int kane_sparse_lu_pivot(kane_sparse_lu *lu, const double *values);

// Factors other values with the pivots chosen before. Pivots are chosen anew only where those have become useless
// (or where there are none yet): that alone allocates. Returns 0 if the matrix is singular or memory is short.
int kane_sparse_lu_factor(kane_sparse_lu *lu, const double *values);

// The present pivots are kept for good: where they are useless, others serve for one factorisation alone, so that
// results do not depend on what was factored before.
void kane_sparse_lu_keep(kane_sparse_lu *lu);

// 1: the last factorisation failed because memory is short, not because of the matrix.
int kane_sparse_lu_lacks_memory(const kane_sparse_lu *lu);

// b becomes the solution of A x = b, of what was factored last.
void kane_sparse_lu_solve(kane_sparse_lu *lu, double *b);

// Where the factors with the pivots chosen before have entries: row P[i] and column Q[j] of A are row i and column j of
//   L U + F,   L, U in diagonal blocks R[b] <= i < R[b + 1], F above them
// Column j has L's entries below its diagonal of ones in the rows Li[Lp[j]] up to before Li[Lp[j + 1]]; U's above its
// diagonal, in the order in which they are eliminated, and F's likewise.
typedef struct kane_sparse_factors {
    int size, block_count;
    int *P, *Q, *R;         // [size], [size], [block_count + 1]
    int *Lp, *Li, *Up, *Ui; // [size + 1], [Lp[size]], [size + 1], [Up[size]]
    int *Fp, *Fi;           // [size + 1], [Fp[size]]
} kane_sparse_factors;

// In an arena. 0: no pivots have been chosen, or memory is short.
int kane_sparse_lu_get_factors(const kane_sparse_lu *lu, kane_arena *arena, kane_sparse_factors *factors);

// === Lowest modes of large sparse systems: K phi = lambda M phi.

// A symmetric matrix with both its halves, by rows, columns ascending.
typedef struct kane_symmetric {
    int n;
    int *start;    // of each row in what follows [n + 1]
    int *column;   // [start[n]]
    double *value; // [start[n]]
} kane_symmetric;

// y = A x; a' A b (work [n] becomes A b)
void kane_symmetric_multiply(const kane_symmetric *A, const double *x, double *y);
double kane_symmetric_product(const kane_symmetric *A, const double *a, const double *b, double *work);

// x += factor y
void kane_add_scaled(int n, double *x, double factor, const double *y);

enum {
    KANE_MODES_NO_MEMORY       = -1020,
    KANE_MODES_NOT_POSITIVE    = -1021, // K or M has a direction with a negative value
    KANE_MODES_NOT_CONVERGED   = -1022,
    KANE_MODES_NOT_INDEPENDENT = -1023 // M has too low a rank for so many modes
};

// Motions that a system does not have: modes that are known, of unit modal mass and orthogonal to each other; or those
// that do work on loads, which are orthonormal: what holds the system (loads' x = 0).
typedef struct kane_excluded_motions {
    int count;
    const double *vectors; // by rows [count * n]
    int are_loads;
} kane_excluded_motions;

// In all that follows K and M are at least positive semidefinite, and K is positive definite for what is not set aside.
// Any thread may call; one works at a time. Returns 0 or one of the numbers above.

// The `count` lowest modes of what is not set aside, by Lanczos' method with inverted shift (ARPACK, CHOLMOD). Fills
// lambda [count], ascending, and phi [count * n], modes by rows of unit modal mass. count < n / 2.
int kane_symmetric_modes(const kane_symmetric *K, const kane_symmetric *M, const kane_excluded_motions *aside,
                         int count, double *lambda, double *phi);

// x of K x = b for `count` right sides, without any part of the known modes in x or of the forces M known in b (what a
// free body does in mean axes under loads that its inertia balances). b, x [count * n] by rows; b is destroyed.
int kane_symmetric_responses(const kane_symmetric *K, const kane_symmetric *M, const kane_excluded_motions *known,
                             int count, double *b, double *x);

#endif
