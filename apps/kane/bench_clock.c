// SPDX-License-Identifier: MIT
// The clock of `kane bench`.

#include "bench.h"

#include <time.h>

double bench_now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
