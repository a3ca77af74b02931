// SPDX-License-Identifier: MIT
// Constraints as rows, and the inertia of deformed bodies: how they change with states. The same formulas as in rows.c
// and flex.c, on numbers that know their changes.

#define KANE_TREE_CHANGES

#include "tree/rows_kinds.h"

#include "tree/flex_inertia.h"

#include "base/arena.h"

struct kane_constraint_row_set_room {
    rows found;
    own_room own;
    kane_constraint_row_set_changes changes;
};

kane_constraint_row_set_room *kane_constraint_row_set_room_create(kane_arena *arena)
{
    return kane_arena_alloc(arena, 1, sizeof(kane_constraint_row_set_room));
}

// The scene of a batch of states, accelerations with v_dot.
static row_scene scene_of(const kane_eval_context *e, const kane_row_changes *changes)
{
    return (row_scene){.tree    = e->tree,
                       .work    = e->work,
                       .frames  = e->frames,
                       .bases   = e->bases,
                       .beyond  = 1,
                       .count   = changes->count,
                       .changes = changes->link,
                       .dq      = changes->dq,
                       .dv      = changes->dv};
}

static void store_loads(const kane_constraint_row_set *closure, const rows *found, kane_constraint_row_set_changes *out)
{
    for (int i = 0; i < 2 && closure->rod.mass > 0.0; i++) {
        changes3_store(found->load[i].force, &out->load[i].force);
        changes3_store(found->load[i].torque, &out->load[i].torque);
    }
}

// rows_find on numbers with changes.
const kane_constraint_row_set_changes *kane_constraint_row_set_derive(const kane_eval_context *e,
                                                                      const kane_constraint_row_set *closure,
                                                                      const kane_row_changes *changes,
                                                                      kane_constraint_row_set_room *room)
{
    kane_constraint_row_set_changes *out = &room->changes;
    rows *found                          = &room->found;
    const row_scene s                    = scene_of(e, changes);
    found->multiplier                    = changes->multiplier;
    rows_find(&s, closure, &room->own, found);
    for (int i = 0; i < closure->row_count; i++) {
        changes_store(found->value[i].t, out->value[i]);
        changes_store(found->rate[i].t, out->rate[i]);
        changes_store(found->acceleration[i].t, out->acceleration[i]);
    }
    out->reaction_count = found->direction_count;
    for (int i = 0; i < found->direction_count; i++) {
        out->reaction[i].link = found->direction[i].link;
        changes3_store(found->direction[i].force, &out->reaction[i].wrench.force);
        changes3_store(found->direction[i].torque, &out->reaction[i].wrench.torque);
    }
    out->entry_count = found->entry_count;
    for (int i = 0; i < found->entry_count; i++) {
        out->entry[i].v = found->entry[i].v;
        changes_store(kane_tangents_scale(changes->multiplier[found->entry[i].row], found->entry[i].value.t),
                      out->entry[i].force);
    }
    store_loads(closure, found, out);
    return out;
}

// rod_load on numbers with changes.
const kane_constraint_row_set_changes *kane_constraint_row_set_derive_load(const kane_eval_context *e,
                                                                           const kane_constraint_row_set *closure,
                                                                           const kane_row_changes *changes,
                                                                           kane_constraint_row_set_room *room)
{
    const row_scene s = scene_of(e, changes);
    rod_ends ends;
    rod_ends_see(&s, closure, &ends);
    rod_load(&s, closure, ends.frames.apart ? NULL : ends.end, &room->found);
    store_loads(closure, &room->found, &room->changes);
    return &room->changes;
}

// === Inertia of deformed bodies (flex_inertia.h).

void kane_flex_need_changes(const kane_flex *flex, const kane_flex_work *own, const kane_tree_work *work,
                            const kane_flex_changes *changes, kane_wrench_changes *wrench, double (*mode)[KANE_CHANGES])
{
    const kane_link_state *s   = &work->link[flex->carrier];
    const kane_link_changes *t = &changes->carrier;
    flex_wrench out            = {.mode = own->scalars};
    flex_need(flex, ks3_in_axes(s->R, &t->turn, s->w, &t->w), ks3_in_axes(s->R, &t->turn, kv3_add(s->a, s->da), &t->a),
              ks3_in_axes(s->R, &t->turn, kv3_add(s->al, s->dal), &t->al), work->q + flex->q, work->v + flex->v,
              work->v_dot + flex->v, &out, changes);
    for (int i = 0; i < flex->count; i++)
        changes_store(out.mode[i].t, mode[i]);
    changes3_store(flex_in_frame(s->R, t, out.f), &wrench->force);
    changes3_store(flex_in_frame(s->R, t, out.n), &wrench->torque);
}
