// SPDX-License-Identifier: MIT
// Compares the Jacobian that CVODE is given with plain differences, for all cases.

#ifndef KANE_TESTS_MECHANISM_JACOBIAN_CASES_H
#define KANE_TESTS_MECHANISM_JACOBIAN_CASES_H

#include "property/mechanism/cases.h"
#include "property/mechanism/differences.h"

#include "grounded.h"

// Elements that remember get another law.
static inline void replace_law(rig *r, const kane_law *law)
{
    for (int i = 0; i < r->vehicle.element_count; i++)
        if (r->elements[i].law == &stateful_law)
            r->elements[i].law = law;
}

static inline void check_cases(int first, int end, int driven, const kane_law *law)
{
    CHECK_OWNED(kane_track) *track = model_track(1.0, KANE_SINE);
    for (int i = first; i < end; i++) {
        static test_case c;
        if (!case_build(&c, i))
            continue;
        replace_law(&c.rig, law);
        for (int way = 0; way < case_ways(&c); way++) {
            CHECK_END(ride_free) ride a = {0};
            ride_options o              = case_way(way);
            o.driven                    = driven;
            ride_create(&a, &c.rig, track, o);
            check_jacobian(&a, c.name, way, allowed_difference(c.is_constrained, &o));
        }
    }
}

#endif
