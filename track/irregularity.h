// SPDX-License-Identifier: MIT
// Irregularities: displacements of the two rails.

#ifndef KANE_TRACK_IRREGULARITY_H
#define KANE_TRACK_IRREGULARITY_H

#include <kane/track.h>

#include "base/arena.h"

typedef struct kane_irregularities kane_irregularities;

// Prepares the irregularities of a checked definition for a line that ends at `end` [m]. NULL if there are none, or if
// memory had none.
const kane_irregularities *kane_irregularities_make(const kane_track_definition *d, double end, kane_arena *memory);

void kane_irregularities_eval(const kane_irregularities *w, kane_side side, double s, kane_rail_offset *offset);

#endif
