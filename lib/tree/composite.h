// SPDX-License-Identifier: MIT
// What a link with all that hangs on it needs where one of its speeds is accelerated: columns of Theta, before they are handed up.

#ifndef KANE_TREE_COMPOSITE_H
#define KANE_TREE_COMPOSITE_H

#include "tree/spatial.h"

// Whether what a link carries is felt by its parent.
static inline int composite_loads_parent(const kane_link *link)
{
    return link->kind != KANE_LINK_BODY && link->parent >= 0;
}

// Rows of a wrench along the speeds of a link: of a KANE_LINK_BODY along the axes of the frame.
static inline void composite_project(const kane_link *link, const kane_tree_work *work, kane_wrench w, double out[6])
{
    if (link->kind == KANE_LINK_BODY) {
        out[0] = w.force.x;
        out[1] = w.force.y;
        out[2] = w.force.z;
        out[3] = w.torque.x;
        out[4] = w.torque.y;
        out[5] = w.torque.z;
        return;
    }
    for (int k = 0; k < link->v_count; k++) {
        const kane_axis_state *x = &work->axis[link->v + k];
        out[k]                   = kv3_dot(x->e, w.torque) + kv3_dot(x->l, w.force);
    }
}

// How its speed k moves it: velocity of its origin as force, angular velocity as torque.
static inline kane_wrench composite_motion(const kane_link *link, const kane_tree_work *work, int k)
{
    if (link->kind == KANE_LINK_BODY)
        return (kane_wrench){k < 3 ? kv3_unit(k) : kv3_zero(), k < 3 ? kv3_zero() : kv3_unit(k - 3)};
    return (kane_wrench){work->axis[link->v + k].l, work->axis[link->v + k].e};
}

// The wrench that accelerates an inertia so, about the same point.
static inline kane_wrench composite_needs(const kane_spatial *I, kane_wrench motion)
{
    return (kane_wrench){ksp_force(I, motion.torque, motion.force), ksp_torque(I, motion.torque, motion.force)};
}

#endif
