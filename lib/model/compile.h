// SPDX-License-Identifier: MIT
// From a definition to a model: names become indices, and everything that can be wrong is found here.

#ifndef KANE_MODEL_COMPILE_H
#define KANE_MODEL_COMPILE_H

#include "base/text.h"
#include "model/model.h"

enum { KANE_NOWHERE = -2 }; // body of a marker that is wrong

// What holds something: a body (its index), -1: the frame of the other side, or a frame by its name.
static inline int kane_compile_frame_holder(int frame)
{
    return -2 - frame; // given frames count from 1
}

// The frame of such a holder, -1: that of the other side.
static inline int kane_compile_held_frame(int holder)
{
    return holder < KANE_NOWHERE ? -2 - holder : -1;
}

// Index of the cluster that a link belongs to, -1: none.
int kane_compile_cluster_of(const kane_model *model, int link);

// Whether axes were typed.
static inline int kane_compile_has_axes(kane_mat3 typed)
{
    return kv3_norm(typed.x) != 0.0 || kv3_norm(typed.y) != 0.0 || kv3_norm(typed.z) != 0.0;
}

// A marker in the drawing.
typedef struct kane_drawn {
    int body;       // or another holder
    kane_vec3 at;   // vehicle axes [m]
    kane_mat3 axes; // to vehicle axes
} kane_drawn;

// Joint of a body in the drawing. Of a body without a joint: in its frame, at its mass centre.
typedef struct kane_hinge {
    const kane_joint_definition *joint; // NULL: none
    int joined;                         // 1: has a joint, attached bodies, a constraint or uneven inertia
    int is_constrained;                 // 1: has a constraint
    int is_related;                     // 1: a relation of coordinates has one of its own
    int keeps_spin;                     // 1: the link of a spinning body has the axes of its material
    int parent;                         // body; -1: its frame
    kane_drawn from, to;                // on the parent, on the body
    kane_mat3 link_axes;                // of the link, in the body's axes (compile_tree.c)
    kane_vec3 link_origin;              // of the link, vehicle axes as drawn [m]
} kane_hinge;

typedef struct kane_compiler {
    kane_model *model;
    const kane_vehicle_definition *vehicle;
    const kane_drive_definition *drive;
    const kane_model_options *options;
    kane_errors *errors;
    kane_input_definition *inputs; // of vehicle and drive [model->input_count]
    int part_first;                // bodies of deformable ones: the first
    kane_names holders;            // names of all bodies, then of the given frames
    kane_drawn *markers;           // [marker_count]
    kane_hinge *hinges;            // [body_count]
    kane_hinge *frame_hinges;      // of the given frames [given_frame_count]
    kane_drawn *sides;             // of the constraints [KANE_SIDES_MOST * constraint_count]
    double *rest_q;                // of the tree: what wheels that are let down add to coordinates as drawn [q_count]
} kane_compiler;

// --- inputs (compile_inputs.c) ---

// Gathers them, and adds to c->drive the actuators that follow them.
void kane_compile_name_inputs(kane_compiler *c);

// What each is of, when actuators and elements are there.
void kane_compile_inputs(kane_compiler *c);

// Index of an input; -1 with an error.
int kane_compile_find_input(kane_compiler *c, const char *name, kane_place place);

// --- deformable bodies (compile_deformable.c) ---

// How many bodies their points and modes add.
int kane_compile_count_parts(const kane_vehicle_definition *vehicle);

// Adds those bodies, and hands what holds a deformable body to its points: c->vehicle and c->drive become other
// definitions.
void kane_compile_parts(kane_compiler *c);

// Which part of a deformable body a body is.
void kane_compile_mark_parts(kane_compiler *c);

// The section that panels of track and modes slide in, added if there is none.
int kane_compile_section(kane_model *model);

// Flexible bodies of the tree, after its links; and what holds the modes at rest, by what the points' joints leave free
// (six numbers a body).
void kane_compile_flexes(kane_compiler *c);
void kane_compile_mode_loads(kane_compiler *c, const double *six_per_body);

// Each fills its part of the model and adds what is wrong to the errors, in this order.
void kane_compile_frames(kane_compiler *c);
void kane_compile_bodies(kane_compiler *c);
void kane_compile_markers(kane_compiler *c);
void kane_compile_joints(kane_compiler *c);
void kane_compile_constraints(kane_compiler *c);
void kane_compile_trees(kane_compiler *c);
int kane_compile_root(const kane_compiler *c, int body); // of its tree of joints: a body
void kane_compile_drop_frames(kane_compiler *c);         // track frames of bodies that share another
void kane_compile_given_frames(kane_compiler *c);
void kane_compile_drive(kane_compiler *c);
void kane_compile_wheels(kane_compiler *c);
void kane_compile_place(kane_compiler *c); // checks that the vehicle is on the track
void kane_compile_elements(kane_compiler *c);
void kane_compile_sensors(kane_compiler *c);
void kane_compile_omissions(kane_compiler *c);
void kane_compile_panels(kane_compiler *c);
// from here on everything that was typed is right
void kane_compile_descriptions(kane_compiler *c);
void kane_compile_links(kane_compiler *c);
void kane_compile_closures(kane_compiler *c);
void kane_compile_statics(kane_compiler *c);
void kane_compile_panel_loads(kane_compiler *c);
void kane_compile_start(kane_compiler *c);
void kane_compile_clusters(kane_compiler *c);

// Groups of guided wheelsets that inertia couples.
void kane_compile_rails(kane_compiler *c);
void kane_compile_layout(kane_compiler *c);

// The track frame at this x of the drawing.
int kane_compile_line_frame(const kane_compiler *c, double x);

// Chooses the frame from which wheels find their rails.
void kane_compile_rail_frame(kane_compiler *c, int wheels);

// Sets the freedoms of a body, and its map V = A u (docs/theory.md, section 3).
void kane_compile_dof(kane_body *body, unsigned dof);

// Checks kind, freedoms and motions of a joint.
void kane_compile_check_joint(kane_compiler *c, const kane_joint_definition *joint);

// A marker on a body, in a point of the drawing, axes of the body.
kane_fixed_marker kane_compile_point(const kane_model *model, int body, kane_vec3 at);

// What a law, rows or a joint make of their parameters (NULL: of their block alone): by their own function, else a
// copy. NULL with an error, or where memory is short.
typedef void *kane_prepare_function(const void *parameters, kane_arena *memory, kane_errors *errors);
void *kane_compile_parameters(kane_compiler *c, const kane_schema *schema, kane_prepare_function *prepare,
                              const kane_block *block, const void *parameters);

// Names of the definition's bodies.
kane_names kane_compile_body_names(const kane_compiler *c);

// A copy that lives with the model; NULL where memory is short.
const char *kane_compile_text(kane_compiler *c, const char *text);

// Index of a named coordinate (NULL: the only one) among those of a body's joint; -1 with an error.
int kane_compile_coordinate(kane_compiler *c, const kane_body_definition *body, const char *coordinate,
                            kane_place place);

// --- markers (compile_markers.c) ---

// Axes as they were typed: all zero is the identity. Returns 0 with an error if they are no rotation.
int kane_compile_axes(kane_compiler *c, kane_mat3 typed, kane_place place, kane_mat3 *axes);

// Where something is held by this holder in the drawing; `what` says of it in messages. Returns 0 with an error.
int kane_compile_attachment(kane_compiler *c, const kane_attachment *typed, int holder, const char *what,
                            kane_place place, kane_drawn *drawn);

// A marker by its name, that this holder must have (of frames one fits the other unless both are named); NULL with an
// error.
const kane_drawn *kane_compile_marker(kane_compiler *c, const char *name, int holder, const char *what,
                                      kane_place place);

// --- frames (compile_frames.c) ---

// The holder of a name; KANE_NOWHERE with an error.
int kane_compile_holder(kane_compiler *c, const char *name, kane_place place);

// Chooses the frame of a body and its place in it.
void kane_compile_choose_frame(kane_compiler *c, int body);

// The frame that rests in A, added if there is none.
int kane_compile_frame_in_A(kane_model *model);

// The link of a given frame that moves against `base` (compile_tree.c).
void kane_compile_frame_link(kane_compiler *c, int base, int frame);

// --- the drawing as the frames see it ---

// A frame at its drawn place, at rest.
kane_transport kane_compile_drawn_frame(const kane_model *model, int frame);

// All frames as a run begins in the drawing: track frames at rest, given ones as they are and move at t = 0 against
// those. 0 if memory is short.
int kane_compile_frames_at_start(const kane_model *model, kane_arena *arena, kane_transport *frames);

// Start of a link with all six freedoms whose tree is described in A, in terms of its frame, which is and moves like T
// in A: its speeds, and the coordinates of a root. work: the tree in A.
void kane_compile_enter_frame(const kane_model *model, int link, const kane_transport *T, const kane_tree_work *work,
                              double *q, double *v);

#endif
