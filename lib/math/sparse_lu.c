// SPDX-License-Identifier: MIT
// Sparse linear equations by KLU.

#include "math/sparse.h"

#include "base/arena.h"

#include <suitesparse/klu.h>

// Pivots of another state are kept while the factors do not outgrow the matrix by more than this.
static const double growth_allowed = 1e-6;

struct kane_sparse_lu {
    const kane_pattern *pattern; // first
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
    klu_numeric *other; // with pivots for one matrix alone, where those of `numeric` are kept and useless
    klu_numeric *now;   // what was factored last: one of them
    int keeps;          // 1: pivots of `numeric` are kept
};

kane_sparse_lu *kane_sparse_lu_create(const kane_pattern *pattern)
{
    kane_sparse_lu *lu = kane_allocate(1, sizeof *lu);
    if (!lu)
        return NULL;
    kane_memory_mark(lu, KANE_MEMORY_SOLVER);
    lu->pattern = pattern;
    klu_defaults(&lu->common);
    lu->symbolic = klu_analyze(pattern->size, pattern->column_start, pattern->row, &lu->common);
    if (!lu->symbolic || lu->symbolic->structural_rank < pattern->size) {
        kane_sparse_lu_free(lu);
        return NULL;
    }
    return lu;
}

void kane_sparse_lu_free(kane_sparse_lu *lu)
{
    if (!lu)
        return;
    klu_free_numeric(&lu->numeric, &lu->common);
    klu_free_numeric(&lu->other, &lu->common);
    klu_free_symbolic(&lu->symbolic, &lu->common);
    kane_release(lu);
}

// KLU's interface has no const although it only reads the values.
static double *drop_const(const double *values)
{
    union {
        const double *read;
        double *write;
    } pointer = {values};
    return pointer.write;
}

// LU factors of the values with a new choice of pivots. Returns 0 if singular or without memory.
static int factor_with_pivoting(kane_sparse_lu *lu, klu_numeric **numeric, const double *values)
{
    const kane_pattern *p = lu->pattern;
    klu_free_numeric(numeric, &lu->common);
    *numeric = lu->now = klu_factor(p->column_start, p->row, drop_const(values), lu->symbolic, &lu->common);
    return *numeric && lu->common.status == KLU_OK;
}

int kane_sparse_lu_pivot(kane_sparse_lu *lu, const double *values)
{
    return factor_with_pivoting(lu, &lu->numeric, values);
}

void kane_sparse_lu_keep(kane_sparse_lu *lu)
{
    lu->keeps = 1;
}

int kane_sparse_lu_factor(kane_sparse_lu *lu, const double *values)
{
    const kane_pattern *p = lu->pattern;
    double *x             = drop_const(values);
    lu->now               = lu->numeric;
    if (lu->numeric && klu_refactor(p->column_start, p->row, x, lu->symbolic, lu->numeric, &lu->common) &&
        lu->common.status == KLU_OK &&
        klu_rgrowth(p->column_start, p->row, x, lu->symbolic, lu->numeric, &lu->common) &&
        lu->common.rgrowth >= growth_allowed)
        return 1;
    return factor_with_pivoting(lu, lu->keeps ? &lu->other : &lu->numeric, values);
}

int kane_sparse_lu_lacks_memory(const kane_sparse_lu *lu)
{
    return lu->common.status == KLU_OUT_OF_MEMORY;
}

void kane_sparse_lu_solve(kane_sparse_lu *lu, double *b)
{
    klu_solve(lu->symbolic, lu->now, lu->pattern->size, 1, b, &lu->common);
}

// Removes the last entry of every column of U, its diagonal, or the first of L: KLU gives them with the others. start
// [size + 1] and row become those of what is left.
static void drop_diagonal(int size, int is_first, int *start, int *row)
{
    int kept = 0;
    for (int j = 0; j < size; j++) {
        const int begin = start[j] + is_first, end = start[j + 1] - !is_first;
        start[j] = kept;
        for (int at = begin; at < end; at++)
            row[kept++] = row[at];
    }
    start[size] = kept;
}

int kane_sparse_lu_get_factors(const kane_sparse_lu *lu, kane_arena *arena, kane_sparse_factors *f)
{
    const size_t n       = (size_t)lu->pattern->size;
    klu_numeric *numeric = lu->numeric;
    klu_common common    = lu->common;
    if (!numeric)
        return 0;
    *f    = (kane_sparse_factors){.size = (int)n, .block_count = lu->symbolic->nblocks};
    f->P  = kane_arena_alloc(arena, n, sizeof *f->P);
    f->Q  = kane_arena_alloc(arena, n, sizeof *f->Q);
    f->R  = kane_arena_alloc(arena, n + 1, sizeof *f->R);
    f->Lp = kane_arena_alloc(arena, n + 1, sizeof *f->Lp);
    f->Up = kane_arena_alloc(arena, n + 1, sizeof *f->Up);
    f->Fp = kane_arena_alloc(arena, n + 1, sizeof *f->Fp);
    f->Li = kane_arena_alloc(arena, (size_t)numeric->lnz, sizeof *f->Li);
    f->Ui = kane_arena_alloc(arena, (size_t)numeric->unz, sizeof *f->Ui);
    f->Fi = kane_arena_alloc(arena, (size_t)numeric->nzoff + 1, sizeof *f->Fi);
    // KLU gives places with values alone
    double *L = kane_arena_doubles(arena, (size_t)numeric->lnz), *U = kane_arena_doubles(arena, (size_t)numeric->unz);
    double *F = kane_arena_doubles(arena, (size_t)numeric->nzoff + 1);
    if (kane_arena_failed(arena) || !klu_extract(numeric, lu->symbolic, f->Lp, f->Li, L, f->Up, f->Ui, U, f->Fp, f->Fi,
                                                 F, f->P, f->Q, NULL, f->R, &common))
        return 0;
    drop_diagonal((int)n, 1, f->Lp, f->Li);
    drop_diagonal((int)n, 0, f->Up, f->Ui);
    return 1;
}
