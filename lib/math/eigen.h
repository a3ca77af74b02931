// SPDX-License-Identifier: MIT
// Eigenvalues of dense matrices.

#ifndef KANE_MATH_EIGEN_H
#define KANE_MATH_EIGEN_H

enum { KANE_EIGEN_NO_MEMORY = -1010, KANE_EIGEN_NOT_FINITE = -1011 };

// Eigenvalues re + i im and right eigenvectors of A [n x n], by columns, destroyed. Of a pair the one with im > 0 comes
// first: columns j and j + 1 of `vectors` [n x n] are then real and imaginary part of its eigenvector, the other one is
// conjugate to it. A is balanced. scratch [n]. Returns 0, one of the numbers above, or another one without convergence.
//   vectors   NULL: eigenvalues alone, in less than half of the time
//   accuracy  how far each eigenvalue may be off, to first order [n], NULL: not wanted; needs vectors. A comes out of its reduction as A + E, and an
//             eigenvalue moves by y'E x/(y'x) with unit vectors x to the right and y to the left:  |E|_1/|y'x|,  |E|_1 = n eps |A|_1
//             (LAPACK Users' Guide, 4.8, where eps stands for n eps). Of a multiple one y'x is small, and its accuracy a root of that of others
int kane_eigen_solve(int n, double *A, double *re, double *im, double *vectors, double *accuracy, double *scratch);

// Eigenvalues w [n], ascending, of a symmetric A [n x n]; A becomes the orthonormal eigenvectors, by columns. Returns as
// above.
int kane_eigen_solve_symmetric(int n, double *A, double *w);

// The same of a symmetric 3 x 3 matrix, by Jacobi's rotations: without LAPACK, for all that units (apps/fmu) are made of, and without
// memory. Of each vector the number of largest size is positive. KANE_EIGEN_NOT_FINITE, or 0.
int kane_principal_axes(double A[9], double w[3]);

#endif
