// SPDX-License-Identifier: MIT
// Panels of flexible track under the wheelsets (docs/theory.md, section 11). Everything about a panel is in the axes of the
// section of the line under its wheelset, its body state's "world" included.

#ifndef KANE_AGEM_PANELS_H
#define KANE_AGEM_PANELS_H

#include "agem/gradient.h"
#include "agem/work.h"

// What a wheel's force [N] and torque [N m] at its centre do to the panel under it; `above`: the centre from the panel's
// middle [m].
void kane_panel_press(kane_body_state *b, kane_vec3 above, kane_vec3 force, kane_vec3 torque);

// Springs and dampers between ground and panel, on the panel: y, z [N], roll [N m].
void kane_panel_ground(const kane_panel *panel, const kane_body_state *b, double force[3]);

// Adds what the ground exerts on all panels to what acts on them.
void kane_panels_eval(const kane_model *model, kane_work *work);

// Adds kinetic energy, what the springs store (zero at rest) and the power of springs and dampers.
void kane_panel_add_energy(const kane_panel *panel, const kane_body_state *b, kane_energy *energy);

// Adds its derivative to those of the wrenches on the panels.
void kane_panels_derive(const kane_model *model, kane_gradient *pairs);

#endif
