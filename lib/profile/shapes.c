// SPDX-License-Identifier: MIT
// The profiles S1002 and 60E1 by their definitions. The standards count in millimetres, and so does this file inside.

#include "profile/profile.h"

#include <math.h>

// Value and slope of c[0] + c[1] x + ... + c[count-1] x^(count-1).
static profile_point eval_polynomial(int count, const double *c, double x)
{
    profile_point p = {0.0, 0.0};
    for (int i = count - 1; i >= 0; i--) {
        p.slope  = p.slope * x + p.height;
        p.height = p.height * x + c[i];
    }
    return p;
}

// Height and slope of an arc:  z = z_c + side (r^2 - (x - x_c)^2)^1/2,  side 1: upper half, -1: lower half.
static profile_point eval_arc(double centre_x, double centre_y, double radius, double side, double x)
{
    const double dx   = x - centre_x;
    const double root = sqrt(radius * radius - dx * dx);
    return (profile_point){centre_y + side * root, -side * dx / root};
}

static profile_point eval_line(double x0, double y0, double slope, double x)
{
    return (profile_point){y0 + slope * (x - x0), slope};
}

// EN 13715-1 (UIC 510-2), zones A to H from the outer face to the back of the flange.
static profile_point s1002_mm(double s)
{
    static const double tread[] = {0.0,
                                   -3.358537058e-2,
                                   1.565681624e-3,
                                   -2.810427944e-5,
                                   5.844240864e-8,
                                   -1.562379023e-8,
                                   5.309217349e-15,
                                   -5.957839843e-12,
                                   2.646656573e-13};
    static const double root[]  = {-4.320221063e3,  -1.038384026e3,  -1.065501873e2,  -6.051367875,
                                   -2.054332446e-1, -4.169739389e-3, -4.687195829e-5, -2.252755540e-7};

    if (s > 60.0) { // the edge, rounded with 5 mm
        const double radius = 5.0, slope = -0.066666667;
        const double x = 60.0 + slope * radius / sqrt(1.0 + slope * slope);
        const double y = 1.364323640 + 60.0 * slope - radius / sqrt(1.0 + slope * slope);
        return eval_arc(x, y, radius, 1.0, s);
    }
    if (s > 32.15796)
        return eval_line(0.0, 1.364323640, -0.066666667, s);
    if (s > -26.0)
        return eval_polynomial(9, tread, s);
    if (s > -35.0)
        return eval_polynomial(8, root, s);
    if (s > -38.426669071)
        return eval_arc(-26.210665, 16.446, 13.0, -1.0, s);
    if (s > -39.764473993)
        return eval_line(0.0, -93.576667419, -2.747477419, s);
    if (s > -49.662510381)
        return eval_arc(-58.558326413, 8.834924130, 20.0, 1.0, s);
    if (s > -62.764705882)
        return eval_arc(-55.0, 16.0, 12.0, 1.0, s);
    return eval_arc(-49.5, 9.519259302, 20.5, 1.0, s);
}

profile_point kane_shape_s1002(double s)
{
    profile_point p = s1002_mm(1e3 * s);
    p.height *= 1e-3;
    return p;
}

// The arcs touch each other without a corner: given are their radii, where they meet, and the flank's slope.
static profile_point half_60e1_mm(double y)
{
    const double y1 = 10.5, y2 = 25.988, flank = 20.0;
    const double s1 = y1 / 300.0, y80 = y1 - 80.0 * s1, z80 = -300.0 + 220.0 * sqrt(1.0 - s1 * s1);
    const double s2 = (y2 - y80) / 80.0, y13 = y2 - 13.0 * s2, z13 = z80 + 67.0 * sqrt(1.0 - s2 * s2);
    const double s3 = flank / sqrt(1.0 + flank * flank), y3 = y13 + 13.0 * s3, z3 = z13 + 13.0 * sqrt(1.0 - s3 * s3);

    if (y < y1)
        return eval_arc(0.0, -300.0, 300.0, 1.0, y);
    if (y < y2)
        return eval_arc(y80, z80, 80.0, 1.0, y);
    if (y < y3)
        return eval_arc(y13, z13, 13.0, 1.0, y);
    return eval_line(y3, z3, -flank, y);
}

profile_point kane_shape_60e1(double y)
{
    profile_point p = half_60e1_mm(1e3 * fabs(y));
    p.height *= 1e-3;
    p.slope = y < 0.0 ? -p.slope : p.slope;
    return p;
}

profile_point kane_shape_cone(double conicity, double s)
{
    return (profile_point){-conicity * s, -conicity};
}

profile_point kane_shape_arc(double radius, double conicity, double s)
{
    const double cosine = 1.0 / sqrt(1.0 + conicity * conicity), sine = conicity * cosine;
    return eval_arc(radius * sine, radius * cosine, fabs(radius), radius > 0.0 ? -1.0 : 1.0, s);
}

profile_point kane_shape_round(double radius, double y)
{
    return eval_arc(0.0, -radius, radius, 1.0, y);
}
