// SPDX-License-Identifier: MIT
// User-defined joints: the pose of a body relative to its carrier, as one formula of coordinates.
//
// A joint of n coordinates, n = 1 to 6, is a map from them to a position p and axes R, both seen from the joint on the
// parent; its speeds are the rates of the coordinates. From the formula, written in numbers that know their derivatives
// (kane/number.h), libkane has the axes of the speeds, the accelerations that the motion brings with it, and all that
// the Jacobian wants:
//
//   omega = sum e_k q_k'    p' = sum l_k q_k'    e_k = 1/2 sum r_i x dr_i/dq_k    l_k = dp/dq_k    R = [r_1 r_2 r_3]
//
// So a screw, a cam, a link of a guide, or a suspension whose wheel moves along a measured curve is one table:
//
//   // a screw along z: it travels by `lead` for a radian
//   static void screw(const void *data, const kane_number *q, kane_joint_pose *pose)
//   {
//       pose->position.z = kn_scale(((const struct screw *)data)->lead, q[0]);
//       kane_joint_turn(pose, 2, q[0]);
//   }
//   static const kane_joint_formula screw_joint = {
//       .name = "screw", .coordinate_count = 1, .coordinate = {"angle"}, .pose = screw};
//
// and a joint of kind KANE_JOINT_USER names it. docs/mechanisms.md, section 2.

#ifndef KANE_JOINT_H
#define KANE_JOINT_H

#include <kane/base.h>
#include <kane/input.h>
#include <kane/number.h>

KANE_C_BEGIN

// Where the joint on the body is and how it is turned, seen from the joint on the parent. It begins without
// displacement or turn.
typedef struct kane_joint_pose {
    kane_number3 position; // [m]
    kane_number3 axis[3];  // x, y, z axes of the joint on the body: unit vectors, square to each other
} kane_joint_pose;

// Turns the pose about one of its own axes (0 x, 1 y, 2 z) by an angle [rad].
static inline void kane_joint_turn(kane_joint_pose *pose, int axis, kane_number angle)
{
    const int i = (axis + 1) % 3, j = (axis + 2) % 3;
    const kane_number s = kn_sin(angle), c = kn_cos(angle);
    const kane_number3 a = pose->axis[i], b = pose->axis[j];
    pose->axis[i] = kn3_add(kn3_scale(c, a), kn3_scale(s, b));
    pose->axis[j] = kn3_sub(kn3_scale(c, b), kn3_scale(s, a));
}

// Moves it along its own axes [m].
static inline void kane_joint_slide(kane_joint_pose *pose, kane_number3 by)
{
    pose->position = kn3_add(pose->position, kn3_scale(by.x, pose->axis[0]));
    pose->position = kn3_add(pose->position, kn3_scale(by.y, pose->axis[1]));
    pose->position = kn3_add(pose->position, kn3_scale(by.z, pose->axis[2]));
}

enum { KANE_JOINT_FORMULA_COORDINATES = 6 };

typedef struct kane_joint_formula {
    const char *name; // as typed in "formula": ...
    const char *help;
    const kane_schema *schema; // of the parameters (first member: kane_block); NULL: none
    int coordinate_count;      // 1 to 6
    // Their names: first lengths, "x", "y", "z" or "travel" [m], then angles, "yaw", "roll", "pitch" or "angle" [rad].
    const char *coordinate[KANE_JOINT_FORMULA_COORDINATES];

    // Checks the parameters and makes of them what `pose` receives as `data`, from `memory`, which lasts as long as the
    // model. NULL with errors filled. NULL: it receives a copy of the parameters.
    void *(*prepare)(const void *parameters, kane_arena *memory, kane_errors *errors);

    // The pose at these coordinates: a function of its arguments alone, smooth (three derivatives). It need not vanish
    // where they do.
    void (*pose)(const void *data, const kane_number *q, kane_joint_pose *pose);
} kane_joint_formula;

KANE_C_END

#endif
