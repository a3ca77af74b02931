// SPDX-License-Identifier: MIT
// Deformable bodies that only tests know, on the rig: free, on a joint, one on the other, with bodies on their points.

#ifndef KANE_TESTS_DEFORMED_H
#define KANE_TESTS_DEFORMED_H

#include "property/mechanism/ride.h"

enum { DEFORMED_MODES = 2, DEFORMED_POINTS = 2, DEFORMED_CASES = 6 };

// Numbers without any symmetry, as of a body of some hundred kilograms.
typedef struct deformed {
    kane_deformable shape;
    kane_deformable_point points[DEFORMED_POINTS];
    double S[DEFORMED_POINTS][3 * DEFORMED_MODES], Psi[DEFORMED_POINTS][3 * DEFORMED_MODES];
    double mass[DEFORMED_MODES * DEFORMED_MODES], stiffness[DEFORMED_MODES * DEFORMED_MODES];
    double damping[DEFORMED_MODES * DEFORMED_MODES];
} deformed;

static inline void deformed_build(deformed *d, double hz)
{
    static const char *const names[DEFORMED_POINTS] = {"near", "far"};
    static const double M[] = {1.0, 0.2, 0.2, 1.4}, K[] = {1.0, -0.3, -0.3, 2.5}, D[] = {1.0, 0.1, 0.1, 1.2};
    const double omega = 2.0 * 3.14159265358979 * hz;
    *d                 = (deformed){.shape = {.mode_count = DEFORMED_MODES, .point_count = DEFORMED_POINTS}};
    for (int i = 0; i < DEFORMED_MODES * DEFORMED_MODES; i++) {
        d->mass[i]      = M[i];
        d->stiffness[i] = omega * omega * K[i];
        d->damping[i]   = 0.1 * omega * D[i];
    }
    for (int p = 0; p < DEFORMED_POINTS; p++) {
        for (int k = 0; k < 3 * DEFORMED_MODES; k++) {
            d->S[p][k]   = 0.05 * ((double)((5 * k + 3 * p + 2) % 7) / 3.0 - 1.0);
            d->Psi[p][k] = 0.08 * ((double)((3 * k + 4 * p + 1) % 7) / 3.0 - 1.0);
        }
        d->points[p] = (kane_deformable_point){
            .name = names[p], .at = {0.9 * p - 0.4, 0.2 - 0.3 * p, 0.15 * p}, .S = d->S[p], .Psi = d->Psi[p]};
    }
    d->shape.mass      = d->mass;
    d->shape.stiffness = d->stiffness;
    d->shape.damping   = d->damping;
    d->shape.points    = d->points;
}

static inline void deformed_case(rig *r, int i, char name[64])
{
    static const char *const what[DEFORMED_CASES] = {"free in its frame",      "on a hinge",
                                                     "with an arm on a point", "with a weight on a point",
                                                     "one on the other",       "in the frame of another"};
    static deformed beam, other;
    const kane_vec3 centre = kv3(3.1, 0.3, 1.0), near = kv3(2.7, 0.5, 1.0), far = kv3(3.6, 0.2, 1.15);
    deformed_build(&beam, 3.0);
    deformed_build(&other, 5.0);
    rig_begin_vehicle(r);
    (void)snprintf(name, 64, "deformable, %s", what[i]);
    const int j             = rig_body(r, "beam", 150.0, centre);
    r->bodies[j].deformable = &beam.shape;
    for (int k = 0; k < 6; k++)
        rig_start(r, j, k, 0.02 - 0.01 * k, 0.3 - 0.1 * k);
    if (i == 1 || i == 4) {
        (void)rig_joint(r, j, "bogie", KANE_JOINT_REVOLUTE, kv3(3.0, 0.4, 0.9), rig_turned());
        r->starts[j] = (kane_start_definition){.q = {0.1}, .rate = {0.5}};
    }
    if (i == 5)
        r->bodies[j].frame = "bogie";
    rig_bushing(r, "near held", "bogie", "beam.near", near, 2e4, 4e3, 80.0 * 9.81);
    rig_bushing(r, "far held", "track", "beam", far, 3e4, 2e3, 70.0 * 9.81);
    if (i == 5)
        rig_remember(r, "far remembers", "car", "beam", far);
    if (i == 2 || i == 4) {
        const int arm = rig_link(r, "arm", 60.0, kv3(3.7, 0.1, 0.8), "beam", KANE_JOINT_UNIVERSAL, far, rig_turned());
        rig_start(r, arm, 1, 0.1, 0.6);
        if (i == 4)
            r->bodies[arm].deformable = &other.shape;
    }
    if (i == 3) {
        const int weight =
            rig_link(r, "weight", 60.0, kv3(3.7, 0.1, 0.8), "beam.far", KANE_JOINT_FREE, far, rig_turned());
        rig_start(r, weight, 1, 0.02, 0.6);
        rig_bushing(r, "weight held", "beam.far", "weight", far, 1e4, 1e3, 60.0 * 9.81);
    }
    if (i == 4)
        rig_bushing(r, "end held", "track", "arm", kv3(3.7 + 0.5, 0.0, 0.95), 1e4, 1e3, 30.0 * 9.81);
}

#endif
