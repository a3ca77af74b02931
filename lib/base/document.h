// SPDX-License-Identifier: MIT
// Documents: JSON read by a table of keys.

#ifndef KANE_BASE_DOCUMENT_H
#define KANE_BASE_DOCUMENT_H

#include "base/json.h"

// === From nodes to C structs, by schemas (kane/input.h). All errors are reported, in the order of the file.

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

// Fills structs from one object, one for each schema (KANE_PARTS_MOST of them); a key may belong to any of them.
// Structs must be zero.
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

// The same at a key of a block (NULL: at the block); only if the block has the key.
void kane_reader_fault(kane_reader *reader, const kane_block *block, const char *key, const char *format, ...)
    KANE_PRINTF(4, 5);
void kane_reader_forbid(kane_reader *reader, const kane_block *block, const char *key, const char *format, ...)
    KANE_PRINTF(4, 5);

// Adds an error at a key of a block (NULL: at the block). Returns KANE_BAD_INPUT.
kane_status kane_block_fault(kane_errors *errors, const kane_block *block, const char *key, const char *format, ...)
    KANE_PRINTF(4, 5);

// Reports what a text cannot have: control characters and what else kane_text_printable does not take. what: "a name".
void kane_reader_check_text(kane_reader *reader, kane_place place, const char *what, const char *text);

// Says "found ..., expected ..." of a value.
void kane_reader_wrong_kind(kane_reader *reader, const kane_node *node, const char *expected);

// Is it a "note" as every object may have one: a text or a list of texts?
int kane_reader_is_note(const kane_node *node);

void kane_reader_no_memory(kane_reader *reader, kane_place place);

// === Single values of a key: numbers, texts, choices, and lists of them.

// Reads a value of any kind but objects, lists and maps of objects and variants into the member at `member`.
void kane_reader_value(kane_reader *reader, const kane_key *key, const kane_node *node, void *member);

// Nothing that is measured in SI units is larger, and products of such numbers are still finite.
#define KANE_READER_LARGEST 1e60

// === Whole documents: a file that says what it is, "kane": "vehicle 1", and is read into the struct of its schema.

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

// The same in two steps, for a caller with work in between: the tree as it was typed (NULL if there is none), and
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
