// SPDX-License-Identifier: MIT
// How the inertia of a deformed body changes with a state: the formulas of tie_inertia.h on numbers that know their change.

#define KANE_TREE_CHANGES

#include "tree/tie_inertia.h"

kane_wrench kane_tie_need_change(const kane_tie *tie, const kane_tie_work *own, const kane_tree_work *work,
                                 const kane_link_tangent *tangent, int k, int is_speed, double *mode)
{
    const kane_link_state *s        = &work->link[tie->carrier];
    const kane_link_tangent at_rest = {.turn = kv3_zero()};
    const kane_link_tangent *t      = tangent ? tangent : &at_rest;
    const int n                     = tie->count;
    kane_scalar *q                  = own->scalars;
    tie_wrench out                  = {.mode = q + 2 * n};
    for (int i = 0; i < n; i++) {
        q[i]     = with_change(work->q[tie->q + i], !tangent && !is_speed && i == k);
        q[n + i] = with_change(work->v[tie->v + i], !tangent && is_speed && i == k);
    }
    tie_need(tie, ks3_in_axes(s->R, t->turn, s->w, t->w), ks3_in_axes(s->R, t->turn, kv3_add(s->a, s->da), t->a),
             ks3_in_axes(s->R, t->turn, kv3_add(s->al, s->dal), t->al), q, q + n, work->v_dot + tie->v, &out);
    for (int i = 0; i < n; i++)
        mode[i] = out.mode[i].t;
    const kane_vec3 torque = km3_mulv(s->R, ks3_value(out.n)), force = km3_mulv(s->R, ks3_value(out.f));
    return (kane_wrench){kv3_add(kv3_cross(t->turn, force), km3_mulv(s->R, change3(out.f))),
                         kv3_add(kv3_cross(t->turn, torque), km3_mulv(s->R, change3(out.n)))};
}
