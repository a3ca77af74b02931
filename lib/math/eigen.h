// SPDX-License-Identifier: MIT
// Eigenvalues of a dense matrix.

#ifndef KANE_MATH_EIGEN_H
#define KANE_MATH_EIGEN_H

// Eigenvalues re + i im and right eigenvectors of A [n x n], by columns, destroyed. Of a pair the one with im > 0 comes
// first: columns j and j + 1 of `vectors` [n x n] are then real and imaginary part of its eigenvector, the other one is
// conjugate to it. A is balanced. scratch [n]. Returns 0, or not 0 without convergence, without memory or where A is not
// finite.
int kane_eigen_solve(int n, double *A, double *re, double *im, double *vectors, double *scratch);

#endif
