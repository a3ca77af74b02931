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
    double at[KANE_COORDINATES], V[6];
    for (int c = 0; c < KANE_COORDINATES; c++)
        at[c] = q[c];
    spread(body, u, V);
    (void)kane_tables_stand(model, work, wheels, at, V, w); // what is wrong kane_guided_eval will say
    kane_body_move(body, &work->transport[body->frame], &work->transport[body->track_frame], at, V, b);
}
