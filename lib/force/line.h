// SPDX-License-Identifier: MIT
// The line from a to b that axial laws act along.

#ifndef KANE_FORCE_LINE_H
#define KANE_FORCE_LINE_H

#include <kane/force.h>

typedef struct kane_line {
    double length; // [m]
    double rate;   // of the length [m/s]
    kane_vec3 n;   // from a to b, unit vector
} kane_line;

// Positive (KANE_RETRY) where the two points coincide: there is no line.
static inline int kane_line_observe(const kane_relative *r, kane_line *line)
{
    const kane_vec3 d = kv3_add(r->d0, r->d);
    line->length      = kv3_norm(d);
    if (!(line->length > 0.0))
        return KANE_RETRY;
    line->n    = kv3_scale(1.0 / line->length, d);
    line->rate = kv3_dot(line->n, r->v);
    return 0;
}

// Length at rest [m]. Not 0 with an error where points are the same but for round-off: there is no line.
static inline int kane_line_settle(const kane_block *block, kane_vec3 d0, double *length, kane_errors *errors)
{
    *length = kv3_norm(d0);
    if (*length > 1e-6)
        return 0;
    kane_errors_add_input(errors, KANE_BAD_INPUT, kane_block_place(block, NULL, -1),
                          "both points of '%s' are the same, so that its line has no direction; give that of the "
                          "second body in \"to\", or a coupler of a train a \"length\"",
                          block->name);
    return 1;
}

// Derivative of the force -T n on b, where the tension T grows by `stiffness` per length and by `damping` per rate.
static inline void kane_line_derive(const kane_line *line, const kane_relative *r, double tension, double stiffness,
                                    double damping, kane_law_derivative *out)
{
    // d(length) = n.dd,  d(rate) = n.dv + (v - rate n).dd/length,  dn = (dd - n (n.dd))/length
    const kane_mat3 nn         = km3_outer(line->n, line->n);
    const kane_mat3 across     = km3_sub(km3_identity(), nn);
    const kane_vec3 turning    = kv3_scale(1.0 / line->length, kv3_add_scaled(r->v, -line->rate, line->n));
    const kane_vec3 of_tension = kv3_add_scaled(kv3_scale(stiffness, line->n), damping, turning);
    out->force_d = km3_scale(-1.0, km3_add(km3_outer(line->n, of_tension), km3_scale(tension / line->length, across)));
    out->force_v = km3_scale(-damping, nn);
}

#endif
