// SPDX-License-Identifier: MIT
// The two halves of writing a JSON schema: objects (schema_json.c) and the values of keys (schema_json_value.c).

#ifndef KANE_BASE_SCHEMA_JSON_H
#define KANE_BASE_SCHEMA_JSON_H

#include "base/schema_list.h"
#include "base/writer.h"

typedef struct kane_schema_writer {
    kane_writer w;
    const kane_grammar *grammar;
    const kane_schema_entry *list;
    kane_arena *arena;
    char nothing[4]; // in the place of a text where there is no memory
} kane_schema_writer;

// One key with its value, default and description.
void kane_schema_write_key(kane_schema_writer *s, const kane_key *key);

// The definitions that every document uses: _quantity, _positive, _not_negative, _fraction, _note, _like; and of units: what expressions
// measure (_measure_0 ...), and which of that may not stand where a unit is wanted (_in_N_per_m ...).
void kane_schema_write_basics(kane_schema_writer *s);

// The definition _pattern: what any object may take from there. Values of a key are those of some key of that name; keys of objects,
// which may be given in part, are not looked into.
void kane_schema_write_pattern(kane_schema_writer *s);

// A reference to one of them.
void kane_schema_write_basic(kane_schema_writer *s, const char *key, const char *name);

// Adds the name of the definition of a schema.
void kane_schema_definition_name(kane_text *text, const char *name);

const kane_options *kane_schema_options(const kane_schema_writer *s, const kane_key *key);

#endif
