// SPDX-License-Identifier: MIT
// The keys of train files.

#include "vehicles/train_file.h"

static const char *const preloads[] = {"solved", "given", NULL}; // as kane_preload

static const kane_key vehicle_keys[] = {
    KANE_KEY(kane_train_vehicle_input, file, TEXT, REQUIRED, NULL, NULL, ANY, NULL,
             "vehicle file, relative to this file; settings reach into it by a path such as "
             "vehicles.coach.file.bodies.body.mass"),
    KANE_KEY(kane_train_vehicle_input, variant, TEXT, OPTIONAL, NULL, NULL, ANY, NULL, "one of that file's variants"),
    KANE_KEY(kane_train_vehicle_input, settings, TEXTS, OPTIONAL, NULL, NULL, ANY, NULL,
             "\"PATH=VALUE\": changes to that file"),
    KANE_KEY_NAMED(kane_train_vehicle_input, turned, "reversed", SWITCH, OPTIONAL, "false", NULL, ANY, NULL,
                   "true: it runs with its rear end in front"),
    KANE_KEY(kane_train_vehicle_input, count, COUNT, OPTIONAL, "1", NULL, POSITIVE, NULL,
             "so many of them, one behind the other, called \"NAME 1\" and so on; left out, the one is called NAME"),
    KANE_KEY(kane_train_vehicle_input, length, NUMBER, REQUIRED, NULL, "m", POSITIVE, NULL,
             "between its coupling faces: its part of the train's length"),
    KANE_KEY(kane_train_vehicle_input, middle, NUMBER, OPTIONAL, "0 m", "m", ANY, NULL,
             "x of the middle between its coupling faces, as the vehicle is drawn"),
    KANE_KEY(kane_train_vehicle_input, front, TEXT, OPTIONAL, NULL, NULL, ANY, NULL,
             "its body that carries couplers at its front end; its guide if it is left out"),
    KANE_KEY(kane_train_vehicle_input, rear, TEXT, OPTIONAL, NULL, NULL, ANY, NULL,
             "its body that carries couplers at its rear end; its guide if it is left out"),
};

static const kane_schema vehicle_schema = KANE_SCHEMA(
    kane_train_vehicle_input, "vehicle of a train", vehicle_keys,
    "One vehicle, or several equal ones, from a vehicle file that is read once. The first one keeps its axes, "
    "which are the train's; the others follow behind it, coupling face on coupling face. What belongs to a "
    "vehicle is called \"VEHICLE NAME\": \"coach 1 body\".");

static const kane_key coupler_keys[] = {
    KANE_KEY(kane_coupler_input, law, VARIANT, REQUIRED, NULL, NULL, ANY, NULL,
             "what acts; further keys are the law's"),
    KANE_KEY(kane_coupler_input, between, TEXTS, OPTIONAL, NULL, NULL, ANY, NULL,
             "two vehicles as they are named here, the one in front first: only where those two are neighbours; left "
             "out: between all"),
    KANE_KEY(kane_coupler_input, height, NUMBER, REQUIRED, NULL, "m", NOT_NEGATIVE, NULL, "over the rails"),
    KANE_KEY(kane_coupler_input, y, NUMBER, OPTIONAL, "0 m", "m", ANY, NULL, "to the left of the middle"),
    KANE_KEY(kane_coupler_input, length, NUMBER, OPTIONAL, "0 m", "m", NOT_NEGATIVE, NULL,
             "from its point on the front vehicle to that on the rear one; the coupling faces are halfway"),
    KANE_KEY_NAMED(kane_coupler_input, turned, "orientation", VECTOR, OPTIONAL, NULL, "rad", ANY, NULL,
                   "yaw, roll, pitch of the law's axes against the train's, at rest"),
    KANE_KEY(
        kane_coupler_input, mirror, SWITCH, OPTIONAL, "false", NULL, ANY, NULL,
        "true: there is one on the other side too, as of buffers; the two are called \"... left\" and \"... right\""),
    KANE_KEY(kane_coupler_input, preload, CHOICE, OPTIONAL, "given", NULL, ANY, preloads,
             "static load: \"load\", or solved such that everything rests as drawn, where vehicles rest on each "
             "other"),
    KANE_KEY(kane_coupler_input, load, VECTOR, OPTIONAL, NULL, "N", ANY, NULL,
             "static load on the rear vehicle, law axes"),
};

static const kane_schema coupler_schema =
    KANE_SCHEMA(kane_coupler_input, "coupler", coupler_keys,
                "A force element between the rear end of a vehicle and the front end of the next one; the law sees the "
                "one in front as body a. It is called \"NAME i\" behind the i-th vehicle.");

static const kane_key train_keys[] = {
    KANE_KEY(kane_train_file, name, TEXT, OPTIONAL, "train", NULL, ANY, NULL, "what it is"),
    KANE_KEY_NAMED(
        kane_train_file, guide, "reference_vehicle", TEXT, OPTIONAL, NULL, NULL, ANY, NULL,
        "vehicle whose guide the track frames go with, such as \"coach 1\"; the first one if it is left out"),
    KANE_KEY(kane_train_file, vehicles, MAP, REQUIRED, NULL, NULL, ANY, &vehicle_schema,
             "vehicles by name, from the front to the rear"),
    KANE_KEY(kane_train_file, couplers, MAP, OPTIONAL, NULL, NULL, ANY, &coupler_schema,
             "what acts between neighbours, by name"),
    KANE_KEY(kane_train_file, variants, RAW, OPTIONAL, NULL, NULL, ANY, NULL,
             "by name, lists of settings \"PATH=VALUE\" that make another train of this one"),
};

const kane_schema kane_train_schema =
    KANE_SCHEMA(kane_train_file, "train", train_keys, "Vehicles one behind the other, coupled.");
