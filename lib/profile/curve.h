// SPDX-License-Identifier: MIT
// Curves of profiles: arcs and lines, smooth curves through points, what contact sees of them.

#ifndef KANE_PROFILE_CURVE_H
#define KANE_PROFILE_CURVE_H

#include <kane/profile.h>

#include "base/arena.h"

// === A smooth plane curve near given points: cubic smoothing splines of both coordinates over the length of the
// chords.

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

// === A profile of arcs and straight lines as a smooth curve over its length.
//
// Going outward at the angle a over y, the curve has the normal n = (-sin a, cos a). An arc is at C + R n, C its centre
// and R its radius: positive where C lies below. Two neighbours have point and normal in common:
//
//   arcs        C_2 - C_1 = (R_1 - R_2) n         centres are |R_1 - R_2| apart
//   arc, line   n is the line's, which goes through C + R n
//
// Drawings round centres. From the arc at y = 0 to both sides every centre is moved along n until its arc touches its
// neighbour exactly; radii and angles stay.

// A piece where it lies in the curve.
typedef struct joined_piece {
    double radius;     // 0: a line
    double y, z;       // centre, or the point where the line begins [m]
    double angle;      // where it begins [rad]
    double begin, end; // length of the curve up to its ends [m]
} joined_piece;

// Joins the pieces of a profile; joined [p->count]. Returns 1, or 0 with errors (NULL: none are wanted), each at its
// piece.
int kane_pieces_join(const kane_profile *p, joined_piece *joined, kane_errors *errors);

// Any length t; beyond the ends the curve goes straight on.
curve_point kane_pieces_point_at(int count, const joined_piece *joined, double t);

// === Any profile as a curve over a parameter: y for shapes, the length of the curve for pieces, that of the chords
// for points.

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

// === Cubic smoothing splines through points that are not exact.

enum { KANE_SMOOTHING_COLUMNS = 2, KANE_SMOOTHING_WORK = 5 };

// Up to two functions over the same places. Natural cubic splines g with the least
//   sum weight (g - y)^2 + strength * integral of g''^2
// strength 0: through the points; without end: the straight line of least squares. Straight lines stay what they are,
// so that sum and first moment of the weighted points are those of the spline.
typedef struct kane_smoothing {
    int count;            // of points, at least 2
    const double *h;      // [count - 1], distances of neighbouring points, positive
    const double *weight; // [count], positive; NULL: all 1
    int columns;
    const double *y[KANE_SMOOTHING_COLUMNS];
    double *shift[KANE_SMOOTHING_COLUMNS]; // [count]: y - g at the points
    double *bend[KANE_SMOOTHING_COLUMNS];  // [count]: g'' at the points, 0 at both ends
    double *work;                          // [KANE_SMOOTHING_WORK * count]
} kane_smoothing;

// Fills shift and bend for one strength; returns the weighted rms distance of the points from the spline.
double kane_smoothing_solve(kane_smoothing *smoothing, double strength);

// The same for the strength between low and high, found by halving its logarithm, at which the distance is the
// tolerance, from below (0: through the points).
double kane_smoothing_find(kane_smoothing *smoothing, double tolerance, double low, double high);

// The cubic c[0] + c[1] t + ... of interval i of a column, t counted from its beginning.
void kane_smoothing_cubic(const kane_smoothing *smoothing, int column, int i, double c[4]);

// The strength for points whose weights are the lengths that they stand for: a sine of this wavelength keeps half of
// its amplitude, one of a wavelength L the part 1/(1 + (wavelength/L)^4).
double kane_smoothing_strength(double wavelength);

#endif
