// SPDX-License-Identifier: MIT
// Who started this process, and which one of how many it is: mpirun, srun, or a user.

#ifndef KANE_APPS_LAUNCH_H
#define KANE_APPS_LAUNCH_H

#include <kane/plan.h>

// What a launcher leaves in the environment of its processes. ranks 1: this process is alone.
typedef struct app_launch {
    int rank, ranks;
    const char *launcher; // "mpirun", "srun"; "" if alone
    int can_talk;         // 1 if the launcher can bring its processes together by MPI
} app_launch;

app_launch app_launch_read(void);

// The crew of a study: that of the MPI job to which this process belongs, `workers` processes for each rank (0: one);
// *crew is NULL if it is alone, and the plan's own crew does the work. An error if it is one of several that could not
// share the work: each would do all of it. The plan's part is shard of shards; shards 0: all of it.
// To be called once, before the study's files are read; what is to be undone is undone when the program exits.
kane_status app_crew_find(int workers, int shard, int shards, kane_crew **crew, kane_errors *errors);

#endif
