// SPDX-License-Identifier: MIT
// Small dense equations.

#include "math/dense.h"

#include <math.h>

static void swap_rows(int columns, double *a, double *b)
{
    for (int j = 0; j < columns; j++) {
        const double x = a[j];
        a[j]           = b[j];
        b[j]           = x;
    }
}

int kane_lu_factor(int n, double *A, int *pivot)
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
            if (l != 0.0)
                for (int j = k + 1; j < n; j++)
                    A[i * n + j] -= l * A[k * n + j];
        }
    }
    return 1;
}

// row += factor other
static void add_row(int columns, double *row, double factor, const double *other)
{
    if (factor != 0.0)
        for (int j = 0; j < columns; j++)
            row[j] += factor * other[j];
}

void kane_lu_solve(int n, const double *LU, const int *pivot, int columns, double *B)
{
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

// Greatest entry of a row among the columns that are left: where it is in `column`.
static int greatest(int columns, const double *row, const int *column, int done)
{
    int at = done;
    for (int j = done + 1; j < columns; j++)
        if (fabs(row[column[j]]) > fabs(row[column[at]]))
            at = j;
    return at;
}

// Where the pivot row is in `row`; end: none.
static int find_row(int columns, const double *A, const int *row, const int *column, int done, int end, double small,
                    double prefer)
{
    double most = small;
    int found   = end;
    for (int i = done; i < end; i++)
        most = fmax(most, fabs(A[row[i] * columns + column[greatest(columns, A + row[i] * columns, column, done)]]));
    for (int i = done; i < end; i++) {
        const double x = fabs(A[row[i] * columns + column[greatest(columns, A + row[i] * columns, column, done)]]);
        if (x > small && x >= prefer * most && (found == end || row[i] < row[found]))
            found = i;
    }
    return found;
}

static void exchange(int *order, int a, int b)
{
    const int x = order[a];
    order[a]    = order[b];
    order[b]    = x;
}

int kane_eliminate(int rows, int columns, double *A, int *row, int *column, int done, int end, int most, double small,
                   double prefer)
{
    for (; done < most && done < end && done < columns; done++) {
        const int at = find_row(columns, A, row, column, done, end, small, prefer);
        if (at == end)
            break;
        exchange(row, done, at);
        const double *from = A + row[done] * columns;
        exchange(column, done, greatest(columns, from, column, done));
        for (int i = done + 1; i < rows; i++) {
            double *to     = A + row[i] * columns;
            const double l = to[column[done]] / from[column[done]];
            for (int j = done; j < columns && l != 0.0; j++)
                to[column[j]] -= l * from[column[j]];
            to[column[done]] = 0.0;
        }
    }
    return done;
}
