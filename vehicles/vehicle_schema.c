// SPDX-License-Identifier: MIT
// The keys of vehicle and mechanism files.

#include "vehicles/train_file.h"

static const char *const preloads[] = {"solved", "given", NULL};

static const kane_key body_keys[] = {
    KANE_KEY(kane_body_input, mass, NUMBER, REQUIRED, NULL, "kg", NOT_NEGATIVE, NULL, "mass"),
    KANE_KEY(kane_body_input, inertia, NUMBERS, REQUIRED, NULL, "kg m^2", ANY, NULL,
             "about the mass centre: Ixx, Iyy, Izz or Ixx, Iyy, Izz, Ixy, Ixz, Iyz"),
    KANE_KEY(kane_body_input, at, VECTOR, REQUIRED, NULL, "m", ANY, NULL,
             "mass centre as drawn, at rest: x forward, y to the left, z up (over the rails)"),
    KANE_KEY_NAMED(
        kane_body_input, spins, "rotating", SWITCH, OPTIONAL, "false", NULL, ANY, NULL,
        "true: it spins about its y axis, a principal axis, as a wheel on its bearing; if Ixx = Izz, how far it has turned is a "
        "result and does not limit the steps of the integrator"),
    KANE_KEY_NAMED(kane_body_input, dof, "dof", TEXTS, OPTIONAL, NULL, NULL, ANY, NULL,
                   "the coordinates that are free, of x, y, z, yaw, roll, pitch; all six if it is left out"),
    KANE_KEY(
        kane_body_input, frame, TEXT, OPTIONAL, NULL, NULL, ANY, NULL,
        "frame that it is described in: one of \"frames\", or body whose frame it shares; left out: a track frame of "
        "its own, in a mechanism A, which is at rest"),
    KANE_KEY(
        kane_body_input, frame_offset, NUMBERS, OPTIONAL, NULL, "m", ANY, NULL,
        "how far its track frame goes beside the line: to the left, up; from the frame that it shares if \"frame\" "
        "names a body"),
    KANE_KEY(kane_body_input, joint, OBJECT, OPTIONAL, NULL, NULL, ANY, &kane_joint_schema,
             "its joint on another body; without one it is free in its frame"),
    KANE_KEY(kane_body_input, start, OBJECT, OPTIONAL, NULL, NULL, ANY, &kane_begin_schema,
             "where it begins; at rest and as drawn if it is left out"),
    KANE_KEY(
        kane_body_input, flexible, TEXT, OPTIONAL, NULL, NULL, ANY, NULL,
        "file with a flexible model of it, or with the body reduced from one, .kflex, relative to this file (flexible.md); elements, joints and sensors that name "
        "this body hold one of its interfaces, and BODY.INTERFACE names one"),
    KANE_KEY(kane_body_input, impossible_inertia, SWITCH, OPTIONAL, "false", NULL, ANY, NULL,
             "true: a moment of inertia may be larger than the sum of the other two, which no body has: for comparison "
             "with models that were published so"),
};

static const kane_key right_wheel_keys[] = {
    KANE_KEY(kane_right_wheel_input, profile, TEXT, OPTIONAL, NULL, NULL, ANY, NULL,
             "its profile; that of the left wheel if it is left out"),
    KANE_KEY(kane_right_wheel_input, radius, NUMBER, OPTIONAL, NULL, "m", POSITIVE, NULL,
             "radius of its running circle; that of the left wheel if it is left out"),
};

static const kane_schema right_wheel_schema = KANE_SCHEMA(kane_right_wheel_input, "right wheel", right_wheel_keys,
                                                          "A right wheel that is not like the left one.");

static const kane_key wheelset_keys[] = {
    KANE_KEY(kane_wheelset_input, mass, NUMBER, REQUIRED, NULL, "kg", POSITIVE, NULL, "mass"),
    KANE_KEY(kane_wheelset_input, inertia, NUMBERS, REQUIRED, NULL, "kg m^2", POSITIVE, NULL,
             "Ixx, Iyy (about the axle), Izz; where Izz differs from Ixx, inertia turns with the spin"),
    KANE_KEY(kane_wheelset_input, at, NUMBER, REQUIRED, NULL, "m", ANY, NULL, "x of its axle at rest"),
    KANE_KEY(kane_wheelset_input, radius, NUMBER, REQUIRED, NULL, "m", POSITIVE, NULL, "radius of the running circle"),
    KANE_KEY(kane_wheelset_input, profile, TEXT, OPTIONAL, "S1002", NULL, ANY, NULL,
             "profile of both wheels: \"S1002\", \"cone\", or a name in \"profiles\""),
    KANE_KEY(kane_wheelset_input, conicity, NUMBER, OPTIONAL, "1:20", "1", NOT_NEGATIVE, NULL,
             "of the profile \"cone\": tangent of its half angle"),
    KANE_KEY(kane_wheelset_input, right, OBJECT, OPTIONAL, NULL, NULL, ANY, &right_wheel_schema,
             "the right wheel, if it is not like the left one"),
    KANE_KEY_NAMED(
        kane_wheelset_input, flange_back, "back_to_back", NUMBER, OPTIONAL, "1.36 m", "m", POSITIVE, NULL,
        "distance between the flange backs; the profile says how far outside of them the running circles lie"),
    KANE_KEY(kane_wheelset_input, flange_back_depth, NUMBER, OPTIONAL, "9.5 mm", "m", NOT_NEGATIVE, NULL,
             "so far below the running circle the flange's back is plane: there it may touch check rails"),
    KANE_KEY(kane_wheelset_input, contact, OBJECT, OPTIONAL, "{}", NULL, ANY, &kane_contact_schema,
             "laws of its contact with the rails"),
    KANE_KEY_NAMED(kane_wheelset_input, dof, "dof", TEXTS, OPTIONAL, NULL, NULL, ANY, NULL,
                   "the coordinates that are free, pitch (the spin) among them; all six if it is left out"),
    KANE_KEY(kane_wheelset_input, frame, TEXT, OPTIONAL, NULL, NULL, ANY, NULL,
             "body whose track frame it shares; its own if it is left out"),
    KANE_KEY(kane_wheelset_input, frame_offset, NUMBERS, OPTIONAL, NULL, "m", ANY, NULL,
             "how far its track frame goes beside the line: to the left, up"),
    KANE_KEY(
        kane_wheelset_input, joint, OBJECT, OPTIONAL, NULL, NULL, ANY, &kane_joint_schema,
        "its joint on another body, the turn about its axle the last of its freedoms; without one it is free in its "
        "frame"),
    KANE_KEY(kane_wheelset_input, start, OBJECT, OPTIONAL, NULL, NULL, ANY, &kane_begin_schema,
             "where it begins, beside resting on the rails and rolling"),
};

static const kane_key element_keys[] = {
    KANE_KEY(kane_element_input, law, VARIANT, REQUIRED, NULL, NULL, ANY, NULL,
             "what acts; further keys are the law's"),
    KANE_KEY(kane_element_input, between, TEXTS, OPTIONAL, NULL, NULL, ANY, NULL,
             "two bodies, or a body and a frame by its name; \"track\" or \"ground\" stands for the frame of the other "
             "one, travelling along"),
    KANE_KEY(kane_element_input, at, VECTOR, OPTIONAL, NULL, "m", ANY, NULL,
             "its point at rest: x forward, y to the left, z up (over the rails)"),
    KANE_KEY(kane_element_input, to, VECTOR, OPTIONAL, NULL, "m", ANY, NULL,
             "its point on the second body; the same as \"at\" if it is left out"),
    KANE_KEY(kane_element_input, markers, TEXTS, OPTIONAL, NULL, NULL, ANY, NULL,
             "two markers, instead of \"between\", \"at\" and \"to\""),
    KANE_KEY_NAMED(kane_element_input, turned, "orientation", VECTOR, OPTIONAL, NULL, "rad", ANY, NULL,
                   "yaw, roll, pitch of the law's axes against the vehicle's, at rest"),
    KANE_KEY(kane_element_input, on_axle, SWITCH, OPTIONAL, "false", NULL, ANY, NULL,
             "true: wheelsets themselves get its torque about their axle, which axle boxes would not pass"),
    KANE_KEY(kane_element_input, mirror, SWITCH, OPTIONAL, "false", NULL, ANY, NULL,
             "true: there is one on the other side too; the two are called \"... left\" and \"... right\""),
    KANE_KEY(kane_element_input, preload, CHOICE, OPTIONAL, NULL, NULL, ANY, preloads,
             "static load: solved such that everything rests as drawn, on straight level track, or as \"load\" "
             "says; solved in a vehicle, given in a mechanism if it is left out"),
    KANE_KEY(kane_element_input, load, VECTOR, OPTIONAL, NULL, "N", ANY, NULL,
             "given static load on the second body, law axes"),
};

static const kane_key sensor_keys[] = {
    KANE_KEY(kane_sensor_input, on, TEXT, REQUIRED, NULL, NULL, ANY, NULL, "the body that it is fixed to"),
    KANE_KEY(kane_sensor_input, at, VECTOR, REQUIRED, NULL, "m", ANY, NULL,
             "its point at rest: x forward, y to the left, z up (over the rails); on a wheelset a point of its axle"),
};

static const kane_schema sensor_schema = KANE_SCHEMA(
    kane_sensor_input, "sensor", sensor_keys,
    "An accelerometer with axes parallel to the vehicle's at rest. Its channels SENSOR.acceleration.x, y, z are "
    "what it shows: acceleration of its point less gravity, in its own axes; of z less 9.81 m/s^2 (the "
    "vehicle's gravity), so that all are 0 at rest on level track.");
static const kane_schema body_schema = KANE_SCHEMA(kane_body_input, "body", body_keys, "A rigid body, with its joint.");
static const kane_schema wheelset_schema =
    KANE_SCHEMA(kane_wheelset_input, "wheelset", wheelset_keys,
                "An axle with two wheels; its mass centre lies in the middle of the axle, one radius over the rails.");
static const kane_schema element_schema =
    KANE_SCHEMA(kane_element_input, "element", element_keys, "A force element between two points.");

// Keys that vehicles and mechanisms share.
// clang-format off
#define COMMON_KEYS                                                                                                    \
    KANE_KEY(kane_vehicle_file, gravity, NUMBER, OPTIONAL, "9.81 m/s^2", "m/s^2", NOT_NEGATIVE, NULL,                  \
             "acceleration of gravity, against z"),                                                                    \
    KANE_KEY(kane_vehicle_file, frames, MAP, OPTIONAL, NULL, NULL, ANY, &kane_frame_schema,                            \
             "frames whose motion is given, by name"),                                                                 \
    KANE_KEY(kane_vehicle_file, bodies, MAP, OPTIONAL, NULL, NULL, ANY, &body_schema, "rigid bodies by name"),         \
    KANE_KEY(kane_vehicle_file, markers, MAP, OPTIONAL, NULL, NULL, ANY, &kane_marker_schema,                          \
             "points with axes on bodies, by name"),                                                                   \
    KANE_KEY(kane_vehicle_file, elements, MAP, OPTIONAL, NULL, NULL, ANY, &element_schema,                             \
             "springs, dampers and whatever else acts, by name"),                                                      \
    KANE_KEY(kane_vehicle_file, constraints, MAP, OPTIONAL, NULL, NULL, ANY, &kane_constraint_schema,                  \
             "closures of loops, gears and whatever else must hold, by name"),                                         \
    KANE_KEY(kane_vehicle_file, sensors, MAP, OPTIONAL, NULL, NULL, ANY, &sensor_schema, "accelerometers by name"),     \
    KANE_KEY(kane_vehicle_file, inputs, MAP, OPTIONAL, NULL, NULL, ANY, &kane_input_schema,                            \
             "numbers that a program sets while a simulation goes on, by name")
// clang-format on

static const kane_key vehicle_keys[] = {
    KANE_KEY(kane_vehicle_file, name, TEXT, OPTIONAL, "vehicle", NULL, ANY, NULL, "what it is"),
    KANE_KEY_NAMED(kane_vehicle_file, guide, "reference_body", TEXT, REQUIRED, NULL, NULL, ANY, NULL,
                   "the body that the track frames go with"),
    COMMON_KEYS,
    KANE_KEY(kane_vehicle_file, profiles, MAP, OPTIONAL, NULL, NULL, ANY, &kane_wheel_profile_schema,
             "profiles of wheels by name, beside \"S1002\" and \"cone\""),
    KANE_KEY(kane_vehicle_file, wheelsets, MAP, OPTIONAL, NULL, NULL, ANY, &wheelset_schema, "wheelsets by name"),
    KANE_KEY(kane_vehicle_file, variants, RAW, OPTIONAL, NULL, NULL, ANY, NULL,
             "by name, lists of settings \"PATH=VALUE\" that make another vehicle of this one"),
};

static const kane_key mechanism_keys[] = {
    KANE_KEY(kane_vehicle_file, name, TEXT, OPTIONAL, "mechanism", NULL, ANY, NULL, "what it is"),
    COMMON_KEYS,
    KANE_KEY(kane_vehicle_file, variants, RAW, OPTIONAL, NULL, NULL, ANY, NULL,
             "by name, lists of settings \"PATH=VALUE\" that make another mechanism of this one"),
};

const kane_schema kane_vehicle_schema =
    KANE_SCHEMA(kane_vehicle_file, "vehicle", vehicle_keys, "What runs: bodies, wheelsets and what acts between them.");

const kane_schema kane_mechanism_schema = KANE_SCHEMA(
    kane_vehicle_file, "mechanism", mechanism_keys,
    "Bodies, their joints, and what acts between them, at rest or in frames that move: no wheels and no track.");

static const kane_format formats[]      = {{"vehicle", 1, 1, &kane_vehicle_schema},
                                           {"mechanism", 1, 1, &kane_mechanism_schema},
                                           {"train", 1, 1, &kane_train_schema},
                                           {"track", 1, 1, NULL},
                                           {"run", 1, 1, NULL}};
const kane_formats kane_vehicle_formats = {formats, 5};
