// SPDX-License-Identifier: MIT
// How the imaginary forces of a deformed body change with a state: the formulas of tree/tie_inertia.h on numbers that know their
// change.

#define KANE_TREE_CHANGES

#include "tree/tie_inertia.h"

#include "agem/deformable.h"
#include "agem/imaginary.h"

// A vector of the axes R, which turn, in those of the frame, and its change.
static void in_frame(kane_mat3 R, kane_vec3 turn, kane_scalar3 a, kane_vec3 *out, kane_vec3 *change)
{
    *out    = km3_mulv(R, ks3_value(a));
    *change = kv3_add(kv3_cross(turn, *out), km3_mulv(R, change3(a)));
}

kane_wrench kane_modes_imaginary_change(const kane_model *model, const kane_work *work, int i,
                                        const kane_link_tangent *tangent, int k, int is_speed, double *mode)
{
    const kane_deformation *d       = &model->deformations[i];
    const kane_tie *tie             = &model->tree.ties[d->tie];
    const kane_link_state *s        = &work->tree.link[tie->carrier];
    const kane_body *body           = &model->bodies[model->link_body[tie->carrier]];
    const kane_transport *T         = &work->transport[model->tree.links[tie->carrier].frame];
    const kane_link_tangent at_rest = {.turn = kv3_zero()};
    const kane_link_tangent *t      = tangent ? tangent : &at_rest;
    const kane_vec3 none            = kv3_zero();
    const kane_mat3 R               = s->R;
    const int n                     = d->count;
    kane_scalar *q                  = work->tree.tie[d->tie].scalars;
    kane_imaginary change;
    tie_wrench out[KANE_IMAGINARY_TERMS];
    for (int m = 0; m < n; m++) {
        q[m]     = with_change(work->tree.q[tie->q + m], !tangent && !is_speed && m == k);
        q[n + m] = with_change(work->tree.v[tie->v + m], !tangent && is_speed && m == k);
        mode[m]  = 0.0;
    }
    for (int term = 0; term < KANE_IMAGINARY_TERMS; term++)
        out[term].mode = q + (2 + term) * n;
    tie_imaginary(tie, ks3_in_axes(R, t->turn, T->a_o, none), ks3_in_axes(R, t->turn, T->omega, none),
                  ks3_in_axes(R, t->turn, T->epsilon, none), ks3_in_axes(R, t->turn, s->r, t->shift),
                  ks3_in_axes(R, t->turn, s->v, t->v), ks3_in_axes(R, t->turn, s->w, t->w), q, q + n, out);
    for (int term = 0; term < KANE_IMAGINARY_TERMS; term++) {
        kane_vec3 value;
        in_frame(R, t->turn, out[term].f, &value, &change.term[KANE_FORCE][term]);
        in_frame(R, t->turn, out[term].n, &value, &change.term[KANE_TORQUE][term]);
        for (int m = 0; m < n; m++)
            mode[m] += d->keep[term][m] * out[term].mode[m].t;
    }
    return kane_imaginary_sum(body, &change, KANE_SHARE_KEPT);
}
