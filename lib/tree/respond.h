// SPDX-License-Identifier: MIT
// What a wrench changes in the accelerations of a tree that has been solved.

#ifndef KANE_TREE_RESPOND_H
#define KANE_TREE_RESPOND_H

#include "tree/tree.h"

// v_dot of all speeds of `links` that wrenches bring about (torque about the links' origins, frame axes), after
// kane_tree_solve. push and answer [link_count]: push is consumed, answer is scratch.
void kane_tree_respond(const kane_tree *tree, kane_links links, const kane_tree_work *work, kane_wrench *push,
                       kane_wrench *answer, double *v_dot);

#endif
