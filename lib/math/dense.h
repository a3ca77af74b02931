// SPDX-License-Identifier: MIT
// Small dense equations, matrices by rows: no allocation.

#ifndef KANE_MATH_DENSE_H
#define KANE_MATH_DENSE_H

// A = P' L U in place, pivots chosen in every column; pivot [n]. Returns 0 if a pivot is zero or not finite.
int kane_lu_factor(int n, double *A, int *pivot);

// X of A X = B, in place of B [n * columns]; x of A' x = b, in place of b.
void kane_lu_solve(int n, const double *LU, const int *pivot, int columns, double *B);
void kane_lu_solve_transposed(int n, const double *LU, const int *pivot, double *b);

// x of A x = e, the unit vector `one`, column by column: what is zero in x costs nothing.
void kane_lu_solve_unit(int n, const double *LU, const int *pivot, int one, double *x);

// A = L L' in place, the lower half. Zeros at the beginning of a row stay zero and cost nothing; first [n]: where the others
// begin. Returns the first row whose pivot is not positive, or -1.
int kane_cholesky_factor(int n, double *A, int *first);

// x of A x = b, in place of b; X of A X = B, in place of B [n * columns].
void kane_cholesky_solve(int n, const double *L, const int *first, double *b);
void kane_cholesky_solve_columns(int n, const double *L, const int *first, int columns, double *B);

// C += A B: A [n * m], its rows `stride` apart, B [m * columns], C [n * columns]. Zeros of A cost nothing.
void kane_add_product(int n, int m, int stride, const double *A, int columns, const double *B, double *C);

#endif
