// SPDX-License-Identifier: MIT
// Functions that are asked for often, for the arguments that are usual.

#ifndef KANE_MATH_SMALL_H
#define KANE_MATH_SMALL_H

#include <math.h>
#include <stdint.h>
#include <string.h>

// Cube root of a positive number that is neither denormal nor infinite, within 4e-16 of itself: a third of the exponent, then
// Halley's method, whose error is cubed three times from 4 %.
static inline double kane_cube_root(double x)
{
    uint64_t bits;
    double y;
    memcpy(&bits, &x, sizeof bits);
    bits = bits / 3 + 0x2A9F84FE36D22425;
    memcpy(&y, &bits, sizeof y);
    for (int i = 0; i < 3; i++) {
        const double cube = y * y * y;
        y                 = y * ((cube + 2.0 * x) / (2.0 * cube + x));
    }
    return y;
}

// atan2(y, x), within 2e-16 of itself where the angle is less than 0.1, by its series up to t^15.
static inline double kane_small_angle(double y, double x)
{
    if (!(x > 0.0 && fabs(y) < 0.1 * x))
        return atan2(y, x);
    const double t = y / x, t2 = t * t;
    const double high = 1.0 / 9.0 - t2 * (1.0 / 11.0 - t2 * (1.0 / 13.0 - t2 * (1.0 / 15.0)));
    return t - t * t2 * (1.0 / 3.0 - t2 * (1.0 / 5.0 - t2 * (1.0 / 7.0 - t2 * high)));
}

#endif
