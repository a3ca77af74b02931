// SPDX-License-Identifier: MIT
// Cubic splines on a uniform grid.

#include "contact/search.h"

#include <math.h>

// Continuity of the second derivative at the inner nodes:  d[i-1] + 4 d[i] + d[i+1] = 3 (v[i+1] - v[i-1]) / h.
// Elimination from left to right, substitution back.
void kane_grid_slopes(int count, double h, const double *value, double first_slope, double last_slope, double *slope,
                      double *scratch)
{
    const int last = count - 1;
    slope[0]       = first_slope;
    scratch[0]     = 0.0;
    for (int i = 1; i < last; i++) {
        const double pivot = 1.0 / (4.0 - scratch[i - 1]);
        scratch[i]         = pivot;
        slope[i]           = pivot * (3.0 * (value[i + 1] - value[i - 1]) / h - slope[i - 1]);
    }
    slope[last] = last_slope;
    for (int i = last - 1; i > 0; i--)
        slope[i] -= scratch[i] * slope[i + 1];
}

void kane_grid_cubic(double h, double v0, double d0, double v1, double d1, double c[4])
{
    const double secant = (v1 - v0) / h;
    c[0]                = v0;
    c[1]                = d0;
    c[2]                = (3.0 * secant - 2.0 * d0 - d1) / h;
    c[3]                = (d0 + d1 - 2.0 * secant) / (h * h);
}

double kane_grid_curvature(double h, const double c[4])
{
    // the second derivative is linear, and so the slope changes by less than the largest of it times h
    const double curvature = fmax(fabs(2.0 * c[2]), fabs(2.0 * c[2] + 6.0 * h * c[3]));
    const double least     = fmax(0.0, fabs(c[1]) - curvature * h);
    return curvature / (1.0 + least * least);
}

void kane_grid_spread(int count, int reach, const double *curvature, double *out)
{
    for (int i = 0; i < count; i++) {
        const int first = i > reach ? i - reach : 0, end = i + reach < count ? i + reach + 1 : count;
        out[i] = 0.0;
        for (int k = first; k < end; k++)
            out[i] = curvature[k] > out[i] ? curvature[k] : out[i];
    }
}
