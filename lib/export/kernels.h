// SPDX-License-Identifier: MIT
// The part of libkane that a model needs: from functions and constants that are asked for, everything that they use, as few files
// of C that need no others.

#ifndef KANE_EXPORT_KERNELS_H
#define KANE_EXPORT_KERNELS_H

#include "export/symbols.h"

typedef struct kane_kernels kane_kernels;

// Takes all sources in a folder apart. NULL with an error.
kane_kernels *kane_kernels_read(kane_arena *arena, const char *folder, kane_errors *errors);

// Whether a name begins what functions of a source are called where they become visible: "track_eval".
int kane_kernels_have_stem(const kane_kernels *kernels, const char *name);

// Asks for a function or a constant. It becomes visible outside its file; the name that it has there then, or NULL with an error: there
// is none in the sources, or more than one.
const char *kane_kernels_ask(kane_kernels *kernels, const char *name, const char *file, kane_errors *errors);

// Writes DIR/kernels*.c; all that is asked for has been. Files whose compiler is to be told more than others have `flags`.
typedef struct kane_kernel_file {
    const char *name, *flags; // "kernels 3", as a file of C; "-fno-tree-slp-vectorize"
} kane_kernel_file;

// NULL with an error.
const kane_kernel_file *kane_kernels_write(kane_kernels *kernels, const char *directory, int *count,
                                           kane_errors *errors);

#endif
