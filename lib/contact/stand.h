// SPDX-License-Identifier: MIT
// What all ways to let a wheelset stand have in common: places of the wheels, and the roll at which both sides agree.

#ifndef KANE_CONTACT_STAND_H
#define KANE_CONTACT_STAND_H

#include "contact/silhouette.h"

#include <kane/geometry.h>

// One wheel over one rail.
typedef struct stand_side {
    const wheel_table *wheel;
    const rail_table *rail;
    double wheel_distance; // from the middle of the axle to the running circle [m]
    double rail_distance;  // from the middle of the track to the rail's origin [m]
} stand_side;

stand_side kane_stand_side(const kane_contact *contact, kane_side side);

// Pose, in side axes, of a wheel of the wheelset that stands like this; z of kane_stand.
typedef struct stand_pose {
    double y, yaw, roll, z;
} stand_pose;

wheel_pose kane_stand_wheel_pose(const kane_contact *contact, kane_side side, stand_pose pose);

// The z that a side wants at this y, yaw and roll (z is not read). Returns 0 if there is none.
typedef int stand_height(const void *data, kane_side side, stand_pose pose, double *z);

// Finds roll and z at which both sides want the same z. Returns 0 if there are none.
int kane_stand_roll(stand_height *height, const void *data, stand_pose *pose);

// The z of rigid contact; data: kane_contact.
stand_height kane_stand_rigid_height;

// What a place of the silhouette is, without force; the gap is as p says.
kane_touch kane_stand_touch(const silhouette *g, double s);

// KANE_OK if y and yaw are what a wheelset can have.
kane_status kane_stand_check(double y, double yaw);

#endif
