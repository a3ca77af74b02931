// SPDX-License-Identifier: MIT
// Times of `kane bench`: the clock, the best time of a call, how cost grows with size, and the row that each makes.

#include "bench.h"

#include <math.h>
#include <string.h>
#include <time.h>

double bench_now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double bench_best(bench_call call, void *part, int kernel)
{
    enum { ROUNDS = 25, LEAST = 4 };
    const double round = 1e-2; // [s]
    double best        = 1e9;
    long count         = LEAST;
    for (int i = 0; i < ROUNDS; i++) {
        const double begin = bench_now();
        call(part, kernel, count);
        best  = fmin(best, (bench_now() - begin) / (double)count);
        count = (long)fmax(LEAST, round / best);
    }
    return best;
}

void bench_growth_add(bench_growth *g, double size, double cost)
{
    const double x = log(size), y = log(cost);
    g->n += 1.0;
    g->x += x;
    g->y += y;
    g->xx += x * x;
    g->xy += x * y;
}

double bench_growth_exponent(const bench_growth *g)
{
    return (g->n * g->xy - g->x * g->y) / (g->n * g->xx - g->x * g->x);
}
