// SPDX-License-Identifier: MIT
// Largest pressures and areas of the patches of a wheel: strips along the rail, side by side over the profile. For what is
// reported, never for an evaluation; no force depends on it.
//
// A strip carries p sqrt(1 - x^2/a^2) on its width w. Where the strips press, the half-space gives way by what the
// undeformed bodies overlap in the middle of the strip,
//   sum over j of p_j a_j/(pi E*) [G((t_i - t_j + w_j/2)/a_j) - G((t_i - t_j - w_j/2)/a_j)] = q_i,   p_i >= 0
// and the half-length a_i is such that it gives way less by the parabola of the wheel's curvature A_i at x = beta a_i:
//   sum over j of p_j a_j/(pi E*) [D(.../a) - D(.../a)] = A_i a_i^2,   a^2 = (a_i^2 + a_j^2)/2,   beta = .7
// with, for a line that carries sqrt(1 - x^2) from -1 to 1, seen from the distance r beside it,
//   g(r) = integral of sqrt(1 - x^2)/sqrt(x^2 + r^2) dx,     h(r) = integral of sqrt(1 - x^2)/sqrt((x - beta)^2 + r^2) dx
//   G = integral of g from 0 to r,   D = integral of (g - h)/beta^2.

#ifndef KANE_CONTACT_PRESSURE_H
#define KANE_CONTACT_PRESSURE_H

#include "contact/overlap.h"

// G and D as cubics, eight in an octave of r.
enum { KANE_STRIP_FIRST = -8, KANE_STRIP_OCTAVES = 15, KANE_STRIP_CELLS = 8 * KANE_STRIP_OCTAVES };

typedef struct strip_cell {
    double from, G[4], D[4]; // powers of r - from
} strip_cell;

typedef struct strip_kernels {
    strip_cell cell[KANE_STRIP_CELLS];
    double h;    // at the first cell's beginning
    double G, D; // at the last one's end
} strip_kernels;

void kane_strip_kernels_init(strip_kernels *kernels);

// Pressure and area of a patch.
typedef struct spot_pressure {
    double pressure; // largest [Pa]
    double area;     // [m^2]
} spot_pressure;

// Of `count` spots of these lobes that carry N [N] together. A spot gets the largest of the strips over its own lobes. Returns 0
// where no strip presses.
int kane_strip_pressures(const silhouette *g, const lobes *found, const strip_kernels *kernels, double E_star, double N,
                         int count, const contact_spot *spots, spot_pressure *out);

#endif
