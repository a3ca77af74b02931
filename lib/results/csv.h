// SPDX-License-Identifier: MIT
// How texts stand in CSV files (RFC 4180): fields between commas, in quotes where needed. Lines that begin with # are
// comments, two of which we write ourselves, before the names:
//
//   # run 4f2a9c0d1e2f3a4b
//   # units s,m,rad

#ifndef KANE_RESULTS_CSV_H
#define KANE_RESULTS_CSV_H

#include "base/arena.h"

#include <stdio.h>

// How the comments begin that are read.
#define KANE_CSV_RUN   "# run "
#define KANE_CSV_UNITS "# units "

// Writes a text as a field and returns its length; `to` has room for twice the text and two more. In quotes stands what
// a reader could take for something else: commas, quotes and #, spaces at the ends, nothing at all, a number. So a line
// of names or units is never taken for a row or a comment.
size_t kane_csv_quote(const char *text, char *to);

// Writes a text as a field of a table: in quotes where it has a comma, a quote or the end of a line, or always.
void kane_csv_write(FILE *file, const char *text, int always);

// One field of a line as it stands there, without the spaces around it.
typedef struct kane_csv_field {
    const char *at;
    size_t length;    // with the quotes
    const char *next; // the comma or the end of a line behind it, or the end of the text
} kane_csv_field;

// The field that begins at `at`; end: of the line, or of the text for one in quotes, which may have several lines. 0 if
// a closing quote is missing or something follows it.
int kane_csv_next(const char *at, const char *end, kane_csv_field *field);

// The text of a field without its quotes. NULL if there is no memory.
char *kane_csv_text(kane_arena *arena, const kane_csv_field *field);

// The value of a field: a number, nan, inf or infinity of either case and sign, or nothing, which is a NaN too. What
// stands in quotes is none. 0 if it has no value.
int kane_csv_value(const kane_csv_field *field, double *value);

#endif
