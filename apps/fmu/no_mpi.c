// SPDX-License-Identifier: MIT
// What archives of SUNDIALS and SuiteSparse ask of MPI and OpenMP, so that units need neither of them on the machine
// that imports them.
//
// Debian 13 builds libsundials_core.a with MPI and libsuitesparseconfig.a with OpenMP. A unit has no communicator:
// SUNDIALS compares SUN_COMM_NULL, the address of ompi_mpi_comm_null in Open MPI, and calls no function of MPI then.
// All names are hidden in a unit; those of an MPI in the importing program are others.

#include <time.h>

enum { HAS_NO_MPI = 16 }; // MPI_ERR_OTHER of Open MPI; others: any number but 0

extern char ompi_mpi_comm_null[1];
int MPI_Comm_dup(void *communicator, void *copy);
int MPI_Comm_free(void *communicator);
int MPI_Comm_rank(void *communicator, int *rank);
double omp_get_wtime(void);

char ompi_mpi_comm_null[1];

int MPI_Comm_dup(void *communicator, void *copy)
{
    (void)communicator;
    (void)copy;
    return HAS_NO_MPI;
}

int MPI_Comm_free(void *communicator)
{
    (void)communicator;
    return HAS_NO_MPI;
}

int MPI_Comm_rank(void *communicator, int *rank)
{
    (void)communicator;
    (void)rank;
    return HAS_NO_MPI;
}

// Time from any fixed moment on [s]
double omp_get_wtime(void)
{
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
