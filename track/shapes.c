// SPDX-License-Identifier: MIT
// Profiles of the rails along the line: for each rail its changes in order. A change goes over from the profile before
// it by 10 t^3 - 15 t^4 + 6 t^5 of its length: twice continuously differentiable; from slice to slice straight, by t.

#include "track/piece.h"

#include "math/spline.h"

#include <stdlib.h>

typedef struct change {
    double from, over; // s [m]; [m]
    int profile;       // behind it
    int straight;
    const kane_profile_change *definition;
} change;

struct kane_shapes {
    int count[2];
    change *changes[2];
};

static int by_place(const void *a, const void *b)
{
    const change *left = a, *right = b;
    return (left->from > right->from) - (left->from < right->from);
}

static void check_neighbours(const change *a, const change *b, kane_check *check)
{
    if (b->from < a->from + a->over - 1e-9) // what follows on may begin there but for rounding
        KANE_CHECK_FAULT(
            check, b->definition->place,
            "this change of the profile, from %.10g m, begins before the one from %.10g m on the same rail has "
            "ended, at %.10g m",
            b->definition->from, a->definition->from, a->definition->from + a->over);
}

const kane_shapes *kane_shapes_make(const kane_track_definition *d, kane_arena *memory, kane_check *check)
{
    if (d->profile_change_count == 0)
        return NULL;
    const int before = check->count;
    kane_shapes *w   = kane_arena_alloc(memory, 1, sizeof *w);
    for (int side = 0; w && side < 2; side++) {
        change *changes = kane_arena_alloc(memory, (size_t)d->profile_change_count, sizeof *changes);
        int n           = 0;
        if (!changes)
            return NULL;
        for (int i = 0; i < d->profile_change_count; i++) {
            const kane_profile_change *c = &d->profile_changes[i];
            if (c->rails == KANE_BOTH_RAILS || (int)c->rails == side)
                changes[n++] = (change){c->from - d->start, c->over, c->profile, c->straight, c};
        }
        qsort(changes, (size_t)n, sizeof *changes, by_place);
        for (int i = 1; i < n; i++)
            check_neighbours(&changes[i - 1], &changes[i], check);
        for (int i = 0; i < n; i++)
            changes[i].definition = NULL; // belongs to the caller
        w->changes[side] = changes;
        w->count[side]   = n;
    }
    return check->count == before ? w : NULL;
}

int kane_shapes_have_kinks(const kane_shapes *w)
{
    int any = 0;
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < w->count[side]; i++)
            any |= w->changes[side][i].straight;
    return any;
}

void kane_shapes_eval(const kane_shapes *w, kane_side side, double s, kane_rail_blend *blend)
{
    const change *changes = w->changes[side];
    int low = 0, high = w->count[side]; // changes before `low` have begun
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (changes[middle].from <= s)
            low = middle + 1;
        else
            high = middle;
    }
    *blend = (kane_rail_blend){0};
    if (low == 0)
        return;
    const change *last = &changes[low - 1];
    const double per   = 1.0 / last->over;
    double step[4]     = {(s - last->from) * per, 1.0, 0.0};
    if (!last->straight)
        kane_step_eval(step[0], step);
    if (s >= last->from + last->over)
        *blend = (kane_rail_blend){.from = last->profile, .to = last->profile};
    else
        *blend = (kane_rail_blend){.from     = low > 1 ? last[-1].profile : 0,
                                   .to       = last->profile,
                                   .share    = step[0],
                                   .share_s  = step[1] * per,
                                   .share_ss = step[2] * per * per};
}
