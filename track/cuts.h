// SPDX-License-Identifier: MIT
// Where a section is cut into pieces.

#ifndef KANE_TRACK_CUTS_H
#define KANE_TRACK_CUTS_H

#include "track/grade.h"
#include "track/piece.h"

// Room that the cuts of any section of a definition need at most.
int kane_cuts_limit(const kane_track_definition *d, int leg_count);

// Cuts of a section that begins at distance `begin` from the beginning of the track, ascending from 0 to its length:
// kinks of the grade line, the middle of Helmert's shape and, with the axis on the inner rail, changes of sign of the
// cant. Returns the number of pieces; there is one cut more.
int kane_cuts_find(const kane_course *course, kane_cant_axis axis, const kane_grade_leg *legs, int leg_count,
                   double begin, double *cuts);

// Sign of the cant (right rail over left one) between a and b, 1 where there is none.
double kane_cuts_cant_sign(const kane_course *course, double a, double b);

#endif
