// SPDX-License-Identifier: MIT
// Vehicle and mechanism files as they are typed: the structs behind their keys.

#ifndef KANE_VEHICLES_VEHICLE_FILE_H
#define KANE_VEHICLES_VEHICLE_FILE_H

#include <kane/vehicle.h>

#include "base/document.h"
#include "profile/input.h"
#include "vehicles/mechanism_file.h"

// A mechanism is a vehicle without wheels and without a line to run on.
typedef struct kane_vehicle_file {
    kane_block block;
    const char *name;
    const char *guide;
    double gravity;            // [m/s^2]
    kane_items frames;         // kane_frame_input
    kane_items bodies;         // kane_body_input
    kane_items profiles;       // kane_profile_input
    kane_items wheelsets;      // kane_wheelset_input
    kane_items markers;        // kane_marker_input
    kane_items elements;       // kane_element_input
    kane_items constraints;    // kane_constraint_input
    kane_items sensors;        // kane_sensor_input
    kane_items inputs;         // kane_input_entry
    const kane_node *variants; // lists of settings by name
} kane_vehicle_file;

typedef struct kane_body_input {
    kane_block block;
    double mass;
    kane_numbers inertia; // 3 or 6 [kg m^2]
    kane_vec3 at;         // [m]
    int spins;
    kane_texts dof;
    const char *frame;
    kane_numbers frame_offset; // 2 [m]
    kane_joint_input joint;
    kane_begin_input start;
    const char *flexible; // file; NULL: rigid
    int impossible_inertia;
} kane_body_input;

// A right wheel that is not like the left one.
typedef struct kane_right_wheel_input {
    kane_block block;
    const char *profile; // name; NULL: that of the left one
    double radius;       // [m]; not given: that of the left one
} kane_right_wheel_input;

typedef struct kane_falling_input {
    kane_block block;
    double ratio; // [1]
    double decay; // [s/m]
} kane_falling_input;

typedef struct kane_contact_input {
    kane_block block;
    int contact_model;                 // kane_contact_model
    int geometry;                      // kane_contact_geometry
    int creep;                         // kane_creep_law
    int bound;                         // kane_traction_bound
    kane_numbers grid;                 // strips, steps
    int flexibility;                   // kane_flexibility
    double kA, kS;                     // [1]
    kane_numbers coefficients;         // longitudinal, lateral [N]
    double limit, equivalent_conicity; // [N], [1]
    int dissipation_law;               // kane_dissipation_law
    double dissipation;                // [s/m]
    double restitution;                // [1]
    double transition;                 // [m/s]
    double shear_modulus, poisson;
    kane_numbers friction; // one or two [1]
    double flange_friction;
    kane_falling_input falling;
    double slow; // [m/s]
    int two_sided;
    int spin;
} kane_contact_input;

typedef struct kane_wheelset_input {
    kane_block block;
    double mass;
    kane_numbers inertia; // 3 [kg m^2]
    double at;            // [m]
    double radius;        // [m]
    const char *profile;  // name
    double conicity;      // [1]
    kane_right_wheel_input right;
    double flange_back, flange_back_depth; // [m]
    kane_contact_input contact;
    kane_texts dof;
    const char *frame;
    kane_numbers frame_offset; // 2 [m]
    kane_joint_input joint;
    kane_begin_input start;
} kane_wheelset_input;

typedef struct kane_element_input {
    kane_block block;
    kane_variant law;
    kane_texts between, markers;
    kane_vec3 at, to; // [m]
    kane_vec3 turned; // yaw, roll, pitch [rad]
    int on_axle;
    int mirror;
    int preload;    // kane_preload
    kane_vec3 load; // [N]
} kane_element_input;

// A setting "PATH=VALUE" for a file: as it was typed, and the part of it that is meant for this file.
typedef struct kane_setting {
    const char *text, *typed;
} kane_setting;

typedef struct kane_sensor_input {
    kane_block block;
    const char *on;
    kane_vec3 at; // [m]
} kane_sensor_input;

// What a reader reads.
typedef struct kane_vehicle_request {
    const char *file;
    kane_vehicle_kind kind;
    const char *variant;          // NULL: the file without a variant
    kane_place variant_place;     // where it was typed
    const kane_node *changes;     // settings of another file, a list of texts; NULL: none
    const kane_setting *settings; // from outside, in this order
    int setting_count;
    const kane_options *choices; // [KANE_VEHICLE_CHOICES]
} kane_vehicle_request;

extern const kane_schema kane_vehicle_schema;
extern const kane_schema kane_mechanism_schema;
extern const kane_schema kane_contact_schema;
extern const kane_formats kane_vehicle_formats; // the first two: vehicle, mechanism; then train

// What "law" may say: libkane's own laws and those in `laws`; what "rows" and "formula" may say: those in `rows` and
// `joints` (NULL-terminated, may be NULL). [KANE_VEHICLE_CHOICES], NULL if memory is short.
enum { KANE_VEHICLE_CHOICES = 3 };
const kane_options *kane_vehicle_choices(kane_arena *arena, const kane_law *const *laws,
                                         const kane_rows_kind *const *rows, const kane_joint_formula *const *joints);

// Reads a vehicle or mechanism from a document as it was typed; NULL with errors.
kane_vehicle_definition *kane_vehicle_load(kane_arena *arena, kane_node *root, const kane_vehicle_request *request,
                                           kane_errors *errors);

// Changes a document of this kind ("vehicle") by settings of its variants, by its variant, then by all other settings,
// and lets its objects inherit. All variants are checked. KANE_OK, or KANE_NO_MEMORY; what is wrong is counted in the
// root.
kane_status kane_vehicle_change(kane_reader *reader, kane_node *root, const char *kind,
                                const kane_vehicle_request *request);

// 1 if a document is of this kind.
int kane_vehicle_is(const kane_node *root, const char *kind);

// The image of an element on the other side.
void kane_vehicle_mirror(kane_element_definition *element);

// The laws of a wheelset's contact, and its factors of friction, from what was typed.
void kane_vehicle_read_contact(kane_reader *reader, const kane_contact_input *in, kane_wheels_definition *wheels);

// The definition of a file. Adds errors to the reader's.
kane_vehicle_definition *kane_vehicle_build(kane_reader *reader, const kane_vehicle_file *file, kane_vehicle_kind kind);

#endif
