// SPDX-License-Identifier: MIT
// What stands and moves in the picture of a run: line and rails, bodies and wheels, what acts between them.

#ifndef KANE_VIEW_SCENE_H
#define KANE_VIEW_SCENE_H

#include <kane/agem.h>
#include <kane/linear.h>
#include <kane/results.h>
#include <kane/run.h>

#include "base/json.h"
#include "base/text.h"
#include "model/model.h"
#include "view/encode.h"

// === Where bodies are in every row of a result: found from the coordinates that were recorded, by the model itself
// where joints and constraints hold them.

// What coordinates of a body are relative to.
typedef enum kane_motion_reference {
    KANE_AGAINST_LINE, // the frame of the line `offset` ahead of the guide's, `beside` it
    KANE_AGAINST_WORLD // A
} kane_motion_reference;

typedef struct kane_motion_of {
    kane_motion_reference reference;
    double offset;                 // s ahead of the guide's frame [m]
    kane_vec3 beside;              // axes of the line [m]
    double rest[KANE_COORDINATES]; // at the start, in the static position; of a spinning body its spin is 0
    // x, y, z, yaw, roll, pitch in rows 0, stride, 2 stride, ... of the results: values[k][i * step[k]]; NULL: it stays
    // as at rest
    const double *values[KANE_COORDINATES];
    int step[KANE_COORDINATES]; //
} kane_motion_of;

typedef struct kane_motion {
    int stride; // rows of the results from one to the next
    int count;
    int still;                  // bodies of which nothing was recorded
    const kane_motion_of *body; // of every body of the model
} kane_motion;

// The column of a channel, -1: it was not recorded, or there are no results (NULL).
int kane_motion_column(const kane_results *results, const char *name);

// NULL with errors: the model cannot be evaluated, or memory is short. Memory from the arena.
const kane_motion *kane_motion_find(kane_arena *arena, const kane_model *model, const kane_results *results,
                                    kane_errors *errors);

// The same of a work that has been evaluated: all bodies stay where they are in it. NULL without memory.
const kane_motion *kane_motion_at_rest(kane_arena *arena, const kane_model *model, kane_work *work);

// === The picture of a run.

// Reads the run that the results are of once more, from the files that its manifest names, and writes the scene as the
// value of "scene"; where that cannot be, an object that says why ("missing", also in `missing`). name: of the results'
// file or directory; manifest: root of its JSON, NULL: none. KANE_NO_MEMORY with an error.
kane_status kane_scene_write(kane_encoder *encoder, const kane_results *results, const char *name,
                             const kane_node *manifest, size_t size, char *missing, kane_errors *errors);

// The scene of a vehicle in steady motion, as a work has been evaluated, and what it does in modes `shown` [count], as
// the values of "scene" and "modes". KANE_NO_MEMORY with an error.
kane_status kane_scene_write_modes(kane_encoder *encoder, const kane_run_definition *run, const kane_model *model,
                                   kane_work *work, const kane_modes *modes, int count, const int *shown,
                                   kane_errors *errors);

// The directory that names in an "input" object are relative to, with a slash: the present one (""), or the nearest one
// at or above the results' file or directory in which the run's file is, with its hash.
const char *kane_scene_find_base(kane_arena *arena, const kane_node *input, const char *results);

// Do the files of an "input" object of a manifest or a plan (names with hashes) still say what they said? 0, and the
// first that does not.
int kane_scene_are_unchanged(kane_arena *arena, const kane_node *input, const char *base, kane_text *why,
                             kane_errors *errors); // errors: KANE_NO_MEMORY alone

#endif
