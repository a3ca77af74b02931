// SPDX-License-Identifier: MIT
// Lanczos' method as ARPACK has it, in the space orthogonal to modes that are known; K - sigma M is factored by CHOLMOD.
//
// sigma < 0, so that the matrix is positive definite though a free body's K is not. Its size is that of the lowest eigenvalue, which
// a few inverse iterations estimate.

#include "math/sparse_modes.h"

#include "base/arena.h"

#include <arpack/arpack.h>
#include <suitesparse/cholmod.h>

#include <math.h>
#include <string.h>
#include <threads.h>

static mtx_t one_at_a_time; // ARPACK keeps variables of its own between calls
static once_flag once = ONCE_FLAG_INIT;

static void begin(void)
{
    (void)mtx_init(&one_at_a_time, mtx_plain);
}

void kane_symmetric_multiply(const kane_symmetric *A, const double *x, double *y)
{
    for (int i = 0; i < A->n; i++) {
        double sum = 0.0;
        for (int k = A->start[i]; k < A->start[i + 1]; k++)
            sum += A->value[k] * x[A->column[k]];
        y[i] = sum;
    }
}

typedef struct solver {
    const kane_symmetric *K, *M;
    int known_count;
    const double *known;
    double *pushed; // M known [known_count * n]
    cholmod_common common;
    cholmod_factor *factor;
    cholmod_dense *x, *work, *more; // kept from one solution to the next
} solver;

static double dot(int n, const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

// A view for CHOLMOD, which takes the lower half.
static cholmod_sparse view(const kane_symmetric *A)
{
    const size_t n = (size_t)A->n;
    return (cholmod_sparse){.nrow   = n,
                            .ncol   = n,
                            .nzmax  = (size_t)A->start[n],
                            .p      = A->start,
                            .i      = A->column,
                            .x      = A->value,
                            .stype  = -1,
                            .itype  = CHOLMOD_INT,
                            .xtype  = CHOLMOD_REAL,
                            .dtype  = CHOLMOD_DOUBLE,
                            .sorted = 1,
                            .packed = 1};
}

static int factor(solver *s, double sigma)
{
    cholmod_sparse K = view(s->K), M = view(s->M);
    double one[2] = {1.0, 0.0}, shift[2] = {-sigma, 0.0};
    cholmod_sparse *A = cholmod_add(&K, &M, one, shift, 1, 1, &s->common);
    if (A && !s->factor)
        s->factor = cholmod_analyze(A, &s->common);
    const int done = A && s->factor && cholmod_factorize(A, s->factor, &s->common);
    cholmod_free_sparse(&A, &s->common);
    if (!done || s->common.status == CHOLMOD_OUT_OF_MEMORY)
        return KANE_MODES_NO_MEMORY;
    return s->common.status == CHOLMOD_OK ? 0 : KANE_MODES_NOT_POSITIVE;
}

// Takes from x what is known.
static void deflate(const solver *s, double *x)
{
    const int n = s->K->n;
    for (int k = 0; k < s->known_count; k++) {
        const size_t at   = (size_t)k * (size_t)n;
        const double part = dot(n, s->pushed + at, x);
        for (int i = 0; i < n; i++)
            x[i] -= part * s->known[at + (size_t)i];
    }
}

// x of (K - sigma M) x = b, less what is known. 0 without memory.
static int solve(solver *s, double *b, double *x)
{
    const size_t n  = (size_t)s->K->n;
    cholmod_dense B = {
        .nrow = n, .ncol = 1, .nzmax = n, .d = n, .x = b, .xtype = CHOLMOD_REAL, .dtype = CHOLMOD_DOUBLE};
    if (!cholmod_solve2(CHOLMOD_A, s->factor, &B, NULL, &s->x, NULL, &s->work, &s->more, &s->common))
        return 0;
    memcpy(x, s->x->x, n * sizeof *x);
    deflate(s, x);
    return 1;
}

// A vector with a part in every mode: the same in every run.
static void scatter(const solver *s, double *x)
{
    unsigned state = 12345u;
    for (int i = 0; i < s->K->n; i++) {
        state = state * 1664525u + 1013904223u;
        x[i]  = 0.5 + (double)(state >> 8) / 16777216.0;
    }
    deflate(s, x);
}

// Largest ratio of the diagonals: the scale of the highest eigenvalue.
static double highest(const solver *s)
{
    double most = 0.0;
    for (int i = 0; i < s->K->n; i++) {
        double k = 0.0, m = 0.0;
        for (int at = s->K->start[i]; at < s->K->start[i + 1]; at++)
            k += s->K->column[at] == i ? s->K->value[at] : 0.0;
        for (int at = s->M->start[i]; at < s->M->start[i + 1]; at++)
            m += s->M->column[at] == i ? s->M->value[at] : 0.0;
        if (m > 0.0)
            most = fmax(most, k / m);
    }
    return most;
}

// About the lowest eigenvalue, from a rough shift.
static int estimate(solver *s, double *x, double *y, double *lowest)
{
    const int n = s->K->n;
    int status  = factor(s, -1e-9 * highest(s));
    scatter(s, x);
    for (int pass = 0; pass < 6 && status == 0; pass++) {
        kane_symmetric_multiply(s->M, x, y);
        const double size = sqrt(dot(n, x, y));
        for (int i = 0; i < n; i++)
            y[i] /= size;
        if (!solve(s, y, x))
            status = KANE_MODES_NO_MEMORY;
    }
    kane_symmetric_multiply(s->M, x, y);
    const double mass = dot(n, x, y);
    kane_symmetric_multiply(s->K, x, y);
    *lowest = dot(n, x, y) / mass;
    return status == 0 && !(*lowest > 0.0) ? KANE_MODES_NOT_POSITIVE : status;
}

typedef struct lanczos {
    int basis;
    double *resid, *V, *workd, *workl, *d;
    int *select;
} lanczos;

static int iterate(solver *s, double sigma, const lanczos *w, int count, double *lambda, double *phi)
{
    const int n = s->K->n, length = w->basis * (w->basis + 8);
    int iparam[11] = {1, 0, 1000, 1, 0, 0, 3}, ipntr[14] = {0}, ido = 0, info = 1;
    scatter(s, w->resid);
    for (;;) {
        dsaupd_c(&ido, "G", n, "LM", count, 0.0, w->resid, w->basis, w->V, n, iparam, ipntr, w->workd, w->workl, length,
                 &info);
        double *x = w->workd + ipntr[0] - 1, *y = w->workd + ipntr[1] - 1;
        if (ido == 2) {
            kane_symmetric_multiply(s->M, x, y);
        } else if (ido == 1) {
            if (!solve(s, w->workd + ipntr[2] - 1, y))
                return KANE_MODES_NO_MEMORY;
        } else if (ido == -1) {
            kane_symmetric_multiply(s->M, x, w->d);
            if (!solve(s, w->d, y))
                return KANE_MODES_NO_MEMORY;
        } else {
            break;
        }
    }
    if (info == -9 || info == 3)
        return KANE_MODES_NOT_INDEPENDENT;
    if (info != 0)
        return KANE_MODES_NOT_CONVERGED;
    dseupd_c(1, "A", w->select, lambda, phi, n, sigma, "G", n, "LM", count, 0.0, w->resid, w->basis, w->V, n, iparam,
             ipntr, w->workd, w->workl, length, &info);
    return info == 0 ? 0 : KANE_MODES_NOT_CONVERGED;
}

static void swap_modes(int n, double *a, double *b)
{
    for (int i = 0; i < n; i++) {
        const double x = a[i];
        a[i] = b[i], b[i] = x;
    }
}

// By eigenvalue, of unit modal mass.
static void put_in_order(const solver *s, int count, double *lambda, double *phi, double *work)
{
    const int n = s->K->n;
    for (int i = 0; i < count; i++) {
        double *mode = phi + (size_t)i * (size_t)n;
        int least    = i;
        for (int k = i + 1; k < count; k++)
            if (lambda[k] < lambda[least])
                least = k;
        if (least != i) {
            swap_modes(1, &lambda[i], &lambda[least]);
            swap_modes(n, mode, phi + (size_t)least * (size_t)n);
        }
        kane_symmetric_multiply(s->M, mode, work);
        const double size = sqrt(dot(n, mode, work));
        for (int k = 0; k < n; k++)
            mode[k] /= size;
    }
}

static void push_known(solver *s)
{
    for (int k = 0; k < s->known_count; k++)
        kane_symmetric_multiply(s->M, s->known + (size_t)k * (size_t)s->K->n, s->pushed + (size_t)k * (size_t)s->K->n);
}

static int find(solver *s, const lanczos *w, int count, double *lambda, double *phi)
{
    double lowest = 0.0;
    push_known(s);
    int status = estimate(s, w->resid, w->d, &lowest);
    if (status == 0)
        status = factor(s, -lowest);
    if (status == 0)
        status = iterate(s, -lowest, w, count, lambda, phi);
    if (status == 0)
        put_in_order(s, count, lambda, phi, w->d);
    return status;
}

// Takes from forces what the inertia of known motions balances.
static void balance(const solver *s, double *b)
{
    const int n = s->K->n;
    for (int k = 0; k < s->known_count; k++) {
        const size_t at   = (size_t)k * (size_t)n;
        const double part = dot(n, s->known + at, b);
        for (int i = 0; i < n; i++)
            b[i] -= part * s->pushed[at + (size_t)i];
    }
}

// The shift is taken back step by step: each makes the error 1000 times smaller.
static int respond(solver *s, int count, double *b, double *x, double *work, double *load)
{
    enum { STEPS = 7 };
    const size_t n = (size_t)s->K->n;
    double lowest  = 0.0;
    push_known(s);
    int status         = estimate(s, work, load, &lowest);
    const double shift = 1e-3 * lowest;
    if (status == 0)
        status = factor(s, -shift);
    for (int k = 0; k < count && status == 0; k++) {
        double *right = b + (size_t)k * n, *answer = x + (size_t)k * n;
        balance(s, right);
        memset(answer, 0, n * sizeof *answer);
        for (int step = 0; step < STEPS && status == 0; step++) {
            kane_symmetric_multiply(s->M, answer, work);
            for (size_t i = 0; i < n; i++)
                load[i] = right[i] + shift * work[i];
            status = solve(s, load, answer) ? 0 : KANE_MODES_NO_MEMORY;
        }
    }
    return status;
}

static void open_solver(solver *s)
{
    call_once(&once, begin);
    (void)mtx_lock(&one_at_a_time);
    cholmod_start(&s->common);
    s->common.print = 0;
}

static void close_solver(solver *s)
{
    cholmod_free_factor(&s->factor, &s->common);
    cholmod_free_dense(&s->x, &s->common);
    cholmod_free_dense(&s->work, &s->common);
    cholmod_free_dense(&s->more, &s->common);
    cholmod_finish(&s->common);
    (void)mtx_unlock(&one_at_a_time);
}

int kane_symmetric_responses(const kane_symmetric *K, const kane_symmetric *M, int known_count, const double *known,
                             int count, double *b, double *x)
{
    const size_t n    = (size_t)K->n;
    kane_arena *arena = kane_arena_create();
    int status        = KANE_MODES_NO_MEMORY;
    if (!arena)
        return status;
    solver s     = {.K           = K,
                    .M           = M,
                    .known_count = known_count,
                    .known       = known,
                    .pushed      = kane_arena_doubles(arena, (size_t)known_count * n + 1)};
    double *work = kane_arena_doubles(arena, n), *load = kane_arena_doubles(arena, n);
    open_solver(&s);
    if (!kane_arena_failed(arena))
        status = respond(&s, count, b, x, work, load);
    close_solver(&s);
    kane_arena_free(arena);
    return status;
}

int kane_symmetric_modes(const kane_symmetric *K, const kane_symmetric *M, int known_count, const double *known,
                         int count, double *lambda, double *phi)
{
    const size_t n = (size_t)K->n, basis = n < 2 * (size_t)count + 20 ? n : 2 * (size_t)count + 20;
    kane_arena *arena = kane_arena_create();
    int status        = KANE_MODES_NO_MEMORY;
    if (!arena)
        return status;
    solver s        = {.K           = K,
                       .M           = M,
                       .known_count = known_count,
                       .known       = known,
                       .pushed      = kane_arena_doubles(arena, (size_t)known_count * n + 1)};
    const lanczos w = {.basis  = (int)basis,
                       .resid  = kane_arena_doubles(arena, n),
                       .V      = kane_arena_doubles(arena, n * basis),
                       .workd  = kane_arena_doubles(arena, 3 * n),
                       .workl  = kane_arena_doubles(arena, basis * (basis + 8)),
                       .d      = kane_arena_doubles(arena, n),
                       .select = kane_arena_alloc(arena, basis, sizeof(int))};
    open_solver(&s);
    if (!kane_arena_failed(arena))
        status = find(&s, &w, count, lambda, phi);
    close_solver(&s);
    kane_arena_free(arena);
    return status;
}
