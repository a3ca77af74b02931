// SPDX-License-Identifier: MIT
// A JSON document in memory: a tree of values, each of which knows where it was typed.

#ifndef KANE_BASE_NODE_H
#define KANE_BASE_NODE_H

#include <kane/base.h>
#include <kane/input.h>

#include "base/arena.h"
#include "base/names.h"

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

// A child by its place in the order of the file, NULL if there is none.
kane_node *kane_node_at(const kane_node *parent, int index);

// The text of a text, NULL of other values. What was typed outside of a file without quotes may look like a number and
// still be meant as a word: --set rail.profile=60E1.
const char *kane_node_word(const kane_node *node);

// Where the key of a value stands; the value itself if it has no key.
kane_place kane_node_key_place(const kane_node *node);

// Adds a child at the end.
void kane_node_append(kane_node *parent, kane_node *child);

// Puts a value in the place of a child.
void kane_node_replace(kane_node *old, kane_node *value);

// Adds what a value is, for messages: "the text 'abc'", "the number 5", "true", "a list", "an object", "null".
void kane_node_describe(kane_text *text, const kane_node *node);

// The keys of an object, for "did you mean"; none for other values. Memory from the arena; first is NULL without.
kane_names kane_node_keys(kane_arena *arena, const kane_node *object);

#endif
