// SPDX-License-Identifier: MIT
// Sums over the masses of a finite element model that the equations of a deformable body ask for.

#include "flexible/modes.h"

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

void kane_sums_rigid(const kane_mesh *e, kane_flexible_data *data)
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

double kane_sums_mass_left(const kane_mesh *e, const double *phi, int count, double *work)
{
    const size_t n = (size_t)e->M.n;
    double most    = 0.0;
    for (int i = 0; i < count; i++) {
        kane_symmetric_multiply(&e->M, phi + (size_t)i * n, work);
        for (int j = 0; j <= i; j++)
            most = fmax(most, fabs(kane_dot(e->M.n, phi + (size_t)j * n, work) - (i == j)));
    }
    return most;
}

void kane_sums_share(const kane_mesh *e, double mass, double *share)
{
    double sum = 0.0;
    for (int node = 0; node < e->node_count; node++) {
        share[node] = 0.0;
        for (int axis = 0; axis < 3; axis++) {
            const int row = e->unknown[6 * node + axis];
            for (int k = e->M.start[row]; k < e->M.start[row + 1]; k++)
                share[node] += e->M.column[k] == row ? e->M.value[k] : 0.0;
        }
        sum += share[node];
    }
    for (int node = 0; node < e->node_count; node++)
        share[node] *= mass / sum;
}

// What a mode does along the six rigid motions: its momentum, and its moment about the mass centre.
static void find_momentum(const kane_mesh *e, kane_vec3 centre, const double *phi, kane_vec3 *momentum,
                          kane_vec3 *turning)
{
    double first[KANE_RIGID_MODES] = {0.0};
    for (int row = 0; row < e->M.n; row++) {
        double pushed = 0.0;
        for (int k = e->M.start[row]; k < e->M.start[row + 1]; k++)
            pushed += e->M.value[k] * phi[e->M.column[k]];
        for (int motion = 0; motion < KANE_RIGID_MODES; motion++)
            first[motion] += kane_mesh_rigid(e, centre, motion, row) * pushed;
    }
    *momentum = kv3(first[0], first[1], first[2]);
    *turning  = kv3(first[3], first[4], first[5]);
}

void kane_sums_clean(const kane_mesh *e, const kane_flexible_data *data, double *phi)
{
    const double *J    = data->inertia;
    const kane_mat3 in = {{J[0], J[3], J[4]}, {J[3], J[1], J[5]}, {J[4], J[5], J[2]}};
    kane_vec3 momentum, turning;
    find_momentum(e, data->centre, phi, &momentum, &turning);
    const kane_vec3 v = kv3_scale(1.0 / data->mass, momentum), w = km3_solve(in, turning);
    for (int i = 0; i < e->M.n; i++)
        for (int motion = 0; motion < KANE_RIGID_MODES; motion++)
            phi[i] -= kv3_get(motion < 3 ? v : w, motion % 3) * kane_mesh_rigid(e, data->centre, motion, i);
}

void kane_sums_of_modes(const kane_mesh *e, const double *phi, int count, kane_flexible_data *data, kane_modal_sums *s)
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
            const kane_vec3 a = kane_mesh_displacement(e, phi + (size_t)i * n, k);
            add_inertia(2.0 * m, x, a, s->inertia[i]);
            for (int j = 0; j < count; j++) {
                const kane_vec3 b          = kane_mesh_displacement(e, phi + (size_t)j * n, k);
                s->gyration[j * count + i] = kv3_add_scaled(s->gyration[j * count + i], m, kv3_cross(b, a));
                add_inertia(m, a, b, s->second[i * count + j]);
            }
        }
    }
}
