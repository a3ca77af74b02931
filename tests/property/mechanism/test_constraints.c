// SPDX-License-Identifier: MIT
// Every kind of constraint, on a vehicle that speeds up through a transition into a curve that is canted and climbs:
// the motion is the same in moving frames, with imaginary forces one by one, and in A; by coefficients and by
// multipliers.

#include "property/mechanism/constrained.h"

// At the end of the ramp frames jump: in attitude and angular velocity, or in angular velocity alone. What bodies hold
// on each other does not feel that; what a frame holds takes an impact (and would be moved to second order of the
// attitude).
static kane_track *line(int where)
{
    return model_track(1.0, where % CONSTRAINED_MOVING == CONSTRAINED_BY_FRAME ? KANE_BLOSS : KANE_CLOTHOID);
}

// 30 m, over the end of the transition with all frames one after another.
CHECK_TEST(constraints_are_the_same_in_all_frames)
{
    for (int where = 0; where < CONSTRAINED_PLACES; where++) {
        CHECK_OWNED(kane_track) *track = line(where);
        for (int kind = 0; kind < KANE_CONSTRAINT_KINDS; kind++) {
            static rig r;
            char name[64];
            if (!constrained_build(&r, (kane_constraint_kind)kind, where))
                continue;
            (void)snprintf(name, sizeof name, "%s, place %d", kane_constraint_kind_name((kane_constraint_kind)kind),
                           where);
            ride_check_forms(&r, track, 1.6, 1e-3, name);
        }
    }
}

// An arm on the bogie by a joint, or free but for a closure of the same kind.
static void build_arm(rig *r, int closed, kane_joint_kind joint, kane_constraint_kind closure)
{
    const kane_vec3 at = kv3(3.3, 0.4, 0.9);
    rig_begin_vehicle(r);
    const int arm = rig_body(r, "arm", 200.0, kv3(3.3, 0.2, 0.8));
    if (closed) {
        r->bodies[arm].frame = "bogie";
        (void)rig_close(r, "closure", closure, "bogie", "arm", at, rig_turned());
    } else {
        (void)rig_joint(r, arm, "bogie", joint, at, rig_turned());
        for (int k = 0; k < kane_joint_coordinate_count(&r->joints[arm]) && joint != KANE_JOINT_SPHERICAL; k++)
            rig_start(r, arm, k, 0.05 - 0.02 * k, 0.4 - 0.3 * k);
        for (int k = 0; k < 3 && joint == KANE_JOINT_SPHERICAL; k++)
            rig_start(r, arm, k, 0.9 - 0.6 * k, 0.4 - 0.3 * k);
    }
    rig_bushing(r, "arm held", "bogie", "arm", kv3(3.1, 0.1, 0.8), 3e4, 6e3, 200.0 * 9.81);
}

// A closure of a free body is the joint of the same name.
CHECK_TEST(closures_are_joints)
{
    static const struct {
        kane_joint_kind joint;
        kane_constraint_kind closure;
    } pairs[] = {
        {KANE_JOINT_REVOLUTE, KANE_CONSTRAINT_REVOLUTE},
        {KANE_JOINT_PRISMATIC, KANE_CONSTRAINT_PRISMATIC},
        {KANE_JOINT_CYLINDRICAL, KANE_CONSTRAINT_CYLINDRICAL},
        {KANE_JOINT_UNIVERSAL, KANE_CONSTRAINT_UNIVERSAL},
        {KANE_JOINT_SPHERICAL, KANE_CONSTRAINT_SPHERICAL},
        {KANE_JOINT_PLANAR, KANE_CONSTRAINT_PLANAR},
        {KANE_JOINT_WELD, KANE_CONSTRAINT_WELD},
    };
    CHECK_OWNED(kane_track) *track = model_track(-1.0, KANE_CLOTHOID);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        static rig open, closed;
        ride joint, closure[2];
        build_arm(&open, 0, pairs[i].joint, pairs[i].closure);
        build_arm(&closed, 1, pairs[i].joint, pairs[i].closure);
        ride_create(&joint, &open, track, (ride_options){.start = 35.0});
        for (int form = 0; form < 2; form++) {
            ride_create(&closure[form], &closed, track,
                        (ride_options){.start = 35.0, .form = (kane_constraint_form)form});
            ride_copy(&joint, &closure[form]);
            ride_check_bodies(&joint, &closure[form], 1e-13, 1e-12, 1e-10, kane_joint_kind_name(pairs[i].joint));
        }
        ride_go(&joint, 1.6, 1e-3);
        for (int form = 0; form < 2; form++) {
            ride_go(&closure[form], 1.6, 1e-3);
            ride_check_bodies(&joint, &closure[form], 1e-10, 1e-9, 1e-7, kane_joint_kind_name(pairs[i].joint));
            ride_free(&closure[form]);
        }
        ride_free(&joint);
    }
}

// A driven vehicle whose guide is in a loop: the frames follow it, in all frames and forms.
CHECK_TEST(a_guide_in_a_loop_is_followed)
{
    CHECK_OWNED(kane_track) *track = line(CONSTRAINED_BY_BOGIE);
    static rig r;
    ride rides[4];
    rig_begin_vehicle(&r);
    const int arm = rig_body(&r, "arm", 200.0, kv3(1.3, 0.2, 0.8));
    for (int k = 0; k < 6; k++)
        rig_start(&r, arm, k, 0.01 * (k - 2), 0.2 - 0.1 * k);
    rig_bushing(&r, "arm held", "car", "arm", kv3(1.1, 0.1, 0.8), 3e4, 6e3, 200.0 * 9.81);
    (void)rig_close(&r, "closure", KANE_CONSTRAINT_REVOLUTE, "car", "arm", kv3(1.2, 0.1, 0.9), rig_turned());
    rig_start(&r, RIG_CAR, 0, 0.2, 0.5);
    for (int i = 0; i < 4; i++) {
        ride_create(&rides[i], &r, track,
                    (ride_options){.start       = 22.0,
                                   .driven      = 1,
                                   .form        = i % 2 ? KANE_FORM_MULTIPLIERS : KANE_FORM_COEFFICIENTS,
                                   .formulation = i / 2 ? KANE_FIXED : KANE_MOVING});
        if (i > 0)
            ride_copy(&rides[0], &rides[i]);
        ride_check_same(&rides[0], &rides[i], 1e-13, 1e-12, 1e-10, "guide");
    }
    for (int i = 0; i < 4; i++) {
        ride_go(&rides[i], 1.0, 1e-3);
        ride_check_same(&rides[0], &rides[i], 1e-10, 1e-9, 3e-8, "guide");
    }
    for (int i = 0; i < 4; i++)
        ride_free(&rides[i]);
}

CHECK_MAIN(NULL, NULL)
