// SPDX-License-Identifier: MIT
// Conformal contact: the half-space of Hertz and Kalker is flat, a patch in a gauge corner is not.

#include "contact/conformal.h"
#include "contact/grid.h"

#include <math.h>

// So much a profile may turn within a patch [rad], and the tangent of it.
static const double limit = 0.2, tangent = 0.20271003550867248;

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

int kane_is_conformal(const wheel_table *wheel, const rail_table *rail, const wheel_pose *pose,
                      const contact_spot *spot)
{
    // neither profile turns more than where it is bent most
    const kane_vec3 n = spot->normal;
    const double s = spot->wheel_y, eta = spot->rail_y * KANE_TILT_COS + (pose->z + spot->point.z) * KANE_TILT_SIN;
    double x;
    const double wheel_bent = wheel_cell_at(wheel, s, &x)->bent,
                 rail_bent  = rail->bent[rail_cell_at(rail, eta, &x) - rail->cells];
    if (2.0 * spot->b * (wheel_bent > rail_bent ? wheel_bent : rail_bent) < limit && spot->b < KANE_BENT_REACH)
        return 0;

    // half the width along either profile's own axis
    const double rise = kv3_dot(n, pose->axle), ds = spot->b * sqrt(1.0 - rise * rise);
    const double de       = spot->b * (n.z * KANE_TILT_COS - n.y * KANE_TILT_SIN);
    const double of_wheel = between(wheel_slope(wheel, s + ds), wheel_slope(wheel, s - ds));
    const double of_rail  = between(head_slope(rail, eta + de), head_slope(rail, eta - de));
    return of_wheel > tangent || of_rail > tangent;
}
