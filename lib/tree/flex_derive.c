// SPDX-License-Identifier: MIT
// How the inertia of a deformed body changes with states: the formulas of flex_inertia.h on numbers that know their
// changes.

#define KANE_TREE_CHANGES

#include "tree/flex_inertia.h"

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
