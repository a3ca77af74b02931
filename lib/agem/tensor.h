// SPDX-License-Identifier: MIT
// Inertia of one body in the axes of its frame.

#ifndef KANE_AGEM_TENSOR_H
#define KANE_AGEM_TENSOR_H

#include <kane/math.h>

// Inertia of a body in frame axes as an operator: J x.
typedef struct kane_inertia {
    kane_mat3 R; // principal axes to frame axes
    kane_vec3 J; // principal moments [kg m^2]
} kane_inertia;

static inline kane_vec3 kane_inertia_mul(const kane_inertia *J, kane_vec3 x)
{
    return km3_mulv(J->R, kv3_mul(J->J, km3_tmulv(J->R, x)));
}

// J^-1 x
static inline kane_vec3 kane_inertia_solve_for(const kane_inertia *J, kane_vec3 x)
{
    const kane_vec3 p = km3_tmulv(J->R, x);
    return km3_mulv(J->R, kv3(p.x / J->J.x, p.y / J->J.y, p.z / J->J.z));
}

#endif
