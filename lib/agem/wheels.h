// SPDX-License-Identifier: MIT
// The two wheels of a body on their rails.

#ifndef KANE_AGEM_WHEELS_H
#define KANE_AGEM_WHEELS_H

#include "agem/work.h"

// The section of the line whose plane holds the point r, axes of the frame [m].
kane_section kane_wheels_cut(const kane_track_frame *frame, kane_vec3 r);

// Where a rail is at s: its offset, unless it was looked up right there the last time.
void kane_wheels_look_up(const kane_model *model, kane_side side, double s, kane_wheels_state *w);

// How all wheels move over their rails; needs the kinematics.
void kane_wheels_observe(const kane_model *model, kane_work *work);

// The same for one wheelset whose body is in another state.
void kane_wheels_observe_body(const kane_model *model, const kane_work *work, const kane_wheels *wheels,
                              const kane_body_state *b, kane_wheels_state *w);

// Height of the running circle's lowest point over the rail [m].
static inline double kane_wheels_lift(const kane_wheels *wheels, const kane_wheels_state *w, kane_side side)
{
    const kane_wheel_motion *m = &w->motion[side];
    return m->centre.z - wheels->radius[side] * sqrt(1.0 - m->axle.z * m->axle.z);
}

// Contact forces of all wheels in elastic contact, added to the bodies' applied wrenches.
kane_status kane_wheels_eval(const kane_model *model, kane_work *work);

#endif
