// SPDX-License-Identifier: MIT
// Scanning a text: places in it, and its tokens.

#ifndef KANE_BASE_SCAN_H
#define KANE_BASE_SCAN_H

#include <kane/base.h>

#include <stddef.h>

// === A pass over JSON text: is it strictly JSON (RFC 8259), if not what is wrong in words that help, and where does
// every value stand.

enum {
    KANE_DEPTH_MOST  = 64,     // brackets within brackets
    KANE_VALUES_MOST = 4000000 // values of a document; each takes some 300 bytes
};

// Place of a value. Lines and columns count from 1, columns in bytes.
typedef struct kane_mark {
    size_t offset, length;    // of the value in the text [bytes]
    int line, column;         // of the value
    int key_line, key_column; // of its key; 0 in a list and for the outermost value
} kane_mark;

// What is wrong with a text, and where.
typedef struct kane_fault {
    int line, column;
    char text[256];
} kane_fault;

// More marks than this are not needed for a text.
size_t kane_scan_bound(const char *text, size_t length);

// Scans a text (text[length] must be 0). Marks come in the order of the text, an object or list before what it holds.
// Returns their number, or -1 with the fault filled.
int kane_scan(const char *text, size_t length, kane_mark *marks, kane_fault *fault);

// Length of the JSON text literal that begins with the double quote at `text`, both quotes included; 0 if it is none.
size_t kane_scan_literal(const char *text, size_t length);

// === The tokens of JSON text: white space, texts, numbers, words; and what people write instead of them.

typedef struct kane_open {
    char bracket;
    int line, column;
} kane_open;

typedef struct kane_scanner {
    const char *text; // text[length] is 0
    size_t length;
    size_t at;         // position of the scanner
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

// All of these return 0; the fault is at the scanner's position, or at a given place.
int kane_scan_fault(kane_scanner *s, const char *format, ...) KANE_PRINTF(2, 3);
int kane_scan_fault_at(kane_scanner *s, int line, int column, const char *format, ...) KANE_PRINTF(4, 5);
int kane_scan_unexpected(kane_scanner *s, const char *expected); // something that cannot stand here
int kane_scan_bare_word(kane_scanner *s, const char *what);      // a key or text without quotes

// Read a token; 1, or 0 with the fault filled.
int kane_scan_text(kane_scanner *s);
int kane_scan_number(kane_scanner *s);
int kane_scan_word(kane_scanner *s);

#endif
