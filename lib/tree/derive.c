// SPDX-License-Identifier: MIT
// Derivatives of accelerations, group by group: by directions first, then by coordinates, which carry roots along.

#include "tree/derive_group.h"

// What a row makes of turning and shifting the roots that it reaches goes down to the frame link by link: of a turn
// about the parent's origin there is, beyond the link's own turn, the shift of the link. Every coordinate on the way
// takes its part.
//   still  1: shifts change nothing
static void carry_row(const kane_derive_map *map, const kane_group *group, const kane_derive_work *scratch,
                      const kane_tree_work *work, const double *from, int still, double *to)
{
    kane_twist *poses = scratch->poses;
    for (int k = 0; k < group->carrier_count; k++)
        poses[k] = (kane_twist){kv3_zero(), kv3_zero()};
    for (int k = 0; k < group->carrier_count; k++) {
        const kane_carrier *c   = &group->carriers[k];
        const kane_link *link   = &map->tree->links[c->link];
        const kane_twist *twist = scratch->twist + link->q;
        kane_twist by           = poses[k];
        if (c->pose >= 0) {
            const double *turns = from + c->pose + KANE_ROOT_TURNS, *shifts = from + c->pose + KANE_ROOT_SHIFTS;
            by.e = kv3_add(by.e, kv3(turns[0], turns[1], turns[2]));
            by.l = kv3_add(by.l, kv3(shifts[0], shifts[1], shifts[2]));
        }
        for (int i = 0; i < link->q_count; i++)
            if (c->column[i] >= 0)
                to[c->column[i]] += kv3_dot(by.e, twist[i].e) + (still ? 0.0 : kv3_dot(by.l, twist[i].l));
        if (c->up < 0)
            continue;
        kane_twist *up = &poses[c->up];
        up->e          = kv3_add(up->e, by.e);
        if (!still) {
            up->e = kv3_add(up->e, kv3_cross(work->link[c->link].rho, by.l));
            up->l = kv3_add(up->l, by.l);
        }
    }
}

// Columns of directions, then what coordinates of all ancestors make of the poses of the roots that they carry.
static void spread(const kane_derive_map *map, const kane_group *group, const kane_derive_work *scratch,
                   const kane_tree_work *work, const double *local, int still, double *values)
{
    for (int row = 0; row < group->row_count; row++) {
        const double *from = local + (size_t)row * (size_t)group->local_count;
        double *to         = values + (size_t)row * (size_t)group->column_count;
        for (int c = 0; c < group->copied_count; c++)
            to[c] = from[group->copied[c]];
        for (int c = group->copied_count; c < group->column_count; c++)
            to[c] = 0.0;
        if (still && group->alone && row < 3) // its mass centre does not feel how it is turned
            continue;
        carry_row(map, group, scratch, work, from, still, to);
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
            spread(map, group, scratch, work, scratch->local, group->pair_count == 0 && is_still(base), out);
    }
}
