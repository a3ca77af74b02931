// SPDX-License-Identifier: MIT
// Modes of a linear model: eigenvalues, eigenvectors, and what these do to the bodies.

#include "simulate/modes.h"

#include "math/eigen.h"

#include <complex.h>
#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

// An eigenvalue whose size is below this part of the largest one is zero: a double one of a matrix of doubles is known to the
// root of their precision.
static const double INDIFFERENT = 1e-7;

// Real part of a mode that grows, over its natural frequency [1/s/Hz]; what is less is rounding.
static const double GROWS = 1e-9;

// A problem  M x = mu x  on its way to modes.
typedef struct problem {
    const kane_linear *linear;
    kane_modes_kind kind;
    int size;        // of M: moves, or moves of speed
    const double *M; // [size * size] by columns
    int *felt;       // rows and columns that matter [count]
    int count;
    const double *moves;         // undamped: moves of displacements [moves * size]
    double *re, *im, *vectors;   // of the felt part
    double complex *x, *z, *sum; // one eigenvector in full, as moves; scratch
} problem;

static double complex make_complex(double re, double im)
{
    const double parts[2] = {re, im};
    double complex z;
    memcpy(&z, parts, sizeof z); // stored like this
    return z;
}

// x' = lambda x, or p'' = lambda^2 p with the root above the real axis.
static double complex eigenvalue(const problem *p, int j)
{
    const double complex mu = make_complex(p->re[j], p->im[j]);
    if (p->kind == KANE_MODES_COMPLETE)
        return mu;
    const double complex root = csqrt(mu);
    return cimag(root) < 0.0 ? -root : root;
}

// What nothing depends on follows: M x = mu x in its rows. It depends on nothing of its kind but what stands before it in a
// finite chain.
static void follow(problem *p, double complex mu)
{
    for (int pass = 0, changes = 1; changes && pass <= p->size; pass++) {
        changes = 0;
        for (int i = 0, next = 0; i < p->size; i++) {
            if (next < p->count && p->felt[next] == i) {
                next++;
                continue;
            }
            double complex sum = 0.0;
            for (int k = 0; k < p->size; k++)
                sum += p->M[(size_t)k * (size_t)p->size + (size_t)i] * p->x[k];
            sum /= mu;
            changes = changes || sum != p->x[i];
            p->x[i] = sum;
        }
    }
}

// x of eigenvalue j, as moves z.
static void expand(problem *p, int j, double complex mu, int is_zero)
{
    const kane_linear *linear = p->linear;
    const double *re = p->vectors + (size_t)j * (size_t)p->count, *im = re + p->count;
    // of a pair the first one is stored; the second one is conjugate
    if (p->im[j] < 0.0) {
        im = re;
        re = im - p->count;
    }
    for (int i = 0; i < p->size; i++)
        p->x[i] = 0.0;
    for (int i = 0; i < p->count; i++)
        p->x[p->felt[i]] = make_complex(re[i], p->im[j] == 0.0 ? 0.0 : p->im[j] > 0.0 ? im[i] : -im[i]);
    if (!is_zero)
        follow(p, mu);
    if (p->kind == KANE_MODES_COMPLETE) {
        memcpy(p->z, p->x, (size_t)p->size * sizeof *p->z);
        return;
    }
    for (int i = 0; i < linear->size; i++) {
        p->z[i] = 0.0;
        for (int k = 0; k < p->size; k++)
            p->z[i] += p->moves[(size_t)k * (size_t)linear->size + (size_t)i] * p->x[k];
    }
}

// sum = matrix z, by rows of the shape or the state; returns its size.
static double apply(problem *p, const double *matrix, int rows)
{
    double size = 0.0;
    for (int i = 0; i < rows; i++)
        p->sum[i] = 0.0;
    for (int k = 0; k < p->linear->size; k++)
        for (int i = 0; i < rows; i++)
            p->sum[i] += matrix[(size_t)k * (size_t)rows + (size_t)i] * p->z[k];
    for (int i = 0; i < rows; i++)
        size = fmax(size, cabs(p->sum[i]));
    return size;
}

static void store(const problem *p, int rows, double complex factor, double *const parts[2], int mode)
{
    for (int i = 0; i < rows; i++) {
        const double complex value                        = p->sum[i] * factor;
        parts[0][(size_t)mode * (size_t)rows + (size_t)i] = creal(value);
        parts[1][(size_t)mode * (size_t)rows + (size_t)i] = cimag(value);
    }
}

// Displacements are rates over the eigenvalue, which also knows those that nothing depends on.
static void fill_shape(problem *p, kane_modes *modes, int mode, double complex lambda, int is_zero)
{
    const kane_linear *linear = p->linear;
    const int n               = linear->model->state_count;
    if (is_zero || p->kind == KANE_MODES_UNDAMPED) {
        if (apply(p, linear->places, modes->rows) == 0.0)
            (void)apply(p, linear->rates, modes->rows);
        store(p, modes->rows, 1.0, modes->shape, mode);
    } else {
        (void)apply(p, linear->rates, modes->rows);
        store(p, modes->rows, 1.0 / lambda, modes->shape, mode);
    }
    if (p->kind == KANE_MODES_UNDAMPED && !is_zero)
        for (int i = 0; i < p->size; i++)
            p->z[linear->q_count + i] += lambda * p->x[i];
    (void)apply(p, linear->basis, n);
    store(p, n, 1.0, modes->state, mode);
}

static kane_mode describe(double complex lambda, int is_zero)
{
    const double re = creal(lambda), im = cimag(lambda), size = cabs(lambda);
    return (kane_mode){.kind      = is_zero     ? KANE_MODE_INDIFFERENT
                                    : im == 0.0 ? KANE_MODE_CREEPS
                                                : KANE_MODE_OSCILLATES,
                       .re        = re + 0.0,
                       .im        = im,
                       .frequency = im / (2.0 * pi),
                       .natural   = size / (2.0 * pi),
                       .damping   = is_zero ? 0.0 : -re / size + 0.0};
}

static int is_before(const kane_mode *a, const kane_mode *b)
{
    if (a->frequency != b->frequency)
        return a->frequency < b->frequency;
    return a->damping != b->damping ? a->damping < b->damping : a->natural < b->natural;
}

// Which eigenvalues stand for modes, in the order of frequency and damping; returns how many.
static int sort(const problem *p, double largest, int *order)
{
    int count = 0;
    for (int j = 0; j < p->count; j++) {
        if (p->kind == KANE_MODES_COMPLETE && p->im[j] < 0.0)
            continue;
        const kane_mode own = describe(eigenvalue(p, j), cabs(eigenvalue(p, j)) <= INDIFFERENT * largest);
        int at              = count++;
        for (; at > 0; at--) {
            const int other       = order[at - 1];
            const double size     = cabs(eigenvalue(p, other));
            const kane_mode ahead = describe(eigenvalue(p, other), size <= INDIFFERENT * largest);
            if (!is_before(&own, &ahead))
                break;
            order[at] = other;
        }
        order[at] = j;
    }
    return count;
}

static int allocate(kane_modes *modes, const kane_linear *linear, int most)
{
    const size_t count = (size_t)most, rows = (size_t)modes->rows, n = (size_t)linear->model->state_count;
    modes->modes = kane_arena_alloc(modes->arena, count, sizeof *modes->modes);
    modes->share = kane_arena_alloc(modes->arena, count * rows, sizeof *modes->share);
    modes->mass  = kane_arena_alloc(modes->arena, rows * KANE_SHAPE, sizeof *modes->mass);
    for (int part = 0; part < 2; part++) {
        modes->shape[part] = kane_arena_alloc(modes->arena, count * rows, sizeof(double));
        modes->state[part] = kane_arena_alloc(modes->arena, count * n, sizeof(double));
    }
    if (kane_arena_failed(modes->arena))
        return 0;
    memcpy(modes->mass, linear->mass, rows * KANE_SHAPE * sizeof(double));
    return 1;
}

// Modes of a solved problem.
static int collect(kane_modes *modes, problem *p, int *order)
{
    double largest = 0.0;
    for (int j = 0; j < p->count; j++)
        largest = fmax(largest, cabs(eigenvalue(p, j)));
    modes->count = sort(p, largest, order);
    if (!allocate(modes, p->linear, modes->count))
        return 0;
    for (int k = 0; k < modes->count; k++) {
        const double complex lambda = eigenvalue(p, order[k]);
        const int is_zero           = cabs(lambda) <= INDIFFERENT * largest;
        char name[KANE_MODE_NAME];
        expand(p, order[k], make_complex(p->re[order[k]], p->im[order[k]]), is_zero);
        modes->modes[k] = describe(lambda, is_zero);
        fill_shape(p, modes, k, lambda, is_zero);
        kane_mode_scale(modes, k);
        kane_mode_name(modes, k, sizeof name, name);
        modes->modes[k].name = kane_arena_text(modes->arena, name);
    }
    return !kane_arena_failed(modes->arena);
}

// M of what is asked for. Returns 0 without memory or, with an error, where there is none.
static int pose(problem *p, kane_arena *scratch, kane_errors *errors)
{
    const kane_linear *linear = p->linear;
    if (p->kind == KANE_MODES_COMPLETE) {
        p->size = linear->size;
        p->M    = linear->A;
        return 1;
    }
    const size_t size = (size_t)linear->u_count;
    double *K         = kane_arena_alloc(scratch, size * size, sizeof *K);
    double *moves     = kane_arena_alloc(scratch, size * (size_t)linear->size, sizeof *moves);
    p->size           = linear->u_count;
    p->M              = K;
    p->moves          = moves;
    if (!K || !moves)
        return 0;
    if (kane_linear_find_springs(linear, scratch, K, moves))
        return 1;
    if (!kane_arena_failed(scratch))
        kane_errors_add(errors, KANE_NOT_SOLVED, "the states of force laws are not determined at rest");
    return 0;
}

// The felt part of M and its eigenvalues. Returns as pose does.
static int solve(problem *p, kane_arena *scratch, kane_errors *errors)
{
    const size_t size = (size_t)p->size, most = size > (size_t)p->linear->size ? size : (size_t)p->linear->size;
    const size_t rows = (size_t)p->linear->model->body_count * KANE_SHAPE + (size_t)p->linear->model->state_count;
    double *A         = kane_arena_alloc(scratch, size * size, sizeof *A);
    p->felt           = kane_arena_alloc(scratch, size, sizeof *p->felt);
    p->re             = kane_arena_alloc(scratch, 3 * size, sizeof *p->re);
    p->vectors        = kane_arena_alloc(scratch, size * size, sizeof *p->vectors);
    p->x              = kane_arena_alloc(scratch, 2 * most + rows, sizeof *p->x);
    if (kane_arena_failed(scratch))
        return 0;
    p->im    = p->re + size;
    p->z     = p->x + most;
    p->sum   = p->z + most;
    p->count = kane_linear_find_felt(p->size, p->M, p->felt);
    for (int j = 0; j < p->count; j++)
        for (int i = 0; i < p->count; i++)
            A[(size_t)j * (size_t)p->count + (size_t)i] = p->M[(size_t)p->felt[j] * size + (size_t)p->felt[i]];
    const int status = kane_eigen_solve(p->count, A, p->re, p->im, p->vectors, p->re + 2 * size);
    if (status != 0 && status != KANE_EIGEN_NO_MEMORY)
        kane_errors_add(errors, KANE_NOT_SOLVED, "eigenvalues do not converge");
    return status == 0;
}

kane_modes *kane_modes_create(const kane_linear *linear, kane_modes_kind kind, kane_errors *errors)
{
    kane_errors nobody  = {.limit = 1};
    kane_errors *kept   = errors ? errors : &nobody;
    const int before    = kept->count;
    kane_arena *arena   = kane_arena_create();
    kane_arena *scratch = kane_arena_create();
    kane_modes *modes   = arena ? kane_arena_alloc(arena, 1, sizeof *modes) : NULL;
    problem p           = {.linear = linear, .kind = kind};
    int good            = modes && scratch && pose(&p, scratch, kept) && solve(&p, scratch, kept);
    if (good) {
        int *order    = kane_arena_alloc(scratch, (size_t)p.count, sizeof *order);
        modes->arena  = arena;
        modes->model  = linear->model;
        modes->states = linear->model->state_count;
        modes->rows   = linear->model->body_count * KANE_SHAPE;
        good          = order && collect(modes, &p, order);
    }
    kane_arena_free(scratch);
    if (good)
        return modes;
    kane_arena_free(arena);
    if (kept->count == before)
        kane_errors_add(kept, KANE_NO_MEMORY, "%s", kane_status_text(KANE_NO_MEMORY));
    return NULL;
}

void kane_modes_free(kane_modes *modes)
{
    if (modes)
        kane_arena_free(modes->arena);
}

int kane_modes_count(const kane_modes *modes)
{
    return modes->count;
}

const kane_mode *kane_modes_get(const kane_modes *modes, int mode)
{
    return &modes->modes[mode];
}

int kane_mode_grows(const kane_mode *mode)
{
    return mode->kind != KANE_MODE_INDIFFERENT && mode->re > GROWS * mode->natural;
}

void kane_modes_state(const kane_modes *modes, int mode, double *re, double *im)
{
    const size_t n = (size_t)modes->states, first = (size_t)mode * n;
    memcpy(re, modes->state[0] + first, n * sizeof *re);
    memcpy(im, modes->state[1] + first, n * sizeof *im);
}
