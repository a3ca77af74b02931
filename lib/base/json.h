// SPDX-License-Identifier: MIT
// JSON text to a tree of nodes, and values set from outside of a file. The errors argument must not be NULL here.

#ifndef KANE_BASE_JSON_H
#define KANE_BASE_JSON_H

#include "base/node.h"

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
// pattern, or of an object of the document itself that was left out; anything else must exist. [*] stands for every element of a list
// that has what the rest of the path leads to. Messages give
// "--set PATH=VALUE" as the place of the value from then on. A path may begin with the kind of the document, "vehicle.".
kane_status kane_json_assign(kane_arena *arena, kane_node *root, const char *assignment, kane_errors *errors);

// The same where the assignment is a part of what was typed after --set, which messages give.
kane_status kane_json_assign_part(kane_arena *arena, kane_node *root, const char *assignment, const char *typed,
                                  kane_errors *errors);

// The same for a text that stands in a file: messages give its line and column.
kane_status kane_json_assign_from(kane_arena *arena, kane_node *root, const kane_node *text, kane_errors *errors);

// The number that a path leads to, as kane_json_assign would change it, of a document with settings and inheritance, in SI units;
// behind [*] all must be the same. `place`: of messages. KANE_BAD_INPUT with an error where there is none, or no number.
kane_status kane_json_number(const kane_node *root, const char *path, kane_place place, double *value,
                             kane_errors *errors);

// Decodes a JSON text literal of that length, quotes included. KANE_BAD_ARGUMENT if it is no text, or does not fit into the
// buffer.
kane_status kane_json_literal(const char *literal, size_t length, size_t size, char *buffer);

#endif
