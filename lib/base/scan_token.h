// SPDX-License-Identifier: MIT
// The tokens of JSON text: white space, texts, numbers, words; and what people write instead of them.

#ifndef KANE_BASE_SCAN_TOKEN_H
#define KANE_BASE_SCAN_TOKEN_H

#include <kane/base.h>

#include "base/scan.h"

typedef struct kane_open {
    char bracket;
    int line, column;
} kane_open;

typedef struct kane_scanner {
    const char *text; // text[length] is 0
    size_t length;
    size_t at;         // where it stands
    int line;          // of `at`
    size_t line_start; // first byte of that line
    kane_mark *marks;
    int count; // of marks
    int depth; // open brackets
    kane_open open[KANE_DEPTH_MOST];
    kane_fault *fault;
} kane_scanner;

int kane_scan_is_letter(char c); // A .. Z, a .. z, _
int kane_scan_column(const kane_scanner *s);
void kane_scan_space(kane_scanner *s); // skips white space

// All of these return 0: where the scanner stands, or at a place.
int kane_scan_fault(kane_scanner *s, const char *format, ...) KANE_PRINTF(2, 3);
int kane_scan_fault_at(kane_scanner *s, int line, int column, const char *format, ...) KANE_PRINTF(4, 5);
int kane_scan_unexpected(kane_scanner *s, const char *expected); // something that cannot stand here
int kane_scan_bare_word(kane_scanner *s, const char *what);      // a key or text without quotes

// Read a token; 1, or 0 with the fault filled.
int kane_scan_text(kane_scanner *s);
int kane_scan_number(kane_scanner *s);
int kane_scan_word(kane_scanner *s);

#endif
