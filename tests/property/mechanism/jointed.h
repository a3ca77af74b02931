// SPDX-License-Identifier: MIT
// The rig with a joint of any kind.

#ifndef KANE_TESTS_JOINTED_H
#define KANE_TESTS_JOINTED_H

#include "property/mechanism/own_joints.h"
#include "property/mechanism/ride.h"

// A joint with the freedoms and motion that it is tried with.
typedef struct jointed {
    const char *name;
    kane_joint_kind kind;
    unsigned dof;
    const char *rotation;
    int moved; // coordinate that a function of time moves, -1: none
    int plain; // 1: axes of the drawing, 2: the same but for their names
    const kane_joint_formula *own;
} jointed;

static const jointed jointed_samples[] = {
    {"revolute", KANE_JOINT_REVOLUTE, 0, NULL, -1, 0, NULL},
    {"revolute about z", KANE_JOINT_REVOLUTE, 0, NULL, -1, 1, NULL},
    {"revolute about x", KANE_JOINT_REVOLUTE, 0, NULL, -1, 2, NULL},
    {"prismatic", KANE_JOINT_PRISMATIC, 0, NULL, -1, 0, NULL},
    {"cylindrical along x", KANE_JOINT_CYLINDRICAL, 0, NULL, -1, 2, NULL},
    {"cylindrical", KANE_JOINT_CYLINDRICAL, 0, NULL, -1, 0, NULL},
    {"universal", KANE_JOINT_UNIVERSAL, 0, NULL, -1, 0, NULL},
    {"spherical", KANE_JOINT_SPHERICAL, 0, NULL, -1, 0, NULL},
    {"spherical, plain", KANE_JOINT_SPHERICAL, 0, NULL, -1, 1, NULL},
    {"planar", KANE_JOINT_PLANAR, 0, NULL, -1, 0, NULL},
    {"free", KANE_JOINT_FREE, 63, NULL, -1, 0, NULL},
    {"free, xyz", KANE_JOINT_FREE, 63, "xyz", -1, 0, NULL},
    {"free, zyx", KANE_JOINT_FREE, 63, "zyx", -1, 1, NULL},
    {"x, z, yaw, pitch", KANE_JOINT_FREE, 1 | 4 | 8 | 32, NULL, -1, 0, NULL},
    {"y, turns yzx", KANE_JOINT_FREE, 2 | 8 | 16 | 32, "yzx", -1, 0, NULL},
    {"three turns xzy", KANE_JOINT_FREE, 8 | 16 | 32, "xzy", -1, 0, NULL},
    {"weld", KANE_JOINT_WELD, 0, NULL, -1, 0, NULL},
    {"revolute, moved", KANE_JOINT_REVOLUTE, 0, NULL, 0, 0, NULL},
    {"prismatic, moved", KANE_JOINT_PRISMATIC, 0, NULL, 0, 1, NULL},
    {"cylindrical, angle moved", KANE_JOINT_CYLINDRICAL, 0, NULL, 1, 0, NULL},
    {"free, roll moved", KANE_JOINT_FREE, 63, NULL, 4, 0, NULL},
    {"own, a screw", KANE_JOINT_USER, 0, NULL, -1, 0, &own_screw},
    {"own, a guide", KANE_JOINT_USER, 0, NULL, -1, 0, &own_guide},
    {"own, all coupled", KANE_JOINT_USER, 0, NULL, -1, 0, &own_coupled},
    {"own, as free", KANE_JOINT_USER, 0, NULL, -1, 1, &own_free},
    {"own, one moved", KANE_JOINT_USER, 0, NULL, 1, 0, &own_coupled},
};
enum { JOINTED_SAMPLES = sizeof jointed_samples / sizeof *jointed_samples };

// An arm hangs by the joint on the bogie, the car or its frame (NULL), held by a soft spring; a tail hangs on the arm,
// or a weight that is free but for springs, so that what the joint hands on is seen.
static inline void jointed_build(rig *r, const jointed *s, const char *parent, int weight)
{
    static const double wave[] = {0.1, 0.3, 2.5, 0.4};
    const kane_vec3 at         = kv3(3.2, 0.4, 1.1);
    const kane_mat3 renamed    = {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}};
    const kane_mat3 axes       = s->plain == 2 ? renamed : s->plain ? km3_identity() : rig_turned();
    rig_begin_vehicle(r);
    const int arm           = rig_link(r, "arm", 200.0, kv3(3.3, 0.2, 0.6), parent, s->kind, at, axes);
    r->joints[arm].dof      = s->dof;
    r->joints[arm].rotation = s->rotation;
    r->joints[arm].own      = s->own;
    if (s->moved >= 0)
        rig_move(r, arm, s->moved, (kane_function){.kind = KANE_FUNCTION_SINE, .count = 4, .coefficients = wave});
    for (int k = 0;
         k < kane_joint_coordinate_count(&r->joints[arm]) && k != s->moved && s->kind != KANE_JOINT_SPHERICAL; k++)
        rig_start(r, arm, k, 0.1 - 0.05 * k, 0.5 - 0.2 * k);
    if (s->kind == KANE_JOINT_SPHERICAL) {
        const double e[4] = {0.9, 0.3, -0.2, 0.1}, w[3] = {0.5, -0.8, 0.6};
        memcpy(r->starts[arm].q, e, sizeof e);
        memcpy(r->starts[arm].rate, w, sizeof w);
    }
    rig_bushing(r, "arm held", parent ? parent : "track", "arm", kv3(3.1, 0.1, 0.8), 2e4, 4e3, 200.0 * 9.81);
    const int tail          = rig_link(r, "tail", 80.0, kv3(3.5, 0.0, 0.1), "arm",
                              weight ? KANE_JOINT_FREE : KANE_JOINT_REVOLUTE, kv3(3.4, 0.1, 0.4), km3_identity());
    r->joints[tail].to.axes = r->joints[tail].from.axes =
        weight ? rig_turned() : (kane_mat3){{0, 0, -1}, {1, 0, 0}, {0, -1, 0}};
    rig_start(r, tail, 0, 0.05, 0.4);
    if (weight)
        rig_bushing(r, "tail held", "arm", "tail", kv3(3.4, 0.1, 0.4), 1e4, 1e3, 80.0 * 9.81);
}

// The i-th of them: all kinds on all parents, with a tail and with a weight.
enum { JOINTED_PARENTS = 3, JOINTED_CASES = 2 * JOINTED_PARENTS * JOINTED_SAMPLES };

static inline void jointed_case(rig *r, int i, char name[64])
{
    static const char *const parents[JOINTED_PARENTS] = {"bogie", "car", NULL};
    const jointed *s                                  = &jointed_samples[i / (2 * JOINTED_PARENTS)];
    const char *parent                                = parents[i / 2 % JOINTED_PARENTS];
    (void)snprintf(name, 64, "%s on %s, %s", s->name, parent ? parent : "frame", i % 2 ? "weight" : "tail");
    jointed_build(r, s, parent, i % 2);
}

#endif
