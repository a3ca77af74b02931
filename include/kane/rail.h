// SPDX-License-Identifier: MIT
// Words that the track and the contact of wheel and rail share.

#ifndef KANE_RAIL_H
#define KANE_RAIL_H

#include <kane/profile.h>

typedef enum kane_side { KANE_LEFT, KANE_RIGHT } kane_side;

// A further profile that rails have somewhere along the line, and how it lies there: with its top where the rail's own
// one is and its gauge face at gauge, or with its drawing on that of the rail's own profile (worn rails and sections of
// switches and crossings, drawn in one set of axes).
typedef struct kane_rail_shape {
    const kane_profile *profile;
    int as_drawn; // 1: on the drawing of the rail's own profile
    double
        behind; // how far it lies behind the one before in the list as the next slice of the same rail [m]; 0: it is none
} kane_rail_shape;

enum { KANE_RAIL_SHAPES_MAX = 512 };

// What the profile of a rail is at a place: between two of its profiles, heights over the running surface's oblique
// axis going over from the one to the other. Profile 0 is the rail's own, k > 0 the further one k - 1. All zero: the
// rail's own.
typedef struct kane_rail_blend {
    int from, to;
    double share;             // of `to`, from 0 to 1 [1]
    double share_s, share_ss; // its derivatives along the rail [1/m], [1/m^2]
} kane_rail_blend;

#endif
