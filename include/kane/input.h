// SPDX-License-Identifier: MIT
// Tables that say what a user can type. One table serves the reader, the JSON schema, the help text and the reference
// page; a user-defined force law (kane/force.h) brings its parameters as such a table too.
//
// A *schema* describes one JSON object: its keys, and where their values go in a C struct. Every struct that is read
// through a schema begins with a kane_block, so that a later check can still point at the line that was typed.
//
// Two keys are welcome in every object without being in a schema: "note" holds a text or a list of texts that is not
// reads, and "like" names a pattern from which the object takes the keys that it has not.

#ifndef KANE_INPUT_H
#define KANE_INPUT_H

#include <kane/base.h>
#include <kane/math.h>

KANE_C_BEGIN

// A value in an input file as it was typed; opaque.
typedef struct kane_node kane_node;

// First member of every struct that a schema fills.
typedef struct kane_block {
    const char *name;      // its name in a map, "" elsewhere
    const kane_node *node; // where it was typed; NULL: it was not given
} kane_block;

// What a list, a map or a row of numbers becomes. The memory belongs to the reader.
typedef struct kane_items {
    void *items; // count structs of the detail's schema, in the order of the file
    int count;
} kane_items;

typedef struct kane_numbers {
    const double *values;
    int count;
} kane_numbers;

typedef struct kane_texts {
    const char *const *values;
    int count;
} kane_texts;

// What a key becomes whose text chooses the schema of further keys in the same object, e.g. the law of an element. The
// choices are known when the file is read, not when the table is written: users bring laws of their own.
typedef struct kane_variant {
    const char *name; // as typed; NULL: not given
    const void *tag;  // meaning of the choice, e.g. its kane_law
    void *value;      // struct of its schema, filled; NULL if it has no schema
} kane_variant;

typedef enum kane_key_kind {
    KANE_KEY_NUMBER,  // double          number, or text with a unit: 1.2e6, "1.2 MN/m", "1:40", "3 permille"
    KANE_KEY_VECTOR,  // kane_vec3       list of three such numbers
    KANE_KEY_NUMBERS, // kane_numbers    list of any length; with detail KANE_OR_ONE a number alone, too
    KANE_KEY_COUNT,   // int             whole number
    KANE_KEY_TEXT,  // const char *    text; NULL if not given and without default; with detail KANE_A_FILE names a file
    KANE_KEY_TEXTS, // kane_texts      list of texts
    KANE_KEY_CHOICE,  // int             one text of detail (a NULL-terminated list of texts): its index
    KANE_KEY_SWITCH,  // int             true or false
    KANE_KEY_OBJECT,  // struct          an object of schema detail, embedded
    KANE_KEY_LIST,    // kane_items      a list of objects of schema detail
    KANE_KEY_MAP,     // kane_items      an object whose keys are names of objects of schema detail
    KANE_KEY_VARIANT, // kane_variant    text that chooses a schema of further keys; detail: name of the set of choices
                      //                 (const char *), NULL if it is the name of the key
    KANE_KEY_RAW      // const kane_node *   anything; read later by the module that knows it; NULL if not given
} kane_key_kind;

typedef enum kane_range {
    KANE_ANY,          // every finite number
    KANE_POSITIVE,     // > 0
    KANE_NOT_NEGATIVE, // >= 0
    KANE_FRACTION,     // 0 .. 1
    KANE_OR_INFINITE   // any, and "inf": the radius of a straight
} kane_range;

typedef enum kane_presence { KANE_OPTIONAL, KANE_REQUIRED } kane_presence;

// Detail of NUMBERS: a number alone is a list of one, as where one is for both sides.
#define KANE_OR_ONE ((const void *)"or one number")

// Detail of TEXT: the name of a file, relative to the file in which it was typed; a run's manifest holds its hash.
#define KANE_A_FILE ((const void *)"a file")

typedef struct kane_key {
    const char *name;       // as typed
    kane_key_kind kind;     //
    kane_presence presence; //
    const char *otherwise;  // default, as one would type it after --set KEY=; NULL: zero, or "not given"
    const char *unit;       // SI unit of a quantity, "1" for a pure number, NULL where there is none
    kane_range range;       // of a number, or of every component
    size_t offset;          // of the member in the struct
    const void *detail;     // kane_schema of an object, list or map; texts of a choice; KANE_OR_ONE of NUMBERS,
                            // KANE_A_FILE of TEXT
    const char *help;       // one line for the reference page
} kane_key;

typedef struct kane_schema {
    const char *name; // of the object, for the schema and the reference page
    const char *help; // one or two sentences
    size_t size;      // of the struct [bytes]
    const kane_key *keys;
    int key_count;
} kane_schema;

// A row of a table of keys:  KANE_KEY(my_struct, mass, NUMBER, REQUIRED, NULL, "kg", POSITIVE, NULL, "mass")
#define KANE_KEY(type, member, kind_, presence_, otherwise_, unit_, range_, detail_, help_)                            \
    KANE_KEY_NAMED(type, member, #member, kind_, presence_, otherwise_, unit_, range_, detail_, help_)

// The same for a key that is not called as its member:  KANE_KEY_NAMED(my_struct, is_mirrored, "mirror", SWITCH, ...)
#define KANE_KEY_NAMED(type, member, name_, kind_, presence_, otherwise_, unit_, range_, detail_, help_)               \
    {                                                                                                                  \
        (name_), KANE_KEY_##kind_, KANE_##presence_, (otherwise_), (unit_), KANE_##range_, offsetof(type, member),     \
            (detail_), (help_)                                                                                         \
    }

// A whole schema from a table of keys.
#define KANE_SCHEMA(type, name_, keys_, help_)                                                                         \
    {                                                                                                                  \
        (name_), (help_), sizeof(type), (keys_), (int)(sizeof(keys_) / sizeof((keys_)[0]))                             \
    }

// Place of a block, or of the value of one of its keys (key NULL: the block itself). A key that was not typed gives
// the place of the block. index >= 0 takes an element of a list, -1 the value itself.
KANE_API kane_place kane_block_place(const kane_block *block, const char *key, int index);

// 1 if a key of the block was typed (or inherited from a pattern), 0 if it has its default.
KANE_API int kane_block_has(const kane_block *block, const char *key);

KANE_C_END

#endif
