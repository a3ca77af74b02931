// SPDX-License-Identifier: MIT
// Small dense equations.

#include "math/dense.h"

#include "base/wide.h"

#include <math.h>

static void swap_rows(int columns, double *a, double *b)
{
    for (int j = 0; j < columns; j++) {
        const double x = a[j];
        a[j]           = b[j];
        b[j]           = x;
    }
}

// row += factor other
static inline void add_row(int columns, double *restrict row, double factor, const double *restrict other)
{
    if (factor != 0.0)
        for (int j = 0; j < columns; j++)
            row[j] += factor * other[j];
}

KANE_WIDE int kane_lu_factor(int n, double *A, int *pivot)
{
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(A[i * n + k]) > fabs(A[p * n + k]))
                p = i;
        pivot[k] = p;
        if (p != k)
            swap_rows(n, A + p * n, A + k * n);
        const double inverse = 1.0 / A[k * n + k];
        if (!isfinite(inverse))
            return 0;
        for (int i = k + 1; i < n; i++) {
            const double l = A[i * n + k] *= inverse;
            add_row(n - k - 1, A + i * n + k + 1, -l, A + k * n + k + 1);
        }
    }
    return 1;
}

// One column.
static void solve_one(int n, const double *LU, const int *pivot, double *b)
{
    for (int k = 0; k < n; k++) {
        const double x = b[k];
        b[k]           = b[pivot[k]];
        b[pivot[k]]    = x;
    }
    for (int i = 1; i < n; i++) {
        double sum = b[i];
        for (int k = 0; k < i; k++)
            sum -= LU[i * n + k] * b[k];
        b[i] = sum;
    }
    for (int i = n - 1; i >= 0; i--) {
        double sum = b[i];
        for (int k = i + 1; k < n; k++)
            sum -= LU[i * n + k] * b[k];
        b[i] = sum / LU[i * n + i];
    }
}

KANE_WIDE void kane_lu_solve(int n, const double *LU, const int *pivot, int columns, double *B)
{
    if (columns == 1) {
        solve_one(n, LU, pivot, B);
        return;
    }
    for (int k = 0; k < n; k++)
        if (pivot[k] != k)
            swap_rows(columns, B + pivot[k] * columns, B + k * columns);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < i; k++)
            add_row(columns, B + i * columns, -LU[i * n + k], B + k * columns);
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++)
            add_row(columns, B + i * columns, -LU[i * n + k], B + k * columns);
        for (int j = 0; j < columns; j++)
            B[i * columns + j] /= LU[i * n + i];
    }
}

void kane_lu_solve_transposed(int n, const double *LU, const int *pivot, double *b)
{
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++)
            b[i] -= LU[k * n + i] * b[k];
        b[i] /= LU[i * n + i];
    }
    for (int i = n - 1; i >= 0; i--)
        for (int k = i + 1; k < n; k++)
            b[i] -= LU[k * n + i] * b[k];
    for (int k = n - 1; k >= 0; k--)
        if (pivot[k] != k)
            swap_rows(1, b + pivot[k], b + k);
}

void kane_lu_solve_unit(int n, const double *LU, const int *pivot, int one, double *x)
{
    for (int i = 0; i < n; i++)
        x[i] = 0.0;
    for (int k = 0; k < n; k++) // where the row has gone
        one = one == k ? pivot[k] : one == pivot[k] ? k : one;
    x[one] = 1.0;
    for (int k = one; k < n; k++)
        for (int i = k + 1; i < n && x[k] != 0.0; i++)
            x[i] -= LU[i * n + k] * x[k];
    for (int k = n - 1; k >= 0; k--) {
        x[k] /= LU[k * n + k];
        for (int i = 0; i < k && x[k] != 0.0; i++)
            x[i] -= LU[i * n + k] * x[k];
    }
}

int kane_cholesky_factor(int n, double *A, int *first)
{
    for (int i = 0; i < n; i++) {
        double *row = A + i * n;
        for (first[i] = 0; first[i] < i && row[first[i]] == 0.0;)
            first[i]++;
        for (int j = first[i]; j <= i; j++) {
            const double *other = A + j * n;
            double sum          = row[j];
            for (int k = first[i] > first[j] ? first[i] : first[j]; k < j; k++)
                sum -= row[k] * other[k];
            if (j < i)
                row[j] = sum / other[j];
            else if (!(sum > 0.0))
                return i;
            else
                row[i] = sqrt(sum);
        }
    }
    return -1;
}

void kane_cholesky_solve(int n, const double *L, const int *first, double *b)
{
    for (int i = 0; i < n; i++) {
        for (int k = first[i]; k < i; k++)
            b[i] -= L[i * n + k] * b[k];
        b[i] /= L[i * n + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        b[i] /= L[i * n + i];
        for (int k = first[i]; k < i; k++)
            b[k] -= L[i * n + k] * b[i];
    }
}

KANE_WIDE void kane_cholesky_solve_columns(int n, const double *L, const int *first, int columns, double *B)
{
    for (int i = 0; i < n; i++) {
        for (int k = first[i]; k < i; k++)
            add_row(columns, B + i * columns, -L[i * n + k], B + k * columns);
        for (int j = 0; j < columns; j++)
            B[i * columns + j] /= L[i * n + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = 0; j < columns; j++)
            B[i * columns + j] /= L[i * n + i];
        for (int k = first[i]; k < i; k++)
            add_row(columns, B + k * columns, -L[i * n + k], B + i * columns);
    }
}

// row += a0 b0 + a1 b1 + a2 b2 + a3 b3, rows of B one after the other
static inline void add_four_rows(int columns, double *restrict row, const double a[4], const double *restrict B)
{
    const double *restrict b1 = B + columns, *restrict b2 = b1 + columns, *restrict b3 = b2 + columns;
    for (int j = 0; j < columns; j++)
        row[j] = (((row[j] + a[0] * B[j]) + a[1] * b1[j]) + a[2] * b2[j]) + a[3] * b3[j];
}

KANE_WIDE void kane_add_product(int n, int m, int stride, const double *A, int columns, const double *B, double *C)
{
    for (int i = 0; i < n; i++) {
        const double *a = A + i * stride;
        int k           = 0;
        for (; k + 4 <= m; k += 4)
            if (a[k] != 0.0 || a[k + 1] != 0.0 || a[k + 2] != 0.0 || a[k + 3] != 0.0)
                add_four_rows(columns, C + i * columns, a + k, B + k * columns);
        for (; k < m; k++)
            add_row(columns, C + i * columns, a[k], B + k * columns);
    }
}
