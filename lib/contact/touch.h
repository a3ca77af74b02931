// SPDX-License-Identifier: MIT
// Wheel and rail as rigid bodies that touch: the gap between them as a smooth function of the wheel's pose.
//
// Three of the four surface parameters of a contact are known in closed form: the angle at which a wheel of revolution
// touches a rail that is the same all along (its silhouette, silhouette.h), the place along the rail, and, of a cone on a
// round rail, the place along the profile too (cone.h). For other profiles the place s along the wheel is left. Instead
// of the one place where the overlap p(s) is largest, which jumps from one lobe to the next, all places count with the
// weight exp(p/KANE_TOUCH_DEPTH):
//   gap = -D ln( (1/L) integral exp(p(s)/D) ds ),   D = KANE_TOUCH_DEPTH
// a function that can be differentiated as often as one likes (M. Arnold's and H. Netter's quasi-elastic contact). D is
// about what wheel and rail approach each other under load, so that places count that an elastic contact would cover.

#ifndef KANE_CONTACT_TOUCH_H
#define KANE_CONTACT_TOUCH_H

#include "contact/silhouette.h"

#define KANE_TOUCH_DEPTH 2e-5 // [m]

// The pose of a wheel in side axes, as it moves.
typedef struct pose_path {
    wheel_pose pose;
    double y_rate, z_rate, y_bend, z_bend; // first and second derivatives of its centre
    kane_vec3 axle_rate, axle_bend;        // and of its axle
} pose_path;

// Where and how they touch, whatever the load.
typedef struct touch_place {
    double gap, rate, bend; // [m], and its first and second derivative along the path [m/s], [m/s^2]
    double by_y, by_z;      // gradient by the centre ...
    kane_vec3 by_axle;      // ... and by the axle
    kane_vec3 point;        // on the wheel from its centre, side axes [m]
    kane_vec3 normal;       // unit vector out of the rail
    double A, B;            // half relative curvatures [1/m]
    double radius;          // of the wheel there [m]
    double wheel_y, rail_y; // places on both profiles [m]
} touch_place;

// Any profiles; 0 where no part of the wheel is near the rail.
int kane_touch_profiles(const wheel_table *wheel, const rail_table *rail, const pose_path *path, touch_place *place);

#endif
