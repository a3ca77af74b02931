// SPDX-License-Identifier: MIT
// Vehicles, trains and mechanisms from files: bodies, joints, wheelsets and elements as people type them, turned into a
// definition for a model.

#ifndef KANE_VEHICLE_H
#define KANE_VEHICLE_H

#include <kane/base.h>
#include <kane/model.h>

KANE_C_BEGIN

typedef struct kane_vehicle kane_vehicle;

// What a file may be: a vehicle runs on a track, and so does a train, which is a vehicle made of several; a mechanism
// has neither wheels nor a guide.
typedef enum kane_vehicle_kind { KANE_VEHICLE, KANE_MECHANISM } kane_vehicle_kind;

typedef struct kane_vehicle_options {
    kane_vehicle_kind kind;                  // that the file must be
    const char *variant;                     // one of the file's "variants", e.g. "tare"; NULL: the file unchanged
    kane_place variant_place;                // where it was typed
    const char *const *settings;             // "PATH=VALUE", NULL-terminated; NULL: none
    const kane_law *const *laws;             // force laws beside libkane's own, NULL-terminated; NULL: none
    const kane_rows_kind *const *rows;       // kinds of rows for user-defined constraints, NULL-terminated; NULL: none
    const kane_joint_formula *const *joints; // user-defined joints, NULL-terminated; NULL: none
} kane_vehicle_options;

// Reads a vehicle, train or mechanism file. Returns NULL with all errors of the file, and of those that a train names.
KANE_API kane_vehicle *kane_vehicle_read(const char *file, const kane_vehicle_options *options, kane_errors *errors);
KANE_API void kane_vehicle_free(kane_vehicle *vehicle);

// Valid as long as the vehicle.
KANE_API const kane_vehicle_definition *kane_vehicle_get_definition(const kane_vehicle *vehicle);

// Files of a train's vehicles as they were opened, each once, NULL-terminated; NULL: it is no train.
KANE_API const char *const *kane_vehicle_get_parts(const kane_vehicle *vehicle);

KANE_C_END

#endif
