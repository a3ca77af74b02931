// SPDX-License-Identifier: MIT
// A frame that moves, as seen by the bodies that are described in it (docs/theory.md, section 1): all that the
// equations of motion know of a track.

#ifndef KANE_TRANSPORT_H
#define KANE_TRANSPORT_H

#include <kane/base.h>
#include <kane/math.h>

typedef struct kane_transport {
    kane_mat3 R;       // frame axes to world axes (axes at rest)
    kane_vec3 r_o;     // origin in the world, world axes [m]
    kane_vec3 v_o;     // velocity of the origin, frame axes [m/s]
    kane_vec3 a_o;     // its acceleration, frame axes [m/s^2]
    kane_vec3 omega;   // angular velocity, frame axes [rad/s]
    kane_vec3 epsilon; // angular acceleration, frame axes [rad/s^2]
} kane_transport;

// What it does to a body that is described in it: forces and torques (docs/theory.md, section 2).
typedef enum kane_imaginary_term {
    KANE_TRANSLATION,
    KANE_CENTRIFUGAL,
    KANE_ROTATION,
    KANE_GYROSCOPIC,
    KANE_IMAGINARY_TERMS
} kane_imaginary_term;

typedef enum kane_wrench_kind { KANE_FORCE, KANE_TORQUE, KANE_WRENCH_KINDS } kane_wrench_kind;

// Such forces and torques, or a number of each.
typedef struct kane_imaginary {
    kane_vec3 term[KANE_WRENCH_KINDS][KANE_IMAGINARY_TERMS]; // [N], [N m], frame axes
} kane_imaginary;

// The frame that does not move.
static inline kane_transport kane_transport_rest(void)
{
    const kane_vec3 zero = kv3_zero();
    return KANE_LITERAL(kane_transport){km3_identity(), zero, zero, zero, zero, zero};
}

#endif
