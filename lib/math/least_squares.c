// SPDX-License-Identifier: MIT
// Least squares of least norm by a complete orthogonal factorisation (Golub and Van Loan, Matrix Computations, 5.5.2):
// Householder reflections with exchange of columns bring A to
//   Q^T A P = [R S; 0 0]   R [rank x rank] upper triangular, its diagonal falling
// and reflections of its columns, from the last row up, [R S] to [T 0] Z^T, T upper triangular. Then x = P Z [T^-1 Q^T
// b; 0]. LAPACK does the same by singular values (dgelsd), which units (apps/fmu) would have to look for on every
// machine.

#include "math/dense.h"

#include "base/arena.h"

#include <math.h>
#include <string.h>

// The reflection E - beta u u^T that brings v [count] to (alpha, 0, ...): u takes the place of v. Returns alpha; beta
// 0: v is zero.
static double make_reflection(int count, double *v, double *beta)
{
    double largest = 0.0, sum = 0.0;
    for (int i = 0; i < count; i++)
        largest = fmax(largest, fabs(v[i]));
    *beta = 0.0;
    if (largest == 0.0)
        return 0.0;
    for (int i = 0; i < count; i++)
        sum += (v[i] / largest) * (v[i] / largest);
    const double norm = largest * sqrt(sum), alpha = v[0] > 0.0 ? -norm : norm;
    v[0] -= alpha;
    *beta = -1.0 / (alpha * v[0]);
    return alpha;
}

// x = (E - beta u u^T) x, all [count]
static void apply_reflector(int count, const double *u, double beta, double *x)
{
    double sum = 0.0;
    for (int i = 0; i < count; i++)
        sum += u[i] * x[i];
    sum *= beta;
    for (int i = 0; i < count; i++)
        x[i] -= sum * u[i];
}

static double square_of(int count, const double *x)
{
    double sum = 0.0;
    for (int i = 0; i < count; i++)
        sum += x[i] * x[i];
    return sum;
}

// Column k or a later one that has the largest rest.
static int find_largest_column(int rows, int columns, int k, const double *A)
{
    int best    = k;
    double most = -1.0;
    for (int j = k; j < columns; j++) {
        const double square = square_of(rows - k, A + (size_t)j * (size_t)rows + k);
        if (square > most) {
            most = square;
            best = j;
        }
    }
    return best;
}

static void exchange_columns(int rows, int k, int best, double *A, int *order)
{
    if (best == k)
        return;
    double *a = A + (size_t)k * (size_t)rows, *b = A + (size_t)best * (size_t)rows;
    for (int i = 0; i < rows; i++) {
        const double kept = a[i];
        a[i]              = b[i];
        b[i]              = kept;
    }
    const int kept = order[k];
    order[k]       = order[best];
    order[best]    = kept;
}

// Reflects column k, whose first k numbers are done, and all behind it; returns the number on its diagonal.
static double reflect_columns(int rows, int columns, int k, double *A, double *beta)
{
    double *column     = A + (size_t)k * (size_t)rows + k;
    const double alpha = make_reflection(rows - k, column, beta);
    for (int j = k + 1; j < columns; j++)
        apply_reflector(rows - k, column, *beta, A + (size_t)j * (size_t)rows + k);
    return alpha;
}

// Q^T A P and Q^T b; returns the rank.
static int factor_columns(int rows, int columns, double *A, double *b, double small, int *order)
{
    const int most = rows < columns ? rows : columns;
    double first   = 0.0;
    for (int k = 0; k < most; k++) {
        double beta, *column = A + (size_t)k * (size_t)rows + k;
        exchange_columns(rows, k, find_largest_column(rows, columns, k, A), A, order);
        const double alpha = reflect_columns(rows, columns, k, A, &beta);
        first              = k == 0 ? fabs(alpha) : first;
        if (!(fabs(alpha) > small * first))
            return k;
        apply_reflector(rows - k, column, beta, b + k);
        column[0] = alpha;
    }
    return most;
}

// [R S] Z = [T 0]. The reflection of row k acts on column k and on those behind the rank; its u = (1, rest of the row)
// stays in A.
static void factor_rows(int rows, int columns, int rank, double *A, double *beta)
{
    for (int k = rank - 1; k >= 0; k--) {
        double *diagonal = A + (size_t)k * (size_t)rows + k, *rest = A + (size_t)rank * (size_t)rows + k;
        const int count = columns - rank;
        double sum      = 0.0;
        for (int j = 0; j < count; j++)
            sum += rest[(size_t)j * (size_t)rows] * rest[(size_t)j * (size_t)rows];
        beta[k] = 0.0;
        if (sum == 0.0)
            continue;
        const double alpha = *diagonal > 0.0 ? -hypot(*diagonal, sqrt(sum)) : hypot(*diagonal, sqrt(sum));
        const double head  = *diagonal - alpha;
        beta[k]            = -head / alpha; // with u = (1, rest / head)
        for (int j = 0; j < count; j++)
            rest[(size_t)j * (size_t)rows] /= head;
        *diagonal = alpha;
        for (int i = 0; i < k; i++) {
            double *at = A + (size_t)k * (size_t)rows + i, *behind = A + (size_t)rank * (size_t)rows + i, dot = *at;
            for (int j = 0; j < count; j++)
                dot += behind[(size_t)j * (size_t)rows] * rest[(size_t)j * (size_t)rows];
            dot *= beta[k];
            *at -= dot;
            for (int j = 0; j < count; j++)
                behind[(size_t)j * (size_t)rows] -= dot * rest[(size_t)j * (size_t)rows];
        }
    }
}

// x [columns] = Z [T^-1 x; 0].
static void solve_rows(int rows, int columns, int rank, const double *A, const double *beta, double *x)
{
    for (int k = rank - 1; k >= 0; k--) {
        for (int j = k + 1; j < rank; j++)
            x[k] -= A[(size_t)j * (size_t)rows + k] * x[j];
        x[k] /= A[(size_t)k * (size_t)rows + k];
    }
    for (int j = rank; j < columns; j++)
        x[j] = 0.0;
    for (int k = 0; k < rank; k++) {
        const double *rest = A + (size_t)rank * (size_t)rows + k;
        double dot         = x[k];
        for (int j = rank; j < columns; j++)
            dot += rest[(size_t)(j - rank) * (size_t)rows] * x[j];
        dot *= beta[k];
        x[k] -= dot;
        for (int j = rank; j < columns; j++)
            x[j] -= dot * rest[(size_t)(j - rank) * (size_t)rows];
    }
}

static int is_finite(size_t count, const double *values)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(values[i]))
            return 0;
    return 1;
}

int kane_least_squares(int rows, int columns, double *A, double *x, double small)
{
    const int larger = rows > columns ? rows : columns;
    if (!is_finite((size_t)rows * (size_t)columns, A) || !is_finite((size_t)rows, x))
        return 1;
    int *order     = kane_allocate((size_t)columns + 1, sizeof *order);
    double *solved = kane_allocate((size_t)larger + 1, sizeof *solved),
           *beta   = kane_allocate((size_t)larger + 1, sizeof *beta);
    const int good = order && solved && beta;
    for (int j = 0; j < columns && good; j++)
        order[j] = j;
    if (good) {
        memcpy(solved, x, (size_t)rows * sizeof *x);
        const int rank = factor_columns(rows, columns, A, solved, small, order);
        factor_rows(rows, columns, rank, A, beta);
        solve_rows(rows, columns, rank, A, beta, solved);
        for (int j = 0; j < columns; j++)
            x[order[j]] = solved[j];
    }
    kane_release(order);
    kane_release(solved);
    kane_release(beta);
    return good ? 0 : -1;
}

// R x = x, R [count] upper triangular, by columns of length `rows`.
static void solve_triangle(int rows, int count, const double *R, double *x)
{
    for (int k = count - 1; k >= 0; k--) {
        const double *column = R + (size_t)k * (size_t)rows;
        x[k] /= column[k];
        for (int i = 0; i < k; i++)
            x[i] -= column[i] * x[k];
    }
}

// spread[i] = |row i of R^-1|; x [count]: scratch
static void add_inverse_rows(int rows, int count, const double *R, double *x, double *spread)
{
    memset(spread, 0, (size_t)count * sizeof *spread);
    for (int k = 0; k < count; k++) {
        memset(x, 0, (size_t)count * sizeof *x);
        x[k] = 1.0;
        solve_triangle(rows, k + 1, R, x);
        for (int i = 0; i <= k; i++)
            spread[i] = hypot(spread[i], x[i]);
    }
}

// Part of a column that is left beside the k chosen ones.
static double find_rest(int rows, int k, const double *column, double length)
{
    return sqrt(square_of(rows - k, column + k)) / length;
}

// The first column from k on of which more is left than `small` of its own length, and not much less than of any other
// one: a column that nearly depends on others would give large factors to those that depend on it. -1: there is none.
static int find_independent_column(int rows, int columns, int k, double small, const double *A, const int *order,
                                   const double *length)
{
    static const double much_less = 0.01;
    double most                   = 0.0;
    for (int j = k; j < columns; j++)
        most = fmax(most, find_rest(rows, k, A + (size_t)j * (size_t)rows, length[order[j]]));
    const double least = fmax(small, much_less * most);
    for (int j = k; j < columns; j++)
        if (find_rest(rows, k, A + (size_t)j * (size_t)rows, length[order[j]]) > least)
            return j;
    return -1;
}

// Lengths of columns; of those that are `small` beside the longest infinite, since they are none.
static void find_lengths(int rows, int columns, double small, const double *A, double *length)
{
    double longest = 0.0;
    for (int j = 0; j < columns; j++) {
        length[j] = sqrt(square_of(rows, A + (size_t)j * (size_t)rows));
        longest   = fmax(longest, length[j]);
    }
    for (int j = 0; j < columns; j++)
        length[j] = length[j] > small * longest ? length[j] : (double)INFINITY;
}

// R of the first independent columns; returns how many there are.
static int factor_independent(int rows, int columns, double *A, double small, int *order, double *length)
{
    const int most = rows < columns ? rows : columns;
    find_lengths(rows, columns, small, A, length);
    for (int k = 0; k < most; k++) {
        const int next = find_independent_column(rows, columns, k, small, A, order, length);
        if (next < 0)
            return k;
        double beta;
        exchange_columns(rows, k, next, A, order);
        const double alpha                      = reflect_columns(rows, columns, k, A, &beta);
        A[(size_t)k * (size_t)rows + (size_t)k] = alpha;
    }
    return most;
}

int kane_column_dependence(int rows, int columns, double *A, double small, int *order, double *X, double *spread)
{
    if (!is_finite((size_t)rows * (size_t)columns, A))
        return KANE_EIGEN_NOT_FINITE;
    double *scratch = kane_allocate((size_t)columns + 1, sizeof *scratch);
    if (!scratch)
        return KANE_EIGEN_NO_MEMORY;
    for (int j = 0; j < columns; j++)
        order[j] = j;
    const int rank = factor_independent(rows, columns, A, small, order, scratch);
    for (int j = rank; j < columns; j++) {
        double *x = X + (size_t)(j - rank) * (size_t)rank;
        memset(x, 0, (size_t)rank * sizeof *x);
        if (isinf(scratch[order[j]]))
            continue;
        memcpy(x, A + (size_t)j * (size_t)rows, (size_t)rank * sizeof *x);
        solve_triangle(rows, rank, A, x);
    }
    add_inverse_rows(rows, rank, A, scratch, spread);
    kane_release(scratch);
    return rank;
}
