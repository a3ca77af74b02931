// SPDX-License-Identifier: MIT
// Friction along the line.

#ifndef KANE_TRACK_FRICTION_H
#define KANE_TRACK_FRICTION_H

#include <kane/track.h>

#include "base/arena.h"
#include "track/check.h"

typedef struct kane_friction kane_friction;

// Prepares the changes of a definition, or reports which of them meet. NULL if there are none, if they are faulty or if
// memory had none.
const kane_friction *kane_friction_make(const kane_track_definition *d, kane_arena *memory, kane_check *check);

double kane_friction_eval(const kane_friction *friction, kane_side side, double s);

#endif
