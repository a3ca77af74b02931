// SPDX-License-Identifier: MIT
// Lanczos' method (ARPACK, shift-invert) in the space orthogonal to known modes; CHOLMOD factors K - sigma M.
//
// sigma < 0, so that the matrix is positive definite though a free body's K is not. It is not larger than the lowest
// eigenvalue, which a few inverse iterations estimate.

#include "math/sparse.h"

#include "base/arena.h"

#include <arpack/arpack.h>
#include <suitesparse/cholmod.h>

#include <math.h>
#include <string.h>
#include <threads.h>

static mtx_t one_at_a_time; // ARPACK has static variables: one call at a time
static once_flag once = ONCE_FLAG_INIT;

static void create_mutex(void)
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

void kane_add_scaled(int n, double *x, double factor, const double *y)
{
    for (int i = 0; i < n; i++)
        x[i] += factor * y[i];
}

double kane_symmetric_product(const kane_symmetric *A, const double *a, const double *b, double *work)
{
    kane_symmetric_multiply(A, b, work);
    return kane_dot(A->n, a, work);
}

// Solutions of (K - sigma M) x = b without some motions:  pushed' x = 0,  known' b = 0,  pushed_j . known_k = 1 for j =
// k, else 0. Known modes: pushed = M known. Held ones: pushed are the loads that hold them, known = (K - sigma M)^-1
// pushed, so that pushed' x = 0.
typedef struct solver {
    const kane_symmetric *K, *M;
    kane_arena *arena; // of its vectors
    int known_count;
    double *known, *pushed;     // [known_count * n]
    double *right, *scratch[2]; // [n]
    int held;                   // 1: held motions, 0: known modes
    cholmod_common common;
    cholmod_factor *factor;
    cholmod_dense *x, *work, *more; // workspace, reused by all solutions
} solver;

// A view for CHOLMOD, of both halves. (Of a lower half cholmod_add of CHOLMOD 5 never comes past an entry of the upper
// one.)
static cholmod_sparse cholmod_view(const kane_symmetric *A)
{
    const size_t n = (size_t)A->n;
    return (cholmod_sparse){.nrow   = n,
                            .ncol   = n,
                            .nzmax  = (size_t)A->start[n],
                            .p      = A->start,
                            .i      = A->column,
                            .x      = A->value,
                            .stype  = 0,
                            .itype  = CHOLMOD_INT,
                            .xtype  = CHOLMOD_REAL,
                            .dtype  = CHOLMOD_DOUBLE,
                            .sorted = 1,
                            .packed = 1};
}

// x of (K - sigma M) x = b. 0 without memory.
static int solve_whole(solver *s, double *b, double *x)
{
    const size_t n  = (size_t)s->K->n;
    cholmod_dense B = {
        .nrow = n, .ncol = 1, .nzmax = n, .d = n, .x = b, .xtype = CHOLMOD_REAL, .dtype = CHOLMOD_DOUBLE};
    if (!cholmod_solve2(CHOLMOD_A, s->factor, &B, NULL, &s->x, NULL, &s->work, &s->more, &s->common))
        return 0;
    memcpy(x, s->x->x, n * sizeof *x);
    return 1;
}

// What held loads do (known), and both made such that each load has its own work alone. The loads span what they did
// before.
static int orthogonalise_known(solver *s)
{
    const int n = s->K->n;
    for (int k = 0; k < s->known_count; k++) {
        double *load = s->pushed + (size_t)k * (size_t)n, *motion = s->known + (size_t)k * (size_t)n;
        if (!solve_whole(s, load, motion))
            return KANE_MODES_NO_MEMORY;
        for (int pass = 0; pass < 2; pass++)
            for (int j = 0; j < k; j++) {
                const double part = kane_dot(n, s->known + (size_t)j * (size_t)n, load);
                kane_add_scaled(n, load, -part, s->pushed + (size_t)j * (size_t)n);
                kane_add_scaled(n, motion, -part, s->known + (size_t)j * (size_t)n);
            }
        const double work = kane_dot(n, load, motion);
        if (!(work > 0.0))
            return KANE_MODES_NOT_POSITIVE;
        for (int i = 0; i < n; i++) {
            load[i] /= sqrt(work);
            motion[i] /= sqrt(work);
        }
    }
    return 0;
}

static int factor_shifted(solver *s, double sigma)
{
    cholmod_sparse K = cholmod_view(s->K), M = cholmod_view(s->M);
    double one[2] = {1.0, 0.0}, shift[2] = {-sigma, 0.0};
    cholmod_sparse *A = cholmod_add(&K, &M, one, shift, 1, 1, &s->common);
    if (A)
        A->stype = -1; // symmetric: its lower half is taken
    if (A && !s->factor)
        s->factor = cholmod_analyze(A, &s->common);
    const int done = A && s->factor && cholmod_factorize(A, s->factor, &s->common);
    cholmod_free_sparse(&A, &s->common);
    if (!done || s->common.status == CHOLMOD_OUT_OF_MEMORY)
        return KANE_MODES_NO_MEMORY;
    if (s->common.status != CHOLMOD_OK)
        return KANE_MODES_NOT_POSITIVE;
    return s->held ? orthogonalise_known(s) : 0;
}

// x -= sum of known_k (pushed_k . x): removes the known motions.
static void remove_known_motion(const solver *s, double *x)
{
    const int n = s->K->n;
    for (int k = 0; k < s->known_count; k++) {
        const size_t at = (size_t)k * (size_t)n;
        kane_add_scaled(n, x, -kane_dot(n, s->pushed + at, x), s->known + at);
    }
}

// b -= sum of pushed_k (known_k . b): removes the loads of known motions.
static void remove_known_load(const solver *s, double *b)
{
    const int n = s->K->n;
    for (int k = 0; k < s->known_count; k++) {
        const size_t at = (size_t)k * (size_t)n;
        kane_add_scaled(n, b, -kane_dot(n, s->known + at, b), s->pushed + at);
    }
}

// x of (K - sigma M) x = b, known motions removed from b and x, so that large rigid parts do not spoil the digits.
// Returns 0 without memory.
static int solve_deflated(solver *s, const double *b, double *x)
{
    memcpy(s->right, b, (size_t)s->K->n * sizeof *b);
    remove_known_load(s, s->right);
    if (!solve_whole(s, s->right, x))
        return 0;
    remove_known_motion(s, x);
    return 1;
}

// Start vector: pseudo-random from a fixed seed, so that it has a part in every mode and is the same in every run.
static void fill_start_vector(const solver *s, double *x)
{
    unsigned state = 12345u;
    for (int i = 0; i < s->K->n; i++) {
        state = state * 1664525u + 1013904223u;
        x[i]  = 0.5 + (double)(state >> 8) / 16777216.0;
    }
    remove_known_motion(s, x);
}

// max of K_ii/M_ii over M_ii > 0: scale of the highest eigenvalue [1/s^2].
static double highest_scale(const solver *s)
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

// Estimate of the lowest eigenvalue by inverse iteration with the shift of the present factors.
static int estimate_lowest(solver *s, double *lowest)
{
    const int n = s->K->n;
    double *x = s->scratch[0], *y = s->scratch[1];
    fill_start_vector(s, x);
    for (int pass = 0; pass < 6; pass++) {
        kane_symmetric_multiply(s->M, x, y);
        const double size = sqrt(kane_dot(n, x, y));
        for (int i = 0; i < n; i++)
            y[i] /= size;
        if (!solve_deflated(s, y, x))
            return KANE_MODES_NO_MEMORY;
    }
    const double mass = kane_symmetric_product(s->M, x, x, y);
    *lowest           = kane_symmetric_product(s->K, x, x, y) / mass;
    return *lowest > 0.0 ? 0 : KANE_MODES_NOT_POSITIVE;
}

// Factors K - sigma M for a shift -sigma that lies from `least` to `most`, as parts of the lowest eigenvalue. Factoring
// is what takes time: the first, rough shift stays if it is good enough.
static int factor_within(solver *s, double least, double most, double *sigma)
{
    double lowest = 0.0, shift = 1e-9 * highest_scale(s);
    int status = factor_shifted(s, -shift);
    if (status == 0)
        status = estimate_lowest(s, &lowest);
    if (status == 0 && !(shift >= least * lowest && shift <= most * lowest)) {
        shift  = most * lowest;
        status = factor_shifted(s, -shift);
    }
    *sigma = -shift;

    return status;
}

// Error of 1 / (lambda - sigma), over itself, at which a mode is found. Below it round-off decides, after many more
// iterations.
static const double ENOUGH = 1e-13;

typedef struct lanczos {
    int basis;
    double *resid, *V, *workd, *workl, *d;
    int *select;
} lanczos;

static int iterate_lanczos(solver *s, double sigma, const lanczos *w, int count, double *lambda, double *phi)
{
    const int n = s->K->n, length = w->basis * (w->basis + 8);
    int iparam[11] = {1, 0, 1000, 1, 0, 0, 3}, ipntr[14] = {0}, ido = 0, info = 1;
    fill_start_vector(s, w->resid);
    for (;;) {
        dsaupd_c(&ido, "G", n, "LM", count, ENOUGH, w->resid, w->basis, w->V, n, iparam, ipntr, w->workd, w->workl,
                 length, &info);
        double *x = w->workd + ipntr[0] - 1, *y = w->workd + ipntr[1] - 1;
        if (ido == 2) {
            kane_symmetric_multiply(s->M, x, y);
        } else if (ido == 1) {
            if (!solve_deflated(s, w->workd + ipntr[2] - 1, y))
                return KANE_MODES_NO_MEMORY;
        } else if (ido == -1) {
            kane_symmetric_multiply(s->M, x, w->d);
            if (!solve_deflated(s, w->d, y))
                return KANE_MODES_NO_MEMORY;
        } else {
            break;
        }
    }

    if (info == -9 || info == 3)
        return KANE_MODES_NOT_INDEPENDENT;
    if (info != 0)
        return KANE_MODES_NOT_CONVERGED;
    dseupd_c(1, "A", w->select, lambda, phi, n, sigma, "G", n, "LM", count, ENOUGH, w->resid, w->basis, w->V, n, iparam,
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
        const double size = sqrt(kane_dot(n, mode, work));
        for (int k = 0; k < n; k++)
            mode[k] /= size;
    }
}

// Begins to work alone. 0 without memory; to be closed in any case.
static int open_solver(solver *s, const kane_symmetric *K, const kane_symmetric *M, const kane_excluded_motions *aside)
{
    const size_t n = (size_t)K->n, count = (size_t)aside->count;
    call_once(&once, create_mutex);
    (void)mtx_lock(&one_at_a_time);
    *s = (solver){.K = K, .M = M, .known_count = aside->count, .held = aside->are_loads, .arena = kane_arena_create()};
    cholmod_start(&s->common);
    s->common.print = 0;
    if (!s->arena)
        return 0;
    s->known      = kane_arena_doubles(s->arena, count * n + 1);
    s->pushed     = kane_arena_doubles(s->arena, count * n + 1);
    s->right      = kane_arena_doubles(s->arena, n);
    s->scratch[0] = kane_arena_doubles(s->arena, n);
    s->scratch[1] = kane_arena_doubles(s->arena, n);
    if (kane_arena_failed(s->arena))
        return 0;
    if (count > 0)
        memcpy(s->held ? s->pushed : s->known, aside->vectors, count * n * sizeof *aside->vectors);
    for (size_t k = 0; k < count && !s->held; k++)
        kane_symmetric_multiply(M, s->known + k * n, s->pushed + k * n);
    return 1;
}

static void close_solver(solver *s)
{
    cholmod_free_factor(&s->factor, &s->common);
    cholmod_free_dense(&s->x, &s->common);
    cholmod_free_dense(&s->work, &s->common);
    cholmod_free_dense(&s->more, &s->common);
    cholmod_finish(&s->common);
    kane_arena_free(s->arena);
    (void)mtx_unlock(&one_at_a_time);
}

// The shift is taken back step by step: each makes the error 100 times smaller or more.
static int solve_responses(solver *s, int count, double *b, double *x)
{
    enum { STEPS = 7 };
    const size_t n = (size_t)s->K->n;
    double *work = s->scratch[0], sigma = 0.0;
    int status = factor_within(s, 1e-6, 1e-2, &sigma);
    for (int k = 0; k < count && status == 0; k++) {
        double *right = b + (size_t)k * n, *answer = x + (size_t)k * n;
        remove_known_load(s, right);
        memset(answer, 0, n * sizeof *answer);
        for (int step = 0; step < STEPS && status == 0; step++) {
            kane_symmetric_multiply(s->M, answer, work);
            for (size_t i = 0; i < n; i++)
                work[i] = right[i] - sigma * work[i];
            status = solve_deflated(s, work, answer) ? 0 : KANE_MODES_NO_MEMORY;
        }
    }
    return status;
}

int kane_symmetric_responses(const kane_symmetric *K, const kane_symmetric *M, const kane_excluded_motions *known,
                             int count, double *b, double *x)
{
    solver s;
    const int status = open_solver(&s, K, M, known) ? solve_responses(&s, count, b, x) : KANE_MODES_NO_MEMORY;
    close_solver(&s);
    return status;
}

// The `count` lowest eigenvalues lambda [count] and eigenvectors phi [count * n] of K phi = lambda M phi.
static int find_modes(solver *s, int count, double *lambda, double *phi)
{
    const size_t n = (size_t)s->K->n, basis = n < 2 * (size_t)count + 20 ? n : 2 * (size_t)count + 20;
    const lanczos w = {.basis  = (int)basis,
                       .resid  = s->scratch[0],
                       .V      = kane_arena_doubles(s->arena, n * basis),
                       .workd  = kane_arena_doubles(s->arena, 3 * n),
                       .workl  = kane_arena_doubles(s->arena, basis * (basis + 8)),
                       .d      = s->scratch[1],
                       .select = kane_arena_alloc(s->arena, basis, sizeof(int))};
    double sigma    = 0.0;
    if (kane_arena_failed(s->arena))
        return KANE_MODES_NO_MEMORY;
    int status = factor_within(s, 1e-4, 1.0, &sigma);
    if (status == 0)
        status = iterate_lanczos(s, sigma, &w, count, lambda, phi);
    if (status == 0)
        put_in_order(s, count, lambda, phi, w.d);
    return status;
}

int kane_symmetric_modes(const kane_symmetric *K, const kane_symmetric *M, const kane_excluded_motions *aside,
                         int count, double *lambda, double *phi)
{
    solver s;
    const int status = open_solver(&s, K, M, aside) ? find_modes(&s, count, lambda, phi) : KANE_MODES_NO_MEMORY;
    close_solver(&s);
    return status;
}
