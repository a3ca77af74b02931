// SPDX-License-Identifier: MIT
// Derivatives of accelerations, group by group: by directions first, then by coordinates, which carry roots along.

#include "tree/derive_group.h"

// Columns of directions, then what coordinates of all ancestors make of the pose of the roots that they carry.
//   still  1: shifts of the root change nothing
static void spread(const kane_derive_map *map, const kane_group *group, const kane_derive_work *scratch,
                   const kane_tree_work *work, const double *local, int still, double *values)
{
    const size_t columns = (size_t)group->column_count, stride = (size_t)group->local_count;
    for (int row = 0; row < group->row_count; row++) {
        const double *from = local + (size_t)row * stride;
        double *to         = values + (size_t)row * columns;
        for (int c = 0; c < group->column_count; c++)
            to[c] = group->copied[c] >= 0 ? from[group->copied[c]] : 0.0;
    }
    for (int k = 0; k < group->carry_count; k++) {
        const kane_carry *carry = &group->carries[k];
        const kane_twist s      = scratch->twist[map->tree->links[carry->link].q + carry->coordinate];
        const double *by        = local + carry->pose;
        double *to              = values + carry->column;
        for (int row = 0; row < group->row_count; row++, by += stride, to += columns)
            *to += by[KANE_ROOT_TURNS] * s.e.x + by[KANE_ROOT_TURNS + 1] * s.e.y + by[KANE_ROOT_TURNS + 2] * s.e.z;
        if (still)
            continue;
        const kane_vec3 reach = kv3_sub(work->link[carry->root].r, work->link[carry->link].r);
        const kane_vec3 shift = kv3_add(s.l, kv3_cross(s.e, reach));
        by                    = local + carry->pose;
        to                    = values + carry->column;
        for (int row = 0; row < group->row_count; row++, by += stride, to += columns)
            *to += by[KANE_ROOT_SHIFTS] * shift.x + by[KANE_ROOT_SHIFTS + 1] * shift.y +
                   by[KANE_ROOT_SHIFTS + 2] * shift.z;
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
            kane_group_weigh(map, group, scratch, work, acting);
            kane_group_sweep(map, group, scratch, work, acting, gradients, to, stride);
        }
        if (!group->direct)
            spread(map, group, scratch, work, scratch->local, group->pair_count == 0 && is_still(base), out);
    }
}
