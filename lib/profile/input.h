// SPDX-License-Identifier: MIT
// The map "profiles" of vehicle and track files.

#ifndef KANE_PROFILE_INPUT_H
#define KANE_PROFILE_INPUT_H

#include "base/document.h"
#include "profile/profile.h"

typedef struct kane_profile_input {
    kane_block block;
    const char *file;
    int format, unit;         // indices of their names, if they were given
    int lateral, vertical;    // likewise
    double origin, smoothing; // [m]
    double flange_to_circle;  // [m]
    double cone;              // conicity [1]
    double arc, round;        // radius [m]
    double conicity;          // of an arc [1]
    int inclined;
    kane_items pieces; // of kane_profile_piece_input
    double from, to;   // of pieces [m]
    int profile;       // of several in a file, from 1; 0: not said
} kane_profile_input;

typedef struct kane_profile_piece_input {
    kane_block block;
    double radius;       // of an arc [m]
    kane_numbers centre; // of an arc: y, z [m]
    double angle, slope; // of a line [rad], [1]
} kane_profile_piece_input;

// Units of a file's lengths by name, and what they are [m].
extern const char *const kane_profile_units[];
extern const double kane_profile_metres[];

extern const kane_schema kane_wheel_profile_schema, kane_rail_profile_schema;

// The profiles of a map, each read and checked; NULL for those that are wrong (the reader knows). `file` is the
// document, names of files are relative to it; `known` are names that are taken.
const kane_profile **kane_profiles_build(kane_reader *reader, kane_profile_kind kind, const kane_items *inputs,
                                         const char *file, const char *const known[2]);

// A name that was typed: 0 or 1 for a known one, 2 and more for one of the map, -1 with an error at `place`.
int kane_profiles_find(kane_reader *reader, const kane_items *inputs, const char *const known[2], const char *wanted,
                       kane_place place);

#endif
