// SPDX-License-Identifier: MIT
// "like": what an object takes from a pattern.

#ifndef KANE_BASE_INHERIT_H
#define KANE_BASE_INHERIT_H

#include "base/node.h"

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

#endif
