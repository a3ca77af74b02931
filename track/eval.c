// SPDX-License-Identifier: MIT
// The frame of a track at a place, and how it turns per metre (docs/theory.md, section 1).

#include "track/line_function.h"
#include "track/line.h"

// R = Rz(psi) Ry(-beta) Rx(theta)
static inline kane_mat3 track_frame_axes(const kane_line *o)
{
    const double sp = sin(o->psi[0]), cp = cos(o->psi[0]), sb = o->w[0], cb = o->cos_beta;
    const double st = o->q[0], ct = o->cos_theta;

    return (kane_mat3){
        {cp * cb, sp * cb, sb},
        {-cp * sb * st - sp * ct, -sp * sb * st + cp * ct, cb * st},
        {-cp * sb * ct + sp * st, -sp * sb * ct - cp * st, cb * ct},
    };
}

// Omega   = (theta' + psi' sin(beta), -beta' cos(theta) + H sin(theta), beta' sin(theta) + H cos(theta)),
//           H = psi' cos(beta)
// Omega'  = (theta'' + (psi' sin(beta))', -beta'' cos(theta) + H' sin(theta) + theta' Omega_z,
//            beta'' sin(theta) + H' cos(theta) - theta' Omega_y)
// Omega_x'' = theta''' + (psi' sin(beta))''
static inline void turn_exact(const kane_line *o, kane_track_frame *f)
{
    const double sb = o->w[0], cb = o->cos_beta, st = o->q[0], ct = o->cos_theta;
    const double b1 = o->beta[1], b2 = o->beta[2], t1 = o->theta[1], t2 = o->theta[2];
    const double H = o->psi[1] * cb, H1 = o->psi[2] * cb - o->psi[1] * sb * b1;

    f->Omega.x   = t1 + o->psi[1] * sb;
    f->Omega.y   = -b1 * ct + H * st;
    f->Omega.z   = b1 * st + H * ct;
    f->Omega_s.x = t2 + o->psi[2] * sb + H * b1;
    f->Omega_s.y = -b2 * ct + H1 * st + t1 * f->Omega.z;
    f->Omega_s.z = b2 * st + H1 * ct - t1 * f->Omega.y;
    f->twist_ss  = o->theta[3] + o->psi[3] * sb + 2.0 * o->psi[2] * cb * b1 + o->psi[1] * (cb * b2 - sb * b1 * b1);
}

// The source's small-angle form. The roll is gamma = -u/2b without arcsine, and omega_t = d(gamma)/dt (72). The
// principal normal is at sin(phi) = z''/kappa (74) from the horizontal and y at gamma - phi from it, so with kappa
// sin(phi) = z'' and kappa cos(phi) = psi' cos(beta) = H, which differs from kappa cos(asin(z''/kappa)) by terms of
// second order but has a sign and no pole where kappa vanishes,
//   Omega_y = kappa sin(gamma - phi) = H sin(gamma) - z'' cos(gamma)
//   Omega_z = kappa cos(gamma - phi) = H cos(gamma) + z'' sin(gamma)
// (70) turns the trihedron with omega_t - v tau = v (gamma' - phi' - psi' sin(beta)), which is where it is not the
// derivative of this Omega.
static inline void turn_small(const kane_line *o, kane_track_frame *f)
{
    const double S = sin(o->q[0]), C = cos(o->q[0]), z2 = o->w[1], z3 = o->w[2];
    const double H  = o->psi[1] * o->cos_beta;
    const double H1 = o->psi[2] * o->cos_beta - o->psi[1] * o->w[0] * o->beta[1];
    const double t1 = o->q[1] - o->psi[1] * o->w[0];

    f->Omega.x   = o->q[1];
    f->Omega.y   = H * S - z2 * C;
    f->Omega.z   = H * C + z2 * S;
    f->Omega_s.x = o->q[2];
    f->Omega_s.y = H1 * S - z3 * C + t1 * f->Omega.z;
    f->Omega_s.z = H1 * C + z3 * S - t1 * f->Omega.y;
    f->twist_ss  = o->q[3];
}

void kane_track_eval(const kane_track *track, int piece, double s, kane_track_frame *frame)
{
    const kane_piece *p   = &track->pieces[piece];
    const double asked    = (s - p->start) + p->offset;
    const double l        = asked > p->low ? (asked < p->high ? asked : p->high) : p->low;
    const kane_cell *cell = kane_piece_cell(p, l);
    double at[4];
    kane_line line;

    kane_cell_eval(cell, l, at);
    kane_line_eval(p, l, at[3], cell->row, &line);
    frame->R      = track_frame_axes(&line);
    frame->origin = kv3(at[0], at[1], at[2]);
    if (track->definition.transportation == KANE_TRANSPORTATION_EXACT)
        turn_exact(&line, frame);
    else
        turn_small(&line, frame);

    // where the formula ends, the line goes straight on
    if (l != asked) {
        frame->origin   = kv3_add_scaled(frame->origin, asked - l, frame->R.x);
        frame->Omega    = kv3_zero();
        frame->Omega_s  = kv3_zero();
        frame->twist_ss = 0.0;
    }
}
