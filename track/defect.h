// SPDX-License-Identifier: MIT
// Single defects: shapes of a place, a length and a height.

#ifndef KANE_TRACK_DEFECT_H
#define KANE_TRACK_DEFECT_H

#include <kane/track.h>

#include "track/waves.h"

typedef struct kane_defects kane_defects;

// Prepares the defects of a checked definition for a line that ends at `end` [m]. NULL if memory had none.
const kane_defects *kane_defects_make(const kane_track_definition *d, double end, kane_arena *memory);

// Adds all defects at s.
void kane_defects_add(const kane_defects *defects, double s, kane_rails_point *rails);

// Value and derivatives of one defect, x from its middle [m].
void kane_defect_eval(kane_defect_shape shape, double length, double height, double x, double out[4]);

#endif
