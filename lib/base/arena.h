// SPDX-License-Identifier: MIT
// Memory: the only place of libkane that asks the system for it. An arena hands out pieces and frees them all at once.

#ifndef KANE_BASE_ARENA_H
#define KANE_BASE_ARENA_H

#include <stddef.h>

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

// A copy of a text, or of its first `length` bytes.
char *kane_arena_text(kane_arena *arena, const char *text);
char *kane_arena_text_part(kane_arena *arena, const char *text, size_t length);

// 1 if an allocation of this arena has failed: who takes many pieces may ask once at the end, before using them.
int kane_arena_failed(const kane_arena *arena);

// A single block, zero, for those who must give back one thing before another. kane_release accepts NULL.
void *kane_allocate(size_t count, size_t size);
void kane_release(void *memory);

#endif
