// SPDX-License-Identifier: MIT
// Eigenvalues by LAPACK.

#include "math/eigen.h"

#include <lapacke.h>

int kane_eigen_solve(int n, double *A, double *re, double *im, double *vectors, double *scratch)
{
    lapack_int low, high;
    double norm, nothing[1];
    if (n == 0)
        return 0;
    return (int)LAPACKE_dgeevx(LAPACK_COL_MAJOR, 'B', 'N', 'V', 'N', n, A, n, re, im, nothing, 1, vectors, n, &low,
                               &high, scratch, &norm, nothing, nothing);
}
