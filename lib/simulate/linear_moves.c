// SPDX-License-Identifier: MIT
// Which deviations of a state are consistent with all constraints: the range of P = d(projected y)/dy.
//
// Coordinates do not depend on speeds when they are projected, P = [P_qq 0; P_uq P_uu]. With orthonormal bases N_q of
// P_qq and N_u of P_uu the consistent deviations are
//
//   dy = [N_q 0; P_uq N_q N_u] z     and     z = [N_q' 0; -N_u' P_uq N_q N_q' N_u'] dy
//
// Models without multipliers have P = 1 but for what is locked, and then all of this is a selection of states, exactly.

#include "simulate/linear_parts.h"

#include "agem/gradient.h"
#include "agem/rail_constraint.h"
#include "agem/work.h"
#include "math/dense.h"

#include <string.h>

static const double NOISE = 1e-8; // of P: entries that are smaller differ from zero by round-off

static int is_coordinate(const kane_model *model, int state)
{
    return state < model->u_begin && !(kane_model_is_driven(model) && (state == 1 || state == 2));
}

// Before they are projected, Euler parameters e are brought to length 1: columns of P times (1 - e e'/|e|^2)/|e|.
static void normalise_balls(const kane_model *model, const double *y, double *P)
{
    const size_t n = (size_t)model->state_count;
    for (int i = 0; i < model->tree.link_count; i++) {
        const int q     = model->bodies[model->link_body[i]].q;
        const double *e = y + q;
        double *columns = P + (size_t)q * n;
        if (model->tree.links[i].kind != KANE_LINK_BALL)
            continue;
        const double square = e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3], scale = 1.0 / sqrt(square);
        for (size_t row = 0; row < n; row++) {
            double along = 0.0;
            for (size_t k = 0; k < 4; k++)
                along += columns[k * n + row] * e[k] / square;
            for (size_t k = 0; k < 4; k++)
                columns[k * n + row] = scale * (columns[k * n + row] - along * e[k]);
        }
    }
}

// The nearest integer if it is closer than NOISE, else the value.
static double snap_to_integer(double value)
{
    const double whole = round(value);
    return fabs(value - whole) < NOISE ? whole : value;
}

// P, where the Jacobian was evaluated last.
static kane_status fill_projection(const kane_model *model, const kane_jacobian *jacobian, const double *y, double *P)
{
    const size_t n = (size_t)model->state_count;
    for (size_t j = 0; j < n; j++)
        P[j * n + j] = 1.0;
    const kane_status status = kane_jacobian_project(jacobian, P);
    normalise_balls(model, y, P);
    for (size_t i = 0; i < n * n; i++)
        P[i] = snap_to_integer(P[i]);
    return status;
}

// Coordinates whose rates are zero whatever happens.
static void leave_out_locked(kane_linear *linear, const double *A, double *P)
{
    const int n = linear->model->state_count;
    for (int i = 0; i < n; i++) {
        int moves = !is_coordinate(linear->model, i);
        for (int j = 0; j < n && !moves; j++)
            moves = A[(size_t)j * (size_t)n + (size_t)i] != 0.0;
        if (moves)
            continue;
        kane_linear_leave_out(linear, i, KANE_LEFT_LOCKED);
        for (int j = 0; j < n; j++)
            P[(size_t)j * (size_t)n + (size_t)i] = P[(size_t)i * (size_t)n + (size_t)j] = 0.0;
    }
}

// Orthonormal basis [n * rank] of the range of P_qq (coordinates 1) or P_uu (0); returns the rank. Scratch [n^2].
static int find_basis(const kane_model *model, const double *P, int coordinates, double *scratch, double *basis)
{
    const int n = model->state_count;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            const int counts = i < model->u_end && j < model->u_end && is_coordinate(model, i) == coordinates &&
                               is_coordinate(model, j) == coordinates;
            scratch[(size_t)j * (size_t)n + (size_t)i] = counts ? P[(size_t)j * (size_t)n + (size_t)i] : 0.0;
        }
    return kane_range_basis(n, n, scratch, 1e-6, basis);
}

// P times the coordinates' basis: what speeds do while coordinates move. Only speeds are written.
static void add_speeds(const kane_model *model, const double *P, int count, double *basis, double *scratch)
{
    const int n = model->state_count;
    kane_linear_multiply(n, n, count, P, basis, scratch);
    for (int c = 0; c < count; c++)
        for (int i = 0; i < n; i++)
            if (!is_coordinate(model, i) && i < model->u_end)
                basis[(size_t)c * (size_t)n + (size_t)i] = scratch[(size_t)c * (size_t)n + (size_t)i];
}

// z of dy: inverse [size * n] of T = [N_q 0; X N_u], with rows N_q' and N_u' (1 - X N_q').
static void fill_inverse_moves(const kane_linear *linear, double *inverse)
{
    const kane_model *model = linear->model;
    const int n = model->state_count, size = linear->size, q_count = linear->q_count;
    for (int r = 0; r < size; r++) {
        const double *move = linear->basis + (size_t)r * (size_t)n;
        for (int i = 0; i < n; i++)
            if (r >= q_count || is_coordinate(model, i))
                inverse[(size_t)i * (size_t)size + (size_t)r] = move[i];
    }
    for (int c = 0; c < q_count; c++) {
        const double *move = linear->basis + (size_t)c * (size_t)n;
        int moves_speeds   = 0; // of models without multipliers no coordinate does
        for (int i = 0; i < n; i++)
            moves_speeds |= move[i] != 0.0 && !is_coordinate(model, i);
        for (int r = q_count; r < q_count + linear->u_count && moves_speeds; r++) {
            const double *speeds = linear->basis + (size_t)r * (size_t)n;
            double part          = 0.0;
            for (int i = 0; i < n; i++)
                part += is_coordinate(model, i) ? 0.0 : speeds[i] * move[i];
            for (int i = 0; i < n && part != 0.0; i++)
                if (is_coordinate(model, i))
                    inverse[(size_t)i * (size_t)size + (size_t)r] -= part * move[i];
        }
    }
}

// Bases of coordinates and speeds, and states of force laws as they are, side by side in linear->basis.
static void fill_basis(kane_linear *linear, const double *P, double *scratch)
{
    const kane_model *model = linear->model;
    const size_t n          = (size_t)model->state_count;
    linear->q_count         = find_basis(model, P, 1, scratch, linear->basis);
    linear->u_count         = find_basis(model, P, 0, scratch, linear->basis + (size_t)linear->q_count * n);
    linear->e_count         = model->state_count - model->u_end;
    linear->size            = linear->q_count + linear->u_count + linear->e_count;
    add_speeds(model, P, linear->q_count, linear->basis, scratch);
    for (int e = 0; e < linear->e_count; e++)
        linear->basis[(size_t)(linear->q_count + linear->u_count + e) * n + (size_t)(model->u_end + e)] = 1.0;
}

int kane_linear_find_moves(kane_linear *linear, const kane_jacobian *jacobian, const kane_work *work, const double *y,
                           const double *A, double **moves_inverse, kane_errors *errors)
{
    const kane_model *model = linear->model;
    const size_t n          = (size_t)model->state_count;
    double *P               = kane_arena_alloc(linear->arena, n * n, sizeof *P);
    double *scratch         = kane_arena_alloc(linear->arena, n * n, sizeof *scratch);
    linear->basis           = kane_arena_alloc(linear->arena, n * n, sizeof *linear->basis);
    *moves_inverse          = kane_arena_alloc(linear->arena, n * n, sizeof **moves_inverse);
    if (kane_arena_failed(linear->arena))
        return 0;
    if (fill_projection(model, jacobian, y, P) != KANE_OK) {
        kane_work_fault(model, work, errors);
        return 0;
    }
    leave_out_locked(linear, A, P);
    fill_basis(linear, P, scratch);
    fill_inverse_moves(linear, *moves_inverse);
    return 1;
}
