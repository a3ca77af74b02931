// SPDX-License-Identifier: MIT
// A cone on a round rail, in closed form.

#ifndef KANE_CONTACT_CONE_H
#define KANE_CONTACT_CONE_H

#include "contact/gap_places.h"
#include "contact/half_space.h"

typedef struct cone_pair {
    double radius;      // of the running circle [m]
    double conicity;    // tangent of half the cone's angle [1]
    double half_width;  // of the cone, along the axle to both sides of the running circle [m]
    double head_radius; // of the rail [m]
} cone_pair;

// Returns 1, or 0 where they do not touch.
int kane_cone_spot(const cone_pair *pair, const wheel_pose *pose, const hertz_table *hertz, double E_star,
                   contact_spot *spot);

// The same with slopes by the pose.
int kane_cone_derive(const cone_pair *pair, const wheel_pose *pose, const hertz_table *hertz, double E_star,
                     spot_scalars *spot);

// The gap of rigid bodies, exactly; 0 where the contact would be beside the cone.
int kane_cone_gap(const cone_pair *pair, const pose_path *path, gap_place *place);

// Its derivatives where the coordinates have these rates; 0 likewise.
int kane_cone_curve(const cone_pair *pair, const wheel_pose *pose, const double rates[GAP_DIRECTIONS], gap_curve *c);

#endif
