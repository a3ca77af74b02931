// SPDX-License-Identifier: MIT
// How long something takes.

#include "base/clock.h"

#include <time.h>

double kane_clock(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
