// SPDX-License-Identifier: MIT
// Steps on the rows of a channel before their reduction to one number.

#include "evaluate/measure.h"

#include <math.h>

// --- even rows ---

// Rows at the times of a sampling; without resampling only their number changes.
static kane_status resample_rows(kane_measured *r, const kane_sampling *sampling, kane_arena *arena,
                                 kane_errors *errors)
{
    const int n = sampling->count;
    double *t = kane_arena_doubles(arena, (size_t)n), *x = kane_arena_doubles(arena, (size_t)n);
    double *s = kane_arena_doubles(arena, (size_t)n);
    if (kane_arena_failed(arena))
        return kane_no_memory(errors);
    kane_sampling_apply(sampling, r->count, r->time, r->time, t);
    kane_sampling_apply(sampling, r->count, r->time, r->value, x);
    if (r->place)
        kane_sampling_apply(sampling, r->count, r->time, r->place, s);
    r->place = r->place ? s : NULL;
    r->time  = t;
    r->value = x;
    r->count = n;
    return KANE_OK;
}

kane_status kane_measured_even(kane_measured *r, kane_arena *arena, kane_errors *errors)
{
    kane_sampling sampling;
    if (r->step > 0.0)
        return KANE_OK;
    kane_status status = kane_sampling_find(r->count, r->time, &sampling, errors);
    if (status == KANE_OK)
        status = resample_rows(r, &sampling, arena, errors);
    if (status != KANE_OK)
        return status;
    r->step     = sampling.step;
    r->is_alike = 1;
    return KANE_OK;
}

// --- filters ---

static kane_status make_filter(const kane_measure_step *step, double every, kane_filter *out, kane_errors *errors)
{
    if (step->kind == KANE_STEP_LOW_PASS)
        return kane_filter_low_pass(KANE_FILTER_USUAL, step->high, every, step->passes, out, errors);
    if (step->kind == KANE_STEP_HIGH_PASS)
        return kane_filter_high_pass(KANE_FILTER_USUAL, step->low, every, step->passes, out, errors);
    return kane_filter_band_pass(KANE_FILTER_USUAL, step->low, step->high, every, step->passes, out, errors);
}

kane_status kane_measure_check_step(const kane_measure_step *step, double every, kane_errors *errors)
{
    kane_filter filter;
    if (step->kind == KANE_STEP_SIZE || step->kind == KANE_STEP_RATE || step->kind == KANE_STEP_SLIDING)
        return KANE_OK;
    if (step->kind == KANE_STEP_WEIGHTING)
        return kane_weighting_check(every, errors);
    return make_filter(step, every, &filter, errors);
}

static kane_status apply_filter(kane_measured *r, const kane_measure_step *step, kane_errors *errors)
{
    kane_filter filter;
    const kane_status status = make_filter(step, r->step, &filter, errors);
    return status == KANE_OK ? kane_filter_apply(&filter, step->passes, r->step, r->count, r->value, errors) : status;
}

// --- rates ---

// Derivative by time of even rows h apart, by the parabola through three of them; its error is h^2/6 of the third
// derivative, at both ends h^2/3.
//   x'_i = (x_(i+1) - x_(i-1))/(2 h),   x'_0 = (-3 x_0 + 4 x_1 - x_2)/(2 h)
static kane_status find_rates(kane_measured *r, kane_arena *arena, kane_errors *errors)
{
    const int n     = r->count;
    const double *x = r->value, by = 0.5 / r->step;
    double *rate = kane_arena_doubles(arena, (size_t)n);
    if (kane_arena_failed(arena))
        return kane_no_memory(errors);
    if (n < 3) {
        kane_errors_add(errors, KANE_BAD_ARGUMENT, "%d rows are too few for a rate, which needs three", n);
        return KANE_BAD_ARGUMENT;
    }
    for (int i = 1; i < n - 1; i++)
        rate[i] = by * (x[i + 1] - x[i - 1]);
    rate[0]     = by * (4.0 * x[1] - 3.0 * x[0] - x[2]);
    rate[n - 1] = by * (3.0 * x[n - 1] - 4.0 * x[n - 2] + x[n - 3]);
    r->value    = rate;
    return KANE_OK;
}

// --- sliding values ---

static kane_status check_sliding(const kane_measured *r, const double *axis, const kane_measure_step *step,
                                 kane_errors *errors)
{
    const char *unit = step->axis == KANE_WINDOW_DISTANCE ? "m" : "s";
    for (int i = 1; i < r->count; i++)
        if (axis[i] < axis[i - 1]) {
            kane_errors_add(errors, KANE_BAD_ARGUMENT, "rows go back at %g %s", axis[i], unit);
            return KANE_BAD_ARGUMENT;
        }
    if (kane_sliding_count(r->count, axis, step->length, step->by) > 0)
        return KANE_OK;
    kane_errors_add(errors, KANE_BAD_ARGUMENT, "rows over %g %s are too few for a sliding value over %g %s",
                    axis[r->count - 1] - axis[0], unit, step->length, unit);
    return KANE_BAD_ARGUMENT;
}

// Replaces rows by the means or rms of windows of `length`, `by` apart along time or distance.
static kane_status average_windows(kane_measured *r, const kane_measure_step *step, kane_arena *arena,
                                   kane_errors *errors)
{
    const int is_distance = step->axis == KANE_WINDOW_DISTANCE;
    const double *axis = is_distance ? r->place : r->time, *other = is_distance ? r->time : r->place;
    const kane_status status = check_sliding(r, axis, step, errors);
    if (status != KANE_OK)
        return status;
    const int n = kane_sliding_count(r->count, axis, step->length, step->by);
    double *at = kane_arena_doubles(arena, (size_t)n), *there = kane_arena_doubles(arena, (size_t)n);
    double *value = kane_arena_doubles(arena, (size_t)n);
    if (kane_arena_failed(arena))
        return kane_no_memory(errors);
    kane_sliding(step->sliding, r->count, axis, r->value, step->length, step->by, at, value);
    for (int i = 0; other && i < n; i++)
        there[i] = kane_interpolate(r->count, axis, other, at[i]);
    r->time     = is_distance ? there : at;
    r->place    = is_distance ? at : other ? there : NULL;
    r->value    = value;
    r->count    = n;
    r->step     = is_distance ? 0.0 : step->by;
    r->is_alike = 1;
    return KANE_OK;
}

// --- all ---

kane_status kane_measured_apply(kane_measured *r, const kane_measure_step *step, kane_arena *arena, kane_errors *errors)
{
    kane_status status;
    switch (step->kind) {
    case KANE_STEP_SIZE:
        for (int i = 0; i < r->count; i++)
            r->value[i] = fabs(r->value[i]);
        return KANE_OK;
    case KANE_STEP_RATE:
        status = kane_measured_even(r, arena, errors);
        return status == KANE_OK ? find_rates(r, arena, errors) : status;
    case KANE_STEP_SLIDING: return average_windows(r, step, arena, errors);
    case KANE_STEP_WEIGHTING:
        status = kane_measured_even(r, arena, errors);
        return status == KANE_OK ? kane_weighting_apply(step->weighting, r->step, r->count, r->value, errors) : status;
    default:
        status = kane_measured_even(r, arena, errors);
        return status == KANE_OK ? apply_filter(r, step, errors) : status;
    }
}

void kane_measured_cut(kane_measured *r, const double *axis, double from, double to)
{
    int kept = 0;
    for (int i = 0; i < r->count; i++) {
        if (!(axis[i] >= from && axis[i] <= to))
            continue;
        const double t = r->time[i], s = r->place ? r->place[i] : 0.0;
        r->value[kept] = r->value[i];
        r->time[kept]  = t;
        if (r->place)
            r->place[kept] = s;
        kept++;
    }
    r->count = kept;
}
