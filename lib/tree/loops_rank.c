// SPDX-License-Identifier: MIT
// Which rows of a cluster are redundant: they say the same as others in every position, not only in the present one.

#include "tree/loops_assemble.h"

#include <string.h>

enum { SAMPLES = 6 };

// Positions that are looked at are so far away [rad], or so much of the greatest distance of joints.
static const double away = 0.05;

// Pivots of scaled rows below this are none.
static const double no_pivot = 1e-7;

// Rows that are smaller than this against the greatest one say nothing.
static const double no_row = 1e-8;

// Greatest distance between two joints of a body.
static double reach(const kane_assembler *a)
{
    double most = 0.0;
    for (int i = 0; i < a->cluster->link_count; i++)
        most = fmax(most, kv3_norm(a->work->link[a->cluster->links[i]].rho));
    return most;
}

// Size of the rows here, if greater than elsewhere.
static void measure(kane_assembler *a)
{
    const kane_cluster *c = a->cluster;
    const int n           = c->v_count;
    for (int i = 0; i < c->row_count; i++) {
        double sum = 0.0;
        for (int k = 0; k < n; k++) {
            const double x = a->s->J[i * n + k] / a->s->scale[k];
            sum += x * x;
        }
        c->row_scale[i] = fmax(c->row_scale[i], sqrt(sum));
    }
}

// A row that is nothing but round-off everywhere must not look like one.
static void limit_scales(kane_cluster *c)
{
    double most = 0.0;
    for (int i = 0; i < c->row_count; i++)
        most = fmax(most, c->row_scale[i]);
    for (int i = 0; i < c->row_count; i++)
        if (!(c->row_scale[i] > no_row * most))
            c->row_scale[i] = most > 0.0 ? most : 1.0;
}

// Rank here: takes over what is more than before.
static void count(kane_assembler *a)
{
    kane_cluster *c = a->cluster;
    int positions = c->position_count, rank = c->row_count;
    kane_cluster_order(c, a->s, a->s->row_next, a->s->column_next, no_pivot, &positions, &rank);
    if (rank < c->rank || (rank == c->rank && positions <= c->position_rank))
        return;
    c->rank          = rank;
    c->position_rank = positions;
    memset(c->kept, 0, (size_t)c->row_count * sizeof *c->kept);
    for (int i = 0; i < rank; i++)
        c->kept[a->s->row_next[i]] = 1;
}

void kane_assembler_rank(kane_assembler *a)
{
    kane_cluster *c   = a->cluster;
    const size_t size = (size_t)a->tree->q_count;
    double *samples   = kane_arena_doubles(a->arena, (SAMPLES + 1) * size);
    int found         = 0;
    c->rank = c->position_rank = -1;
    memset(c->row_scale, 0, (size_t)c->row_count * sizeof *c->row_scale);
    if (!samples) {
        a->no_memory = 1;
        return;
    }
    kane_assembler_hold_coordinates(a, NULL);
    memcpy(samples, a->work->q, size * sizeof *samples);
    (void)kane_assembler_look(a, 0);
    const double distance = away * fmax(reach(a), 1e-3);
    for (int i = 0; i <= SAMPLES; i++) { // the first is the position itself
        memcpy(a->work->q, samples, size * sizeof *samples);
        (void)kane_assembler_look(a, 0);
        if (i > 0) {
            kane_assembler_scatter(a, distance < away ? distance : away);
            kane_assembler_shift(a);
            if (!(kane_assembler_close(a) <= KANE_CLOSED))
                continue;
            (void)kane_assembler_look(a, 0);
        }
        memcpy(samples + (size_t)found++ * size, a->work->q, size * sizeof *samples);
        measure(a);
    }
    limit_scales(c);
    for (int i = found - 1; i >= 0; i--) {
        memcpy(a->work->q, samples + (size_t)i * size, size * sizeof *samples);
        (void)kane_assembler_look(a, 0);
        count(a);
    }
    for (int i = 0; i < found; i++) {
        memcpy(a->work->q, samples + (size_t)i * size, size * sizeof *samples);
        kane_assembler_mark_undetermined(a);
    }
}
