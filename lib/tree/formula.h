// SPDX-License-Identifier: MIT
// Joints that are a formula of their coordinates (kane/joint.h): the pose, and what it makes of coordinates and speeds.

#ifndef KANE_TREE_FORMULA_H
#define KANE_TREE_FORMULA_H

#include "tree/tree.h"

// Motion of a link against its joint on the parent, in the axes that this has there; or how it changes with one state.
typedef struct kane_pose_motion {
    kane_mat3 R;     // axes of the joint on the link
    kane_vec3 p;     // origin of the link [m]
    kane_vec3 v, w;  // velocity of it, angular velocity
    kane_vec3 a, al; // second derivative of p, angular acceleration
    kane_vec3 l[KANE_JOINT_FORMULA_COORDINATES], e[KANE_JOINT_FORMULA_COORDINATES]; // v, w for a unit of each rate
} kane_pose_motion;

// All of it with v_dot = 0, turned into the axes A.
void kane_pose_move(const kane_link *link, const kane_tree_work *work, kane_mat3 A, kane_pose_motion *out);

// The same with v_dot, and its change with one coordinate (step), or with the speed of it; R of the change is left out.
void kane_pose_change(const kane_link *link, const kane_tree_work *work, kane_mat3 A, int step, int of_speed,
                      kane_pose_motion *out, kane_pose_motion *change);

#endif
