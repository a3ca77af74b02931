// SPDX-License-Identifier: MIT
// Memory: arenas, and records of what a thread takes of it.

#ifndef KANE_BASE_ARENA_H
#define KANE_BASE_ARENA_H

#include <kane/base.h>

#include <stddef.h>

// === Memory: the only place of libkane that asks the system for it. An arena hands out pieces and frees them all at
// once.

typedef struct kane_arena kane_arena; // for one thread at a time

// An empty arena, or NULL.
kane_arena *kane_arena_create(void);

// The same with a first block of so many bytes. Blocks grow from there; 1 gives every piece a block of its own, so that
// a test can let each allocation fail.
kane_arena *kane_arena_create_sized(size_t block);

// Frees the arena and all that came from it. NULL is allowed.
void kane_arena_free(kane_arena *arena);

// `count` things of `size` bytes each, all zero, aligned to 16 bytes. NULL if there is no memory (or if the product
// overflows), never for a count of 0.
void *kane_arena_alloc(kane_arena *arena, size_t count, size_t size);

// `count` zeros, aligned to 64 bytes (a line of the cache, the widest vector registers).
double *kane_arena_doubles(kane_arena *arena, size_t count);

// The array of `count` items of `size` bytes with room for one more: itself, or a copy with twice the room. NULL
// without memory (or arena): the array is unchanged.
void *kane_arena_grow(kane_arena *arena, void *array, int count, int *room, size_t size);

// A copy of a text, or of its first `length` bytes.
char *kane_arena_text(kane_arena *arena, const char *text);
char *kane_arena_text_part(kane_arena *arena, const char *text, size_t length);

// 1 if an allocation of this arena has failed: after many allocations one check is enough, before any is used.
int kane_arena_failed(const kane_arena *arena);

// KANE_NO_MEMORY, with an error.
static inline kane_status kane_no_memory(kane_errors *errors)
{
    kane_errors_add(errors, KANE_NO_MEMORY, "%s", kane_status_text(KANE_NO_MEMORY));
    return KANE_NO_MEMORY;
}

// An object of `size` zero bytes in an arena of its own. NULL, with an error and no arena: memory is short.
void *kane_arena_object(kane_arena **arena, size_t size, kane_errors *errors);

// A single block of zeros, for data that are freed before or after others. kane_release accepts NULL.
void *kane_allocate(size_t count, size_t size);
void kane_release(void *memory);

// === Records of the memory that a thread has taken. lib/export copies objects by them without knowing their types.

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

// Begins to record what this thread takes from here, in part 0; pieces do not touch each other. NULL without memory,
// or if this thread records already.
kane_memory_record *kane_memory_begin(void);
void kane_memory_part(kane_memory_record *record, int part); // of what is taken from now on
void kane_memory_end(kane_memory_record *record);            // nothing more is noted; the list stays

// The list, in the order in which pieces were taken; NULL if memory was too short for it.
const kane_memory_piece *kane_memory_pieces(const kane_memory_record *record, int *count);
// What the memory that was taken last is for; without a record nothing happens.
void kane_memory_mark(const void *memory, kane_memory_kind kind);
void kane_memory_free(kane_memory_record *record); // NULL is allowed; ends it, too

#endif
