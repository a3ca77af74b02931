// SPDX-License-Identifier: MIT
// All schemas that a document is made of, each once.

#ifndef KANE_BASE_SCHEMA_LIST_H
#define KANE_BASE_SCHEMA_LIST_H

#include "base/schema.h"

typedef struct kane_schema_entry {
    const kane_schema *schema;
    const char *name;      // its own name, with a number if another schema has the same
    const char *choice_of; // key that chooses it; NULL: none does
    int is_object;         // does it describe an object of its own?
    struct kane_schema_entry *next;
} kane_schema_entry;

// The schemas of a document, the document itself first, then in the order in which they are mentioned. NULL without
// memory.
const kane_schema_entry *kane_schema_list(kane_arena *arena, const kane_grammar *grammar);

const kane_schema_entry *kane_schema_list_find(const kane_schema_entry *list, const kane_schema *schema);

// A default is JSON or a word without its quotes: is it a word?
int kane_schema_default_is_text(const kane_key *key);

#endif
