// SPDX-License-Identifier: MIT
// How rails see a wheelset that they guide: sections Q that go along with it, and its motion against them.

#ifndef KANE_AGEM_GUIDED_RAILS_H
#define KANE_AGEM_GUIDED_RAILS_H

#include "agem/guided.h"
#include "agem/wheels.h"

// Absolute motion of the body and of its point in the section's plane, section axes, accelerations without those relative to
// its frame: place, velocity and acceleration of the point, angular velocity and acceleration of the body.
typedef struct kane_section_motion {
    kane_vec3 r, v, w, a, e;
    double sigma, sigma_dot,
        share; // speed of the section; its derivative without relative accelerations, and by that along x
} kane_section_motion;

// Speed of the section: needs r and v of the motion.
void kane_section_follow(kane_vec3 Omega, kane_section_motion *m);

// The motion of the point and of the axle (section axes) as seen from Q: places and rates.
kane_wheel_path kane_guided_rates(const kane_section_motion *m, const kane_rail_view *q, kane_vec3 axle);

// ... and second derivatives, from places and rates.
void kane_guided_bends(const kane_section_motion *m, const kane_rail_view *q, kane_wheel_path *path);

// What pushes the body when a relation of the point's place and the axle is held: its gradient, Q's axes, as a wrench at the
// mass centre, frame axes. R: section axes to frame axes; arm: of the point from the mass centre, section axes; centre: its
// place, Q's axes.
kane_wrench kane_guided_push(kane_mat3 R, const kane_section_motion *m, const kane_rail_view *q, kane_vec3 centre,
                             kane_vec3 arm, kane_vec3 push, kane_vec3 turn);

// --- by tables ---

// Puts the wheelset with coordinates q onto the rails: sets its height and roll, and keeps what is known of the place. What is
// wrong kane_tables_touch will say.
void kane_tables_stand(const kane_model *model, const kane_work *work, const kane_wheels *wheels, double *q,
                       kane_wheels_state *w);

// v_z and w_x of its velocity V = (v, w), frame axes, where it stands. T: of its frame.
void kane_tables_move(const kane_transport *T, const double *q, const kane_guided_stand *on, double V[6]);

// What the gaps do, of a wheelset that has been put there.
kane_status kane_tables_touch(const kane_section_motion *m, kane_vec3 axle, kane_wheels_state *w);

#endif
