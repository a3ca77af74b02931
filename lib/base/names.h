// SPDX-License-Identifier: MIT
// Names that people type: looked up exactly, and when they are wrong, "did you mean".

#ifndef KANE_BASE_NAMES_H
#define KANE_BASE_NAMES_H

#include <kane/base.h>

#include "base/text.h"

// The search for the known name that is nearest to a wanted one: start, offer every known name, ask.
typedef struct kane_near {
    const char *wanted;
    const char *best; // NULL: nothing is near enough
    int distance;
} kane_near;

kane_near kane_near_start(const char *wanted);
void kane_near_offer(kane_near *near, const char *name);

// Edits between two names: insertions, deletions, replacements, swaps of neighbours (Damerau-Levenshtein, each place
// edited once). Upper and lower case are the same, and so are space, '_' and '-'.
int kane_names_distance(const char *a, const char *b);

// `count` names: pointers to text that stand `stride` bytes apart, so that both an array of texts and an array of
// structs that begin with their name (kane_block) will do.
typedef struct kane_names {
    const void *first;
    int count;
    size_t stride;
} kane_names;

const char *kane_names_get(kane_names names, int index);

// Whether a pattern as of file names (*, ?, [ab], \ before a character that stands for itself) means a name. A name that is typed
// in full always means itself, whatever is in it.
int kane_name_matches(const char *pattern, const char *name);

// Index of a name, -1 if there is none.
int kane_names_find(kane_names names, const char *wanted);

// The same with an error at `place` if there is none:  no body is called 'bodi'; did you mean 'body'? known: ...
int kane_names_resolve(kane_names names, const char *noun, const char *wanted, kane_place place, kane_errors *errors);

// Adds  did you mean 'x'? known: a, b, c  (or a part of it, of long lists the beginning) to a message.
void kane_names_hint(kane_text *text, kane_names names, const char *wanted);

// New names of a key or a value of a file that was called `old` before the first release, one after the other; start with *next = 0.
// NULL: there is no further one. Which of them is meant, the object that has the key knows.
const char *kane_names_renamed_key(const char *old, int *next);
const char *kane_names_renamed_value(const char *old, int *next);

#endif
