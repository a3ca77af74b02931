// SPDX-License-Identifier: MIT
// Which mode at one value of a parameter is which one at the next: the pairs that are nearest to each other, best ones
// first. Distance: 1 - likeness of shapes, plus distance of the eigenvalue from its linear prediction.

#include "stability/locus_continue.h"

#include "base/arena.h"

#include <math.h>
#include <stdlib.h>

static const double TOO_FAR   = 1.3;  // nothing that is further away is the same mode
static const double UNLIKE    = 0.6;  // a likeness below this is not clear ...
static const double DISPLACED = 1e-3; // ... unless the eigenvalue is as near as this

typedef struct pair {
    double distance;
    int tip, mode;
} pair;

// Distance of an eigenvalue from its linear prediction, |lambda - lambda_p|/((|lambda| + |lambda_tip|)/2) [1].
static double eigenvalue_jump(const kane_locus_tip *tip, const kane_modes *modes, int mode, double value)
{
    const kane_mode *m = kane_modes_get(modes, mode);
    const double step = value - tip->value, re = tip->re + step * tip->slope_re, im = tip->im + step * tip->slope_im;
    const double size = hypot(m->re, m->im) + hypot(tip->re, tip->im);
    return size > 0.0 ? 2.0 * hypot(m->re - re, m->im - fabs(im)) / size : 0.0;
}

double kane_locus_distance(const kane_locus_tip *tip, const kane_modes *modes, int mode, double value)
{
    const double likeness = kane_modes_likeness(tip->modes, tip->mode, modes, mode);
    return 1.0 - likeness + fmin(1.0, eigenvalue_jump(tip, modes, mode, value));
}

int kane_locus_is_followed(const kane_mode *mode, double highest)
{
    return mode->kind != KANE_MODE_INDIFFERENT && !(highest > 0.0 && mode->natural > highest);
}

static int compare_pairs(const void *a, const void *b)
{
    const pair *p = a, *q = b;
    if (p->distance != q->distance)
        return p->distance < q->distance ? -1 : 1;
    return p->tip != q->tip ? p->tip - q->tip : p->mode - q->mode;
}

// All pairs that may be, nearest first; returns how many.
static int list_pairs(int count, const kane_locus_tip *tips, const kane_modes *modes, double value, double highest,
                      pair *pairs)
{
    int found = 0;
    for (int t = 0; t < count; t++)
        for (int m = 0; tips[t].modes && m < kane_modes_count(modes); m++) {
            if (!kane_locus_is_followed(kane_modes_get(modes, m), highest))
                continue;
            const double distance = kane_locus_distance(&tips[t], modes, m, value);
            if (distance < TOO_FAR)
                pairs[found++] = (pair){distance, t, m};
        }
    qsort(pairs, (size_t)found, sizeof *pairs, compare_pairs);
    return found;
}

static int is_clear(const kane_locus_tip *tip, const kane_modes *modes, int mode, double value)
{
    if (mode < 0)
        return 0;
    return kane_modes_likeness(tip->modes, tip->mode, modes, mode) > UNLIKE ||
           eigenvalue_jump(tip, modes, mode, value) < DISPLACED;
}

int kane_locus_match(int count, const kane_locus_tip *tips, const kane_modes *modes, double value, double highest,
                     int *choice)
{
    const size_t mode_count = (size_t)kane_modes_count(modes);
    pair *pairs             = kane_allocate((size_t)count * mode_count, sizeof *pairs);
    int *taken = kane_allocate(mode_count, sizeof *taken), clear = 1;
    if (pairs && taken) {
        const int found = list_pairs(count, tips, modes, value, highest, pairs);
        for (int t = 0; t < count; t++)
            choice[t] = -1;
        for (int p = 0; p < found; p++) {
            if (choice[pairs[p].tip] >= 0 || taken[pairs[p].mode])
                continue;
            choice[pairs[p].tip] = pairs[p].mode;
            taken[pairs[p].mode] = 1;
        }
        for (int t = 0; t < count; t++)
            clear = clear && (!tips[t].modes || is_clear(&tips[t], modes, choice[t], value));
    } else {
        clear = -1;
    }
    kane_release(pairs);
    kane_release(taken);
    return clear;
}

void kane_locus_extend_tip(kane_locus_tip *tip, const kane_modes *modes, int mode, double value)
{
    const kane_mode *m = kane_modes_get(modes, mode);
    const double step  = value - tip->value;
    const int known    = tip->modes != NULL && step != 0.0;
    tip->slope_re      = known ? (m->re - tip->re) / step : 0.0;
    tip->slope_im      = known ? (m->im - tip->im) / step : 0.0;
    tip->modes         = modes;
    tip->mode          = mode;
    tip->value         = value;
    tip->re            = m->re;
    tip->im            = m->im;
}
