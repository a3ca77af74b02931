// SPDX-License-Identifier: MIT
// Redundant rows of a cluster: dependent on others in every position, not only in the present one. And the reactions
// that they leave undetermined.

#include "tree/loops_assemble.h"

#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 6 };

// Distance of the sampled positions [rad], or part of the largest distance of joints.
static const double away = 0.05;

// Pivots of scaled rows below this count as zero.
static const double no_pivot = 1e-7;

// Rows below this part of the largest count as zero.
static const double no_row = 1e-8;

// Greatest distance between two joints of a body.
static double longest_joint_arm(const kane_assembler *a)
{
    double most = 0.0;
    for (int i = 0; i < a->cluster->link_count; i++)
        most = fmax(most, kv3_norm(a->work->link[a->cluster->links[i]].rho));
    return most;
}

// row_scale = max over positions of |J/scale|.
static void update_row_scales(kane_assembler *a)
{
    const kane_cluster *c = a->cluster;
    for (int i = 0; i < c->row_count; i++) {
        double sum = 0.0;
        for (int k = c->coefficient_begin[i]; k < c->coefficient_begin[i + 1]; k++) {
            const double x = a->s->J[k] / a->s->scale[c->coefficient_speed[k]];
            sum += x * x;
        }
        c->row_scale[i] = fmax(c->row_scale[i], sqrt(sum));
    }
}

// The scale of a row that is round-off everywhere is that of the largest row.
static void limit_scales(kane_cluster *c)
{
    double most = 0.0;
    for (int i = 0; i < c->row_count; i++)
        most = fmax(most, c->row_scale[i]);
    for (int i = 0; i < c->row_count; i++)
        if (!(c->row_scale[i] > no_row * most))
            c->row_scale[i] = most > 0.0 ? most : 1.0;
}

// Rank at this position, kept if larger than before.
static void update_rank(kane_assembler *a)
{
    kane_cluster *c = a->cluster;
    int positions = c->position_count, rank = c->row_count;
    if (!kane_cluster_order(a->s, a->s->row_next, a->s->column_next, no_pivot, &positions, &rank))
        a->no_memory = 1;
    if (rank < c->rank || (rank == c->rank && positions <= c->position_rank))
        return;
    c->rank          = rank;
    c->position_rank = positions;
    memset(c->kept, 0, (size_t)c->row_count * sizeof *c->kept);
    for (int i = 0; i < rank; i++)
        c->kept[a->s->row_next[i]] = 1;
}

// --- undetermined reactions (docs/mechanisms.md, section 7) ---
//
// Multipliers z with  Phi' z = 0  cause no acceleration, and may be added to any multipliers. Rigid bodies do not
// determine the loads of rows with z_i != 0 for some such z, nor those of joints in which z has a wrench. All others
// are determined. Every redundant row gives one z, with the rows of which it is a combination, mostly few and nearby.

// Parts of z, and of the wrenches that it makes, below this of the greatest are round-off of rows that are closed to
// 1e-10.
static const double nothing = 1e-6;

// One z after the other.
typedef struct shares {
    int count, *row;        // rows with z != 0 [row_count]
    double *z;              // of scaled rows; then of rows [row_count]
    int *closure_of;        // of every row [row_count]
    int *place;             // of the cluster's links among them [tree's link_count]
    int *seen;              // 1: among `links` [tree's link_count]
    int link_count, *links; // with wrenches of z, and their carriers [link_count of the cluster]
} shares;

static int create_shares(kane_assembler *a, shares *x)
{
    const kane_cluster *c = a->cluster;
    *x                    = (shares){0};
    x->row                = kane_arena_alloc(a->arena, (size_t)c->row_count, sizeof *x->row);
    x->z                  = kane_arena_doubles(a->arena, (size_t)c->row_count);
    x->closure_of         = kane_arena_alloc(a->arena, (size_t)c->row_count, sizeof *x->closure_of);
    x->place              = kane_arena_alloc(a->arena, (size_t)a->tree->link_count, sizeof *x->place);
    x->seen               = kane_arena_alloc(a->arena, (size_t)a->tree->link_count, sizeof *x->seen);
    x->links              = kane_arena_alloc(a->arena, (size_t)c->link_count, sizeof *x->links);
    if (kane_arena_failed(a->arena))
        return 0;
    for (int i = 0; i < c->link_count; i++)
        x->place[c->links[i]] = i;
    for (int i = 0; i < c->closure_count; i++)
        for (int row = c->row_begin[i]; row < c->row_begin[i + 1]; row++)
            x->closure_of[row] = i;
    return 1;
}

// Marks rows with z != 0; z of scaled rows becomes that of rows.
static void mark_rows(const kane_assembler *a, shares *x)
{
    const kane_cluster *c = a->cluster;
    double most           = 0.0;
    for (int i = 0; i < x->count; i++)
        most = fmax(most, fabs(x->z[i]));
    for (int i = 0; i < x->count; i++) {
        c->undetermined[x->row[i]] |= fabs(x->z[i]) > nothing * most;
        x->z[i] /= c->row_scale[x->row[i]];
    }
}

// Bits of the components that are not nothing, the first at `bit`.
static unsigned bits_of(kane_vec3 a, double size, int bit)
{
    unsigned bits = 0;
    for (int axis = 0; axis < 3; axis++)
        bits |= fabs(kv3_get(a, axis)) > nothing * size ? 1u << (bit + axis) : 0u;
    return bits;
}

// Adds a link with a wrench of z, and its carriers, to `links`.
static void include_link_path(const kane_assembler *a, shares *x, int link)
{
    for (int i = link; i >= 0 && !x->seen[i]; i = a->tree->links[i].parent) {
        x->seen[i]                = 1;
        x->links[x->link_count++] = i;
        a->s->wrench[i]           = (kane_wrench){kv3_zero(), kv3_zero()};
        if (a->tree->links[i].kind == KANE_LINK_BODY) // transmits nothing
            return;
    }
}

// The wrenches that z puts on links; the greatest.
static double apply_row_wrenches(const kane_assembler *a, shares *x)
{
    const kane_cluster *c = a->cluster;
    double size           = 0.0;
    for (int i = 0; i < x->count; i++) {
        const kane_constraint_rows_values *values = &a->s->values[x->closure_of[x->row[i]]];
        const int row                             = x->row[i] - c->row_begin[x->closure_of[x->row[i]]];
        for (int p = 0; p < values->direction_count; p++) {
            if (values->direction[p].row != row)
                continue;
            const kane_wrench load = {kv3_scale(x->z[i], values->direction[p].wrench.force),
                                      kv3_scale(x->z[i], values->direction[p].wrench.torque)};
            kane_wrench *sum       = &a->s->wrench[values->direction[p].link];
            include_link_path(a, x, values->direction[p].link);
            *sum = kw_add(*sum, load);
            size = fmax(size, kv3_norm(load.force) + kv3_norm(load.torque));
        }
    }
    return size;
}

static int compare_descending(const void *a, const void *b)
{
    return *(const int *)b - *(const int *)a;
}

// Bits of the components of z in a link's joint (kane_cluster.link_undetermined); adds the wrench to its parent.
static unsigned bits_of_joint(const kane_assembler *a, int i, double size)
{
    const kane_link *link    = &a->tree->links[i];
    const kane_link_state *s = &a->work->link[i];
    const kane_wrench own    = a->s->wrench[i];
    if (link->kind == KANE_LINK_BODY) // transmits nothing
        return 0;
    const kane_mat3 R    = km3_mul(s->R, link->joint_R);
    const kane_vec3 at_c = kv3_sub(own.torque, kv3_cross(km3_mulv(s->R, link->c), own.force));
    if (link->parent >= 0) {
        const kane_vec3 torque     = kv3_add(own.torque, kv3_cross(s->rho, own.force));
        a->s->wrench[link->parent] = kw_add(a->s->wrench[link->parent], (kane_wrench){own.force, torque});
    }
    return bits_of(km3_tmulv(R, own.force), size, 0) | bits_of(km3_tmulv(R, own.torque), size, 3) |
           bits_of(own.force, size, 6) | (kv3_norm(at_c) > nothing * size ? 7u << 9 : 0u);
}

// Wrenches of z through the joints, leaves first.
static void mark_joints(const kane_assembler *a, shares *x)
{
    x->link_count     = 0;
    const double size = apply_row_wrenches(a, x);
    qsort(x->links, (size_t)x->link_count, sizeof *x->links, compare_descending); // children before their parents
    for (int k = 0; k < x->link_count; k++) {
        const int i = x->links[k];
        a->cluster->link_undetermined[x->place[i]] |= bits_of_joint(a, i, size);
        x->seen[i] = 0;
    }
}

// Marks rows and joints with undetermined loads at the position in work.
static void mark_undetermined(kane_assembler *a, shares *x)
{
    const kane_cluster *c = a->cluster;
    kane_cluster_work *s  = a->s;
    int positions = c->position_rank, found = c->rank;
    (void)kane_assembler_evaluate(a, 0);
    if (!kane_cluster_order(s, s->row_next, s->column_next, 1e-4, &positions, &found))
        a->no_memory = 1;
    if (found < c->rank || a->no_memory) // close to a singular position, where more rows depend on each other
        return;
    for (int r = c->rank; r < c->row_count; r++) {
        x->count = kane_elimination_combine(s->elimination, s->row_next[r], x->row, x->z);
        mark_rows(a, x);
        mark_joints(a, x);
    }
}

// --- all ---

// The position in work and SAMPLES closed positions nearby: the largest rank counts.
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
    (void)kane_assembler_evaluate(a, 0);
    const double distance = away * fmax(longest_joint_arm(a), 1e-3);
    for (int i = 0; i <= SAMPLES; i++) { // the first is the position itself
        memcpy(a->work->q, samples, size * sizeof *samples);
        (void)kane_assembler_evaluate(a, 0);
        if (i > 0) {
            kane_assembler_scatter(a, distance < away ? distance : away);
            kane_assembler_shift(a);
            if (!(kane_assembler_close(a) <= KANE_CLOSED))
                continue;
            (void)kane_assembler_evaluate(a, 0);
        }
        memcpy(samples + (size_t)found++ * size, a->work->q, size * sizeof *samples);
        update_row_scales(a);
    }
    limit_scales(c);
    for (int i = found - 1; i >= 0; i--) {
        memcpy(a->work->q, samples + (size_t)i * size, size * sizeof *samples);
        (void)kane_assembler_evaluate(a, 0);
        update_rank(a);
    }
    if (c->rank == c->row_count || a->no_memory)
        return;
    shares x;
    if (!create_shares(a, &x)) {
        a->no_memory = 1;
        return;
    }
    for (int i = 0; i < found; i++) {
        memcpy(a->work->q, samples + (size_t)i * size, size * sizeof *samples);
        mark_undetermined(a, &x);
    }
}
