// SPDX-License-Identifier: MIT
// What is evaluated of a wheelset: EN 14363 and UIC 518, and wear.
//
// Channels have Y to the left on both rails. Here a wheel's guiding force counts outward, from the middle of the track,
// as it presses with its flange: +Y on the left, -Y on the right. The sum of Y stays to the left.

#include "evaluate/standard.h"

#include <stdio.h>
#include <string.h>

static const double forces = 20.0;                                                   // corner of the low-pass [Hz]
static const double window = 2.0, window_step = 0.5;                                 // of sliding means [m]
static const double long_window = 100.0, long_step = 10.0;                           // of the instability's rms [m]
static const double around = 2.0, slowest = 0.4, band_least = 1.0, band_most = 12.0; // of f_0 [Hz]
static const double fatigue_from = 15.0, fatigue_to = 175.0;                         // wear number [N]

typedef struct rolling {
    char name[160]; // "leading.left"
    double load;    // static [N]
    double *Q, *Y;  // behind the low-pass, Y outward; NULL: none
} rolling;

typedef struct wheelset {
    kane_examination *e;
    const kane_standing *standing;
    rolling wheels[2];
    int n;           // rows of the section
    const double *s; // their distances
} wheelset;

static double at_largest(const wheelset *w, const double *x)
{
    return w->s[kane_examine_largest(w->n, x)];
}

// Rows of a channel of a wheel; NULL: not recorded, which is counted as missing.
static double *wheel_rows(wheelset *w, const char *wheel_name, const char *channel, kane_wheel_channel kind)
{
    char name[200];
    (void)snprintf(name, sizeof name, "%s.%s", wheel_name, channel);
    double *x = kane_examine_rows(w->e, name);
    w->e->missing[kind] += !x;
    return x;
}

// --- one wheel ---

// Every row in which it carries nothing after one in which it did.
static void count_lifts(const wheelset *w, const rolling *wheel, const double *Q)
{
    const kane_examination *e = w->e;
    int lifts                 = 0;
    double at                 = (double)NAN;
    for (int i = e->begin; i < e->end; i++)
        if (Q[i] <= 0.0 && (i == e->begin || Q[i - 1] > 0.0) && lifts++ == 0)
            at = e->s[i];
    kane_examine_add(w->e, KANE_LIFT_OFFS, wheel->name, lifts, (double)NAN, at);
}

static void assess_Q(const wheelset *w, const rolling *wheel)
{
    kane_examination *e = w->e;
    const double *Q     = wheel->Q + e->begin;
    const double least = kane_examine_percentile(e, w->n, Q, 0.15), speed = e->out->section.speed;
    int lowest = 0;
    for (int i = 1; i < w->n; i++)
        if (Q[i] < Q[lowest])
            lowest = i;
    kane_examine_add(e, KANE_Q_MAX, wheel->name, kane_examine_percentile(e, w->n, Q, 99.85),
                     kane_limit_Q(wheel->load, speed), at_largest(w, Q));
    if (wheel->load > 0.0)
        kane_examine_add(e, KANE_UNLOADING, wheel->name, 1.0 - least / wheel->load,
                         kane_limit_of(KANE_UNLOADING, e->options->kind), w->s[lowest]);
    kane_examine_add_quasi_static(e, KANE_Q_QST, wheel->name, wheel->Q, kane_limit_of(KANE_Q_QST, e->options->kind));
}

static void assess_Y(const wheelset *w, const rolling *wheel)
{
    kane_examination *e = w->e;
    const double *Y     = wheel->Y + e->begin;
    kane_examine_add(e, KANE_Y_MAX, wheel->name, kane_examine_percentile(e, w->n, Y, 99.85), (double)NAN,
                     at_largest(w, Y));
    kane_examine_add_quasi_static(e, KANE_Y_QST, wheel->name, wheel->Y, kane_limit_of(KANE_Y_QST, e->options->kind));
}

// Sliding means over 2 m of x [n] and their places; returns their number.
static int sliding_means(const wheelset *w, const double *x, double **means, double **at)
{
    kane_examination *e = w->e;
    const int count     = kane_sliding_count(w->n, w->s, window, window_step);
    *means              = count > 0 ? kane_arena_doubles(e->scratch, (size_t)count) : NULL;
    *at                 = count > 0 ? kane_arena_doubles(e->scratch, (size_t)count) : NULL;
    e->failed |= count > 0 && (!*means || !*at);
    if (count == 0)
        kane_examine_note(e, "means over 2 m: the section is shorter");
    if (!*means || !*at)
        return 0;
    kane_sliding(KANE_SLIDING_MEAN, w->n, w->s, x, window, window_step, *at, *means);
    return count;
}

static void assess_ratio(const wheelset *w, const rolling *wheel)
{
    kane_examination *e = w->e;
    double *ratio       = kane_arena_doubles(e->scratch, (size_t)w->n);
    double *means, *at;
    e->failed |= !ratio;
    for (int i = 0; i < w->n && ratio; i++) {
        const double Q = wheel->Q[e->begin + i];
        if (!(Q > 0.0)) {
            kane_examine_note(e, "Y/Q of %s: the wheel carries nothing at %g m, there is no ratio", wheel->name,
                              w->s[i]);
            return;
        }
        ratio[i] = wheel->Y[e->begin + i] / Q;
    }
    const int count = ratio ? sliding_means(w, ratio, &means, &at) : 0;
    if (count > 0)
        kane_examine_add(e, KANE_Y_OVER_Q, wheel->name, kane_examine_percentile(e, count, means, 99.85),
                         kane_limit_of(KANE_Y_OVER_Q, e->options->kind), at[kane_examine_largest(count, means)]);
}

// --- wear ---

static void assess_wear(wheelset *w, const rolling *wheel)
{
    kane_examination *e = w->e;
    const double *all   = wheel_rows(w, wheel->name, "T_gamma", KANE_WHEEL_WEAR);
    const double length = w->s[w->n - 1] - w->s[0];
    double sum = 0.0, share = 0.0;
    if (!all)
        return;
    const double *T = all + e->begin;
    for (int i = 1; i < w->n; i++) {
        const double ds = w->s[i] - w->s[i - 1];
        for (int k = i - 1; k <= i; k++) {
            sum += 0.5 * ds * T[k];
            share += 0.5 * ds * (T[k] >= fatigue_from && T[k] <= fatigue_to);
        }
    }
    if (!(length > 0.0)) {
        kane_examine_note(e, "wear: the vehicle does not move in this section");
        return;
    }
    kane_examine_add(e, KANE_WEAR_MEAN, wheel->name, sum / length, (double)NAN, (double)NAN);
    kane_examine_add(e, KANE_WEAR_MAX, wheel->name, kane_examine_percentile(e, w->n, T, 99.85), (double)NAN,
                     at_largest(w, T));
    kane_examine_add(e, KANE_WEAR_SHARE, wheel->name, share / length, (double)NAN, (double)NAN);
}

// --- the wheelset ---

// The frequency at which x is strongest [Hz]; NaN with a remark.
static double find_frequency(kane_examination *e, const double *x)
{
    const int n        = e->end - e->begin;
    const int size     = kane_welch_size(n, 8);
    const size_t lines = (size_t)size / 2 + 1;
    double *f          = size > 0 ? kane_arena_doubles(e->scratch, lines) : NULL;
    double *density    = size > 0 ? kane_arena_doubles(e->scratch, lines) : NULL;
    double best = 0.0, at = (double)NAN;
    kane_errors why = {.limit = 1};
    e->failed |= size > 0 && (!f || !density);
    if (!f || !density)
        return (double)NAN;
    if (kane_welch(n, e->sampling.step, x + e->begin, size, f, density, &why) != KANE_OK) {
        kane_examine_format(e, "instability", &why);
        return (double)NAN;
    }
    for (size_t i = 0; i < lines; i++)
        if (f[i] >= band_least && f[i] <= band_most && density[i] > best) {
            best = density[i];
            at   = f[i];
        }
    return at;
}

void kane_examine_instability(kane_examination *e, kane_quantity_id id, const char *of, double *x, double limit)
{
    const int n     = e->end - e->begin;
    const double *s = e->s + e->begin;
    const int count = kane_sliding_count(n, s, long_window, long_step);
    if (count == 0) {
        kane_examine_note(e, "instability: the section is shorter than 100 m");
        return;
    }
    const double f = find_frequency(e, x);
    double *rms    = kane_arena_doubles(e->scratch, (size_t)count);
    double *at     = kane_arena_doubles(e->scratch, (size_t)count);
    e->failed |= !rms || !at;
    if (!isfinite(f) || !rms || !at ||
        !kane_examine_band_pass(e, fmax(f - around, slowest), f + around, NULL, x, "instability"))
        return;
    kane_sliding(KANE_SLIDING_RMS, n, s, x + e->begin, long_window, long_step, at, rms);
    const int worst = kane_examine_largest(count, rms);
    kane_examine_add(e, id, of, rms[worst], limit, at[worst]);
}

static void assess_sum(const wheelset *w)
{
    kane_examination *e = w->e;
    const int all       = e->sampling.count;
    double *sum         = kane_arena_doubles(e->scratch, (size_t)all);
    double *means, *at;
    e->failed |= !sum;
    for (int i = 0; i < all && sum; i++)
        sum[i] = w->wheels[0].Y[i] - w->wheels[1].Y[i];
    const int count    = sum ? sliding_means(w, sum + e->begin, &means, &at) : 0;
    const double limit = kane_limit_sum_Y(e->options->kind, w->standing->load[0] + w->standing->load[1]);
    if (count > 0) {
        const double low  = kane_examine_percentile(e, count, means, 0.15);
        const double high = kane_examine_percentile(e, count, means, 99.85);
        kane_examine_add(e, KANE_SUM_Y, w->standing->name, fabs(low) > fabs(high) ? low : high, limit,
                         at[kane_examine_largest_size(count, means)]);
    }
    if (sum)
        kane_examine_instability(e, KANE_INSTABILITY, w->standing->name, sum, 0.5 * limit); // of the unfiltered forces
}

static int low_pass(kane_examination *e, const rolling *wheel, const char *channel, double *x)
{
    char name[200];
    (void)snprintf(name, sizeof name, "%s.%s", wheel->name, channel);
    return kane_examine_low_pass(e, forces, name, x, "forces of wheels");
}

static void assess_wheel(wheelset *w, int side)
{
    static const char *const sides[] = {"left", "right"};
    kane_examination *e              = w->e;
    rolling *wheel                   = &w->wheels[side];
    wheel->load                      = w->standing->load[side];
    (void)snprintf(wheel->name, sizeof wheel->name, "%.140s.%s", w->standing->name, sides[side]);
    double *Q = wheel_rows(w, wheel->name, "Q", KANE_WHEEL_Q), *Y = wheel_rows(w, wheel->name, "Y", KANE_WHEEL_Y);
    e->unknown_loads += Q && !isfinite(wheel->load);
    if (Q && !e->is_section)
        count_lifts(w, wheel, Q);
    for (int i = 0; Y && side == 1 && i < e->sampling.count; i++)
        Y[i] = -Y[i];
    wheel->Q = Q && low_pass(e, wheel, "Q", Q) ? Q : NULL;
    wheel->Y = Y && low_pass(e, wheel, "Y", Y) ? Y : NULL;
    if (wheel->Q)
        assess_Q(w, wheel);
    if (wheel->Y)
        assess_Y(w, wheel);
    if (wheel->Q && wheel->Y)
        assess_ratio(w, wheel);
    assess_wear(w, wheel);
}

void kane_examine_wheelset(kane_examination *e, const kane_standing *standing)
{
    wheelset w = {.e = e, .standing = standing, .n = e->end - e->begin, .s = e->s + e->begin};
    for (int side = 0; side < 2; side++)
        assess_wheel(&w, side);
    if (w.wheels[0].Y && w.wheels[1].Y)
        assess_sum(&w);
}
