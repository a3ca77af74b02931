// SPDX-License-Identifier: MIT
// Where a wheel and a rail overlap: the penetrations (peaks of the overlap p(s) along the wheel's profile) and windows
// on the profile in which they can be at all.

#ifndef KANE_CONTACT_SEARCH_H
#define KANE_CONTACT_SEARCH_H

#include "contact/profile_tables.h"
#include "contact/side.h"

#include <stdint.h>

// === The wheel as the rail sees it: the outline of its projection along the rail, and how far it overlaps the rail's
// head.
//
// The rail is the same everywhere along x, so that contact is a problem in its section, between the rail's head and the
// contact_locus of the wheel. With the axle's direction e (unit vector, to the outside), c = sqrt(ey^2 + ez^2),
// T = (ex/c)^2, u = (ey, ez)/c along the axle and v = (ez, -ey)/c down, a wheel of profile R(s) has the contact_locus
//   centre + U u + V v,   U = c (s - T R R'),   V = R sqrt(1 - T R'^2),
// which touches the wheel's surface at x = ex (s + R R'). The root is a series in T R'^2 to its third power
// (T R'^2 is .012 on the flange's face at 40 mrad of yaw; the next term is 4e-10 m).

// A wheel in one place over one rail.
typedef struct contact_locus {
    const wheel_table *wheel;
    rail_mean rail;
    double T, c;      // see above
    double ex;        //
    double uy, uz;    // u in side axes
    double C, S;      // u in oblique axes; v is then (S, -C)
    double y, z;      // the wheel's centre in side axes [m]
    double eta, zeta; // in oblique axes, the point one radius of the running circle below the centre [m]
} contact_locus;

static inline contact_locus contact_locus_init_between(const wheel_table *wheel, const rail_mean *rail,
                                                       const wheel_pose *pose)
{
    const double c  = sqrt(pose->axle.y * pose->axle.y + pose->axle.z * pose->axle.z);
    const double uy = pose->axle.y / c, uz = pose->axle.z / c, tau = pose->axle.x / c;
    const double C = uy * KANE_TILT_COS + uz * KANE_TILT_SIN, S = uz * KANE_TILT_COS - uy * KANE_TILT_SIN;
    const double y = pose->y, z = pose->z;
    return (contact_locus){.wheel = wheel,
                           .rail  = *rail,
                           .T     = tau * tau,
                           .c     = c,
                           .ex    = pose->axle.x,
                           .uy    = uy,
                           .uz    = uz,
                           .C     = C,
                           .S     = S,
                           .y     = y,
                           .z     = z,
                           .eta   = y * KANE_TILT_COS + z * KANE_TILT_SIN + wheel->radius * S,
                           .zeta  = z * KANE_TILT_COS - y * KANE_TILT_SIN - wheel->radius * C};
}

static inline contact_locus contact_locus_init(const wheel_table *wheel, const rail_table *rail, const wheel_pose *pose)
{
    const rail_mean same = {.from = rail};
    return contact_locus_init_between(wheel, &same, pose);
}

// What there is at one place s of the wheel's profile. Derivatives are by s.
typedef struct overlap {
    double s;
    double p, p1, p2; // overlap along zeta [m] and its derivatives
    double eta, eta1; // place over the oblique axis
    double rail;      // zeta of the rail there
    double slope;     // d(rail)/d(eta)
    double U, v, RR1; // U and V - radius of the contact_locus, R R'
    double R1;        // R'
} overlap;

// The outline at one place. Derivatives are by s.
typedef struct outline {
    double U, v, U1, V1, U2, V2; // as in an overlap
    double f, R, R1, R2, RR1;    // of the profile: R less that of the running circle, R, R', R'', R R'
    double q, sink, inverse;     // T R'^2, 1 - sqrt(1 - q), 1/sqrt(1 - q)
} outline;

static inline outline outline_at(const contact_locus *g, double s)
{
    double x;
    const wheel_cell *w = wheel_cell_at(g->wheel, s, &x);
    const double R3 = 6.0 * w->f[3], R2 = 2.0 * w->f[2] + x * R3;
    const double R1 = (w->f[1] + x * (2.0 * w->f[2])) + (x * x) * (3.0 * w->f[3]);
    const double f  = (w->f[0] + x * w->f[1]) + (x * x) * (w->f[2] + x * w->f[3]);
    const double R = g->wheel->radius + f, RR1 = R * R1;

    // V = R (1 - sink)
    const double T = g->T, q = T * R1 * R1, sink = q * 0.5 + (q * q) * (0.125 + q * 0.0625);
    const double U = g->c * (s - T * RR1), v = f - R * sink;
    // with 1/sqrt(1 - q), which is the root's inverse
    const double inverse = 1.0 + q * (0.5 + q * 0.375), RR2 = R * R2, RR3 = R * R3, curvature = R1 * R2;
    const double U1 = g->c * (1.0 - T * (R1 * R1 + RR2)), U2 = -(g->c * T) * (3.0 * curvature + RR3);
    const double V1 = R1 * (1.0 - sink) - T * RR1 * R2 * inverse;
    const double V2 =
        R2 * (1.0 - sink) - T * (inverse * (R1 * (2.0 * curvature + RR3) + RR2 * R2) + q * (1.0 + 1.5 * q) * RR2 * R2);
    return (outline){U, v, U1, V1, U2, V2, f, R, R1, R2, RR1, q, sink, inverse};
}

static inline overlap overlap_at(const contact_locus *g, double s)
{
    const outline w  = outline_at(g, s);
    const double eta = g->eta + w.U * g->C + w.v * g->S, eta1 = w.U1 * g->C + w.V1 * g->S;

    double xr;
    rail_cell room;
    const rail_cell *r = rail_mean_cell_at(&g->rail, eta, &xr, &room);
    const double rail = rail_height(r, xr), slope = rail_slope(r, xr), rail2 = rail_second(r, xr);
    return (overlap){.s     = s,
                     .p     = rail - (g->zeta + w.U * g->S - w.v * g->C),
                     .p1    = slope * eta1 - (w.U1 * g->S - w.V1 * g->C),
                     .p2    = rail2 * eta1 * eta1 + w.U2 * (slope * g->C - g->S) + w.V2 * (slope * g->S + g->C),
                     .eta   = eta,
                     .eta1  = eta1,
                     .rail  = rail,
                     .slope = slope,
                     .U     = w.U,
                     .v     = w.v,
                     .RR1   = w.RR1,
                     .R1    = w.R1};
}

// The same at several places at once, in steps that a compiler can do for two of them together; less of it, since it is
// for quadrature.
enum { KANE_ROW = 6 };

typedef struct overlap_row {
    double p[KANE_ROW], eta[KANE_ROW], eta1[KANE_ROW], slope[KANE_ROW];
} overlap_row;

// The cells of KANE_ROW places, and the places in them.
static inline void row_cells(double first, double per_cell, double width, int most, const double *at, int *cell,
                             double *x)
{
    for (int i = 0; i < KANE_ROW; i++) {
        const double d = at[i] - first;
        int k          = (int)(d * per_cell);
        k              = k > 0 ? k : 0;
        k              = k < most ? k : most;
        cell[i]        = k;
        x[i]           = d - k * width;
    }
}

static inline void overlap_row_at(const contact_locus *g, const double s[KANE_ROW], overlap_row *o)
{
    const wheel_table *wheel = g->wheel;
    const rail_table *rail   = g->rail.from;
    double x[KANE_ROW], a[4][KANE_ROW], down[KANE_ROW];
    int cell[KANE_ROW];

    row_cells(wheel->first, wheel->per_cell, wheel->cell, wheel->cell_count - 1, s, cell, x);
    for (int i = 0; i < KANE_ROW; i++)
        for (int k = 0; k < 4; k++)
            a[k][i] = wheel->cells[cell[i]].f[k];
    const double T = g->T, c = g->c, C = g->C, S = g->S;
    for (int i = 0; i < KANE_ROW; i++) {
        const double d = x[i], R2 = 2.0 * (a[2][i] + d * (3.0 * a[3][i]));
        const double R1 = a[1][i] + d * (2.0 * a[2][i] + d * (3.0 * a[3][i]));
        const double f  = (a[0][i] + d * a[1][i]) + (d * d) * (a[2][i] + d * a[3][i]);
        const double R = wheel->radius + f, RR1 = R * R1;
        const double q = T * R1 * R1, sink = q * 0.5 + (q * q) * (0.125 + q * 0.0625);
        const double U = c * (s[i] - T * RR1), v = f - R * sink;
        const double U1 = c * (1.0 - T * (R1 * R1 + R * R2));
        const double V1 = R1 * (1.0 - sink) - T * RR1 * R2 * (1.0 + q * (0.5 + q * 0.375));
        o->eta[i]       = g->eta + U * C + v * S;
        o->eta1[i]      = U1 * C + V1 * S;
        down[i]         = g->zeta + U * S - v * C;
    }
    row_cells(rail->first, rail->per_cell, rail->cell, KANE_RAIL_CELLS - 1, o->eta, cell, x);
    for (int i = 0; i < KANE_ROW; i++)
        for (int k = 0; k < 4; k++)
            a[k][i] = rail->cells[cell[i]].z[k];
    if (g->rail.to) {
        const double share = g->rail.share;
        for (int i = 0; i < KANE_ROW; i++)
            for (int k = 0; k < 4; k++)
                a[k][i] = (1.0 - share) * a[k][i] + share * g->rail.to->cells[cell[i]].z[k];
    }
    for (int i = 0; i < KANE_ROW; i++) {
        const double d = x[i];
        o->p[i]        = (a[0][i] + d * a[1][i]) + (d * d) * (a[2][i] + d * a[3][i]) - down[i];
        o->slope[i]    = a[1][i] + d * (2.0 * a[2][i] + d * (3.0 * a[3][i]));
    }
}

// --- slopes by the pose, in the directions of side.h ---

// u turns with the roll; d(c)/d(ex) = -ex/c.
KANE_INLINE pose_scalars pose_with_tangents(double x, const wheel_pose *p)
{
    const kane_vec3 e     = p->axle;
    const kane_scalar eta = ks_variable(0.0, BY_ETA), zeta = ks_variable(0.0, BY_ZETA),
                      roll = ks_variable(0.0, BY_ROLL), ex = ks_variable(e.x, BY_EX);
    const double shrink = -e.x / (e.y * e.y + e.z * e.z);
    return (pose_scalars){
        .x    = ks_variable(x, BY_AHEAD),
        .y    = ks_chain2(eta, zeta, p->y, KANE_TILT_COS, -KANE_TILT_SIN),
        .z    = ks_chain2(eta, zeta, p->z, KANE_TILT_SIN, KANE_TILT_COS),
        .axle = ks3(ex, ks_chain2(roll, ex, e.y, -e.z, shrink * e.y), ks_chain2(roll, ex, e.z, e.y, shrink * e.z))};
}

// Likewise of a contact_locus; d(T)/d(ex) = 2 ex/c^4.
typedef struct contact_locus_scalars {
    kane_scalar T, c, ex, uy, uz, C, S, y, z;
} contact_locus_scalars;

KANE_INLINE contact_locus_scalars contact_locus_with_slopes(const contact_locus *g)
{
    const kane_scalar eta = ks_variable(0.0, BY_ETA), zeta = ks_variable(0.0, BY_ZETA),
                      roll = ks_variable(0.0, BY_ROLL), ex = ks_variable(g->ex, BY_EX);
    const double c2 = g->c * g->c;
    return (contact_locus_scalars){.T  = ks_chain(ex, g->T, 2.0 * g->ex / (c2 * c2)),
                                   .c  = ks_chain(ex, g->c, -g->ex / g->c),
                                   .ex = ex,
                                   .uy = ks_chain(roll, g->uy, -g->uz),
                                   .uz = ks_chain(roll, g->uz, g->uy),
                                   .C  = ks_chain(roll, g->C, -g->S),
                                   .S  = ks_chain(roll, g->S, g->C),
                                   .y  = ks_chain2(eta, zeta, g->y, KANE_TILT_COS, -KANE_TILT_SIN),
                                   .z  = ks_chain2(eta, zeta, g->z, KANE_TILT_SIN, KANE_TILT_COS)};
}

// What there is at one place s, and what becomes of it when the pose changes and s does not. With r the place from the
// wheel's centre (radius of the running circle included) and ' for d/d(ex):
//   c' = -ex/c,   T' = 2 ex/c^4,   U' = (c'/c) U - c T' R R',   v' = -R sink_T T',   sink_T = R'^2 (1/2 + q/4 + 3 q^2/16)
//   d(eta) = 1, 0, -r_zeta, U' C + v' S,   d(zeta) = 0, 1, r_eta, U' S - v' C   by eta, zeta, roll, ex
typedef struct overlap_tangents {
    outline w;
    double s, p, p1, p2, eta, eta1, eta2, zeta, slope, curvature; // p2 = p'', bend = d(slope)/d(eta)
    double r2;                                                    // r.r [m^2]
    double U_ex, v_ex;
    kane_tangents by_p, by_p1, by_eta, by_eta1;
} overlap_tangents;

KANE_INLINE kane_tangents pose_tangents(double eta, double zeta, double roll, double ex)
{
    return (kane_tangents){{eta, zeta}, {roll, ex}, {0.0, 0.0}};
}

KANE_INLINE overlap_tangents overlap_tangents_at(const contact_locus *g, double s)
{
    const outline w = outline_at(g, s);
    const double C = g->C, S = g->S, c2 = g->c * g->c, T_ex = 2.0 * g->ex / (c2 * c2), shrink = -g->ex / c2;
    const double eta = g->eta + w.U * C + w.v * S, eta1 = w.U1 * C + w.V1 * S, eta2 = w.U2 * C + w.V2 * S;
    const double zeta = g->zeta + w.U * S - w.v * C, zeta1 = w.U1 * S - w.V1 * C, zeta2 = w.U2 * S - w.V2 * C;
    const double V = g->wheel->radius + w.v, r_eta = w.U * C + V * S, r_zeta = w.U * S - V * C;

    double x;
    rail_cell room;
    const rail_cell *r = rail_mean_cell_at(&g->rail, eta, &x, &room);
    const double rail = rail_height(r, x), slope = rail_slope(r, x), curvature = rail_second(r, x);

    // by ex; V1 = R' (1 - sink) - T R R' R''/sqrt(1 - q)
    const double sink_T = w.R1 * w.R1 * (0.5 + w.q * (0.25 + w.q * 0.1875));
    const double U_ex = shrink * w.U - g->c * T_ex * w.RR1, v_ex = -w.R * sink_T * T_ex;
    const double U1_ex = shrink * w.U1 - g->c * T_ex * (w.R1 * w.R1 + w.R * w.R2);
    const double V1_ex = -T_ex * (w.R1 * sink_T + w.RR1 * w.R2 * (w.inverse + w.q * (0.5 + 0.75 * w.q)));

    const kane_tangents by_eta   = pose_tangents(1.0, 0.0, -r_zeta, U_ex * C + v_ex * S),
                        by_zeta  = pose_tangents(0.0, 1.0, r_eta, U_ex * S - v_ex * C),
                        by_eta1  = pose_tangents(0.0, 0.0, -zeta1, U1_ex * C + V1_ex * S),
                        by_zeta1 = pose_tangents(0.0, 0.0, eta1, U1_ex * S - V1_ex * C);
    return (overlap_tangents){
        .w         = w,
        .s         = s,
        .p         = rail - zeta,
        .p1        = slope * eta1 - zeta1,
        .p2        = curvature * eta1 * eta1 + slope * eta2 - zeta2,
        .eta       = eta,
        .eta1      = eta1,
        .eta2      = eta2,
        .zeta      = zeta,
        .slope     = slope,
        .curvature = curvature,
        .r2        = w.U * w.U + V * V,
        .U_ex      = U_ex,
        .v_ex      = v_ex,
        .by_p      = kane_tangents_sum(slope, by_eta, -1.0, by_zeta),
        .by_p1     = kane_tangents_sub(kane_tangents_sum(curvature * eta1, by_eta, slope, by_eta1), by_zeta1),
        .by_eta    = by_eta,
        .by_eta1   = by_eta1,
    };
}

// Where on a wheel's profile contact can be at all, for each range of poses: so that most of the profile need not be
// looked at. Never changes a result.

enum { KANE_WINDOW_Y = 64, KANE_WINDOW_ROLL = 12, KANE_WINDOW_YAW = 3, KANE_WINDOW_PARTS = 3 };

// What is looked for: penetrations of elastic contact, the places that count for the gap of rigid bodies that touch
// (gap_places.h).
typedef enum window_kind { WINDOW_PENETRATIONS, WINDOW_GAP, WINDOW_KINDS } window_kind;

// Ranges of coarse nodes of the wheel, first and last.
typedef struct window {
    uint64_t marked[(KANE_WHEEL_NODES + 63) / 64]; // while the table is made: one bit for each node
    int count;
    unsigned short first[KANE_WINDOW_PARTS], last[KANE_WINDOW_PARTS];
} window;

// Windows of penetrations hold for overlaps of up to this depth, windows of gaps for overlaps of this size at most, of
// both signs, and for places that are so much less deep than the deepest [m].
#define KANE_WINDOW_DEPTH   1.8e-4
#define KANE_WINDOW_CONTACT 5e-5
#define KANE_WINDOW_BELOW   4e-4

typedef struct window_table {
    double y; // the lowest y of the wheel's centre [m]
    window all;
    window at[WINDOW_KINDS][KANE_WINDOW_YAW][KANE_WINDOW_ROLL][KANE_WINDOW_Y];
} window_table;

// y: of the wheel's centre when the wheelset stands in the middle of the track.
void kane_window_table_init(window_table *table, const wheel_table *wheel, const rail_table *rail, double y);

// The window of a pose; the whole wheel for unusual poses.
const window *kane_window_at(const window_table *table, window_kind kind, const contact_locus *g);

// Overlap at the coarse nodes first to last, p[i] at node first + i; of first order in T only, for looking around.
void kane_window_scan(const contact_locus *g, int first, int last, double *restrict p);

// How deep the overlap can be between node i and its neighbours: a quarter of the largest second difference around more
// than at the node. That is twice what a parabola has, enough where a profile's curvature jumps.
static inline double window_depth(const double *p, int count, int i)
{
    const int first = i > 2 ? i - 1 : 1, last = i < count - 3 ? i + 1 : count - 2;
    double curvature = 0.0;
    for (int k = first; k <= last; k++) {
        const double here = 2.0 * p[k] - p[k - 1] - p[k + 1];
        curvature         = here > curvature ? here : curvature;
    }
    return p[i] + 0.25 * curvature;
}

// The largest overlap: four at a time, none of which waits for the others.
static inline double window_largest(int count, const double *p)
{
    double most[4] = {p[0], p[0], p[0], p[0]};
    int i          = 0;
    for (; i + 4 <= count; i += 4)
        for (int k = 0; k < 4; k++)
            most[k] = p[i + k] > most[k] ? p[i + k] : most[k];
    for (; i < count; i++)
        most[0] = p[i] > most[0] ? p[i] : most[0];
    const double a = most[0] > most[1] ? most[0] : most[1], b = most[2] > most[3] ? most[2] : most[3];
    return a > b ? a : b;
}

// Where a wheel and a rail overlap: its penetrations: peaks of the overlap p(s) along the wheel's profile.

// Penetrations that are kept, and that are found before the selection.
enum { KANE_PENETRATIONS_MAX = 3, KANE_PENETRATIONS_SEEN = 8 };

// Contact reaches from a penetration's peak down to this part of its depth (reason: overlap.h).
#define KANE_LEVEL 0.35

// `left` and `right` are the valleys toward the neighbouring penetrations, or any places with lower p than the levels
// of the penetrations on both sides.
typedef struct penetration {
    overlap peak;
    double left, right;     // s [m]
    double left_p, right_p; // p there [m]
    int node;               // the coarse node nearest to the peak
    double above;           // p of the peak less that of the parabola through this node and its neighbours [m]
} penetration;

typedef struct penetrations {
    int count;
    penetration at[KANE_PENETRATIONS_SEEN]; // by s; beyond KANE_PENETRATIONS_MAX they are for the search itself
    double p[KANE_WHEEL_NODES]; // at the coarse nodes from the first valley to the last, of first order in T [m]
} penetrations;

// All penetrations with p > 0, of more than KANE_PENETRATIONS_MAX those that rise most over the valleys beside them.
// Depends on the arguments alone.
void kane_penetrations_search(const contact_locus *g, const window_table *windows, penetrations *found);

#endif
