// SPDX-License-Identifier: MIT
// Sums of many sines, anywhere or along equidistant places.

#include "track/waves.h"

#include "track/kinds.h"

enum { RENEW = 64 };

static const double two_pi = 6.283185307179586477;

void kane_rails_add(kane_rails_point *rails, kane_irregularity_kind kind, const double w[4])
{
    for (int side = 0; side < 2; side++)
        for (int axis = 0; axis < 2; axis++)
            for (int k = 0; k < 4; k++)
                rails->d[side][axis][k] += kane_kind_rails[kind][side][axis] * w[k];
}

// Whole waves are taken out of s without rounding, so that the angle keeps its digits far out.
static double angle_at(const kane_wave *w, double s)
{
    const double rest = fma(-floor(s / w->wavelength), w->wavelength, s);
    return two_pi * (rest / w->wavelength) + w->phase;
}

void kane_waves_add(const kane_waves *waves, double s, kane_rails_point *rails)
{
    for (int kind = 0; kind < KANE_IRREGULARITY_KINDS; kind++) {
        double sum[4] = {0.0, 0.0, 0.0, 0.0};
        for (int i = waves->first[kind]; i < waves->first[kind + 1]; i++) {
            const kane_wave *w = &waves->wave[i];
            const double k = two_pi / w->wavelength, angle = angle_at(w, s);
            const double S = w->amplitude * sin(angle), C = w->amplitude * cos(angle);
            sum[0] += S;
            sum[1] += k * C;
            sum[2] -= k * k * S;
            sum[3] -= k * k * k * C;
        }
        kane_rails_add(rails, (kane_irregularity_kind)kind, sum);
    }
}

int kane_wave_walk_start(kane_wave_walk *walk, const kane_waves *waves, double s0, double step, kane_arena *scratch)
{
    const int count = waves->first[KANE_IRREGULARITY_KINDS];
    double *all     = kane_arena_doubles(scratch, 7 * (size_t)count);
    if (!all)
        return 0;
    *walk = (kane_wave_walk){.waves       = waves,
                             .s0          = s0,
                             .step        = step,
                             .sine        = all,
                             .cosine      = all + count,
                             .turn_sine   = all + 2 * count,
                             .turn_cosine = all + 3 * count,
                             .value       = all + 4 * count,
                             .slope       = all + 5 * count,
                             .bend        = all + 6 * count};
    for (int i = 0; i < count; i++) {
        const kane_wave *w   = &waves->wave[i];
        const double k       = two_pi / w->wavelength;
        walk->turn_sine[i]   = sin(k * step);
        walk->turn_cosine[i] = cos(k * step);
        walk->value[i]       = w->amplitude;
        walk->slope[i]       = w->amplitude * k;
        walk->bend[i]        = -w->amplitude * k * k;
    }
    return 1;
}

static void renew(kane_wave_walk *walk)
{
    const double s = walk->s0 + walk->place * walk->step;
    for (int i = 0; i < walk->waves->first[KANE_IRREGULARITY_KINDS]; i++) {
        const double angle = angle_at(&walk->waves->wave[i], s);
        walk->sine[i]      = sin(angle);
        walk->cosine[i]    = cos(angle);
    }
}

static void turn(kane_wave_walk *walk)
{
    for (int i = 0; i < walk->waves->first[KANE_IRREGULARITY_KINDS]; i++) {
        const double S = walk->sine[i], C = walk->cosine[i];
        walk->sine[i]   = S * walk->turn_cosine[i] + C * walk->turn_sine[i];
        walk->cosine[i] = C * walk->turn_cosine[i] - S * walk->turn_sine[i];
    }
}

void kane_wave_walk_next(kane_wave_walk *walk, kane_rails_point *rails)
{
    if (walk->place % RENEW == 0)
        renew(walk);
    else
        turn(walk);
    walk->place++;
    for (int kind = 0; kind < KANE_IRREGULARITY_KINDS; kind++) {
        double sum[4] = {0.0, 0.0, 0.0, 0.0};
        for (int i = walk->waves->first[kind]; i < walk->waves->first[kind + 1]; i++) {
            sum[0] += walk->value[i] * walk->sine[i];
            sum[1] += walk->slope[i] * walk->cosine[i];
            sum[2] += walk->bend[i] * walk->sine[i];
        }
        kane_rails_add(rails, (kane_irregularity_kind)kind, sum);
    }
}
