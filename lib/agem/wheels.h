// SPDX-License-Identifier: MIT
// The two wheels of a body on their rails.

#ifndef KANE_AGEM_WHEELS_H
#define KANE_AGEM_WHEELS_H

#include "agem/gradient.h"
#include "agem/work.h"

// A rail in a section of the line: place, axes, and their rotation along the line.
//
// Q is the section of one rail, or that between both, with its x axis along the path of its origin. Per metre of line
// Q's origin moves `length` metres along x, and Q turns by K. The rail's head is fixed in Q: it twists with the track
// plane (K.x is the line's Omega_x except for slopes of irregularities, which move a rail and do not roll it), and
// bends with the line and the irregularities.

// What Q follows, section axes: its origin p, and a vector `left` across, with derivatives by s without the turn of the
// section.
typedef struct kane_reference_line {
    kane_vec3 p, p_s, p_ss, p_sss;
    kane_vec3 left, left_s, left_ss, left_sss;
} kane_reference_line;

// One rail: `distance` to the left of the middle of the track, and its offset.
kane_reference_line kane_rail_line(double distance, const kane_rail_offset *offset);

// Only Q's axes, to those of the section; length as in kane_rail_view.
kane_mat3 kane_rail_axes(kane_vec3 Omega, const kane_reference_line *line, double *length);

// Q of one rail with its y axis in the plane of x and that of the section, without K_s. Omega, Omega_s: of the line.
void kane_rail_see(kane_vec3 Omega, kane_vec3 Omega_s, double distance, const kane_rail_offset *offset,
                   kane_rail_view *view);

// All of Q, with its y axis in the plane of x and `left`. The line's Omega'' does not count.
kane_rail_view kane_rail_frame_acceleration(kane_vec3 Omega, kane_vec3 Omega_s, const kane_reference_line *line);

// What a contact model does in its own way in an evaluation (rail_constraint_rails.c); NULL: nothing.
typedef struct kane_wheel_model {
    int has_one_section; // 1: both wheels are seen from the section under the middle of the axle
    void (*see_rail)(kane_vec3 Omega, kane_vec3 Omega_s, double distance, const kane_rail_offset *offset,
                     kane_rail_view *view);
    // Forces that do not wait for accelerations.
    kane_status (*press)(const kane_contact *contact, kane_side side, const kane_wheel_motion *motion,
                         kane_contact_result *result);
    // Else: points of contact, gaps with rates and accelerations, directions of normal forces.
    kane_status (*find_contact)(const kane_model *model, const kane_work *work, const kane_wheels *wheels,
                                const kane_body_state *b, kane_wheels_state *w);
    // Of a wheelset that follows its rails: z and roll into q, with a fault where there are none; then v_z and w_x into
    // V (0: there are none).
    kane_status (*place)(const kane_model *model, kane_work *work, const kane_wheels *wheels, double *q,
                         kane_wheels_state *w);
    int (*move)(const kane_model *model, const kane_work *work, const kane_wheels *wheels, const double *q,
                const kane_guidance *g, double V[6]);
    const char *lost; // what is said of a wheelset without contact
} kane_wheel_model;

extern const kane_wheel_model kane_wheel_models[]; // by kane_contact_model

// The section of the line whose plane holds the point r, axes of the frame [m].
kane_section kane_wheels_cut(const kane_track_frame *frame, kane_vec3 r);

// Offset of a rail at s; not evaluated again for the last s.
void kane_wheels_offset(const kane_model *model, kane_side side, double s, kane_wheels_state *w);

// Friction and profile of a rail at s.
void kane_wheels_rail_at(const kane_model *model, kane_side side, double s, kane_wheel_motion *motion);

// Motion of all wheels over their rails. Needs kane_bodies_move.
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

// What does not wait for accelerations, added to the bodies' applied wrenches: contact forces of wheels in elastic
// contact, and those of check rails on any wheel.
kane_status kane_wheels_eval(const kane_model *model, kane_work *work);

// === Check rails: forces on the backs of the flanges (docs/contact.md).

// Force of a check rail, if there is one, on a wheel: w->check[side]. Needs kane_wheels_observe.
void kane_check_rail_eval(const kane_model *model, const kane_wheels *wheels, kane_side side, kane_wheels_state *w);

// Section of a kane_wheel_motion when a wheel is displaced along the rail: it moves along, or stays (on a panel of
// track that moves back, kane_contact_derive_apart).
typedef enum kane_section_goes { KANE_SECTION_STAYS, KANE_SECTION_GOES_ALONG } kane_section_goes;

// Adds its derivatives to those of a wheel's contact: 6 rows, 12 columns as of kane_contact_derive.
void kane_check_rail_derive(const kane_model *model, const kane_wheels *wheels, kane_side side,
                            const kane_wheels_state *w, kane_section_goes goes, double d[6][12]);

// Force and torque about the centre of a wheel that kane_check_rail_eval has evaluated, rail axes, in numbers with
// slopes (contact/gap_places.h).
//   motion    as the rail sees it, its values those of w->motion[side]
//   s         where the rail is, w->s_at[side] [m]
//   on_wheel  [2]
struct motion_scalars;
struct kane_scalar;
struct kane_scalar3;
void kane_check_rail_follow(const kane_model *model, const kane_wheels *wheels, kane_side side,
                            const kane_wheels_state *w, const struct motion_scalars *motion,
                            const struct kane_scalar *s, struct kane_scalar3 *on_wheel);

// === Panels of flexible track under the wheelsets (docs/theory.md, section 11). Everything about a panel is in the
// axes of the section of the line under its wheelset, its body state's "world" included.

// Adds the reaction of a wheel's force [N] and torque [N m] at its centre to the panel under it.
//   above  the centre from the panel's middle [m]
void kane_panel_press(kane_body_state *b, kane_vec3 above, kane_vec3 force, kane_vec3 torque);

// Springs and dampers between ground and panel, on the panel: y, z [N], roll [N m].
void kane_panel_ground(const kane_panel *panel, const kane_body_state *b, double force[3]);

// Adds the forces of the ground to all panels.
void kane_panels_eval(const kane_model *model, kane_work *work);

// Adds kinetic energy, energy of the springs (zero at rest) and the power of springs and dampers.
void kane_panel_add_energy(const kane_panel *panel, const kane_body_state *b, kane_energy *energy);

// Adds its derivative to those of the wrenches on the panels.
void kane_panels_derive(const kane_model *model, kane_gradient *pairs);

#endif
