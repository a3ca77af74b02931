// SPDX-License-Identifier: MIT
// Dependent coordinates of a planar loop of three joints and of a gear, in closed form (docs/mechanisms.md).
//
// A loop of three joints and the hinge that closes it has one freedom: where one coordinate is known, the other two
// follow from a triangle. Cut the loop at the hinge. The link between the two unknown joints is taken to stand still;
// then each of them moves one of the hinge's two points by itself: on a circle about its pivot, or along a line. The hinge
// closes where both curves meet.

#ifndef KANE_TREE_CLOSED_H
#define KANE_TREE_CLOSED_H

#include "tree/rows.h"

enum { KANE_CLOSED_STEPS = 3 };

// A joint's step in the loop.
typedef struct kane_closed_step {
    int link;
    int side;     // of the constraint: whose point it moves; of a gear: its term
    int order;    // steps on the way from the frame
    int is_slide; //
    int axis;     // on the joint's axes
    int q, v;     // coordinate and speed; v -1: it is given over time
} kane_closed_step;

typedef struct kane_closed {
    int recognised; // 0: Newton's method
    const kane_closure *closure;
    int step_count;
    kane_closed_step step[KANE_CLOSED_STEPS];
} kane_closed;

// Recognises the loop that closure->closed names. NULL, or what keeps it from being one (a sentence without a subject, as
// "has four joints instead of three").
const char *kane_closed_recognise(const kane_tree *tree, const kane_closure *closure, kane_closed *out);

// Solves for the coordinates of those two steps (one of a gear) whose speed has unknown[v] = 1, and clears these; all
// others stay. Links have been placed; they must be placed again. On the branch that is nearest. 0 if the loop cannot
// close, or if another number of its steps is unknown.
int kane_closed_solve(const kane_closed *closed, int *unknown, kane_tree_work *work);

#endif
