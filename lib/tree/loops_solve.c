// SPDX-License-Identifier: MIT
// Accelerations and multipliers of a cluster.

#include "tree/loops_work.h"

// Combinations of rows whose size squared is below this push nothing (loops_multipliers.c).
static const double regularisation = 1e-14;

// Row i of T: what couples dependent speed i with the independent ones, Theta_d + 1/2 Theta_dd B.
static void couple(const kane_cluster *cluster, kane_cluster_work *s, int i)
{
    const int n = cluster->v_count, rank = cluster->rank, u = n - rank;
    const double *row = s->Theta + s->column[i] * n;
    double *to        = s->T + i * u;
    for (int j = 0; j < u; j++)
        to[j] = row[s->column[rank + j]];
    for (int k = 0; k < rank; k++) {
        const double half = 0.5 * row[s->column[k]];
        for (int j = 0; j < u && half != 0.0; j++)
            to[j] += half * s->B[k * u + j];
    }
}

// M = A' Theta A = Theta_ii + B' T + T' B, the lower half.
static void reduce_inertia(const kane_cluster *cluster, kane_cluster_work *s)
{
    const int n = cluster->v_count, rank = cluster->rank, u = n - rank;
    const int *independent = s->column + rank;
    for (int j = 0; j < u; j++)
        for (int l = 0; l <= j; l++)
            s->M[j * u + l] = s->Theta[independent[j] * n + independent[l]];
    for (int i = 0; i < rank; i++) {
        const double *B = s->B + i * u, *T = s->T + i * u;
        couple(cluster, s, i);
        for (int j = 0; j < u; j++) {
            double *row    = s->M + j * u;
            const double b = B[j], t = T[j];
            for (int l = 0; l <= j && b != 0.0; l++)
                row[l] += b * T[l];
            for (int l = 0; l <= j && t != 0.0; l++)
                row[l] += t * B[l];
        }
    }
}

// Dependent accelerations by the independent ones: v_dot = A u_dot + g, with g of the dependent speeds only. Then
//   A' Theta A u_dot = A' (f - Theta g)
// The right-hand side in place of u_dot.
static void reduce_forces(const kane_cluster *cluster, kane_cluster_work *s, double *u_dot)
{
    const int n = cluster->v_count, rank = cluster->rank, u = n - rank;
    double *rest = s->x; // f - Theta g
    for (int k = 0; k < n; k++) {
        rest[k] = s->f[k];
        for (int i = 0; i < rank; i++)
            rest[k] -= s->Theta[k * n + s->column[i]] * s->g[i];
    }
    for (int j = 0; j < u; j++)
        u_dot[j] = rest[s->column[rank + j]];
    for (int i = 0; i < rank; i++)
        for (int j = 0; j < u; j++)
            u_dot[j] += s->B[i * u + j] * rest[s->column[i]];
}

static int solve_coefficients(const kane_cluster *cluster, kane_cluster_work *s, double *u_dot)
{
    const int rank = cluster->rank, u = cluster->v_count - rank;
    for (int i = 0; i < rank; i++)
        s->g[i] = -s->bias[s->row[i]];
    kane_lu_solve(rank, s->LU, s->pivot, 1, s->g);
    reduce_inertia(cluster, s);
    reduce_forces(cluster, s, u_dot);
    if (kane_cholesky_factor(u, s->M, s->first) >= 0)
        return 0;
    kane_cholesky_solve(u, s->M, s->first, u_dot);
    for (int j = 0; j < u; j++)
        s->v_dot[s->column[rank + j]] = u_dot[j];
    for (int i = 0; i < rank; i++) {
        double sum = s->g[i];
        for (int j = 0; j < u; j++)
            sum += s->B[i * u + j] * u_dot[j];
        s->v_dot[s->column[i]] = sum;
    }
    return 1;
}

// What the i-th dependent speed lacks, Theta v_dot - f.
static double lacks(const kane_cluster *cluster, const kane_cluster_work *s, int i)
{
    const int n = cluster->v_count, k = s->column[i];
    double sum = -s->f[k];
    for (int j = 0; j < n; j++)
        sum += s->Theta[k * n + j] * s->v_dot[j];
    return sum;
}

// lambda of the rows that are used, from  Theta v_dot - f = Phi' lambda  at the dependent speeds.
static void find_multipliers(const kane_cluster *cluster, kane_cluster_work *s)
{
    const int rank = cluster->rank;
    for (int i = 0; i < rank; i++)
        s->x[i] = lacks(cluster, s, i);
    kane_lu_solve_transposed(rank, s->LU, s->pivot, s->x);
    for (int i = 0; i < cluster->row_count; i++)
        s->lambda[i] = 0.0;
    for (int i = 0; i < rank; i++)
        s->lambda[s->row[i]] = s->x[i];
}

static int solve_multipliers(const kane_cluster *cluster, kane_cluster_work *s, double *u_dot)
{
    const int n = cluster->v_count;
    if (!kane_cluster_sparse_factor(cluster, s, regularisation))
        return 0;
    for (int i = 0; i < cluster->row_count; i++)
        s->g[i] = -s->bias[i];
    kane_cluster_sparse_solve(cluster, s, s->f, s->g);
    for (int k = 0; k < n; k++)
        u_dot[k] = s->v_dot[k] = s->y[k];
    for (int i = 0; i < cluster->row_count; i++)
        s->lambda[i] = s->y[n + i];
    return 1;
}

int kane_cluster_solve(const kane_tree *tree, const kane_cluster *cluster, kane_cluster_work *s,
                       const kane_transport *frames, const kane_base *bases, kane_tree_work *work, double *u_dot)
{
    int solved;
    kane_cluster_theta(tree, cluster, s, frames, work);
    kane_tree_forces(tree, cluster->link_count, cluster->links, cluster->place, work, s->wrench, s->f);
    if (cluster->form == KANE_FORM_MULTIPLIERS) {
        kane_cluster_scale(cluster, s);
        kane_cluster_rows(tree, cluster, s, frames, bases, work);
        kane_cluster_push_rods(tree, cluster, s, frames, work);
        solved = solve_multipliers(cluster, s, u_dot);
    } else {
        kane_cluster_push_rods(tree, cluster, s, frames, work);
        kane_cluster_full_theta(cluster, s);
        solved = solve_coefficients(cluster, s, u_dot);
    }
    double sum = 0.0;
    for (int k = 0; k < cluster->v_count && solved; k++) {
        work->v_dot[cluster->speeds[k]] = s->v_dot[k];
        sum += 0.0 * s->v_dot[k];
    }
    if (!solved || sum != 0.0)
        return 0;
    for (int i = 0; i < s->run_count; i++)
        kane_tree_accelerate(tree, s->runs[i], work);
    return 1;
}

const double *kane_cluster_multipliers(const kane_cluster *cluster, kane_cluster_work *s)
{
    if (cluster->form == KANE_FORM_COEFFICIENTS)
        find_multipliers(cluster, s);
    return s->lambda;
}

// Where a row stands among those that are used, -1: it is not.
static int find_used(const kane_cluster *cluster, const kane_cluster_work *s, int row)
{
    for (int i = 0; i < cluster->rank; i++)
        if (s->row[i] == row)
            return i;
    return -1;
}

void kane_cluster_release(const kane_cluster *cluster, kane_cluster_work *s, int count, const int *rows, double *lambda)
{
    for (int i = 0; i < cluster->rank && cluster->form == KANE_FORM_COEFFICIENTS; i++)
        s->lacks[i] = (double)NAN;
    for (int r = 0; r < count; r++) {
        const int one = cluster->form == KANE_FORM_MULTIPLIERS ? -1 : find_used(cluster, s, rows[r]);
        lambda[r]     = cluster->form == KANE_FORM_MULTIPLIERS ? s->lambda[rows[r]] : 0.0;
        if (one < 0)
            continue;
        kane_lu_solve_unit(cluster->rank, s->LU, s->pivot, one, s->x);
        for (int i = 0; i < cluster->rank; i++) {
            if (s->x[i] == 0.0)
                continue;
            if (isnan(s->lacks[i]))
                s->lacks[i] = lacks(cluster, s, i);
            lambda[r] += s->x[i] * s->lacks[i];
        }
    }
}

const kane_closure_values *kane_cluster_values(const kane_cluster_work *s, int closure)
{
    return &s->values[closure];
}

void kane_cluster_drift(const kane_tree *tree, const kane_cluster *cluster, kane_cluster_work *s,
                        const kane_transport *frames, const kane_base *bases, const kane_tree_work *work, double *value,
                        double *rate)
{
    *value = *rate = 0.0;
    kane_cluster_rows(tree, cluster, s, frames, bases, work);
    for (int i = 0; i < cluster->row_count; i++) {
        *value = fmax(*value, fabs(s->value[i]));
        *rate  = fmax(*rate, fabs(s->rate[i]));
    }
}
