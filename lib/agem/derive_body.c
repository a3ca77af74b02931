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

void kane_body_derive_turns(const kane_body *body, const kane_body_state *b, double out[6][KANE_BODY_STATES])
{
    const kane_freedom_map *map = &body->map;
    const kane_inertia J        = kane_body_inertia(body, b);
    const kane_vec3 free = kv3_sub(b->free.torque, kane_inertia_mul(&J, b->bias)), held = kane_inertia_mul(&J, b->e);
    const kane_vec3 left = kv3_sub(b->free.torque, held); // T - J e', which the removed turns hold
    double u_dot[2];
    for (int i = 0; i < map->rotation_count; i++)
        u_dot[i] = kv3_dot(b->turn[map->rotation[i]], free);
    kane_inertia_solve_turns(body, &J, b, u_dot);

    for (int c = 0; c < 3 + map->rotation_count; c++) { // angles, speeds
        const int column = c < 3 ? KANE_YAW + c : KANE_COORDINATES + map->translation_count + c - 3;
        kane_vec3 w = kv3_zero(), dw = kv3_zero(), more = kv3_zero(), de[2];
        double f[2];
        for (int i = 0; i < map->rotation_count; i++) { // axes behind an angle turn with it
            const kane_vec3 e     = b->turn[map->rotation[i]];
            de[i]                 = c < map->rotation[i] ? kv3_cross(b->turn[c], e) : kv3_zero();
            const kane_vec3 turn  = kv3_scale(b->rate[i], e);
            const kane_vec3 dturn = kv3_add_scaled(kv3_scale(b->rate[i], de[i]), c == 3 + i ? 1.0 : 0.0, e);
            more                  = kv3_add_scaled(more, u_dot[i], de[i]);
            more                  = kv3_add(more, kv3_add(kv3_cross(dw, turn), kv3_cross(w, dturn)));
            w                     = kv3_add(w, turn);
            dw                    = kv3_add(dw, dturn);
        }
        for (int i = 0; i < map->rotation_count; i++)
            f[i] = kv3_dot(de[i], left) - kv3_dot(b->turn[map->rotation[i]], kane_inertia_mul(&J, more));
        kane_inertia_solve_turns(body, &J, b, f);
        for (int i = 0; i < map->rotation_count; i++)
            out[map->translation_count + i][column] += f[i];
    }
}
