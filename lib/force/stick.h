// SPDX-License-Identifier: MIT
// Dry friction that sticks: an elastic layer that yields at a limit, in one, two or three directions alike.
//
// The layer's deflection z is kept as zeta = z/delta, what it may bear depends on the limit L(t) >= 0 of the moment:
//
//   l = L/L0,  r = |zeta|/e(l),  n = zeta/|zeta|        e = l for l >= 2 h, h + l^2/(4 h) below; psi = l/e
//   force that resists   f = L sigma(r) n + L (1 - sigma(r)) w/sqrt(1 + w.w),      w = damping v/L0
//   rate                 zeta' = (psi v - beta(r) max(0, n.v) n)/delta
//
// With r = rho + 2 (1 - rho) u: sigma = r and beta = 0 up to u = 0 (nothing creeps below rho times the limit), sigma =
// r - (1 - rho) u^2 up to u = 1 and 1 beyond (the force never exceeds the limit), beta = u^2 (3 - u)/2 up to u = 2 and 2
// beyond (it slips at u = 1). The energy L0 delta zeta.zeta/2 grows by never more than f.v, whatever L does meanwhile: what
// is lost is, for n.v > 0, L n.v (sigma - r (1 - beta/psi)) and sigma >= r (1 - beta) as long as rho >= 1/2; for n.v < 0 it
// is L |n.v| (r - sigma).
// After P. Dupont, V. Hayward, B. Armstrong, F. Altpeter: Single state elastoplastic friction models. IEEE Transactions on
// Automatic Control 47 (2002) 787-792; there with a constant limit.

#ifndef KANE_FORCE_STICK_H
#define KANE_FORCE_STICK_H

#include <kane/math.h>

// r up to which nothing slips, and load l below which the layer is driven less, so that it comes to no harm without load.
#define KANE_STICK_HOLDS 0.9
#define KANE_STICK_LIGHT 0.02

typedef struct kane_stick {
    double nominal;      // L0: limit for which the displacement is meant [N]
    double displacement; // delta: deflection under it [m]
    double damping;      // while it sticks [N s/m]
} kane_stick;

// Force and rate, and their derivatives; zero in directions in which both v and zeta are.
typedef struct kane_stick_state {
    kane_vec3 force;                                  // that resists [N]
    kane_vec3 rate;                                   // of zeta [1/s]
    kane_vec3 force_limit, rate_limit;                // d/d(limit)
    kane_mat3 force_v, force_zeta, rate_v, rate_zeta; //
} kane_stick_state;

// limit [N], v: velocity [m/s], zeta: state. Derivatives are filled if they are asked for.
void kane_stick_eval(const kane_stick *s, double limit, kane_vec3 v, kane_vec3 zeta, int derivatives,
                     kane_stick_state *out);

// Energy in the layer [J].
double kane_stick_energy(const kane_stick *s, kane_vec3 zeta);

#endif
