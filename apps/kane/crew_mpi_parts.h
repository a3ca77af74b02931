// SPDX-License-Identifier: MIT
// The crew of an MPI job in memory: what rank 0 knows of the other ranks, and what another rank knows.

#ifndef KANE_APPS_CREW_MPI_PARTS_H
#define KANE_APPS_CREW_MPI_PARTS_H

#include "crew_mpi.h"
#include "crew_mpi_link.h"

// What rank 0 knows of another rank.
typedef struct mpi_peer {
    double heard;   // when the last message came [s]
    int is_lost;    // for good
    int has_left;   // it has said that it exits
    double *values; // [value_count] of the answer that is coming in ...
    int received;   // ... and how many of them have come
    char why[96];   // it was lost
} mpi_peer;

typedef struct mpi_crew {
    kane_crew crew; // workers: rank 0's, rank 1's, ...
    app_launch launch;
    kane_crew *local; // workers of this rank
    int each;         // of every rank
    int shard;        // of the plan, 0: all of it
    double silence;   // after which a rank is lost [s]
    int is_bereft;    // rank 0: others are lost
    int is_dismissed; // others: rank 0 is about to exit
    int is_orphan;    // others: rank 0 is lost
    int plan;         // number of the plan under way, and of the last one
    int value_count;
    mpi_peer *peers; // rank 0: [ranks]
    int *running;    // rank 0: [crew.size] case of each worker, -1: none
    double spoken;   // when the last beat was sent [s]
} mpi_crew;

static const double MPI_BEAT = 1.0; // time between two beats [s]

// Meets the other ranks if that was not done before.
kane_status mpi_crew_meet(mpi_crew *m, kane_errors *errors);

// The work of a rank other than 0 (crew_mpi_serve.c).
kane_status mpi_crew_serve(kane_crew *crew, kane_case_work work, void *data, int value_count, kane_errors *errors);

// Such a rank is about to exit: tells rank 0, and waits until that exits, too, if it is there.
void mpi_crew_leave(mpi_crew *m, int code);

#endif
