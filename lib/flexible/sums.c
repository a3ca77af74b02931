// SPDX-License-Identifier: MIT
// Sums over the masses of a finite element model that the equations of a deformable body ask for.
//
// All of second order come from moments: sum m a b' of two motions a, b of the masses, or of their places and a motion.
// Consistent sums take the motion between nodes as the mass matrix does. For beams they go over the points at which it
// was integrated, whose masses also turn: sum m (a + A s)(b + B s)' = m a b' + A (sum m s s') B', with A the matrix of
// the rotation. Else they are sum over nodes of a_k (M b)_k', which for solid elements, M_kl = m_kl E, is sum m_kl a_k
// b_l'. Lumped sums take the mass of a node by rows of M, which are negative at corners of quadratic tetrahedra.

#include "flexible/modes.h"

#include "math/dense.h"

#include <string.h>

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

// Inertia of a moment: tr(T) E - (T + T')/2, times a factor.
static void put_inertia(double factor, kane_mat3 T, double J[6])
{
    const double trace = km3_trace(T);
    J[0]               = factor * (trace - T.x.x);
    J[1]               = factor * (trace - T.y.y);
    J[2]               = factor * (trace - T.z.z);
    J[3]               = -0.5 * factor * (T.x.y + T.y.x);
    J[4]               = -0.5 * factor * (T.x.z + T.z.x);
    J[5]               = -0.5 * factor * (T.y.z + T.z.y);
}

// sum m a x b of sum m a b'; columns
static kane_vec3 cross_of(kane_mat3 T)
{
    return kv3(T.z.y - T.y.z, T.x.z - T.z.x, T.y.x - T.x.y);
}

// Lumped mass of a node [kg]: sum of its row of M over the unknowns along x.
static double lumped_mass(const kane_mesh *e, int node)
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

// Momentum of a mode and its moment about the mass centre: products with the six rigid motions.
static void find_momentum(const kane_mesh *e, kane_vec3 centre, const double *phi, kane_vec3 *momentum,
                          kane_vec3 *turning)
{
    double first[KANE_RIGID_MODES] = {0.0};
    for (int row = 0; row < e->M.n; row++) {
        double product = 0.0;
        for (int k = e->M.start[row]; k < e->M.start[row + 1]; k++)
            product += e->M.value[k] * phi[e->M.column[k]];
        for (int motion = 0; motion < KANE_RIGID_MODES; motion++)
            first[motion] += kane_mesh_rigid(e, centre, motion, row) * product;
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

// --- moments ---

typedef struct moments {
    kane_mat3 *first;  // of places and mode j [count]
    kane_mat3 *second; // of modes i and j, at i count + j [count^2]
} moments;

// Motion of a place of mass: of its centre, and A above.
typedef struct field {
    kane_vec3 u;
    kane_mat3 A;
} field;

static field field_at(const kane_mesh *e, const kane_mass_place *p, const double *phi)
{
    kane_vec3 u = kv3_zero(), turn = kv3_zero();
    for (int k = 0; k < 2 && p->node[k] >= 0; k++)
        for (int i = 0; i < 6; i++) {
            const double q = phi[e->unknown[6 * p->node[k] + i]];
            u              = kv3_add_scaled(u, q, p->u[6 * k + i]);
            turn           = kv3_add_scaled(turn, q, p->turn[6 * k + i]);
        }
    return (field){u, km3_skew(turn)};
}

// T += m a b' + A P B'
static void add_moment(const kane_mass_place *p, field a, field b, kane_mat3 *T)
{
    const kane_mat3 spread = km3_mul(km3_mul(a.A, p->spread), km3_transpose(b.A));
    *T                     = km3_add(*T, km3_add(km3_scale(p->mass, km3_outer(a.u, b.u)), spread));
}

static int add_places(const kane_mesh *e, kane_vec3 centre, const double *phi, int count, moments *m)
{
    field *of = kane_allocate((size_t)count, sizeof *of);
    for (int k = 0; k < e->place_count && of; k++) {
        const kane_mass_place *p = &e->places[k];
        const field place        = {kv3_sub(p->x, centre), km3_diag(1.0, 1.0, 1.0)};
        for (int i = 0; i < count; i++)
            of[i] = field_at(e, p, phi + (size_t)i * (size_t)e->M.n);
        for (int i = 0; i < count; i++) {
            add_moment(p, place, of[i], &m->first[i]);
            for (int j = 0; j < count; j++)
                add_moment(p, of[i], of[j], &m->second[i * count + j]);
        }
    }
    kane_release(of);
    return of != NULL;
}

// Product of the mass matrix and a motion, M phi [kg]; the consistent matrix, or the lumped one.
static void multiply_masses(const kane_mesh *e, kane_mass_sums masses, const double *phi, double *product)
{
    if (masses == KANE_MASS_CONSISTENT) {
        kane_symmetric_multiply(&e->M, phi, product);
        return;
    }
    for (int k = 0; k < e->node_count; k++)
        for (int axis = 0; axis < 3; axis++) {
            const int at = e->unknown[6 * k + axis];
            product[at]  = lumped_mass(e, k) * phi[at];
        }
}

static int add_nodes(const kane_mesh *e, kane_mass_sums masses, kane_vec3 centre, const double *phi, int count,
                     moments *m)
{
    const size_t n  = (size_t)e->M.n;
    double *product = kane_allocate(n, sizeof *product);
    for (int j = 0; j < count && product; j++) {
        multiply_masses(e, masses, phi + (size_t)j * n, product);
        for (int k = 0; k < e->node_count; k++) {
            const kane_vec3 b = kane_mesh_displacement(e, product, k);
            m->first[j]       = km3_add(m->first[j], km3_outer(kv3_sub(e->x[k], centre), b));
            for (int i = 0; i < count; i++) {
                kane_mat3 *T = &m->second[i * count + j];
                *T           = km3_add(*T, km3_outer(kane_mesh_displacement(e, phi + (size_t)i * n, k), b));
            }
        }
    }
    kane_release(product);
    return product != NULL;
}

static int add_moments(const kane_mesh *e, kane_mass_sums masses, kane_vec3 centre, const double *phi, int count,
                       moments *m)
{
    return masses == KANE_MASS_CONSISTENT && e->place_count > 0 ? add_places(e, centre, phi, count, m)
                                                                : add_nodes(e, masses, centre, phi, count, m);
}

int kane_sums_of_modes(const kane_mesh *e, kane_mass_sums masses, const double *phi, int count,
                       kane_flexible_data *data, kane_modal_sums *s)
{
    const size_t n = (size_t)e->M.n, modes = (size_t)count;
    const double trace = data->inertia[0] + data->inertia[1] + data->inertia[2];
    moments m          = {kane_allocate(modes, sizeof *m.first), kane_allocate(modes * modes, sizeof *m.second)};
    int good           = m.first && m.second;
    for (int i = 0; i < count; i++) {
        find_momentum(e, data->centre, phi + (size_t)i * n, &s->momentum[i], &s->turning[i]);
        if (data->frame)
            continue;
        data->momentum_left = fmax(data->momentum_left, kv3_norm(s->momentum[i]) / sqrt(data->mass));
        data->turning_left  = fmax(data->turning_left, kv3_norm(s->turning[i]) / sqrt(trace));
    }
    if (good)
        good = add_moments(e, masses, data->centre, phi, count, &m);
    for (int i = 0; i < count && good; i++) {
        put_inertia(2.0, m.first[i], s->inertia[i]);
        for (int j = 0; j < count; j++) {
            const kane_mat3 T          = m.second[i * count + j];
            const kane_mat3 both       = km3_scale(0.5, km3_add(T, km3_transpose(m.second[j * count + i])));
            s->gyration[i * count + j] = cross_of(both);
            put_inertia(1.0, both, s->second[i * count + j]);
        }
    }
    kane_release(m.first);
    kane_release(m.second);
    return good;
}

// --- principal axes ---

// Least difference of two principal moments, in parts of the greatest, that axes need to be distinct.
static const double same_moment = 1e-3;

// Small rotation after which a change of inertia has no products in principal axes; moments w, axes by columns:
//   theta x J - J (theta x) + dJ,   in these axes  theta_3 (w_1 - w_2) + dJ_12 = 0, likewise for 1 and 2
static kane_vec3 rotation_without_products(const double w[3], kane_mat3 axes, const double dJ[6])
{
    const kane_mat3 change = {{dJ[0], dJ[3], dJ[4]}, {dJ[3], dJ[1], dJ[5]}, {dJ[4], dJ[5], dJ[2]}};
    const kane_mat3 in     = km3_mul(km3_transpose(axes), km3_mul(change, axes));
    const kane_vec3 theta  = kv3(in.z.y / (w[2] - w[1]), in.x.z / (w[0] - w[2]), in.y.x / (w[1] - w[0]));
    return km3_mulv(axes, theta);
}

int kane_sums_distinct_moments(const kane_flexible_data *data, double w[3], kane_mat3 *axes)
{
    const double *J      = data->inertia;
    const double full[9] = {J[0], J[3], J[4], J[3], J[1], J[5], J[4], J[5], J[2]};
    double vectors[9];
    memcpy(vectors, full, sizeof vectors);
    if (kane_principal_axes(vectors, w) != 0)
        return 0;
    axes->x            = kv3(vectors[0], vectors[1], vectors[2]);
    axes->y            = kv3(vectors[3], vectors[4], vectors[5]);
    axes->z            = kv3_cross(axes->x, axes->y);
    const double least = same_moment * fmax(w[0], fmax(w[1], w[2]));
    return fabs(w[0] - w[1]) > least && fabs(w[1] - w[2]) > least && fabs(w[2] - w[0]) > least;
}

int kane_sums_add_rotations(const kane_mesh *e, kane_mass_sums masses, const kane_flexible_data *data,
                            const double w[3], kane_mat3 axes, int count, double *phi)
{
    const size_t n = (size_t)e->M.n, modes = (size_t)count;
    moments m      = {kane_allocate(modes, sizeof *m.first), kane_allocate(modes * modes, sizeof *m.second)};
    const int good = m.first && m.second && add_moments(e, masses, data->centre, phi, count, &m);
    for (size_t k = 0; k < modes && good; k++) {
        double dJ[6];
        put_inertia(2.0, m.first[k], dJ);
        const kane_vec3 theta = rotation_without_products(w, axes, dJ);
        for (int i = 0; i < e->M.n; i++)
            for (int axis = 0; axis < 3; axis++)
                phi[k * n + (size_t)i] += kv3_get(theta, axis) * kane_mesh_rigid(e, data->centre, 3 + axis, i);
    }
    kane_release(m.first);
    kane_release(m.second);
    return good;
}
