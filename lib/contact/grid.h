// SPDX-License-Identifier: MIT
// Cubic splines on a uniform grid: twice continuously differentiable, cell by cell a polynomial.

#ifndef KANE_CONTACT_GRID_H
#define KANE_CONTACT_GRID_H

// Slopes at the nodes of the cubic spline through `value`, whose slopes at both ends are given.
//   count      number of nodes, at least 2
//   h          distance between nodes
//   slope      out, one for each node
//   scratch    one for each node
void kane_grid_slopes(int count, double h, const double *value, double first_slope, double last_slope, double *slope,
                      double *scratch);

// Coefficients of the cubic with values v0, v1 and slopes d0, d1 at the ends of a cell of width h:
// c[0] + c[1] x + c[2] x^2 + c[3] x^3, 0 <= x <= h.
void kane_grid_cubic(double h, double v0, double d0, double v1, double d1, double c[4]);

// How much the direction of a cubic changes within its cell at most, by an upper bound [rad per unit of x].
double kane_grid_bend(double h, const double c[4]);

// out[i]: the largest of bend[i - reach] ... bend[i + reach], as far as there are such.
void kane_grid_spread(int count, int reach, const double *bend, double *out);

#endif
