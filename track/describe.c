// SPDX-License-Identifier: MIT
// The plain quantities behind a frame.

#include "track/line_function.h"
#include "track/line.h"

// First and second derivative of the tangent t = (cos(psi) cos(beta), sin(psi) cos(beta), sin(beta)).
static void bend_of(const kane_line *o, kane_vec3 *t, kane_vec3 *t_s, kane_vec3 *t_ss)
{
    const double sp = sin(o->psi[0]), cp = cos(o->psi[0]), sb = o->w[0], cb = o->cos_beta;
    const double p1 = o->psi[1], p2 = o->psi[2], b1 = o->beta[1], b2 = o->beta[2];

    *t    = kv3(cp * cb, sp * cb, sb);
    *t_s  = kv3(-p1 * sp * cb - b1 * cp * sb, p1 * cp * cb - b1 * sp * sb, b1 * cb);
    *t_ss = kv3(-p2 * sp * cb - (p1 * p1 + b1 * b1) * cp * cb + 2.0 * p1 * b1 * sp * sb - b2 * cp * sb,
                p2 * cp * cb - (p1 * p1 + b1 * b1) * sp * cb - 2.0 * p1 * b1 * cp * sb - b2 * sp * sb,
                b2 * cb - b1 * b1 * sb);
}

// Curvature, torsion (64), (65) and the angle about t from the principal normal n to y.
static void describe_space_curve(const kane_line *o, kane_track_state *state)
{
    const double sp = sin(o->psi[0]), cp = cos(o->psi[0]);
    const kane_vec3 y = kv3(-cp * o->w[0] * o->q[0] - sp * o->cos_theta, -sp * o->w[0] * o->q[0] + cp * o->cos_theta,
                            o->cos_beta * o->q[0]);
    kane_vec3 t, t_s, t_ss;

    bend_of(o, &t, &t_s, &t_ss);
    state->kappa = kv3_norm(t_s);
    if (state->kappa > 0.0) {
        const kane_vec3 n = kv3_scale(1.0 / state->kappa, t_s), b = kv3_cross(t, n);
        state->tau = kv3_dot(b, t_ss) / state->kappa;
        state->chi = atan2(kv3_dot(y, b), kv3_dot(y, n));
    }
}

void kane_track_describe(const kane_track *track, int piece, double s, kane_track_state *state)
{
    const kane_piece *p   = &track->pieces[piece];
    const double asked    = (s - p->start) + p->offset;
    const double l        = asked > p->low ? (asked < p->high ? asked : p->high) : p->low;
    const kane_cell *cell = kane_piece_cell(p, l);
    double at[4];
    kane_line o;

    kane_cell_eval(cell, l, at);
    kane_line_eval(p, l, at[3], cell->row, &o);
    *state = (kane_track_state){.superelevation = -o.q[0] * track->definition.running_distance,
                                .grade          = o.w[0] / o.cos_beta,
                                .psi            = o.psi[0],
                                .beta           = asin(o.w[0]),
                                .theta          = asin(o.q[0])};
    if (l != asked) // straight on, where the formula ends
        return;
    state->curvature = o.psi[1];
    for (int i = 0; i < 3; i++) {
        state->psi_s[i]   = o.psi[i + 1];
        state->beta_s[i]  = o.beta[i + 1];
        state->theta_s[i] = o.theta[i + 1];
    }
    for (int i = 0; i < 4; i++)
        state->superelevation_s[i] = -o.q[i + 1] * track->definition.running_distance;
    describe_space_curve(&o, state);
}
