// SPDX-License-Identifier: MIT
// What memory an object needs, as it can be written down: pieces of numbers, and in them places that point to other pieces, to
// functions and to constants. Found by making everything twice: where both differ, both point to the same.

#ifndef KANE_EXPORT_IMAGE_H
#define KANE_EXPORT_IMAGE_H

#include "base/record.h"
#include "export/symbols.h"

typedef enum kane_image_link_kind {
    KANE_IMAGE_PIECE,  // `target`, byte `offset`
    KANE_IMAGE_SYMBOL, // `symbol`, byte `offset`
    KANE_IMAGE_TEXT,   // `text`
    KANE_IMAGE_NOTHING // what was there is not needed: NULL
} kane_image_link_kind;

// A place in a piece that points somewhere.
typedef struct kane_image_link {
    size_t at; // byte in the piece
    kane_image_link_kind kind;
    int target;
    size_t offset; // [bytes]
    const kane_symbol *symbol;
    const char *text; // lives as long as what was recorded
} kane_image_link;

typedef struct kane_image_piece {
    const unsigned char *memory;
    size_t size; // [bytes]
    int alignment;
    int is_variable; // 1: taken in part 1 of the record
    int link_count;
    const kane_image_link *links; // by place
} kane_image_piece;

typedef struct kane_image {
    int count;
    const kane_image_piece *pieces;
    const int *roots; // pieces of the roots that were asked for
} kane_image;

// Whatever can be reached from `roots` of the first record; `twins` are the same objects of the second one. In an arena that belongs
// to no record. NULL with an error.
const kane_image *kane_image_take(kane_arena *arena, const kane_symbols *symbols, const kane_memory_record *first,
                                  const kane_memory_record *second, int root_count, const void *const *roots,
                                  const void *const *twins, kane_errors *errors);

#endif
