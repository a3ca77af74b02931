// SPDX-License-Identifier: MIT
// How long something takes.

#include "base/clock.h"

#include <math.h>
#include <time.h>

double kane_clock(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void kane_clock_wait(double moment)
{
    const double seconds        = floor(moment);
    const struct timespec until = {(time_t)seconds, (long)(1e9 * (moment - seconds))};
    if (moment > kane_clock())
        (void)clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}
