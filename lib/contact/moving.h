// SPDX-License-Identifier: MIT
// What depends on the pose of a wheel that moves along a path: its gradient by the pose, and its first and second
// derivative along the path, all from one formula in numbers with slopes (kane/scalar.h).

#ifndef KANE_CONTACT_MOVING_H
#define KANE_CONTACT_MOVING_H

#include "contact/side.h"
#include "math/jet.h"

// The pose of a wheel in side axes, as it moves.
typedef struct pose_path {
    wheel_pose pose;
    double y_rate, z_rate, y_bend, z_bend; // first and second derivatives of its centre
    kane_vec3 axle_rate, axle_bend;        // and of its axle
} pose_path;

// Where and how they touch, whatever the load.
typedef struct gap_place {
    double gap, rate, bend; // [m], and its first and second derivative along the path [m/s], [m/s^2]
    double by_y, by_z;      // gradient by the centre ...
    kane_vec3 by_axle;      // ... and by the axle
    kane_vec3 point;        // on the wheel from its centre, side axes [m]
    kane_vec3 normal;       // unit vector out of the rail
    double A, B;            // half relative curvatures [1/m]
    double radius;          // of the wheel there [m]
    double wheel_y, rail_y; // places on both profiles [m]
} gap_place;

// Numbers along the path of the pose are jets whose slopes are by the five coordinates of the pose and, in the
// direction TIME, along the path, so that the slope of the rate there is the second derivative.
enum { BY_Y, BY_Z, BY_AXLE, TIME = BY_AXLE + 3 };

KANE_INLINE jet jet_of_coordinate(int i, double v, double rate, double bend)
{
    jet a = {ks_variable(v, i), ks_chain(ks_variable(rate, TIME), rate, bend)};
    a.v.t = kane_slopes_sum(1.0, a.v.t, rate, kane_slopes_unit(TIME));
    return a;
}

// y, z of the centre, and the axle.
typedef struct moving_pose {
    jet y, z, ex, ey, ez;
} moving_pose;

KANE_INLINE moving_pose moving_pose_of(const pose_path *path)
{
    const wheel_pose *p = &path->pose;
    return (moving_pose){.y  = jet_of_coordinate(BY_Y, p->y, path->y_rate, path->y_bend),
                         .z  = jet_of_coordinate(BY_Z, p->z, path->z_rate, path->z_bend),
                         .ex = jet_of_coordinate(BY_AXLE, p->axle.x, path->axle_rate.x, path->axle_bend.x),
                         .ey = jet_of_coordinate(BY_AXLE + 1, p->axle.y, path->axle_rate.y, path->axle_bend.y),
                         .ez = jet_of_coordinate(BY_AXLE + 2, p->axle.z, path->axle_rate.z, path->axle_bend.z)};
}

// A pose at rest, with slopes of its own.
KANE_INLINE moving_pose moving_pose_at_rest(const pose_scalars *p)
{
    const kane_scalar still = ks_constant(0.0);
    return (moving_pose){{p->y, still}, {p->z, still}, {p->axle.x, still}, {p->axle.y, still}, {p->axle.z, still}};
}

KANE_INLINE void moving_take_gap(jet gap, gap_place *place)
{
    const kane_slopes g = gap.v.t;
    place->gap          = ks_value(gap.v);
    place->rate         = ks_value(gap.d);
    place->bend         = kane_slopes_get(gap.d.t, TIME);
    place->by_y         = kane_slopes_get(g, BY_Y);
    place->by_z         = kane_slopes_get(g, BY_Z);
    place->by_axle = kv3(kane_slopes_get(g, BY_AXLE), kane_slopes_get(g, BY_AXLE + 1), kane_slopes_get(g, BY_AXLE + 2));
}

#endif
