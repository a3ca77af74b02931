// SPDX-License-Identifier: MIT
// Constraints as rows: how they change with a state. The same formulas as in rows.c, on numbers that know their change.

#define KANE_TREE_CHANGES

#include "tree/rows_find.h"

#include "base/arena.h"

struct kane_closure_room {
    rows found;
    own_room own;
    kane_closure_tangent tangent;
};

kane_closure_room *kane_closure_room_create(kane_arena *arena)
{
    return kane_arena_alloc(arena, 1, sizeof(kane_closure_room));
}

const kane_closure_tangent *kane_closure_derive(const kane_tree *tree, const kane_closure *closure,
                                                const kane_tree_work *work, const kane_transport *frames,
                                                const kane_base *bases, const kane_link_tangent *tangent,
                                                const double *dq, const double *dv, kane_closure_room *room)
{
    kane_closure_tangent *out = &room->tangent;
    rows *found               = &room->found;
    const row_scene s         = {.tree    = tree,
                                 .work    = work,
                                 .frames  = frames,
                                 .bases   = bases,
                                 .beyond  = 1,
                                 .tangent = tangent,
                                 .dq      = dq,
                                 .dv      = dv};
    rows_find(&s, closure, &room->own, found);
    for (int i = 0; i < closure->row_count; i++) {
        out->value[i]        = found->value[i].t;
        out->rate[i]         = found->rate[i].t;
        out->acceleration[i] = found->acceleration[i].t;
    }
    for (int i = 0; i < found->push_count; i++)
        out->push[i] = (kane_wrench){change3(found->push[i].force), change3(found->push[i].torque)};
    for (int i = 0; i < found->entry_count; i++)
        out->entry[i] = found->entry[i].value.t;
    for (int i = 0; i < 2 && closure->rod.mass > 0.0; i++)
        out->load[i] = (kane_wrench){change3(found->load[i].force), change3(found->load[i].torque)};
    return out;
}
