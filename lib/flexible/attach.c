// SPDX-License-Identifier: MIT
// Attachment modes: what a force or a torque at an interface does to a free body whose inertia balances it.
//
// With them the reduced body is as compliant at its interfaces as the whole model is. All modes are made orthogonal again, by the
// reduced eigenproblem: of those that come out, some are nearly the free modes, the others lie high.

#include "flexible/model.h"
#include "flexible/patch.h"

#include "math/eigen.h"

#include <string.h>

enum { RIGID = 6 };

static const double DEPENDENT = 1e-7; // a load whose effect is that of others but for so much of it adds nothing [1]

static int add_loads(kane_reader *reader, const kane_flexible_file *file, const kane_mesh *mesh, double *loads)
{
    const size_t n = (size_t)mesh->M.n;
    for (int i = 0; i < file->interfaces.count; i++) {
        kane_patch patch;
        if (!kane_patch_make(&patch, reader, mesh, (const kane_interface_input *)file->interfaces.items + i))
            return 0;
        for (int axis = 0; axis < 3; axis++) {
            double *to = loads + (size_t)(6 * i + axis) * n;
            kane_patch_push(&patch, mesh, kv3_unit(axis), kv3_zero(), to);
            kane_patch_push(&patch, mesh, kv3_zero(), kv3_unit(axis), to + 3 * n);
        }
    }
    return 1;
}

static double product(const kane_symmetric *A, const double *a, const double *b, double *work)
{
    double sum = 0.0;
    kane_symmetric_multiply(A, b, work);
    for (int i = 0; i < A->n; i++)
        sum += a[i] * work[i];
    return sum;
}

// Makes `mode` orthogonal to `count` others and of unit modal mass. 0 if nothing is left of it.
static int separate(const kane_mesh *mesh, int count, const double *others, double *mode, double *work)
{
    const size_t n      = (size_t)mesh->M.n;
    const double before = sqrt(product(&mesh->M, mode, mode, work));
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < count; k++) {
            const double *other = others + (size_t)k * n;
            const double part   = product(&mesh->M, other, mode, work);
            for (size_t i = 0; i < n; i++)
                mode[i] -= part * other[i];
        }
    const double after = sqrt(product(&mesh->M, mode, mode, work));
    for (size_t i = 0; i < n && after > DEPENDENT * before; i++)
        mode[i] /= after;
    return after > DEPENDENT * before;
}

// Modes of the body that moves in `count` ways alone, of unit mass and orthogonal to each other (basis).
static int combine(const kane_mesh *mesh, int count, const double *basis, kane_found_modes *m, double *work)
{
    const size_t n = (size_t)mesh->M.n, modes = (size_t)count;
    double *K = kane_arena_doubles(m->arena, modes * modes);
    m->count  = count;
    m->w      = kane_arena_doubles(m->arena, modes);
    m->phi    = kane_arena_doubles(m->arena, modes * n);
    if (kane_arena_failed(m->arena))
        return KANE_MODES_NO_MEMORY;
    for (size_t i = 0; i < modes; i++)
        for (size_t j = 0; j <= i; j++)
            K[i * modes + j] = K[j * modes + i] = product(&mesh->K, basis + i * n, basis + j * n, work);
    const int status = kane_eigen_solve_symmetric(count, K, m->w); // eigenvectors by columns, which stand as rows here
    for (size_t i = 0; i < modes && status == 0; i++)
        for (size_t j = 0; j < modes; j++)
            for (size_t k = 0; k < n; k++)
                m->phi[i * n + k] += K[i * modes + j] * basis[j * n + k];
    return status;
}

int kane_flexible_attach(kane_reader *reader, const kane_flexible_file *file, const kane_mesh *mesh,
                         const double *rigid, int kept, kane_found_modes *m)
{
    const size_t n = (size_t)mesh->M.n, loads = 6 * (size_t)file->interfaces.count;
    double *b = kane_arena_doubles(m->arena, loads * n), *x = kane_arena_doubles(m->arena, loads * n);
    double *basis = kane_arena_doubles(m->arena, (loads + (size_t)kept) * n), *work = kane_arena_doubles(m->arena, n);
    if (kane_arena_failed(m->arena))
        return KANE_MODES_NO_MEMORY;
    if (!add_loads(reader, file, mesh, b))
        return KANE_ATTACH_REPORTED;
    const int status = kane_symmetric_responses(&mesh->K, &mesh->M, RIGID, rigid, (int)loads, b, x);
    if (status != 0)
        return status;
    int count = kept;
    memcpy(basis, m->phi, (size_t)kept * n * sizeof *basis);
    for (size_t k = 0; k < loads && (size_t)count + RIGID < n; k++) {
        memcpy(basis + (size_t)count * n, x + k * n, n * sizeof *basis);
        count += separate(mesh, count, basis, basis + (size_t)count * n, work);
    }
    return combine(mesh, count, basis, m, work);
}
