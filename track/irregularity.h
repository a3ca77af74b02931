// SPDX-License-Identifier: MIT
// Irregularities: displacements of the two rails.

#ifndef KANE_TRACK_IRREGULARITY_H
#define KANE_TRACK_IRREGULARITY_H

#include <kane/track.h>

#include "base/arena.h"

typedef struct kane_irregularities kane_irregularities;

// Definitions with spectra or records whose table would have more intervals are refused.
#define KANE_INTERVALS_MOST 1e7

// Step that the table of a definition needs (HUGE_VAL: no table is needed) [m], and its intervals on a line of this length.
double kane_irregularities_step(const kane_track_definition *d);
double kane_irregularities_intervals(double step, double end);

// Prepares the irregularities of a checked definition for a line that ends at `end` [m]. NULL if there are none, or if
// memory had none.
const kane_irregularities *kane_irregularities_make(const kane_track_definition *d, double end, kane_arena *memory,
                                                    kane_arena *scratch);

void kane_irregularities_eval(const kane_irregularities *w, kane_side side, double s, kane_rail_offset *offset);

// kane_track_spectrum
double kane_irregularities_spectrum(const kane_irregularities *w, kane_irregularity_kind kind, double O);

#endif
