// SPDX-License-Identifier: MIT
// What can be made of schemas besides reading with them: a JSON schema for editors, a reference page, and a check that
// the tables themselves are right.

#ifndef KANE_BASE_SCHEMA_H
#define KANE_BASE_SCHEMA_H

#include "base/document.h"

#include <stdio.h>

// A kind of document with all that its variant keys may name.
typedef struct kane_grammar {
    const kane_format *format;
    const kane_options *variants;
    int variant_count;
} kane_grammar;

// Writes the JSON schema of a document (draft-07, the one that editors know best). KANE_NO_FILE, KANE_NO_MEMORY.
kane_status kane_schema_write(const kane_grammar *grammar, FILE *file);

// Writes the reference page in Markdown: one table for each kind of object.
kane_status kane_schema_write_reference(const kane_grammar *grammar, FILE *file);

// Checks the tables: units, defaults, offsets, details, names that are used twice. KANE_BAD_ARGUMENT with errors.
kane_status kane_schema_check(const kane_grammar *grammar, kane_errors *errors);

#endif
