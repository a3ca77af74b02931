// SPDX-License-Identifier: MIT
// Joints, markers and constraints as they are typed, in vehicle and in mechanism files: the structs behind their keys.

#ifndef KANE_VEHICLES_MECHANISM_FILE_H
#define KANE_VEHICLES_MECHANISM_FILE_H

#include <kane/model.h>

#include "base/document.h"

// === Inputs as they are typed, in vehicle, mechanism and run files.

typedef struct kane_input_entry {
    kane_block block;
    int kind; // kane_input_kind
    const char *on, *reaction, *coordinate, *parameter;
    kane_vec3 at; // [m]
    kane_vec3 direction;
    double value;
} kane_input_entry;

extern const kane_schema kane_input_schema;

// The definitions that entries stand for; in the reader's arena. Adds to its errors what does not belong to a kind.
// NULL where memory is short.
kane_input_definition *kane_inputs_define(kane_reader *reader, const kane_items *entries);

// A function of one variable. Its units are those of the coordinates that it relates, so that its numbers are read when
// these are known.
typedef struct kane_harmonic_input {
    kane_block block;
    const kane_node *mean, *amplitude, *angular_frequency, *phase, *fade_in;
} kane_harmonic_input;

typedef struct kane_step_input {
    kane_block block;
    const kane_node *from, *to, *at, *over;
} kane_step_input;

typedef struct kane_points_input {
    kane_block block;
    const kane_node *x, *y;
} kane_points_input;

typedef struct kane_function_input {
    kane_block block;
    const kane_node *polynomial;
    kane_harmonic_input sine;
    kane_points_input table;
    kane_step_input step;
} kane_function_input;

// Axes: by the direction of z (and of x), or by three turns.
typedef struct kane_axes_input {
    kane_vec3 axis, x_axis; // any length
    kane_vec3 turned;       // yaw, roll, pitch [rad]
} kane_axes_input;

// Functions of time for the coordinates of a joint, by their names.
typedef struct kane_motion_functions {
    kane_block block;
    kane_function_input x, y, z, travel, yaw, roll, pitch, angle;
} kane_motion_functions;

typedef struct kane_motion_input {
    kane_motion_functions own; // begins with the block
    kane_motion_functions rates;
} kane_motion_input;

// A joint of the user's own, with its parameters.
typedef struct kane_formula_file {
    kane_block block;
    kane_variant kind; // kane_joint_formula
} kane_formula_file;

typedef struct kane_joint_input {
    kane_block block;
    int type; // kane_joint_kind
    const char *parent;
    kane_vec3 at;          // [m]
    const char *from, *to; // markers on the parent and on the body
    kane_axes_input axes;
    kane_texts dof;
    const char *rotation;
    kane_formula_file formula;
    kane_motion_input motion;
} kane_joint_input;

// A frame that moves against another one as a body on a joint would.
typedef struct kane_frame_input {
    kane_block block;
    const char *relative_to;
    int type;     // kane_joint_kind
    kane_vec3 at; // [m]
    kane_axes_input axes;
    const char *rotation;
    kane_motion_input motion;
} kane_frame_input;

typedef struct kane_rates_input {
    kane_block block;
    double x, y, z, travel;         // [m/s]
    double yaw, roll, pitch, angle; // [rad/s]
    kane_vec3 omega;                // of a spherical joint [rad/s]
} kane_rates_input;

typedef struct kane_begin_input {
    kane_block block;
    double x, y, z, travel;         // [m]
    double yaw, roll, pitch, angle; // [rad]
    kane_vec3 turned;               // of a spherical joint: yaw, roll, pitch [rad]
    kane_rates_input rates;
    kane_texts hold, hold_rates;
} kane_begin_input;

typedef struct kane_marker_input {
    kane_block block;
    const char *on, *relative_to;
    kane_vec3 at; // [m]
    kane_axes_input axes;
} kane_marker_input;

typedef struct kane_term_input {
    kane_block block;
    const char *body, *coordinate;
    double factor;
    kane_function_input varying_factor;
} kane_term_input;

// Numbers of a constraint that are functions of time.
typedef struct kane_given_input {
    kane_block block;
    kane_function_input x, y, z, yaw, roll, pitch; // of the first side's marker
    kane_function_input length, offset, along;
} kane_given_input;

// Rows of a user's own, with their parameters.
typedef struct kane_rows_file {
    kane_block block;
    kane_variant kind; // kane_rows_kind
} kane_rows_file;

typedef struct kane_constraint_input {
    kane_block block;
    int type; // kane_constraint_kind
    kane_texts between, markers;
    kane_vec3 at, to; // [m]
    kane_axes_input axes;
    double length, radius;                // [m]
    double mass, centre, inertia;         // of a rod [kg], [1], [kg m^2]
    kane_function_input function;         //
    kane_function_input curve_y, curve_z; // keys "y", "z"
    int closed_form;                      // kane_closed_form
    kane_items terms;                     // kane_term_input
    double offset;
    kane_given_input motion;
    kane_rows_file rows;
} kane_constraint_input;

extern const kane_schema kane_joint_schema;
extern const kane_schema kane_frame_schema;
extern const kane_schema kane_begin_schema;
extern const kane_schema kane_marker_schema;
extern const kane_schema kane_constraint_schema;
extern const kane_schema kane_function_schema;

// Markers of a file, and those that stand for the other side of a joint which has only one.
typedef struct kane_marker_list {
    kane_reader *reader;
    kane_marker_definition *markers;
    int count;
    int typed; // those of the file, the first ones
} kane_marker_list;

// "ground" and "track": what does not move in the frame. Bodies must not be called so.
int kane_word_is_frame(const char *name);

// Index of a name in a marker list, -1 with an error.
int kane_markers_resolve(const kane_marker_list *list, const char *name, kane_place place);

// The body or frame by its name that a marker is fixed to, NULL: the frame of the other side.
const char *kane_markers_body(const kane_marker_list *list, const char *name);

// Rotation matrix of what was typed; all zero if nothing was.
kane_mat3 kane_axes_build(kane_reader *reader, const kane_block *block, const kane_axes_input *in);

// yaw, roll, pitch about moving axes.
kane_mat3 kane_turned(kane_vec3 turned);

// A function whose argument and value have these units ("s", "m", "rad", "1"). 0 with errors.
int kane_function_build(kane_reader *reader, const kane_function_input *in, const char *of, const char *unit,
                        kane_function *function);

void kane_marker_build(kane_marker_list *list, const kane_marker_input *in);

// Markers that refer to others that there are none of are errors.
void kane_markers_check(const kane_marker_list *list);

// NULL where memory is short.
kane_joint_definition *kane_joint_build(kane_marker_list *list, const kane_joint_input *in, const char *body);

// Prescribed coordinates of a joint whose kind, freedoms and rotation are known.
void kane_motions_build(kane_reader *reader, const kane_motion_input *in, const kane_block *block,
                        kane_joint_definition *joint);

void kane_frame_build(kane_reader *reader, const kane_frame_input *in, kane_given_frame *frame);

// Where a body begins; joint NULL: it has none. NULL where memory is short.
kane_start_definition *kane_begin_build(kane_reader *reader, const kane_begin_input *in,
                                        const kane_joint_definition *joint);

// bodies: those of the file, with their joints.
void kane_constraint_build(const kane_marker_list *list, const kane_constraint_input *in,
                           const kane_body_definition *bodies, int body_count, kane_constraint_definition *constraint);

// Says that a key which is needed here was not typed, as the reader does.
void kane_report_missing(kane_reader *reader, const kane_block *block, const char *key, const char *help);

#endif
