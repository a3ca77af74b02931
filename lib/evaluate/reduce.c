// SPDX-License-Identifier: MIT
// Rows to one number.

#include "evaluate/measure.h"

#include <math.h>

// --- means over time ---

static double identity_of(double x)
{
    return x;
}

// (1/T) times the integral of f(x) over time, trapezoids; a single moment is its own mean.
static double mean_of(const kane_measured *r, double (*f)(double))
{
    const double duration = r->time[r->count - 1] - r->time[0];
    double sum            = 0.0;
    for (int i = 1; i < r->count; i++)
        sum += 0.5 * (r->time[i] - r->time[i - 1]) * (f(r->value[i - 1]) + f(r->value[i]));
    return duration > 0.0 ? sum / duration : f(r->value[0]);
}

// --- extremes ---

static int index_of_largest(const kane_measured *r, double sign)
{
    int at = 0;
    for (int i = 1; i < r->count; i++)
        if (sign * r->value[i] > sign * r->value[at])
            at = i;
    return at;
}

static int index_of_peak(const kane_measured *r)
{
    int at = 0;
    for (int i = 1; i < r->count; i++)
        if (fabs(r->value[i]) > fabs(r->value[at]))
            at = i;
    return at;
}

static kane_reduced place_of(const kane_measured *r, int at)
{
    return (kane_reduced){.value = r->place ? r->place[at] : r->time[at], .extreme = r->value[at]};
}

static kane_reduced value_of(double value)
{
    return (kane_reduced){.value = value, .extreme = value};
}

kane_reduced kane_reduce(const kane_measure *measure, kane_measured *r, kane_errors *errors)
{
    switch (measure->reduction) {
    case KANE_REDUCE_MAX: return value_of(r->value[index_of_largest(r, 1.0)]);
    case KANE_REDUCE_MIN: return value_of(r->value[index_of_largest(r, -1.0)]);
    case KANE_REDUCE_MEAN: return value_of(mean_of(r, identity_of));
    case KANE_REDUCE_RMS: return value_of(sqrt(mean_of(r, kane_square)));
    case KANE_REDUCE_INTEGRAL: return value_of((r->time[r->count - 1] - r->time[0]) * mean_of(r, identity_of));
    case KANE_REDUCE_PEAK: return value_of(fabs(r->value[index_of_peak(r)]));
    case KANE_REDUCE_RANGE: return value_of(r->value[index_of_largest(r, 1.0)] - r->value[index_of_largest(r, -1.0)]);
    case KANE_REDUCE_AT_MAX: return place_of(r, index_of_largest(r, 1.0));
    case KANE_REDUCE_AT_MIN: return place_of(r, index_of_largest(r, -1.0));
    case KANE_REDUCE_AT_PEAK: return place_of(r, index_of_peak(r));
    case KANE_REDUCE_COMFORT_X:
    case KANE_REDUCE_COMFORT_Y:
    case KANE_REDUCE_COMFORT_Z:
    case KANE_REDUCE_NMV: return value_of(kane_comfort_p95(r->step, r->count, r->value, NULL, errors));
    case KANE_REDUCE_SPERLING_Y:
    case KANE_REDUCE_SPERLING_Z:
    case KANE_REDUCE_SPERLING_QUALITY: return value_of(kane_sperling(r->count, r->value));
    case KANE_REDUCE_PERCENTILE: return value_of(kane_percentile(r->count, r->value, measure->percent));
    default: return value_of(r->value[r->count - 1]);
    }
}

int kane_reduced_exceeds(const kane_measure *measure, const kane_reduced *a, const kane_reduced *b)
{
    switch (measure->reduction) {
    case KANE_REDUCE_MIN:
    case KANE_REDUCE_AT_MIN: return a->extreme < b->extreme;
    case KANE_REDUCE_AT_PEAK: return fabs(a->extreme) > fabs(b->extreme);
    case KANE_REDUCE_PERCENTILE: return measure->percent < 50.0 ? a->extreme < b->extreme : a->extreme > b->extreme;
    default: return a->extreme > b->extreme;
    }
}
