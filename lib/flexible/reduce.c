// SPDX-License-Identifier: MIT
// What a finite element model comes down to: modes that are orthogonal to rigid motion, so that they have no
// momentum (mean axes), or that leave one interface at rest; their sums, and how interfaces go with them.

#include "flexible/modes.h"

#include "math/dense.h"

#include <string.h>

// Squares of frequencies that differ by less are equal: solvers differ by 1e-10 of them.
static const double same_frequency = 1e-8;

// --- which modes of one frequency, and their signs ---

// How much modes move together at a place.
static double common_movement(int n, int count, const double *phi)
{
    double square = 0.0;
    for (int j = 0; j < count; j++)
        square += phi[(size_t)j * (size_t)n] * phi[(size_t)j * (size_t)n];
    return sqrt(square);
}

// The first place at which they move almost as much as anywhere.
static int find_largest(int n, int count, const double *phi)
{
    double most = 0.0;
    int at      = 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, common_movement(n, count, phi + i));
    while (at < n - 1 && common_movement(n, count, phi + at) < 0.999 * most)
        at++;
    return at;
}

// Turns two modes in their plane until the second one rests at a place.
static void turn_pair(int n, int at, double *first, double *second)
{
    const double all = hypot(first[at], second[at]), c = first[at] / all, s = second[at] / all;
    for (int i = 0; i < n && all > 0.0; i++) {
        const double old = first[i];
        first[i]         = c * old + s * second[i];
        second[i]        = c * second[i] - s * old;
    }
}

// Modes of one frequency, such as a round rod's two of bending, are any orthogonal ones of their plane, and a mode has
// any sign. The choice does not depend on the solver: where they move most together, one moves alone, forward; then the
// next.
static void choose_basis(int n, int count, double *phi)
{
    for (int k = 0; k < count; k++) {
        double *first = phi + (size_t)k * (size_t)n;
        const int at  = find_largest(n, count - k, first);
        for (int j = k + 1; j < count; j++)
            turn_pair(n, at, first, phi + (size_t)j * (size_t)n);
        const double sign = first[at] < 0.0 ? -1.0 : 1.0;
        for (int i = 0; i < n; i++)
            first[i] *= sign;
    }
}

// --- results ---

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

static void report_modes(kane_reader *reader, kane_place place, int status)
{
    if (status == KANE_EIGEN_NO_MEMORY || status == KANE_MODES_NO_MEMORY)
        kane_reader_no_memory(reader, place);
    else if (status != 0 && status != KANE_MODES_REPORTED)
        kane_reader_report(reader, place, "its modes cannot be found: %s",
                           status == KANE_MODES_NOT_POSITIVE ? "some part of it has no mass, or is not finite"
                                                             : "no convergence");
}

// Geometric stiffness by inertial loads, with errors at the key "stiffening".
static void add_stiffening(kane_reader *reader, const kane_flexible_file *file, const kane_mesh *e,
                           const kane_found_modes *m, kane_modal_sums *s, kane_flexible_data *data)
{
    const size_t all    = (size_t)(data->mode_count * data->mode_count);
    kane_stiffening out = {.momentum = kane_arena_alloc(reader->arena, all, sizeof(kane_vec3)),
                           .turning  = kane_arena_alloc(reader->arena, all, sizeof(kane_vec3)),
                           .second   = s->second};
    const int is_room   = out.momentum && out.turning;
    report_modes(reader, kane_block_place(&file->block, "stiffening", -1),
                 is_room ? kane_modes_stiffen(reader, file, e, data->centre, m, &out) : KANE_MODES_NO_MEMORY);
    data->shape.momentum_second = out.momentum;
    data->shape.turning_second  = out.turning;
    data->shape.second          = (const double(*)[6])s->second;
}

// Of a mode of unit modal mass and frequency omega.
static double damping_of(const kane_flexible_file *file, double omega_squared)
{
    if (file->rayleigh.count == 2)
        return file->rayleigh.values[0] + file->rayleigh.values[1] * omega_squared;
    return 2.0 * file->damping * sqrt(omega_squared);
}

static void fill_shape(kane_reader *reader, const kane_flexible_file *file, const kane_mesh *e,
                       const kane_found_modes *m, kane_flexible_data *data)
{
    const double *phi = m->phi, *w = m->w;
    kane_arena *arena  = reader->arena;
    const size_t count = (size_t)data->mode_count, nodes = (size_t)e->node_count;
    const size_t points = (size_t)file->interfaces.count;
    double *M = kane_arena_doubles(arena, count * count), *K = kane_arena_doubles(arena, count * count);
    double *D = kane_arena_doubles(arena, count * count), *frequency = kane_arena_doubles(arena, count);
    kane_vec3 *places            = kane_arena_alloc(arena, nodes, sizeof *places);
    kane_vec3 *shapes            = kane_arena_alloc(arena, nodes * count, sizeof *shapes);
    int(*lines)[2]               = kane_arena_alloc(arena, (size_t)e->beam_count, sizeof *lines);
    double *share                = kane_arena_doubles(arena, nodes);
    double *work                 = kane_arena_doubles(arena, (size_t)e->M.n);
    kane_deformable_point *point = kane_arena_alloc(arena, points, sizeof *point);
    kane_modal_sums s            = {.momentum = kane_arena_alloc(arena, count, sizeof(kane_vec3)),
                                    .turning  = kane_arena_alloc(arena, count, sizeof(kane_vec3)),
                                    .gyration = kane_arena_alloc(arena, count * count, sizeof(kane_vec3)),
                                    .inertia  = kane_arena_alloc(arena, count, sizeof *s.inertia),
                                    .second   = kane_arena_alloc(arena, count * count, sizeof *s.second)};
    if (kane_arena_failed(arena)) {
        kane_reader_no_memory(reader, kane_block_place(&file->block, NULL, -1));
        return;
    }
    for (size_t i = 0; i < count; i++) {
        frequency[i] = kane_modes_frequency(w[i]);
        const int follows =
            kane_block_has(&file->modes.block, "quasi_static") && frequency[i] > file->modes.quasi_static;
        M[i * count + i] = follows ? KANE_FLEXIBLE_QUASI_STATIC : 1.0;
        K[i * count + i] = w[i];
        D[i * count + i] = follows ? 2.0 * sqrt(M[i * count + i] * w[i]) : damping_of(file, w[i]);
        for (size_t k = 0; k < nodes; k++)
            shapes[k * count + i] = kane_mesh_displacement(e, phi + i * (size_t)e->M.n, (int)k);
    }
    kane_sums_share(e, data->mass, share);
    data->mass_left = kane_sums_mass_left(e, phi, data->mode_count, work);
    if (!kane_sums_of_modes(e, (kane_mass_sums)file->mass, phi, data->mode_count, data, &s)) {
        kane_reader_no_memory(reader, kane_block_place(&file->block, NULL, -1));
        return;
    }
    for (size_t i = 0; i < points; i++)
        fill_point(reader, e, phi, data, (const kane_interface_input *)file->interfaces.items + i, &point[i]);
    data->shape = (kane_deformable){.mode_count  = data->mode_count,
                                    .mass        = M,
                                    .stiffness   = K,
                                    .damping     = D,
                                    .point_count = file->interfaces.count,
                                    .points      = point};
    if (data->frame) { // of mean axes what is left of momentum and turning is round-off, and left out
        data->shape.momentum = s.momentum;
        data->shape.turning  = s.turning;
    }
    if (file->inertia >= KANE_INERTIA_LINEAR) {
        data->shape.gyration = s.gyration;
        data->shape.inertia  = (const double(*)[6])s.inertia;
    }
    if (file->inertia == KANE_INERTIA_FULL)
        data->shape.second = (const double(*)[6])s.second;
    if (file->stiffening)
        add_stiffening(reader, file, e, m, &s, data);
    kane_gauges_fill(reader, file, e, phi, data);
    data->frequency = frequency;
    data->node_mass = share;
    for (int i = 0; i < e->beam_count; i++)
        for (int end = 0; end < 2; end++)
            lines[i][end] = e->beams[i].node[end];
    data->shape.figure = (kane_deformable_figure){.node_count = e->node_count,
                                                  .nodes      = memcpy(places, e->x, nodes * sizeof *places),
                                                  .centre     = data->centre,
                                                  .shapes     = shapes,
                                                  .line_count = e->beam_count,
                                                  .lines      = (const int(*)[2])lines};
}

// Axes that are principal axes of inertia to first order in the deformation, from modes in mean axes.
static int fix_principal_axes(kane_reader *reader, const kane_flexible_file *file, const kane_mesh *e,
                              const kane_flexible_data *data, kane_found_modes *m)
{
    double w[3];
    kane_mat3 axes;
    if (!kane_sums_distinct_moments(data, w, &axes)) {
        kane_reader_fault(reader, &file->block, "frame",
                          "principal axes need three different moments of inertia; they are %.4g, %.4g, %.4g kg m^2",
                          w[0], w[1], w[2]);
        return KANE_MODES_REPORTED;
    }
    for (int i = 0; i < m->count; i++)
        kane_sums_clean(e, data, m->phi + (size_t)i * (size_t)e->M.n);
    if (!kane_sums_add_rotations(e, (kane_mass_sums)file->mass, data, w, axes, m->count, m->phi))
        return KANE_MODES_NO_MEMORY;
    return kane_modes_combine(e, m->count, m->phi, m);
}

static int names_interface(const kane_flexible_file *file, const char *name)
{
    for (int i = 0; i < file->interfaces.count; i++)
        if (strcmp(((const kane_interface_input *)file->interfaces.items + i)->block.name, name) == 0)
            return 1;
    return 0;
}

// Finds the modes of every kind; `kept`: memory besides theirs. Status as of kane_modes_find.
static int choose_modes(kane_reader *reader, const kane_flexible_file *file, const kane_mesh *e,
                        const kane_flexible_data *data, kane_arena *kept, kane_found_modes *m)
{
    const kane_reduction kind = (kane_reduction)file->modes.kind;
    const size_t n            = (size_t)e->M.n;
    const int is_attached     = file->frame && !kane_flexible_frame_is_principal(file->frame);
    if (file->frame && !is_attached && names_interface(file, file->frame)) {
        kane_reader_fault(reader, &file->block, "frame",
                          "means the principal axes of inertia: give the interface of this name another one");
        return KANE_MODES_REPORTED;
    }
    // held at one interface, else at all or none; modes of a file are free ones
    const int is_fixed = is_attached && kind == KANE_REDUCE_FREE && e->shape_count == 0;
    const int at       = is_fixed ? kane_modes_interface(reader, file, "frame", file->frame) : -1;
    double *motions = kane_arena_doubles(kept, KANE_RIGID_MODES * n), *work = kane_arena_doubles(kept, n);
    kane_excluded_motions rigid = {.count = KANE_RIGID_MODES, .vectors = motions}, held = {0};
    if (!motions || !work)
        return KANE_MODES_NO_MEMORY;
    if (is_fixed && at < 0)
        return KANE_MODES_REPORTED;
    if (e->shape_count > 0 && kind != KANE_REDUCE_FREE) {
        kane_reader_fault(reader, &file->modes.block, "kind",
                          "needs the stiffness matrix; with \"shapes\" modes are free ones");
        return KANE_MODES_REPORTED;
    }
    kane_modes_make_rigid(e, data->centre, motions, work);
    int status = is_fixed || kind == KANE_REDUCE_CRAIG_BAMPTON ? kane_modes_hold(reader, file, e, at, kept, &held) : 0;
    if (status == 0)
        status = kane_modes_find(reader, &file->modes, e, held.count > 0 ? &held : &rigid, m);
    if (status == 0 && kind == KANE_REDUCE_ATTACHMENT)
        status = kane_modes_attach(reader, file, e, &rigid, m);
    if (status == 0 && kind == KANE_REDUCE_CRAIG_BAMPTON)
        status = kane_modes_release(e, &rigid, &held, m);
    if (status == 0 && is_attached && !is_fixed)
        status = kane_modes_fix(reader, file, e, m);
    if (status == 0 && file->frame && !is_attached)
        status = fix_principal_axes(reader, file, e, data, m);
    return status;
}

void kane_flexible_reduce(kane_reader *reader, const kane_flexible_file *file, const kane_mesh *e,
                          kane_flexible_data *data)
{
    const kane_place place = kane_block_place(&file->block, file->matrices.block.node ? "matrices" : "beams", -1);
    const kane_block *keys = &file->modes.block;
    kane_found_modes m     = {0};
    if (kane_block_has(keys, "count") == kane_block_has(keys, "up_to")) {
        kane_reader_fault(reader, keys, NULL, "needs one of \"count\" and \"up_to\"");
        return;
    }
    kane_arena *kept = kane_arena_create();
    kane_sums_rigid(e, data);
    const int status = kept ? choose_modes(reader, file, e, data, kept, &m) : KANE_MODES_NO_MEMORY;
    report_modes(reader, place, status);
    if (status == 0) {
        data->frame      = file->frame;
        data->mode_count = m.count;
        for (int i = 0; i < data->mode_count; i++) {
            double *phi = m.phi + (size_t)i * (size_t)e->M.n;
            if (!data->frame)
                kane_sums_clean(e, data, phi);
        }
        for (int i = 0, j; i < m.count; i = j) {
            for (j = i + 1; j < m.count && m.w[j] - m.w[i] < same_frequency * m.w[i];)
                j++;
            choose_basis(e->M.n, j - i, m.phi + (size_t)i * (size_t)e->M.n);
        }
        fill_shape(reader, file, e, &m, data);
    }
    kane_arena_free(m.arena);
    kane_arena_free(kept);
}
