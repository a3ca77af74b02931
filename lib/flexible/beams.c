// SPDX-License-Identifier: MIT
// Beams of Timoshenko as finite elements.
//
// Between its ends a beam without loads bends as a cubic whose shear is constant (interdependent interpolation), so
// that its stiffness is exact; with the same functions its mass is consistent. Both are integrated numerically, four
// points of Gauss, which is exact for them.

#include "flexible/model.h"

#include <string.h>

// Unknowns of an element: displacement, rotation of one end, then of the other, axes of the beam.
enum { ENDS = KANE_BEAM_UNKNOWNS, POINTS = KANE_BEAM_POINTS };

// Points of Gauss from -1 to 1, and their weights.
static const double gauss[POINTS]  = {-0.86113631159405257522, -0.33998104358485626480, 0.33998104358485626480,
                                      0.86113631159405257522};
static const double weight[POINTS] = {0.34785484513745385737, 0.65214515486254614263, 0.65214515486254614263,
                                      0.34785484513745385737};

// Rows of what an element does at one place along it, by its unknowns.
typedef struct rows {
    double u[3][ENDS], turn[3][ENDS];                      // displacement, rotation
    double stretch[ENDS], twist[ENDS], curvature[2][ENDS]; // per length: of the axis, about x, y, z
    double shear[2][ENDS];                                 // along y, z
} rows;

// Displacement v, rotation t of bending in one plane, and the slope of t, by (v1, t1, v2, t2) at x = s L.
typedef struct bending {
    double v[4], t[4], slope[4], v_slope[4];
} bending;

// Shape functions of a Timoshenko beam in bending at x = s L, exact for end loads.   phi = 12 E I/(kappa G A L^2),
// 0 without shear
static bending shape_functions(double s, double L, double phi)
{
    const double m = 1.0 / (1.0 + phi);
    bending b      = {
             .v = {m * (1.0 - 3.0 * s * s + 2.0 * s * s * s + phi * (1.0 - s)),
                   m * L * (s - 2.0 * s * s + s * s * s + 0.5 * phi * (s - s * s)),
                   m * (3.0 * s * s - 2.0 * s * s * s + phi * s), m * L * (-s * s + s * s * s - 0.5 * phi * (s - s * s))},
             .t = {m * 6.0 / L * (s * s - s), m * (1.0 - 4.0 * s + 3.0 * s * s + phi * (1.0 - s)), m * 6.0 / L * (s - s * s),
                   m * (3.0 * s * s - 2.0 * s + phi * s)},
             .slope   = {m * 6.0 / (L * L) * (2.0 * s - 1.0), m / L * (-4.0 + 6.0 * s - phi),
                         m * 6.0 / (L * L) * (1.0 - 2.0 * s), m / L * (6.0 * s - 2.0 + phi)},
             .v_slope = {m / L * (-6.0 * s + 6.0 * s * s - phi),
                         m * (1.0 - 4.0 * s + 3.0 * s * s + 0.5 * phi * (1.0 - 2.0 * s)),
                         m / L * (6.0 * s - 6.0 * s * s + phi), m * (-2.0 * s + 3.0 * s * s - 0.5 * phi * (1.0 - 2.0 * s))},
    };
    return b;
}

// Enters the shape functions of bending in the plane xy (across 0: unknowns y, rotation about z) or xz (1: z, minus the
// rotation about y).
static void add_bending_rows(rows *r, const bending *b, int across)
{
    static const int place[2][4] = {{1, 5, 7, 11}, {2, 4, 8, 10}};
    const double sign            = across == 0 ? 1.0 : -1.0;
    const int turn               = across == 0 ? 2 : 1;
    for (int k = 0; k < 4; k++) {
        const double of             = k % 2 ? sign : 1.0; // an unknown of rotation counts with this sign
        const int at                = place[across][k];
        r->u[1 + across][at]        = of * b->v[k];
        r->turn[turn][at]           = sign * of * b->t[k];
        r->curvature[turn == 2][at] = sign * of * b->slope[k];
        r->shear[across][at]        = of * (b->v_slope[k] - b->t[k]);
    }
}

static double shear_of(const kane_beam_input *s, double I, double L)
{
    return s->shear > 0.0 ? 12.0 * s->E * I / (s->shear * s->G * s->A * L * L) : 0.0;
}

static rows rows_at(double s, double L, const kane_beam_input *section)
{
    rows r             = {.u = {{0.0}}};
    const bending in_y = shape_functions(s, L, shear_of(section, section->Iz, L));
    const bending in_z = shape_functions(s, L, shear_of(section, section->Iy, L));
    r.u[0][0] = r.turn[0][3] = 1.0 - s;
    r.u[0][6] = r.turn[0][9] = s;
    r.stretch[0] = r.twist[3] = -1.0 / L;
    r.stretch[6] = r.twist[9] = 1.0 / L;
    add_bending_rows(&r, &in_y, 0);
    add_bending_rows(&r, &in_z, 1);
    return r;
}

static void add_outer(double w, const double a[ENDS], double A[ENDS][ENDS])
{
    for (int i = 0; i < ENDS; i++)
        for (int j = 0; j < ENDS && a[i] != 0.0; j++)
            A[i][j] += w * a[i] * a[j];
}

// Polar moment of inertia over length [kg m].
static double polar_of(const kane_beam_input *s)
{
    return s->polar > 0.0 ? s->polar : s->density * (s->Iy + s->Iz);
}

// Adds mass and stiffness matrix of a beam by Gauss integration over its length, N rows of shape functions:
//   M = int (rho A u u' + sum rho I t t') dx
//   K = int (E A eps eps' + G J theta theta' + E I kappa kappa' + kappa_s G A gamma gamma') dx
static void integrate_matrices(double L, const kane_beam_input *s, double M[ENDS][ENDS], double K[ENDS][ENDS])
{
    const double line = s->density * s->A;
    for (int g = 0; g < POINTS; g++) {
        const double w = 0.5 * L * weight[g];
        const rows r   = rows_at(0.5 * (1.0 + gauss[g]), L, s);
        for (int axis = 0; axis < 3; axis++)
            add_outer(w * line, r.u[axis], M);
        add_outer(w * polar_of(s), r.turn[0], M);
        add_outer(w * s->density * s->Iy, r.turn[1], M);
        add_outer(w * s->density * s->Iz, r.turn[2], M);
        add_outer(w * s->E * s->A, r.stretch, K);
        add_outer(w * s->G * s->J, r.twist, K);
        add_outer(w * s->E * s->Iy, r.curvature[0], K);
        add_outer(w * s->E * s->Iz, r.curvature[1], K);
        for (int across = 0; across < 2 && s->shear > 0.0; across++)
            add_outer(w * s->shear * s->G * s->A, r.shear[across], K);
    }
}

// Axes of the beam as rows: x along it, z as near to `up` as it can be.
static kane_mat3 axes_of(kane_vec3 along, kane_vec3 up)
{
    const kane_vec3 x = kv3_scale(1.0 / kv3_norm(along), along);
    kane_vec3 y       = kv3_cross(up, x);
    if (kv3_norm(y) <= 1e-6 * kv3_norm(up)) // upright: its sides are those of the model
        y = kv3_cross(fabs(x.z) > 0.5 ? kv3(1.0, 0.0, 0.0) : kv3(0.0, 0.0, 1.0), x);
    y = kv3_scale(1.0 / kv3_norm(y), y);
    return km3_transpose((kane_mat3){x, y, kv3_cross(x, y)});
}

// T' A T for blocks of three, T the axes; added to the unknowns of both nodes.
static void add_turned(kane_elements *e, const int node[2], kane_mat3 T, double A[ENDS][ENDS], double *to)
{
    const int n = 6 * e->node_count;
    for (int p = 0; p < 4; p++)
        for (int q = 0; q < 4; q++) {
            kane_mat3 B; // columns
            kane_vec3 *column[3] = {&B.x, &B.y, &B.z};
            for (int j = 0; j < 3; j++)
                *column[j] = kv3(A[3 * p][3 * q + j], A[3 * p + 1][3 * q + j], A[3 * p + 2][3 * q + j]);
            const kane_mat3 C = km3_mul(km3_tmul(T, B), T);
            const int row = 6 * node[p / 2] + 3 * (p % 2), at = 6 * node[q / 2] + 3 * (q % 2);
            const kane_vec3 out[3] = {C.x, C.y, C.z};
            for (int j = 0; j < 3; j++)
                for (int i = 0; i < 3; i++)
                    to[(row + i) * n + at + j] += kv3_get(out[j], i);
        }
}

// sum m s s' of a body with the inertia J
static kane_mat3 spread_of(kane_mat3 J)
{
    const double half = 0.5 * km3_trace(J);
    return km3_sub(km3_diag(half, half, half), J);
}

// Motion of a place by the unknowns: rows in axes of the beam to columns in axes of the model, T' (...) T for blocks of
// three.
static void turn_columns(kane_mat3 T, double by[3][ENDS], kane_vec3 to[ENDS])
{
    const kane_vec3 column[3] = {T.x, T.y, T.z};
    for (int block = 0; block < ENDS; block += 3)
        for (int j = 0; j < 3; j++) {
            kane_vec3 sum = kv3_zero();
            for (int i = 0; i < 3; i++)
                sum = kv3_add_scaled(sum, kv3_get(column[j], i),
                                     kv3(by[0][block + i], by[1][block + i], by[2][block + i]));
            to[block + j] = km3_tmulv(T, sum);
        }
}

// The masses of a beam at its points of integration: there they make the same mass matrix.
static void add_places(kane_elements *e, const int node[2], kane_mat3 T, double L, const kane_beam_input *s)
{
    const kane_mat3 J      = km3_diag(polar_of(s), s->density * s->Iy, s->density * s->Iz);
    const kane_mat3 spread = km3_mul(km3_tmul(T, spread_of(J)), T);
    for (int g = 0; g < POINTS; g++) {
        const double at = 0.5 * (1.0 + gauss[g]), w = 0.5 * L * weight[g];
        kane_mass_place *p = &e->places[e->place_count++];
        rows r             = rows_at(at, L, s);
        *p = (kane_mass_place){.x      = kv3_add_scaled(e->x[node[0]], at, kv3_sub(e->x[node[1]], e->x[node[0]])),
                               .mass   = w * s->density * s->A,
                               .spread = km3_scale(w, spread),
                               .node   = {node[0], node[1]}};
        turn_columns(T, r.u, p->u);
        turn_columns(T, r.turn, p->turn);
    }
}

void kane_elements_add_beam(kane_elements *e, int a, int b, const kane_beam_input *section)
{
    const int node[2]     = {a, b};
    const kane_vec3 along = kv3_sub(e->x[b], e->x[a]);
    double M[ENDS][ENDS], K[ENDS][ENDS];
    memset(M, 0, sizeof M);
    memset(K, 0, sizeof K);
    integrate_matrices(kv3_norm(along), section, M, K);
    const kane_mat3 T = axes_of(along, section->up);
    add_turned(e, node, T, M, e->M);
    add_turned(e, node, T, K, e->K);
    if (e->places)
        add_places(e, node, T, kv3_norm(along), section);
}

void kane_beam_loads(const kane_beam_input *section, kane_vec3 from, kane_vec3 to, double s,
                     double loads[6][KANE_BEAM_UNKNOWNS])
{
    const kane_vec3 axis = kv3_sub(to, from);
    const double L = kv3_norm(axis), EIy = section->E * section->Iy, EIz = section->E * section->Iz;
    const rows here = rows_at(s, L, section), first = rows_at(0.0, L, section), last = rows_at(1.0, L, section);
    const kane_mat3 T         = axes_of(axis, section->up);
    const kane_vec3 column[3] = {T.x, T.y, T.z};
    double local[6][ENDS];           // loads in axes of the beam
    for (int i = 0; i < ENDS; i++) { // M' + x V = 0 along the beam
        local[0][i] = section->E * section->A * here.stretch[i];
        local[1][i] = -EIz * (last.curvature[1][i] - first.curvature[1][i]) / L;
        local[2][i] = EIy * (last.curvature[0][i] - first.curvature[0][i]) / L;
        local[3][i] = section->G * section->J * here.twist[i];
        local[4][i] = EIy * here.curvature[0][i];
        local[5][i] = EIz * here.curvature[1][i];
    }
    for (int load = 0; load < 6; load++)
        for (int i = 0; i < ENDS; i++) {
            const double *block = local[load] + i / 3 * 3;
            loads[load][i]      = kv3_dot(column[i % 3], kv3(block[0], block[1], block[2]));
        }
}

void kane_elements_add_lump(kane_elements *e, int node, kane_vec3 r, double mass, const double J[6])
{
    const int n = 6 * e->node_count, at = 6 * node;
    const kane_mat3 own   = {{J[0], J[3], J[4]}, {J[3], J[1], J[5]}, {J[4], J[5], J[2]}};
    const kane_mat3 S     = km3_scale(mass, km3_skew(r)); // force by rotation: m (turn x r) = -S turn
    const kane_mat3 about = km3_sub(own, km3_mul(km3_skew(r), S));
    const kane_vec3 s[3] = {S.x, S.y, S.z}, t[3] = {about.x, about.y, about.z};
    for (int j = 0; j < 3; j++) {
        e->M[(at + j) * n + at + j] += mass;
        for (int i = 0; i < 3; i++) {
            e->M[(at + i) * n + at + 3 + j] -= kv3_get(s[j], i);
            e->M[(at + 3 + j) * n + at + i] -= kv3_get(s[j], i);
            e->M[(at + 3 + i) * n + at + 3 + j] += kv3_get(t[j], i);
        }
    }
    if (!e->places)
        return;
    kane_mass_place *p = &e->places[e->place_count++];
    *p = (kane_mass_place){.x = kv3_add(e->x[node], r), .mass = mass, .spread = spread_of(own), .node = {node, -1}};
    for (int j = 0; j < 3; j++) {
        p->u[j] = p->turn[3 + j] = kv3_unit(j);
        p->u[3 + j]              = kv3_cross(kv3_unit(j), r);
    }
}
