// SPDX-License-Identifier: MIT
// Small dense equations, matrices by rows: no allocation.

#ifndef KANE_MATH_DENSE_H
#define KANE_MATH_DENSE_H

// A = P' L U in place, pivots chosen in every column; pivot [n]. Returns 0 if a pivot is zero or not finite.
int kane_lu_factor(int n, double *A, int *pivot);

// X of A X = B, in place of B [n * columns]; x of A' x = b, in place of b.
void kane_lu_solve(int n, const double *LU, const int *pivot, int columns, double *B);
void kane_lu_solve_transposed(int n, const double *LU, const int *pivot, double *b);

// --- equations whose entries lie near the diagonal ---
//
// While column k is eliminated, only rows k .. low[k] and columns k .. high[k] can hold entries other than zero,
// whatever pivots are chosen; neither bound falls with k. So a chain of n equations, each of which has unknowns of its
// neighbours alone, costs n times a constant, in time and in memory, and a full matrix (low = high = n - 1) what it
// costs above. Pivots are the same as there.
typedef struct kane_envelope {
    int n;
    int *low, *high; // [n]
    int *at;         // entry (i, j) is A[at[i] + j]; kept from the first column k with low[k] >= i up to high[i] [n]
    int size;        // numbers of A
} kane_envelope;

// From the least and the greatest column of every row [n] (of an empty one n and -1); room: ints, 3 n of them, for the
// lists.
kane_envelope kane_envelope_create(int n, const int *least, const int *greatest, int *room);

// Products of its elimination when no pivot is zero: sum over k of (low[k] - k) (high[k] - k).
double kane_envelope_products(const kane_envelope *envelope);

// A = P' L U in place, A [size]; pivot [n]. Returns 0 if a pivot is zero or not finite.
int kane_envelope_factor(const kane_envelope *envelope, double *A, int *pivot);

// X of A X = B, in place of B [n * columns]; x of A' x = b, in place of b.
void kane_envelope_solve(const kane_envelope *envelope, const double *LU, const int *pivot, int columns, double *B);
void kane_envelope_solve_transposed(const kane_envelope *envelope, const double *LU, const int *pivot, double *b);

// --- symmetric equations ---

// A = L L' in place, the lower half. Zeros at the beginning of a row stay zero and cost nothing; first [n]: where the others
// begin. Returns the first row whose pivot is not positive, or -1.
int kane_cholesky_factor(int n, double *A, int *first);

// x of A x = b, in place of b; X of A X = B, in place of B [n * columns].
void kane_cholesky_solve(int n, const double *L, const int *first, double *b);
void kane_cholesky_solve_columns(int n, const double *L, const int *first, int columns, double *B);

// C += A B: A [n * m], its rows `stride` apart, B [m * columns], C [n * columns]. Zeros of A cost nothing.
void kane_add_product(int n, int m, int stride, const double *A, int columns, const double *B, double *C);

#endif
