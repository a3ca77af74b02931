// SPDX-License-Identifier: MIT
// Bodies as boxes, for pictures of shapes.

#ifndef KANE_APPS_MODES_BOXES_H
#define KANE_APPS_MODES_BOXES_H

#include "modes.h"

// Corners of a box in an order that draws all its edges as one line.
enum { MODES_OUTLINE = 16 };

typedef struct modes_box {
    kane_vec3 low, high;                 // from the mass centre [m]
    kane_vec3 outline[2][MODES_OUTLINE]; // at rest, displaced: vehicle axes [m]
} modes_box;

typedef struct modes_boxes {
    int count;
    modes_box *box;
} modes_boxes;

// Every body as large as the points of its elements and its wheels reach, displaced at phase 0 of a mode by part of the
// vehicle's height. 0 with errors.
int modes_boxes_make(const modes_found *found, int mode, modes_boxes *boxes, kane_errors *errors);
void modes_boxes_free(modes_boxes *boxes);

#endif
