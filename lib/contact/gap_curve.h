// SPDX-License-Identifier: MIT
// Derivatives of the gap between wheel and rail (rigid_contact.h), of what it does along a path, and of the forces under it.

#ifndef KANE_CONTACT_GAP_CURVE_H
#define KANE_CONTACT_GAP_CURVE_H

#include "contact/gap_places.h"

#include <kane/contact.h>

// KANE_RETRY as kane_contact_gap.
kane_status kane_gap_curve(const kane_contact *contact, kane_side side, const kane_wheel_path *path, gap_curve *c);

// A kane_wheel_path and a kane_gap with slopes in any directions; rail axes.
typedef struct path_scalars {
    kane_scalar3 centre, centre_rate, centre_bend, axle, axle_rate, axle_bend;
} path_scalars;

typedef struct gap_scalars {
    kane_scalar rate, bend;
    kane_scalar3 push, twist;
    gap_spot spot; // side axes
} gap_scalars;

// The gap of such a path, whose values are those that the curve was made for.
void kane_gap_follow(const gap_curve *curve, const path_scalars *path, gap_scalars *gap);

// A kane_wheel_motion with slopes; rail axes.
typedef struct motion_scalars {
    kane_scalar3 centre, axle, velocity, omega, turn;
    kane_scalar friction_change;
} motion_scalars;

// kane_contact_creep under a normal force that stays: force and torque.
kane_status kane_rigid_derive(const kane_contact *contact, kane_side side, const gap_spot *spot,
                              const motion_scalars *motion, double N, kane_scalar3 creep[2]);

#endif
