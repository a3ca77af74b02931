// SPDX-License-Identifier: MIT
// Parts that press on each other and cannot pull: the normal force over a compression, and how a compression that depends
// on the motion in whatever way makes forces and torques of it.

#ifndef KANE_FORCE_PRESS_H
#define KANE_FORCE_PRESS_H

#include "force/characteristic.h"

extern const kane_schema kane_press_characteristic_schema; // compression, force, interpolation

// Elastic force over the compression from where it begins: a curve if it has points, else k c^2/(2 s) up to the onset s
// and k (c - s/2) beyond. Times 1 + h times the rate of compression, on the way back 1/(1 - h rate).
typedef struct kane_press {
    kane_curve curve;
    double stiffness;   // k [N/m]
    double onset;       // s [m]
    double dissipation; // h [s/m]
    double start;       // compression in the static position, less than zero: a gap [m]
} kane_press;

// From what was typed. Returns 0, or not 0 with errors filled.
int kane_press_prepare(const kane_block *block, const kane_characteristic *input, double stiffness, double onset,
                       double dissipation, kane_arena *memory, kane_errors *errors, kane_press *p);

// Finds the static compression under a load >= 0. Returns 0, or not 0 where there is none.
int kane_press_settle(kane_press *p, double load);

// The force at a compression c, counted from the static position, and its slopes [N], [N/m], [N s/m].
double kane_press_force(const kane_press *p, double c, double rate, double *stiffness, double *damping);

// Work done from the static position to a compression c [J].
double kane_press_energy(const kane_press *p, double c);

// How a compression c depends on the motion: its value, gradient and second derivatives.
typedef struct kane_approach {
    double c;               // since the static position [m]
    kane_vec3 d, phi;       // dc/d(d, phi)
    kane_mat3 d_d, phi_phi; // d(those)/d(d, phi)
} kane_approach;

// A normal force and what it depends on.
typedef struct kane_normal {
    double force;           // [N]
    kane_vec3 d, v, phi, w; // d(force)/d(d, v, phi, w)
} kane_normal;

// The normal force [N], alone or with what it depends on.
double kane_press_load(const kane_press *p, const kane_approach *approach, const kane_relative *r);
kane_normal kane_press_eval(const kane_press *p, const kane_approach *approach, const kane_relative *r);

// Adds what pressing does to b, which is -N dc/d(d, phi), and its derivative. Rotations are small.
void kane_press_exert(double N, const kane_approach *approach, kane_wrench *on_b);
void kane_press_derive(const kane_normal *N, const kane_approach *approach, kane_law_derivative *out);

#endif
