// SPDX-License-Identifier: MIT
// From a definition to a model: names become indices, and everything that can be wrong is found here.

#ifndef KANE_MODEL_COMPILE_H
#define KANE_MODEL_COMPILE_H

#include "base/names.h"
#include "model/model.h"

enum { KANE_NOWHERE = -2 }; // body of a marker that is wrong

// A marker in the drawing.
typedef struct kane_drawn {
    int body;       // -1: a frame
    kane_vec3 at;   // vehicle axes [m]
    kane_mat3 axes; // to vehicle axes
} kane_drawn;

// What a body hangs by, in the drawing. Of a body without a joint: in its frame, by its mass centre.
typedef struct kane_hinge {
    const kane_joint_definition *joint; // NULL: none
    int joined;                         // 1: a link of the tree
    int parent;                         // body; -1: its frame
    kane_drawn from, to;                // on the parent, on the body
    kane_mat3 link_axes;                // of the link, in the body's axes (compile_links.c)
    kane_vec3 link_origin;              // of the link, vehicle axes as drawn [m]
} kane_hinge;

typedef struct kane_compiler {
    kane_model *model;
    const kane_vehicle_definition *vehicle;
    const kane_drive_definition *drive;
    const kane_model_options *options;
    kane_errors *errors;
    kane_drawn *markers; // [marker_count]
    kane_hinge *hinges;  // [body_count]
    kane_drawn *sides;   // of the constraints [KANE_SIDES_MOST * constraint_count]
} kane_compiler;

// Each fills its part of the model and adds what is wrong to the errors, in this order.
void kane_compile_frames(kane_compiler *c);
void kane_compile_bodies(kane_compiler *c);
void kane_compile_markers(kane_compiler *c);
void kane_compile_joints(kane_compiler *c);
void kane_compile_constraints(kane_compiler *c);
void kane_compile_trees(kane_compiler *c);
void kane_compile_drive(kane_compiler *c);
void kane_compile_wheels(kane_compiler *c);
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
void kane_compile_layout(kane_compiler *c);

// Gives a body these freedoms and the map that goes with them.
void kane_compile_freedoms(kane_body *body, unsigned freedoms);

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

// Where something is held on a body (-1: a frame) in the drawing; `what` says of it in messages. Returns 0 with an
// error.
int kane_compile_attachment(kane_compiler *c, const kane_attachment *typed, int body, const char *what,
                            kane_place place, kane_drawn *drawn);

// A marker by its name, that must be on this body (-1: a frame); NULL with an error.
const kane_drawn *kane_compile_marker(kane_compiler *c, const char *name, int body, const char *what, kane_place place);

// --- the drawing as the frames see it ---

// Where the origin of a body's track frame is in the drawing [m].
static inline kane_vec3 kane_compile_frame_origin(const kane_body *body)
{
    return kv3_sub(body->position, body->origin);
}

// All frames at rest as they are drawn, given ones as they are at t = 0; x counts from the guide's frame.
kane_transport kane_compile_frame_at_rest(const kane_model *model, int frame);

// Tensors as they are stored, xx yy zz xy xz yz.
kane_mat3 kane_compile_tensor(const double J[6]);
void kane_compile_store_tensor(kane_mat3 A, double J[6]);

#endif
