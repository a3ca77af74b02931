// SPDX-License-Identifier: MIT
// Polach's creep forces as published, for one patch that rolls forward: plain code of the tests' own that shares
// nothing with libkane.
//
// O. Polach, A fast wheel-rail forces calculation computer code, Veh. Syst. Dyn. Suppl. 33 (1999) 728-739; with the
// factors kA and kS of Creep forces in simulations of traction vehicles running on adhesion limit, Wear 258 (2005)
// 992-1000, for translation.

#ifndef PLAIN_POLACH_H
#define PLAIN_POLACH_H

typedef struct plain_polach_patch {
    double a, b;             // semi-axes along and across [m]
    double mu_N;             // friction times load [N]
    double G;                // shear modulus [Pa]
    double c11, c22, c23;    // Kalker's coefficients
    double s_x, s_y, s_spin; // creepages [1], [1], [1/m]
    double kA, kS;
} plain_polach_patch;

// Force on the wheel [N]. Spin counts as translation does; with kA, kS below 1 it may exceed mu N.
void plain_polach(const plain_polach_patch *p, double *F_x, double *F_y);

#endif
