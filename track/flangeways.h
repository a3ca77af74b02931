// SPDX-License-Identifier: MIT
// Check rails along the line.

#ifndef KANE_TRACK_FLANGEWAYS_H
#define KANE_TRACK_FLANGEWAYS_H

#include <kane/track.h>

#include "base/arena.h"
#include "track/check.h"

typedef struct kane_flangeways kane_flangeways;

// Prepares the check rails of a definition, or reports which of them meet. NULL if there are none, if they are faulty or if memory
// had none.
const kane_flangeways *kane_flangeways_make(const kane_track_definition *d, kane_arena *memory, kane_check *check);

// The check rail beside a rail within KANE_CHECK_RAIL_REACH of s, NULL: there is none.
const kane_check_rail *kane_flangeways_at(const kane_flangeways *flangeways, kane_side side, double s);

#endif
