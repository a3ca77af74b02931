// SPDX-License-Identifier: MIT
// Derivatives of wheels on their rails: the contact knows its own (kane_contact_derive), the rest is geometry.
//
// The section plane goes along with the wheelset by r.t and turns by psi = Omega (r.t): what a displacement r does as seen
// from the rail is what it does less the motion of that plane.

#include "agem/gradient.h"

static kane_mat3 block(double d[6][12], int row, int column, kane_mat3 R)
{
    kane_mat3 A;
    A.x = kv3(d[row][column], d[row + 1][column], d[row + 2][column]);
    A.y = kv3(d[row][column + 1], d[row + 1][column + 1], d[row + 2][column + 1]);
    A.z = kv3(d[row][column + 2], d[row + 1][column + 2], d[row + 2][column + 2]);
    return km3_mul(km3_mul(R, A), km3_transpose(R));
}

// How the motion of the wheel centre as seen from the rail depends on the motion of the body.
typedef struct seen {
    kane_vec3 arm;   // of the wheel centre from the mass centre
    kane_vec3 omega; // angular velocity
    kane_vec3 v, at; // velocity and place of the wheel centre against the rail
    kane_mat3 psi;   // turn of the section plane per displacement
} seen;

// A of the wheel's motion as seen from the rail -> G of the body's motion.
static void of_body(const kane_mat3 A[KANE_MOTIONS], const seen *s, kane_mat3 G[KANE_MOTIONS])
{
    const kane_mat3 arm = km3_skew(s->arm), reach = km3_mul(km3_skew(s->omega), arm);
    kane_mat3 by_psi = km3_sub(kg_times_skew(A[KANE_MOVES], s->at), A[KANE_TURNS]);
    kg_add(&by_psi, kg_times_skew(A[KANE_SPEEDS], s->v));
    kg_add(&by_psi, kg_times_skew(A[KANE_SPINS], s->omega));

    G[KANE_MOVES]  = km3_add(A[KANE_MOVES], km3_mul(by_psi, s->psi));
    G[KANE_SPEEDS] = A[KANE_SPEEDS];
    G[KANE_SPINS]  = km3_sub(A[KANE_SPINS], km3_mul(A[KANE_SPEEDS], arm));
    G[KANE_TURNS]  = km3_sub(A[KANE_TURNS], km3_mul(A[KANE_MOVES], arm));
    kg_sub(&G[KANE_TURNS], km3_mul(A[KANE_SPEEDS], reach));
}

static kane_status derive_wheel(const kane_wheels *wheels, const kane_wheels_state *w, kane_side side,
                                kane_gradient *sum)
{
    const kane_mat3 R          = km3_mul(w->R_s, w->R_rail[side]); // rail to world
    const kane_wheel_motion *m = &w->motion[side];
    const seen s               = {.arm   = km3_mulv(w->R_s, w->arm[side]),
                                  .omega = km3_mulv(R, m->omega),
                                  .v     = km3_mulv(R, m->velocity),
                                  .at    = km3_mulv(R, m->centre),
                                  .psi   = km3_outer(km3_mulv(w->R_s, w->Omega), w->R_s.x)};
    double d[6][12];
    const kane_status status = kane_contact_derive(wheels->contact, side, m, d);
    if (status != KANE_OK)
        return status;

    kane_gradient A, g;
    for (int k = 0; k < KANE_MOTIONS; k++) {
        A.force[k]  = block(d, 0, 3 * k, R);
        A.torque[k] = block(d, 3, 3 * k, R);
    }
    of_body(A.force, &s, g.force);
    of_body(A.torque, &s, g.torque);

    // forces turn with the section plane; the arm turns with the body
    const kane_vec3 F = km3_mulv(R, w->result[side].on_wheel.force), T = km3_mulv(R, w->result[side].on_wheel.torque);
    kg_sub(&g.force[KANE_MOVES], km3_mul(km3_skew(F), s.psi));
    kg_sub(&g.torque[KANE_MOVES], km3_mul(km3_skew(T), s.psi));
    for (int k = 0; k < KANE_MOTIONS; k++)
        kg_add(&g.torque[k], km3_mul(km3_skew(s.arm), g.force[k]));
    kg_add(&g.torque[KANE_TURNS], km3_mul(km3_skew(F), km3_skew(s.arm)));
    kg_add_all(sum, &g);
    return KANE_OK;
}

kane_status kane_wheels_derive(const kane_model *model, const kane_work *work, kane_gradient *pairs)
{
    for (int i = 0; i < model->wheels_count; i++) {
        if (model->wheels[i].way != KANE_CONTACT_ELASTIC)
            continue;
        for (int side = 0; side < 2; side++) {
            const kane_wheels *wheels = &model->wheels[i];
            const kane_status status  = derive_wheel(wheels, &work->wheels[i], side, &pairs[wheels->body]);
            if (status != KANE_OK)
                return status;
        }
    }
    return KANE_OK;
}
