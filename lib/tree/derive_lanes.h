// SPDX-License-Identifier: MIT
// Eight directions at once: loops of a fixed length over arrays that do not overlap, so that compilers take several
// lanes in one instruction.

#ifndef KANE_TREE_DERIVE_LANES_H
#define KANE_TREE_DERIVE_LANES_H

#include "tree/derive_group.h"

#include <string.h>

// --- single lanes ---

// Room for wrenches on a link.
static inline void open_lanes(kane_lanes *lanes)
{
    if (!lanes->has_wrench)
        for (int k = 0; k < 6; k++)
            for (int lane = 0; lane < KANE_LANES; lane++)
                lanes->p[k][lane] = 0.0;
    lanes->has_wrench = 1;
}

// x += (a, b) in one lane.
static inline void add_lane(double x[6][KANE_LANES], int lane, kane_vec3 a, kane_vec3 b)
{
    x[0][lane] += a.x;
    x[1][lane] += a.y;
    x[2][lane] += a.z;
    x[3][lane] += b.x;
    x[4][lane] += b.y;
    x[5][lane] += b.z;
}

// x = a in one lane, three rows.
static inline void set_lane(double x[][KANE_LANES], int lane, kane_vec3 a)
{
    x[0][lane] = a.x;
    x[1][lane] = a.y;
    x[2][lane] = a.z;
}

// The three rows of one lane.
static inline kane_vec3 get_lane(double x[][KANE_LANES], int lane)
{
    return kv3(x[0][lane], x[1][lane], x[2][lane]);
}

// --- all lanes ---

// Rows one by one: a call to copy them all costs more than copying.
static inline void copy_lanes(double (*to)[KANE_LANES], const double (*from)[KANE_LANES], int count)
{
    for (int k = 0; k < count; k++)
        memcpy(to[k], from[k], sizeof to[k]);
}

// --- axes ---

// Inward through an axis, all lanes:  u = -(s/d).p,   to = p + U u.
static inline void up_first(const kane_sweep_axis *restrict x, const double p[restrict 6][KANE_LANES],
                            double to[restrict 6][KANE_LANES], double *restrict u)
{
    const double a = x->over[0], b = x->over[1], c = x->over[2], d = x->over[3], e = x->over[4], f = x->over[5];
    const double U0 = x->U[0], U1 = x->U[1], U2 = x->U[2], U3 = x->U[3], U4 = x->U[4], U5 = x->U[5];
    for (int lane = 0; lane < KANE_LANES; lane++) {
        const double p0 = p[0][lane], p1 = p[1][lane], p2 = p[2][lane];
        const double p3 = p[3][lane], p4 = p[4][lane], p5 = p[5][lane];
        const double w = -((a * p0 + b * p1 + c * p2) + (d * p3 + e * p4 + f * p5));
        to[0][lane]    = p0 + U0 * w;
        to[1][lane]    = p1 + U1 * w;
        to[2][lane]    = p2 + U2 * w;
        to[3][lane]    = p3 + U3 * w;
        to[4][lane]    = p4 + U4 * w;
        to[5][lane]    = p5 + U5 * w;
        u[lane]        = w;
    }
}

// The same, added to what the carrier has already:  to += p + U u.
static inline void up_more(const kane_sweep_axis *restrict x, const double p[restrict 6][KANE_LANES],
                           double to[restrict 6][KANE_LANES], double *restrict u)
{
    const double a = x->over[0], b = x->over[1], c = x->over[2], d = x->over[3], e = x->over[4], f = x->over[5];
    const double U0 = x->U[0], U1 = x->U[1], U2 = x->U[2], U3 = x->U[3], U4 = x->U[4], U5 = x->U[5];
    for (int lane = 0; lane < KANE_LANES; lane++) {
        const double p0 = p[0][lane], p1 = p[1][lane], p2 = p[2][lane];
        const double p3 = p[3][lane], p4 = p[4][lane], p5 = p[5][lane];
        const double w = -((a * p0 + b * p1 + c * p2) + (d * p3 + e * p4 + f * p5));
        to[0][lane] += p0 + U0 * w;
        to[1][lane] += p1 + U1 * w;
        to[2][lane] += p2 + U2 * w;
        to[3][lane] += p3 + U3 * w;
        to[4][lane] += p4 + U4 * w;
        to[5][lane] += p5 + U5 * w;
        u[lane] = w;
    }
}

// Outward through an axis, all lanes:  v_dot = u - D.y - n.eta,   to = y + s v_dot    (y: `from`, eta: `turns`).
static inline void down_axis(const kane_sweep_axis *x, const double *restrict u,
                             const double from[restrict 6][KANE_LANES], const double turns[restrict 3][KANE_LANES],
                             double to[restrict 6][KANE_LANES], double v_dot[restrict KANE_LANES])
{
    const double a = x->D[0], b = x->D[1], c = x->D[2], d = x->D[3], e = x->D[4], f = x->D[5];
    const double n0 = x->n[0], n1 = x->n[1], n2 = x->n[2];
    const double s0 = x->s[0], s1 = x->s[1], s2 = x->s[2], s3 = x->s[3], s4 = x->s[4], s5 = x->s[5];
    for (int lane = 0; lane < KANE_LANES; lane++) {
        const double y0 = from[0][lane], y1 = from[1][lane], y2 = from[2][lane];
        const double y3 = from[3][lane], y4 = from[4][lane], y5 = from[5][lane];
        const double gives   = (a * y0 + b * y1 + c * y2) + (d * y3 + e * y4 + f * y5);
        const double turning = n0 * turns[0][lane] + n1 * turns[1][lane] + n2 * turns[2][lane];
        const double w       = (u[lane] - gives) - turning;
        to[0][lane]          = y0 + s0 * w;
        to[1][lane]          = y1 + s1 * w;
        to[2][lane]          = y2 + s2 * w;
        to[3][lane]          = y3 + s3 * w;
        to[4][lane]          = y4 + s4 * w;
        to[5][lane]          = y5 + s5 * w;
        v_dot[lane]          = w;
    }
}

// With forces:  v_dot = u - D.y - w.parts, parts [count] of the directions instead of eta.
static inline void down_forced(const kane_sweep_axis *x, const double *restrict u,
                               const double from[restrict 6][KANE_LANES], int count,
                               const double parts[restrict KANE_PARTS][KANE_LANES], double to[restrict 6][KANE_LANES],
                               double v_dot[restrict KANE_LANES])
{
    double rest[KANE_LANES];
    for (int lane = 0; lane < KANE_LANES; lane++)
        rest[lane] = u[lane];
    for (int c = 0; c < count; c += 6) {
        const double w0 = x->w[c], w1 = x->w[c + 1], w2 = x->w[c + 2];
        const double w3 = x->w[c + 3], w4 = x->w[c + 4], w5 = x->w[c + 5];
        for (int lane = 0; lane < KANE_LANES; lane++)
            rest[lane] -= ((w0 * parts[c][lane] + w1 * parts[c + 1][lane]) +
                           (w2 * parts[c + 2][lane] + w3 * parts[c + 3][lane])) +
                          (w4 * parts[c + 4][lane] + w5 * parts[c + 5][lane]);
    }
    for (int lane = 0; lane < KANE_LANES; lane++) {
        const double *D = x->D;
        v_dot[lane]     = rest[lane] - ((D[0] * from[0][lane] + D[1] * from[1][lane] + D[2] * from[2][lane]) +
                                    (D[3] * from[3][lane] + D[4] * from[4][lane] + D[5] * from[5][lane]));
    }
    for (int k = 0; k < 6; k++) {
        const double s = x->s[k];
        for (int lane = 0; lane < KANE_LANES; lane++)
            to[k][lane] = from[k][lane] + s * v_dot[lane];
    }
}

#endif
