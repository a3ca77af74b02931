// SPDX-License-Identifier: MIT
// Rates of angles and Euler parameters from an angular velocity (44).

#ifndef KANE_TREE_TURNS_H
#define KANE_TREE_TURNS_H

#include "tree/tree.h"

// Rates of three turns about e1, e2, e3 from an angular velocity: e1 e2 and e2 e3 are square. Not finite where e1 and e3 are
// parallel.
static inline void kane_turn_rates(const kane_axis_state *axis, kane_vec3 w, double out[3])
{
    const kane_vec3 e1 = axis[0].e, e2 = axis[1].e, e3 = axis[2].e, k = kv3_cross(e2, e3);
    out[0] = kv3_dot(w, k) / kv3_dot(e1, k);
    out[1] = kv3_dot(w, e2);
    out[2] = kv3_dot(w, e3) - out[0] * kv3_dot(e1, e3);
}

// e' = 1/2 e o (0, w)
static inline void kane_ball_rates(const double e[4], kane_vec3 w, double out[4])
{
    out[0] = 0.5 * (-e[1] * w.x - e[2] * w.y - e[3] * w.z);
    out[1] = 0.5 * (e[0] * w.x + e[2] * w.z - e[3] * w.y);
    out[2] = 0.5 * (e[0] * w.y + e[3] * w.x - e[1] * w.z);
    out[3] = 0.5 * (e[0] * w.z + e[1] * w.y - e[2] * w.x);
}

#endif
