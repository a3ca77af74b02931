// SPDX-License-Identifier: MIT
// Profiles by points for tests: the shapes S1002 and 60E1, drawn.

#ifndef KANE_TESTS_PROFILE_DRAWN_H
#define KANE_TESTS_PROFILE_DRAWN_H

#include "check.h"
#include "profile/profile.h"

#include <kane/profile.h>

enum { DRAWN_MOST = 4000 };

typedef struct drawn {
    double y[DRAWN_MOST], z[DRAWN_MOST];
    int line[DRAWN_MOST];
    kane_profile profile;
} drawn;

static inline void drawn_add(drawn *d, double y, double z)
{
    kane_profile *p = &d->profile;
    d->y[p->count]  = y;
    d->z[p->count]  = z;
    p->count++;
}

// Steps along the surface of about `step` [m].
static inline drawn *drawn_wheel(double step)
{
    drawn *d = calloc(1, sizeof *d);
    d->profile =
        (kane_profile){.kind = KANE_PROFILE_WHEEL, .shape = KANE_SHAPE_POINTS, .y = d->y, .z = d->z, .name = "drawn"};
    for (double s = KANE_S1002_FIRST; s < KANE_S1002_LAST;) {
        const profile_point p = kane_shape_s1002(s);
        drawn_add(d, s, -p.height);
        s += step / sqrt(1.0 + p.slope * p.slope);
    }
    return d;
}

// Turned toward the middle of the track by its inclination (tangent).
static inline drawn *drawn_rail(double step, double inclination)
{
    drawn *d       = calloc(1, sizeof *d);
    const double c = 1.0 / sqrt(1.0 + inclination * inclination), s = inclination * c;
    d->profile = (kane_profile){
        .kind = KANE_PROFILE_RAIL, .shape = KANE_SHAPE_POINTS, .y = d->y, .z = d->z, .inclined = inclination != 0.0};
    for (double y = -0.0363; y < 0.0363;) {
        const profile_point p = kane_shape_60e1(y);
        drawn_add(d, y * c - p.height * s, y * s + p.height * c);
        y += step / sqrt(1.0 + p.slope * p.slope);
    }
    return d;
}

#endif
