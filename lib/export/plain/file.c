// SPDX-License-Identifier: MIT
// What exported models have in place of lib/base/file.c: what reads files when a run is read is never called there.
//
// Not part of libkane.

#include "base/file.h"

char *kane_file_read(kane_arena *arena, const char *name, size_t *length, kane_errors *errors)
{
    (void)arena;
    (void)length;
    kane_errors_add(errors, KANE_NO_FILE, "%s: an exported model reads no files", name);
    return NULL;
}

const char *kane_file_beside(kane_arena *arena, const char *file, const char *name)
{
    (void)arena;
    (void)file;
    (void)name;
    return NULL;
}
