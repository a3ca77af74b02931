// SPDX-License-Identifier: MIT
// libkane's own force laws and their parameters. A vehicle file has the same names; in C fill a struct, leave out what is
// zero, and point a kane_element_definition to it.

#ifndef KANE_LAWS_H
#define KANE_LAWS_H

#include <kane/force.h>

typedef enum kane_interpolation { KANE_LINEAR, KANE_SPLINE } kane_interpolation;

// Where displacements are counted from: the static position (the static load comes on top of the curve), or the place
// where the spring is free (the static load decides where on the curve the vehicle rests).
typedef enum kane_reference { KANE_FROM_STATIC, KANE_FROM_FREE } kane_reference;

// A force over a displacement, or over a speed, through points; no points: not given.
typedef struct kane_characteristic {
    kane_block block;
    kane_numbers at;    // ascending: [m], [rad], [m/s], [rad/s]
    kane_numbers force; // that resists: [N], [N m]
    int interpolation;  // kane_interpolation; beyond the ends it goes straight on
    int from;           // kane_reference; of springs along x, y, z
} kane_characteristic;

// Along the line between two points; tension pulls them together.
typedef struct kane_spring {
    kane_block block;
    double stiffness;                   // [N/m]
    kane_characteristic characteristic; // instead of the stiffness: tension over elongation
    double damping;                     // [N s/m]
    double free_length;                 // length without tension [m]; 0: the static load is solved for or given
} kane_spring;

typedef struct kane_damper {
    kane_block block;
    double damping;                     // [N s/m]
    kane_characteristic characteristic; // instead of the damping: force over the rate of the length
} kane_damper;

// Springs and dampers along and about the axes of body a, at the point on b. Rotations are meant to be small.
typedef struct kane_bushing {
    kane_block block;
    kane_vec3 stiffness;            // [N/m]
    kane_vec3 damping;              // [N s/m]
    kane_vec3 rotational_stiffness; // [N m/rad]
    kane_vec3 rotational_damping;   // [N m s/rad]
    kane_characteristic spring[6];  // instead of a stiffness: along x, y, z, about x, y, z
    kane_characteristic damper[6];  // instead of a damping
} kane_bushing;

// A gap in one direction of body a and a stop behind it. Without characteristic the force over the compression c is
// k c^2/(2 s) up to the onset s, k (c - s/2) beyond.
typedef struct kane_bump_stop {
    kane_block block;
    int direction;                      // axis: 0, 1, 2
    kane_numbers clearance;             // free travel from rest both ways, or towards minus and towards plus [m]
    double stiffness;                   // [N/m]
    kane_characteristic characteristic; // force over compression
    double onset;                       // length over which the stiffness sets in [m]; must be positive
    double dissipation;                 // h: force times 1 + h (speed of compression) [s/m]
} kane_bump_stop;

KANE_API extern const kane_law kane_law_spring;
KANE_API extern const kane_law kane_law_damper;
KANE_API extern const kane_law kane_law_bushing;
KANE_API extern const kane_law kane_law_bump_stop;

#endif
