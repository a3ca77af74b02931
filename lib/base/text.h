// SPDX-License-Identifier: MIT
// Text for messages, built in a buffer of fixed size: never too long, never cut inside a UTF-8 character.

#ifndef KANE_BASE_TEXT_H
#define KANE_BASE_TEXT_H

#include <kane/base.h>

#include <stdarg.h>

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

// Length of the character at text [bytes] if it can stand in a name, a title, a file of XML and on a terminal; else 0. Those that
// cannot: what is not UTF-8, control characters (U+0000 to U+001F, U+007F to U+009F), separators of lines (U+2028, U+2029), marks
// that turn the direction of writing (U+202A to U+202E, U+2066 to U+2069) and what is no character (U+FFFE, U+FFFF).
int kane_text_character(const char *text);

// Bytes of the beginning of a text that is made of such characters; its whole length if all are.
size_t kane_text_printable(const char *text);

// Adds what cannot be printed where a text has something of that kind: "U+0007 at byte 3", or the byte that is not UTF-8.
void kane_text_blame(kane_text *t, const char *text);

// The same text with \x1b for bytes of what cannot be printed; lines: line feeds stay.
void kane_text_copy_printable(size_t size, char *buffer, const char *text, int lines);

// Copies a text, cutting it as above; NULL is the empty text.
void kane_text_copy(size_t size, char *buffer, const char *text);

#endif
