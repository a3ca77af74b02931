// SPDX-License-Identifier: MIT
// Derivatives of the imaginary forces of a deformed body by states: the formulas of tree/flex_inertia.h on numbers with
// changes.

#define KANE_TREE_CHANGES

#include "tree/flex_inertia.h"

#include "agem/bodies.h"

static const kane_changes3 none;

// The change of the sum of the kept terms by one state.
static void sum_terms(const kane_body *body, const kane_wrench_changes term[KANE_IMAGINARY_TERMS], int state,
                      kane_wrench_changes *wrench)
{
    kane_imaginary change;
    for (int i = 0; i < KANE_IMAGINARY_TERMS; i++) {
        change.term[KANE_FORCE][i]  = kane_changes3_get(&term[i].force, state);
        change.term[KANE_TORQUE][i] = kane_changes3_get(&term[i].torque, state);
    }
    const kane_wrench sum = kane_imaginary_sum(body, &change, KANE_INCLUDED);
    kane_changes3_set(&wrench->force, state, sum.force);
    kane_changes3_set(&wrench->torque, state, sum.torque);
}

void kane_modes_imaginary_changes(const kane_model *model, const kane_work *work, int i,
                                  const kane_flex_changes *changes, kane_wrench_changes *wrench,
                                  double (*mode)[KANE_CHANGES])
{
    const kane_deformation *d  = &model->deformations[i];
    const kane_flex *flex      = &model->tree.flexes[d->flex];
    const kane_link_state *s   = &work->tree.link[flex->carrier];
    const kane_body *body      = &model->bodies[model->link_body[flex->carrier]];
    const kane_transport *T    = &work->transport[model->tree.links[flex->carrier].frame];
    const kane_link_changes *t = &changes->carrier;
    const kane_mat3 R          = s->R;
    const int n                = d->count;
    kane_scalar *mode_terms    = work->tree.flex[d->flex].scalars;
    kane_wrench_changes term[KANE_IMAGINARY_TERMS];
    flex_wrench out[KANE_IMAGINARY_TERMS];
    for (int k = 0; k < KANE_IMAGINARY_TERMS; k++)
        out[k].mode = mode_terms + k * n;
    flex_imaginary(flex, ks3_in_axes(R, &t->turn, T->a_o, &none), ks3_in_axes(R, &t->turn, T->omega, &none),
                   ks3_in_axes(R, &t->turn, T->epsilon, &none), ks3_in_axes(R, &t->turn, s->r, &t->shift),
                   ks3_in_axes(R, &t->turn, s->v, &t->v), ks3_in_axes(R, &t->turn, s->w, &t->w), work->tree.q + flex->q,
                   work->tree.v + flex->v, out, changes);
    for (int k = 0; k < KANE_IMAGINARY_TERMS; k++) {
        changes3_store(flex_in_frame(R, t, out[k].f), &term[k].force);
        changes3_store(flex_in_frame(R, t, out[k].n), &term[k].torque);
    }
    for (int m = 0; m < n; m++) {
        kane_tangents sum = kane_tangents_none();
        for (int k = 0; k < KANE_IMAGINARY_TERMS; k++)
            sum = kane_tangents_sum(1.0, sum, d->keep[k][m], out[k].mode[m].t);
        changes_store(sum, mode[m]);
    }
    for (int state = 0; state < KANE_CHANGES; state++)
        sum_terms(body, term, state, wrench);
}
