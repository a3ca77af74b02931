// SPDX-License-Identifier: MIT
// What users of an exported model see: a header, the functions behind it, a makefile, an example.

#ifndef KANE_EXPORT_FACE_H
#define KANE_EXPORT_FACE_H

#include <kane/simulate.h>

#include "export/kernels.h"

#include <stdio.h>

typedef struct kane_face {
    const char *name, *run; // what names begin with; the run file
    const kane_simulation *simulation;
    const kane_channels *channels;
    size_t memory;                                        // of an instance [bytes]
    size_t simulation_at, channels_at, work_at, model_at; // places; that of the model in the constants [byte]
    int kernel_count;
    const kane_kernel_file *kernels;
} kane_face;

// Asks for the functions of libkane that are called. 0 with an error.
int kane_face_ask(const kane_face *face, kane_kernels *kernels, kane_errors *errors);

void kane_face_write_header(FILE *file, const kane_face *face);
void kane_face_write_source(FILE *file, const kane_face *face);
void kane_face_write_example(FILE *file, const kane_face *face);
void kane_face_write_makefile(FILE *file, const kane_face *face);

#endif
