// SPDX-License-Identifier: MIT
// Eigenvalues by LAPACK.

#include "math/dense.h"

#include "base/arena.h"

#include <float.h>
#include <lapacke.h>
#include <math.h>

static int is_finite(int count, const double *values)
{
    for (int i = 0; i < count; i++)
        if (!isfinite(values[i]))
            return 0;
    return 1;
}

// The functions of LAPACKE that ask for no memory themselves: others print where they get none.
int kane_eigen_solve(int n, double *A, double *re, double *im, double *vectors, double *accuracy, double *scratch)
{
    lapack_int low, high, info    = 0;
    double norm, nothing[1], size = 0.0, *work = NULL;
    double *left = nothing;
    if (n == 0 || !is_finite(n * n, A))
        return n == 0 ? 0 : KANE_EIGEN_NOT_FINITE;
    if (accuracy && !(left = kane_allocate((size_t)n * (size_t)n, sizeof *left)))
        return KANE_EIGEN_NO_MEMORY;
    for (int solves = 0; solves < 2 && info == 0; solves++) {
        if (solves && !(work = kane_allocate((size_t)size, sizeof *work))) {
            info = KANE_EIGEN_NO_MEMORY;
            break;
        }
        info = LAPACKE_dgeevx_work(
            LAPACK_COL_MAJOR, 'B', accuracy ? 'V' : 'N', vectors ? 'V' : 'N', accuracy ? 'E' : 'N', n, A, n, re, im,
            left, accuracy ? n : 1, vectors ? vectors : nothing, vectors ? n : 1, &low, &high, scratch, &norm,
            accuracy ? accuracy : nothing, nothing, solves ? work : &size, solves ? (lapack_int)size : -1, NULL);
    }
    for (int j = 0; accuracy && info == 0 && j < n; j++)
        accuracy[j] = n * DBL_EPSILON * norm / accuracy[j]; // of |y'x|, at most 1
    kane_release(work);
    if (accuracy)
        kane_release(left);
    return (int)info;
}

int kane_eigen_solve_symmetric(int n, double *A, double *w)
{
    const int size = 3 * n;
    if (n == 0 || !is_finite(n * n, A))
        return n == 0 ? 0 : KANE_EIGEN_NOT_FINITE;
    double *work = kane_allocate((size_t)size, sizeof *work);
    if (!work)
        return KANE_EIGEN_NO_MEMORY;
    const lapack_int info = LAPACKE_dsyev_work(LAPACK_COL_MAJOR, 'V', 'U', n, A, n, w, work, size);
    kane_release(work);
    return (int)info;
}
