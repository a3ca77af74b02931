// SPDX-License-Identifier: MIT
// Motion of frames composed by hand: attitudes and places as plain products, velocities and accelerations by
// differences. Shares nothing with how frames are evaluated.

#ifndef KANE_TESTS_COMPOSED_H
#define KANE_TESTS_COMPOSED_H

#include <kane/transport.h>

#include "check.h"

// Attitude and place of a frame in another one at a time.
typedef struct composed_pose {
    kane_mat3 R;
    kane_vec3 r;
} composed_pose;

typedef composed_pose (*composed_motion)(double t);

static inline kane_mat3 composed_turn(int axis, double angle)
{
    const double c = cos(angle), s = sin(angle);
    const kane_mat3 turns[3] = {
        {{1, 0, 0}, {0, c, s}, {0, -s, c}}, {{c, 0, -s}, {0, 1, 0}, {s, 0, c}}, {{c, s, 0}, {-s, c, 0}, {0, 0, 1}}};
    return turns[axis];
}

// Rodrigues' formula.
static inline kane_mat3 composed_turn_about(kane_vec3 axis, double angle)
{
    const kane_vec3 e = kv3_scale(1.0 / kv3_norm(axis), axis);
    const kane_mat3 K = km3_skew(e);
    return km3_add(km3_identity(), km3_add(km3_scale(sin(angle), K), km3_scale(1.0 - cos(angle), km3_mul(K, K))));
}

// A frame in a frame.
static inline composed_pose composed_on(composed_pose a, composed_pose b)
{
    return (composed_pose){km3_mul(a.R, b.R), kv3_add(a.r, km3_mulv(a.R, b.r))};
}

// First and second derivative of order six.
static inline double composed_first(const double f[7], double h)
{
    return (-f[0] + 9.0 * f[1] - 45.0 * f[2] + 45.0 * f[4] - 9.0 * f[5] + f[6]) / (60.0 * h);
}

static inline double composed_second(const double f[7], double h)
{
    return (2.0 * f[0] - 27.0 * f[1] + 270.0 * f[2] - 490.0 * f[3] + 270.0 * f[4] - 27.0 * f[5] + 2.0 * f[6]) /
           (180.0 * h * h);
}

// All that a transportation is: w = skew of R' R_dot, e = that of d(R' R_dot)/dt.
static inline kane_transport composed_transport(composed_motion motion, double t)
{
    const double h = 4e-3;
    double f[12][7], first[12], second[12];
    for (int i = 0; i < 7; i++) {
        const composed_pose p   = motion(t + (i - 3) * h);
        const kane_vec3 rows[4] = {p.R.x, p.R.y, p.R.z, p.r};
        for (int k = 0; k < 12; k++)
            f[k][i] = kv3_get(rows[k / 3], k % 3);
    }
    for (int k = 0; k < 12; k++) {
        first[k]  = composed_first(f[k], h);
        second[k] = composed_second(f[k], h);
    }
    const composed_pose p = motion(t);
    const kane_mat3 R1    = {
           {first[0], first[1], first[2]}, {first[3], first[4], first[5]}, {first[6], first[7], first[8]}};
    const kane_mat3 R2 = {
        {second[0], second[1], second[2]}, {second[3], second[4], second[5]}, {second[6], second[7], second[8]}};
    const kane_mat3 W = km3_tmul(p.R, R1);                            // skew of w
    const kane_mat3 E = km3_add(km3_tmul(p.R, R2), km3_tmul(R1, R1)); // its derivative
    return (kane_transport){.R       = p.R,
                            .r_o     = p.r,
                            .v_o     = km3_tmulv(p.R, kv3(first[9], first[10], first[11])),
                            .a_o     = km3_tmulv(p.R, kv3(second[9], second[10], second[11])),
                            .omega   = kv3(W.y.z, W.z.x, W.x.y),
                            .epsilon = kv3(E.y.z, E.z.x, E.x.y)};
}

static inline void composed_check(const kane_transport *T, composed_motion motion, double t, const char *what)
{
    const kane_transport by_hand = composed_transport(motion, t);
    const struct {
        const char *name;
        kane_vec3 is, should;
        double tolerance;
    } rows[] = {{"R.x", T->R.x, by_hand.R.x, 1e-12},      {"R.y", T->R.y, by_hand.R.y, 1e-12},
                {"R.z", T->R.z, by_hand.R.z, 1e-12},      {"r_o", T->r_o, by_hand.r_o, 1e-11},
                {"v_o", T->v_o, by_hand.v_o, 1e-9},       {"a_o", T->a_o, by_hand.a_o, 1e-8},
                {"omega", T->omega, by_hand.omega, 1e-9}, {"epsilon", T->epsilon, by_hand.epsilon, 1e-8}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!(kv3_norm(kv3_sub(rows[i].is, rows[i].should)) <= check_tolerance(rows[i].tolerance)))
            fail_msg("%s at %g s: %s is (%.12g, %.12g, %.12g), composed by hand (%.12g, %.12g, %.12g)", what, t,
                     rows[i].name, rows[i].is.x, rows[i].is.y, rows[i].is.z, rows[i].should.x, rows[i].should.y,
                     rows[i].should.z);
}

#endif
