// SPDX-License-Identifier: MIT
// Small models for tests: a line with everything in it, and bodies with every kind of freedom and element.

#ifndef KANE_TESTS_MODELS_H
#define KANE_TESTS_MODELS_H

#include <kane/kane.h>

#include "errors.h"

// Pseudo-random numbers in -1 .. 1, the same in every run.
static inline double random_number(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return 2.0 * (double)(*state >> 11) / 9007199254740992.0 - 1.0;
}

static inline kane_vec3 random_vector(uint64_t *state, double size)
{
    const double x = random_number(state), y = random_number(state), z = random_number(state);
    return kv3(size * x, size * y, size * z);
}

// 20 m straight, 40 m transition, curve of 300 m to the left with 0.1 m cant; the line climbs.
static inline kane_track *model_track(double sign, kane_transition_shape shape)
{
    const kane_section_definition sections[] = {
        {.kind = KANE_STRAIGHT, .length = 20.0},
        {.kind           = KANE_TRANSITION,
         .length         = 40.0,
         .curvature      = sign / 300.0,
         .superelevation = 0.1 * sign,
         .shape          = shape,
         .height         = 1.5},
        {.kind = KANE_CURVE, .length = 200.0, .curvature = sign / 300.0, .superelevation = 0.1 * sign},
    };
    kane_track_definition d = kane_track_definition_default();
    d.sections              = sections;
    d.section_count         = 3;
    d.grade                 = 0.01;
    return CHECK_GOOD(kane_track_create, &d);
}

#endif
