// SPDX-License-Identifier: MIT
// How many processors this process may use: those that the scheduler gives it, or as much of them as its container has.

#define _GNU_SOURCE // sched_getaffinity

#include "plan/crew_fork.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

#ifdef __linux__
#include <sched.h>
#endif

static int from_scheduler(void)
{
#ifdef __linux__
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
        return CPU_COUNT(&set);
#endif
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (int)online : 1;
}

// Processor time a container may use, in processors; infinite without a limit.
static double from_container(void)
{
    double quota = 0.0, period = 0.0;
    FILE *file  = fopen("/sys/fs/cgroup/cpu.max", "r"); // "200000 100000" or "max 100000"
    int is_read = file && fscanf(file, "%lf %lf", &quota, &period) == 2;
    if (file)
        (void)fclose(file);
    return is_read && quota > 0.0 && period > 0.0 ? quota / period : (double)INFINITY;
}

int kane_processors(void)
{
    const double most = ceil(from_container());
    const int have    = from_scheduler();
    return most < have ? (int)most : have;
}
