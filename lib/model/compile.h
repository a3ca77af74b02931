// SPDX-License-Identifier: MIT
// From a definition to a model: names become indices, and everything that can be wrong is found here.

#ifndef KANE_MODEL_COMPILE_H
#define KANE_MODEL_COMPILE_H

#include "base/names.h"
#include "model/model.h"

typedef struct kane_compiler {
    kane_model *model;
    const kane_vehicle_definition *vehicle;
    const kane_drive_definition *drive;
    const kane_model_options *options;
    kane_errors *errors;
} kane_compiler;

// Each fills its part of the model and adds what is wrong to the errors, in this order.
void kane_compile_frames(kane_compiler *c);
void kane_compile_bodies(kane_compiler *c);
void kane_compile_drive(kane_compiler *c);
void kane_compile_wheels(kane_compiler *c);
void kane_compile_elements(kane_compiler *c);
void kane_compile_omissions(kane_compiler *c);
void kane_compile_panels(kane_compiler *c);
void kane_compile_layout(kane_compiler *c);
void kane_compile_statics(kane_compiler *c);
void kane_compile_panel_loads(kane_compiler *c);

// Gives a body these freedoms and the map that goes with them.
void kane_compile_freedoms(kane_body *body, unsigned freedoms);

// Names of the definition's bodies.
kane_names kane_compile_body_names(const kane_compiler *c);

// A copy that lives with the model; NULL where memory is short.
const char *kane_compile_text(kane_compiler *c, const char *text);

#endif
