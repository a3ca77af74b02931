// SPDX-License-Identifier: MIT
// Rows of numbers in a page: base64 in elements of their own, which the page decodes when it needs them.

#ifndef KANE_VIEW_PACK_H
#define KANE_VIEW_PACK_H

#include "base/writer.h"

// Where numbers go: what describes them into `json`, they themselves into `page`.
typedef struct kane_pack {
    FILE *page;
    kane_writer *json;
    int blocks;        // written so far
    long long samples; // likewise
} kane_pack;

typedef enum kane_pack_kind {
    KANE_PACK_SINGLE, // "offset" and differences from it in 32 bits
    KANE_PACK_DOUBLE  // all digits
} kane_pack_kind;

// values[0], values[stride], ... , `count` of them, as the value of `key`:
//   {"constant": c, "count": n}                            if all are the same
//   {"block": k, "type": "f32", "offset": o, "count": n}   element "block-k" holds little-endian numbers
void kane_pack_row(kane_pack *pack, const char *key, kane_pack_kind kind, int count, int stride, const double *values);

// Bytes as base64, padded (RFC 4648).
void kane_pack_base64(FILE *file, size_t length, const unsigned char *bytes);

#endif
