// SPDX-License-Identifier: MIT
// The arrays of a tree's evaluation.

#include "tree/tree.h"

int kane_tree_work_create(const kane_tree *tree, kane_arena *arena, kane_tree_work *work)
{
    const size_t links = (size_t)tree->link_count, v = (size_t)tree->v_count;
    *work       = (kane_tree_work){0};
    work->q     = kane_arena_alloc(arena, (size_t)tree->q_count, sizeof *work->q);
    work->v     = kane_arena_alloc(arena, v, sizeof *work->v);
    work->v_dot = kane_arena_alloc(arena, v, sizeof *work->v_dot);
    work->drive = kane_arena_alloc(arena, v, sizeof *work->drive);
    work->link  = kane_arena_alloc(arena, links, sizeof *work->link);
    work->axis  = kane_arena_alloc(arena, v, sizeof *work->axis);
    return !kane_arena_failed(arena);
}
