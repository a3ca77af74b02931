// SPDX-License-Identifier: MIT
// Sources of libkane taken apart: what stands at the top level of a file, what each part defines and which names it uses.
//
// This is no parser of C. It knows what every C file is made of at its top level (directives, declarations, functions), and that
// clang-format has written it.

#ifndef KANE_EXPORT_SOURCE_H
#define KANE_EXPORT_SOURCE_H

#include <kane/base.h>

#include "base/arena.h"

// Texts by number, each once.
typedef struct kane_words kane_words;
kane_words *kane_words_create(kane_arena *arena); // NULL without memory
int kane_words_add(kane_words *words, const char *text,
                   size_t length); // its number, a new one if need be; -1: no memory
int kane_words_find(const kane_words *words, const char *text, size_t length); // -1: it is not there
const char *kane_words_text(const kane_words *words, int word);
int kane_words_count(const kane_words *words);

typedef enum kane_part_kind {
    KANE_SOURCE_INCLUDE,     // of a file of libkane: `include`
    KANE_SOURCE_SYSTEM,      // #include <...> of others
    KANE_SOURCE_BRANCH,      // #if, #else, #endif, #error
    KANE_SOURCE_UNDEFINE,    // #undef
    KANE_SOURCE_MACRO,       // #define
    KANE_SOURCE_CALL,        // a macro that makes functions
    KANE_SOURCE_DECLARATION, // of a type, or of what is defined elsewhere
    KANE_SOURCE_DEFINITION   // of a function or a constant
} kane_part_kind;

// A part of a file: where it begins, with the comment above it.
typedef struct kane_source_part {
    kane_part_kind kind;
    int depth_change;    // of a branch: 1 begins one, -1 ends one, 0 goes on
    size_t comment;      // where its comment begins [byte]
    size_t begin, end;   // [byte]
    int is_function;     // a definition of one
    int is_strong;       // it says all of what it defines: no mere declaration
    int is_local;        // of a definition: nobody outside the file sees it
    const char *include; // "agem/work.h", "kane/base.h"
    int name_count;
    const int *names; // words that it defines
    int use_count;
    const int *uses;         // words that it uses
    const char *is_variable; // 1 of those that are variables within it
} kane_source_part;

typedef struct kane_source {
    const char *path; // in the folder of sources: "lib/agem/work.h"
    const char *text;
    int is_guarded; // it is included once
    int part_count;
    const kane_source_part *parts;
} kane_source;

// NULL with an error.
const kane_source *kane_source_read(kane_arena *arena, kane_words *words, const char *folder, const char *path,
                                    kane_errors *errors);

// The next identifier in a text from `at` on, outside comments, texts and numbers: where it begins and how long it is. before: the last
// character before it that is no space ('>' of "->"), 0: none. Returns 0 at the end.
int kane_source_next_name(const char *text, size_t end, size_t *at, size_t *length, char *before);

#endif
