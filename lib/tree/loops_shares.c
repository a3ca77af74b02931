// SPDX-License-Identifier: MIT
// Which reactions redundant rows leave undetermined.
//
// Where rows say the same, multipliers z with  Phi' z = 0  accelerate nothing: added to any multipliers they give others that
// are as good. Rows with z_i != 0 for some such z share their loads in a way that rigid bodies do not determine, and so do
// joints in which z leaves a wrench. What no z reaches is determined.

#include "tree/loops_assemble.h"

#include <string.h>

// Parts of z, and of the wrenches that it makes, below this of the greatest are round-off of rows that are closed to 1e-10.
static const double nothing = 1e-6;

// z for the redundant row s->row_next[r]: one of itself, and of the used rows what takes it away. Needs LU of those.
static void find_null(const kane_assembler *a, int r, double *z)
{
    const kane_cluster *c = a->cluster;
    kane_cluster_work *s  = a->s;
    const int n = c->v_count, row = s->row_next[r];
    memset(z, 0, (size_t)c->row_count * sizeof *z);
    for (int k = 0; k < c->rank; k++)
        s->x[k] = s->J[row * n + s->column_next[k]];
    kane_lu_solve_transposed(c->rank, s->LU, s->pivot, s->x);
    for (int k = 0; k < c->rank; k++)
        z[s->row_next[k]] = -s->x[k];
    z[row] = 1.0;
}

static void mark_rows(const kane_assembler *a, const double *z)
{
    const kane_cluster *c = a->cluster;
    double most           = 0.0;
    for (int i = 0; i < c->row_count; i++)
        most = fmax(most, fabs(z[i]) * c->row_scale[i]);
    for (int i = 0; i < c->row_count; i++)
        c->undetermined[i] |= fabs(z[i]) * c->row_scale[i] > nothing * most;
}

// Bits of the components that are not nothing, the first at `bit`.
static unsigned bits_of(kane_vec3 a, double size, int bit)
{
    unsigned bits = 0;
    for (int axis = 0; axis < 3; axis++)
        bits |= fabs(kv3_get(a, axis)) > nothing * size ? 1u << (bit + axis) : 0u;
    return bits;
}

// The wrenches that z puts on links go through their joints to what these hang on.
static void mark_joints(const kane_assembler *a, const double *z)
{
    const kane_cluster *c      = a->cluster;
    const kane_tree_work *work = a->work;
    kane_wrench *w             = a->s->wrench;
    double size                = 0.0;
    for (int i = 0; i < c->link_count; i++)
        w[c->links[i]] = (kane_wrench){kv3_zero(), kv3_zero()};
    for (int k = 0; k < c->closure_count; k++) {
        const kane_closure_values *values = &a->s->values[k];
        for (int p = 0; p < values->push_count; p++) {
            const double by         = z[c->row_begin[k] + values->push[p].row];
            const kane_wrench x     = {kv3_scale(by, values->push[p].push.force),
                                       kv3_scale(by, values->push[p].push.torque)};
            w[values->push[p].link] = kw_add(w[values->push[p].link], x);
            size                    = fmax(size, kv3_norm(x.force) + kv3_norm(x.torque));
        }
    }
    for (int i = c->link_count - 1; i >= 0; i--) {
        const kane_link *link    = &a->tree->links[c->links[i]];
        const kane_link_state *s = &work->link[c->links[i]];
        const kane_wrench own    = w[c->links[i]];
        if (link->kind == KANE_LINK_BODY) // hangs by nothing
            continue;
        const kane_mat3 R    = km3_mul(s->R, link->joint_R);
        const kane_vec3 at_c = kv3_sub(own.torque, kv3_cross(km3_mulv(s->R, link->c), own.force));
        c->link_undetermined[i] |=
            bits_of(km3_tmulv(R, own.force), size, 0) | bits_of(km3_tmulv(R, own.torque), size, 3);
        c->link_undetermined[i] |= bits_of(own.force, size, 6) | (kv3_norm(at_c) > nothing * size ? 7u << 9 : 0u);
        if (link->parent < 0)
            continue;
        const kane_vec3 torque = kv3_add(own.torque, kv3_cross(s->rho, own.force));
        w[link->parent]        = kw_add(w[link->parent], (kane_wrench){own.force, torque});
    }
}

void kane_assembler_mark_undetermined(kane_assembler *a)
{
    const kane_cluster *c = a->cluster;
    kane_cluster_work *s  = a->s;
    const int n = c->v_count, rank = c->rank;
    double *z     = kane_arena_doubles(a->arena, (size_t)c->row_count);
    int positions = c->position_rank, found = rank;
    a->no_memory = a->no_memory || !z;
    if (!z || rank == c->row_count)
        return;
    (void)kane_assembler_look(a, 0);
    kane_cluster_order(c, s, s->row_next, s->column_next, 1e-4, &positions, &found);
    if (found < rank) // close to a singular position, where more rows depend on each other
        return;
    for (int i = 0; i < rank; i++)
        for (int k = 0; k < rank; k++)
            s->LU[i * rank + k] = s->J[s->row_next[i] * n + s->column_next[k]];
    if (!kane_lu_factor(rank, s->LU, s->pivot))
        return;
    for (int r = rank; r < c->row_count; r++) {
        find_null(a, r, z);
        mark_rows(a, z);
        mark_joints(a, z);
    }
}
