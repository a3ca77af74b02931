// SPDX-License-Identifier: MIT
// Texts within files of other languages.

#ifndef KANE_BASE_MARKUP_H
#define KANE_BASE_MARKUP_H

#include <stdio.h>

// Text of an element or an attribute of XML, HTML or SVG: what has a meaning there as an entity, what cannot be printed as U+FFFD.
void kane_write_markup(FILE *file, const char *text);

// Text within a comment that ends with its line, in C, C++, Python, Octave, Modelica or a makefile. What cannot be printed is \x1b, and so
// is what would continue the line: a last \, or ??/.
void kane_write_comment(FILE *file, const char *text);

#endif
