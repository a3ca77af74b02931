// SPDX-License-Identifier: MIT
// Springs alone: what a linear model is if nothing depends on velocities.
//
// With coordinates q, speeds u and states e of force laws
//
//   q' = Q_q q + Q_u u      u' = U_q q + U_u u + U_e e      e' = E_q q + E_u u + E_e e
//
// (Q_q is there because speeds refer to axes that do not turn with the bodies: a yawed wheelset that spins has a speed
// of roll.) q = Q_u p, one p for each speed, p' = S p + u, S = Q_u^+ Q_q Q_u. Nothing moves where p' = 0, u = -S p;
// then
//
//   p'' = (U_q Q_u - U_u S + U_e X) p
//
// with e = X p: at rest, -E_e^-1 (E_q Q_u - E_u S); of a state that would stay wherever it is (dry friction), moved
// along: E_u.

#include "simulate/linear_parts.h"

#include "math/dense.h"

typedef struct springs {
    const kane_linear *linear;
    int nq, nu, ne;
    double *S;   // [nu * nu] by rows
    double *X;   // [ne * nu] by rows
    double *lhs; // scratch: matrices of equations, by rows
    double *rhs; // scratch: Q_q Q_u, by rows
    int *pivot;
} springs;

// Entry of A: q at 0, u at nq, e at nq + nu.
static double matrix_entry(const springs *s, int row, int column)
{
    return s->linear->A[(size_t)column * (size_t)s->linear->size + (size_t)row];
}

static double q_u(const springs *s, int i, int p)
{
    return matrix_entry(s, i, s->nq + p);
}

// S of (Q_u' Q_u) S = Q_u' (Q_q Q_u). Returns 0 if there is none.
static int find_turning(springs *s)
{
    const int nq = s->nq, nu = s->nu;
    for (int i = 0; i < nq; i++)
        for (int p = 0; p < nu; p++) {
            s->rhs[i * nu + p] = 0.0;
            for (int k = 0; k < nq; k++)
                s->rhs[i * nu + p] += matrix_entry(s, i, k) * q_u(s, k, p);
        }
    for (int r = 0; r < nu; r++)
        for (int p = 0; p < nu; p++) {
            s->lhs[r * nu + p] = s->S[r * nu + p] = 0.0;
            for (int i = 0; i < nq; i++) {
                s->lhs[r * nu + p] += q_u(s, i, r) * q_u(s, i, p);
                s->S[r * nu + p] += q_u(s, i, r) * s->rhs[i * nu + p];
            }
        }
    if (!kane_lu_factor(nu, s->lhs, s->pivot))
        return 0;
    kane_lu_solve(nu, s->lhs, s->pivot, nu, s->S);
    return 1;
}

// Derivative of a row of rates by p at rest: A_row,q Q_u - A_row,u S.
static double static_entry(const springs *s, int row, int p)
{
    double sum = 0.0;
    for (int k = 0; k < s->nq; k++)
        sum += matrix_entry(s, row, k) * q_u(s, k, p);
    for (int k = 0; k < s->nu; k++)
        sum -= matrix_entry(s, row, s->nq + k) * s->S[k * s->nu + p];
    return sum;
}

// X. Returns 0 if the states are not determined.
static int find_static_states(springs *s)
{
    const int ne = s->ne, nu = s->nu, first = s->nq + nu;
    for (int i = 0; i < ne; i++) {
        int stays = 1;
        for (int k = 0; k < ne; k++) {
            s->lhs[i * ne + k] = -matrix_entry(s, first + i, first + k);
            stays              = stays && s->lhs[i * ne + k] == 0.0;
        }
        for (int p = 0; p < nu; p++)
            s->X[i * nu + p] = stays ? matrix_entry(s, first + i, s->nq + p) : static_entry(s, first + i, p);
        if (stays)
            s->lhs[i * ne + i] = 1.0;
    }
    if (ne > 0 && !kane_lu_factor(ne, s->lhs, s->pivot))
        return 0;
    kane_lu_solve(ne, s->lhs, s->pivot, nu, s->X);
    return 1;
}

// K [nu * nu] and moves [size * nu]: p'' = K p, z = moves p at rest.
static void fill_stiffness(const springs *s, double *K, double *moves)
{
    const int size = s->linear->size, nu = s->nu, first = s->nq + nu;
    for (int p = 0; p < nu; p++) {
        double *move = moves + (size_t)p * (size_t)size;
        for (int i = 0; i < s->nq; i++)
            move[i] = q_u(s, i, p);
        for (int r = 0; r < nu; r++) {
            double sum = static_entry(s, s->nq + r, p);
            for (int k = 0; k < s->ne; k++)
                sum += matrix_entry(s, s->nq + r, first + k) * s->X[k * nu + p];
            K[(size_t)p * (size_t)nu + (size_t)r] = sum;
            move[s->nq + r]                       = -s->S[r * nu + p];
        }
        for (int k = 0; k < s->ne; k++)
            move[first + k] = s->X[k * nu + p];
    }
}

int kane_linear_find_springs(const kane_linear *linear, kane_arena *arena, double *K, double *moves)
{
    springs s           = {.linear = linear, .nq = linear->q_count, .nu = linear->u_count, .ne = linear->e_count};
    const int largest   = s.nq > s.ne ? (s.nq > s.nu ? s.nq : s.nu) : (s.ne > s.nu ? s.ne : s.nu);
    const size_t square = (size_t)largest * (size_t)largest;
    s.S                 = kane_arena_alloc(arena, (size_t)s.nu * (size_t)s.nu, sizeof *s.S);
    s.X                 = kane_arena_alloc(arena, (size_t)s.ne * (size_t)s.nu, sizeof *s.X);
    s.lhs               = kane_arena_alloc(arena, square, sizeof *s.lhs);
    s.rhs               = kane_arena_alloc(arena, square, sizeof *s.rhs);
    s.pivot             = kane_arena_alloc(arena, (size_t)largest, sizeof *s.pivot);
    if (kane_arena_failed(arena) || !find_turning(&s) || !find_static_states(&s))
        return 0;
    fill_stiffness(&s, K, moves);
    return 1;
}
