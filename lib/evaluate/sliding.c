// SPDX-License-Identifier: MIT
// Values that slide over distance or time.

#include <kane/signal.h>

#include <math.h>
#include <stdlib.h>

// A window may end this much behind the last row [of its length], so that rounding does not lose it.
static const double slack = 1e-9;

int kane_sliding_count(int n, const double *s, double length, double step)
{
    const double rest = n > 0 ? s[n - 1] - s[0] - length * (1.0 - slack) : -1.0;
    return rest < 0.0 ? 0 : 1 + (int)fmin(floor(rest / step), 1e8);
}

static double mean_term(kane_sliding_kind kind, double x)
{
    return kind == KANE_SLIDING_RMS ? x * x : x;
}

// Integral of x, or of x^2 for an rms, between two places by trapezoids; `from` is at or behind row `i`.
static double integrate_window(kane_sliding_kind kind, int n, const double *s, const double *x, int i, double from,
                               double to)
{
    double at = from, value = mean_term(kind, kane_interpolate(n, s, x, from)), sum = 0.0;
    for (int k = i + 1; k < n && s[k] < to; k++) {
        if (s[k] <= from)
            continue;
        const double next = mean_term(kind, x[k]);
        sum += 0.5 * (s[k] - at) * (value + next);
        at    = s[k];
        value = next;
    }
    return sum + 0.5 * (to - at) * (value + mean_term(kind, kane_interpolate(n, s, x, to)));
}

void kane_sliding(kane_sliding_kind kind, int n, const double *s, const double *x, double length, double step,
                  double *at, double *out)
{
    const int count = kane_sliding_count(n, s, length, step);
    int row         = 0;
    for (int k = 0; k < count; k++) {
        const double from = s[0] + k * step;
        while (row + 1 < n && s[row + 1] <= from)
            row++;
        const double mean = integrate_window(kind, n, s, x, row, from, from + length) / length;
        at[k]             = from + 0.5 * length;
        out[k]            = kind == KANE_SLIDING_RMS ? sqrt(mean) : mean;
    }
}

// === Percentiles.

static int compare_values(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double kane_percentile(int n, double *values, double percent)
{
    qsort(values, (size_t)n, sizeof *values, compare_values);
    const double rank = (n - 1) * (percent / 100.0); // from 0
    const int below   = (int)fmin(floor(rank), n - 1.0);
    const int above   = below + 1 < n ? below + 1 : below;
    return values[below] + (rank - below) * (values[above] - values[below]);
}
