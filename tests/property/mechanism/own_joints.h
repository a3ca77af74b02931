// SPDX-License-Identifier: MIT
// Joints that only tests know, each a formula of its coordinates (kane/joint.h).

#ifndef KANE_TESTS_OWN_JOINTS_H
#define KANE_TESTS_OWN_JOINTS_H

#include <kane/joint.h>

// A screw along z.
static inline void own_screw_pose(const void *data, const kane_number *q, kane_joint_pose *pose)
{
    (void)data;
    pose->position.z = kn_scale(0.15, q[0]);
    kane_joint_turn(pose, 2, q[0]);
}

static const kane_joint_formula own_screw = {
    .name = "screw", .coordinate_count = 1, .coordinate = {"angle"}, .pose = own_screw_pose};

// The wheel carrier of a guide: it travels along a bow, turns with it, and rolls with its travel squared.
static inline void own_guide_pose(const void *data, const kane_number *q, kane_joint_pose *pose)
{
    (void)data;
    const kane_number bow = kn_scale(0.8, kn_square(q[0]));
    pose->position        = kn3(kn_sin(q[0]), bow, kn_scale(0.3, kn_mul(q[0], bow)));
    kane_joint_turn(pose, 2, kn_scale(1.7, q[0]));
    kane_joint_turn(pose, 0, kn_add(bow, kn_constant(0.2)));
}

static const kane_joint_formula own_guide = {
    .name = "guide", .coordinate_count = 1, .coordinate = {"travel"}, .pose = own_guide_pose};

// Three coordinates that all depend on each other.
static inline void own_coupled_pose(const void *data, const kane_number *q, kane_joint_pose *pose)
{
    (void)data;
    const kane_number bend = kn_mul(q[0], q[1]), swing = kn_sin(kn_add(q[1], q[2]));
    kane_joint_turn(pose, 1, kn_add(q[1], kn_scale(0.4, kn_square(q[0]))));
    kane_joint_slide(pose, kn3(q[0], kn_scale(0.5, swing), kn_scale(0.3, bend)));
    kane_joint_turn(pose, 0, kn_add(q[2], bend));
    kane_joint_turn(pose, 2, kn_scale(0.3, swing));
}

static const kane_joint_formula own_coupled = {
    .name = "coupled", .coordinate_count = 3, .coordinate = {"x", "roll", "pitch"}, .pose = own_coupled_pose};

// All six freedoms: what a free joint is.
static inline void own_free_pose(const void *data, const kane_number *q, kane_joint_pose *pose)
{
    (void)data;
    kane_joint_slide(pose, kn3(q[0], q[1], q[2]));
    kane_joint_turn(pose, 2, q[3]);
    kane_joint_turn(pose, 0, q[4]);
    kane_joint_turn(pose, 1, q[5]);
}

static const kane_joint_formula own_free = {.name             = "free",
                                            .coordinate_count = 6,
                                            .coordinate       = {"x", "y", "z", "yaw", "roll", "pitch"},
                                            .pose             = own_free_pose};

#endif
