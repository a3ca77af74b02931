// SPDX-License-Identifier: MIT
// An image as tables of C: what stays as it is as constants, what is written to as a list of what it begins with.

#ifndef KANE_EXPORT_TABLES_H
#define KANE_EXPORT_TABLES_H

#include "export/image.h"
#include "export/kernels.h"

#include <stdio.h>

// A text as a literal of C.
void kane_export_text(FILE *file, const char *text);

// Where pieces of the image are.
typedef struct kane_layout {
    const size_t *place;  // of every piece, in the constants or in the memory of an instance [byte]
    size_t fixed, memory; // sizes [bytes]
} kane_layout;

// NULL without memory.
const kane_layout *kane_layout_make(kane_arena *arena, const kane_image *image);

// Asks for all functions and constants that the image points to, and writes tables and the function
//   void NAME_fill(void *memory)
// which makes an instance; NAME_fixed is where the constants are. 0 with an error.
int kane_tables_write(FILE *file, const char *name, const kane_image *image, const kane_layout *layout,
                      kane_kernels *kernels, kane_errors *errors);

#endif
