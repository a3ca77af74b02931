// SPDX-License-Identifier: MIT
// Writes JSON: indented, numbers with all their digits, always valid.

#ifndef KANE_BASE_WRITER_H
#define KANE_BASE_WRITER_H

#include <kane/base.h>

#include <stdio.h>

enum { KANE_WRITER_DEEPEST = 128 };

// In every call key is the key in an object, NULL in a list and for the outermost value. Errors of the file are kept by
// stdio until the end.
typedef struct kane_writer {
    FILE *file;
    int is_cut; // 1: something could not be written
    int depth;
    struct {
        char close; // bracket that ends it
        int count;  // values so far
        int row;    // all on one line?
    } open[KANE_WRITER_DEEPEST];
} kane_writer;

kane_writer kane_writer_start(FILE *file);

// Begins the outermost object of a document with what every one says of itself: "kane": kind ("plan 1"), the library's
// version and commit.
void kane_writer_document(kane_writer *w, const char *kind);

// An object '{' or a list '[', and its end. A row is a list on one line.
void kane_writer_open(kane_writer *w, const char *key, char bracket);
void kane_writer_row(kane_writer *w, const char *key);
void kane_writer_close(kane_writer *w);

void kane_writer_text(kane_writer *w, const char *key, const char *text); // what is not UTF-8 becomes U+FFFD
void kane_writer_number(kane_writer *w, const char *key, double value);   // reads back the same; null if not finite
void kane_writer_count(kane_writer *w, const char *key, long long value); //
void kane_writer_switch(kane_writer *w, const char *key, int on);         // true or false
void kane_writer_json(kane_writer *w, const char *key, const char *json); // what is JSON already

// Ends the text with a line break. KANE_NO_FILE if anything could not be written.
kane_status kane_writer_end(kane_writer *w);

#endif
