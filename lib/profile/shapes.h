// SPDX-License-Identifier: MIT
// Wheel and rail profiles by their definitions: straight lines, arcs and polynomials.

#ifndef KANE_PROFILE_SHAPES_H
#define KANE_PROFILE_SHAPES_H

// A point of a profile: height and slope at a lateral place.
typedef struct profile_point {
    double height; // [m]
    double slope;  // [1]
} profile_point;

// Ends of what is described of the S1002 wheel, along the axle from the running circle, positive to the outside [m].
// The inner one lies on the back of the flange, where it is 53 degrees steep; the outer edge is rounded.
#define KANE_S1002_FIRST (-0.067)
#define KANE_S1002_LAST  0.064

// Radius of the wheel S1002 over its running circle (EN 13715-1), s from the running circle, positive to the outside.
// Outside of +60 mm the edge is rounded with 5 mm.
profile_point kane_shape_s1002(double s);

// Height of the upright rail 60E1 (EN 13674-1) over its highest point, y from its plane of symmetry: arcs of 300, 80 and
// 13 mm, below them the flank, widening 1:20.
profile_point kane_shape_60e1(double y);

// Radius of a cone over its running circle, and of a wheel whose profile is an arc: of this radius (positive: hollow,
// negative: crowned) and with slope -conicity at the running circle; only where the arc is.
profile_point kane_shape_cone(double conicity, double s);
profile_point kane_shape_arc(double radius, double conicity, double s);

// Height of a round rail over its highest point; only for |y| < radius.
profile_point kane_shape_round(double radius, double y);

#endif
