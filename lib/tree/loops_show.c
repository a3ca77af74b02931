// SPDX-License-Identifier: MIT
// The equations of a cluster, for readers: as matrices of its local speeds.

#include "tree/loops_work.h"

#include <string.h>

// Theta full and symmetric, from the entries that count.
void kane_cluster_get_equations(const kane_cluster_work *s, double *Theta, double *f)
{
    const kane_cluster *cluster = s->cluster;
    const int n                 = cluster->v_count;
    memset(Theta, 0, (size_t)n * (size_t)n * sizeof *Theta);
    for (int k = 0; k < cluster->theta_count; k++) {
        const kane_theta_place at = cluster->theta_place[k];
        if (cluster->theta_counts[k])
            Theta[at.row * n + at.column] = Theta[at.column * n + at.row] = s->theta[k];
    }
    memcpy(f, s->f, (size_t)n * sizeof *f);
}

// A: unit rows of independent speeds, B of dependent ones. With multipliers the unit matrix.
void kane_cluster_get_coefficients(const kane_cluster_work *s, double *A)
{
    const int n = s->cluster->v_count, u = s->cluster->u_count, rank = n - u;
    memset(A, 0, (size_t)n * (size_t)u * sizeof *A);
    for (int k = 0; k < u; k++)
        A[(rank > 0 ? s->column[rank + k] : k) * u + k] = 1.0;
    for (int k = 0; rank > 0 && k < s->block_count; k++) {
        const kane_loop_block *b = &s->blocks[k];
        for (int i = 0; i < b->count; i++)
            for (int j = 0; j < b->free_count; j++)
                A[s->column[b->member[i]] * u + b->free[j]] = b->B[i * b->free_count + j];
    }
}

// G = g of the dependent speeds, zero of others.
void kane_cluster_get_bias(const kane_cluster_work *s, double *G)
{
    const kane_cluster *cluster = s->cluster;
    const int rank              = cluster->v_count - cluster->u_count;
    memset(G, 0, (size_t)cluster->v_count * sizeof *G);
    for (int i = 0; i < rank; i++)
        G[s->column[i]] = s->g[i];
}

int kane_cluster_get_rows(const kane_cluster_work *s, int *row)
{
    const kane_cluster *cluster = s->cluster;
    int count                   = 0;
    for (int i = 0; i < cluster->rank && cluster->form == KANE_FORM_COEFFICIENTS; i++)
        row[count++] = s->row[i];
    for (int i = 0; i < cluster->row_count && cluster->form == KANE_FORM_MULTIPLIERS; i++)
        if (cluster->kept[i])
            row[count++] = i;
    return count;
}

void kane_cluster_get_row(const kane_cluster_work *s, int row, double *Phi, double *rate, double *bias)
{
    const kane_cluster *cluster = s->cluster;
    for (int k = cluster->coefficient_begin[row]; k < cluster->coefficient_begin[row + 1]; k++)
        Phi[cluster->coefficient_speed[k]] = s->J[k];
    *rate = s->rate[row];
    *bias = s->bias[row];
}
