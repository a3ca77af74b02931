// SPDX-License-Identifier: MIT
// Modes that static loads at interfaces add: attachment modes of a free body (a force or torque that its inertia
// balances), constraint modes of one that is held (its interfaces are moved, Craig and Bampton).
//
// With either the reduced body is as compliant at its interfaces as the whole model is. All modes are made orthogonal
// again, to rigid motion and to each other, by the reduced eigenproblem: of those that come out, some are nearly the
// free modes, the others lie high.

#include "flexible/modes.h"

#include <string.h>

static const double DEPENDENT = 1e-7; // a motion that is a sum of others but for so much of it adds nothing [1]

// Forces on all unknowns of a force, then a torque along each axis at each of some interfaces [6 count * n]. 0 with an
// error.
static int add_loads(kane_reader *reader, const kane_interface_input *interfaces, int count, const kane_mesh *mesh,
                     double *loads)
{
    const size_t n = (size_t)mesh->M.n;
    for (int i = 0; i < count; i++) {
        kane_patch patch;
        if (!kane_patch_make(&patch, reader, mesh, &interfaces[i]))
            return 0;
        for (int axis = 0; axis < 3; axis++) {
            double *to = loads + (size_t)(6 * i + axis) * n;
            kane_patch_wrench(&patch, mesh, kv3_unit(axis), kv3_zero(), to);
            kane_patch_wrench(&patch, mesh, kv3_zero(), kv3_unit(axis), to + 3 * n);
        }
    }
    return 1;
}

// Makes a vector orthogonal to `count` others and of length one, in the metric of M (NULL: in that of its numbers). 0
// if nothing is left of it. work [n]
static int orthogonalise_motion(const kane_symmetric *M, int n, int count, const double *others, double *x,
                                double *work)
{
    double size[2]; // before, after
    for (int pass = 0; pass < 3; pass++) {
        if (M)
            kane_symmetric_multiply(M, x, work);
        else
            memcpy(work, x, (size_t)n * sizeof *x);
        size[pass > 0] = sqrt(kane_dot(n, x, work));
        for (int k = 0; k < count && pass < 2; k++) {
            const double *other = others + (size_t)k * (size_t)n;
            kane_add_scaled(n, x, -kane_dot(n, other, work), other);
        }
    }
    if (!(size[1] > DEPENDENT * size[0]))
        return 0;
    for (int i = 0; i < n; i++)
        x[i] /= size[1];
    return 1;
}

void kane_modes_make_rigid(const kane_mesh *mesh, kane_vec3 centre, double *modes, double *work)
{
    const int n = mesh->M.n;
    for (int motion = 0; motion < KANE_RIGID_MODES; motion++) {
        double *mode = modes + (size_t)motion * (size_t)n;
        for (int i = 0; i < n; i++)
            mode[i] = kane_mesh_rigid(mesh, centre, motion, i);
        (void)orthogonalise_motion(&mesh->M, n, motion, modes, mode, work);
    }
}

// Replaces m by the modes in the span of its motions and `count` further ones, made orthogonal to rigid motion.
static int join_modes(const kane_mesh *mesh, const kane_excluded_motions *rigid, int count, const double *motions,
                      kane_found_modes *m)
{
    const size_t n = (size_t)mesh->M.n, most = (size_t)(rigid->count + m->count + count);
    double *basis = kane_arena_doubles(m->arena, most * n), *work = kane_arena_doubles(m->arena, n);
    int found = rigid->count;
    if (!basis || !work)
        return KANE_MODES_NO_MEMORY;
    memcpy(basis, rigid->vectors, (size_t)found * n * sizeof *basis);
    for (int k = 0; k < m->count + count && (size_t)found < n; k++) {
        const double *motion = k < m->count ? m->phi + (size_t)k * n : motions + (size_t)(k - m->count) * n;
        memcpy(basis + (size_t)found * n, motion, n * sizeof *basis);
        found += orthogonalise_motion(&mesh->M, (int)n, found, basis, basis + (size_t)found * n, work);
    }
    return kane_modes_combine(mesh, found - rigid->count, basis + (size_t)rigid->count * n, m);
}

int kane_modes_attach(kane_reader *reader, const kane_flexible_file *file, const kane_mesh *mesh,
                      const kane_excluded_motions *rigid, kane_found_modes *m)
{
    const size_t n = (size_t)mesh->M.n, loads = 6 * (size_t)file->interfaces.count;
    double *b = kane_arena_doubles(m->arena, loads * n), *x = kane_arena_doubles(m->arena, loads * n);
    if (!b || !x)
        return KANE_MODES_NO_MEMORY;
    if (!add_loads(reader, file->interfaces.items, file->interfaces.count, mesh, b))
        return KANE_MODES_REPORTED;
    const int status = kane_symmetric_responses(&mesh->K, &mesh->M, rigid, (int)loads, b, x);
    return status == 0 ? join_modes(mesh, rigid, (int)loads, x, m) : status;
}

int kane_modes_interface(kane_reader *reader, const kane_flexible_file *file, const char *key, const char *name)
{
    const kane_interface_input *list = file->interfaces.items;
    for (int i = 0; i < file->interfaces.count; i++)
        if (strcmp(list[i].block.name, name) == 0)
            return i;
    kane_reader_fault(reader, &file->block, key, "'%s' is none of its interfaces; the first one is '%s'", name,
                      list[0].block.name);
    return -1;
}

int kane_modes_hold(kane_reader *reader, const kane_flexible_file *file, const kane_mesh *mesh, int interface,
                    kane_arena *arena, kane_excluded_motions *held)
{
    const kane_interface_input *list = file->interfaces.items;
    const int count                  = interface < 0 ? file->interfaces.count : 1;
    const size_t n = (size_t)mesh->M.n, loads = 6 * (size_t)count;
    double *b = kane_arena_doubles(arena, loads * n), *work = kane_arena_doubles(arena, n);
    if (!b || !work)
        return KANE_MODES_NO_MEMORY;
    if (!add_loads(reader, interface < 0 ? list : list + interface, count, mesh, b))
        return KANE_MODES_REPORTED;
    *held = (kane_excluded_motions){.vectors = b, .are_loads = 1};
    for (size_t k = 0; k < loads; k++) { // interfaces that hold the same nodes are held once
        double *load = b + (size_t)held->count * n;
        memmove(load, b + k * n, n * sizeof *b);
        held->count += orthogonalise_motion(NULL, (int)n, held->count, b, load, work);
    }
    return 0;
}

// Sums of the loads that hold a body which are in balance: without work on rigid motion. Fills b [held->count * n].
// Returns how many there are, -1 without memory.
static int find_balanced(const kane_excluded_motions *rigid, const kane_excluded_motions *held, int n, double *b,
                         kane_arena *arena)
{
    const int count = held->count;
    double *sums =
        kane_arena_doubles(arena, (size_t)(rigid->count + count) * (size_t)count); // factors of loads, by rows
    double *work = kane_arena_doubles(arena, (size_t)count);
    int found    = 0;
    if (!sums || !work)
        return -1;
    for (int k = 0; k < rigid->count; k++) {
        double *works = sums + (size_t)found * (size_t)count;
        for (int i = 0; i < count; i++)
            works[i] = kane_dot(n, rigid->vectors + (size_t)k * (size_t)n, held->vectors + (size_t)i * (size_t)n);
        found += orthogonalise_motion(NULL, count, found, sums, works, work);
    }
    const int unbalanced = found;
    for (int k = 0; k < count && found < count; k++) {
        double *factors = sums + (size_t)found * (size_t)count;
        memset(factors, 0, (size_t)count * sizeof *factors);
        factors[k] = 1.0;
        if (!orthogonalise_motion(NULL, count, found, sums, factors, work))
            continue;
        for (int i = 0; i < count; i++)
            kane_add_scaled(n, b + (size_t)(found - unbalanced) * (size_t)n, factors[i],
                            held->vectors + (size_t)i * (size_t)n);
        found++;
    }
    return found - unbalanced;
}

// Moving interfaces is rigid motion, and what balanced loads there do.
int kane_modes_release(const kane_mesh *mesh, const kane_excluded_motions *rigid, const kane_excluded_motions *held,
                       kane_found_modes *m)
{
    const size_t n = (size_t)mesh->M.n, loads = (size_t)held->count;
    double *b = kane_arena_doubles(m->arena, loads * n), *x = kane_arena_doubles(m->arena, loads * n);
    const int count = b && x ? find_balanced(rigid, held, mesh->M.n, b, m->arena) : -1;
    if (count < 0)
        return KANE_MODES_NO_MEMORY;
    const int status = kane_symmetric_responses(&mesh->K, &mesh->M, rigid, count, b, x);
    return status == 0 ? join_modes(mesh, rigid, count, x, m) : status;
}

// Subtracts from a motion the rigid motion that moves a point in the same way.
static void hold_point(const kane_mesh *mesh, const kane_patch *patch, double *motion)
{
    kane_vec3 u, turn;
    kane_patch_move(patch, mesh, motion, &u, &turn);
    for (int i = 0; i < mesh->M.n; i++)
        for (int axis = 0; axis < 3; axis++)
            motion[i] -= kv3_get(u, axis) * kane_mesh_rigid(mesh, patch->at, axis, i) +
                         kv3_get(turn, axis) * kane_mesh_rigid(mesh, patch->at, 3 + axis, i);
}

int kane_modes_fix(kane_reader *reader, const kane_flexible_file *file, const kane_mesh *mesh, kane_found_modes *m)
{
    const int at = kane_modes_interface(reader, file, "frame", file->frame);
    kane_patch patch;
    if (at < 0 || !kane_patch_make(&patch, reader, mesh, (const kane_interface_input *)file->interfaces.items + at))
        return KANE_MODES_REPORTED;
    for (int k = 0; k < m->count; k++)
        hold_point(mesh, &patch, m->phi + (size_t)k * (size_t)mesh->M.n);
    return kane_modes_combine(mesh, m->count, m->phi, m);
}
