// SPDX-License-Identifier: MIT
// Panels of flexible track under the wheelsets (docs/flexible-track.md). Everything about a panel is in the axes of the
// section of the line under its wheelset, its body state's "world" included.

#ifndef KANE_AGEM_PANELS_H
#define KANE_AGEM_PANELS_H

#include "agem/gradient.h"
#include "agem/work.h"

// Motion of a panel from its coordinates and speeds.
void kane_panel_move(const kane_body *body, const double *q, const double *u, kane_body_state *b);

// What a wheel's force [N] and torque [N m] at its centre do to the panel under it; `above`: the centre from the panel's
// middle [m].
void kane_panel_press(kane_body_state *b, kane_vec3 above, kane_vec3 force, kane_vec3 torque);

// Springs and dampers between ground and panel, on the panel: y, z [N], roll [N m].
void kane_panel_ground(const kane_panel *panel, const kane_body_state *b, double force[3]);

// Generalised forces from wheels and ground.
void kane_panel_force(const kane_panel *panel, kane_body_state *b);

// Accelerations that a wrench brings about.
void kane_panel_respond(const kane_panel *panel, kane_wrench wrench, double u_dot[3]);

// Adds kinetic energy, what the springs store (zero at rest) and the power of springs and dampers.
void kane_panel_add_energy(const kane_panel *panel, const kane_body_state *b, kane_energy *energy);

// Adds the derivative of what springs and dampers do to the accelerations, by the panel's own states.
void kane_panel_derive(const kane_panel *panel, double accelerations[6][KANE_BODY_STATES]);

#endif
