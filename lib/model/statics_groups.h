// SPDX-License-Identifier: MIT
// Bodies that rest on each other: what is solved for of static loads is one problem in each group of bodies that elements
// with an unknown load, joints or constraints connect. Vehicles of a train are groups of their own, as drawgear carries
// nothing at rest.

#ifndef KANE_MODEL_STATICS_GROUPS_H
#define KANE_MODEL_STATICS_GROUPS_H

#include "model/statics.h"

// Indices, each in ascending order.
typedef struct kane_rest_group {
    const int *bodies, *links, *elements, *rows; // rows of the constraints, counted through all of them
    int body_count, link_count, element_count, row_count;
} kane_rest_group;

typedef struct kane_rest_groups {
    kane_rest_group *groups;
    int count;
} kane_rest_groups;

// Finds them for the elements that are solved for. The memory is that of the model. 0 where it is short.
int kane_statics_groups(const kane_statics *s, kane_rest_groups *groups);

#endif
