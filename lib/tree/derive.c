// SPDX-License-Identifier: MIT
// Derivatives of accelerations, group by group: by directions first, then by coordinates, which carry roots along.

#include "tree/derive_group.h"

// Columns of directions, then what coordinates of all ancestors make of the pose of the roots that they carry.
//   still  1: shifts of the root change nothing
static void spread(const kane_group *group, const kane_derive_work *scratch, const kane_tree_work *work,
                   const double *local, int still, double *values)
{
    kane_twist *carried = scratch->carried;
    for (int k = 0; k < group->carry_count; k++) {
        const kane_carry *carry = &group->carries[k];
        carried[k]              = scratch->twist[carry->twist];
        if (!still)
            carried[k].l = kv3_add(
                carried[k].l, kv3_cross(carried[k].e, kv3_sub(work->link[carry->root].r, work->link[carry->link].r)));
    }
    for (int row = 0; row < group->row_count; row++) {
        const double *from = local + (size_t)row * (size_t)group->local_count;
        double *to         = values + (size_t)row * (size_t)group->column_count;
        for (int c = 0; c < group->copied_count; c++)
            to[c] = from[group->copied[c]];
        for (int c = group->copied_count; c < group->column_count; c++)
            to[c] = 0.0;
        if (still && group->alone && row < 3) // its mass centre does not feel how it is turned
            continue;
        for (int k = 0; k < group->carry_count; k++) {
            const kane_carry *carry = &group->carries[k];
            const double *turns = from + carry->pose + KANE_ROOT_TURNS, *shifts = from + carry->pose + KANE_ROOT_SHIFTS;
            to[carry->column] += kv3_dot(kv3(turns[0], turns[1], turns[2]), carried[k].e);
            if (!still)
                to[carry->column] += kv3_dot(kv3(shifts[0], shifts[1], shifts[2]), carried[k].l);
        }
    }
}

static int is_still(const kane_base *base)
{
    return kv3_dot(base->w, base->w) + kv3_dot(base->al, base->al) == 0.0;
}

void kane_derive_move(const kane_derive_map *map, kane_derive_work *scratch, const kane_tree_work *work,
                      const kane_base *bases)
{
    kane_coordinate_twists(map, work, scratch->twist);
    for (int g = 0; g < map->group_count; g++) {
        const kane_group *group = &map->groups[g];
        kane_group_move(map, group, scratch, work, &bases[map->tree->links[group->root].frame]);
    }
}

void kane_tree_derive(const kane_derive_map *map, kane_derive_work *scratch, const kane_tree_work *work,
                      const kane_base *bases, const kane_wrench *acting, const kane_gradient *gradients, double *values)
{
    kane_derive_move(map, scratch, work, bases);
    for (int g = 0; g < map->group_count; g++) {
        const kane_group *group = &map->groups[g];
        const kane_base *base   = &bases[map->tree->links[group->root].frame];
        double *out             = values + group->at;
        if (group->alone && !group->held) {
            kane_alone_derive(map, group, scratch, work, bases, acting, gradients, scratch->local, group->local_count);
        } else {
            double *to       = group->direct ? out : scratch->local;
            const int stride = group->direct ? group->column_count : group->local_count;
            const int forced = kane_group_is_forced(group, acting);
            kane_group_weigh(map, group, scratch, work, acting, gradients);
            kane_group_sweep(map, group, scratch, work, gradients, forced, to, stride);
        }
        if (!group->direct)
            spread(group, scratch, work, scratch->local, group->pair_count == 0 && is_still(base), out);
    }
}
