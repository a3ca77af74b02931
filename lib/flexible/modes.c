// SPDX-License-Identifier: MIT
// Lowest modes of a finite element model: K phi = omega^2 M phi, of unit modal mass, of a free body or one that is held
// at its interfaces. Small models are solved whole (LAPACK), larger ones by Lanczos' method.

#include "flexible/modes.h"

#include "math/dense.h"

#include <string.h>

// x of L x = b, or of L' x = b.
static void solve_lower(int n, const double *L, const int *first, double *b)
{
    for (int i = 0; i < n; i++) {
        for (int j = first[i]; j < i; j++)
            b[i] -= L[i * n + j] * b[j];
        b[i] /= L[i * n + i];
    }
}

static void solve_upper(int n, const double *L, const int *first, double *b)
{
    for (int i = n - 1; i >= 0; i--) {
        b[i] /= L[i * n + i];
        for (int j = first[i]; j < i; j++)
            b[j] -= L[i * n + j] * b[i];
    }
}

static void transpose_square(int n, double *A)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            const double x = A[i * n + j];
            A[i * n + j]   = A[j * n + i];
            A[j * n + i]   = x;
        }
}

static void fill_dense(const kane_symmetric *A, double *to)
{
    for (int i = 0; i < A->n; i++)
        for (int k = A->start[i]; k < A->start[i + 1]; k++)
            to[(size_t)i * (size_t)A->n + (size_t)A->column[k]] = A->value[k];
}

// All eigenvalues, ascending, and modes by rows of unit modal mass: of L^-1 K L^-T, M = L L' (M in L, K in phi).
// Returns 0; KANE_MODES_NOT_POSITIVE: M is not positive definite; else what kane_eigen_solve_symmetric says.
static int solve_dense(int n, double *L, int *first, double *phi, double *w)
{
    if (kane_cholesky_factor(n, L, first) >= 0)
        return KANE_MODES_NOT_POSITIVE;
    for (int pass = 0; pass < 2; pass++) { // rows, then columns
        for (int i = 0; i < n; i++)
            solve_lower(n, L, first, phi + (size_t)i * (size_t)n);
        transpose_square(n, phi);
    }
    const int status = kane_eigen_solve_symmetric(n, phi, w); // eigenvectors by columns, which stand as rows here
    for (int i = 0; i < n && status == 0; i++)
        solve_upper(n, L, first, phi + (size_t)i * (size_t)n);
    return status;
}

// Orthonormal motions, by rows, in which no held load does work: the loads are orthonormal, so that the sum of their
// squares turns these into 0 and all others into themselves. A [n * n].
static int find_unheld(const kane_excluded_motions *held, int n, double *A, double *w)
{
    for (int k = 0; k < held->count; k++)
        for (int i = 0; i < n; i++) {
            const double *load = held->vectors + (size_t)k * (size_t)n;
            if (load[i] != 0.0)
                kane_add_scaled(n, A + (size_t)i * (size_t)n, load[i], load);
        }
    return kane_eigen_solve_symmetric(n, A, w); // those of 0 come first
}

// Q A Q' for motions by rows [count * n]; work [n].
static void restrict_to(const kane_symmetric *A, int count, const double *Q, double *to, double *work)
{
    const size_t n = (size_t)A->n;
    for (int i = 0; i < count; i++) {
        kane_symmetric_multiply(A, Q + (size_t)i * n, work);
        for (int j = 0; j < count; j++)
            to[i * count + j] = kane_dot(A->n, work, Q + (size_t)j * n);
    }
}

// Q K Q'. Where modes stand for K, motions strain as much as they have of them:  sum w (M phi)(M phi)'.
static void restrict_stiffness(const kane_mesh *e, int count, const double *Q, double *to, double *work)
{
    const size_t n = (size_t)e->M.n;
    if (e->shape_count == 0) {
        restrict_to(&e->K, count, Q, to, work);
        return;
    }
    memset(to, 0, (size_t)count * (size_t)count * sizeof *to);
    for (int k = 0; k < e->shape_count; k++) {
        kane_symmetric_multiply(&e->M, e->shapes + (size_t)k * n, work);
        for (int i = 0; i < count; i++)
            for (int j = 0; j < count; j++)
                to[i * count + j] += e->squares[k] * kane_dot(e->M.n, work, Q + (size_t)i * n) *
                                     kane_dot(e->M.n, work, Q + (size_t)j * n);
    }
}

int kane_modes_combine(const kane_mesh *e, int count, const double *basis, kane_found_modes *m)
{
    const size_t n = (size_t)e->M.n, modes = (size_t)count;
    double *L = kane_arena_doubles(m->arena, modes * modes), *few = kane_arena_doubles(m->arena, modes * modes);
    int *first = kane_arena_alloc(m->arena, modes, sizeof *first);
    double *w = kane_arena_doubles(m->arena, modes), *phi = kane_arena_doubles(m->arena, modes * n);
    if (kane_arena_failed(m->arena))
        return KANE_MODES_NO_MEMORY;
    restrict_to(&e->M, count, basis, L, phi);
    restrict_stiffness(e, count, basis, few, phi);
    const int status = solve_dense(count, L, first, few, w);
    memset(phi, 0, n * sizeof *phi);
    for (size_t i = 0; i < modes && status == 0; i++)
        for (size_t j = 0; j < modes; j++)
            kane_add_scaled(e->M.n, phi + i * n, few[i * modes + j], basis + j * n);
    m->count = count;
    m->w     = w;
    m->phi   = phi;
    return status;
}

// All modes of the body with its held interfaces.
static int find_all_held(const kane_mesh *e, const kane_excluded_motions *held, kane_found_modes *m)
{
    const size_t n = (size_t)e->M.n;
    double *Q = kane_arena_doubles(m->arena, n * n), *w = kane_arena_doubles(m->arena, n);
    if (!Q || !w)
        return KANE_MODES_NO_MEMORY;
    const int status = find_unheld(held, e->M.n, Q, w);
    return status == 0 ? kane_modes_combine(e, e->M.n - held->count, Q, m) : status;
}

// All elastic modes of the free body.
static int find_all_free(const kane_mesh *e, kane_found_modes *m)
{
    const size_t n = (size_t)e->M.n;
    double *L = kane_allocate(n * n, sizeof *L), *w = kane_arena_doubles(m->arena, n);
    double *phi = kane_arena_doubles(m->arena, n * n);
    int *first  = kane_arena_alloc(m->arena, n, sizeof *first);
    int status  = KANE_EIGEN_NO_MEMORY;
    if (L && w && phi && first) {
        fill_dense(&e->M, L);
        fill_dense(&e->K, phi);
        status = solve_dense(e->M.n, L, first, phi, w);
    }
    kane_release(L);
    if (status == 0)
        m->count = e->M.n - KANE_RIGID_MODES, m->w = w + KANE_RIGID_MODES, m->phi = phi + KANE_RIGID_MODES * n;
    return status;
}

static int find_lowest(const kane_mesh *e, const kane_excluded_motions *excluded, int count, kane_found_modes *m)
{
    const size_t n = (size_t)e->M.n, modes = (size_t)count;
    m->count = count;
    m->w     = kane_arena_doubles(m->arena, modes);
    m->phi   = kane_arena_doubles(m->arena, modes * n);
    if (kane_arena_failed(m->arena))
        return KANE_MODES_NO_MEMORY;
    return kane_symmetric_modes(&e->K, &e->M, excluded, count, m->w, m->phi);
}

double kane_modes_frequency(double w)
{
    static const double PI = 3.14159265358979323846;
    return sqrt(fmax(w, 0.0)) / (2.0 * PI);
}

enum { SMALL = 300, FIRST_TRY = 20 }; // unknowns of a model whose modes are found all at once; modes below a limit

static int find_modes(const kane_modes_input *in, const kane_mesh *e, const kane_excluded_motions *excluded,
                      kane_found_modes *m)
{
    const int by_count = kane_block_has(&in->block, "count");
    int count = by_count ? in->count : FIRST_TRY, status = 0;
    do {
        kane_arena_free(m->arena);
        *m = (kane_found_modes){.arena = kane_arena_create()};
        if (!m->arena)
            return KANE_MODES_NO_MEMORY;
        const int all = e->M.n <= SMALL || count > e->M.n / 4;
        if (all)
            return excluded->are_loads ? find_all_held(e, excluded, m) : find_all_free(e, m);
        status = find_lowest(e, excluded, count, m);
        count *= 2;
    } while (status == 0 && !by_count && kane_modes_frequency(m->w[m->count - 1]) <= in->up_to);
    return status;
}

// Number of the found modes that are included. 0 with an error.
static int choose_count(kane_reader *reader, const kane_modes_input *in, const kane_found_modes *m)
{
    const kane_block *block = &in->block;
    const int by_count      = kane_block_has(block, "count");
    int count               = 0;
    while (count < m->count && (by_count ? count < in->count : kane_modes_frequency(m->w[count]) <= in->up_to))
        count++;
    if (by_count && count < in->count)
        kane_reader_fault(reader, block, "count", "%d modes are more than the %d that the model has", in->count, count);
    else if (count == 0)
        kane_reader_fault(reader, block, by_count ? "count" : "up_to", "leaves no mode: the first one has %.4g Hz",
                          m->count > 0 ? kane_modes_frequency(m->w[0]) : 0.0);
    return count;
}

// Those of a file.
static int copy_modes(const kane_mesh *e, kane_found_modes *m)
{
    const size_t count = (size_t)e->shape_count, n = (size_t)e->M.n;
    *m = (kane_found_modes){.arena = kane_arena_create(), .count = e->shape_count};
    if (!m->arena)
        return KANE_MODES_NO_MEMORY;
    m->w   = kane_arena_doubles(m->arena, count);
    m->phi = kane_arena_doubles(m->arena, count * n);
    if (kane_arena_failed(m->arena))
        return KANE_MODES_NO_MEMORY;
    memcpy(m->w, e->squares, count * sizeof *m->w);
    memcpy(m->phi, e->shapes, count * n * sizeof *m->phi);
    return 0;
}

int kane_modes_find(kane_reader *reader, const kane_modes_input *in, const kane_mesh *mesh,
                    const kane_excluded_motions *excluded, kane_found_modes *m)
{
    const int status = mesh->shape_count > 0 ? copy_modes(mesh, m) : find_modes(in, mesh, excluded, m);
    if (status != 0)
        return status;
    m->count = choose_count(reader, in, m);
    return m->count > 0 && kane_reader_status(reader) == KANE_OK ? 0 : KANE_MODES_REPORTED;
}
