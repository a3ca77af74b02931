// SPDX-License-Identifier: MIT
// JSON: values with their places, reading and writing, paths to a value, patterns that objects are like.

#ifndef KANE_BASE_JSON_H
#define KANE_BASE_JSON_H

#include <kane/base.h>
#include <kane/input.h>

#include "base/arena.h"
#include "base/text.h"

#include <stdio.h>

// === A JSON document in memory: a tree of values, each of which knows where it was typed.

typedef enum kane_node_kind {
    KANE_NODE_NULL,
    KANE_NODE_FALSE,
    KANE_NODE_TRUE,
    KANE_NODE_NUMBER,
    KANE_NODE_TEXT,
    KANE_NODE_LIST,
    KANE_NODE_OBJECT
} kane_node_kind;

struct kane_node {
    kane_node_kind kind;
    const char *key;  // in an object; "" elsewhere
    const char *text; // of a text; of a number: as it was typed; "" elsewhere
    double number;    // of a number
    int count;        // of children
    kane_node *child; // first one
    kane_node *last;  // last one
    kane_node *next;  // of the same parent
    kane_node *parent;
    kane_place place;         // of the value
    int key_line, key_column; // of its key, 0 if it has none
    int depth;                // brackets around it
    int is_outside;           // was it typed outside of a file, or is it a default?
    int is_incomplete;        // of an object: a pattern that it is like could not be found
    int fault_count;          // of the root: errors that were found while the tree was made
    int state;                // of a pattern, while inheritance is worked out (base/inherit.c)
};

// The child of an object with that key (case matters), NULL if there is none or if it is no object.
kane_node *kane_node_find(const kane_node *object, const char *key);

// The text of a key; `otherwise` if there is none (object may be NULL).
const char *kane_node_text(const kane_node *object, const char *key, const char *otherwise);

// A child by its place in the order of the file, NULL if there is none.
kane_node *kane_node_at(const kane_node *parent, int index);

// The text of a text, NULL of other values. What was typed outside of a file without quotes may look like a number and
// still be meant as a word: --set rail.profile=60E1.
const char *kane_node_word(const kane_node *node);

// Place of a value's key; that of the value if it has no key.
kane_place kane_node_key_place(const kane_node *node);

// Adds a child at the end.
void kane_node_append(kane_node *parent, kane_node *child);

// Puts a value in the place of a child.
void kane_node_replace(kane_node *old, kane_node *value);

// Adds what a value is, for messages: "the text 'abc'", "the number 5", "true", "a list", "an object", "null".
void kane_node_describe(kane_text *text, const kane_node *node);

// The keys of an object, for "did you mean"; none for other values. Memory from the arena; first is NULL without.
kane_names kane_node_keys(kane_arena *arena, const kane_node *object);

// === Paths to a value inside a document: bodies.body.mass, sections[2].shape, sections[*].shape, elements."leading
// axlebox".law

// The path of a child: of a key (written as a JSON text if it holds a space, a dot or anything else that could be
// misread), or of element `index` of a list (key NULL). NULL without memory.
const char *kane_path_join(kane_arena *arena, const char *parent, const char *key, int index);

typedef enum kane_path_kind {
    KANE_PATH_END,
    KANE_PATH_KEY,
    KANE_PATH_INDEX,
    KANE_PATH_EACH,  // [*], every element of a list
    KANE_PATH_WRONG, // nothing sensible
    KANE_PATH_NO_MEMORY
} kane_path_kind;

enum { KANE_PATH_KEY_SIZE = 128 }; // longest key in a path that is typed, with its 0 [bytes]

// One step of a path that was typed.
typedef struct kane_path_step {
    kane_path_kind kind;
    char key[KANE_PATH_KEY_SIZE];
    int index;
} kane_path_step;

// Takes the next step of a path: *at begins at the path and moves on. A key may hold spaces without being quoted.
kane_path_step kane_path_next(const char *path, const char **at);

// === JSON text to a tree of nodes, and values set from outside of a file. The errors argument must not be NULL here.

// Reads a text (text[length] is 0) that messages call `name`. Returns NULL with an error if it is not strictly JSON.
// A key that stands twice in an object is an error too, but the tree is made (with the first one), so that what else
// is wrong can be reported together: ask errors->count.
kane_node *kane_json_parse(kane_arena *arena, const char *name, const char *text, size_t length, kane_errors *errors);

// The same from a file.
kane_node *kane_json_read(kane_arena *arena, const char *file, kane_errors *errors);

// A value that was not typed in a file: JSON if it is, else a text as it stands (but what begins like an object, a list
// or a text in quotes must be one). It and all it holds stand at `place`, which also says its path; key and depth are
// those it will have in its parent.
kane_status kane_json_value(kane_arena *arena, const char *text, kane_place place, const char *key, int depth,
                            kane_node **value, kane_errors *errors);

// What `--set PATH=VALUE` does. The path may create the last key of an object that exists or that is inherited from a
// pattern, or of an object of the document itself that was left out; anything else must exist. [*] stands for every
// element of a list that has what the rest of the path leads to. Messages give "--set PATH=VALUE" as the place of the
// value from then on. A path may begin with the kind of the document, "vehicle.".
kane_status kane_json_assign(kane_arena *arena, kane_node *root, const char *assignment, kane_errors *errors);

// The same where the assignment is a part of what was typed after --set, which messages give.
kane_status kane_json_assign_part(kane_arena *arena, kane_node *root, const char *assignment, const char *typed,
                                  kane_errors *errors);

// The same for a text in a file: messages give its line and column.
kane_status kane_json_assign_from(kane_arena *arena, kane_node *root, const kane_node *text, kane_errors *errors);

// Whether the path of an assignment begins with this key of the document.
int kane_json_assigns(kane_arena *arena, const kane_node *root, const char *assignment, const char *key);

// The number that a path leads to, as kane_json_assign would change it, of a document with settings and inheritance, in
// SI units; behind [*] all must be the same. `place`: of messages. KANE_BAD_INPUT with an error where there is none, or
// no number.
kane_status kane_json_number(const kane_node *root, const char *path, kane_place place, double *value,
                             kane_errors *errors);

// Decodes a JSON text literal of that length, quotes included. KANE_BAD_ARGUMENT if it is no text, or does not fit into
// the buffer.
kane_status kane_json_literal(const char *literal, size_t length, size_t size, char *buffer);

// === "like": what an object takes from a pattern.

// Wherever an object of the document says "like": "name", adds the keys that it has not from the object of that name in
// "patterns" (at the root of the document). Objects within both are merged likewise; any other value of its own stands
// instead of the pattern's. A pattern may itself be like another one. What is inherited keeps its place in the pattern;
// a "note" is not inherited. Errors: an unknown pattern, a pattern that is like itself, patterns that are no objects.
kane_status kane_inherit(kane_arena *arena, kane_node *root, kane_errors *errors);

// Before that: the value that an object would inherit for a key, NULL if none.
const kane_node *kane_inherit_find(const kane_node *root, const kane_node *object, const char *key);

// A copy of a value and all it holds, at the same places, for a parent at that depth. NULL without memory, and if the
// copy would be too deep or too large; limit counts values down.
kane_node *kane_inherit_copy(kane_arena *arena, const kane_node *node, int depth, int *limit);

enum { KANE_INHERIT_MOST = 200000 }; // values that a document may inherit

// === Writes JSON: indented, numbers with all their digits, always valid.

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

void kane_write_texts(kane_writer *w, const char *key, int count, const char *const *texts); // a row of them
void kane_write_numbers(kane_writer *w, const char *key, int count, const double *values);   // likewise
void kane_write_counts(kane_writer *w, const char *key, int count, const int *values);       // likewise

// Ends the text with a line break. KANE_NO_FILE if anything could not be written.
kane_status kane_writer_end(kane_writer *w);

#endif
