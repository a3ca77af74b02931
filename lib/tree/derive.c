// SPDX-License-Identifier: MIT
// Derivatives of accelerations, group by group: by directions first, then by coordinates, which carry roots along.

#include "tree/derive_group.h"

// Columns of directions, then what coordinates of all ancestors make of the pose of the roots that they carry.
static void spread(const kane_derive_map *map, const kane_group *group, const kane_tree_work *work, const double *local,
                   double *values)
{
    const int columns = group->column_count, stride = group->local_count;
    for (int row = 0; row < group->row_count; row++) {
        const double *from = local + (size_t)row * (size_t)stride;
        double *to         = values + (size_t)row * (size_t)columns;
        for (int c = 0; c < columns; c++)
            to[c] = group->copied[c] >= 0 ? from[group->copied[c]] : 0.0;
    }
    for (int k = 0; k < group->carry_count; k++) {
        const kane_carry *carry = &group->carries[k];
        const kane_twist s      = kane_coordinate_twist(map->tree, work, carry->link, carry->coordinate);
        const kane_vec3 reach   = kv3_sub(work->link[carry->root].r, work->link[carry->link].r);
        const kane_vec3 shift = kv3_add(s.l, kv3_cross(s.e, reach)), turn = s.e;
        for (int row = 0; row < group->row_count; row++) {
            const double *by = local + (size_t)row * (size_t)stride + carry->pose;
            values[(size_t)row * (size_t)columns + (size_t)carry->column] +=
                by[0] * shift.x + by[1] * shift.y + by[2] * shift.z + by[3] * turn.x + by[4] * turn.y + by[5] * turn.z;
        }
    }
}

void kane_derive_move(const kane_derive_map *map, kane_derive_work *scratch, const kane_tree_work *work,
                      const kane_base *bases)
{
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
        double *out             = values + group->at;
        kane_group_weigh(map, group, scratch, work, acting);
        if (group->direct) {
            kane_group_sweep(map, group, scratch, work, acting, gradients, out, group->column_count);
            continue;
        }
        kane_group_sweep(map, group, scratch, work, acting, gradients, scratch->local, group->local_count);
        spread(map, group, work, scratch->local, out);
    }
}
