// SPDX-License-Identifier: MIT
// A crew that is spread over the ranks of an MPI job (built with KANE_MPI only).
//
// Every rank has workers of its own, processes that know nothing of MPI; the rank itself only carries messages and sleeps
// in between. So a case that crashes costs a worker, which its rank replaces, and no rank. Rank 0 hands out the cases, one
// ahead to each worker. When a rank is lost MPI ends the job, and the same command goes on where the journal ends.

#ifndef KANE_APPS_CREW_MPI_H
#define KANE_APPS_CREW_MPI_H

#include "launch.h"

// The crew, with `workers` processes for each rank; it lives until the program exits. NULL with an error. shard: of the
// plan, which must be the same for all ranks.
kane_crew *app_crew_mpi(const app_launch *launch, int workers, int shard, kane_errors *errors);

#endif
