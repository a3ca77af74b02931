// SPDX-License-Identifier: MIT
// Rows to one number.

#include "evaluate/reduce.h"

#include <kane/signal.h>

#include <math.h>

// --- means over time ---

static double identity(double x)
{
    return x;
}

static double square(double x)
{
    return x * x;
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

static int index_of(kane_reduction reduction, const kane_measured *r)
{
    switch (reduction) {
    case KANE_REDUCE_MAX:
    case KANE_REDUCE_AT_MAX: return index_of_largest(r, 1.0);
    case KANE_REDUCE_MIN:
    case KANE_REDUCE_AT_MIN: return index_of_largest(r, -1.0);
    case KANE_REDUCE_PEAK:
    case KANE_REDUCE_AT_PEAK: return index_of_peak(r);
    default: return r->count - 1;
    }
}

static kane_reduced place_of(const kane_measured *r, int at)
{
    return (kane_reduced){
        .value = r->place ? r->place[at] : r->time[at], .extreme = r->value[at], .unit = r->place ? "m" : "s"};
}

static double value_of(kane_reduction reduction, double percent, const kane_measured *r)
{
    switch (reduction) {
    case KANE_REDUCE_MEAN: return mean_of(r, identity);
    case KANE_REDUCE_RMS: return sqrt(mean_of(r, square));
    case KANE_REDUCE_RANGE: return r->value[index_of_largest(r, 1.0)] - r->value[index_of_largest(r, -1.0)];
    case KANE_REDUCE_PEAK: return fabs(r->value[index_of_peak(r)]);
    case KANE_REDUCE_PERCENTILE: return kane_percentile(r->count, r->value, percent);
    default: return r->value[index_of(reduction, r)];
    }
}

static int is_place(kane_reduction reduction)
{
    return reduction == KANE_REDUCE_AT_MAX || reduction == KANE_REDUCE_AT_MIN || reduction == KANE_REDUCE_AT_PEAK;
}

kane_reduced kane_reduce(kane_reduction reduction, double percent, const kane_measured *rows)
{
    if (is_place(reduction))
        return place_of(rows, index_of(reduction, rows));
    const double value = value_of(reduction, percent, rows);
    return (kane_reduced){.value = value, .extreme = value, .unit = rows->unit};
}

int kane_reduced_exceeds(kane_reduction reduction, double percent, const kane_reduced *a, const kane_reduced *b)
{
    switch (reduction) {
    case KANE_REDUCE_MIN:
    case KANE_REDUCE_AT_MIN: return a->extreme < b->extreme;
    case KANE_REDUCE_AT_PEAK: return fabs(a->extreme) > fabs(b->extreme);
    case KANE_REDUCE_PERCENTILE: return percent < 50.0 ? a->extreme < b->extreme : a->extreme > b->extreme;
    default: return a->extreme > b->extreme;
    }
}
