// SPDX-License-Identifier: MIT
// Statics of joints, for the equations of rest of all bodies: six numbers for each body, force along x, y, z and
// torque about z, x, y at its mass centre, vehicle axes, all as drawn.

#ifndef KANE_MODEL_STATICS_H
#define KANE_MODEL_STATICS_H

#include "model/compile.h"

typedef struct kane_statics {
    kane_compiler *compiler;
    kane_tree_work work;                 // with all coordinates as bodies rest
    kane_transport *frames;              // at rest
    kane_moving_frame *rest;             // zero
    kane_eval_context context;           // of constraints
    int row_count;                       // of all constraints
    kane_constraint_rows_values *values; // scratch: rows of one constraint
    double *drawn_q;                     // coordinates as drawn; those of `work` are as wheels have let bodies down
    kane_mat3 *drawn_R;                  // axes of links as drawn
    int *moved;                          // of links: 1: its position differs from the drawing
    int by_joints;                       // 1: there are wheelsets that joints hold in some freedoms
} kane_statics;

// 0 if memory is short.
int kane_statics_begin(kane_compiler *c, kane_statics *s);

// Whether a body's equations of rest are those of a joint, and whether `row` 0 .. 5 is one of them.
int kane_statics_is_jointed(const kane_statics *s, int body);
int kane_statics_is_equation(const kane_statics *s, int body, int row);

// The coordinate that the equation `row` of a jointed body belongs to, and whether it is one of turning.
const char *kane_statics_row_name(const kane_statics *s, int body, int row, int *is_turn);

// Wrenches on the bodies of `count` links (ascending indices, whole trees; NULL: the first ones) become their parts
// along the freedoms of the joints; the wrenches are added to the parents.
void kane_statics_project(const kane_statics *s, int count, const int *links, double *six_per_body);

// rest, rest_R of bodies from the tree's coordinates.
void kane_statics_place(kane_statics *s);

// Moves coordinates such that wheelsets have the height and roll that is said of their wheels. 0 with an error, or if
// memory is short.
int kane_statics_let_down(kane_statics *s);

// Adds the weight of rods at their ends.
void kane_statics_weigh_rods(const kane_statics *s, double *six_per_body);

// Adds the wrenches of a multiplier lambda of one row of the constraints.
void kane_statics_constrain(const kane_statics *s, int row, double lambda, double *six_per_body);

// --- elements at rest ---

// Takes the element's static geometry from where its ends now are: there all its relative motion is zero.
void kane_statics_measure(const kane_model *model, kane_element *element);

// Directions in which an element can carry a static load that is solved for; returns how many.
int kane_statics_directions(const kane_element *element, kane_vec3 direction[3]);

// Force and torque of an element on b at rest.
kane_status kane_statics_exert(const kane_model *model, const kane_element *element, kane_wrench *on_b);

// Adds a wrench that an element exerts in b's point (law axes) to both its bodies: six numbers each, forces along x, y,
// z and torques about z, x, y (the order of the coordinates).
void kane_statics_spread(const kane_model *model, const kane_element *element, kane_wrench on_b, double *six_per_body);

// --- groups ---

// Bodies that rest on each other: what is solved for of static loads is one problem in each group of bodies that
// elements with an unknown load, joints or constraints connect. Vehicles of a train are groups of their own, as
// drawgear carries nothing at rest.

// Indices, each in ascending order.
typedef struct kane_rest_group {
    const int *bodies, *links, *elements, *rows; // rows of the constraints, counted through all of them
    int body_count, link_count, element_count, row_count;
} kane_rest_group;

typedef struct kane_rest_groups {
    kane_rest_group *groups;
    int count;
} kane_rest_groups;

// Finds them for the elements that are solved for. The memory is that of the model. 0 where it is short.
int kane_statics_groups(const kane_statics *s, kane_rest_groups *groups);

#endif
