// SPDX-License-Identifier: MIT
// Least squares of least norm, by LAPACK's singular value decomposition.

#include "math/least_squares.h"

#include "base/arena.h"

#include <lapacke.h>

int kane_least_squares(int rows, int columns, double *A, double *x, double small)
{
    const int larger = rows > columns ? rows : columns;
    double *singular = kane_allocate((size_t)larger, sizeof *singular), *work = NULL;
    lapack_int *index = NULL, rank = 0, info = -1, index_size = 0;
    double work_size = 0.0;
    if (singular)
        info = LAPACKE_dgelsd_work(LAPACK_COL_MAJOR, rows, columns, 1, A, rows, x, larger, singular, small, &rank,
                                   &work_size, -1, &index_size); // asks how much it needs
    if (info == 0) {
        work  = kane_allocate((size_t)work_size, sizeof *work);
        index = kane_allocate((size_t)index_size, sizeof *index);
        info  = work && index ? LAPACKE_dgelsd_work(LAPACK_COL_MAJOR, rows, columns, 1, A, rows, x, larger, singular,
                                                    small, &rank, work, (lapack_int)work_size, index)
                              : -1;
    }
    kane_release(singular);
    kane_release(work);
    kane_release(index);
    return (int)info;
}
