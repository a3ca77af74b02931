// SPDX-License-Identifier: MIT
// Files that a user names: their whole text, and where a name leads that stands in another file.

#ifndef KANE_BASE_FILE_H
#define KANE_BASE_FILE_H

#include <kane/base.h>

#include "base/arena.h"

// The text of a whole file, terminated; its length [bytes] if `length` is not NULL. Returns NULL with an error if the file
// cannot be read or memory is short.
char *kane_file_read(kane_arena *arena, const char *name, size_t *length, kane_errors *errors);

// A file name as it stands in a file: relative names are relative to that file. NULL without memory.
const char *kane_file_beside(kane_arena *arena, const char *file, const char *name);

#endif
