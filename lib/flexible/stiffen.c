// SPDX-License-Identifier: MIT
// Stiffening by loads: what the inertia of a body of beams makes of axial forces in them, and these of its stiffness.
//
// Twelve motions of the body load it by the inertia of its masses: accelerations along three axes, angular
// accelerations about them, products of angular velocities. One interface holds it against them. With the axial force N
// of a beam under such a load and the slopes w' of the modes,
//
//   K_ij = integral of N w_i'.w_j' dx
//
// is added to the stiffness for a unit of that motion. Written as sums of second order in the displacements
// (kane/deformable.h, tree/flex_inertia.h) the same numbers keep momentum and energy: those of accelerations are sum m
// Z_ij, of angular accelerations sum m x x Z_ij, of products what centrifugal forces have as w.J2_ij w, with opposite
// sign.

#include "flexible/modes.h"

enum { LOADS = 12, NODES = 3 };

// Second index of the product of angular velocities that a load is: xx yy zz xy xz yz.
static const int first_axis[6] = {0, 1, 2, 0, 0, 1}, second_axis[6] = {0, 1, 2, 1, 2, 2};

// Acceleration of an unknown in a unit of a motion. Products, w x (w x r): e_a r_a - r, or e_a r_b + e_b r_a.
static double unit_acceleration(const kane_mesh *mesh, kane_vec3 centre, int load, int unknown)
{
    if (load < KANE_RIGID_MODES)
        return kane_mesh_rigid(mesh, centre, load, unknown);
    const int a = first_axis[load - KANE_RIGID_MODES], b = second_axis[load - KANE_RIGID_MODES],
              part    = mesh->part[unknown];
    const kane_vec3 r = kv3_sub(mesh->x[mesh->node[unknown]], centre);
    if (part >= 3)
        return 0.0;
    const double along = (part == a ? kv3_get(r, b) : 0.0) + (part == b ? kv3_get(r, a) : 0.0);
    return a == b ? 0.5 * along - kv3_get(r, part) : along;
}

// Forces of inertia, and those that hold the interface against them.
static void fill_load(const kane_mesh *mesh, kane_vec3 centre, const kane_patch *held, int load, double *u, double *b)
{
    kane_vec3 force = kv3_zero(), torque = kv3_zero();
    for (int i = 0; i < mesh->M.n; i++)
        u[i] = -unit_acceleration(mesh, centre, load, i);
    kane_symmetric_multiply(&mesh->M, u, b);
    for (int i = 0; i < mesh->M.n; i++)
        for (int axis = 0; axis < 3; axis++) {
            force  = kv3_add_scaled(force, kane_mesh_rigid(mesh, centre, axis, i) * b[i], kv3_unit(axis));
            torque = kv3_add_scaled(torque, kane_mesh_rigid(mesh, centre, 3 + axis, i) * b[i], kv3_unit(axis));
        }
    torque = kv3_sub(torque, kv3_cross(kv3_sub(held->at, centre), force));
    kane_patch_wrench(held, mesh, kv3_neg(force), kv3_neg(torque), b);
}

static kane_vec3 at_node(const kane_mesh *mesh, const double *motion, int node, int part)
{
    const int *unknown = mesh->unknown + 6 * node + part;
    return kv3(motion[unknown[0]], motion[unknown[1]], motion[unknown[2]]);
}

// Slope of a mode across a beam at x = s L, as a cubic has it.
static kane_vec3 slope_at(const kane_mesh *mesh, const kane_mesh_beam *beam, kane_vec3 e, double L, double s,
                          const double *phi)
{
    const kane_vec3 apart  = kv3_sub(at_node(mesh, phi, beam->node[1], 0), at_node(mesh, phi, beam->node[0], 0));
    const kane_vec3 across = kv3_add_scaled(apart, -kv3_dot(apart, e), e);
    kane_vec3 slope        = kv3_scale(6.0 * (s - s * s) / L, across);
    slope = kv3_add_scaled(slope, 1.0 - 4.0 * s + 3.0 * s * s, kv3_cross(at_node(mesh, phi, beam->node[0], 3), e));
    return kv3_add_scaled(slope, 3.0 * s * s - 2.0 * s, kv3_cross(at_node(mesh, phi, beam->node[1], 3), e));
}

// Adds K_ij of one beam to all loads. slope: room [count].
static void add_beam(const kane_mesh *mesh, const kane_mesh_beam *beam, const double *x, int count, const double *phi,
                     kane_vec3 *slope, kane_stiffening *out)
{
    static const double node[NODES]   = {0.11270166537925831, 0.5, 0.88729833462074169};
    static const double weight[NODES] = {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};
    const size_t n = (size_t)mesh->M.n, all = (size_t)(count * count);
    const kane_vec3 way = kv3_sub(mesh->x[beam->node[1]], mesh->x[beam->node[0]]);
    const double L      = kv3_norm(way);
    const kane_vec3 e   = kv3_scale(1.0 / L, way);
    double N[LOADS];
    for (size_t l = 0; l < LOADS; l++) {
        const kane_vec3 a = at_node(mesh, x + l * n, beam->node[0], 0), b = at_node(mesh, x + l * n, beam->node[1], 0);
        N[l] = beam->section->E * beam->section->A / L * kv3_dot(e, kv3_sub(b, a));
    }
    for (int g = 0; g < NODES; g++) {
        for (int i = 0; i < count; i++)
            slope[i] = slope_at(mesh, beam, e, L, node[g], phi + (size_t)i * n);
        for (size_t ij = 0; ij < all; ij++) {
            const double both      = weight[g] * L * kv3_dot(slope[ij / (size_t)count], slope[ij % (size_t)count]);
            const kane_vec3 pushed = kv3(N[0], N[1], N[2]), turned = kv3(N[3], N[4], N[5]);
            out->momentum[ij] = kv3_add_scaled(out->momentum[ij], both, pushed);
            out->turning[ij]  = kv3_add_scaled(out->turning[ij], both, turned);
            for (int k = 0; k < 6; k++) // products of two axes stand in w.J2 w twice
                out->second[ij][k] -= (k < 3 ? 1.0 : 0.5) * both * N[KANE_RIGID_MODES + k];
        }
    }
}

int kane_modes_stiffen(kane_reader *reader, const kane_flexible_file *file, const kane_mesh *mesh, kane_vec3 centre,
                       const kane_found_modes *m, kane_stiffening *out)
{
    const size_t n                    = (size_t)mesh->M.n;
    double *motions                   = kane_arena_doubles(m->arena, KANE_RIGID_MODES * n);
    const kane_excluded_motions rigid = {.count = KANE_RIGID_MODES, .vectors = motions};
    double *b = kane_arena_doubles(m->arena, LOADS * n), *x = kane_arena_doubles(m->arena, LOADS * n);
    double *u        = kane_arena_doubles(m->arena, n);
    kane_vec3 *slope = kane_arena_alloc(m->arena, (size_t)m->count, sizeof *slope);
    kane_patch held;
    if (kane_arena_failed(m->arena))
        return KANE_MODES_NO_MEMORY;
    const int at = kane_modes_interface(reader, file, "stiffening", file->stiffening);
    if (at < 0 || !kane_patch_make(&held, reader, mesh, (const kane_interface_input *)file->interfaces.items + at))
        return KANE_MODES_REPORTED;
    kane_modes_make_rigid(mesh, centre, motions, u);
    for (int load = 0; load < LOADS; load++)
        fill_load(mesh, centre, &held, load, u, b + (size_t)load * n);
    const int status = kane_symmetric_responses(&mesh->K, &mesh->M, &rigid, LOADS, b, x);
    for (int k = 0; k < mesh->beam_count && status == 0; k++)
        add_beam(mesh, &mesh->beams[k], x, m->count, m->phi, slope, out);
    return status;
}
