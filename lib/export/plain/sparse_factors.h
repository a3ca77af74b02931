// SPDX-License-Identifier: MIT
// Memory of a solver in an exported model: the exporter makes it (lib/export/image.c), sparse_lu.c beside this file
// computes with it.
//
// Not part of libkane.

#ifndef KANE_EXPORT_PLAIN_SPARSE_FACTORS_H
#define KANE_EXPORT_PLAIN_SPARSE_FACTORS_H

#include "math/sparse.h"

struct kane_sparse_lu {
    const kane_pattern *pattern; // first
    int block_count;             // 0: no pivots are known
    int L_count, U_count, F_count;
    int is_full; // 1: what was factored last, was as if the matrix were full
    double room[];
};

// Where parts are in `room`: numbers, then the pattern as kane_sparse_factors has it.
typedef struct kane_sparse_parts {
    double *full;             // L and U as if the matrix were full, row by row [size^2], then its pivots [size]
    double *x;                // scratch [size]
    double *scale, *diagonal; // of the rows of A; of U [size]
    double *L, *U, *F;
    int *inverse; // row P[i] of A is row i: inverse of P [size]
    kane_sparse_factors pattern;
} kane_sparse_parts;

static inline double *kane_sparse_parts_take(double **next, int count)
{
    double *part = *next;
    *next += count;
    return part;
}

static inline int *kane_sparse_parts_take_integers(int **next, int count)
{
    int *part = *next;
    *next += count;
    return part;
}

// bytes: NULL, or the size of the whole solver.
static inline kane_sparse_parts kane_sparse_parts_find(struct kane_sparse_lu *lu, int size, size_t *bytes)
{
    kane_sparse_parts p = {.pattern = {.size = size, .block_count = lu->block_count}};
    double *at          = lu->room;
    p.full              = kane_sparse_parts_take(&at, size * size + size);
    p.x                 = kane_sparse_parts_take(&at, size);
    p.scale             = kane_sparse_parts_take(&at, size);
    p.diagonal          = kane_sparse_parts_take(&at, size);
    p.L                 = kane_sparse_parts_take(&at, lu->L_count);
    p.U                 = kane_sparse_parts_take(&at, lu->U_count);
    p.F                 = kane_sparse_parts_take(&at, lu->F_count);
    int *integers       = (int *)at;
    p.inverse           = kane_sparse_parts_take_integers(&integers, size);
    p.pattern.P         = kane_sparse_parts_take_integers(&integers, size);
    p.pattern.Q         = kane_sparse_parts_take_integers(&integers, size);
    p.pattern.R         = kane_sparse_parts_take_integers(&integers, size + 1);
    p.pattern.Lp        = kane_sparse_parts_take_integers(&integers, size + 1);
    p.pattern.Up        = kane_sparse_parts_take_integers(&integers, size + 1);
    p.pattern.Fp        = kane_sparse_parts_take_integers(&integers, size + 1);
    p.pattern.Li        = kane_sparse_parts_take_integers(&integers, lu->L_count);
    p.pattern.Ui        = kane_sparse_parts_take_integers(&integers, lu->U_count);
    p.pattern.Fi        = kane_sparse_parts_take_integers(&integers, lu->F_count);
    if (bytes)
        *bytes = (size_t)((const char *)integers - (const char *)lu);
    return p;
}

#endif
