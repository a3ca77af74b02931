// SPDX-License-Identifier: MIT
// What the normal contact hands to the tangential one.
//
// Inside of this room everything is seen in side axes: those of the left rail (x forward, y to the outside of the track,
// z up, origin on the rail's highest point). The right wheel is mirrored, so that both sides are one code.

#ifndef KANE_CONTACT_SPOT_H
#define KANE_CONTACT_SPOT_H

#include <kane/contact.h>

// Where a wheel stands.
typedef struct wheel_pose {
    double y, z;    // centre of the running circle [m]
    kane_vec3 axle; // unit vector to the outside
} wheel_pose;

// How a wheel moves, and what the rail is like there.
typedef struct side_motion {
    kane_side side; // whose axes these are
    wheel_pose pose;
    kane_vec3 velocity, omega; // of the centre [m/s], of the wheel [rad/s]
    double friction_change;    // relative
} side_motion;

// One elastic contact before anything moves.
typedef struct contact_spot {
    kane_vec3 point;  // on the undeformed wheel, from its centre [m]
    kane_vec3 normal; // unit vector out of the rail; x = 0
    double share;     // in (0, 1): part of its forces that counts, while spots grow together; else 1
    double N;         // elastic normal force [N]
    double approach;  // along the normal [m]
    double a, b;      // semi-axes along and across the rail [m]
    double radius;    // of the undeformed wheel there [m]
    double wheel_y;   // along the axle, from the running circle [m]
    double rail_y;    // from the origin [m]
} contact_spot;

#endif
