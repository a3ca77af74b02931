// SPDX-License-Identifier: MIT
// Records: what memory a thread has taken, for who copies objects without knowing them (lib/export).

#ifndef KANE_BASE_RECORD_H
#define KANE_BASE_RECORD_H

#include <stddef.h>

typedef enum kane_memory_kind {
    KANE_MEMORY_ANY,   // what anything may stand in
    KANE_MEMORY_TEXT,  // kane_arena_text
    KANE_MEMORY_ARENA, // an arena itself
    KANE_MEMORY_TYPED, // what a user typed, for messages about it
    KANE_MEMORY_SOLVER // of linear equations; what it begins with points to their pattern, the rest is KLU's
} kane_memory_kind;

typedef struct kane_memory_piece {
    const unsigned char *memory;
    int is_returned; // 1: given back
    size_t size;     // [bytes]
    int alignment;   // 1, 16 or 64 [bytes]
    int part;        // in which part of the record it was taken
    kane_memory_kind kind;
    const void *arena; // that it came from; NULL: none
} kane_memory_piece;

typedef struct kane_memory_record kane_memory_record;

// Begins to record what this thread takes from here, in part 0; pieces do not touch each other. NULL without memory, or if this thread
// records already.
kane_memory_record *kane_memory_begin(void);
void kane_memory_part(kane_memory_record *record, int part); // of what is taken from now on
void kane_memory_end(kane_memory_record *record);            // nothing more is noted; the list stays

// The list, in the order in which pieces were taken; NULL if memory was too short for it.
const kane_memory_piece *kane_memory_pieces(const kane_memory_record *record, int *count);
// What the memory that was taken last is for; where nobody records nothing happens.
void kane_memory_mark(const void *memory, kane_memory_kind kind);
void kane_memory_free(kane_memory_record *record); // NULL is allowed; ends it, too

#endif
