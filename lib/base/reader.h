// SPDX-License-Identifier: MIT
// From nodes to C structs, by schemas (kane/input.h). All errors are reported, in the order of the file.

#ifndef KANE_BASE_READER_H
#define KANE_BASE_READER_H

#include "base/node.h"

// One thing that a variant key may name.
typedef struct kane_option {
    const char *name;
    const kane_schema *schema; // of its keys; NULL: it has none
    const void *tag;
} kane_option;

// All things that the variant keys of one name may name.
typedef struct kane_options {
    const char *key; // detail of the key if it has one, else its name
    const kane_option *options;
    int count;
} kane_options;

enum { KANE_PARTS_MOST = 8 }; // schemas that may describe one object

typedef struct kane_reader {
    kane_arena *arena;   // for structs, lists, texts
    kane_errors *errors; // not NULL
    const kane_options *variants;
    int variant_count;
    int fault_count; // found so far; start from 0
    int no_memory;   // 1 after an allocation has failed; start from 0
} kane_reader;

// KANE_NO_MEMORY, KANE_BAD_INPUT or KANE_OK: of all that was read so far.
kane_status kane_reader_status(const kane_reader *reader);

// The choices of a variant key, NULL if the context has none.
const kane_options *kane_options_find(const kane_options *variants, int count, const kane_key *key);

// Fills structs from one object, one for each schema (KANE_PARTS_MOST of them); a key may belong to any of them. Structs
// must be zero.
kane_status kane_reader_fill(kane_reader *reader, const kane_node *node, const kane_schema *const *schemas,
                             void *const *structs, int count);

// Allocates a struct and fills it. NULL if anything is wrong.
void *kane_reader_make(kane_reader *reader, const kane_node *node, const kane_schema *schema);

// For what was taken as KANE_KEY_RAW: a quantity, or a list of them, with the errors that a key of that unit and range
// would give. 1 if it is right.
int kane_reader_number(kane_reader *reader, const kane_node *node, const char *unit, kane_range range, double *value);
int kane_reader_numbers(kane_reader *reader, const kane_node *node, const char *unit, kane_range range,
                        kane_numbers *numbers);

// Adds an error at a place, once: a pattern that is wrong is wrong for all that are like it.
void kane_reader_report(kane_reader *reader, kane_place place, const char *format, ...) KANE_PRINTF(3, 4);

// Reports what a text cannot have: control characters and what else kane_text_printable does not take. what: "a name".
void kane_reader_check_text(kane_reader *reader, kane_place place, const char *what, const char *text);

// Says "found ..., expected ..." of a value.
void kane_reader_wrong_kind(kane_reader *reader, const kane_node *node, const char *expected);

// Is it a "note" as every object may have one: a text or a list of texts?
int kane_reader_is_note(const kane_node *node);

void kane_reader_no_memory(kane_reader *reader, kane_place place);

#endif
