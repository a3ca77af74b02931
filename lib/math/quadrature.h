// SPDX-License-Identifier: MIT
// Gauss-Legendre quadrature.

#ifndef KANE_MATH_QUADRATURE_H
#define KANE_MATH_QUADRATURE_H

// Nodes x[n], ascending in (-1, 1), and weights w[n] of the rule with n >= 1 points, exact for polynomials up to degree
// 2n - 1. Nodes and weights are exactly symmetric about 0.
void kane_gauss_legendre(int n, double *x, double *w);

#endif
