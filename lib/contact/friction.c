// SPDX-License-Identifier: MIT
// Dissipation of the normal force, and friction by side, place and speed of slip.

#include "contact/friction.h"

#include <math.h>

// 1 + x, and for x near -1 smoothly to zero: no adhesion. Parabola between -1 - w and -1 + w; at rest exactly 1.
static double hunt_crossley(double x, double *slope)
{
    const double w = 0.5, y = 1.0 + x;
    if (y >= w) {
        *slope = 1.0;
        return y;
    }
    if (y <= -w) {
        *slope = 0.0;
        return 0.0;
    }
    *slope = 0.5 * (y + w) / w;
    return 0.25 * (y + w) * (y + w) / w;
}

// 1 where the bodies approach, the restitution e where they part; with r from 0 to 1 between, e + (1 - e)(3 r^2 - 2 r^3)
// (J. Ambrosio, J. Pombo, A unified formulation for mechanical joints with and without clearances/bushings and/or stops in
// the framework of multibody systems, Multibody Syst. Dyn. 42 (2018) 317-345).
static double kelvin_voigt(double e, double transition, double w, double *slope)
{
    const double r = 0.5 * (w + transition) / transition;
    *slope         = 0.0;
    if (r >= 1.0)
        return 1.0;
    if (r <= 0.0)
        return e;
    *slope = (1.0 - e) * 3.0 * r * (1.0 - r) / transition;
    return e + (1.0 - e) * r * r * (3.0 - 2.0 * r);
}

double kane_creep_dissipation(const kane_contact_laws *laws, double w, double *slope)
{
    double factor;
    switch (laws->dissipation_law) {
    case KANE_DISSIPATION_HUNT_CROSSLEY:
        factor = hunt_crossley(laws->dissipation * w, slope);
        *slope *= laws->dissipation;
        return factor;
    case KANE_DISSIPATION_KELVIN_VOIGT: return kelvin_voigt(laws->restitution, laws->transition, w, slope);
    case KANE_DISSIPATION_NONE: break;
    }
    *slope = 0.0;
    return 1.0;
}

// The face begins where the contact is 20 degrees steep and is all face at 40: between them lie the gauge corner of the
// rail and the root of the flange.
double kane_creep_friction(const kane_contact_laws *laws, kane_side side, double change, double normal_y)
{
    const double sin_20 = 0.3420201433256687, sin_40 = 0.6427876096865393;
    const double mu = laws->friction[side] * (1.0 + change), x = (fabs(normal_y) - sin_20) / (sin_40 - sin_20);
    if (x <= 0.0)
        return mu;
    return mu * (1.0 + (laws->flange_friction - 1.0) * (x < 1.0 ? x * x * (3.0 - 2.0 * x) : 1.0));
}

double kane_falling_eval(const kane_falling *f, double slip_speed)
{
    return (1.0 - f->ratio) * exp(-f->decay * slip_speed) + f->ratio;
}

// The speed of slip is v^2/sqrt(v^2 + slow^2).
double kane_creep_fall(const kane_contact_laws *laws, double x, double y, double slopes[2])
{
    const double v2 = x * x + y * y, s2 = laws->slow * laws->slow, root = sqrt(v2 + s2), w = v2 / root;
    slopes[0] = slopes[1] = 0.0;
    if (laws->falling.ratio == 1.0 || laws->falling.decay == 0.0)
        return 1.0;
    const double factor = kane_falling_eval(&laws->falling, w);
    const double by_v2  = -laws->falling.decay * (factor - laws->falling.ratio) * (0.5 * v2 + s2) / (root * (v2 + s2));
    slopes[0]           = 2.0 * x * by_v2;
    slopes[1]           = 2.0 * y * by_v2;
    return factor;
}
