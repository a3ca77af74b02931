// SPDX-License-Identifier: MIT
// Derivatives of imaginary forces and nonlinear inertia terms of one body.

#include "agem/derive_body.h"

// J as a matrix, frame axes.
static kane_mat3 matrix(const kane_inertia *J)
{
    const kane_mat3 scaled = {kv3_scale(J->J.x, J->R.x), kv3_scale(J->J.y, J->R.y), kv3_scale(J->J.z, J->R.z)};
    return km3_mul(scaled, km3_transpose(J->R));
}

// d(J x) = phi x (J x) - J (phi x x) = ([J x]' + J [x]) phi for a body that turns by phi, x held.
static kane_mat3 turned(kane_mat3 J, kane_vec3 x)
{
    return km3_sub(kg_times_skew(J, x), km3_skew(km3_mulv(J, x)));
}

// Rows of A that an omission keeps.
static kane_mat3 kept(kane_vec3 keep, kane_mat3 A)
{
    return (kane_mat3){kv3_mul(keep, A.x), kv3_mul(keep, A.y), kv3_mul(keep, A.z)};
}

void kane_imaginary_derive(const kane_body *body, const kane_transport *T, const kane_body_state *b, kane_gradient *g)
{
    const kane_vec3(*keep)[KANE_IMAGINARY_TERMS] = body->keep;
    const kane_inertia inertia                   = kane_body_inertia(body, b);
    const kane_mat3 J = matrix(&inertia), w = km3_skew(T->omega), w_rel = km3_skew(b->w);
    const double m = body->mass;

    // -m w x (w x r)   -m e x r   -2 m w x v
    kg_sub(&g->force[KANE_MOVES], kept(keep[KANE_FORCE][KANE_CENTRIFUGAL], km3_scale(m, km3_mul(w, w))));
    kg_sub(&g->force[KANE_MOVES], kept(keep[KANE_FORCE][KANE_ROTATION], km3_scale(m, km3_skew(T->epsilon))));
    kg_sub(&g->force[KANE_SPEEDS], kept(keep[KANE_FORCE][KANE_GYROSCOPIC], km3_scale(2.0 * m, w)));

    // -w x J w   -J e   -g x w_rel with g = tr(J) w - 2 J w
    const kane_mat3 dJw  = turned(J, T->omega);
    const kane_vec3 gyro = kv3_add_scaled(kv3_scale(km3_trace(J), T->omega), -2.0, km3_mulv(J, T->omega));
    kg_sub(&g->torque[KANE_TURNS], kept(keep[KANE_TORQUE][KANE_CENTRIFUGAL], km3_mul(w, dJw)));
    kg_sub(&g->torque[KANE_TURNS], kept(keep[KANE_TORQUE][KANE_ROTATION], turned(J, T->epsilon)));
    kg_sub(&g->torque[KANE_TURNS], kept(keep[KANE_TORQUE][KANE_GYROSCOPIC], km3_scale(2.0, km3_mul(w_rel, dJw))));
    kg_sub(&g->torque[KANE_SPINS], kept(keep[KANE_TORQUE][KANE_GYROSCOPIC], km3_skew(gyro)));
}
