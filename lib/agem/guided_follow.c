// SPDX-License-Identifier: MIT
// Height and roll of a wheelset as functions of its other coordinates: the second of the two maps of docs/theory.md,
// section 3. The classic form of rigid contact.
//
// The coordinates follow from gap_i(q) = 0, by Newton's method from the static ones: z and roll depend on x, y and yaw
// alone. Dependent speeds V_d = (v_z, w_x) follow from  push_i . V + (what moves the gaps otherwise) = 0  with coefficients
//   V_d = A u + C,   A = -P_d^-1 P_u                                                              (47)
// where P_d, P_u are the columns of both pushes by dependent and independent speeds.

#include "agem/guided_see.h"

// Components of the velocity (v_x v_y v_z w_x w_y w_z) that are speeds of their own.
static void spread(const kane_body *body, const double *u, double V[6])
{
    for (int i = 0; i < 6; i++)
        V[i] = 0.0;
    for (int i = 0; i < body->u_count; i++)
        V[body->component[i]] = u[i];
}

void kane_guided_follow(const kane_model *model, const kane_work *work, const kane_wheels *wheels, const double *q,
                        const double *u, kane_body_state *b, kane_wheels_state *w)
{
    const kane_body *body = &model->bodies[wheels->body];
    double at[KANE_COORDINATES];
    for (int c = 0; c < KANE_COORDINATES; c++)
        at[c] = q[c];
    kane_tables_stand(model, work, wheels, at, w); // what is wrong kane_guided_eval will say
    kane_guided_speed(body, &work->transport[body->frame], &work->transport[body->level_frame], at, u, b, w);
}

void kane_guided_speed(const kane_body *body, const kane_transport *T, const kane_transport *track, const double *q,
                       const double *u, kane_body_state *b, const kane_wheels_state *w)
{
    double V[6];
    spread(body, u, V);
    kane_tables_move(T, q, &w->guidance.on, V);
    kane_body_move(body, T, track, q, V, b);
}
