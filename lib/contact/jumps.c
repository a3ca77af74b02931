// SPDX-License-Identifier: MIT
// Shifts at which the rigid contact leaps from one place to another.

#include "contact/stand.h"

#include <math.h>

// Shifts are looked at so far from each other, a jump is found to so much [m].
static const double stride = 1e-4, found = 1e-9;

typedef struct jumps {
    const kane_contact *contact;
    double least;
    int most, count;
    kane_jump *kept;
} jumps;

static int is_apart(const jumps *j, const kane_stand *a, const kane_stand *b, kane_side side)
{
    return fabs(a->touch[side][0].wheel_y - b->touch[side][0].wheel_y) > j->least;
}

// Halves the interval for as long as a wheel's contact is farther apart at its ends than wanted: what moves fast but
// without a leap comes together, what leaps does not.
static kane_status look(jumps *j, const kane_stand *a, const kane_stand *b)
{
    if (!is_apart(j, a, b, KANE_LEFT) && !is_apart(j, a, b, KANE_RIGHT))
        return KANE_OK;
    if (b->y - a->y > found) {
        kane_stand middle;
        kane_status status = kane_stand_rigid(j->contact, 0.5 * (a->y + b->y), a->yaw, &middle);
        if (status == KANE_OK)
            status = look(j, a, &middle);
        return status == KANE_OK ? look(j, &middle, b) : status;
    }
    for (int side = 0; side < 2; side++) {
        if (!is_apart(j, a, b, side))
            continue;
        if (j->count < j->most)
            j->kept[j->count] = (kane_jump){
                .side = side, .y = 0.5 * (a->y + b->y), .before = a->touch[side][0], .after = b->touch[side][0]};
        j->count++;
    }
    return KANE_OK;
}

kane_status kane_stand_jumps(const kane_contact *contact, double yaw, double from, double to, double least, int most,
                             kane_jump *kept, int *count)
{
    jumps j = {.contact = contact, .least = least, .most = most, .kept = kept};
    *count  = 0;
    if (!(from < to && least > 0.0))
        return KANE_BAD_ARGUMENT;
    const int steps = (int)ceil(fmin((to - from) / stride, 1e4));
    kane_stand a, b;
    kane_status status = kane_stand_rigid(contact, from, yaw, &a);
    for (int i = 1; i <= steps && status == KANE_OK; i++) {
        status = kane_stand_rigid(contact, from + (to - from) * i / steps, yaw, &b);
        if (status == KANE_OK)
            status = look(&j, &a, &b);
        a = b;
    }
    *count = j.count;
    return status;
}
