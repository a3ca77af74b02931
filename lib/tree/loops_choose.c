// SPDX-License-Identifier: MIT
// Which speeds of a cluster are independent: pivots of its rows in kinetic scales.

#include "base/number.h"
#include "tree/loops_work.h"

#include <stdlib.h>
#include <string.h>

// Rows with a pivot of at least this part of the largest may be used first: earlier constraints are preferred.
static const double earlier_row = 0.1;

// A choice of at least this quality is kept.
static const double good_enough = 0.25;

// Pivots that are smaller against the greatest than this are lost in round-off: the position is singular.
static const double least_pivot = 1e-8;

// J_rk/(row_scale_r scale_k): rows and columns without units, so that metres and radians compare.
static void scale_rows(kane_cluster_work *s)
{
    const kane_cluster *cluster = s->cluster;
    kane_elimination_begin(s->elimination);
    for (int row = 0; row < cluster->row_count; row++)
        for (int k = cluster->coefficient_begin[row]; k < cluster->coefficient_begin[row + 1]; k++) {
            const int speed = cluster->coefficient_speed[k];
            if (s->J[k] != 0.0)
                kane_elimination_add(s->elimination, row, speed, s->J[k] / (cluster->row_scale[row] * s->scale[speed]));
        }
}

static void reverse_ints(int count, int *a)
{
    for (int i = 0, k = count - 1; i < k; i++, k--) {
        const int x = a[i];
        a[i]        = a[k];
        a[k]        = x;
    }
}

// Gaussian elimination with pivoting: rows with values first, so that dependent coordinates exist; then rows of speeds.
int kane_cluster_order(kane_cluster_work *s, int *row, int *column, double small, int *position_most, int *most)
{
    const kane_cluster *cluster = s->cluster;
    const int m = cluster->row_count, n = cluster->v_count, positions = cluster->position_count;
    kane_elimination *e = s->elimination;
    int count           = 0;
    for (int kind = 1; kind >= 0; kind--)
        for (int i = 0; i < m; i++)
            if (cluster->is_position[i] == kind)
                row[count++] = i;
    for (int k = 0; k < n; k++)
        column[k] = k;
    scale_rows(s);
    const int found = kane_eliminate(e, row, column, 0, positions, *position_most, small, earlier_row);

    // rows of speeds go before those rows with values that are redundant; both stay in their order
    reverse_ints(positions - found, row + found);
    reverse_ints(m - positions, row + positions);
    reverse_ints(m - found, row + found);
    *position_most = found;
    *most          = kane_eliminate(e, row, column, found, found + m - positions, *most, small, earlier_row);
    qsort(column + *most, (size_t)(n - *most), sizeof *column, kane_compare_ints);
    return !kane_elimination_lacks_memory(e);
}

// Blocks' LU; singular if the smallest pivot is below least_pivot of the largest.
int kane_cluster_factor(kane_cluster_work *s)
{
    double least, greatest;
    s->solved = kane_blocks_factor(s, &least, &greatest) && least > least_pivot * greatest;
    return s->solved;
}

// Whether a row is zero, as those across the plane of a plane mechanism.
static int is_zero(const kane_cluster_work *s, int row)
{
    for (int k = s->cluster->coefficient_begin[row]; k < s->cluster->coefficient_begin[row + 1]; k++)
        if (s->J[k] != 0.0)
            return 0;
    return 1;
}

// Largest coefficient of a redundant row as a combination of the rows in use, P_d' x = row, in scales: large where rows
// in use are nearly redundant.
static double redundant_growth(kane_cluster_work *s)
{
    const kane_cluster *cluster = s->cluster;
    const int rank              = cluster->rank;
    double most                 = 0.0;
    for (int i = rank; i < cluster->row_count; i++) {
        const int row = s->row[i];
        if (is_zero(s, row))
            continue;
        kane_cluster_row_by_partition(s, row, rank, s->x);
        kane_blocks_solve_transposed(s, s->x);
        for (int k = 0; k < rank; k++) {
            const double growth = fabs(s->x[k]) * cluster->row_scale[s->row[k]] / cluster->row_scale[row];
            most                = growth > most ? growth : most; // fmax: GCC 12.2 for arm64 ends in an internal error
        }
    }
    return most;
}

// Largest |B_mf| scale_m/scale_f, at least 1.
static double greatest_entry(const kane_cluster_work *s)
{
    const int rank = s->cluster->rank;
    double most    = 1.0;
    for (int k = 0; k < s->block_count; k++) {
        const kane_loop_block *b = &s->blocks[k];
        for (int m = 0; m < b->count; m++)
            for (int f = 0; f < b->free_count; f++)
                most = fmax(most, fabs(b->B[m * b->free_count + f]) * s->scale[s->column[b->member[m]]] /
                                      s->scale[s->column[rank + b->free[f]]]);
    }
    return most;
}

// 1/max(entry of A, growth of redundant rows), in kinetic scales.
double kane_cluster_quality(kane_cluster_work *s)
{
    if (s->cluster->form == KANE_FORM_MULTIPLIERS)
        return 1.0;
    return s->solved ? 1.0 / fmax(greatest_entry(s), redundant_growth(s)) : 0.0;
}

// Whether coordinates of a link are solved for.
static int has_dependent(const kane_link *link, const kane_cluster_work *s)
{
    for (int k = 0; k < link->v_count; k++)
        if (s->dependent[link->v + k])
            return 1;
    return 0;
}

// Takes over the new choice and its blocks. Returns 1 if the independent speeds have changed.
static int adopt_partition(kane_cluster_work *s)
{
    const kane_cluster *cluster = s->cluster;
    const int rank = cluster->rank, u = cluster->v_count - rank;
    const int same = s->chosen && memcmp(s->column + rank, s->column_next + rank, (size_t)u * sizeof *s->column) == 0;
    memcpy(s->row, s->row_next, (size_t)cluster->row_count * sizeof *s->row);
    memcpy(s->column, s->column_next, (size_t)cluster->v_count * sizeof *s->column);
    for (int k = 0; k < cluster->v_count; k++) {
        s->dependent[cluster->speeds[s->column[k]]] = k < cluster->position_rank;
        s->position[s->column[k]]                   = k;
    }
    for (int k = 0; k < u; k++)
        s->independent[k] = cluster->speeds[s->column[rank + k]];
    s->moved_count = 0;
    for (int i = 0; i < cluster->link_count; i++)
        if (has_dependent(&s->e.tree->links[cluster->links[i]], s))
            s->moved[s->moved_count++] = cluster->links[i];
    kane_blocks_arrange(s);
    s->chosen = 1;
    return !same;
}

// A new choice only if the quality of the present one is below good_enough.
int kane_cluster_partition(kane_cluster_work *s)
{
    const kane_cluster *cluster = s->cluster;
    int position_rank = cluster->position_rank, rank = cluster->rank;
    if (cluster->form == KANE_FORM_MULTIPLIERS)
        return 0;
    kane_cluster_move(s);
    kane_cluster_rows(s);
    kane_cluster_theta(s);
    kane_cluster_scale(s);
    if (s->chosen && kane_cluster_factor(s) && kane_cluster_quality(s) >= good_enough)
        return 0;
    (void)kane_cluster_order(s, s->row_next, s->column_next, 0.0, &position_rank, &rank);
    if (position_rank < cluster->position_rank || rank < cluster->rank) // nothing can be chosen here
        return 0;
    const int other = adopt_partition(s);
    (void)kane_cluster_factor(s);
    return other;
}

void kane_cluster_get_partition(const kane_cluster_work *s, int *row, int *column, double *scale)
{
    for (int i = 0; i < s->cluster->row_count; i++)
        row[i] = s->chosen ? s->row[i] : -1;
    for (int k = 0; k < s->cluster->v_count; k++) {
        column[k] = s->chosen ? s->column[k] : -1;
        scale[k]  = s->chosen ? s->scale[k] : 0.0;
    }
}

void kane_cluster_set_partition(kane_cluster_work *s, const int *row, const int *column, const double *scale)
{
    const kane_cluster *cluster = s->cluster;
    s->chosen                   = 0;
    if (cluster->v_count == 0 || column[0] < 0)
        return;
    memcpy(s->row_next, row, (size_t)cluster->row_count * sizeof *row);
    memcpy(s->column_next, column, (size_t)cluster->v_count * sizeof *column);
    memcpy(s->scale, scale, (size_t)cluster->v_count * sizeof *scale);
    (void)adopt_partition(s);
}

const int *kane_cluster_independent(const kane_cluster_work *s)
{
    return s->cluster->form == KANE_FORM_MULTIPLIERS ? s->cluster->speeds : s->independent;
}

// Fewer pivots above 1e-3 (kinetic scales) than the rank.
int kane_cluster_is_singular(kane_cluster_work *s)
{
    const kane_cluster *cluster = s->cluster;
    static const double close   = 1e-3; // of pivots in kinetic scales
    int positions = cluster->position_count, rank = cluster->row_count;
    kane_cluster_rows(s);
    return kane_cluster_order(s, s->row_next, s->column_next, close, &positions, &rank) && rank < cluster->rank;
}
