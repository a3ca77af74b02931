// SPDX-License-Identifier: MIT
// How the inertia of a deformed body changes with states: the formulas of tie_inertia.h on numbers that know their
// changes.

#define KANE_TREE_CHANGES

#include "tree/tie_inertia.h"

void kane_tie_need_changes(const kane_tie *tie, const kane_tie_work *own, const kane_tree_work *work,
                           const kane_tie_changes *changes, kane_wrench_changes *wrench, double (*mode)[KANE_CHANGES])
{
    const kane_link_state *s   = &work->link[tie->carrier];
    const kane_link_changes *t = &changes->carrier;
    const int n                = tie->count;
    kane_scalar *q             = own->scalars;
    tie_wrench out             = {.mode = q + 2 * n};
    tie_read_changes(tie, work, changes, q);
    tie_need(tie, ks3_in_axes(s->R, &t->turn, s->w, &t->w), ks3_in_axes(s->R, &t->turn, kv3_add(s->a, s->da), &t->a),
             ks3_in_axes(s->R, &t->turn, kv3_add(s->al, s->dal), &t->al), q, q + n, work->v_dot + tie->v, &out);
    for (int i = 0; i < n; i++)
        changes_store(out.mode[i].t, mode[i]);
    changes3_store(tie_in_frame(s->R, t, out.f), &wrench->force);
    changes3_store(tie_in_frame(s->R, t, out.n), &wrench->torque);
}
