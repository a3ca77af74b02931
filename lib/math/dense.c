// SPDX-License-Identifier: MIT
// Small dense equations.

#include "math/dense.h"

#include "base/machine.h"

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

// === Envelopes.

kane_envelope kane_envelope_create(int n, const int *least, const int *greatest, int *room)
{
    kane_envelope p = {.n = n, .low = room, .high = room + n, .at = room + 2 * n};
    for (int k = 0; k < n; k++)
        p.low[k] = k;
    for (int i = 0; i < n; i++)
        if (least[i] < i)
            p.low[least[i]] = i > p.low[least[i]] ? i : p.low[least[i]];
    for (int k = 0, row = 0, low = 0, high = 0, first = 0; k < n; k++) {
        low      = p.low[k] > low ? p.low[k] : low;
        p.low[k] = low;
        for (; row <= low; row++)
            high = greatest[row] > high ? greatest[row] : high;
        high      = high > k ? high : k;
        p.high[k] = high;
        while (p.low[first] < k)
            first++;
        p.at[k] = p.size - first;
        p.size += high - first + 1;
    }
    return p;
}

double kane_envelope_products(const kane_envelope *p)
{
    double sum = 0.0;
    for (int k = 0; k < p->n; k++)
        sum += (double)(p->low[k] - k) * (p->high[k] - k);
    return sum;
}

// Rows are exchanged from column k on alone: a factor stays in the place where it was found, so that no row outgrows
// its own.
KANE_WIDE int kane_envelope_factor(const kane_envelope *p, double *A, int *pivot)
{
    for (int k = 0; k < p->n; k++) {
        const int low = p->low[k], columns = p->high[k] - k;
        int best = k;
        for (int i = k + 1; i <= low; i++)
            if (fabs(A[p->at[i] + k]) > fabs(A[p->at[best] + k]))
                best = i;
        pivot[k]         = best;
        double *diagonal = A + p->at[k] + k;
        if (best != k)
            swap_rows(columns + 1, A + p->at[best] + k, diagonal);
        const double inverse = 1.0 / diagonal[0];
        if (!isfinite(inverse))
            return 0;
        for (int i = k + 1; i <= low; i++) {
            double *row    = A + p->at[i] + k;
            const double l = row[0] *= inverse;
            add_row(columns, row + 1, -l, diagonal + 1);
        }
    }
    return 1;
}

static void solve_one_by_envelope(const kane_envelope *p, const double *LU, const int *pivot, double *b)
{
    for (int k = 0; k < p->n; k++) {
        const double x = b[pivot[k]];
        b[pivot[k]]    = b[k];
        b[k]           = x;
        for (int i = k + 1; i <= p->low[k] && x != 0.0; i++)
            b[i] -= LU[p->at[i] + k] * x;
    }
    for (int i = p->n - 1; i >= 0; i--) {
        const double *row = LU + p->at[i];
        double sum        = b[i];
        for (int k = i + 1; k <= p->high[i]; k++)
            sum -= row[k] * b[k];
        b[i] = sum / row[i];
    }
}

KANE_WIDE void kane_envelope_solve(const kane_envelope *p, const double *LU, const int *pivot, int columns, double *B)
{
    if (columns == 1) {
        solve_one_by_envelope(p, LU, pivot, B);
        return;
    }
    for (int k = 0; k < p->n; k++) {
        if (pivot[k] != k)
            swap_rows(columns, B + pivot[k] * columns, B + k * columns);
        for (int i = k + 1; i <= p->low[k]; i++)
            add_row(columns, B + i * columns, -LU[p->at[i] + k], B + k * columns);
    }
    for (int i = p->n - 1; i >= 0; i--) {
        const double *row = LU + p->at[i];
        for (int k = i + 1; k <= p->high[i]; k++)
            add_row(columns, B + i * columns, -row[k], B + k * columns);
        for (int j = 0; j < columns; j++)
            B[i * columns + j] /= row[i];
    }
}

void kane_envelope_solve_transposed(const kane_envelope *p, const double *LU, const int *pivot, double *b)
{
    for (int i = 0; i < p->n; i++) {
        const double *row = LU + p->at[i];
        b[i] /= row[i];
        for (int k = i + 1; k <= p->high[i]; k++)
            b[k] -= row[k] * b[i];
    }
    for (int k = p->n - 1; k >= 0; k--) {
        for (int i = k + 1; i <= p->low[k]; i++)
            b[k] -= LU[p->at[i] + k] * b[i];
        if (pivot[k] != k)
            swap_rows(1, b + pivot[k], b + k);
    }
}

// === Symmetric.

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
