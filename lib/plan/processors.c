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

// Two numbers, the second one in the same file or in one of its own; 0 if they are not there.
static int read_pair(const char *first, const char *second, double pair[2])
{
    FILE *file = fopen(first, "r");
    int count  = file ? fscanf(file, "%lf %lf", &pair[0], &pair[1]) : 0;
    if (file)
        (void)fclose(file);
    file = count == 1 && second ? fopen(second, "r") : NULL;
    if (file) {
        count += fscanf(file, "%lf", &pair[1]);
        (void)fclose(file);
    }
    return count == 2 && pair[0] > 0.0 && pair[1] > 0.0;
}

// Processor time that a container may use, in processors: quota over period; infinite without a limit ("max", -1).
static double from_container(void)
{
    double pair[2];
    if (read_pair("/sys/fs/cgroup/cpu.max", NULL, pair) ||
        read_pair("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "/sys/fs/cgroup/cpu/cpu.cfs_period_us", pair))
        return pair[0] / pair[1];
    return (double)INFINITY;
}

int kane_processors(void)
{
    const double most = ceil(from_container());
    const int have    = from_scheduler();
    return most < have ? (int)most : have;
}
