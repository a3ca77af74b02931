// SPDX-License-Identifier: MIT
// Cubic smoothing splines through points that are not exact.

#ifndef KANE_PROFILE_SMOOTHING_H
#define KANE_PROFILE_SMOOTHING_H

enum { KANE_SMOOTHING_COLUMNS = 2, KANE_SMOOTHING_WORK = 5 };

// Up to two functions over the same places. Natural cubic splines g with the least
//   sum weight (g - y)^2 + strength * integral of g''^2
// strength 0: through the points; without end: the straight line of least squares. Straight lines stay what they are, so that
// sum and first moment of the weighted points are those of the spline.
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

// The same for the strength between low and high, found by halving its logarithm, at which the distance is the tolerance,
// from below (0: through the points).
double kane_smoothing_find(kane_smoothing *smoothing, double tolerance, double low, double high);

// The cubic c[0] + c[1] t + ... of interval i of a column, t counted from its beginning.
void kane_smoothing_cubic(const kane_smoothing *smoothing, int column, int i, double c[4]);

// The strength for points whose weights are the lengths that they stand for: a sine of this wavelength keeps half of its
// amplitude, one of a wavelength L the part 1/(1 + (wavelength/L)^4).
double kane_smoothing_strength(double wavelength);

#endif
