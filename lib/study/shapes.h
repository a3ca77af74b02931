// SPDX-License-Identifier: MIT
// Shapes of transitions as a user names them, and the settings that give them to sections of a track.

#ifndef KANE_STUDY_SHAPES_H
#define KANE_STUDY_SHAPES_H

#include "base/arena.h"

#include <kane/transition.h>

typedef struct shape {
    const char *name; // as typed: "bloss", "polynomial5"; of a file its name
    kane_transition_shape kind;
    double height; // Wiener Bogen [m]; NaN: the usual one
    int coefficient_count;
    double coefficients[KANE_POLYNOMIAL_MAX];
} shape;

// Reads a name. KANE_BAD_INPUT with an error that tells the names there are.
kane_status shape_parse(kane_arena *arena, const char *text, shape *s, kane_errors *errors);

// What is compared if nothing is said, NULL-terminated.
extern const char *const shape_names[];

// Transitions of a track that take a shape.
typedef struct shape_sections {
    int count;
    const int *index;                  // [count] of sections
    const kane_track_section *section; // [count]
} shape_sections;

// The transitions that were asked for (0: all of the track; -1 alone: the only one), in the arena. An error names
// sections that are none.
kane_status shape_find_sections(kane_arena *arena, const kane_track *track, int count, const int *asked,
                                shape_sections *sections, kane_errors *errors);

// The settings, one a section; NULL without memory.
const char *const *shape_settings(kane_arena *arena, const shape *s, const shape_sections *sections);

// A section of a track file with this shape: {"transition": 60, "shape": ...}
const char *shape_section(kane_arena *arena, const shape *s, const kane_track_section *section);

#endif
