// SPDX-License-Identifier: MIT
// A stiffness that sets in smoothly where parts meet, and a damping that never makes them pull.

#ifndef KANE_FORCE_ONSET_H
#define KANE_FORCE_ONSET_H

// Elastic force over the compression c [N] and its slope [N/m]: k c^2/(2 s) up to the onset s, k (c - s/2) beyond, so that
// the force has no kink.
static inline double kane_onset_force(double k, double s, double c, double *slope)
{
    if (c <= 0.0) {
        *slope = 0.0;
        return 0.0;
    }
    if (c < s) {
        *slope = k * c / s;
        return 0.5 * *slope * c;
    }
    *slope = k;
    return k * (c - 0.5 * s);
}

// Its integral from 0 to c [J].
static inline double kane_onset_energy(double k, double s, double c)
{
    if (c <= 0.0)
        return 0.0;
    if (c < s)
        return k * c * c * c / (6.0 * s);
    return k * (s * s / 6.0 + 0.5 * (c - s) * c);
}

// Factor of the elastic force: 1 + x on the way in, where x is the rate of compression times a constant; 1/(1 - x) on the
// way out, which never pulls. Both meet smoothly.
static inline double kane_onset_dissipate(double x, double *slope)
{
    if (x >= 0.0) {
        *slope = 1.0;
        return 1.0 + x;
    }
    const double factor = 1.0 / (1.0 - x);
    *slope              = factor * factor;
    return factor;
}

#endif
