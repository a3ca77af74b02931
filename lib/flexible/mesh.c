// SPDX-License-Identifier: MIT
// Models of finite elements as sparse matrices.

#include "flexible/model.h"

int kane_mesh_number(kane_mesh *mesh, kane_arena *arena)
{
    int n = 0;
    for (int i = 0; i < 6 * mesh->node_count; i++)
        if (mesh->unknown[i] >= 0)
            mesh->unknown[i] = n++;
    mesh->node = kane_arena_alloc(arena, (size_t)n + 1, sizeof *mesh->node);
    mesh->part = kane_arena_alloc(arena, (size_t)n + 1, sizeof *mesh->part);
    if (!mesh->node || !mesh->part)
        return -1;
    for (int i = 0; i < 6 * mesh->node_count; i++)
        if (mesh->unknown[i] >= 0) {
            mesh->node[mesh->unknown[i]] = i / 6;
            mesh->part[mesh->unknown[i]] = i % 6;
        }
    return n;
}

static int from_dense(int n, const double *A, kane_symmetric *to, kane_arena *arena)
{
    size_t count = 0;
    for (size_t i = 0; i < (size_t)n * (size_t)n; i++)
        count += A[i] != 0.0;
    *to = (kane_symmetric){n, kane_arena_alloc(arena, (size_t)n + 1, sizeof(int)),
                           kane_arena_alloc(arena, count + 1, sizeof(int)), kane_arena_doubles(arena, count + 1)};
    if (kane_arena_failed(arena))
        return 0;
    int at = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            if (A[(size_t)i * (size_t)n + (size_t)j] != 0.0) {
                to->column[at]  = j;
                to->value[at++] = A[(size_t)i * (size_t)n + (size_t)j];
            }
        to->start[i + 1] = at;
    }
    return 1;
}

int kane_mesh_from_elements(kane_mesh *mesh, kane_elements *e, kane_arena *arena)
{
    *mesh = (kane_mesh){.node_count  = e->node_count,
                        .x           = e->x,
                        .place_count = e->place_count,
                        .places      = e->places,
                        .unknown     = kane_arena_alloc(arena, 6 * (size_t)e->node_count, sizeof *mesh->unknown)};
    if (!mesh->unknown)
        return 0;
    const int n = kane_mesh_number(mesh, arena);
    return n >= 0 && from_dense(n, e->M, &mesh->M, arena) && from_dense(n, e->K, &mesh->K, arena);
}

double kane_mesh_rigid(const kane_mesh *mesh, kane_vec3 centre, int motion, int unknown)
{
    const int part = mesh->part[unknown];
    if (motion < 3 || part >= 3)
        return part == motion ? 1.0 : 0.0;
    return kv3_get(kv3_cross(kv3_unit(motion - 3), kv3_sub(mesh->x[mesh->node[unknown]], centre)), part);
}

kane_vec3 kane_mesh_displacement(const kane_mesh *mesh, const double *motion, int node)
{
    const int *u = mesh->unknown + 6 * node;
    return kv3(motion[u[0]], motion[u[1]], motion[u[2]]);
}

int kane_nearest(int count, const kane_vec3 *points, kane_vec3 at)
{
    int nearest = 0;
    for (int k = 1; k < count; k++)
        if (kv3_norm(kv3_sub(points[k], at)) < kv3_norm(kv3_sub(points[nearest], at)))
            nearest = k;
    return nearest;
}
