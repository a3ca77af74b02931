// SPDX-License-Identifier: MIT
// Paths to a value inside a document: bodies.body.mass, sections[2].shape, sections[*].shape, elements."leading axlebox".law

#ifndef KANE_BASE_PATH_H
#define KANE_BASE_PATH_H

#include "base/arena.h"

// The path of a child: of a key (written as a JSON text if it holds a space, a dot or anything else that could be
// misread), or of element `index` of a list (key NULL). NULL without memory.
const char *kane_path_join(kane_arena *arena, const char *parent, const char *key, int index);

typedef enum kane_path_kind {
    KANE_PATH_END,
    KANE_PATH_KEY,
    KANE_PATH_INDEX,
    KANE_PATH_EACH,  // [*], every element of a list
    KANE_PATH_WRONG, // nothing sensible
    KANE_PATH_NO_MEMORY
} kane_path_kind;

enum { KANE_PATH_KEY_SIZE = 128 }; // longest key in a path that is typed, with its 0 [bytes]

// One step of a path that was typed.
typedef struct kane_path_step {
    kane_path_kind kind;
    char key[KANE_PATH_KEY_SIZE];
    int index;
} kane_path_step;

// Takes the next step of a path: *at begins at the path and moves on. A key may hold spaces without being quoted.
kane_path_step kane_path_next(const char *path, const char **at);

#endif
