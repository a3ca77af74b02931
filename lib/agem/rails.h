// SPDX-License-Identifier: MIT
// How a rail lies in a section of the line: where it is, its axes, and how they turn along the line.
//
// Q is the section of one rail, or that between both, with its x axis along the way of its origin. As the section of the line
// goes on by one metre, Q's origin goes `length` metres along x, and Q turns by K. A rail's head is carried along with Q: so
// it twists with the track plane (K.x is the line's Omega_x but for slopes of irregularities, which move a rail and do not
// roll it), and bends as the line and irregularities do.

#ifndef KANE_AGEM_RAILS_H
#define KANE_AGEM_RAILS_H

#include "agem/work.h"

// What Q follows, section axes: its origin p, and a vector `left` across, with derivatives by s without the turn of the
// section.
typedef struct kane_guide_line {
    kane_vec3 p, p_s, p_ss, p_sss;
    kane_vec3 left, left_s, left_ss, left_sss;
} kane_guide_line;

// One rail: `distance` to the left of the middle of the track, and its offset.
kane_guide_line kane_rail_line(double distance, const kane_rail_offset *offset);

// Only Q's axes, to those of the section; length as in kane_rail_view.
kane_mat3 kane_rail_axes(kane_vec3 Omega, const kane_guide_line *line, double *length);

// Q of one rail with its y axis in the plane of x and that of the section, without K_s. Omega, Omega_s: of the line.
void kane_rail_see(kane_vec3 Omega, kane_vec3 Omega_s, double distance, const kane_rail_offset *offset,
                   kane_rail_view *view);

// All of Q, with its y axis in the plane of x and `left`. The line's Omega'' does not count.
kane_rail_view kane_rail_look_on(kane_vec3 Omega, kane_vec3 Omega_s, const kane_guide_line *line);

#endif
