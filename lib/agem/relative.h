// SPDX-License-Identifier: MIT
// Motion of a body relative to its track frame, whatever frame it is described in, and the way back into a state.

#ifndef KANE_AGEM_RELATIVE_H
#define KANE_AGEM_RELATIVE_H

#include "agem/work.h"
#include "math/attitude.h"

typedef struct kane_relative_motion {
    double q[KANE_COORDINATES]; // x y z [m], yaw roll pitch [rad]
    kane_vec3 v, w;             // velocity [m/s], angular velocity [rad/s], track frame axes
} kane_relative_motion;

// Reads it from the last evaluation.
void kane_relative_get(const kane_model *model, const kane_work *work, int body, kane_relative_motion *motion);

// The same in terms of the frame that the body is described in.
void kane_relative_describe(const kane_model *model, const kane_work *work, int body, kane_relative_motion *motion);

// The same motion in terms of another frame.
void kane_relative_change(const kane_body *body, const kane_transport *from, const kane_transport *to,
                          kane_relative_motion *motion);

// Writes it into a state; the transports in work must be those of the state. Speeds of removed freedoms are left out.
void kane_relative_put(const kane_model *model, const kane_work *work, int body, const kane_relative_motion *motion,
                       double *y);

#endif
