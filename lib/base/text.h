// SPDX-License-Identifier: MIT
// Texts: building them, letters that no locale changes, lists of names, names and texts in other languages.

#ifndef KANE_BASE_TEXT_H
#define KANE_BASE_TEXT_H

#include <kane/base.h>

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

// === Text for messages, built in a buffer of fixed size: never too long, never cut inside a UTF-8 character.

// Text under construction. What does not fit is dropped and the end becomes "...".
typedef struct kane_text {
    char *at;    // always terminated
    size_t size; // of the buffer [bytes], at least 4
    size_t length;
} kane_text;

// Begins an empty text in a buffer:  char buffer[64]; kane_text t = kane_text_start(sizeof buffer, buffer);
kane_text kane_text_start(size_t size, char *buffer);

void kane_text_add(kane_text *t, const char *format, ...) KANE_PRINTF(2, 3);
void kane_text_add_list(kane_text *t, const char *format, va_list arguments);

// Adds something from a file between two marks, e.g. 'wheelset': on one line, control characters as \n or \x1b, at most
// about 40 bytes of it. A mark of 0 leaves the marks out.
void kane_text_quote(kane_text *t, char mark, const char *text);

// Length of the UTF-8 character at text [bytes]; 0 if it is not one (truncated, too long, a surrogate). text is
// terminated.
int kane_text_utf8(const char *text);

// Length of the character at text [bytes] if it can stand in a name, a title, a file of XML and on a terminal; else 0.
// Those that cannot: what is not UTF-8, control characters (U+0000 to U+001F, U+007F to U+009F), separators of lines
// (U+2028, U+2029), marks that turn the direction of writing (U+202A to U+202E, U+2066 to U+2069) and what is no
// character (U+FFFE, U+FFFF).
int kane_text_character(const char *text);

// Bytes of the beginning of a text that is made of such characters; its whole length if all are.
size_t kane_text_printable(const char *text);

// Adds what cannot be printed where a text has something of that kind: "U+0007 at byte 3", or the byte that is not
// UTF-8.
void kane_text_blame(kane_text *t, const char *text);

// The same text with \x1b for bytes of what cannot be printed; lines: line feeds stay.
void kane_text_copy_printable(size_t size, char *buffer, const char *text, int lines);

// Copies a text, cutting it as above; NULL is the empty text.
void kane_text_copy(size_t size, char *buffer, const char *text);

// === Kinds of bytes as ASCII has them. Those of the C library follow the locale of the
// host: other letters, and an I that is none in Turkish.

static inline int kane_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline int kane_is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static inline int kane_is_letter(char c)
{
    return kane_is_upper(c) || (c >= 'a' && c <= 'z');
}

static inline int kane_is_letter_or_digit(char c)
{
    return kane_is_letter(c) || kane_is_digit(c);
}

// Blank, tab, line feed, vertical tab, form feed, carriage return.
static inline int kane_is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static inline char kane_lower(char c)
{
    return kane_is_upper(c) ? (char)(c - 'A' + 'a') : c;
}

// Whether two texts begin with the same `length` bytes, upper case apart, or are the same and shorter.
static inline int kane_same_letters(const char *a, const char *b, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (kane_lower(a[i]) != kane_lower(b[i]))
            return 0;
        if (a[i] == '\0')
            return 1;
    }
    return 1;
}

// Whether two texts are the same, upper case apart.
static inline int kane_same_word(const char *a, const char *b)
{
    return kane_same_letters(a, b, strlen(a) + 1);
}

// === Names that people type: compared exactly, and when they are wrong, "did you mean".

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

// Whether a name matches a pattern of file names: *, ?, [ab], and \ before a literal character. Every name matches
// itself, whatever characters it has.
int kane_name_matches(const char *pattern, const char *name);

// Index of a name, -1 if there is none.
int kane_names_find(kane_names names, const char *wanted);

// The same with an error at `place` if there is none:  no body is called 'bodi'; did you mean 'body'? known: ...
int kane_names_resolve(kane_names names, const char *noun, const char *wanted, kane_place place, kane_errors *errors);

// Adds  did you mean 'x'? known: a, b, c  (or a part of it, of long lists the beginning) to a message.
void kane_names_hint(kane_text *text, kane_names names, const char *wanted);

// New names of a key or a value of a file that was called `old` before the first release, one after the other; start
// with *next = 0. NULL: there is no further one. Which of them is meant, the object that has the key knows.
const char *kane_names_renamed_key(const char *old, int *next);
const char *kane_names_renamed_value(const char *old, int *next);

// === Names in C, C++, Python, Modelica and Octave.

// Whether a name is a letter with letters, digits and _ behind it.
int kane_identifier_valid(const char *name);

// Whether a name belongs to one of the languages, to the headers of C or to libkane. All names in capitals do: macros
// have them.
int kane_identifier_reserved(const char *name);

// The name of a file, without folders and what follows the first dot, as a valid name: "runs/1 wagon-a.json" ->
// "m1_wagon_a". It may be reserved.
void kane_identifier_of_file(const char *file, size_t size, char *name);

// === Texts within files of other languages.

// Text of an element or an attribute of XML, HTML or SVG: what has a meaning there as an entity, what cannot be printed
// as U+FFFD.
void kane_write_markup(FILE *file, const char *text);

// Text within a comment that ends with its line, in C, C++, Python, Octave, Modelica or a makefile. What cannot be
// printed is \x1b, and so is what would continue the line: a last \, or ??/.
void kane_write_comment(FILE *file, const char *text);

#endif
