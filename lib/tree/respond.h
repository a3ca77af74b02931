// SPDX-License-Identifier: MIT
// What a wrench changes in the accelerations of a tree that has been solved.

#ifndef KANE_TREE_RESPOND_H
#define KANE_TREE_RESPOND_H

#include "tree/tree.h"

// Accelerations of a body with all freedoms under a wrench at its origin, frame axes, with the inertia of all that is coupled to
// it; after kane_tree_solve if anything is.
kane_wrench kane_link_respond(const kane_link *link, const kane_link_state *s, kane_wrench wrench);

// v_dot of all speeds of `links` that wrenches bring about (torque about the links' origins, frame axes), after
// kane_tree_solve. push and answer [link_count]: push is consumed, answer is scratch.
void kane_tree_respond(const kane_tree *tree, kane_links links, const kane_tree_work *work, kane_wrench *push,
                       kane_wrench *answer, double *v_dot);

#endif
