// SPDX-License-Identifier: MIT
// Dense matrices: factorisations, eigenvalues, bases, least squares, elimination of rows.

#ifndef KANE_MATH_DENSE_H
#define KANE_MATH_DENSE_H

#include <stddef.h>

// === Small dense equations, matrices by rows: no allocation.

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

// A = L L' in place, the lower half. Zeros at the beginning of a row stay zero and cost nothing; first [n]: where the
// others begin. Returns the first row whose pivot is not positive, or -1.
int kane_cholesky_factor(int n, double *A, int *first);

// x of A x = b, in place of b; X of A X = B, in place of B [n * columns].
void kane_cholesky_solve(int n, const double *L, const int *first, double *b);
void kane_cholesky_solve_columns(int n, const double *L, const int *first, int columns, double *B);

// C += A B: A [n * m], its rows `stride` apart, B [m * columns], C [n * columns]. Zeros of A cost nothing.
void kane_add_product(int n, int m, int stride, const double *A, int columns, const double *B, double *C);

// === Matrices of slopes by central differences: of functions that others write and do not derive.

// One of a function's variables, and the step that is taken either way.
typedef struct kane_varied {
    int variable;
    double step;
} kane_varied;

// f [size] with one variable moved by h; *moved: how far it really is, h before the call. Returns 0, or a status that
// ends all.
typedef int kane_varied_function(const void *data, int variable, double h, double *moved, double *f);

enum { KANE_VARIED_MOST = 16 }; // of `size`

// slopes[k * size + i] = (f_i(+h) - f_i(-h))/(moved(+h) - moved(-h)) by the k-th variable of a list. Returns the
// status.
int kane_central_difference(int count, const kane_varied *list, kane_varied_function *eval, const void *data, int size,
                            double *slopes);

// === Eigenvalues of dense matrices.

enum { KANE_EIGEN_NO_MEMORY = -1010, KANE_EIGEN_NOT_FINITE = -1011 };

// Eigenvalues re + i im and right eigenvectors of A [n x n], by columns, destroyed. Of a pair the one with im > 0 comes
// first: columns j and j + 1 of `vectors` [n x n] are then real and imaginary part of its eigenvector, the other one is
// conjugate to it. A is balanced. scratch [n]. Returns 0, one of the numbers above, or another one without convergence.
//   vectors   NULL: eigenvalues alone, in less than half of the time
//   accuracy  how far each eigenvalue may be off, to first order [n], NULL: not wanted; needs vectors. A comes out of its reduction as A + E, and an
//             eigenvalue moves by y'E x/(y'x) with unit vectors x to the right and y to the left:  |E|_1/|y'x|,  |E|_1 = n eps |A|_1
//             (LAPACK Users' Guide, 4.8, where eps stands for n eps). Of a multiple one y'x is small, and its accuracy a root of that of others
int kane_eigen_solve(int n, double *A, double *re, double *im, double *vectors, double *accuracy, double *scratch);

// Eigenvalues w [n], ascending, of a symmetric A [n x n]; A becomes the orthonormal eigenvectors, by columns. Returns
// as above.
int kane_eigen_solve_symmetric(int n, double *A, double *w);

// The same of a symmetric 3 x 3 matrix, by Jacobi's rotations: without LAPACK, for all that units (apps/fmu) are made
// of, and without memory. Of each vector the number of largest size is positive. KANE_EIGEN_NOT_FINITE, or 0.
int kane_principal_axes(double A[9], double w[3]);

// === Elimination of rectangular sparse equations: rank, pivots, and how redundant rows are made of others. What a
// pivot costs is in proportion to the entries that it changes (and the logarithm of the number of rows); pivots are
// chosen by size, not for few new entries, so that they are those of the same elimination in a dense matrix, to the
// last bit.

typedef struct kane_elimination kane_elimination; // for one thread at a time

// Room for equations of this size. It grows with what is filled in; with `room` of rows * columns entries it never
// does. NULL if memory is short.
kane_elimination *kane_elimination_create(int rows, int columns, size_t room);
void kane_elimination_free(kane_elimination *elimination); // NULL is allowed

// Begins anew with an empty matrix; adds an entry, each place once.
void kane_elimination_begin(kane_elimination *elimination);
void kane_elimination_add(kane_elimination *elimination, int row, int column, double value);

// One stage. `row` and `column` hold the order of rows and columns; the first `done` of them are eliminated. Further
// pivots are looked for in rows done .. end - 1 of that order and in all columns that are left: the greatest, but among
// rows that have one at least `prefer` times as great the one with the least index. Rows behind `end` are reduced too.
// Stops when `most` pivots are there in all, or where none above `small` is left. Returns how many there are then.
// Between stages rows behind the pivots may be put in another order.
int kane_eliminate(kane_elimination *elimination, int *row, int *column, int done, int end, int most, double small,
                   double prefer);

// Of a row that got no pivot: z with  sum z_i (row i) = what is left of it, one of the row itself. Writes the rows and
// their z where that is not zero, the row itself first; returns how many there are. rows, z [pivots + 1]
int kane_elimination_combine(kane_elimination *elimination, int row, int *rows, double *z);

// 1: memory was short, and what came out is of no use.
int kane_elimination_lacks_memory(const kane_elimination *elimination);

// === Linear equations that may have too few or too many unknowns.

// x of A x = b with the least |A x - b| and, among those, the least |x|: A by columns, rows x columns (destroyed); x
// holds b on entry and has room for the larger of rows and columns. Columns of which, beside those before them, less is
// left than `small` of the longest are taken to depend on them. Returns 0, -1 without memory, or another number if
// something is not finite.
int kane_least_squares(int rows, int columns, double *A, double *x, double small);

// Which columns of A [rows x columns], by columns, destroyed, depend on those before them: of a chosen column more than
// `small` of its length is left beside those chosen before it; columns that nearly depend on others come last. Returns
// the rank r, or a negative number (KANE_EIGEN_NO_MEMORY, KANE_EIGEN_NOT_FINITE). Fills order [columns], r independent
// columns first;
//   X       column order[r + j] = sum over i < r of X[j * r + i] column order[i]; 0 of a column that is `small` beside
//           the longest; has room for columns^2 / 4
//   spread  of x_i, i < r, in a least-squares fit of A's independent columns to numbers with errors of deviation 1 [r]
int kane_column_dependence(int rows, int columns, double *A, double small, int *order, double *X, double *spread);

// === A basis of what a matrix can reach.

// An orthonormal basis of the columns of A [rows x columns], by columns, destroyed: fills basis [rows x rank], by
// columns, and returns the rank. What is left of a column below `small` is none. Columns that are unit vectors stay as
// they are.
int kane_range_basis(int rows, int columns, double *A, double small, double *basis);

#endif
