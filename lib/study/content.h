// SPDX-License-Identifier: MIT
// What the plan of a transition study says of itself.

#ifndef KANE_STUDY_CONTENT_H
#define KANE_STUDY_CONTENT_H

#include "study/comparison.h"

#include "base/writer.h"
#include "run/inputs.h"

typedef struct content {
    char *text; // of free()
    size_t size;
    FILE *file;
    kane_writer w;
} content;

// Begins the text: kind, run with the hashes of its files, settings, omissions, sections, criteria, shapes.
// 0 without memory.
int content_begin(content *t, const char *kind, const comparison *c, const kane_inputs *inputs);

// Ends it; NULL without memory. To be freed with content_free in any case.
const char *content_end(content *t);
void content_free(content *t);

#endif
