// SPDX-License-Identifier: MIT
// Check rails along the line: for each running rail those beside it, in order, and how wide the flangeway between both
// is. At either end it is as wide as the opening, and it narrows over the length of the flare by 10 t^3 - 15 t^4 + 6
// t^5: twice continuously differentiable.

#include "track/piece.h"

#include "math/spline.h"

#include <stdlib.h>

struct kane_flangeways {
    int count[2];
    kane_check_rail *rails[2]; // from, to: s [m]
};

static int by_place(const void *a, const void *b)
{
    const kane_check_rail *left = a, *right = b;
    return (left->from > right->from) - (left->from < right->from);
}

const kane_flangeways *kane_flangeways_make(const kane_track_definition *d, kane_arena *memory, kane_check *check)
{
    if (d->check_rail_count == 0)
        return NULL;
    const int before   = check->count;
    kane_flangeways *w = kane_arena_alloc(memory, 1, sizeof *w);
    for (int side = 0; w && side < 2; side++) {
        kane_check_rail *rails = kane_arena_alloc(memory, (size_t)d->check_rail_count, sizeof *rails);
        int n                  = 0;
        if (!rails)
            return NULL;
        for (int i = 0; i < d->check_rail_count; i++) {
            const kane_check_rail *r = &d->check_rails[i];
            if (r->rails == KANE_BOTH_RAILS || (int)r->rails == side)
                rails[n++] = *r;
        }
        qsort(rails, (size_t)n, sizeof *rails, by_place);
        for (int i = 1; i < n; i++)
            if (rails[i].from < rails[i - 1].to + 2.0 * KANE_CHECK_RAIL_REACH)
                KANE_CHECK_FAULT(check, rails[i].place,
                                 "this check rail begins at %.10g m, and the one before it on the same side ends at "
                                 "%.10g m; there must be %g m between them",
                                 rails[i].from, rails[i - 1].to, 2.0 * KANE_CHECK_RAIL_REACH);
        for (int i = 0; i < n; i++) {
            rails[i].from -= d->start;
            rails[i].to -= d->start;
            rails[i].place = (kane_place){"", 0, 0, ""}; // its text belongs to the caller
        }
        w->rails[side] = rails;
        w->count[side] = n;
    }
    return check->count == before ? w : NULL;
}

const kane_check_rail *kane_flangeways_at(const kane_flangeways *w, kane_side side, double s)
{
    const kane_check_rail *rails = w->rails[side];
    int low = 0, high = w->count[side]; // those before `low` have begun
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (rails[middle].from - KANE_CHECK_RAIL_REACH <= s)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && s <= rails[low - 1].to + KANE_CHECK_RAIL_REACH ? &rails[low - 1] : NULL;
}

void kane_check_rail_width(const kane_check_rail *r, double s, double out[3])
{
    const double per = 1.0 / r->flare, gain = r->flangeway - r->opening;
    double in[4], back[4];
    kane_step_eval((s - r->from) * per, in);
    kane_step_eval((r->to - s) * per, back);
    out[0] = r->opening + gain * (in[0] + back[0] - 1.0);
    out[1] = gain * per * (in[1] - back[1]);
    out[2] = gain * per * per * (in[2] + back[2]);
}
