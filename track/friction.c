// SPDX-License-Identifier: MIT
// Friction along the line: for each rail its zones in order. A zone changes the track's own coefficient by `change`
// times step((s - from)/over + 1/2) - step((s - to)/over + 1/2). Two zones may touch if their transitions there are the
// same: then one goes over into the other.

#include "track/piece.h"

#include "math/spline.h"

#include <stdlib.h>

typedef struct zone {
    double from, to, over; // s [m]
    double change;         // [1]
    const kane_friction_change *definition;
} zone;

struct kane_friction {
    double usual; // [1]
    int count[2];
    zone *zones[2];
};

static int by_place(const void *a, const void *b)
{
    const zone *left = a, *right = b;
    return (left->from > right->from) - (left->from < right->from);
}

static void check_neighbours(const zone *a, const zone *b, kane_check *check)
{
    const int joined = b->from == a->to && b->over == a->over;
    if (!joined && b->from - a->to < 0.5 * (a->over + b->over))
        KANE_CHECK_FAULT(check, b->definition->place,
                         "this change of friction, from %.10g m, meets the one to %.10g m on the same rail; their "
                         "transitions need %.10g m between them, or the same place and the same length",
                         b->definition->from, a->definition->to, 0.5 * (a->over + b->over));
}

const kane_friction *kane_friction_make(const kane_track_definition *d, kane_arena *memory, kane_check *check)
{
    if (d->friction_change_count == 0)
        return NULL;
    const int before = check->count;
    kane_friction *f = kane_arena_alloc(memory, 1, sizeof *f);
    if (!f)
        return NULL;
    f->usual = d->friction;
    for (int side = 0; side < 2; side++) {
        zone *zones = kane_arena_alloc(memory, (size_t)d->friction_change_count, sizeof *zones);
        int n       = 0;
        if (!zones)
            return NULL;
        for (int i = 0; i < d->friction_change_count; i++) {
            const kane_friction_change *c = &d->friction_changes[i];
            if (c->rails == KANE_BOTH_RAILS || (int)c->rails == side)
                zones[n++] = (zone){c->from - d->start, c->to - d->start, c->over, c->friction - d->friction, c};
        }
        qsort(zones, (size_t)n, sizeof *zones, by_place);
        for (int i = 1; i < n; i++)
            check_neighbours(&zones[i - 1], &zones[i], check);
        for (int i = 0; i < n; i++)
            zones[i].definition = NULL; // belongs to the caller
        f->zones[side] = zones;
        f->count[side] = n;
    }
    return check->count == before ? f : NULL;
}

static double change_at(const zone *z, double s)
{
    double in[4], out[4];
    kane_step_eval((s - z->from) / z->over + 0.5, in);
    kane_step_eval((s - z->to) / z->over + 0.5, out);
    return z->change * (in[0] - out[0]);
}

double kane_friction_eval(const kane_friction *f, kane_side side, double s)
{
    const zone *zones = f->zones[side];
    int low = 0, high = f->count[side]; // zones before `low` have begun
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (zones[middle].from - 0.5 * zones[middle].over <= s)
            low = middle + 1;
        else
            high = middle;
    }
    double mu = f->usual;
    for (int i = low - 1; i >= 0 && i >= low - 2; i--)
        mu += change_at(&zones[i], s);
    return mu;
}
