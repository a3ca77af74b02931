// SPDX-License-Identifier: MIT
// Butterworth filters as sections of second order, by bilinear transformation.

#include "evaluate/filter.h"

#include "base/number.h"

#include <math.h>

// Multiplied by (K (1 + z))^2, or by K (1 + z) where the section is of first order: a factor 1 + z above and below the
// line would be a pole on the unit circle.
void kane_filter_add(kane_filter *filter, const kane_analogue *f, double K)
{
    const double *b = f->b, *a = f->a;
    kane_biquad *out = &filter->sections[filter->count++];
    if (a[2] == 0.0 && b[2] == 0.0) {
        const double A0 = a[0] * K + a[1];
        *out = (kane_biquad){.b0 = (b[0] * K + b[1]) / A0, .b1 = (b[0] * K - b[1]) / A0, .a1 = (a[0] * K - a[1]) / A0};
        return;
    }
    const double A0 = a[0] * K * K + a[1] * K + a[2];
    *out            = (kane_biquad){.b0 = (b[0] * K * K + b[1] * K + b[2]) / A0,
                                    .b1 = 2.0 * (b[0] * K * K - b[2]) / A0,
                                    .b2 = (b[0] * K * K - b[1] * K + b[2]) / A0,
                                    .a1 = 2.0 * (a[0] * K * K - a[2]) / A0,
                                    .a2 = (a[0] * K * K - a[1] * K + a[2]) / A0};
}

// --- Butterworth ---

static kane_status check_filter(int order, double corner, double step, kane_errors *errors)
{
    if (order < 1 || order > KANE_FILTER_ORDER)
        kane_errors_add(errors, KANE_BAD_ARGUMENT, "order %d of a filter is out of range, 1 .. %d", order,
                        KANE_FILTER_ORDER);
    else if (!(step > 0.0))
        kane_errors_add(errors, KANE_BAD_ARGUMENT, "%g s between rows are not positive", step);
    else if (!(corner > 0.0))
        kane_errors_add(errors, KANE_BAD_ARGUMENT, "a corner of %g Hz is not positive", corner);
    else if (!(corner < 0.5 / step))
        kane_errors_add(errors, KANE_BAD_ARGUMENT,
                        "a corner of %g Hz is not below half the rate of the rows, %g Hz (rows every %g s)", corner,
                        0.5 / step, step);
    else
        return KANE_OK;
    return KANE_BAD_ARGUMENT;
}

// Frequency over a filter's own corner at which a pass has its share of the loss. Two passes have 2^(-1/2) together if
// each has 2^(-1/4): 1/(1 + p^(2 order)) = 1/sqrt 2, so p = (sqrt 2 - 1)^(1/(2 order)); one pass: 1.
static double corner_ratio(int order, kane_filter_passes passes)
{
    return passes == KANE_FORTH ? 1.0 : pow(sqrt(2.0) - 1.0, 0.5 / order);
}

// Poles of a Butterworth filter: p^2 + 2 sin((2 i + 1) pi/(2 order)) p + 1, and p + 1 if the order is odd.
static void add_butterworth(kane_filter *filter, int order, double K, int is_high)
{
    for (int i = 0; i < order / 2; i++) {
        const double d        = 2.0 * sin((2 * i + 1) * KANE_PI / (2.0 * order));
        const kane_analogue f = {.b = {is_high ? 0.0 : 1.0, 0.0, is_high ? 1.0 : 0.0}, .a = {1.0, d, 1.0}};
        kane_filter_add(filter, &f, K);
    }
    if (order % 2) {
        const kane_analogue f = {.b = {is_high ? 0.0 : 1.0, is_high ? 1.0 : 0.0}, .a = {1.0, 1.0}};
        kane_filter_add(filter, &f, K);
    }
}

kane_status kane_filter_low_pass(int order, double corner, double step, kane_filter_passes passes, kane_filter *out,
                                 kane_errors *errors)
{
    const kane_status status = check_filter(order, corner, step, errors);
    *out                     = (kane_filter){.slowest = corner};
    if (status == KANE_OK)
        add_butterworth(out, order, tan(KANE_PI * corner * step) / corner_ratio(order, passes), 0);
    return status;
}

kane_status kane_filter_high_pass(int order, double corner, double step, kane_filter_passes passes, kane_filter *out,
                                  kane_errors *errors)
{
    const kane_status status = check_filter(order, corner, step, errors);
    *out                     = (kane_filter){.slowest = corner};
    if (status == KANE_OK)
        add_butterworth(out, order, tan(KANE_PI * corner * step) * corner_ratio(order, passes), 1);
    return status;
}

kane_status kane_filter_band_pass(int order, double low, double high, double step, kane_filter_passes passes,
                                  kane_filter *out, kane_errors *errors)
{
    kane_filter upper;
    if (!(low < high)) {
        kane_errors_add(errors, KANE_BAD_ARGUMENT, "a band from %g Hz to %g Hz is empty", low, high);
        return KANE_BAD_ARGUMENT;
    }
    kane_status status = kane_filter_high_pass(order, low, step, passes, out, errors);
    if (status == KANE_OK)
        status = kane_filter_low_pass(order, high, step, passes, &upper, errors);
    for (int i = 0; status == KANE_OK && i < upper.count; i++)
        out->sections[out->count++] = upper.sections[i];
    return status;
}

// --- filtering ---

double kane_biquad_rest(const kane_biquad *b)
{
    return (b->b0 + b->b1 + b->b2) / (1.0 + b->a1 + b->a2);
}

// Transposed direct form II, from the steady state of the constant x[0]. Each row passes all sections before the next
// one, so that their sums do not wait for each other. stride -1: backward from the last row.
static void filter_rows(const kane_filter *filter, int n, double *x, int stride)
{
    const kane_filter f = *filter; // x cannot change it
    double s1[KANE_BIQUADS], s2[KANE_BIQUADS], first = x[0];
    for (int k = 0; k < f.count; k++) {
        const kane_biquad *b = &f.sections[k];
        const double rest    = kane_biquad_rest(b) * first;
        s1[k]                = rest - b->b0 * first;
        s2[k]                = b->b2 * first - b->a2 * rest;
        first                = rest;
    }
    for (int i = 0; i < n; i++) {
        double value = x[i * stride];
        for (int k = 0; k < f.count; k++) {
            const kane_biquad *b = &f.sections[k];
            const double y       = b->b0 * value + s1[k];
            s1[k]                = b->b1 * value - b->a1 * y + s2[k];
            s2[k]                = b->b2 * value - b->a2 * y;
            value                = y;
        }
        x[i * stride] = value;
    }
}

kane_status kane_filter_apply(const kane_filter *filter, kane_filter_passes passes, double step, int n, double *x,
                              kane_errors *errors)
{
    if (!(n * step * filter->slowest >= 1.0 - 1e-9)) {
        kane_errors_add(errors, KANE_BAD_ARGUMENT,
                        "rows over %g s are too few for a corner of %g Hz, whose period is %g s", n * step,
                        filter->slowest, 1.0 / filter->slowest);
        return KANE_BAD_ARGUMENT;
    }
    filter_rows(filter, n, x, 1);
    if (passes == KANE_FORTH_AND_BACK)
        filter_rows(filter, n, x + (n - 1), -1);
    return KANE_OK;
}

void kane_filter_response(const kane_filter *filter, double step, double frequency, double *re, double *im)
{
    const double angle = -2.0 * KANE_PI * frequency * step, c = cos(angle), s = sin(angle);
    const double c2 = cos(2.0 * angle), s2 = sin(2.0 * angle);
    *re = 1.0;
    *im = 0.0;
    for (int i = 0; i < filter->count; i++) {
        const kane_biquad *b = &filter->sections[i];
        const double nr = b->b0 + b->b1 * c + b->b2 * c2, ni = b->b1 * s + b->b2 * s2;
        const double dr = 1.0 + b->a1 * c + b->a2 * c2, di = b->a1 * s + b->a2 * s2;
        const double size = dr * dr + di * di;
        const double hr = (nr * dr + ni * di) / size, hi = (ni * dr - nr * di) / size, r = *re;
        *re = r * hr - *im * hi;
        *im = r * hi + *im * hr;
    }
}
