// SPDX-License-Identifier: MIT
// Text files of other programs, line by line: lines with their numbers, words and numbers of a line, settings KEY =
// VALUE, and errors with file, line and column. Tables with named columns: base/column_file.h.

#ifndef KANE_BASE_LINES_H
#define KANE_BASE_LINES_H

#include <kane/base.h>

#include <stddef.h>

enum { KANE_LINE_NUMBERS = 16 }; // most numbers of a line
enum { KANE_LINE_FAULTS = 5 };   // after so many a file is usually not read any further

// A text of which lines are taken one by one. A line ends with \n, \r\n or \r, the last one perhaps with the text.
// Start with file, at and errors; the mark that some editors put before UTF-8 is passed over.
typedef struct kane_lines {
    const char *file;       // its name for messages
    const char *at;         // the next line; the text ends with a byte 0
    kane_errors *errors;    // not NULL
    int faults_most;        // after so many kane_lines_next ends; 0: never
    int faults;             // found so far
    int line;               // number of the present line, from 1
    const char *line_start; // of the present line; columns count from here
    const char *begin;      // of what is read of it ...
    const char *end;        // ... and its end
    const char *path;       // of the next error: what the line means, a column's name; NULL: nothing
} kane_lines;

// Moves on to the next line, whatever it is: begin to end is all of it. 0 at the end of the text.
int kane_lines_step(kane_lines *r);

// Moves on to the next line that is not empty: a comment of `comments` (characters that begin one) and blanks at
// both ends are cut off. 0 at the end or after faults_most.
int kane_lines_next(kane_lines *r, const char *comments);

// How many lines are left.
size_t kane_lines_count(kane_lines r);

// The next word of the present line from *at on, between blanks, tabs and `separators`: *at is moved behind it, its
// beginning is returned. NULL: there is none, and *at is the end of the line.
const char *kane_lines_word(const kane_lines *r, const char *separators, const char **at);

// The number that `length` characters are, also as Fortran writes it ("1000.", "1.D-3"). 0 if they are none.
int kane_lines_number(const char *text, size_t length, double *number);

// Reads the whole line as numbers between blanks, tabs and `separators`. Returns how many there are, or -1 with an
// error for what is not a number.
int kane_lines_numbers(kane_lines *r, const char *separators, double numbers[KANE_LINE_NUMBERS]);

// A line KEY = VALUE: where the value begins; key and value (or NULL) get the parts without blanks and quotes
// around, cut if they are too long. Otherwise NULL.
const char *kane_lines_setting(const kane_lines *r, size_t size, char *key, char *value);

// The place of `at` in the present line (NULL: of its beginning).
kane_place kane_lines_place(const kane_lines *r, const char *at);

// Adds an error there. Returns KANE_BAD_INPUT.
kane_status kane_lines_fault(kane_lines *r, const char *at, const char *format, ...) KANE_PRINTF(3, 4);

#endif
