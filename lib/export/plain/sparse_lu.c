// SPDX-License-Identifier: MIT
// What exported models have in place of lib/math/sparse_lu.c, which knows KLU: with the pivots that KLU has chosen for
// the first matrix, the same operations in the same order, hence the same bits. Without them, and where they have
// become useless, a matrix is eliminated as if it were full, with the largest pivot of every column: KLU would choose
// pivots anew.
//
// Not part of libkane. The exporter makes the memory (lib/export/image.c).

#include "export/plain/sparse_factors.h"

#include <math.h>
#include <string.h>

// As in lib/math/sparse_lu.c: 1/growth that pivots of another matrix may have.
static const double growth_allowed = 1e-6;

// --- as if the matrix were full ---

static void exchange_rows(int n, double *a, double *b)
{
    for (int k = 0; k < n; k++) {
        const double kept = a[k];
        a[k]              = b[k];
        b[k]              = kept;
    }
}

static int factor_full(const kane_pattern *p, double *A, const double *values)
{
    const int n    = p->size;
    double *pivots = A + (size_t)n * (size_t)n;
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

static void solve_full(int n, const double *A, double *b)
{
    const double *pivots = A + (size_t)n * (size_t)n;
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

// --- with pivots that are known ---

// The largest entry of every row of A; 1 of an empty one.
static void find_scales(const kane_pattern *p, const double *values, double *scale)
{
    for (int i = 0; i < p->size; i++)
        scale[i] = 0.0;
    for (int at = 0; at < p->column_start[p->size]; at++)
        scale[p->row[at]] = fmax(scale[p->row[at]], fabs(values[at]));
    for (int i = 0; i < p->size; i++)
        scale[i] = scale[i] > 0.0 ? scale[i] : 1.0;
}

// Column j of A in scales of its rows: to x what belongs to the block that begins at `first`, the rest to F. Returns
// the largest entry within the block.
static double scatter_column(const kane_pattern *p, const kane_sparse_parts *s, const double *values, int j, int first)
{
    int f          = s->pattern.Fp[j];
    double largest = 0.0;
    for (int at = p->column_start[s->pattern.Q[j]]; at < p->column_start[s->pattern.Q[j] + 1]; at++) {
        const int row      = s->inverse[p->row[at]];
        const double value = values[at] / s->scale[p->row[at]];
        if (row < first) {
            s->F[f++] = value;
            continue;
        }
        s->x[row] = value;
        largest   = fmax(largest, fabs(value));
    }
    return largest;
}

// Column j of L and U from x, which becomes zero. Returns the largest entry of U; 0: the pivot is zero.
static double eliminate_column(const kane_sparse_parts *s, int j)
{
    const kane_sparse_factors *f = &s->pattern;
    double largest               = 0.0;
    for (int at = f->Up[j]; at < f->Up[j + 1]; at++) {
        const int i    = f->Ui[at];
        const double u = s->x[i];
        s->x[i]        = 0.0;
        s->U[at]       = u;
        largest        = fmax(largest, fabs(u));
        for (int l = f->Lp[i]; l < f->Lp[i + 1]; l++)
            s->x[f->Li[l]] -= s->L[l] * u;
    }
    const double pivot = s->x[j];
    s->x[j]            = 0.0;
    s->diagonal[j]     = pivot;
    for (int l = f->Lp[j]; l < f->Lp[j + 1]; l++) {
        s->L[l]        = s->x[f->Li[l]] / pivot;
        s->x[f->Li[l]] = 0.0;
    }
    return pivot == 0.0 ? 0.0 : fmax(largest, fabs(pivot));
}

// 0: a pivot is zero, or they have become useless.
static int factor_sparse(const kane_pattern *p, const kane_sparse_parts *s, const double *values)
{
    const kane_sparse_factors *f = &s->pattern;
    find_scales(p, values, s->scale);
    memset(s->x, 0, (size_t)f->size * sizeof *s->x);
    for (int b = 0; b < f->block_count; b++)
        for (int j = f->R[b]; j < f->R[b + 1]; j++) {
            const double largest = scatter_column(p, s, values, j, f->R[b]), reached = eliminate_column(s, j);
            if (!(reached > 0.0) || (f->R[b + 1] - f->R[b] > 1 && !(largest >= growth_allowed * reached)))
                return 0;
        }
    return 1;
}

static void solve_block(const kane_sparse_parts *s, int first, int end)
{
    const kane_sparse_factors *f = &s->pattern;
    double *x                    = s->x;
    for (int j = first; j < end; j++)
        for (int l = f->Lp[j]; l < f->Lp[j + 1]; l++)
            x[f->Li[l]] -= s->L[l] * x[j];
    for (int j = end - 1; j >= first; j--) {
        x[j] /= s->diagonal[j];
        for (int u = f->Up[j]; u < f->Up[j + 1]; u++)
            x[f->Ui[u]] -= s->U[u] * x[j];
    }
}

static void solve_sparse(const kane_sparse_parts *s, double *b)
{
    const kane_sparse_factors *f = &s->pattern;
    for (int i = 0; i < f->size; i++)
        s->x[i] = b[f->P[i]] / s->scale[f->P[i]];
    for (int block = f->block_count - 1; block >= 0; block--) {
        solve_block(s, f->R[block], f->R[block + 1]);
        for (int j = f->R[block]; j < f->R[block + 1]; j++)
            for (int at = f->Fp[j]; at < f->Fp[j + 1]; at++)
                s->x[f->Fi[at]] -= s->F[at] * s->x[j];
    }
    for (int j = 0; j < f->size; j++)
        b[f->Q[j]] = s->x[j];
}

// --- what lib/math/sparse.h has ---

int kane_sparse_lu_factor(kane_sparse_lu *lu, const double *values)
{
    const kane_sparse_parts s = kane_sparse_parts_find(lu, lu->pattern->size, NULL);
    lu->is_full               = lu->block_count == 0 || !factor_sparse(lu->pattern, &s, values);
    return !lu->is_full || factor_full(lu->pattern, s.full, values);
}

int kane_sparse_lu_pivot(kane_sparse_lu *lu, const double *values)
{
    return kane_sparse_lu_factor(lu, values);
}

int kane_sparse_lu_lacks_memory(const kane_sparse_lu *lu)
{
    (void)lu;
    return 0;
}

void kane_sparse_lu_solve(kane_sparse_lu *lu, double *b)
{
    const kane_sparse_parts s = kane_sparse_parts_find(lu, lu->pattern->size, NULL);
    if (lu->is_full)
        solve_full(lu->pattern->size, s.full, b);
    else
        solve_sparse(&s, b);
}
