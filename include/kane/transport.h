// SPDX-License-Identifier: MIT
// A frame that moves, as seen by the bodies that are described in it (docs/theory.md, section 1): all that the
// equations of motion know of a track.

#ifndef KANE_TRANSPORT_H
#define KANE_TRANSPORT_H

#include <kane/math.h>

typedef struct kane_transport {
    kane_mat3 R;       // frame axes to world axes (axes at rest)
    kane_vec3 r_o;     // origin in the world, world axes [m]
    kane_vec3 v_o;     // velocity of the origin, frame axes [m/s]
    kane_vec3 a_o;     // its acceleration, frame axes [m/s^2]
    kane_vec3 omega;   // angular velocity, frame axes [rad/s]
    kane_vec3 epsilon; // angular acceleration, frame axes [rad/s^2]
} kane_transport;

// The frame that does not move.
static inline kane_transport kane_transport_rest(void)
{
    return (kane_transport){.R = km3_identity()};
}

#endif
