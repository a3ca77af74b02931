// SPDX-License-Identifier: MIT
// What lies ahead: how far one may look without passing over something short.
//
// Single defects, changes of friction and of profiles and flares of check rails are stretches with a stride: a quarter
// of their length. From a place s one may go as far as a stretch that lies ahead and one stride into it, or one stride
// in a stretch that holds s. Sines, spectra and records have a stride for all of the line behind their fade-in.

#include "track/piece.h"

#include "track/waves.h"

#include <stdlib.h>

typedef struct stretch {
    double from, to, stride; // s [m]; [m]
    double reached;          // the largest `to` of this one and all before [m]
} stretch;

struct kane_ahead {
    double from, stride; // of what is everywhere [m]
    int count;
    stretch *stretches; // by `from`
};

// Cusps and jogs have tails: this many lengths to either side they have lost 98 and 99 % of their height.
static const double tail = 4.0;

static stretch of_defect(const kane_defect_definition *d, double start)
{
    const int has_tail = d->shape == KANE_DEFECT_CUSP || d->shape == KANE_DEFECT_JOG;
    const double half = (has_tail ? tail : 0.5) * d->length, s = d->at - start;
    return (stretch){.from = s - half, .to = s + half, .stride = 0.25 * d->length};
}

static stretch of_friction(const kane_friction_change *c, double start)
{
    return (stretch){.from   = c->from - start - 0.5 * c->over,
                     .to     = c->to - start + 0.5 * c->over,
                     .stride = 0.25 * (c->to - c->from + c->over)};
}

static stretch of_profile(const kane_profile_change *c, double start)
{
    return (stretch){.from = c->from - start, .to = c->from - start + c->over, .stride = 0.25 * c->over};
}

// Of a check rail its flares, one by one.
static stretch of_flare(const kane_check_rail *r, int which, double start)
{
    const double from = (which == 0 ? r->from : r->to - r->flare) - start;
    return (stretch){.from = from, .to = from + r->flare, .stride = 0.25 * r->flare};
}

static double stride_of_all(const kane_track_definition *d)
{
    double stride = HUGE_VAL;
    for (int i = 0; i < d->irregularity_count; i++)
        stride = fmin(stride, 0.25 * d->irregularities[i].wavelength);
    for (int i = 0; i < d->spectrum_count; i++)
        stride = fmin(stride, 0.25 * d->spectra[i].shortest);
    for (int i = 0; i < d->record_count; i++)
        stride = fmin(stride, kane_record_spacing(&d->records[i]));
    return stride;
}

static int by_place(const void *a, const void *b)
{
    const stretch *left = a, *right = b;
    return (left->from > right->from) - (left->from < right->from);
}

const kane_ahead *kane_ahead_make(const kane_track_definition *d, kane_arena *memory)
{
    const int changes   = d->defect_count + d->friction_change_count + d->profile_change_count;
    const int count     = changes + 2 * d->check_rail_count;
    const double stride = stride_of_all(d);
    if (count == 0 && stride == HUGE_VAL)
        return NULL;
    kane_ahead *w      = kane_arena_alloc(memory, 1, sizeof *w);
    stretch *stretches = kane_arena_alloc(memory, (size_t)count, sizeof *stretches);
    if (!w || !stretches)
        return NULL;
    for (int i = 0; i < d->defect_count; i++)
        stretches[i] = of_defect(&d->defects[i], d->start);
    for (int i = 0; i < d->friction_change_count; i++)
        stretches[d->defect_count + i] = of_friction(&d->friction_changes[i], d->start);
    for (int i = 0; i < d->profile_change_count; i++)
        stretches[d->defect_count + d->friction_change_count + i] = of_profile(&d->profile_changes[i], d->start);
    for (int i = 0; i < 2 * d->check_rail_count; i++)
        stretches[changes + i] = of_flare(&d->check_rails[i / 2], i % 2, d->start);
    qsort(stretches, (size_t)count, sizeof *stretches, by_place);
    for (int i = 0; i < count; i++)
        stretches[i].reached = i > 0 ? fmax(stretches[i - 1].reached, stretches[i].to) : stretches[i].to;
    const double from = d->fade_in_length > 0.0 ? d->fade_in_from - d->start : -HUGE_VAL;
    *w                = (kane_ahead){.from = from, .stride = stride, .count = count, .stretches = stretches};
    return w;
}

double kane_ahead_eval(const kane_ahead *w, double s)
{
    double way = fmax(w->from - s, 0.0) + w->stride;
    int low = 0, high = w->count; // stretches before `low` have begun
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (w->stretches[middle].from <= s)
            low = middle + 1;
        else
            high = middle;
    }
    for (int i = low; i < w->count && w->stretches[i].from - s < way; i++)
        way = fmin(way, w->stretches[i].from - s + w->stretches[i].stride);
    for (int i = low - 1; i >= 0 && w->stretches[i].reached > s; i--)
        if (w->stretches[i].to > s)
            way = fmin(way, w->stretches[i].stride);
    return way;
}
