// SPDX-License-Identifier: MIT
// Free modes of a finite element model, and the sums over its masses that the equations of a deformable body ask for.
//
// K phi = omega^2 M phi, of unit modal mass. Six of the modes are rigid motion; the others are orthogonal to it, so that no momentum
// goes with them (mean axes). Sums of first order are taken with the consistent mass matrix. Those of second order (gyration, change
// of inertia) take the mass of every node as it is lumped by rows.

#include "flexible/model.h"
#include "flexible/patch.h"

#include "math/dense.h"
#include "math/eigen.h"
#include "math/sparse_modes.h"

#include <string.h>

enum { RIGID = 6 };

// a' M b of two rigid motions.
static double rigid_mass(const kane_mesh *e, kane_vec3 centre, int a, int b)
{
    double sum = 0.0;
    for (int i = 0; i < e->M.n; i++) {
        const double left = kane_mesh_rigid(e, centre, a, i);
        for (int k = e->M.start[i]; k < e->M.start[i + 1] && left != 0.0; k++)
            sum += left * e->M.value[k] * kane_mesh_rigid(e, centre, b, e->M.column[k]);
    }
    return sum;
}

static void find_rigid_body(const kane_mesh *e, kane_flexible_data *data)
{
    static const int pair[6][2] = {{3, 3}, {4, 4}, {5, 5}, {3, 4}, {3, 5}, {4, 5}};
    const kane_vec3 none        = kv3_zero();
    data->mass                  = rigid_mass(e, none, 0, 0);
    // m c x e_a is what a displacement along a gives about the axes
    data->centre = kv3_scale(1.0 / data->mass,
                             kv3(rigid_mass(e, none, 1, 5), rigid_mass(e, none, 2, 3), rigid_mass(e, none, 0, 4)));
    for (int k = 0; k < 6; k++)
        data->inertia[k] = rigid_mass(e, data->centre, pair[k][0], pair[k][1]);
}

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

static void transpose(int n, double *A)
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

// All eigenvalues, ascending, and modes by rows of unit modal mass: of L^-1 K L^-T, M = L L'. Returns 0; KANE_MODES_NOT_POSITIVE: M is
// not positive definite; else what kane_eigen_solve_symmetric says.
static int solve_dense(const kane_mesh *e, double *L, int *first, double *phi, double *w)
{
    const int n = e->M.n;
    fill_dense(&e->M, L);
    fill_dense(&e->K, phi);
    if (kane_cholesky_factor(n, L, first) >= 0)
        return KANE_MODES_NOT_POSITIVE;
    for (int pass = 0; pass < 2; pass++) { // rows, then columns
        for (int i = 0; i < n; i++)
            solve_lower(n, L, first, phi + (size_t)i * (size_t)n);
        transpose(n, phi);
    }
    const int status = kane_eigen_solve_symmetric(n, phi, w); // eigenvectors by columns, which stand as rows here
    for (int i = 0; i < n && status == 0; i++)
        solve_upper(n, L, first, phi + (size_t)i * (size_t)n);
    return status;
}

// The first entry of a mode that is large counts as positive: signs do not depend on the solver.
static void choose_sign(int n, double *phi)
{
    double most = 0.0;
    int at      = 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, fabs(phi[i]));
    while (at < n && fabs(phi[at]) < 0.999 * most)
        at++;
    const double sign = phi[at] < 0.0 ? -1.0 : 1.0;
    for (int i = 0; i < n; i++)
        phi[i] *= sign;
}

// All of them; for small models, and for those who keep most of the modes.
static int find_all(const kane_mesh *e, kane_found_modes *m)
{
    const size_t n = (size_t)e->M.n;
    double *L = kane_allocate(n * n, sizeof *L), *w = kane_arena_doubles(m->arena, n);
    double *phi = kane_arena_doubles(m->arena, n * n);
    int *first  = kane_arena_alloc(m->arena, n, sizeof *first);
    int status  = KANE_EIGEN_NO_MEMORY;
    if (L && w && phi && first)
        status = solve_dense(e, L, first, phi, w);
    kane_release(L);
    if (status == 0)
        m->count = e->M.n - RIGID, m->w = w + RIGID, m->phi = phi + RIGID * n;
    return status;
}

// Rigid motions about the mass centre, of unit mass, orthogonal to each other (Gram-Schmidt).
static void make_rigid_modes(const kane_mesh *e, kane_vec3 centre, double *modes, double *work)
{
    const int n = e->M.n;
    for (int motion = 0; motion < RIGID; motion++) {
        double *mode = modes + (size_t)motion * (size_t)n;
        for (int i = 0; i < n; i++)
            mode[i] = kane_mesh_rigid(e, centre, motion, i);
        for (int pass = 0; pass < 2; pass++)
            for (int k = 0; k <= motion; k++) {
                const double *other = modes + (size_t)k * (size_t)n;
                double part         = 0.0;
                kane_symmetric_multiply(&e->M, mode, work);
                for (int i = 0; i < n; i++)
                    part += other[i] * work[i];
                for (int i = 0; i < n; i++)
                    mode[i] = k < motion ? mode[i] - part * other[i] : mode[i] / sqrt(part);
            }
    }
}

// The memory of m: its rigid modes.
static double *rigid_modes(const kane_mesh *e, kane_vec3 centre, kane_found_modes *m)
{
    const size_t n = (size_t)e->M.n;
    double *rigid = kane_arena_doubles(m->arena, RIGID * n), *work = kane_arena_doubles(m->arena, n);
    if (rigid && work)
        make_rigid_modes(e, centre, rigid, work);
    return work ? rigid : NULL;
}

static int find_lowest(const kane_mesh *e, kane_vec3 centre, int count, kane_found_modes *m)
{
    const size_t n = (size_t)e->M.n, modes = (size_t)count;
    const double *rigid = rigid_modes(e, centre, m);
    m->w                = kane_arena_doubles(m->arena, modes);
    m->phi              = kane_arena_doubles(m->arena, modes * n);
    if (kane_arena_failed(m->arena))
        return KANE_MODES_NO_MEMORY;
    m->count = count;
    return kane_symmetric_modes(&e->K, &e->M, RIGID, rigid, count, m->w, m->phi);
}

enum { SMALL = 300, FIRST_TRY = 20 }; // unknowns of a model whose modes are found all at once; modes below a limit

static int find_modes(const kane_flexible_file *file, const kane_mesh *e, const kane_flexible_data *data,
                      kane_found_modes *m)
{
    const int by_count = kane_block_has(&file->modes.block, "count");
    const double limit = 2.0 * 3.14159265358979323846 * file->modes.up_to;
    int count = by_count ? file->modes.count : FIRST_TRY, status = 0;
    do {
        kane_arena_free(m->arena);
        *m = (kane_found_modes){.arena = kane_arena_create()};
        if (!m->arena)
            return KANE_MODES_NO_MEMORY;
        const int all = e->M.n <= SMALL || count > e->M.n / 4;
        status        = all ? find_all(e, m) : find_lowest(e, data->centre, count, m);
        if (all || by_count)
            return status;
        count *= 2;
    } while (status == 0 && m->w[m->count - 1] <= limit * limit);
    return status;
}

// How many of `found` elastic modes are kept; found modes are all that the model has if is_all. 0 with an error.
static int choose_count(kane_reader *reader, const kane_flexible_file *file, const kane_found_modes *m)
{
    const kane_block *block = &file->modes.block;
    const int by_count      = kane_block_has(block, "count");
    const double two_pi     = 2.0 * 3.14159265358979323846;
    int count               = 0;
    while (count < m->count &&
           (by_count ? count < file->modes.count : sqrt(fmax(m->w[count], 0.0)) <= two_pi * file->modes.up_to))
        count++;
    if (by_count && count < file->modes.count)
        kane_reader_report(reader, kane_block_place(block, "count", -1),
                           "%d modes are more than the %d that the model has", file->modes.count, count);
    else if (count == 0)
        kane_reader_report(reader, kane_block_place(block, by_count ? "count" : "up_to", -1),
                           "leaves no mode: the first one has %.4g Hz",
                           m->count > 0 ? sqrt(fmax(m->w[0], 0.0)) / two_pi : 0.0);
    return count;
}

// --- sums ---

static kane_vec3 displacement(const kane_mesh *e, const double *phi, int node)
{
    const int *u = e->unknown + 6 * node;
    return kv3(phi[u[0]], phi[u[1]], phi[u[2]]);
}

// 1/2 (2 (a.b) E - a b' - b a') m
static void add_inertia(double m, kane_vec3 a, kane_vec3 b, double J[6])
{
    const double along = kv3_dot(a, b);
    J[0] += m * (along - a.x * b.x);
    J[1] += m * (along - a.y * b.y);
    J[2] += m * (along - a.z * b.z);
    J[3] -= 0.5 * m * (a.x * b.y + a.y * b.x);
    J[4] -= 0.5 * m * (a.x * b.z + a.z * b.x);
    J[5] -= 0.5 * m * (a.y * b.z + a.z * b.y);
}

// Mass of a node: what a displacement of all nodes along x has to move there.
static double lumped(const kane_mesh *e, int node)
{
    const int row = e->unknown[6 * node];
    double sum    = 0.0;
    for (int k = e->M.start[row]; k < e->M.start[row + 1]; k++)
        sum += e->part[e->M.column[k]] == 0 ? e->M.value[k] : 0.0;
    return sum;
}

typedef struct sums {
    kane_vec3 *momentum, *turning, *gyration;
    double (*inertia)[6], (*second)[6];
} sums;

// What a mode does along the six rigid motions: its momentum, and its moment about the mass centre.
static void find_momentum(const kane_mesh *e, kane_vec3 centre, const double *phi, kane_vec3 *momentum,
                          kane_vec3 *turning)
{
    double first[RIGID] = {0.0};
    for (int row = 0; row < e->M.n; row++) {
        double pushed = 0.0;
        for (int k = e->M.start[row]; k < e->M.start[row + 1]; k++)
            pushed += e->M.value[k] * phi[e->M.column[k]];
        for (int motion = 0; motion < RIGID; motion++)
            first[motion] += kane_mesh_rigid(e, centre, motion, row) * pushed;
    }
    *momentum = kv3(first[0], first[1], first[2]);
    *turning  = kv3(first[3], first[4], first[5]);
}

// Takes from a mode what round-off has left in it of rigid motion.
static void clean(const kane_mesh *e, const kane_flexible_data *data, double *phi)
{
    const double *J    = data->inertia;
    const kane_mat3 in = {{J[0], J[3], J[4]}, {J[3], J[1], J[5]}, {J[4], J[5], J[2]}};
    kane_vec3 momentum, turning;
    find_momentum(e, data->centre, phi, &momentum, &turning);
    const kane_vec3 v = kv3_scale(1.0 / data->mass, momentum), w = km3_solve(in, turning);
    for (int i = 0; i < e->M.n; i++)
        for (int motion = 0; motion < RIGID; motion++)
            phi[i] -= kv3_get(motion < 3 ? v : w, motion % 3) * kane_mesh_rigid(e, data->centre, motion, i);
}

static void sum_modes(const kane_mesh *e, const double *phi, int count, kane_flexible_data *data, sums *s)
{
    const size_t n     = (size_t)e->M.n;
    const double trace = data->inertia[0] + data->inertia[1] + data->inertia[2];
    for (int i = 0; i < count; i++) {
        find_momentum(e, data->centre, phi + (size_t)i * n, &s->momentum[i], &s->turning[i]);
        data->momentum_left = fmax(data->momentum_left, kv3_norm(s->momentum[i]) / sqrt(data->mass));
        data->turning_left  = fmax(data->turning_left, kv3_norm(s->turning[i]) / sqrt(trace));
    }
    for (int k = 0; k < e->node_count; k++) {
        const double m    = lumped(e, k);
        const kane_vec3 x = kv3_sub(e->x[k], data->centre);
        for (int i = 0; i < count; i++) {
            const kane_vec3 a = displacement(e, phi + (size_t)i * n, k);
            add_inertia(2.0 * m, x, a, s->inertia[i]);
            for (int j = 0; j < count; j++) {
                const kane_vec3 b          = displacement(e, phi + (size_t)j * n, k);
                s->gyration[j * count + i] = kv3_add_scaled(s->gyration[j * count + i], m, kv3_cross(b, a));
                add_inertia(m, a, b, s->second[i * count + j]);
            }
        }
    }
}

// --- what comes of it ---

static void fill_point(kane_reader *reader, const kane_mesh *e, const double *phi, const kane_flexible_data *data,
                       const kane_interface_input *in, kane_deformable_point *point)
{
    const size_t count = (size_t)data->mode_count;
    double *S = kane_arena_doubles(reader->arena, 3 * count), *Psi = kane_arena_doubles(reader->arena, 3 * count);
    kane_patch patch;
    if (!S || !Psi || !kane_patch_make(&patch, reader, e, in))
        return;
    for (size_t i = 0; i < count; i++) {
        kane_vec3 u, turn;
        kane_patch_move(&patch, e, phi + i * (size_t)e->M.n, &u, &turn);
        for (size_t axis = 0; axis < 3; axis++) {
            S[axis * count + i]   = kv3_get(u, (int)axis);
            Psi[axis * count + i] = kv3_get(turn, (int)axis);
        }
    }
    *point = (kane_deformable_point){in->block.name, kv3_sub(in->at, data->centre), S, Psi};
}

static void report(kane_reader *reader, kane_place place, int status)
{
    if (status == KANE_EIGEN_NO_MEMORY || status == KANE_MODES_NO_MEMORY)
        kane_reader_no_memory(reader, place);
    else if (status != 0 && status != KANE_ATTACH_REPORTED)
        kane_reader_report(reader, place, "its modes cannot be found: %s",
                           status == KANE_MODES_NOT_POSITIVE ? "some part of it has no mass, or is not finite"
                                                             : "no convergence");
}

// What loads add, with errors where they are typed.
static void stiffen(kane_reader *reader, const kane_flexible_file *file, const kane_mesh *e, kane_found_modes *m,
                    sums *s, kane_flexible_data *data)
{
    const size_t all    = (size_t)(data->mode_count * data->mode_count);
    kane_stiffening out = {.momentum = kane_arena_alloc(reader->arena, all, sizeof(kane_vec3)),
                           .turning  = kane_arena_alloc(reader->arena, all, sizeof(kane_vec3)),
                           .second   = s->second};
    const double *rigid = rigid_modes(e, data->centre, m);
    const int is_room   = out.momentum && out.turning && rigid;
    report(reader, kane_block_place(&file->block, "stiffening", -1),
           is_room ? kane_flexible_stiffen(reader, file, e, data->centre, rigid, m, &out) : KANE_MODES_NO_MEMORY);
    data->shape.momentum_second = out.momentum;
    data->shape.turning_second  = out.turning;
    data->shape.second          = (const double(*)[6])s->second;
}

static void fill_shape(kane_reader *reader, const kane_flexible_file *file, const kane_mesh *e, kane_found_modes *m,
                       kane_flexible_data *data)
{
    const double *phi = m->phi, *w = m->w;
    kane_arena *arena  = reader->arena;
    const size_t count = (size_t)data->mode_count, nodes = (size_t)e->node_count;
    const size_t points = (size_t)file->interfaces.count;
    double *M = kane_arena_doubles(arena, count * count), *K = kane_arena_doubles(arena, count * count);
    double *D = kane_arena_doubles(arena, count * count), *frequency = kane_arena_doubles(arena, count);
    kane_vec3 *places            = kane_arena_alloc(arena, nodes, sizeof *places);
    kane_vec3 *shapes            = kane_arena_alloc(arena, nodes * count, sizeof *shapes);
    kane_deformable_point *point = kane_arena_alloc(arena, points, sizeof *point);
    sums s                       = {.momentum = kane_arena_alloc(arena, count, sizeof(kane_vec3)),
                                    .turning  = kane_arena_alloc(arena, count, sizeof(kane_vec3)),
                                    .gyration = kane_arena_alloc(arena, count * count, sizeof(kane_vec3)),
                                    .inertia  = kane_arena_alloc(arena, count, sizeof *s.inertia),
                                    .second   = kane_arena_alloc(arena, count * count, sizeof *s.second)};
    if (kane_arena_failed(arena)) {
        kane_reader_no_memory(reader, kane_block_place(&file->block, NULL, -1));
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const double omega = sqrt(w[i]);
        frequency[i]       = omega / (2.0 * 3.14159265358979323846);
        M[i * count + i]   = 1.0;
        K[i * count + i]   = w[i];
        D[i * count + i]   = 2.0 * file->damping * omega;
        for (size_t k = 0; k < nodes; k++)
            shapes[k * count + i] = displacement(e, phi + i * (size_t)e->M.n, (int)k);
    }
    sum_modes(e, phi, data->mode_count, data, &s);
    for (size_t i = 0; i < points; i++)
        fill_point(reader, e, phi, data, (const kane_interface_input *)file->interfaces.items + i, &point[i]);
    // mean axes: what is left of momentum and turning is round-off, and left out
    data->shape = (kane_deformable){.mode_count  = data->mode_count,
                                    .mass        = M,
                                    .stiffness   = K,
                                    .damping     = D,
                                    .point_count = file->interfaces.count,
                                    .points      = point};
    if (file->inertia >= KANE_INERTIA_LINEAR) {
        data->shape.gyration = s.gyration;
        data->shape.inertia  = (const double(*)[6])s.inertia;
    }
    if (file->inertia == KANE_INERTIA_FULL)
        data->shape.second = (const double(*)[6])s.second;
    if (file->stiffening)
        stiffen(reader, file, e, m, &s, data);
    data->frequency  = frequency;
    data->shapes     = shapes;
    data->node_count = e->node_count;
    data->nodes      = memcpy(places, e->x, nodes * sizeof *places);
}

// Modes that are kept, of every kind. Their number, 0 with an error.
static int choose_modes(kane_reader *reader, const kane_flexible_file *file, const kane_mesh *e,
                        const kane_flexible_data *data, kane_found_modes *m)
{
    const kane_place place = kane_block_place(&file->block, file->matrices.block.node ? "matrices" : "beams", -1);
    int status             = find_modes(file, e, data, m);
    int count              = status == 0 ? choose_count(reader, file, m) : 0;
    if (count > 0 && file->modes.kind == KANE_REDUCE_ATTACHMENT) {
        const double *rigid = rigid_modes(e, data->centre, m);
        status              = rigid ? kane_flexible_attach(reader, file, e, rigid, count, m) : KANE_MODES_NO_MEMORY;
        count               = status == 0 ? m->count : 0;
    }
    report(reader, place, status);
    return count;
}

void kane_flexible_reduce(kane_reader *reader, const kane_flexible_file *file, const kane_mesh *e,
                          kane_flexible_data *data)
{
    kane_found_modes m     = {0};
    const kane_block *keys = &file->modes.block;
    if (kane_block_has(keys, "count") == kane_block_has(keys, "up_to")) {
        kane_reader_report(reader, kane_block_place(keys, NULL, -1), "needs one of \"count\" and \"up_to\"");
        return;
    }
    find_rigid_body(e, data);
    data->mode_count = choose_modes(reader, file, e, data, &m);
    if (data->mode_count > 0) {
        for (int i = 0; i < data->mode_count; i++) {
            double *phi = m.phi + (size_t)i * (size_t)e->M.n;
            clean(e, data, phi);
            choose_sign(e->M.n, phi);
        }
        m.count = data->mode_count;
        fill_shape(reader, file, e, &m, data);
    }
    kane_arena_free(m.arena);
}
