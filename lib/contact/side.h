// SPDX-License-Identifier: MIT
// Both sides are one: the right wheel's mirror image is a left wheel. Side axes are the rail axes of the left rail, and
// the mirror image of those of the right one.

#ifndef KANE_CONTACT_SIDE_H
#define KANE_CONTACT_SIDE_H

#include "contact/spot.h"

#include <math.h>

static inline double side_sign(kane_side side)
{
    return side == KANE_LEFT ? 1.0 : -1.0;
}

// Reflection at the plane y = 0 of a polar vector (place, velocity, force) ...
static inline kane_vec3 side_mirror(double sign, kane_vec3 v)
{
    return kv3(v.x, sign * v.y, v.z);
}

// ... and of an axial one (angular velocity, torque). The axle's direction is one, too: it points to the left on both
// sides, to the outside in side axes.
static inline kane_vec3 side_mirror_axial(double sign, kane_vec3 v)
{
    return kv3(sign * v.x, v.y, sign * v.z);
}

static inline side_motion side_motion_of(kane_side side, const kane_wheel_motion *m)
{
    const double sign = side_sign(side);
    return (side_motion){.side            = side,
                         .pose            = {sign * m->centre.y, m->centre.z, side_mirror_axial(sign, m->axle)},
                         .x               = m->centre.x,
                         .turn            = side_mirror_axial(sign, m->turn),
                         .velocity        = side_mirror(sign, m->velocity),
                         .omega           = side_mirror_axial(sign, m->omega),
                         .friction_change = m->friction_change};
}

// Poses that are looked at: all that is said of yaw holds for less than 0.2, roll does no harm up to there.
static inline int side_is_usual(const wheel_pose *p)
{
    const kane_vec3 e = p->axle;
    return fabs(e.x) <= 0.2 && fabs(e.z) <= 0.4 && e.y > 0.5 && isfinite(p->y + p->z);
}

// Likewise motions.
static inline int side_moves_usually(const side_motion *m)
{
    const kane_vec3 v = m->velocity, w = m->omega, turn = m->turn;
    return side_is_usual(&m->pose) && m->friction_change >= -1.0 &&
           isfinite(v.x + v.y + v.z + w.x + w.y + w.z + m->friction_change + m->x + turn.x + turn.y + turn.z);
}

// Whether any part of a wheel with this radius [m] may reach the rail.
static inline int side_is_near(const wheel_pose *p, double radius)
{
    return fabs(p->y) < 0.3 && fabs(p->z - radius) < 0.3;
}

static inline void side_mirror_patch(kane_patch *p)
{
    p->point.y  = -p->point.y;
    p->normal.y = -p->normal.y;
    p->xi_y     = -p->xi_y;
    p->T_y      = -p->T_y;
    p->phi      = -p->phi;
    p->M_z      = -p->M_z;
}

#endif
