// SPDX-License-Identifier: MIT
// How a point moves that is held by nodes around it.

#ifndef KANE_FLEXIBLE_PATCH_H
#define KANE_FLEXIBLE_PATCH_H

#include "flexible/model.h"

typedef struct kane_patch {
    kane_vec3 at;
    int *node; // [count]; one alone: the point is rigidly joined to it
    int count;
    kane_vec3 middle; // of its nodes
    kane_mat3 spread; // sum of |r|^2 E - r r', r from the middle
} kane_patch;

// 0 with an error if no motion can be told from its nodes.
int kane_patch_make(kane_patch *patch, kane_reader *reader, const kane_mesh *mesh, const kane_interface_input *in);

// Displacement and rotation of the point: those of the rigid motion that fits its nodes best (least squares).
void kane_patch_move(const kane_patch *patch, const kane_mesh *mesh, const double *motion, kane_vec3 *u,
                     kane_vec3 *turn);

// Adds to `forces` on all unknowns what a force and a torque at the point are on its nodes: they do the same work.
void kane_patch_push(const kane_patch *patch, const kane_mesh *mesh, kane_vec3 force, kane_vec3 torque, double *forces);

#endif
