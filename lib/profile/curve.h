// SPDX-License-Identifier: MIT
// A smooth plane curve near given points: cubic smoothing splines of both coordinates over the length of the chords.

#ifndef KANE_PROFILE_CURVE_H
#define KANE_PROFILE_CURVE_H

#include "base/arena.h"

// One piece between two points; t counts from its beginning.
typedef struct curve_piece {
    double y[4], z[4]; // y[0] + y[1] t + y[2] t^2 + y[3] t^3 [m], likewise z
} curve_piece;

typedef struct curve {
    int count;           // of points
    const double *knots; // of each, from 0 ascending: length of the chords up to it [m]
    const curve_piece *pieces;
    double distance; // rms distance of the points from the curve, by their weights [m]
} curve;

// Point and derivatives along the curve.
typedef struct curve_point {
    double y, z;       // [m]
    double y_t, z_t;   // first derivatives [1]
    double y_tt, z_tt; // second derivatives [1/m]
} curve_point;

// The curve with the least integral of y''^2 + z''^2 whose weighted rms distance from the points is `tolerance` (0: it
// goes through them; it is straight if a straight line is as near). Twice continuously differentiable, straight at its
// ends. count >= 2, no point twice in a row, weights positive (NULL: all 1). 1, or 0 without memory.
int kane_curve_fit(curve *curve, int count, const double *y, const double *z, const double *weight, double tolerance,
                   kane_arena *arena);

// Any t; beyond the ends the curve goes straight on.
curve_point kane_curve_point_at(const curve *curve, double t);

#endif
