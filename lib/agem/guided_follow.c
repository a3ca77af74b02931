// SPDX-License-Identifier: MIT
// Height and roll of a wheelset as functions of its other coordinates: the second of the two maps of docs/theory.md,
// section 3. The classic form of rigid contact.
//
// The coordinates follow from gap_i(q) = 0, by Newton's method from the static ones: z and roll depend on x, y and yaw
// alone. Dependent speeds V_d = (v_z, w_x) follow from  push_i . V + (what moves the gaps otherwise) = 0  with coefficients
//   V_d = A u + C,   A = -P_d^-1 P_u                                                              (47)
// where P_d, P_u are the columns of both pushes by dependent and independent speeds.

#include "agem/guided.h"

// Components of the velocity (v_x v_y v_z w_x w_y w_z) that are speeds of their own.
static void spread(const kane_body *body, const double *u, double V[6])
{
    for (int i = 0; i < 6; i++)
        V[i] = 0.0;
    for (int i = 0; i < body->u_count; i++)
        V[body->component[i]] = u[i];
}

// x = -m^-1 r; not finite where there is none, which kane_guided_eval will say. m is changed.
static void solve(double m[2][2], const double r[2], double x[2])
{
    const double none = kane_guided_invert(m) ? 0.0 : (double)NAN;
    x[0]              = none - (m[0][0] * r[0] + m[0][1] * r[1]);
    x[1]              = none - (m[1][0] * r[0] + m[1][1] * r[1]);
}

void kane_guided_follow(const kane_model *model, const kane_work *work, const kane_wheels *wheels, const double *q,
                        const double *u, kane_body_state *b, kane_wheels_state *w)
{
    const kane_body *body       = &model->bodies[wheels->body];
    const kane_transport *T     = &work->transport[body->frame];
    const kane_transport *track = &work->transport[body->track_frame];
    const kane_guidance *g      = &w->guidance;
    double at[KANE_COORDINATES], V[6], m[2][2], step[2];

    for (int c = 0; c < KANE_COORDINATES; c++)
        at[c] = q[c];
    at[KANE_Z]    = wheels->height;
    at[KANE_ROLL] = wheels->roll;
    spread(body, u, V);
    for (int i = 0; i < 30; i++) {
        kane_body_move(body, T, track, at, V, b);
        kane_wheels_observe_body(model, work, wheels, b, w);
        if (kane_guided_touch(model, work, wheels, b, w) != KANE_OK) // kane_guided_eval will say so
            return;
        if (fabs(g->gap[0]) + fabs(g->gap[1]) < 1e-14)
            break;
        for (int k = 0; k < 2; k++) {
            m[k][0] = g->push[k].force.z;
            m[k][1] = kv3_dot(g->push[k].torque, b->turn[1]);
        }
        solve(m, g->gap, step);
        at[KANE_Z] += step[0];
        at[KANE_ROLL] += step[1];
    }
    for (int k = 0; k < 2; k++) {
        m[k][0] = g->push[k].force.z;
        m[k][1] = g->push[k].torque.x;
    }
    solve(m, g->rate, step);
    V[2] = step[0];
    V[3] = step[1];
    kane_body_move(body, T, track, at, V, b);
}
