// SPDX-License-Identifier: MIT
// Patches of nodes: the rigid motion that fits their displacements best, all nodes of one weight.

#include "flexible/modes.h"

#include "math/dense.h"

// Nodes within a radius about the patch's place; returns their number. Called with patch->node NULL it only counts.
static int collect_nodes(kane_patch *patch, const kane_mesh *mesh, double radius)
{
    int count = 0;
    for (int k = 0; k < mesh->node_count; k++)
        if (kv3_norm(kv3_sub(mesh->x[k], patch->at)) <= radius) {
            if (patch->node)
                patch->node[count] = k;
            count++;
        }
    return count;
}

// Whether its nodes lie on a line, or in a point: some rotation would move none of them.
static int is_flat(const kane_patch *patch)
{
    const kane_mat3 J = patch->spread;
    double A[9], w[3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            A[3 * i + j] = kv3_get(i == 0 ? J.x : i == 1 ? J.y : J.z, j);
    return kane_principal_axes(A, w) != 0 || !(w[0] > 1e-6 * w[2]);
}

// Centre c of the n nodes and S = sum (|r|^2 E - r r'), r = x_k - c: the inertia matrix of unit masses.
static void measure_spread(kane_patch *patch, const kane_mesh *mesh)
{
    patch->middle = kv3_zero();
    patch->spread = (kane_mat3){kv3_zero(), kv3_zero(), kv3_zero()};
    for (int k = 0; k < patch->count; k++)
        patch->middle = kv3_add_scaled(patch->middle, 1.0 / patch->count, mesh->x[patch->node[k]]);
    for (int k = 0; k < patch->count; k++) {
        const kane_mat3 r = km3_skew(kv3_sub(mesh->x[patch->node[k]], patch->middle));
        patch->spread     = km3_sub(patch->spread, km3_mul(r, r));
    }
}

int kane_patch_make(kane_patch *patch, kane_reader *reader, const kane_mesh *mesh, const kane_interface_input *in)
{
    const int by_radius = kane_block_has(&in->block, "radius"), near = kane_nearest(mesh->node_count, mesh->x, in->at);
    *patch       = (kane_patch){.at = in->at};
    patch->count = by_radius ? collect_nodes(patch, mesh, in->radius) : 1;
    patch->node  = kane_arena_alloc(reader->arena, (size_t)patch->count + 1, sizeof *patch->node);
    if (!patch->node) {
        kane_reader_no_memory(reader, kane_block_place(&in->block, NULL, -1));
        return 0;
    }
    if (by_radius) {
        (void)collect_nodes(patch, mesh, in->radius);
        measure_spread(patch, mesh);
        if (patch->count >= 3 && !is_flat(patch))
            return 1;
        kane_reader_fault(
            reader, &in->block, "radius",
            "within %g m of it are %d nodes%s; needs 3 that are not on a line (the nearest one is %.4g m away)",
            in->radius, patch->count, patch->count >= 3 ? ", on a line" : "", kv3_norm(kv3_sub(mesh->x[near], in->at)));
        return 0;
    }
    patch->node[0] = near;
    if (mesh->unknown[6 * near + 3] >= 0)
        return 1;
    kane_reader_fault(reader, &in->block, NULL,
                      "the nearest node, %d, has no rotations: give a \"radius\" within which 3 nodes or more are",
                      mesh->number ? mesh->number[near] : near + 1);
    return 0;
}

static kane_vec3 translation_of(const int *unknown, const double *motion)
{
    return kv3(motion[unknown[0]], motion[unknown[1]], motion[unknown[2]]);
}

void kane_patch_move(const kane_patch *patch, const kane_mesh *mesh, const double *motion, kane_vec3 *u,
                     kane_vec3 *turn)
{
    if (patch->count == 1) {
        const int *unknown = mesh->unknown + 6 * patch->node[0];
        *turn              = translation_of(unknown + 3, motion);
        *u = kv3_add(translation_of(unknown, motion), kv3_cross(*turn, kv3_sub(patch->at, mesh->x[patch->node[0]])));
        return;
    }
    kane_vec3 mean = kv3_zero(), moment = kv3_zero();
    for (int k = 0; k < patch->count; k++) {
        const int node    = patch->node[k];
        const kane_vec3 d = kane_mesh_displacement(mesh, motion, node);
        mean              = kv3_add_scaled(mean, 1.0 / patch->count, d);
        moment            = kv3_add(moment, kv3_cross(kv3_sub(mesh->x[node], patch->middle), d));
    }
    *turn = km3_solve(patch->spread, moment);
    *u    = kv3_add(mean, kv3_cross(*turn, kv3_sub(patch->at, patch->middle)));
}

static void add_three(const int *unknown, kane_vec3 v, double *to)
{
    for (int axis = 0; axis < 3; axis++)
        to[unknown[axis]] += kv3_get(v, axis);
}

void kane_patch_wrench(const kane_patch *patch, const kane_mesh *mesh, kane_vec3 force, kane_vec3 torque,
                       double *forces)
{
    if (patch->count == 1) {
        const int *unknown = mesh->unknown + 6 * patch->node[0];
        const kane_vec3 r  = kv3_sub(patch->at, mesh->x[patch->node[0]]);
        add_three(unknown, force, forces);
        add_three(unknown + 3, kv3_add(torque, kv3_cross(r, force)), forces);
        return;
    }
    const kane_vec3 about = kv3_add(torque, kv3_cross(kv3_sub(patch->at, patch->middle), force));
    const kane_vec3 a     = km3_solve(patch->spread, about);
    for (int k = 0; k < patch->count; k++) {
        const int node    = patch->node[k];
        const kane_vec3 r = kv3_sub(mesh->x[node], patch->middle);
        add_three(mesh->unknown + 6 * node, kv3_add_scaled(kv3_cross(a, r), 1.0 / patch->count, force), forces);
    }
}
