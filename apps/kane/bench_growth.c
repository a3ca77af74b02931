// SPDX-License-Identifier: MIT
// How cost grows with size, for `kane bench`: the slope of its logarithm over that of the size.

#include "bench.h"

#include <math.h>
#include <stdio.h>

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

void bench_growth_report(const bench_growth *g, const char *name, const char *about, kane_writer *json)
{
    if (g->n < 2.0)
        return;
    const double exponent = bench_growth_exponent(g);
    if (json) {
        kane_writer_open(json, name, '{');
        kane_writer_text(json, "about", about);
        kane_writer_text(json, "unit", "1");
        kane_writer_number(json, "value", exponent);
        kane_writer_close(json);
        return;
    }
    (void)printf("%-22s %9.2f     %s\n", name, exponent, about);
    (void)fflush(stdout);
}
