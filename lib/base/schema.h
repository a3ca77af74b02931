// SPDX-License-Identifier: MIT
// Schemas and reference pages, made from the tables of the readers.

#ifndef KANE_BASE_SCHEMA_H
#define KANE_BASE_SCHEMA_H

#include "base/document.h"
#include "base/json.h"

#include <stdio.h>

// === What can be made of schemas besides reading with them: a JSON schema for editors, a reference page, and a check
// that the tables themselves are right.

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

// === All schemas that a document is made of, each once.

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

// === The two halves of writing a JSON schema: objects (schema_json.c) and the values of keys (schema_json_value.c).

typedef struct kane_schema_writer {
    kane_writer w;
    const kane_grammar *grammar;
    const kane_schema_entry *list;
    kane_arena *arena;
    char nothing[4]; // in the place of a text where there is no memory
} kane_schema_writer;

// One key with its value, default and description.
void kane_schema_write_key(kane_schema_writer *s, const kane_key *key);

// The definitions that every document uses: _quantity, _positive, _not_negative, _fraction, _note, _like; and of units:
// what expressions measure (_measure_0 ...), and which of that may not stand where a unit is wanted (_in_N_per_m ...).
void kane_schema_write_basics(kane_schema_writer *s);

// The definition _pattern: what any object may take from there. Values of a key are those of some key of that name;
// keys of objects, which may be given in part, are not looked into.
void kane_schema_write_pattern(kane_schema_writer *s);

// A reference to one of them.
void kane_schema_write_basic(kane_schema_writer *s, const char *key, const char *name);

// Adds the name of the definition of a schema.
void kane_schema_definition_name(kane_text *text, const char *name);

const kane_options *kane_schema_options(const kane_schema_writer *s, const kane_key *key);

#endif
