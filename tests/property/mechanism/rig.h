// SPDX-License-Identifier: MIT
// A vehicle to hang mechanisms on: a car that the frames go with, a bogie free in a track frame of its own, both on
// soft springs to the track, and room for more bodies, joints, constraints and springs.

#ifndef KANE_TESTS_RIG_H
#define KANE_TESTS_RIG_H

#include "models.h"
#include "stateful.h"

#include "agem/bodies.h"

enum { RIG_MOST = 12, RIG_CAR = 0, RIG_BOGIE = 1 };

typedef struct rig {
    kane_body_definition bodies[RIG_MOST];
    kane_joint_definition joints[RIG_MOST];
    kane_start_definition starts[RIG_MOST];
    kane_motion_definition motions[RIG_MOST];
    kane_element_definition elements[RIG_MOST];
    kane_bushing bushings[RIG_MOST];
    kane_constraint_definition constraints[RIG_MOST];
    kane_term_definition terms[RIG_MOST + 1][2];
    kane_given_definition given[KANE_GIVEN_NUMBERS];
    kane_side_definition sides[3];
    kane_actuator_definition actuators[4];
    int actuator_count;
    kane_given_frame frame;
    kane_vehicle_definition vehicle;
} rig;

// --- parts ---

static inline int rig_body(rig *r, const char *name, double mass, kane_vec3 at)
{
    const int j            = r->vehicle.body_count++;
    const double k         = mass * (0.2 + 0.01 * mass / 100.0);
    const double inertia[] = {0.8 * k, 1.1 * k, 1.5 * k, 0.12 * k, -0.08 * k, 0.06 * k};
    r->bodies[j]           = (kane_body_definition){.block = {name, NULL}, .mass = mass, .position = at, .dof = 63};
    r->bodies[j].start     = &r->starts[j];
    memcpy(r->bodies[j].inertia, inertia, sizeof inertia);
    return j;
}

// The body hangs on `parent` (NULL: on its frame); both markers at one point of the drawing, the joint's axes turned.
static inline kane_joint_definition *rig_joint(rig *r, int body, const char *parent, kane_joint_kind kind, kane_vec3 at,
                                               kane_mat3 axes)
{
    kane_joint_definition *joint = &r->joints[body];
    *joint    = (kane_joint_definition){.kind = kind, .parent = parent, .from = {.at = at, .axes = axes}};
    joint->to = joint->from;
    if (kind == KANE_JOINT_FREE)
        joint->dof = 63;
    r->bodies[body].joint = joint;
    return joint;
}

// A body with its joint.
static inline int rig_link(rig *r, const char *name, double mass, kane_vec3 centre, const char *parent,
                           kane_joint_kind kind, kane_vec3 at, kane_mat3 axes)
{
    const int j = rig_body(r, name, mass, centre);
    (void)rig_joint(r, j, parent, kind, at, axes);
    return j;
}

// One coordinate of the joint moves by q(t).
static inline void rig_move(rig *r, int body, int coordinate, kane_function function)
{
    r->motions[body]             = (kane_motion_definition){.coordinate = coordinate, .function = function};
    r->joints[body].motion_count = 1;
    r->joints[body].motions      = &r->motions[body];
}

// Springs and dampers in all directions between two points that coincide in the drawing, carrying `load` upwards.
static inline void rig_bushing(rig *r, const char *name, const char *a, const char *b, kane_vec3 at, double stiffness,
                               double turning, double load)
{
    const int e    = r->vehicle.element_count++;
    const double k = stiffness, c = turning;
    r->bushings[e] = (kane_bushing){.stiffness            = {k, 1.3 * k, 1.7 * k},
                                    .damping              = {0.02 * k, 0.01 * k, 0.03 * k},
                                    .rotational_stiffness = {c, 1.2 * c, 0.9 * c},
                                    .rotational_damping   = {0.02 * c, 0.03 * c, 0.02 * c}};
    r->elements[e] = (kane_element_definition){.block      = {name, NULL},
                                               .law        = &kane_law_bushing,
                                               .parameters = &r->bushings[e],
                                               .between    = {a, b},
                                               .at         = {at, at},
                                               .axes       = km3_identity(),
                                               .preload    = KANE_PRELOAD_GIVEN,
                                               .load       = {0.0, 0.0, load}};
}

// A law with states between two points that coincide in the drawing.
static inline void rig_remember(rig *r, const char *name, const char *a, const char *b, kane_vec3 at)
{
    r->elements[r->vehicle.element_count++] = (kane_element_definition){.block   = {name, NULL},
                                                                        .law     = &stateful_law,
                                                                        .between = {a, b},
                                                                        .at      = {at, at},
                                                                        .axes    = km3_identity(),
                                                                        .preload = KANE_PRELOAD_GIVEN};
}

static inline kane_constraint_definition *rig_constraint(rig *r, const char *name, kane_constraint_kind kind)
{
    kane_constraint_definition *c = &r->constraints[r->vehicle.constraint_count++];
    *c                            = (kane_constraint_definition){.block = {name, NULL}, .kind = kind};
    return c;
}

// Between two bodies (NULL: the frame), both sides at one place of the drawing.
static inline kane_constraint_definition *rig_close(rig *r, const char *name, kane_constraint_kind kind, const char *a,
                                                    const char *b, kane_vec3 at, kane_mat3 axes)
{
    kane_constraint_definition *c = rig_constraint(r, name, kind);
    c->between[0]                 = a;
    c->between[1]                 = b;
    c->at[0].at = c->at[1].at = at;
    c->at[0].axes = c->at[1].axes = axes;
    return c;
}

// factor[0] coordinate[0] + factor[1] coordinate[1] ...
static inline kane_constraint_definition *rig_relate(rig *r, const char *name, kane_constraint_kind kind, const char *a,
                                                     double factor_a, const char *b, double factor_b)
{
    const int i                   = r->vehicle.constraint_count;
    kane_constraint_definition *c = rig_constraint(r, name, kind);
    r->terms[i][0]                = (kane_term_definition){.body = a, .factor = factor_a};
    r->terms[i][1]                = (kane_term_definition){.body = b, .factor = factor_b};
    c->term_count                 = 2;
    c->terms                      = r->terms[i];
    return c;
}

// Coordinate k of a body starts here, with this rate.
static inline void rig_start(rig *r, int body, int k, double q, double rate)
{
    r->starts[body].q[k] = q;
    if (k < KANE_JOINT_SPEEDS)
        r->starts[body].rate[k] = rate;
}

static inline kane_mat3 rig_turned(void)
{
    return kane_matrix_from_angles(0.7, -0.4, 0.9);
}

// --- the vehicle without anything on it ---

static inline void rig_begin(rig *r)
{
    *r                      = (rig){.vehicle = {.name = "rig", .gravity = 9.81}};
    r->vehicle.bodies       = r->bodies;
    r->vehicle.elements     = r->elements;
    r->vehicle.constraints  = r->constraints;
    r->vehicle.given_frames = &r->frame;
}

static inline void rig_begin_vehicle(rig *r)
{
    rig_begin(r);
    r->vehicle.guide = "car";
    (void)rig_body(r, "car", 3000.0, kv3(0.0, 0.0, 1.4));
    (void)rig_body(r, "bogie", 1200.0, kv3(4.0, 0.1, 0.7));
    rig_bushing(r, "car on track", "track", "car", kv3(0.1, 0.2, 0.9), 3e5, 4e5, 3000.0 * 9.81);
    rig_bushing(r, "bogie on track", "track", "bogie", kv3(4.1, 0.0, 0.4), 1.5e5, 1e5, 1200.0 * 9.81);
    const double at[6]   = {0.0, 0.02, -0.01, 0.01, -0.02, 0.015};
    const double rate[6] = {0.0, -0.1, 0.07, 0.05, -0.08, 0.1};
    for (int k = 1; k < 6; k++) {
        rig_start(r, RIG_CAR, k, at[k], rate[k]);
        rig_start(r, RIG_BOGIE, k, -at[6 - k], 1.5 * rate[k]);
    }
    rig_start(r, RIG_BOGIE, 0, 0.03, 0.2);
}

#endif
