// SPDX-License-Identifier: MIT
// A profile of arcs and straight lines as a smooth curve over its length.
//
// Going outward at the angle a over y, the curve has the normal n = (-sin a, cos a). An arc is at C + R n, C its centre and R
// its radius: positive where C lies below. Two neighbours have point and normal in common:
//
//   arcs        C_2 - C_1 = (R_1 - R_2) n         centres are |R_1 - R_2| apart
//   arc, line   n is the line's, which goes through C + R n
//
// Drawings round centres. From the arc at y = 0 to both sides every centre is moved along n until its arc touches its
// neighbour exactly; radii and angles stay.

#ifndef KANE_PROFILE_PIECES_H
#define KANE_PROFILE_PIECES_H

#include <kane/profile.h>

#include "base/arena.h"
#include "profile/curve.h"

// A piece where it lies in the curve.
typedef struct joined_piece {
    double radius;     // 0: a line
    double y, z;       // centre, or the point where the line begins [m]
    double angle;      // where it begins [rad]
    double begin, end; // length of the curve up to its ends [m]
} joined_piece;

// Joins the pieces of a profile; joined [p->count]. Returns 1, or 0 with errors (NULL: none are wanted), each at its piece.
int kane_pieces_join(const kane_profile *p, joined_piece *joined, kane_errors *errors);

// Any length t; beyond the ends the curve goes straight on.
curve_point kane_pieces_point_at(int count, const joined_piece *joined, double t);

#endif
