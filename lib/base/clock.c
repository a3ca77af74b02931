// SPDX-License-Identifier: MIT
// How long something takes.

#include "base/machine.h"

#include <math.h>
#include <time.h>

static double read_clock(clockid_t clock)
{
    struct timespec now;
    (void)clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double kane_clock(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

double kane_clock_processor(void)
{
    return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

void kane_clock_wait(double moment)
{
    const double seconds        = floor(moment);
    const struct timespec until = {(time_t)seconds, (long)(1e9 * (moment - seconds))};
    if (moment > kane_clock())
        (void)clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}
