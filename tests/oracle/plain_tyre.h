// SPDX-License-Identifier: MIT
// The Magic Formula (PAC2002) once more in plain numbers, for data/tyres/sedan.tir.

#ifndef PLAIN_TYRE_H
#define PLAIN_TYRE_H

typedef struct plain_tyre_forces {
    double Fx, Fy, Mz;
    double sigma_kappa, sigma_alpha; // relaxation lengths [m]
} plain_tyre_forces;

// Slip kappa [1], alpha [rad], camber [rad], load [N]; combined 0: pure slip.
plain_tyre_forces plain_tyre(double kappa, double alpha, double gamma, double Fz, int combined);

#endif
