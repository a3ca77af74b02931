// SPDX-License-Identifier: MIT
// What exported models have in place of lib/math/sparse_lu.c, which knows KLU: the same equations, solved as if the
// matrix were full, by elimination with the largest pivot of every column. No more is asked for where constraints are
// met anew, at events.
//
// Not part of libkane. The exporter makes the memory (lib/export/image.c).

#include "math/sparse.h"

#include <math.h>
#include <string.h>

struct kane_sparse_lu {
    const kane_pattern *pattern; // first
    double room[];               // L and U [size * size], row by row; then pivots as numbers [size]
};

static void exchange_rows(int n, double *a, double *b)
{
    for (int k = 0; k < n; k++) {
        const double kept = a[k];
        a[k]              = b[k];
        b[k]              = kept;
    }
}

int kane_sparse_lu_factor(kane_sparse_lu *lu, const double *values)
{
    const kane_pattern *p = lu->pattern;
    const int n           = p->size;
    double *A = lu->room, *pivots = A + (size_t)n * (size_t)n;
    memset(A, 0, (size_t)n * (size_t)n * sizeof *A);
    for (int k = 0; k < n; k++)
        for (int at = p->column_start[k]; at < p->column_start[k + 1]; at++)
            A[p->row[at] * n + k] = values[at];
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(A[i * n + k]) > fabs(A[best * n + k]))
                best = i;
        pivots[k] = best;
        if (best != k)
            exchange_rows(n, A + best * n, A + k * n);
        if (!(fabs(A[k * n + k]) > 0.0))
            return 0;
        for (int i = k + 1; i < n; i++) {
            const double factor = A[i * n + k] /= A[k * n + k];
            for (int j = k + 1; j < n && factor != 0.0; j++)
                A[i * n + j] -= factor * A[k * n + j];
        }
    }
    return 1;
}

int kane_sparse_lu_lacks_memory(const kane_sparse_lu *lu)
{
    (void)lu;
    return 0;
}

void kane_sparse_lu_solve(kane_sparse_lu *lu, double *b)
{
    const int n     = lu->pattern->size;
    const double *A = lu->room, *pivots = A + (size_t)n * (size_t)n;
    for (int k = 0; k < n; k++) {
        const int best    = (int)pivots[k];
        const double kept = b[k];
        b[k]              = b[best];
        b[best]           = kept;
    }
    for (int i = 0; i < n; i++)
        for (int k = 0; k < i; k++)
            b[i] -= A[i * n + k] * b[k];
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++)
            b[i] -= A[i * n + k] * b[k];
        b[i] /= A[i * n + i];
    }
}
