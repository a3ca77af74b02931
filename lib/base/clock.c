// SPDX-License-Identifier: MIT
// How long something takes.

#include "base/clock.h"

#include <time.h>

static double read(clockid_t clock)
{
    struct timespec now;
    (void)clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double kane_clock(void)
{
    return read(CLOCK_MONOTONIC);
}

double kane_clock_processor(void)
{
    return read(CLOCK_PROCESS_CPUTIME_ID);
}
