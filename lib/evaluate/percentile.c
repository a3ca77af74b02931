// SPDX-License-Identifier: MIT
// Percentiles.

#include <kane/signal.h>

#include <math.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double kane_percentile(int n, double *values, double percent)
{
    qsort(values, (size_t)n, sizeof *values, compare);
    const double rank = (n - 1) * (percent / 100.0); // from 0
    const int below   = (int)fmin(floor(rank), n - 1.0);
    const int above   = below + 1 < n ? below + 1 : below;
    return values[below] + (rank - below) * (values[above] - values[below]);
}
