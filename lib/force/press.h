// SPDX-License-Identifier: MIT
// Parts that press on each other and cannot pull: a stiffness that sets in smoothly where they meet, or a curve, and a
// damping that never makes them pull.

#ifndef KANE_FORCE_PRESS_H
#define KANE_FORCE_PRESS_H

#include "force/characteristic.h"

// --- how a stiffness sets in ---

// Elastic force over the compression c [N]: k c^2/(2 s) up to the onset s, k (c - s/2) beyond, so that the force has no
// kink.
KANE_INLINE kane_scalar kane_onset_force(double k, double s, kane_scalar c)
{
    const double depth = ks_value(c), slope = k * depth / s;
    if (depth <= 0.0)
        return ks_constant(0.0);
    return depth < s ? ks_chain(c, 0.5 * slope * depth, slope) : ks_scale(k, ks_shift(c, -0.5 * s));
}

// The constant h of a damping d that sets in with the stiffness, times which the elastic force resists a rate [s/m], at
// a compression c > 0: what resists is d (3 - 2 c/s) (c/s)^2 up to the onset s, d beyond.
KANE_INLINE kane_scalar kane_onset_loss(double k, double d, double s, kane_scalar c)
{
    const double depth = ks_value(c), full = 2.0 * d / (k * s);
    if (depth < s)
        return ks_chain(c, full * (3.0 - 2.0 * depth / s), -2.0 * full / s);
    const double length = depth - 0.5 * s, h = d / (k * length);
    return ks_chain(c, h, -h / length);
}

// Integral of the elastic force from 0 to c [J].
static inline double kane_onset_energy(double k, double s, double c)
{
    if (c <= 0.0)
        return 0.0;
    if (c < s)
        return k * c * c * c / (6.0 * s);
    return k * (s * s / 6.0 + 0.5 * (c - s) * c);
}

// Factor of the elastic force: 1 + x on the way in, where x is the rate of compression times a constant; 1/(1 - x) on
// the way out, which never pulls. Both meet smoothly.
KANE_INLINE kane_scalar kane_onset_dissipate(kane_scalar x)
{
    return ks_value(x) >= 0.0 ? ks_shift(x, 1.0) : ks_inverse(ks_shift(ks_neg(x), 1.0));
}

// --- parts that press ---

extern const kane_schema kane_press_characteristic_schema; // compression, force, interpolation

// Elastic force over the compression from where it begins: a curve if it has points, Hertz' K c^(3/2), else
// k c^2/(2 s) up to the onset s and k (c - s/2) beyond. Times 1 + h times the rate of compression, on the way back
// 1/(1 - h rate).
typedef struct kane_press {
    kane_curve curve;
    double hertz;       // K [N/m^1.5]; 0: not given
    double stiffness;   // k [N/m]
    double onset;       // s [m]
    double dissipation; // h [s/m]
    double start;       // compression in the static position, less than zero: a gap [m]
} kane_press;

// From what was typed. Returns 0, or not 0 with errors filled.
int kane_press_prepare(const kane_block *block, const kane_characteristic *input, double stiffness, double onset,
                       double dissipation, kane_arena *memory, kane_errors *errors, kane_press *p);

// Finds the static compression under a load >= 0. Returns 0, or not 0 where there is none.
int kane_press_set_load(kane_press *p, double load);

// Elastic force at a compression from where it begins [N].
KANE_INLINE kane_scalar kane_press_elastic(const kane_press *p, kane_scalar c)
{
    if (p->curve.count == 0 && p->hertz == 0.0)
        return kane_onset_force(p->stiffness, p->onset, c);
    if (!(ks_value(c) > 0.0))
        return ks_constant(0.0);
    return p->hertz > 0.0 ? ks_scale(p->hertz, ks_mul(c, ks_sqrt(c))) : kane_curve_at(&p->curve, c);
}

// The force at a compression c, counted from the static position, and its rate [N].
KANE_INLINE kane_scalar kane_press_force(const kane_press *p, kane_scalar c, kane_scalar rate)
{
    const kane_scalar elastic = kane_press_elastic(p, ks_shift(c, p->start));
    if (p->dissipation == 0.0)
        return elastic;
    return ks_mul(elastic, kane_onset_dissipate(ks_scale(p->dissipation, rate)));
}

// Normal force of a contact that is met in the direction of a displacement.
typedef struct kane_press_contact {
    kane_scalar force; // N [N]
    kane_scalar3 n; // unit vector against which it acts: N n on a, -N n on b; zero in the middle, where there is none
} kane_press_contact;

// The contact in which a displacement e [m] ends, e from the middle of a round gap; v: its rate [m/s].
KANE_INLINE kane_press_contact kane_press_around(const kane_press *p, kane_scalar3 e, kane_scalar3 v)
{
    kane_press_contact c = {ks_constant(0.0), ks3_constant(kv3_zero())};
    if (!(ks_value(ks3_dot(e, e)) > 0.0))
        return c;
    const kane_scalar distance = ks3_norm(e);
    c.n                        = ks3_scale(ks_inverse(distance), e);
    c.force                    = kane_press_force(p, distance, ks3_dot(c.n, v));
    return c;
}

// Work done from the static position to a compression c [J].
double kane_press_energy(const kane_press *p, double c);

#endif
