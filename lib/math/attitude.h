// SPDX-License-Identifier: MIT
// Attitudes by yaw, roll and pitch: R = Rz(yaw) Rx(roll) Ry(pitch).

#ifndef KANE_MATH_ATTITUDE_H
#define KANE_MATH_ATTITUDE_H

#include <kane/math.h>

// Yaw, roll and pitch of R [rad].
static inline void kane_angles_from_matrix(kane_mat3 R, double angles[3])
{
    angles[0] = atan2(-R.y.x, R.y.y);
    angles[1] = atan2(R.y.z, hypot(R.y.x, R.y.y));
    angles[2] = atan2(-R.x.z, R.z.z);
}

static inline kane_mat3 kane_matrix_from_angles(double yaw, double roll, double pitch)
{
    kane_mat3 R = km3_turn_z(km3_identity(), sin(yaw), cos(yaw));
    R           = km3_turn_x(R, sin(roll), cos(roll));
    return km3_turn_y(R, sin(pitch), cos(pitch));
}

#endif
