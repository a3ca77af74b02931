// SPDX-License-Identifier: MIT
// How the motion of links, and the equations of motion, change in a direction of the state: exact, v_dot held.

#ifndef KANE_TREE_TANGENT_H
#define KANE_TREE_TANGENT_H

#include "tree/rows.h"

// Changes of the motion of links for changes dq, dv of coordinates and speeds [tree's q_count, v_count] (of held and given
// coordinates they are not heard); a, al of full accelerations. Coordinates of links outside of `links` do not change, but of their parents; frames do not.
void kane_tree_tangent(const kane_tree *tree, kane_links links, const kane_base *bases, const kane_tree_work *work,
                       const double *dq, const double *dv, kane_link_tangent *tangent);

// Changes of what is missing,  Theta v_dot - f , for the same direction. joint: wrenches of the joints (kane_tree_transmit);
// dacting: changes of the wrenches that act on the links, torque about the origin; scratch [link_count]. out [v_count].
void kane_tree_tangent_forces(const kane_tree *tree, kane_links links, const kane_tree_work *work,
                              const kane_wrench *joint, const kane_wrench *dacting, const double *dq,
                              const kane_link_tangent *tangent, kane_wrench *scratch, double *out);

// Changes of the coordinates' rates of a link.
void kane_tree_tangent_rates(const kane_tree *tree, int link, const kane_base *base, const kane_tree_work *work,
                             const double *dq, const double *dv, const kane_link_tangent *tangent, double *dq_dot);

#endif
