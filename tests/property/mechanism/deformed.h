// SPDX-License-Identifier: MIT
// Deformable bodies that only tests know, on the rig: free, on a joint, one on the other, with bodies on their points;
// and in loops.

#ifndef KANE_TESTS_DEFORMED_H
#define KANE_TESTS_DEFORMED_H

#include "property/mechanism/constrained.h"

#include "deformed_body.h"

enum { DEFORMED_CASES = 8, DEFORMED_LOOPS = 6 };

// Gives a body of the rig this shape.
static inline void deformed_take(rig *r, int body, const deformed *d)
{
    r->bodies[body].deformable = &d->shape;
    r->bodies[body].mass       = d->mass;
    memcpy(r->bodies[body].inertia, d->J, sizeof d->J);
}

static inline void deformed_case(rig *r, int i, char name[64])
{
    static const char *const what[DEFORMED_CASES] = {"free in its frame",      "on a hinge",
                                                     "with an arm on a point", "with a weight and a lump",
                                                     "one on the other",       "in the frame of another",
                                                     "welded to its frame",    "welded to a hub"};
    static deformed beam, other;
    const kane_vec3 centre = kv3(3.1, 0.3, 1.0), near = kv3(2.7, 0.5, 1.0), far = kv3(3.6, 0.2, 1.15);
    deformed_build(&beam, 3.0);
    deformed_build(&other, 5.0);
    if (i == 1 || i == 4) {
        deformed_shorten(&beam);
        deformed_shorten(&other);
    }
    rig_begin_vehicle(r);
    (void)snprintf(name, 64, "deformable, %s", what[i]);
    const int j = rig_body(r, "beam", 150.0, centre);
    deformed_take(r, j, &beam);
    for (int k = 0; k < 6; k++)
        rig_start(r, j, k, 0.02 - 0.01 * k, 0.3 - 0.1 * k);
    if (i == 1 || i == 4) {
        (void)rig_joint(r, j, "bogie", KANE_JOINT_REVOLUTE, kv3(3.0, 0.4, 0.9), rig_turned());
        r->starts[j] = (kane_start_definition){.q = {0.1}, .rate = {0.5}};
    }
    if (i == 5)
        r->bodies[j].frame = "bogie";
    if (i >= 6) {
        const char *hub = NULL;
        if (i == 7) {
            const int k = rig_link(r, "hub", 60.0, kv3(2.9, 0.4, 0.9), "bogie", KANE_JOINT_REVOLUTE, kv3(2.9, 0.3, 0.9),
                                   rig_turned());
            rig_start(r, k, 0, 0.1, 0.5);
            hub = "hub";
        }
        (void)rig_joint(r, j, hub, KANE_JOINT_WELD, kv3(2.8, 0.4, 0.9), rig_turned());
        r->starts[j] = (kane_start_definition){0};
    }
    rig_bushing(r, "near held", "bogie", "beam.near", near, 2e4, 4e3, 80.0 * 9.81);
    rig_bushing(r, "far held", "track", "beam", far, 3e4, 2e3, 70.0 * 9.81);
    if (i == 5)
        rig_remember(r, "far remembers", "car", "beam", far);
    if (i == 2 || i == 4) {
        const int arm = rig_link(r, "arm", 60.0, kv3(3.7, 0.1, 0.8), "beam", KANE_JOINT_UNIVERSAL, far, rig_turned());
        rig_start(r, arm, 1, 0.1, 0.6);
        if (i == 4)
            deformed_take(r, arm, &other);
    }
    if (i == 3) {
        const int weight =
            rig_link(r, "weight", 60.0, kv3(3.7, 0.1, 0.8), "beam.far", KANE_JOINT_FREE, far, rig_turned());
        rig_start(r, weight, 1, 0.02, 0.6);
        rig_bushing(r, "weight held", "beam.far", "weight", far, 1e4, 1e3, 60.0 * 9.81);
        (void)rig_link(r, "lump", 40.0, kv3(2.6, 0.4, 1.2), "beam.near", KANE_JOINT_WELD, near, rig_turned());
    }
    if (i == 4)
        rig_bushing(r, "end held", "track", "arm", kv3(3.7 + 0.5, 0.0, 0.95), 1e4, 1e3, 30.0 * 9.81);
}

// An arm on the beam's far end whose own end the car holds.
static inline int deformed_arm(rig *r, const char *end)
{
    const kane_vec3 far = kv3(3.6, 0.2, 1.15), tip = kv3(3.9, 0.0, 0.7);
    const int arm = rig_link(r, "arm", 60.0, kv3(3.7, 0.1, 0.8), "beam", KANE_JOINT_UNIVERSAL, far, rig_turned());
    rig_close(r, "closing", KANE_CONSTRAINT_DISTANCE, "car", end, tip, km3_identity())->at[0].at = kv3(1.9, 0.3, 1.0);
    return arm;
}

// Constraints on points of deformable bodies, on what hangs on them, on modes.
static inline void deformed_loop(rig *r, int i, char name[64])
{
    static const char *const what[DEFORMED_LOOPS] = {"a point on a ball",  "a point on a rod over time",
                                                     "an arm in a loop",   "one on the other, in a loop",
                                                     "a mode and a crank", "a point's coordinate and a crank"};
    static deformed beam, other;
    const kane_vec3 near = kv3(2.7, 0.5, 1.0), far = kv3(3.6, 0.2, 1.15);
    deformed_build(&beam, 3.0);
    deformed_build(&other, 5.0);
    if (i == 1 || i == 3)
        deformed_shorten(&beam);
    rig_begin_vehicle(r);
    (void)snprintf(name, 64, "deformable, %s", what[i]);
    const int j = rig_body(r, "beam", 150.0, kv3(3.1, 0.3, 1.0));
    deformed_take(r, j, &beam);
    for (int k = 0; k < 6; k++)
        rig_start(r, j, k, 0.02 - 0.01 * k, 0.3 - 0.1 * k);
    if (i == 4)
        r->bodies[j].frame = "bogie";
    rig_bushing(r, "near held", "bogie", "beam.near", near, 2e4, 4e3, 80.0 * 9.81);
    if (i != 2 && i != 3)
        rig_bushing(r, "far held", "track", "beam", far, 3e4, 2e3, 70.0 * 9.81);
    if (i == 0)
        (void)rig_close(r, "closing", KANE_CONSTRAINT_SPHERICAL, "bogie", "beam", far, rig_turned());
    if (i == 1) {
        kane_constraint_definition *rod =
            rig_close(r, "closing", KANE_CONSTRAINT_DISTANCE, "bogie", "beam.far", far, rig_turned());
        rod->at[0].at = kv3(3.9, -0.3, 0.8);
        constrained_give(r, rod, KANE_GIVEN_LENGTH);
    }
    if (i == 2)
        (void)deformed_arm(r, "arm");
    if (i == 3) {
        const int arm = deformed_arm(r, "arm.far");
        deformed_take(r, arm, &other);
        r->constraints[0].at[1].at = kv3_add(r->bodies[arm].position, other.points[1].at);
    }
    if (i >= 4) {
        const int crank = rig_link(r, "crank", 90.0, kv3(4.6, 0.3, 0.7), "bogie", KANE_JOINT_REVOLUTE,
                                   kv3(4.6, 0.2, 0.8), rig_turned());
        const char *of  = i == 4 ? "beam.mode 2" : "beam.near";
        rig_relate(r, "relation", KANE_CONSTRAINT_LINEAR, of, 1.0, "crank", 0.2);
        r->terms[0][0].coordinate = i == 4 ? NULL : "roll";
        rig_start(r, crank, 0, 0.0, 0.4);
    }
}

#endif
