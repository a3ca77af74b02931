// SPDX-License-Identifier: MIT
// Modes of a linear model: eigenvalues, eigenvectors, and what these do to the bodies.

#include "simulate/linear_parts.h"

#include "base/number.h"
#include "math/dense.h"

#include <complex.h>
#include <math.h>
#include <string.h>

double complex kane_complex(double re, double im)
{
    const double parts[2] = {re, im};
    double complex z;
    memcpy(&z, parts, sizeof z); // stored like this
    return z;
}

// An eigenvalue whose size is below this part of the largest one is zero: a double one of a matrix of doubles is known
// to the root of their precision.
static const double INDIFFERENT = 1e-7;

// What an equilibrium that is found to some 1e-10 m/s^2 may add to a real part, over the natural frequency [1/s/Hz].
static const double GROWS = 1e-9;

// A problem  M x = mu x  on its way to modes.
typedef struct problem {
    const kane_linear *linear;
    kane_modes_kind kind;
    int size;        // of M: moves, or moves of speed
    const double *M; // [size * size] by columns
    const int *part; // 1: a move that takes part [size], NULL: all do
    int *coupled;    // rows and columns that matter [count]
    int count;
    const double *moves;         // undamped: moves of displacements [moves * size]
    double *re, *im, *vectors;   // of the felt part
    double *accuracy;            // of its eigenvalues
    double complex *x, *z, *sum; // one eigenvector in full, as moves; scratch
} problem;

// x' = lambda x, or p'' = lambda^2 p with the root above the real axis.
static double complex mode_root(const problem *p, int j)
{
    const double complex mu = kane_complex(p->re[j], p->im[j]);
    if (p->kind == KANE_MODES_COMPLETE)
        return mu;
    const double complex root = csqrt(mu);
    return cimag(root) < 0.0 ? -root : root;
}

// How far it may be off: 2 lambda dlambda = dmu, and near zero its root.
static double accuracy_of_mode(const problem *p, int j)
{
    const double size = cabs(mode_root(p, j)), mu = p->accuracy[j];
    if (p->kind == KANE_MODES_COMPLETE)
        return mu;
    return fmin(sqrt(mu), size > 0.0 ? 0.5 * mu / size : HUGE_VAL);
}

// Moves on which nothing depends: x_i = (row i of M) x/mu. They depend on each other in finite chains only, so that the
// iteration ends.
static void solve_uncoupled_moves(problem *p, double complex mu)
{
    for (int pass = 0, changes = 1; changes && pass <= p->size; pass++) {
        changes = 0;
        for (int i = 0, next = 0; i < p->size; i++) {
            if (next < p->count && p->coupled[next] == i) {
                next++;
                continue;
            }
            if (p->part && !p->part[i])
                continue;
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
static void expand_eigenvector(problem *p, int j, double complex mu, int is_zero)
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
        p->x[p->coupled[i]] = kane_complex(re[i], p->im[j] == 0.0 ? 0.0 : p->im[j] > 0.0 ? im[i] : -im[i]);
    if (!is_zero)
        solve_uncoupled_moves(p, mu);
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
static double multiply_moves(problem *p, const double *matrix, int rows)
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

static void store_mode_column(const problem *p, int rows, double complex factor, double *const parts[2], int mode)
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
        if (multiply_moves(p, linear->places, modes->rows) == 0.0)
            (void)multiply_moves(p, linear->rates, modes->rows);
        store_mode_column(p, modes->rows, 1.0, modes->shape, mode);
    } else {
        (void)multiply_moves(p, linear->rates, modes->rows);
        store_mode_column(p, modes->rows, 1.0 / lambda, modes->shape, mode);
    }
    if (p->kind == KANE_MODES_UNDAMPED && !is_zero)
        for (int i = 0; i < p->size; i++)
            p->z[linear->q_count + i] += lambda * p->x[i];
    (void)multiply_moves(p, linear->basis, n);
    store_mode_column(p, n, 1.0, modes->state, mode);
}

static kane_mode describe_mode(double complex lambda, double off, int is_zero)
{
    const double re = creal(lambda), im = cimag(lambda), size = cabs(lambda);
    return (kane_mode){.kind      = is_zero     ? KANE_MODE_INDIFFERENT
                                    : im == 0.0 ? KANE_MODE_CREEPS
                                                : KANE_MODE_OSCILLATES,
                       .re        = re + 0.0,
                       .im        = im,
                       .frequency = im / (2.0 * KANE_PI),
                       .natural   = size / (2.0 * KANE_PI),
                       .damping   = is_zero ? 0.0 : -re / size + 0.0,
                       .accuracy  = off};
}

static int is_before(const kane_mode *a, const kane_mode *b)
{
    if (a->frequency != b->frequency)
        return a->frequency < b->frequency;
    return a->damping != b->damping ? a->damping < b->damping : a->natural < b->natural;
}

// Which eigenvalues stand for modes, in the order of frequency and damping; returns how many.
static int sort_modes(const problem *p, double largest, int *order)
{
    int count = 0;
    for (int j = 0; j < p->count; j++) {
        if (p->kind == KANE_MODES_COMPLETE && p->im[j] < 0.0)
            continue;
        const kane_mode own = describe_mode(mode_root(p, j), 0.0, cabs(mode_root(p, j)) <= INDIFFERENT * largest);
        int at              = count++;
        for (; at > 0; at--) {
            const int other       = order[at - 1];
            const double size     = cabs(mode_root(p, other));
            const kane_mode ahead = describe_mode(mode_root(p, other), 0.0, size <= INDIFFERENT * largest);
            if (!is_before(&own, &ahead))
                break;
            order[at] = other;
        }
        order[at] = j;
    }
    return count;
}

static int allocate_modes(kane_modes *modes, const kane_linear *linear, int most)
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

static double find_largest(const problem *p)
{
    double largest = 0.0;
    for (int j = 0; j < p->count; j++)
        largest = fmax(largest, cabs(mode_root(p, j)));
    return largest;
}

// The mode of eigenvalue j becomes the next one.
static void add_mode(kane_modes *modes, problem *p, int j, double largest)
{
    const double complex lambda = mode_root(p, j);
    const int is_zero = cabs(lambda) <= INDIFFERENT * largest, k = modes->count++;
    char name[KANE_MODE_NAME];
    expand_eigenvector(p, j, kane_complex(p->re[j], p->im[j]), is_zero);
    modes->modes[k] = describe_mode(lambda, accuracy_of_mode(p, j), is_zero);
    fill_shape(p, modes, k, lambda, is_zero);
    kane_mode_scale(modes, k);
    kane_mode_name(modes, k, sizeof name, name);
    modes->modes[k].name = kane_arena_text(modes->arena, name);
}

// Modes of a solved problem.
static int collect_modes(kane_modes *modes, problem *p, int *order)
{
    const double largest = find_largest(p);
    const int count      = sort_modes(p, largest, order);
    if (!allocate_modes(modes, p->linear, count))
        return 0;
    for (int k = 0; k < count; k++) {
        add_mode(modes, p, order[k], largest);
        modes->highest = fmax(modes->highest, modes->modes[k].frequency);
    }
    return !kane_arena_failed(modes->arena);
}

// M of what is asked for. Returns 0 without memory or, with an error, where there is none.
static int set_up_problem(problem *p, kane_arena *scratch, kane_errors *errors)
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

// What is found: eigenvalues alone, or vectors and accuracies as well.
typedef enum extent { VALUES, VECTORS } extent;

// The felt part of M and its eigenvalues. Returns as pose does.
static int solve_eigenproblem(problem *p, extent what, kane_arena *scratch, kane_errors *errors)
{
    const size_t size = (size_t)p->size, most = size > (size_t)p->linear->size ? size : (size_t)p->linear->size;
    const size_t rows = (size_t)p->linear->model->body_count * KANE_SHAPE + (size_t)p->linear->model->state_count;
    double *A         = kane_arena_alloc(scratch, size * size, sizeof *A);
    p->coupled        = kane_arena_alloc(scratch, size, sizeof *p->coupled);
    p->re             = kane_arena_alloc(scratch, 4 * size, sizeof *p->re);
    p->vectors        = what == VECTORS ? kane_arena_alloc(scratch, size * size, sizeof *p->vectors) : NULL;
    p->x              = kane_arena_alloc(scratch, 2 * most + rows, sizeof *p->x);
    if (kane_arena_failed(scratch))
        return 0;
    p->im       = p->re + size;
    p->accuracy = p->re + 2 * size;
    p->z        = p->x + most;
    p->sum      = p->z + most;
    p->count    = 0;
    for (int i = 0; i < p->size; i++)
        if (!p->part || p->part[i])
            p->coupled[p->count++] = i;
    p->count = kane_linear_find_coupled(p->size, p->M, p->count, p->coupled);
    for (int j = 0; j < p->count; j++)
        for (int i = 0; i < p->count; i++)
            A[(size_t)j * (size_t)p->count + (size_t)i] = p->M[(size_t)p->coupled[j] * size + (size_t)p->coupled[i]];
    const int status =
        kane_eigen_solve(p->count, A, p->re, p->im, p->vectors, what == VECTORS ? p->accuracy : NULL, p->re + 3 * size);
    if (status != 0 && status != KANE_EIGEN_NO_MEMORY)
        kane_errors_add(errors, KANE_NOT_SOLVED, "eigenvalues do not converge");
    return status == 0;
}

static void begin_modes(kane_modes *modes, kane_arena *arena, const kane_linear *linear)
{
    modes->arena  = arena;
    modes->model  = linear->model;
    modes->states = linear->model->state_count;
    modes->rows   = linear->model->body_count * KANE_SHAPE;
    for (int i = 0; i < linear->left_out_count; i++)
        modes->sticking += linear->left_out[i].why == KANE_LEFT_STUCK;
}

kane_modes *kane_modes_create(const kane_linear *linear, kane_modes_kind kind, kane_errors *errors)
{
    kane_errors unreported = {.limit = 1};
    kane_errors *kept      = errors ? errors : &unreported;
    const int before       = kept->count;
    kane_arena *arena      = kane_arena_create();
    kane_arena *scratch    = kane_arena_create();
    kane_modes *modes      = arena ? kane_arena_alloc(arena, 1, sizeof *modes) : NULL;
    problem p              = {.linear = linear, .kind = kind};
    int good = modes && scratch && set_up_problem(&p, scratch, kept) && solve_eigenproblem(&p, VECTORS, scratch, kept);
    if (good) {
        int *order = kane_arena_alloc(scratch, (size_t)p.count, sizeof *order);
        begin_modes(modes, arena, linear);
        good = order && collect_modes(modes, &p, order);
    }
    kane_arena_free(scratch);
    if (good)
        return modes;
    kane_arena_free(arena);
    if (kept->count == before)
        (void)kane_no_memory(kept);
    return NULL;
}

// --- modes that grow ---

// A linear model on its way to them, vehicle by vehicle.
typedef struct growth {
    const kane_model *model;
    kane_linear *linear;
    kane_arena *scratch;
    const int *vehicle; // of every body, NULL: all are of one
    int vehicle_count;
    int *owner; // vehicle of every move [size]
    int *part;  // 1: a move of the present vehicle [size]
    int *may;   // eigenvalues of every vehicle that may lie to the right [vehicle_count]
} growth;

// Vehicles of moves: that of the first body or element whose state a move changes.
static int find_owners(growth *g)
{
    const kane_model *model = g->model;
    const size_t n          = (size_t)model->state_count;
    const size_t size       = (size_t)g->linear->size;
    int *of_state           = kane_arena_alloc(g->scratch, n, sizeof *of_state);
    g->owner                = kane_arena_alloc(g->scratch, size, sizeof *g->owner);
    g->part                 = kane_arena_alloc(g->scratch, size, sizeof *g->part);
    for (int j = 0; j < model->body_count && g->vehicle; j++)
        g->vehicle_count = g->vehicle[j] >= g->vehicle_count ? g->vehicle[j] + 1 : g->vehicle_count;
    g->may = kane_arena_alloc(g->scratch, (size_t)g->vehicle_count, sizeof *g->may);
    if (kane_arena_failed(g->scratch))
        return 0;
    for (int j = 0; j < model->body_count && g->vehicle; j++) {
        const kane_body *body = &model->bodies[j];
        for (int k = 0; k < body->q_count; k++)
            of_state[body->q + k] = g->vehicle[j];
        for (int k = 0; k < body->u_count; k++)
            of_state[body->u + k] = g->vehicle[j];
    }
    for (int c = 0; c < model->cluster_count && g->vehicle; c++)
        for (int k = 0; k < model->clusters[c].u_count; k++)
            of_state[model->cluster_u[c] + k] = g->vehicle[model->link_body[model->clusters[c].links[0]]];
    for (int i = 0; i < model->stateful_count && g->vehicle; i++) {
        const kane_element *e = &model->elements[model->stateful[i]];
        for (int k = 0; k < e->state_count && (e->a.body >= 0 || e->b.body >= 0); k++)
            of_state[e->state + k] = g->vehicle[e->a.body >= 0 ? e->a.body : e->b.body];
    }
    for (size_t m = 0; m < size; m++)
        for (size_t i = n; i-- > 0;)
            if (g->linear->basis[m * n + i] != 0.0)
                g->owner[m] = of_state[i];
    return 1;
}

static problem vehicle_problem(growth *g, int vehicle)
{
    for (int m = 0; m < g->linear->size; m++)
        g->part[m] = g->owner[m] == vehicle;
    return (problem){.linear = g->linear, .size = g->linear->size, .M = g->linear->A, .part = g->part};
}

// Whose eigenvalues lie to the right, if only because they are not accurate: how many in all; -1 with errors.
static int count_candidates(growth *g, kane_modes *modes, kane_errors *errors)
{
    int all         = 0;
    modes->swing_re = kane_arena_alloc(modes->arena, (size_t)g->linear->size, sizeof *modes->swing_re);
    modes->swing_im = kane_arena_alloc(modes->arena, (size_t)g->linear->size, sizeof *modes->swing_im);
    if (kane_arena_failed(modes->arena))
        return -1;
    for (int v = 0; v < g->vehicle_count; v++) {
        problem p = vehicle_problem(g, v);
        if (!solve_eigenproblem(&p, VALUES, g->scratch, errors))
            return -1;
        const double largest = find_largest(&p);
        for (int j = 0; j < p.count; j++) {
            g->may[v] += p.re[j] > 0.0 && p.im[j] >= 0.0 && cabs(mode_root(&p, j)) > INDIFFERENT * largest;
            modes->highest = fmax(modes->highest, p.im[j] / (2.0 * KANE_PI));
            if (p.im[j] > 0.0) {
                modes->swing_re[modes->swing_count]   = p.re[j];
                modes->swing_im[modes->swing_count++] = p.im[j];
            }
        }
        all += g->may[v];
    }
    return all;
}

static int add_growing(kane_modes *modes, growth *g, int vehicle, kane_errors *errors)
{
    problem p = vehicle_problem(g, vehicle);
    if (!solve_eigenproblem(&p, VECTORS, g->scratch, errors))
        return 0;
    const double largest = find_largest(&p);
    for (int j = 0; j < p.count; j++) {
        const kane_mode mode =
            describe_mode(mode_root(&p, j), accuracy_of_mode(&p, j), cabs(mode_root(&p, j)) <= INDIFFERENT * largest);
        if (p.im[j] >= 0.0 && kane_mode_grows(&mode))
            add_mode(modes, &p, j, largest);
    }
    return !kane_arena_failed(modes->arena);
}

static int find_growing(kane_modes *modes, kane_arena *arena, growth *g, kane_work *work, double t, const double *y,
                        kane_errors *errors)
{
    g->linear = kane_linear_create_plain(g->model, work, t, y, errors);
    if (!g->linear || !find_owners(g))
        return 0;
    begin_modes(modes, arena, g->linear);
    const int most = count_candidates(g, modes, errors);
    if (most <= 0)
        return most == 0;
    int good = kane_linear_find_bodies(g->linear, work, t, y, errors) && allocate_modes(modes, g->linear, most);
    for (int v = 0; v < g->vehicle_count && good; v++)
        good = g->may[v] == 0 || add_growing(modes, g, v, errors);
    return good;
}

kane_modes *kane_modes_create_growing(const kane_model *model, kane_work *work, double t, const double *y,
                                      const int *vehicle, kane_errors *errors)
{
    growth g          = {.model = model, .vehicle = vehicle, .vehicle_count = 1, .scratch = kane_arena_create()};
    kane_arena *arena = kane_arena_create();
    kane_modes *modes = arena ? kane_arena_alloc(arena, 1, sizeof *modes) : NULL;
    kane_errors *kept = errors; // on the stack of a small thread there is no room for them beside LAPACK
    if (!kept && g.scratch)
        kept = kane_arena_alloc(g.scratch, 1, sizeof *kept);
    const int before = kept ? kept->count : 0;
    int good         = modes && kept;
    if (kept && !errors)
        kept->limit = 1;
    good = good && g.scratch && find_growing(modes, arena, &g, work, t, y, kept);
    kane_linear_free(g.linear);
    if (!good && errors && errors->count == before)
        (void)kane_no_memory(errors);
    kane_arena_free(g.scratch);
    if (good)
        return modes;
    kane_arena_free(arena);
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

int kane_modes_sticking(const kane_modes *modes)
{
    return modes->sticking;
}

double kane_modes_highest(const kane_modes *modes)
{
    return modes->highest;
}

int kane_mode_grows(const kane_mode *mode)
{
    return mode->kind != KANE_MODE_INDIFFERENT && mode->re > mode->accuracy + GROWS * mode->natural;
}

void kane_modes_state(const kane_modes *modes, int mode, double *re, double *im)
{
    const size_t n = (size_t)modes->states, first = (size_t)mode * n;
    memcpy(re, modes->state[0] + first, n * sizeof *re);
    memcpy(im, modes->state[1] + first, n * sizeof *im);
}
