// SPDX-License-Identifier: MIT
// Displacements under static loads with wheelsets held.
//
// p'' = K p without dependence on velocities, displacements of bodies D p (six of each), masses m_b. A load F on
// displacements D_i adds D_i F to the generalised forces, the virtual work of p. With M = D' m D and only those p that
// move no wheelset:
//
//   -(M K) p = D_i F,   displacement D_i p

#include "simulate/linear_parts.h"

#include "math/dense.h"

#include <math.h>

static const double held = 1e-9; // displacement of a wheelset by a unit of p: less is none

struct kane_compliance {
    int bodies, count; // p that move no wheelset
    double *D;         // [bodies * KANE_SHAPE][count]
    double *LU;        // of -(M K) [count^2], by rows
    int *pivot;
};

// D of all p [bodies * KANE_SHAPE][u_count].
static void find_displacements(const kane_linear *linear, const double *moves, double *D)
{
    const int nu = linear->u_count, size = linear->size, rows = linear->model->body_count * KANE_SHAPE;
    for (int row = 0; row < rows; row++)
        for (int p = 0; p < nu; p++) {
            double sum = 0.0;
            for (int z = 0; z < size; z++)
                sum += linear->places[(size_t)z * (size_t)rows + (size_t)row] *
                       moves[(size_t)p * (size_t)size + (size_t)z];
            D[(size_t)row * (size_t)nu + (size_t)p] = sum;
        }
}

// m D [bodies * KANE_SHAPE][u_count].
static void weigh_displacements(const kane_linear *linear, const double *D, double *mD)
{
    const int nu = linear->u_count;
    for (int j = 0; j < linear->model->body_count; j++)
        for (int i = 0; i < KANE_SHAPE; i++)
            for (int p = 0; p < nu; p++) {
                const double *mass = linear->mass + (size_t)j * KANE_SHAPE * KANE_SHAPE + (size_t)i * KANE_SHAPE;
                double sum         = 0.0;
                for (int k = 0; k < KANE_SHAPE; k++)
                    sum += mass[k] * D[(size_t)(j * KANE_SHAPE + k) * (size_t)nu + (size_t)p];
                mD[(size_t)(j * KANE_SHAPE + i) * (size_t)nu + (size_t)p] = sum;
            }
}

static int moves_wheelset(const kane_linear *linear, const double *D, int p)
{
    for (int j = 0; j < linear->model->body_count; j++)
        for (int i = 0; i < KANE_SHAPE && linear->model->bodies[j].wheels >= 0; i++)
            if (fabs(D[(size_t)(j * KANE_SHAPE + i) * (size_t)linear->u_count + (size_t)p]) > held)
                return 1;
    return 0;
}

// Entry of -(M K).
static double stiffness_of(const kane_linear *linear, const double *M, const double *K, int r, int c)
{
    const size_t nu = (size_t)linear->u_count;
    double sum      = 0.0;
    for (size_t k = 0; k < nu; k++)
        sum -= M[(size_t)r * nu + k] * K[(size_t)c * nu + k];
    return sum;
}

const kane_compliance *kane_compliance_create(const kane_linear *linear, kane_arena *arena)
{
    const size_t nu = (size_t)linear->u_count, rows = (size_t)linear->model->body_count * KANE_SHAPE;
    kane_compliance *c = kane_arena_alloc(arena, 1, sizeof *c);
    double *K = kane_arena_doubles(arena, nu * nu), *M = kane_arena_doubles(arena, nu * nu);
    double *moves = kane_arena_doubles(arena, nu * (size_t)linear->size);
    double *D = kane_arena_doubles(arena, rows * nu), *mD = kane_arena_doubles(arena, rows * nu);
    int *free_p = kane_arena_alloc(arena, nu, sizeof *free_p);
    if (kane_arena_failed(arena) || !kane_linear_find_springs(linear, arena, K, moves))
        return NULL;
    find_displacements(linear, moves, D);
    weigh_displacements(linear, D, mD);
    for (size_t r = 0; r < nu; r++)
        for (size_t k = 0; k < nu; k++) {
            M[r * nu + k] = 0.0;
            for (size_t row = 0; row < rows; row++)
                M[r * nu + k] += D[row * nu + r] * mD[row * nu + k];
        }
    c->bodies = linear->model->body_count;
    for (int p = 0; p < (int)nu; p++)
        if (!moves_wheelset(linear, D, p))
            free_p[c->count++] = p;
    const size_t n = (size_t)c->count;
    if (n == 0 || n == nu)
        return NULL;
    c->D     = kane_arena_doubles(arena, rows * n);
    c->LU    = kane_arena_doubles(arena, n * n);
    c->pivot = kane_arena_alloc(arena, n, sizeof *c->pivot);
    if (kane_arena_failed(arena))
        return NULL;
    for (size_t i = 0; i < n; i++) {
        for (size_t row = 0; row < rows; row++)
            c->D[row * n + i] = D[row * nu + (size_t)free_p[i]];
        for (size_t k = 0; k < n; k++)
            c->LU[i * n + k] = stiffness_of(linear, M, K, free_p[i], free_p[k]);
    }
    return kane_lu_factor(c->count, c->LU, c->pivot) ? c : NULL;
}

static const double *row_of(const kane_compliance *c, kane_compliance_place at)
{
    return c->D + (size_t)(at.body * KANE_SHAPE + (int)at.coordinate) * (size_t)c->count;
}

double kane_compliance_of(const kane_compliance *c, kane_compliance_place load, kane_compliance_place moved,
                          kane_arena *scratch)
{
    const double *loaded = row_of(c, load), *response = row_of(c, moved);
    double *p  = kane_arena_doubles(scratch, (size_t)c->count);
    double own = 0.0, sum = 0.0;
    for (int i = 0; p && i < c->count; i++)
        p[i] = loaded[i];
    if (!p)
        return (double)NAN;
    kane_lu_solve(c->count, c->LU, c->pivot, 1, p);
    for (int i = 0; i < c->count; i++) {
        own += loaded[i] * p[i];
        sum += response[i] * p[i];
    }
    return own > 0.0 ? sum : (double)NAN;
}
