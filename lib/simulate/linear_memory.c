// SPDX-License-Identifier: MIT
// Dry friction that sticks: its states are functions of displacements.
//
// The memory of a friction law has no equilibrium of its own. Small motions do not slide, and then its rate is that of
// a displacement over a constant, m' = g q': with
//
//   q' = Q_q q + Q_u u + Q_e e      m' = M_q q + M_u u + M_e e
//
// g follows from g Q_u = M_u, g = M_u (Q_u' Q_u)^-1 Q_u', if the other columns agree. m - g q never changes: a zero
// eigenvalue for every such state, and nothing that a vehicle does. With m = g q they are gone, and friction is a
// spring.

#include "simulate/linear_parts.h"

#include "math/dense.h"

#include <string.h>

static const double AGREES   = 1e-8;  // residual of m' - g q', of the largest entry of m'
static const double ROUNDING = 1e-10; // parts of g that are smaller are round-off: spin angles have none

static double *matrix_entry(const kane_linear *linear, int row, int column)
{
    return &linear->A[(size_t)column * (size_t)linear->size + (size_t)row];
}

// (Q_u' Q_u)^-1 M_u' of all moves of force laws at once [u_count * e_count] by rows. Returns 0 if there is none.
static int solve_speeds(const kane_linear *linear, double *normal, int *pivot, double *rhs)
{
    const int nq = linear->q_count, nu = linear->u_count, ne = linear->e_count;
    for (int r = 0; r < nu; r++) {
        for (int p = 0; p < nu; p++) {
            normal[r * nu + p] = 0.0;
            for (int i = 0; i < nq; i++)
                normal[r * nu + p] += *matrix_entry(linear, i, nq + r) * *matrix_entry(linear, i, nq + p);
        }
        for (int e = 0; e < ne; e++)
            rhs[r * ne + e] = *matrix_entry(linear, nq + nu + e, nq + r);
    }
    if (!kane_lu_factor(nu, normal, pivot))
        return 0;
    kane_lu_solve(nu, normal, pivot, ne, rhs);
    return 1;
}

// g of one state; 0 if its rate is not that of a displacement.
static int find_displacement(const kane_linear *linear, int e, const double *speeds, double *g)
{
    const int nq = linear->q_count, nu = linear->u_count, row = nq + nu + e;
    double most = 0.0, largest = 0.0, residual = 0.0;
    for (int i = 0; i < nq; i++) {
        g[i] = 0.0;
        for (int p = 0; p < nu; p++)
            g[i] += *matrix_entry(linear, i, nq + p) * speeds[p * linear->e_count + e];
        most = fmax(most, fabs(g[i]));
    }
    for (int i = 0; i < nq; i++)
        g[i] = fabs(g[i]) > ROUNDING * most ? g[i] : 0.0;
    for (int j = 0; j < linear->size; j++) {
        double rest = *matrix_entry(linear, row, j);
        largest     = fmax(largest, fabs(rest));
        for (int i = 0; i < nq; i++)
            rest -= g[i] * *matrix_entry(linear, i, j);
        residual = fmax(residual, fabs(rest));
    }
    return residual <= AGREES * largest;
}

// Substitutes m = g q: columns of the coordinates += g_i times the column of m, in A and in the basis.
static void substitute_displacement(kane_linear *linear, int e, const double *g)
{
    const size_t n = (size_t)linear->model->state_count;
    const int move = linear->q_count + linear->u_count + e;
    for (int i = 0; i < linear->q_count; i++) {
        for (int row = 0; row < linear->size && g[i] != 0.0; row++)
            *matrix_entry(linear, row, i) += g[i] * *matrix_entry(linear, row, move);
        for (size_t k = 0; k < n && g[i] != 0.0; k++)
            linear->basis[(size_t)i * n + k] += g[i] * linear->basis[(size_t)move * n + k];
    }
}

// Removes the moves that are marked, from A and from the basis.
static void drop_stuck_moves(kane_linear *linear, const int *stuck)
{
    const size_t n = (size_t)linear->model->state_count;
    const int size = linear->size, first = linear->q_count + linear->u_count;
    int columns = 0, stay = 0;
    for (int j = 0; j < size; j++) {
        if (j >= first && stuck[j - first])
            continue;
        int rows = 0;
        for (int i = 0; i < size; i++)
            if (i < first || !stuck[i - first])
                linear->A[(size_t)columns * (size_t)size + (size_t)rows++] =
                    linear->A[(size_t)j * (size_t)size + (size_t)i];
        memmove(linear->basis + (size_t)columns * n, linear->basis + (size_t)j * n, n * sizeof(double));
        columns++;
        stay += j >= first;
    }
    for (int j = 0; j < columns; j++) // closer together
        memmove(linear->A + (size_t)j * (size_t)columns, linear->A + (size_t)j * (size_t)size,
                (size_t)columns * sizeof(double));
    linear->size    = columns;
    linear->e_count = stay;
}

static int is_memory(const kane_model *model, int state)
{
    for (int k = 0; k < model->stateful_count; k++) {
        const kane_element *element = &model->elements[model->stateful[k]];
        if (state >= element->state && state < element->state + element->state_count)
            return element->states[state - element->state].memory;
    }
    return 0;
}

int kane_linear_drop_stuck(kane_linear *linear)
{
    const size_t nq = (size_t)linear->q_count, nu = (size_t)linear->u_count, ne = (size_t)linear->e_count;
    int any = 0;
    for (int e = 0; e < linear->e_count; e++)
        any = any || is_memory(linear->model, linear->model->u_end + e);
    if (!any)
        return 1;
    double *normal = kane_arena_alloc(linear->arena, nu * nu, sizeof *normal), *g;
    double *rhs    = kane_arena_alloc(linear->arena, nu * ne, sizeof *rhs);
    int *pivot     = kane_arena_alloc(linear->arena, nu, sizeof *pivot);
    int *stuck     = kane_arena_alloc(linear->arena, ne, sizeof *stuck);
    g              = kane_arena_alloc(linear->arena, nq * ne, sizeof *g);
    if (kane_arena_failed(linear->arena))
        return 0;
    if (!solve_speeds(linear, normal, pivot, rhs))
        return 1;
    for (int e = 0; e < linear->e_count; e++)
        stuck[e] =
            is_memory(linear->model, linear->model->u_end + e) && find_displacement(linear, e, rhs, g + (size_t)e * nq);
    for (int e = 0; e < linear->e_count; e++)
        if (stuck[e]) {
            substitute_displacement(linear, e, g + (size_t)e * nq);
            kane_linear_leave_out(linear, linear->model->u_end + e, KANE_LEFT_STUCK);
        }
    drop_stuck_moves(linear, stuck);
    return 1;
}
