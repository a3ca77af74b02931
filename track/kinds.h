// SPDX-License-Identifier: MIT
// What the kinds of irregularity do to the rails, and the other way round.

#ifndef KANE_TRACK_KINDS_H
#define KANE_TRACK_KINDS_H

#include <kane/track.h>

enum { KANE_Y = 0, KANE_Z = 1 };

// y and z of the rails [side][KANE_Y, KANE_Z] for one metre of a kind.
extern const double kane_kind_rails[KANE_IRREGULARITY_KINDS][2][2];

// A kind as a sum over y and z of both rails, likewise.
extern const double kane_kind_measure[KANE_IRREGULARITY_KINDS][2][2];

#endif
