// SPDX-License-Identifier: MIT
// The seven imaginary terms of one free body in a moving frame (docs/theory.md, section 2).

#include "agem/bodies.h"

#include "agem/work.h"

#include <math.h>

// Principal moments, and principal axes to frame axes; an uneven one turns with the spin angle.
kane_inertia kane_body_inertia(const kane_body *body, const kane_body_state *b)
{
    const kane_mat3 R = b->uneven_spin == 0.0 ? b->R : km3_turn_y(b->R, sin(b->uneven_spin), cos(b->uneven_spin));
    return (kane_inertia){.R = body->turned ? km3_mul(R, body->principal) : R, .J = body->J};
}

// The formulas are in bodies.h.
void kane_imaginary_eval(const kane_transport *f, double m, const kane_inertia *J, kane_vec3 r, kane_vec3 v,
                         kane_vec3 w_rel, kane_imaginary *out)
{
    const kane_vec3 w = f->omega, e = f->epsilon;

    out->term[KANE_FORCE][KANE_TRANSLATION] = kv3_scale(-m, f->a_o);
    out->term[KANE_FORCE][KANE_CENTRIFUGAL] = kv3_scale(-m, kv3_cross(w, kv3_cross(w, r)));
    out->term[KANE_FORCE][KANE_ROTATION]    = kv3_scale(-m, kv3_cross(e, r));
    out->term[KANE_FORCE][KANE_GYROSCOPIC]  = kv3_scale(-2.0 * m, kv3_cross(w, v));

    // tr(J) w - 2 J w
    const kane_vec3 Jw = kane_inertia_mul(J, w);
    const kane_vec3 g  = kv3_add_scaled(kv3_scale(J->J.x + J->J.y + J->J.z, w), -2.0, Jw);

    out->term[KANE_TORQUE][KANE_TRANSLATION] = kv3_zero();
    out->term[KANE_TORQUE][KANE_CENTRIFUGAL] = kv3_neg(kv3_cross(w, Jw));
    out->term[KANE_TORQUE][KANE_ROTATION]    = kv3_neg(kane_inertia_mul(J, e));
    out->term[KANE_TORQUE][KANE_GYROSCOPIC]  = kv3_neg(kv3_cross(g, w_rel));
}

// Sum over the terms, axis by axis: keep times term (KANE_INCLUDED), or (1 - keep) times term (KANE_OMITTED).
kane_wrench kane_imaginary_sum(const kane_body *body, const kane_imaginary *terms, kane_selection share)
{
    static const kane_vec3 whole = {1.0, 1.0, 1.0};
    kane_vec3 sum[KANE_WRENCH_KINDS];
    for (int kind = 0; kind < KANE_WRENCH_KINDS; kind++) {
        sum[kind] = kv3_zero();
        for (int term = 0; term < KANE_IMAGINARY_TERMS; term++) {
            const kane_vec3 keep = body->keep[kind][term];
            const kane_vec3 part = share == KANE_INCLUDED ? keep : kv3_sub(whole, keep);
            sum[kind]            = kv3_add(sum[kind], kv3_mul(part, terms->term[kind][term]));
        }
    }
    return (kane_wrench){sum[KANE_FORCE], sum[KANE_TORQUE]};
}

static kane_wrench sum_kept(const kane_body *body, const kane_transport *T, const kane_inertia *J,
                            const kane_body_state *b)
{
    kane_imaginary terms;
    kane_imaginary_eval(T, body->mass, J, b->r, b->v, b->w, &terms);
    return kane_imaginary_sum(body, &terms, KANE_INCLUDED);
}

kane_wrench kane_imaginary_kept(const kane_body *body, const kane_transport *T, const kane_body_state *b)
{
    const kane_inertia J = kane_body_inertia(body, b);
    return sum_kept(body, T, &J, b);
}

// Adds the terms of deformation beyond those of the rigid body, moved from the link's origin to the mass centre:
// torque - arm x force.
static void add_deformation(const kane_model *model, const kane_work *work, int j, kane_imaginary *terms)
{
    const kane_link *link = &model->tree.links[model->bodies[j].link];
    const kane_vec3 arm   = km3_mulv(work->tree.link[model->bodies[j].link].R, link->c);
    kane_imaginary more;
    double *mode[KANE_IMAGINARY_TERMS];
    if (!kane_modes_imaginary(model, work, link->flex, &more, mode))
        return;
    for (int term = 0; term < KANE_IMAGINARY_TERMS; term++) {
        const kane_vec3 force = more.term[KANE_FORCE][term], *torque = &more.term[KANE_TORQUE][term];
        kane_vec3(*sum)[KANE_IMAGINARY_TERMS] = terms->term;
        sum[KANE_FORCE][term]                 = kv3_add(sum[KANE_FORCE][term], force);
        sum[KANE_TORQUE][term] = kv3_add(sum[KANE_TORQUE][term], kv3_sub(*torque, kv3_cross(arm, force)));
    }
}

// All terms of body j, omitted or not; zero if it is described in A.
void kane_imaginary_get(const kane_model *model, const kane_work *work, int j, kane_imaginary *terms)
{
    const kane_body *body    = &model->bodies[j];
    const kane_body_state *b = &work->body[j];
    const kane_inertia J     = kane_body_inertia(body, b);

    *terms = (kane_imaginary){0};
    if (!body->absolute)
        kane_imaginary_eval(&work->transport[body->frame], body->mass, &J, b->r, b->v, b->w, terms);
    if (model->tree.links[body->link].role == KANE_FLEX_FRAME)
        add_deformation(model, work, j, terms);
}

kane_vec3 kane_get_imaginary(const kane_model *model, const kane_work *work, int j, kane_wrench_kind kind,
                             kane_imaginary_term term)
{
    kane_imaginary terms;
    kane_imaginary_get(model, work, j, &terms);
    return terms.term[kind][term];
}

// === Derivatives of imaginary forces and nonlinear inertia terms of one body.

// J as a matrix, frame axes.
static kane_mat3 inertia_matrix(const kane_inertia *J)
{
    const kane_mat3 scaled = {kv3_scale(J->J.x, J->R.x), kv3_scale(J->J.y, J->R.y), kv3_scale(J->J.z, J->R.z)};
    return km3_mul(scaled, km3_transpose(J->R));
}

// d(J x) = phi x (J x) - J (phi x x) = ([J x]' + J [x]) phi for a body that turns by phi, x held.
static kane_mat3 inertia_turn_gradient(kane_mat3 J, kane_vec3 x)
{
    return km3_sub(kg_times_skew(J, x), km3_skew(km3_mulv(J, x)));
}

// Rows of A that an omission keeps.
static kane_mat3 mask_omitted_rows(kane_vec3 keep, kane_mat3 A)
{
    return (kane_mat3){kv3_mul(keep, A.x), kv3_mul(keep, A.y), kv3_mul(keep, A.z)};
}

// Subtracts, with the rows that are kept, frame axes:
//   force   m w x (w x .),  m e x .  by displacement;   2 m w x .  by velocity
//   torque  w x d(J w),  d(J e),  2 w_rel x d(J w)  by rotation, as J turns along (inertia_turn_gradient);
//           g x .  by angular velocity,  g = tr(J) w - 2 J w
void kane_imaginary_derive(const kane_body *body, const kane_transport *T, const kane_body_state *b, kane_gradient *g)
{
    const kane_vec3(*keep)[KANE_IMAGINARY_TERMS] = body->keep;
    const kane_inertia inertia                   = kane_body_inertia(body, b);
    const kane_mat3 J = inertia_matrix(&inertia), w = km3_skew(T->omega), w_rel = km3_skew(b->w);
    const double m = body->mass;

    // -m w x (w x r)   -m e x r   -2 m w x v
    kg_sub(&g->force[KANE_MOVES], mask_omitted_rows(keep[KANE_FORCE][KANE_CENTRIFUGAL], km3_scale(m, km3_mul(w, w))));
    kg_sub(&g->force[KANE_MOVES],
           mask_omitted_rows(keep[KANE_FORCE][KANE_ROTATION], km3_scale(m, km3_skew(T->epsilon))));
    kg_sub(&g->force[KANE_SPEEDS], mask_omitted_rows(keep[KANE_FORCE][KANE_GYROSCOPIC], km3_scale(2.0 * m, w)));

    // -w x J w   -J e   -g x w_rel with g = tr(J) w - 2 J w
    const kane_mat3 dJw  = inertia_turn_gradient(J, T->omega);
    const kane_vec3 gyro = kv3_add_scaled(kv3_scale(km3_trace(J), T->omega), -2.0, km3_mulv(J, T->omega));
    kg_sub(&g->torque[KANE_TURNS], mask_omitted_rows(keep[KANE_TORQUE][KANE_CENTRIFUGAL], km3_mul(w, dJw)));
    kg_sub(&g->torque[KANE_TURNS],
           mask_omitted_rows(keep[KANE_TORQUE][KANE_ROTATION], inertia_turn_gradient(J, T->epsilon)));
    kg_sub(&g->torque[KANE_TURNS],
           mask_omitted_rows(keep[KANE_TORQUE][KANE_GYROSCOPIC], km3_scale(2.0, km3_mul(w_rel, dJw))));
    kg_sub(&g->torque[KANE_SPINS], mask_omitted_rows(keep[KANE_TORQUE][KANE_GYROSCOPIC], km3_skew(gyro)));
}
