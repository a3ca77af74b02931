// SPDX-License-Identifier: MIT
// Lowest modes of large sparse systems: K phi = lambda M phi.

#ifndef KANE_MATH_SPARSE_MODES_H
#define KANE_MATH_SPARSE_MODES_H

#include <stddef.h>

// A symmetric matrix with both its halves, by rows, columns ascending.
typedef struct kane_symmetric {
    int n;
    int *start;    // of each row in what follows [n + 1]
    int *column;   // [start[n]]
    double *value; // [start[n]]
} kane_symmetric;

// y = A x
void kane_symmetric_multiply(const kane_symmetric *A, const double *x, double *y);

enum {
    KANE_MODES_NO_MEMORY       = -1020,
    KANE_MODES_NOT_POSITIVE    = -1021, // K or M has a direction with a negative value
    KANE_MODES_NOT_CONVERGED   = -1022,
    KANE_MODES_NOT_INDEPENDENT = -1023 // M has too low a rank for so many modes
};

// The `count` lowest modes that are orthogonal to `known_count` known ones, by Lanczos' method with inverted shift (ARPACK, CHOLMOD).
// K and M: at least positive semidefinite; K: zero for known modes alone. known [known_count * n]: of unit modal mass, orthogonal to
// each other. Fills lambda [count], ascending, and phi [count * n], modes by rows of unit modal mass. count < n / 2. Any thread may
// call; one works at a time. Returns 0 or one of the numbers above.
int kane_symmetric_modes(const kane_symmetric *K, const kane_symmetric *M, int known_count, const double *known,
                         int count, double *lambda, double *phi);

// x of K x = b for `count` right sides, without any part of the known modes in x or of the forces M known in b (what a free body does
// in mean axes under loads that its inertia balances). b, x [count * n] by rows; b is destroyed. Otherwise as above.
int kane_symmetric_responses(const kane_symmetric *K, const kane_symmetric *M, int known_count, const double *known,
                             int count, double *b, double *x);

#endif
