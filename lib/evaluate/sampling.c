// SPDX-License-Identifier: MIT
// Even rows: those of a run as they are, others by interpolation.

#include <kane/signal.h>

#include "base/arena.h"

#include <math.h>
#include <string.h>

static const double slack = 1e-3, gap_most = 2.001; // [steps]

static kane_status report_bad_rows(kane_errors *errors, const char *format, double a, double b, double c)
{
    kane_errors_add(errors, KANE_BAD_ARGUMENT, format, a, b, c);
    return KANE_BAD_ARGUMENT;
}

// Whether rows 0 .. last are at equal steps. Behind them there may be one row that comes too early.
static int is_even(int n, const double *t, int last, kane_sampling *out)
{
    const double step = (t[last] - t[0]) / last;
    if (last < 1 || !(step > 0.0) || (last < n - 1 && !(t[n - 1] - t[last] < step)))
        return 0;
    for (int i = 1; i < last; i++)
        if (!(fabs(t[i] - (t[0] + i * step)) <= slack * step))
            return 0;
    *out = (kane_sampling){.count = last + 1, .first = t[0], .step = step};
    return 1;
}

// --- uneven rows ---

static kane_status find_median(int n, const double *t, double *step, kane_errors *errors)
{
    double *gaps = kane_allocate((size_t)n, sizeof *gaps);
    if (!gaps)
        return kane_no_memory(errors);
    for (int i = 1; i < n; i++)
        gaps[i - 1] = t[i] - t[i - 1];
    *step = kane_percentile(n - 1, gaps, 50.0);
    kane_release(gaps);
    return KANE_OK;
}

static kane_status find_uneven(int n, const double *t, kane_sampling *out, kane_errors *errors)
{
    double step;
    const kane_status status = find_median(n, t, &step, errors);
    if (status != KANE_OK)
        return status;
    for (int i = 1; i < n; i++) {
        if (!(t[i] >= t[i - 1]))
            return report_bad_rows(errors, "rows go back at %g", t[i], 0.0, 0.0);
        if (!(t[i] - t[i - 1] <= gap_most * step))
            return report_bad_rows(errors,
                                   "rows are too uneven: the next one behind %g comes at %g, others are %g apart",
                                   t[i - 1], t[i], step);
    }
    if (!(step > 0.0))
        return report_bad_rows(errors, "rows do not go on: most of them stand at %g", t[0], 0.0, 0.0);
    *out = (kane_sampling){.count        = 1 + (int)floor((t[n - 1] - t[0]) / step * (1.0 + 1e-12)),
                           .first        = t[0],
                           .step         = step,
                           .is_resampled = 1};
    return KANE_OK;
}

kane_status kane_sampling_find(int n, const double *t, kane_sampling *out, kane_errors *errors)
{
    if (n < 2)
        return report_bad_rows(errors, "%g rows are too few, at least 2 are needed", n, 0.0, 0.0);
    if (is_even(n, t, n - 1, out) || is_even(n, t, n - 2, out))
        return KANE_OK;
    return find_uneven(n, t, out, errors);
}

double kane_interpolate(int n, const double *s, const double *x, double at)
{
    int low = 0, high = n - 1;
    if (at <= s[0])
        return x[0];
    if (at >= s[high])
        return x[high];
    while (high - low > 1) { // s[low] <= at < s[high]
        const int middle = low + (high - low) / 2;
        if (s[middle] <= at)
            low = middle;
        else
            high = middle;
    }
    return x[low] + (at - s[low]) / (s[high] - s[low]) * (x[high] - x[low]);
}

void kane_sampling_apply(const kane_sampling *sampling, int n, const double *t, const double *x, double *out)
{
    if (!sampling->is_resampled)
        memmove(out, x, (size_t)sampling->count * sizeof *out);
    else
        for (int i = 0; i < sampling->count; i++)
            out[i] = kane_interpolate(n, t, x, sampling->first + i * sampling->step);
}
