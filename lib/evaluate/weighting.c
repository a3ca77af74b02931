// SPDX-License-Identifier: MIT
// Weightings of vibration as functions of s, and as digital filters of a dense signal.

#include "evaluate/filter.h"

#include "base/number.h"
#include "base/arena.h"
#include "evaluate/measure.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static const char *const names[KANE_WEIGHTINGS] = {
    "Wb", "Wc", "Wd", "Wk", "Sperling y", "Sperling z", "Sperling quality"};

const char *kane_weighting_name(kane_weighting weighting)
{
    return names[weighting];
}

kane_weighting kane_weighting_find(const char *name)
{
    int i = 0;
    while (i < KANE_WEIGHTINGS && strcmp(names[i], name) != 0)
        i++;
    return (kane_weighting)i;
}

// --- ISO 8041-1:2017 (and ISO 8041:2005), table 3 ---
//
//   band      f1 = 0.4 Hz, f2 = 100 Hz, Q1 = Q2 = 1/sqrt 2:  s^2/(s^2 + w1 s/Q1 + w1^2),  w2^2/(s^2 + w2 s/Q2 + w2^2)
//   a-v       K (1 + s/w3)/(1 + s/(Q4 w4) + (s/w4)^2)
//   step      (1 + s/(Q5 w5) + (s/w5)^2)/(1 + s/(Q6 w6) + (s/w6)^2) (w5/w6)^2;  f5 infinite: none
static const struct {
    double f3, f4, Q4, f5, Q5, f6, Q6, K;
} iso[4] = {
    {16.0, 16.0, 0.55, 2.5, 0.9, 4.0, 0.95, 1.024},  // Wb
    {8.0, 8.0, 0.63, INFINITY, 1, INFINITY, 1, 1.0}, // Wc
    {2.0, 2.0, 0.63, INFINITY, 1, INFINITY, 1, 1.0}, // Wd
    {12.5, 12.5, 0.63, 2.37, 0.91, 3.35, 0.91, 1.0}  // Wk
};

static int iso_sections(int i, kane_analogue *out)
{
    const double root_2 = sqrt(2.0), f5_f6 = iso[i].f5 / iso[i].f6;
    out[0] = (kane_analogue){.b = {0.0, 0.0, 1.0}, .a = {1.0, root_2, 1.0}, .corner = 0.4};
    out[1] = (kane_analogue){.b = {1.0}, .a = {1.0, root_2, 1.0}, .corner = 100.0};
    out[2] = (kane_analogue){
        .b = {iso[i].K, iso[i].K * iso[i].f4 / iso[i].f3}, .a = {1.0, 1.0 / iso[i].Q4, 1.0}, .corner = iso[i].f4};
    if (isinf(iso[i].f5))
        return 3;
    out[3] = (kane_analogue){
        .b = {f5_f6 * f5_f6, f5_f6 / iso[i].Q5, 1.0}, .a = {1.0, 1.0 / iso[i].Q6, 1.0}, .corner = iso[i].f6};
    return 4;
}

// --- Sperling ---
//
//   comfort   B^2 = k^2 (1.911 f^2 + (0.25 f^2)^2)/((1 - 0.277 f^2)^2 + (1.563 f - 0.0368 f^3)^2)
//             k = 0.737 lateral, 0.588 vertical
//   quality   B^2 = 1.14^2 ((1 - 0.056 f^2)^2 + (0.645 f)^2) 3.55 f^2
//                   /(((1 - 0.252 f^2)^2 + (1.547 f - 0.00444 f^3)^2) (1 + 3.55 f^2))
// with f in Hz (Garg and Dukkipati: Dynamics of Railway Vehicle Systems, 1984). They are |H(i f)|^2 of functions of
// p = i f whose denominators are 1 + c1 p + c2 p^2 + c3 p^3.
static const double comfort[3] = {1.563, 0.277, 0.0368}, quality[3] = {1.547, 0.252, 0.00444};

static double sperling_gain(kane_weighting weighting, double f)
{
    const double *c = weighting == KANE_WEIGHTING_SPERLING_QUALITY ? quality : comfort, f2 = f * f;
    const double below = kane_square(1.0 - c[1] * f2) + kane_square(c[0] * f - c[2] * f * f2);
    if (weighting == KANE_WEIGHTING_SPERLING_QUALITY)
        return 1.14 *
               sqrt((kane_square(1.0 - 0.056 * f2) + kane_square(0.645 * f)) * 3.55 * f2 / (below * (1.0 + 3.55 * f2)));
    const double k = weighting == KANE_WEIGHTING_SPERLING_Y ? 0.737 : 0.588;
    return k * sqrt((1.911 * f2 + kane_square(0.25 * f2)) / below);
}

// Real root of 1 + c1 p + c2 p^2 + c3 p^3 by bisection to the last bit: positive at 0, negative far out.
static double real_root(const double c[3])
{
    double low = -1e3, high = 0.0;
    for (int i = 0; i < 200; i++) {
        const double p = 0.5 * (low + high);
        if (1.0 + p * (c[0] + p * (c[1] + p * c[2])) > 0.0)
            high = p;
        else
            low = p;
    }
    return 0.5 * (low + high);
}

// 1 + c1 p + c2 p^2 + c3 p^3 = (1 + e p) (1 + d1 p + d2 p^2)
static int sperling_sections(kane_weighting weighting, kane_analogue *out)
{
    const int is_quality = weighting == KANE_WEIGHTING_SPERLING_QUALITY;
    const double *c = is_quality ? quality : comfort, e = -1.0 / real_root(c), d2 = c[2] / e, d1 = c[0] - e;
    out[0] = (kane_analogue){.a = {1.0, d1, d2}, .corner = 1.0};
    out[1] = (kane_analogue){.a = {1.0, e}, .corner = 1.0};
    if (is_quality) {
        const double r = sqrt(3.55);
        memcpy(out[0].b, (double[3]){1.14, 1.14 * 0.645, 1.14 * 0.056}, sizeof out[0].b);
        out[1].b[1] = r;
        out[2]      = (kane_analogue){.b = {1.0}, .a = {1.0, r}, .corner = 1.0};
        return 3;
    }
    const double k = weighting == KANE_WEIGHTING_SPERLING_Y ? 0.737 : 0.588;
    out[0].b[1]    = k * sqrt(1.911);
    out[0].b[2]    = k * 0.25;
    out[1].b[0]    = 1.0;
    return 2;
}

// --- all ---

static int is_iso(kane_weighting weighting)
{
    return weighting <= KANE_WEIGHTING_WK;
}

static int analogue_sections(kane_weighting weighting, kane_analogue out[4])
{
    return is_iso(weighting) ? iso_sections((int)weighting, out) : sperling_sections(weighting, out);
}

// |b(i f)/a(i f)|
static double gain_of(const kane_analogue *s, double frequency)
{
    const double f = frequency / s->corner;
    return hypot(s->b[0] - s->b[2] * f * f, s->b[1] * f) / hypot(s->a[0] - s->a[2] * f * f, s->a[1] * f);
}

double kane_weighting_gain(kane_weighting weighting, double frequency)
{
    kane_analogue s[4];
    double gain = 1.0;
    if (!is_iso(weighting))
        return sperling_gain(weighting, frequency);
    const int count = analogue_sections(weighting, s);
    for (int i = 0; i < count; i++)
        gain *= gain_of(&s[i], frequency);
    return gain;
}

// --- filtering ---

static const double step_most  = 0.01;   // [s]
static const double rate_least = 2000.0; // of the dense signal [Hz]: bilinear transformation bends 80 Hz by 0.5 %

// Digital filter of a weighting's analogue sections, by the bilinear transform with each section's corner prewarped.
static void prepare_weighting(kane_weighting weighting, double step, kane_filter *filter)
{
    kane_analogue s[4];
    const int count = analogue_sections(weighting, s);
    *filter         = (kane_filter){.slowest = 0.4};
    for (int i = 0; i < count; i++)
        kane_filter_add(filter, &s[i], tan(KANE_PI * s[i].corner * step));
}

kane_status kane_weighting_check(double step, kane_errors *errors)
{
    if (step > 0.0 && step <= step_most * (1.0 + 1e-6))
        return KANE_OK;
    kane_errors_add(errors, KANE_BAD_ARGUMENT,
                    "rows %g s apart are too few to weight vibrations, at most %g s are allowed", step, step_most);
    return KANE_BAD_ARGUMENT;
}

kane_status kane_weighting_apply(kane_weighting weighting, double step, int n, double *x, kane_errors *errors)
{
    kane_filter filter;
    const int factor = (int)fmax(1.0, ceil(rate_least * step - 1e-6));
    if (kane_weighting_check(step, errors) != KANE_OK)
        return KANE_BAD_ARGUMENT;
    prepare_weighting(weighting, step / factor, &filter);
    if (!(n * step * filter.slowest >= 1.0 - 1e-9)) {
        kane_errors_add(errors, KANE_BAD_ARGUMENT,
                        "rows over %g s are too few to weight vibrations, at least %g s are needed", n * step,
                        1.0 / filter.slowest);
        return KANE_BAD_ARGUMENT;
    }
    kane_arena *arena  = kane_arena_create();
    double *taps       = arena ? kane_arena_doubles(arena, (size_t)factor * KANE_DENSE_TAPS) : NULL;
    double *dense      = taps && n <= INT_MAX / factor ? kane_arena_doubles(arena, (size_t)n * (size_t)factor) : NULL;
    kane_status status = dense ? KANE_OK : KANE_NO_MEMORY;
    if (dense) {
        kane_dense(n, x, factor, taps, dense);
        status = kane_filter_apply(&filter, KANE_FORTH, step / factor, n * factor, dense, errors);
        for (int i = 0; i < n; i++)
            x[i] = dense[i * factor];
    } else {
        kane_errors_add(errors, status, "%s", kane_status_text(status));
    }
    kane_arena_free(arena);
    return status;
}
