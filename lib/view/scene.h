// SPDX-License-Identifier: MIT
// What stands and moves in the picture of a run: line and rails, bodies and wheels, what acts between them.

#ifndef KANE_VIEW_SCENE_H
#define KANE_VIEW_SCENE_H

#include <kane/linear.h>
#include <kane/results.h>
#include <kane/run.h>

#include "base/json.h"
#include "base/text.h"
#include "view/encode.h"

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
