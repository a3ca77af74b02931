// SPDX-License-Identifier: MIT
// Profiles of the rails along the line.

#ifndef KANE_TRACK_SHAPES_H
#define KANE_TRACK_SHAPES_H

#include <kane/track.h>

#include "base/arena.h"
#include "track/check.h"

typedef struct kane_shapes kane_shapes;

// Prepares the changes of a definition, or reports which of them meet. NULL if there are none, if they are faulty or if memory
// had none.
const kane_shapes *kane_shapes_make(const kane_track_definition *d, kane_arena *memory, kane_check *check);

void kane_shapes_eval(const kane_shapes *shapes, kane_side side, double s, kane_rail_blend *blend);

#endif
