// SPDX-License-Identifier: MIT
// Rigs with what joints and constraints meet in vehicles: removed freedoms, axles that spin, motors, gears, planar
// loops.

#ifndef KANE_TESTS_MIXED_H
#define KANE_TESTS_MIXED_H

#include "property/mechanism/ride.h"

static const kane_mat3 mixed_axle = {{1, 0, 0}, {0, 0, -1}, {0, 1, 0}}; // z to the left

// A body that spins about y.
static inline void mixed_spin(rig *r, int body)
{
    const double I          = r->bodies[body].inertia[0];
    const double inertia[6] = {I, 0.3 * I, I, 0.0, 0.0, 0.0};
    r->bodies[body].kind    = KANE_BODY_SPINNING;
    memcpy(r->bodies[body].inertia, inertia, sizeof inertia);
}

// Its moments of inertia about x and z are made to differ.
static inline void mixed_uneven(rig *r, int body)
{
    double *J = r->bodies[body].inertia;
    J[2] *= 1.2;
    J[4] = 0.1 * J[0];
}

static inline void mixed_motor(rig *r, const char *on, const char *coordinate)
{
    static const double time[] = {0.0, 10.0}, value[] = {150.0, 2000.0};
    r->actuators[r->actuator_count++] = (kane_actuator_definition){.block       = {"motor", NULL},
                                                                   .kind        = KANE_ACTUATOR_JOINT,
                                                                   .on          = on,
                                                                   .coordinate  = coordinate,
                                                                   .point_count = 2,
                                                                   .time        = time,
                                                                   .value       = value};
}

// An arm on a body, held by a spring.
static inline int mixed_arm(rig *r, const char *parent)
{
    const int arm =
        rig_link(r, "arm", 200.0, kv3(3.3, 0.2, 0.6), parent, KANE_JOINT_REVOLUTE, kv3(3.2, 0.4, 1.1), rig_turned());
    rig_start(r, arm, 0, 0.1, 0.5);
    rig_bushing(r, "arm held", parent, "arm", kv3(3.1, 0.1, 0.8), 2e4, 4e3, 200.0 * 9.81);
    rig_remember(r, "arm remembered", parent, "arm", kv3(3.3, 0.0, 0.7));
    return arm;
}

static inline void mixed_removed(rig *r, int body, unsigned removed, const char *parent)
{
    r->bodies[body].dof &= ~removed;
    for (int k = 0; k < 6; k++)
        if (removed & (1u << k))
            rig_start(r, body, k, 0.0, 0.0);
    (void)mixed_arm(r, parent);
}

static inline int mixed_rotor(rig *r, kane_joint_kind kind)
{
    const kane_vec3 at = kv3(4.0, 0.1, 0.5);
    const int rotor =
        rig_link(r, "rotor", 300.0, at, "bogie", kind, at, kind == KANE_JOINT_REVOLUTE ? mixed_axle : km3_identity());
    mixed_spin(r, rotor);
    mixed_uneven(r, rotor);
    if (kind == KANE_JOINT_FREE) {
        rig_bushing(r, "rotor held", "bogie", "rotor", at, 2e5, 3e4, 300.0 * 9.81);
        r->elements[r->vehicle.element_count - 1].on_axle = 1;
        rig_start(r, rotor, 3, 0.02, 0.1);
        rig_start(r, rotor, 5, 0.0, 40.0);
    } else {
        rig_start(r, rotor, 0, 0.3, 40.0);
    }
    return rotor;
}

// A planar four-bar on the car, its last pin of this kind; or a slider on a crank.
static inline void mixed_loop(rig *r, kane_constraint_kind kind, kane_closed_form form, int slider)
{
    const kane_mat3 along = {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}; // z forward
    const int crank =
        rig_link(r, "crank", 40.0, kv3(0.1, 0.3, 2.0), "car", KANE_JOINT_REVOLUTE, kv3(0.0, 0.3, 2.0), mixed_axle);
    (void)rig_link(r, "coupler", 60.0, kv3(0.7, 0.3, 2.3), "crank", KANE_JOINT_REVOLUTE, kv3(0.2, 0.3, 2.1),
                   mixed_axle);
    if (slider)
        (void)rig_link(r, "slider", 70.0, kv3(1.1, 0.3, 2.5), "car", KANE_JOINT_PRISMATIC, kv3(1.0, 0.3, 2.5), along);
    else
        (void)rig_link(r, "slider", 70.0, kv3(1.1, 0.3, 2.2), "car", KANE_JOINT_REVOLUTE, kv3(1.0, 0.3, 1.9),
                       mixed_axle);
    rig_start(r, crank, 0, 0.2, 5.0);
    r->starts[crank].held_q = r->starts[crank].held_rate = 1;
    rig_remember(r, "coupler remembered", "coupler", "car", kv3(0.7, 0.2, 2.4));
    rig_close(r, "pin", kind, "slider", "coupler", kv3(1.1, 0.3, 2.5), mixed_axle)->closed = form;
}

static const kane_mat3 mixed_axle_right = {{1, 0, 0}, {0, 0, 1}, {0, -1, 0}}; // z to the right

// Bodies on the axle of the rotor: a box on either side, held by springs against the bogie, of which one carries an
// arm. The right one may slide along the axle and is turned about it the other way round.
static inline void mixed_boxes(rig *r)
{
    const int left  = rig_link(r, "left box", 60.0, kv3(4.1, 0.7, 0.55), "rotor", KANE_JOINT_REVOLUTE,
                               kv3(4.0, 0.8, 0.5), mixed_axle);
    const int right = rig_link(r, "right box", 70.0, kv3(3.8, -0.6, 0.4), "rotor", KANE_JOINT_CYLINDRICAL,
                               kv3(4.0, -0.6, 0.5), mixed_axle_right);
    const int arm =
        rig_link(r, "arm", 50.0, kv3(3.6, 0.9, 0.7), "left box", KANE_JOINT_REVOLUTE, kv3(3.8, 0.8, 0.6), rig_turned());
    rig_bushing(r, "left box held", "bogie", "left box", kv3(3.9, 0.7, 0.3), 9e4, 3e3, 60.0 * 9.81);
    rig_bushing(r, "right box held", "bogie", "right box", kv3(4.2, -0.5, 0.5), 8e4, 4e3, 70.0 * 9.81);
    rig_bushing(r, "arm held", "left box", "arm", kv3(3.5, 0.9, 0.7), 2e4, 1e3, 50.0 * 9.81);
    rig_start(r, left, 0, 0.05, -0.4);
    rig_start(r, right, 0, 0.02, 0.3);
    rig_start(r, right, 1, -0.04, 0.5);
    rig_start(r, arm, 0, 0.1, 0.3);
}

// A motor that hangs on the rotor by its nose, with a shaft that drives the rotor by gear wheels: the shaft's angle
// counts against the motor, and that of the motor against axes that do not spin.
static inline void mixed_nose(rig *r, int rotor_is_free)
{
    const kane_vec3 at = kv3(4.0, 0.3, 0.5), shaft = kv3(4.5, 0.3, 0.6);
    const int motor = rig_link(r, "housing", 200.0, kv3(4.4, 0.2, 0.6), "rotor", KANE_JOINT_REVOLUTE, at, mixed_axle);
    const int i     = r->vehicle.constraint_count;
    (void)rig_link(r, "shaft", 60.0, shaft, "housing", KANE_JOINT_REVOLUTE, shaft, mixed_axle);
    rig_bushing(r, "nose", "bogie", "housing", kv3(4.8, 0.2, 0.7), 9e4, 3e3, 200.0 * 9.81);
    rig_start(r, motor, 0, 0.03, 0.2);
    kane_constraint_definition *gear = rig_constraint(r, "gear", KANE_CONSTRAINT_LINEAR);
    r->terms[i][0]                   = (kane_term_definition){.body = "shaft", .factor = 1.0};
    r->terms[i][1] =
        (kane_term_definition){.body = "rotor", .coordinate = rotor_is_free ? "pitch" : NULL, .factor = 3.0};
    r->terms[i + 1][0] = (kane_term_definition){.body = "housing", .factor = -3.0}; // follows r->terms[i]
    gear->term_count   = 3;
    gear->terms        = r->terms[i];
    mixed_motor(r, "shaft", NULL);
}

// An axle that is free in the frame of the bogie, held by its boxes.
static inline void mixed_free_axle(rig *r, double spin)
{
    const int rotor = rig_body(r, "rotor", 300.0, kv3(4.0, 0.1, 0.5));
    mixed_spin(r, rotor);
    rig_bushing(r, "rotor held", "bogie", "rotor", kv3(4.0, 0.1, 0.5), 2e5, 3e4, 300.0 * 9.81);
    r->elements[r->vehicle.element_count - 1].on_axle = 1;
    rig_start(r, rotor, KANE_PITCH, 0.0, spin);
    rig_start(r, rotor, KANE_YAW, 0.01, 0.1);
}

enum { MIXED_CASES = 24 };

static inline void mixed_build(rig *r, int i, char name[64])
{
    (void)snprintf(name, 64, "mixture %d", i);
    rig_begin_vehicle(r);
    switch (i) {
    case 0: mixed_removed(r, RIG_BOGIE, KANE_DOF(KANE_X) | KANE_DOF(KANE_PITCH), "bogie"); break;
    case 1: mixed_removed(r, RIG_BOGIE, KANE_DOF(KANE_YAW), "bogie"); break;
    case 2: mixed_removed(r, RIG_CAR, KANE_DOF(KANE_ROLL) | KANE_DOF(KANE_Y), "car"); break;
    case 3: (void)mixed_rotor(r, KANE_JOINT_FREE); break;
    case 4:
        (void)mixed_rotor(r, KANE_JOINT_REVOLUTE);
        mixed_motor(r, "rotor", NULL);
        break;
    case 5:
        (void)mixed_arm(r, "bogie");
        mixed_motor(r, "arm", NULL);
        break;
    case 6:
        (void)mixed_arm(r, "bogie");
        r->joints[2].kind = KANE_JOINT_PLANAR;
        mixed_motor(r, "arm", "y");
        break;
    case 7: { // a motor drives an axle by gears
        rig_start(r, mixed_rotor(r, KANE_JOINT_REVOLUTE), 0, 0.3, 8.0);
        const int pinion = rig_link(r, "pinion", 80.0, kv3(4.6, 0.2, 0.8), "bogie", KANE_JOINT_REVOLUTE,
                                    kv3(4.6, 0.2, 0.8), mixed_axle);
        rig_start(r, pinion, 0, 0.0, -24.0);
        (void)rig_relate(r, "gear", KANE_CONSTRAINT_LINEAR, "pinion", 1.0, "rotor", 3.0);
        mixed_motor(r, "pinion", NULL);
        break;
    }
    case 8: mixed_loop(r, KANE_CONSTRAINT_REVOLUTE, KANE_CLOSED_NONE, 0); break;
    case 9: mixed_loop(r, KANE_CONSTRAINT_REVOLUTE, KANE_CLOSED_FOUR_BAR, 0); break;
    case 10: mixed_loop(r, KANE_CONSTRAINT_REVOLUTE, KANE_CLOSED_NONE, 1); break;
    case 11: mixed_loop(r, KANE_CONSTRAINT_REVOLUTE, KANE_CLOSED_SLIDER_CRANK, 1); break;
    case 12: { // tied by a rod as case 20, but that the rod turns with the body
        const int rotor       = mixed_rotor(r, KANE_JOINT_FREE);
        r->bodies[rotor].kind = KANE_BODY_RIGID;
        rig_close(r, "rod", KANE_CONSTRAINT_DISTANCE, "bogie", "rotor", kv3(3.2, 0.4, 0.8), km3_identity())->at[1].at =
            kv3(4.0, 0.6, 0.5);
        rig_start(r, rotor, 5, 0.0, 2.0);
        break;
    }
    case 13: // boxes on an axle that has all its freedoms, on the bogie
        (void)mixed_rotor(r, KANE_JOINT_FREE);
        mixed_boxes(r);
        break;
    case 14: // ... and in a frame
        mixed_free_axle(r, 30.0);
        mixed_boxes(r);
        break;
    case 15: // ... and on a hinge, that drives a box
        (void)mixed_rotor(r, KANE_JOINT_REVOLUTE);
        mixed_boxes(r);
        mixed_motor(r, "left box", NULL);
        break;
    case 16: { // ... and on a joint that holds it along the bogie
        const int rotor      = mixed_rotor(r, KANE_JOINT_FREE);
        r->joints[rotor].dof = 63 & ~KANE_DOF(KANE_X);
        memset(&r->starts[rotor], 0, sizeof r->starts[rotor]);
        rig_start(r, rotor, 4, 0.0, 40.0);
        mixed_boxes(r);
        break;
    }
    case 17:
        rig_start(r, mixed_rotor(r, KANE_JOINT_FREE), 5, 0.0, 10.0);
        mixed_nose(r, 1);
        break;
    case 18:
        mixed_free_axle(r, 10.0);
        mixed_nose(r, 1);
        break;
    case 19:
        rig_start(r, mixed_rotor(r, KANE_JOINT_REVOLUTE), 0, 0.3, 10.0);
        mixed_nose(r, 0);
        break;
    // on axes of axle boxes: of an axle on the bogie, in a frame, on a ball joint, and held to what it carries
    case 20:
        rig_start(r, mixed_rotor(r, KANE_JOINT_FREE), 5, 0.0, 10.0);
        rig_close(r, "rod", KANE_CONSTRAINT_DISTANCE, "bogie", "rotor", kv3(3.2, 0.4, 0.8), km3_identity())->at[1].at =
            kv3(4.0, 0.6, 0.9);
        break;
    case 21:
        mixed_free_axle(r, 30.0);
        (void)rig_close(r, "guide", KANE_CONSTRAINT_PRISMATIC, "rotor", "bogie", kv3(3.8, 0.4, 0.7), rig_turned());
        break;
    case 22: {
        const int rotor  = mixed_rotor(r, KANE_JOINT_REVOLUTE);
        r->joints[rotor] = (kane_joint_definition){.kind   = KANE_JOINT_SPHERICAL,
                                                   .parent = "bogie",
                                                   .from   = {.at = {4.1, 0.1, 0.7}, .axes = km3_identity()},
                                                   .to     = {.at = {4.1, 0.1, 0.7}, .axes = km3_identity()}};
        r->starts[rotor] = (kane_start_definition){.q = {1.0}, .rate = {0.1, 2.0, 0.2}};
        (void)rig_close(r, "table", KANE_CONSTRAINT_PLANAR, NULL, "rotor", kv3(4.4, 0.3, 0.6), rig_turned());
        break;
    }
    case 23:
        rig_start(r, mixed_rotor(r, KANE_JOINT_FREE), 5, 0.0, 10.0);
        mixed_boxes(r);
        rig_close(r, "strut", KANE_CONSTRAINT_DISTANCE, "arm", "rotor", kv3(3.5, 0.7, 0.8), km3_identity())->at[1].at =
            kv3(4.1, -0.2, 0.8);
        break;
    default: break;
    }
}

#endif
