// SPDX-License-Identifier: MIT
// Inputs as they are typed, in vehicle, mechanism and run files.

#ifndef KANE_VEHICLES_INPUT_FILE_H
#define KANE_VEHICLES_INPUT_FILE_H

#include <kane/model.h>

#include "base/document.h"

typedef struct kane_input_entry {
    kane_block block;
    int kind; // kane_input_kind
    const char *on, *reaction, *coordinate, *parameter;
    kane_vec3 at; // [m]
    kane_vec3 direction;
    double value;
} kane_input_entry;

extern const kane_schema kane_input_schema;

// The definitions that entries stand for; in the reader's arena. Adds to its errors what does not belong to a kind. NULL where memory is
// short.
kane_input_definition *kane_inputs_define(kane_reader *reader, const kane_items *entries);

#endif
