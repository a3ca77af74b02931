// SPDX-License-Identifier: MIT
// All rows of one constraint, with their changes or without (change.h).

#ifndef KANE_TREE_ROWS_FIND_H
#define KANE_TREE_ROWS_FIND_H

#include "tree/rows_kinds.h"
#include "tree/rows_own.h"
#include "tree/rows_rod.h"
#include "tree/rows_terms.h"

// room: of rows of the user's own; of other kinds it may be NULL.
static inline void rows_find(const row_scene *scene, const kane_closure *closure, own_room *room, rows *out)
{
    out->push_count = out->frame_push_count = out->entry_count = 0;
    switch (closure->kind) {
    case KANE_CONSTRAINT_LINEAR:
    case KANE_CONSTRAINT_RATES: put_linear(scene, closure, out); return;
    case KANE_CONSTRAINT_FUNCTION: put_function(scene, closure, out); return;
    case KANE_CONSTRAINT_OWN: put_own(scene, closure, room, out); return;
    case KANE_CONSTRAINT_DISTANCE:
    case KANE_CONSTRAINT_ROD: put_rod(scene, closure, out); return;
    default: break;
    }
    marker_pair meet;
    marker_pair_see(scene, &closure->side[0], &closure->side[1], closure->motion, &meet);
    put_closure(scene, out, closure, &meet);
}

#endif
