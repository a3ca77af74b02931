// SPDX-License-Identifier: MIT
// Derivatives of imaginary forces and nonlinear inertia terms of one body.

#include "agem/derive_body.h"

#include "agem/reduce.h"

#include <string.h>

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

void kane_body_derive(const kane_body *body, const kane_transport *T, const kane_body_state *b, kane_gradient *g)
{
    const kane_inertia inertia = kane_body_inertia(body, b);
    const kane_mat3 J = matrix(&inertia), w_rel = km3_skew(b->w);
    kane_imaginary_derive(body, T, b, g);

    // -w_rel x J w_rel - J e_rel
    kg_sub(&g->torque[KANE_TURNS], km3_mul(w_rel, turned(J, b->w)));
    kg_sub(&g->torque[KANE_TURNS], turned(J, b->e));
    kg_sub(&g->torque[KANE_SPINS], km3_sub(km3_mul(w_rel, J), km3_skew(km3_mulv(J, b->w))));
}

void kane_body_difference(const kane_model *model, const kane_work *work, int j, double out[6][KANE_BODY_STATES])
{
    const kane_body *body       = &model->bodies[j];
    const kane_transport *T     = &work->transport[body->frame];
    const kane_transport *track = &work->transport[body->level_frame];
    const double step           = 1e-6;
    double q[KANE_COORDINATES], u[6], slope[2][6];

    for (int c = 0; c < KANE_COORDINATES + body->u_count; c++) {
        for (int up = 0; up < 2; up++) {
            kane_body_state b = work->body[j];
            memcpy(q, b.q, sizeof q);
            kane_reduce_speeds(body, &b, u);
            *(c < KANE_COORDINATES ? &q[c] : &u[c - KANE_COORDINATES]) += up ? step : -step;
            kane_body_move(body, T, track, q, u, &b);
            kane_body_force(body, T, &b);
            kane_body_solve(body, &b, slope[up]);
        }
        for (int i = 0; i < body->u_count; i++)
            out[i][c] += (slope[1][i] - slope[0][i]) / (2.0 * step);
    }
}
