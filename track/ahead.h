// SPDX-License-Identifier: MIT
// What lies ahead: how far one may look without passing over something short.

#ifndef KANE_TRACK_AHEAD_H
#define KANE_TRACK_AHEAD_H

#include <kane/track.h>

#include "base/arena.h"

typedef struct kane_ahead kane_ahead;

// Prepares it for a checked definition. NULL if there is nothing that could be passed over, or if memory had none.
const kane_ahead *kane_ahead_make(const kane_track_definition *d, kane_arena *memory);

// kane_track_ahead
double kane_ahead_eval(const kane_ahead *ahead, double s);

#endif
