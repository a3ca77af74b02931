// SPDX-License-Identifier: MIT
// Blocks of eight directions, and where forces put something into them.
//
// Inside a group the motion of link j is felt by link i through derive_forces.c for all directions that move i. Entries
// put right those that move only one of them: they lie on the path between the two. Directions of other groups have an
// entry for every link that they move.

#include "tree/derive_group.h"

// 1: counted where it must not be left out, -1: counted where it must not be, 0: right as it is.
static int sign_of(const kane_derive_map *map, int group, const kane_direction_name *name, kane_link_pair pair)
{
    const int home = map->group_of[name->link];
    if (map->group_of[pair.column] != home)
        return 0;
    const int moved = kane_derive_above(map, name->link, pair.column);
    return home == group ? moved - kane_derive_above(map, name->link, pair.row) : moved;
}

static int first_direction(const kane_group *group, int reach)
{
    return reach == 0 && group->free && !group->held && !group->pair_count ? KANE_ROOT_TURNS : 0;
}

// Goes through all entries of a block; writes them if there is room.
static int fill_block(const kane_derive_map *map, const kane_group *group, int g, const kane_block_of *b,
                      kane_entry *entries)
{
    const kane_group *other = &map->groups[group->reach[b->reach].group];
    int count               = 0;
    for (int k = 0; k < group->pair_count; k++)
        for (int lane = 0; lane < b->count; lane++) {
            const kane_direction_name *name = &map->names[other->direction + b->first + lane];
            const int sign                  = sign_of(map, g, name, map->pairs[group->pairs[k]]);
            if (sign && entries)
                entries[count] = (kane_entry){group->pairs[k], lane, sign};
            count += sign != 0;
        }
    return count;
}

int kane_group_list_blocks(const kane_derive_map *map, int g, kane_arena *arena)
{
    kane_group *group = &map->groups[g];
    int entries       = 0;
    for (int r = 0; r < group->reach_count; r++)
        group->block_count += map->groups[group->reach[r].group].direction_count / KANE_LANES + 1;
    group->blocks      = kane_arena_alloc(arena, (size_t)group->block_count + 1, sizeof *group->blocks);
    group->block_count = 0;
    if (!group->blocks)
        return 0;
    for (int r = 0; r < group->reach_count; r++) {
        const int end = map->groups[group->reach[r].group].direction_count;
        for (int d = first_direction(group, r); d < end; d += KANE_LANES) {
            kane_block_of *b = &group->blocks[group->block_count++];
            *b       = (kane_block_of){.reach = r, .first = d, .count = end - d < KANE_LANES ? end - d : KANE_LANES};
            b->entry = entries;
            b->entry_count = fill_block(map, group, g, b, NULL);
            entries += b->entry_count;
        }
    }
    group->entries = kane_arena_alloc(arena, (size_t)entries + 1, sizeof *group->entries);
    for (int k = 0; group->entries && k < group->block_count; k++)
        (void)fill_block(map, group, g, &group->blocks[k], group->entries + group->blocks[k].entry);
    return group->entries != NULL;
}
