// SPDX-License-Identifier: MIT
// A pass over JSON text: is it strictly JSON (RFC 8259), if not what is wrong in words that help, and where does every
// value stand.

#ifndef KANE_BASE_SCAN_H
#define KANE_BASE_SCAN_H

#include <stddef.h>

enum {
    KANE_DEPTH_MOST  = 64,     // brackets within brackets
    KANE_VALUES_MOST = 4000000 // values of a document; each takes some 300 bytes
};

// Where a value stands. Lines and columns count from 1, columns in bytes.
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

#endif
