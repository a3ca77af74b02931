// SPDX-License-Identifier: MIT
// Train files as they are typed, and what becomes of them: vehicles from files of their own, one behind the other, with
// couplers between neighbours (docs/formats.md).

#ifndef KANE_VEHICLES_TRAIN_FILE_H
#define KANE_VEHICLES_TRAIN_FILE_H

#include "vehicles/vehicle_file.h"

enum { KANE_TRAIN_MOST = 1000 }; // vehicles in a train

typedef struct kane_train_vehicle_input {
    kane_block block;
    const char *file, *variant;
    kane_texts settings; // "PATH=VALUE"
    int turned;          // 1: it runs rear end first
    int count;
    double length;            // between its coupling faces [m]
    double middle;            // x of the middle between them, vehicle axes [m]
    const char *front, *rear; // bodies that carry couplers; NULL: its guide
} kane_train_vehicle_input;

typedef struct kane_coupler_input {
    kane_block block;
    kane_variant law;
    kane_texts between; // vehicles as they are named in the file
    double height, y;   // of its points [m]
    double length;      // from point to point [m]
    kane_vec3 turned;   // yaw, roll, pitch [rad]
    int mirror;
    int preload;    // kane_preload
    kane_vec3 load; // [N]
} kane_coupler_input;

typedef struct kane_train_file {
    kane_block block;
    const char *name;
    const char *guide;         // vehicle of the train; NULL: the first one
    kane_items vehicles;       // kane_train_vehicle_input
    kane_items couplers;       // kane_coupler_input
    const kane_node *variants; // lists of settings by name
} kane_train_file;

extern const kane_schema kane_train_schema;

// Vehicles of one name in a train file, with the content of their file.
typedef struct kane_train_kind {
    const kane_train_vehicle_input *in;
    const char *file;                          // as it was opened
    const kane_setting *settings;              // from outside, into that file
    int setting_count;                         //
    const kane_vehicle_definition *definition; // NULL: could not be read
    const char *front, *rear;                  // bodies at the ends that lead and trail in the train
} kane_train_kind;

// One vehicle in the train: where its own axes are in those of the train, and in which direction.
typedef struct kane_train_place {
    const char *name;
    int kind;     // index
    double shift; // x of the origin of its axes [m]
    double sign;  // 1; -1: turned
    double rear;  // x of its rear coupling face in the train [m]
} kane_train_place;

// Reads the vehicles of a train file and puts them together. root: the document as it was typed; parts: files of the
// vehicles as they were opened, each once, NULL-terminated.
kane_vehicle_definition *kane_train_read(kane_arena *arena, kane_node *root, const kane_vehicle_request *request,
                                         const char *const **parts, kane_errors *errors);

// Says which names of bodies in a vehicle there are none of.
void kane_train_check_names(const kane_vehicle_definition *vehicle, kane_errors *errors);

// The definition of a train; kinds as they stand in the file. NULL with errors.
kane_vehicle_definition *kane_train_build(kane_reader *reader, const kane_train_file *file, kane_train_kind *kinds);

// What a train consists of.
typedef struct kane_train_parts {
    kane_given_frame *frames;
    kane_body_definition *bodies;
    kane_marker_definition *markers;
    kane_element_definition *elements;
    kane_constraint_definition *constraints;
    kane_sensor_definition *sensors;
    kane_input_definition *inputs;
    int frame_count, body_count, marker_count, element_count, constraint_count, sensor_count, input_count;
} kane_train_parts;

// Adds a vehicle at its place to a train, whose arrays have room for it. Frames, bodies, elements, markers,
// constraints and sensors are called "VEHICLE NAME". 0 where memory is short.
int kane_train_add(kane_arena *arena, const kane_train_place *place, const kane_vehicle_definition *vehicle,
                   kane_train_parts *train);

// "front rear": two texts with a space between them; NULL where memory is short.
const char *kane_train_join(kane_arena *arena, const char *front, const char *rear);

#endif
