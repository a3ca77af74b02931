// SPDX-License-Identifier: MIT
// How rails see a wheelset that they guide: sections Q that go along with it, and its motion against them.

#ifndef KANE_AGEM_RAIL_CONSTRAINT_RAILS_H
#define KANE_AGEM_RAIL_CONSTRAINT_RAILS_H

#include "agem/rail_constraint.h"
#include "agem/wheels.h"

// Absolute motion of the body and of its point in the section's plane, section axes, accelerations without those
// relative to its frame: place, velocity and acceleration of the point, angular velocity and acceleration of the body.
typedef struct kane_section_motion {
    kane_vec3 r, v, w, a, e;
    double sigma, sigma_dot,
        share; // speed of the section; its derivative without relative accelerations, and by that along x
} kane_section_motion;

// --- by tables ---

// What a wheelset on tables is seen from: the middle between both rails.
kane_reference_line kane_tables_line(const kane_wheels *wheels, const kane_wheels_state *w);

// How much the rails twist, the d-th derivative by s: as the line does, and as their cross level changes over their
// distance, which no irregularity does. It needs to be no rotation of Q to the last digit, but exactly what its
// derivatives say. left: the (d + 1)-th derivative of the line's.
double kane_tables_twist(const kane_reference_line *line, double of_line, kane_vec3 left);

// Puts the wheelset with coordinates q onto the rails: sets its height and roll, and keeps what is known of the place.
// Not OK with a fault: it is off the tables, or never stands.
kane_status kane_tables_place(const kane_model *model, kane_work *work, const kane_wheels *wheels, double *q,
                              kane_wheels_state *w);

// What is known of the place of a wheelset that stays where it is: gaps may be open. Not OK: it is off the tables.
kane_status kane_tables_evaluate(const kane_model *model, const kane_work *work, const kane_wheels *wheels,
                                 const kane_body_state *b, kane_wheels_state *w);

// v_z and w_x of its velocity V = (v, w), frame axes, where it stands. 0: none keep it on the rails.
int kane_tables_move(const kane_model *model, const kane_work *work, const kane_wheels *wheels, const double *q,
                     const kane_table_pose *on, double V[6]);

// What the gaps do, of a wheelset that has been put there.
void kane_tables_find_contact(const kane_section_motion *m, kane_vec3 axle, kane_wheels_state *w);

#endif
