// SPDX-License-Identifier: MIT
// A rail whose profile changes over 2 m, as tests of contact use it.

#ifndef KANE_TESTS_CHANGING_RAIL_H
#define KANE_TESTS_CHANGING_RAIL_H

#include "unit/contact/rig.h"

enum { RAIL_POINTS = 240 };

// 60E1 as it is drawn, and worn by `wear` at its gauge corner and a third of it on its top.
static inline kane_profile rail_worn(double wear, double y[RAIL_POINTS], double z[RAIL_POINTS])
{
    assert_int_equal(kane_profile_draw(kane_profile_60e1(), RAIL_POINTS, y, z), KANE_OK);
    for (int i = 0; i < RAIL_POINTS; i++) {
        const double t = (y[i] + 0.020) / 0.030;
        z[i] -= wear * (1.0 / 3.0 + 2.0 / 3.0 * 0.5 * (1.0 - tanh(2.0 * t)));
    }
    return (kane_profile){.kind      = KANE_PROFILE_RAIL,
                          .shape     = KANE_SHAPE_POINTS,
                          .name      = "worn",
                          .count     = RAIL_POINTS,
                          .y         = y,
                          .z         = z,
                          .smoothing = 2e-6};
}

static inline kane_contact *rail_create(const kane_profile *profile, int as_drawn)
{
    kane_contact_definition d   = kane_contact_definition_default();
    const kane_rail_shape shape = {.profile = profile, .as_drawn = as_drawn};
    d.shape_count               = 1;
    d.shapes                    = &shape;
    return rig_create(d);
}

// The change over 2 m by 10 t^3 - 15 t^4 + 6 t^5, as a track has it.
static inline kane_rail_blend rail_blend_at(double s)
{
    const double t = s / 2.0;
    return (kane_rail_blend){.from     = 0,
                             .to       = 1,
                             .share    = t * t * t * (10.0 + t * (-15.0 + 6.0 * t)),
                             .share_s  = 15.0 * t * t * (1.0 - t) * (1.0 - t),
                             .share_ss = 15.0 * t * (1.0 - t) * (1.0 - 2.0 * t)};
}

#endif
