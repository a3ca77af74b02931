// SPDX-License-Identifier: MIT
// Conformal contact: the half-space of Hertz and Kalker is flat, a patch in a gauge corner is not.

#include "contact/conformal.h"

#include <math.h>

static double between(double slope, double other)
{
    return fabs((slope - other) / (1.0 + slope * other)); // within a right angle
}

static double wheel_slope(const wheel_table *t, double s)
{
    double x;
    const double *f = wheel_cell_at(t, s, &x)->f;
    return f[1] + x * (2.0 * f[2] + 3.0 * x * f[3]);
}

static double head_slope(const rail_table *t, double eta)
{
    double x;
    const rail_cell *c = rail_cell_at(t, eta, &x);
    return rail_slope(c, x);
}

double kane_conformal_turn(const wheel_table *wheel, const rail_table *rail, const wheel_pose *pose,
                           const contact_spot *spot)
{
    // half the width along either profile's own axis
    const kane_vec3 n = spot->normal;
    const double s = spot->wheel_y, eta = spot->rail_y * KANE_TILT_COS + (pose->z + spot->point.z) * KANE_TILT_SIN;
    const double rise = kv3_dot(n, pose->axle), ds = spot->b * sqrt(1.0 - rise * rise);
    const double de       = spot->b * (n.z * KANE_TILT_COS - n.y * KANE_TILT_SIN);
    const double of_wheel = between(wheel_slope(wheel, s + ds), wheel_slope(wheel, s - ds));
    const double of_rail  = between(head_slope(rail, eta + de), head_slope(rail, eta - de));
    return of_wheel > of_rail ? of_wheel : of_rail;
}
