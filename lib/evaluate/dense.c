// SPDX-License-Identifier: MIT
// Interpolation by windowed sines.

#include "evaluate/filter.h"

#include "base/number.h"

#include <math.h>

enum { HALF = KANE_DENSE_TAPS / 2 };
static const double beta = 8.0;

// Modified Bessel function of the first kind and order zero, by its power series.
static double bessel_i0(double x)
{
    double sum = 1.0, term = 1.0;
    for (int k = 1; term > 1e-17 * sum; k++) {
        term *= (0.5 * x / k) * (0.5 * x / k);
        sum += term;
    }
    return sum;
}

static double windowed_sine(double x)
{
    const double r = x / HALF;
    if (fabs(r) >= 1.0)
        return 0.0;
    const double window = bessel_i0(beta * sqrt(1.0 - r * r)) / bessel_i0(beta);
    return x == 0.0 ? 1.0 : sin(KANE_PI * x) / (KANE_PI * x) * window;
}

// Weights of the rows i - HALF + 1 + k for the place i + phase/factor, [k][phase]; those of a place are 1 together, so
// that a constant stays.
static void fill_taps(int factor, double *taps)
{
    for (int phase = 0; phase < factor; phase++) {
        double sum = 0.0;
        for (int k = 0; k < KANE_DENSE_TAPS; k++)
            sum += taps[k * factor + phase] = windowed_sine((double)phase / factor - (k - HALF + 1));
        for (int k = 0; k < KANE_DENSE_TAPS; k++)
            taps[k * factor + phase] /= sum;
    }
}

// Row i of x [n]; beyond its ends x continues with point symmetry about the first or last row: 2 x_0 - x_-i.
static double mirrored_row(int n, const double *x, int i)
{
    if (i < 0)
        return 2.0 * x[0] - x[-i];
    return i < n ? x[i] : 2.0 * x[n - 1] - x[2 * (n - 1) - i];
}

void kane_dense(int n, const double *x, int factor, double *taps, double *out)
{
    fill_taps(factor, taps);
    for (int i = 0; i < n; i++) {
        double *place = out + i * factor;
        for (int phase = 0; phase < factor; phase++)
            place[phase] = 0.0;
        for (int k = 0; k < KANE_DENSE_TAPS; k++) {
            const double value = mirrored_row(n, x, i - HALF + 1 + k), *t = taps + k * factor;
            for (int phase = 0; phase < factor; phase++)
                place[phase] += t[phase] * value;
        }
    }
}
