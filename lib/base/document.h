// SPDX-License-Identifier: MIT
// Whole documents: a file that says what it is, "kane": "vehicle 1", and is read into the struct of its schema.

#ifndef KANE_BASE_DOCUMENT_H
#define KANE_BASE_DOCUMENT_H

#include "base/reader.h"

// One kind of document.
typedef struct kane_format {
    const char *kind;          // as it stands in "kane"
    int oldest, newest;        // versions that can be read
    const kane_schema *schema; // of the newest
} kane_format;

// All kinds of document that there are, so that a file of another kind is called by its name.
typedef struct kane_formats {
    const kane_format *formats;
    int count;
} kane_formats;

// The tree of a file after all settings ("PATH=VALUE", NULL-terminated, or NULL for none) and with what its objects
// inherit. NULL if there is no tree. A tree in which errors were found is given too, so that reading it can find the
// others; kane_document_read knows of them.
kane_node *kane_document_open(kane_arena *arena, const char *file, const char *const *settings, kane_errors *errors);

// The same in two steps, for who has to do something in between: the tree as it was typed (NULL if there is none), and
// settings and inheritance (NULL if memory is short).
kane_node *kane_document_load(kane_arena *arena, const char *file, kane_errors *errors);
kane_node *kane_document_complete(kane_arena *arena, kane_node *root, const char *const *settings, kane_errors *errors);

// The same for a text in memory (text[length] is 0) that messages call `name`.
kane_node *kane_document_parse(kane_arena *arena, const char *name, const char *text, size_t length,
                               const char *const *settings, kane_errors *errors);

// Checks what the document says that it is, and reads it by its schema. Returns the struct of the schema, or NULL if
// anything in the document is wrong. A document of another kind is not read any further. *version may be NULL.
void *kane_document_read(kane_reader *reader, const kane_node *root, kane_formats formats, const char *kind,
                         int *version);

// What every document may say of itself: "kane", "$schema", "patterns".
extern const kane_schema kane_document_head;

#endif
