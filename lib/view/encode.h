// SPDX-License-Identifier: MIT
// Rows of numbers in a page: base64 in elements of their own, which the page decodes when it needs them. What is said
// twice, by runs of one vehicle on one track for instance, is in the page once: rows as blocks that several refer to,
// parts of the JSON in a list of those that are shared.

#ifndef KANE_VIEW_ENCODE_H
#define KANE_VIEW_ENCODE_H

#include "base/arena.h"
#include "base/json.h"

// Contents that there are already, by 128 bits of their hashes: a table with a free place after every chain.
typedef struct kane_encoder_known {
    int count, room; // room: a power of 2, or 0
    struct kane_encoder_entry *entries;
} kane_encoder_known;

// Where numbers go: what describes them into `json`, they themselves into `page`.
typedef struct kane_encoder {
    kane_arena *arena; // memory; NULL: nothing is shared
    FILE *page;
    kane_writer *json;
    int blocks;        // written so far
    long long samples; // likewise
    kane_encoder_known rows, parts;
    int shared_count, shared_room;
    const char **shared; // parts, as JSON [shared_count]
} kane_encoder;

typedef enum kane_encoder_kind {
    KANE_ENCODE_SINGLE, // "offset" and differences from it in 32 bits
    KANE_ENCODE_DOUBLE  // all digits
} kane_encoder_kind;

// values[0], values[stride], ... , `count` of them, as the value of `key`:
//   {"constant": c, "count": n}                            if all are the same
//   {"block": k, "type": "f32", "offset": o, "count": n}   element "block-k" holds little-endian numbers
// Rows with the same numbers have the same block.
void kane_encoder_row(kane_encoder *encoder, const char *key, kane_encoder_kind kind, int count, int stride,
                      const double *values);

// A part of the JSON, one value without key, that other runs may have, too. Between begin and end pack->json writes it;
// end says which one of those that are shared it is. begin: 0 without memory; end: -1 without.
typedef struct kane_encoder_part {
    kane_writer own, *outer;
    FILE *file;
    char *text;
    size_t size;
} kane_encoder_part;

int kane_encoder_part_begin(kane_encoder *encoder, kane_encoder_part *part);
int kane_encoder_part_end(kane_encoder *encoder, kane_encoder_part *part);

// All of them, as the value of "shared".
void kane_encoder_write_shared(kane_encoder *encoder);

// Bytes as base64, padded (RFC 4648).
void kane_encoder_base64(FILE *file, size_t length, const unsigned char *bytes);

#endif
