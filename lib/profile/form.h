// SPDX-License-Identifier: MIT
// Any profile as a curve over a parameter: y for shapes, the length of the curve for pieces, that of the chords for points.

#ifndef KANE_PROFILE_FORM_H
#define KANE_PROFILE_FORM_H

#include <kane/profile.h>

#include "profile/curve.h"
#include "profile/pieces.h"

typedef struct form {
    kane_profile profile;       // its points are not kept
    double first, last;         // of the parameter, from the inside to the outside [m]
    curve curve;                // of points
    const joined_piece *joined; // of pieces [profile.count]
} form;

// 1: points or pieces, which may be a graph over y in part only.
static inline int kane_form_is_drawn(const form *f)
{
    return f->profile.shape == KANE_SHAPE_POINTS || f->profile.shape == KANE_SHAPE_PIECES;
}

// Prepares a profile that has been checked. Memory of the arena; 1, or 0 without.
int kane_form_init(form *form, const kane_profile *profile, kane_arena *arena);

// Point and derivatives at t, which must lie between first and last.
curve_point kane_form_at(const form *form, double t);

// The part of a wheel that contact can reach, as a graph over the axle: from where the back of the flange is 53 degrees
// steep to where the outer edge is 60 degrees steep. first and last are whole millimetres apart.
typedef struct form_range {
    double from, to;    // parameter
    double first, last; // y there or a little inside [m]
    double steepest;    // slope in between, of the flange's face [1]
    double steepest_at; // parameter
} form_range;
form_range kane_form_wheel_range(const form *form);

// The point of a wheel at y, between first and last of its range.
curve_point kane_form_wheel_at(const form *form, const form_range *range, double y);

#endif
