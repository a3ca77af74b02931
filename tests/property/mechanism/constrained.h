// SPDX-License-Identifier: MIT
// The rig with one constraint of any kind.

#ifndef KANE_TESTS_CONSTRAINED_H
#define KANE_TESTS_CONSTRAINED_H

#include "property/mechanism/ride.h"

static const double constrained_bow[] = {0.0, 0.5, 0.1, 0.05}, constrained_wave[] = {0.0, 0.05, 3.0, 0.0};

// What holds an arm: the bogie in whose frame it is, the bogie while the arm has a frame of its own, the arm's own frame.
enum { CONSTRAINED_BY_BOGIE, CONSTRAINED_ACROSS_FRAMES, CONSTRAINED_BY_FRAME, CONSTRAINED_PLACES };

// Two cranks on the bogie whose angles are related.
static inline void constrained_relation(rig *r, kane_constraint_kind kind)
{
    const kane_mat3 across = {{0, 0, -1}, {1, 0, 0}, {0, -1, 0}}; // z to the right
    const int a =
        rig_link(r, "crank", 120.0, kv3(3.2, 0.5, 0.5), "bogie", KANE_JOINT_REVOLUTE, kv3(3.2, 0.4, 0.9), across);
    const int b =
        rig_link(r, "wheel", 90.0, kv3(4.6, 0.3, 0.7), "bogie", KANE_JOINT_REVOLUTE, kv3(4.6, 0.2, 0.8), rig_turned());
    rig_start(r, a, 0, 0.2, 0.8);
    rig_start(r, b, 0, 0.1, -0.5);
    kane_constraint_definition *c = rig_relate(r, "relation", kind, "crank", 1.0, "wheel", 1.7);
    if (kind == KANE_CONSTRAINT_FUNCTION)
        c->function[0] = (kane_function){.kind = KANE_FUNCTION_POLYNOMIAL, .count = 4, .coefficients = constrained_bow};
    if (kind == KANE_CONSTRAINT_LINEAR)
        c->offset = 0.05;
    if (kind == KANE_CONSTRAINT_RATES)
        c->offset = 0.3;
}

// An arm that is free but for springs and the constraint.
static inline void constrained_arm(rig *r, kane_constraint_kind kind, int where)
{
    const char *by       = where == CONSTRAINED_BY_FRAME ? NULL : "bogie";
    const kane_vec3 at   = kv3(3.3, 0.4, 0.9);
    const kane_mat3 axle = {{1, 0, 0}, {0, 0, -1}, {0, 1, 0}}; // z to the left
    const int arm        = rig_body(r, "arm", 200.0, kv3(3.3, 0.2, 0.8));
    if (where == CONSTRAINED_BY_BOGIE)
        r->bodies[arm].frame = "bogie";
    for (int k = 0; k < 6; k++)
        rig_start(r, arm, k, 0.01 * (k - 2), 0.2 - 0.1 * k);
    rig_bushing(r, "arm held", by ? by : "track", "arm", kv3(3.1, 0.1, 0.8), 3e4, 6e3, 200.0 * 9.81);
    kane_constraint_definition *c = rig_close(r, "closure", kind, by, "arm", at, rig_turned());
    c->function[0] = (kane_function){.kind = KANE_FUNCTION_POLYNOMIAL, .count = 4, .coefficients = constrained_bow};
    c->function[1] = (kane_function){.kind = KANE_FUNCTION_SINE, .count = 4, .coefficients = constrained_wave};
    if (kind == KANE_CONSTRAINT_DISTANCE)
        c->at[1].at = kv3(3.4, -0.1, 1.2);
    if (kind == KANE_CONSTRAINT_KNIFE || kind == KANE_CONSTRAINT_ROLLING)
        c->at[0].axes = c->at[1].axes = km3_identity();
    if (kind == KANE_CONSTRAINT_ROLLING) {
        c->radius     = 0.4;
        c->at[1].at   = kv3(3.3, 0.4, 1.3);
        c->at[1].axes = axle;
    }
}

// Returns 0 where this kind has no such place.
static inline int constrained_build(rig *r, kane_constraint_kind kind, int where)
{
    const int relation =
        kind == KANE_CONSTRAINT_LINEAR || kind == KANE_CONSTRAINT_FUNCTION || kind == KANE_CONSTRAINT_RATES;
    if (relation && where != CONSTRAINED_BY_BOGIE)
        return 0;
    rig_begin_vehicle(r);
    if (relation)
        constrained_relation(r, kind);
    else
        constrained_arm(r, kind, where);
    return 1;
}

#endif
