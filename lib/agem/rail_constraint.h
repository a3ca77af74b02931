// SPDX-License-Identifier: MIT
// Wheels that their rails guide as constraints: the gaps stay zero, normal forces are multipliers.

#ifndef KANE_AGEM_RAIL_CONSTRAINT_H
#define KANE_AGEM_RAIL_CONSTRAINT_H

#include "agem/gradient.h"
#include "agem/wheels.h"
#include "agem/work.h"

// A gap that iterations cannot make smaller than this is open [m].
#define KANE_GAP_LEFT 1e-10

// A gap of less than this is none [m]; so is a rate [m/s].
#define KANE_GAP_CLOSED 1e-14

// Round-off may keep a gap from being less: steps that were quadratic do not halve any more then what is left.
#define KANE_GAP_ROUNDED 1e-12

static inline int kane_gap_is_closed(double left, double before)
{
    return left <= KANE_GAP_CLOSED || (left <= KANE_GAP_ROUNDED && left > 0.5 * before);
}

// Inverse of the matrix of both gaps, in place; 0 if it has none.
static inline int kane_rail_constraint_invert(double m[2][2])
{
    const double a = m[0][0], b = m[0][1], c = m[1][0], d = m[1][1], determinant = a * d - b * c;
    if (!(fabs(determinant) > 1e-12 * (fabs(a * d) + fabs(b * c))))
        return 0;
    m[0][0] = d / determinant;
    m[0][1] = -b / determinant;
    m[1][0] = -c / determinant;
    m[1][1] = a / determinant;
    return 1;
}

// Where the wheels of a body touch, how a normal force pushes it, and what its gaps do. Needs kane_wheels_observe_body.
kane_status kane_rail_constraint_find_contact(const kane_model *model, const kane_work *work, const kane_wheels *wheels,
                                              const kane_body_state *b, kane_wheels_state *w);

// Height and roll of wheelsets that tables guide, and their rates, from their other coordinates and speeds: in
// work->tree.
kane_status kane_rail_constraint_follow(const kane_model *model, kane_work *work);

// The same where they are, with a fault where they do not touch.
kane_status kane_rail_constraint_find_contacts(const kane_model *model, kane_work *work, int wheels);

// Reports that kane_rail_constraint_find_contact found no contact of a body.
kane_status kane_rail_constraint_report(kane_work *work, kane_status status, const kane_wheels *wheels,
                                        const kane_body *body);

// Scratch of groups of guided wheelsets. 0 if memory is short.
int kane_rail_groups_create(const kane_model *model, kane_work *work);

// Normal and creep forces of guided wheelsets, added to what the bodies have applied and to what acts on links.
//   cluster -1: of all that no loop couples, when everything else that acts has been gathered in their trees (kane_tree_inward);
//               kane_tree_outward follows
//   else:       of those of a cluster that has been solved without them (kane_cluster_solve); its accelerations take them up
//   u_dot       of the cluster's own speeds
kane_status kane_rail_groups_solve(const kane_model *model, kane_work *work, int cluster, double *u_dot);

// Most iterations of any group in its last search for normal forces, and corrections of places in its last projection.
void kane_rail_groups_count_iterations(const kane_model *model, const kane_work *work, int *searched, int *projected);

// Speeds of the tree that follow from the gaps of a group and from all others, as well as any do: two a wheelset.
void kane_rail_group_find_followers(const kane_model *model, kane_work *work, int rails, int *speeds);

// Moves wheelsets onto their rails again: gaps and their rates become zero by the smallest displacements in the sense
// of the kinetic energy of all that inertia couples. y is changed.
kane_status kane_rail_groups_project(const kane_model *model, kane_work *work, double t, double *y);

// Tangential forces of one wheel under N, at the mass centre, frame axes; not finite if its law fails. Needs
// kane_rail_constraint_find_contact.
kane_wrench kane_rail_constraint_creep(const kane_wheels *wheels, const kane_wheels_state *w, kane_side side, double N);

// --- by tables ---

// What a wheelset on tables is seen from: the middle between both rails.
kane_reference_line kane_tables_line(const kane_wheels *wheels, const kane_wheels_state *w);

// How much the rails twist, the d-th derivative by s: as the line does, and as their cross level changes over their
// distance, which no irregularity does. It needs to be no rotation of Q to the last digit, but exactly what its
// derivatives say. left: the (d + 1)-th derivative of the line's.
double kane_tables_twist(const kane_reference_line *line, double of_line, kane_vec3 left);

// --- flexible track ---

// Link of the panel under wheels; none on rigid track.
static inline kane_links kane_panel_links(const kane_model *model, int wheels)
{
    const int panel = model->wheels[wheels].panel, link = panel < 0 ? 0 : model->bodies[panel].link;
    return (kane_links){link, link + (panel >= 0)};
}

// Ranges of links of a group, 0 .. count: those that inertia couples, then the panel under every wheelset.
static inline kane_links kane_rail_group_links(const kane_model *model, const kane_rail_group *rails, int range)
{
    return range == 0 ? rails->run : kane_panel_links(model, rails->wheels[range - 1]);
}

// Zeros for wrenches on all links of a group; and what such wrenches, about origins, accelerate: response of the links,
// v_dot of the tree's speeds. Needs the solution of trees and loops. is_struck: see kane_cluster_find_response.
void kane_rail_group_clear(const kane_model *model, const kane_rail_group *rails, kane_wrench *applied);
void kane_rail_group_respond(const kane_model *model, const kane_work *work, const kane_rail_group *rails,
                             int is_struck, kane_wrench *applied, kane_wrench *response, double *v_dot);

// Reaction on the panel to a wrench of one rail at the mass centre of the wheelset, frame axes: about the middle of the
// panel, section axes.
kane_wrench kane_rail_reaction(const kane_wheels_state *w, kane_side side, kane_wrench on_body);

// Velocity and angular velocity (as force, torque) of the wheelset at its mass centre, frame axes, against a rail on a
// panel with the motion of_panel, section axes; likewise accelerations, of which terms of velocities are not known
// here.
kane_wrench kane_rail_relative(const kane_wheels_state *w, kane_side side, kane_wrench of_body, kane_wrench of_panel);

// --- derivatives ---

// By s: the fourth derivative of a rail's offset [1/m^3], the first of its relative change of friction [1/m], the third
// of a second profile's share of it [1/m^3].
kane_vec3 kane_rail_fourth_derivative(const kane_model *model, kane_side side, double s);
double kane_rail_friction_change(const kane_model *model, kane_side side, double s);
double kane_rail_share_third_derivative(const kane_model *model, kane_side side, double s);

// gain: how the wrench of its rails at the mass centre grows with each normal force, frame axes: direction, and what
// creep forces gain, where the last evaluation left it.
kane_status kane_rail_constraint_linearise(const kane_wheels *wheels, kane_wheels_state *w, kane_wrench gain[2]);

// The creep wrench of both rails at the mass centre by the velocity of the body, normal forces and places held: rows
// force, torque, columns velocity, angular velocity, frame axes. After kane_eval.
kane_status kane_rail_constraint_derive_creep(const kane_wheels *wheels, const kane_wheels_state *w,
                                              double tangents[6][6]);

// What follows from the rails of a wheelset that tables guide, among the states of its link: z, roll, v_z, w_x.
enum { KANE_TABULATED_STATES = 4 };
static const int kane_rail_constraint_follower[KANE_TABULATED_STATES] = {KANE_Z, KANE_ROLL, KANE_COORDINATES + 2,
                                                                         KANE_COORDINATES + 3};

// The two bodies between which a rail acts: a wheelset, described in frame axes at its mass centre, and a panel of
// flexible track, in section axes at its middle.
typedef enum kane_rail_end { KANE_RAIL_WHEELSET, KANE_RAIL_PANEL, KANE_RAIL_ENDS } kane_rail_end;

// Derivatives by the motion of an end - displacement, rotation, velocity, angular velocity - with normal forces held.
// Without a panel those of and by the wheelset alone are set.
typedef struct kane_rail_constraint_slopes {
    kane_gradient wrench[KANE_RAIL_ENDS][KANE_RAIL_ENDS]; // of the rails' wrench on [end], by [end]
    kane_vec3 bias[KANE_RAIL_ENDS][2][KANE_MOTIONS];      // of what the gaps accelerate, V_dot held
    kane_vec3 rate[KANE_RAIL_ENDS][2][KANE_MOTIONS];      // of their rates
} kane_rail_constraint_slopes;

// After kane_eval. The gaps themselves change by displacement and rotation as their rates do by velocity and angular
// velocity.
kane_status kane_rail_constraint_derive(const kane_model *model, kane_work *work, int wheels,
                                        kane_rail_constraint_slopes *tangents);

// === Creep forces at the end of a step, where all else acts as it does at its beginning: what a step of fixed cost
// needs that is implicit in creep alone (docs/analyses.md).

typedef struct kane_relaxation kane_relaxation; // scratch of one thread

// What keeps a model from it, for users; NULL: nothing does.
const char *kane_relaxation_obstacle(const kane_model *model);

// NULL if memory is short.
kane_relaxation *kane_relaxation_create(const kane_model *model, kane_arena *arena);

// Rates with which a step of h [s] from (t, y) ends in y + h ydot: accelerations where the speeds lead to, under the
// creep forces of the speeds at the end, of which the rails allow those alone that open no gaps; rates of coordinates
// as these speeds have them, and such that gaps are closed there but for terms of second order. The work has the motion
// at (t, y) (kane_motion_eval) and is left at the place to which the speeds lead. fresh: 0: what wheelsets answer to
// forces may be as it was in the call before. KANE_RETRY where the rails have no answer.
kane_status kane_creep_step(kane_relaxation *relaxation, const kane_model *model, kane_work *work, double t, double h,
                            int fresh, const double *y, double *ydot);

#endif
