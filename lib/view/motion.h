// SPDX-License-Identifier: MIT
// Where bodies are in every row of a result: found from the coordinates that were recorded, by the model itself where
// joints and constraints hold them.

#ifndef KANE_VIEW_MOTION_H
#define KANE_VIEW_MOTION_H

#include <kane/agem.h>
#include <kane/results.h>

#include "model/model.h"

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

#endif
