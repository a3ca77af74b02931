// SPDX-License-Identifier: MIT
// Names in C, C++, Python, Modelica and Octave.

#ifndef KANE_BASE_IDENTIFIER_H
#define KANE_BASE_IDENTIFIER_H

#include <stddef.h>

// Whether a name is a letter with letters, digits and _ behind it.
int kane_identifier_valid(const char *name);

// Whether a name belongs to one of the languages, to the headers of C or to libkane. All names in capitals do: macros have them.
int kane_identifier_reserved(const char *name);

// The name of a file, without folders and what follows the first dot, as a valid name: "runs/1 wagon-a.json" -> "m1_wagon_a". It may be
// reserved.
void kane_identifier_of_file(const char *file, size_t size, char *name);

#endif
