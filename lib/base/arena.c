// SPDX-License-Identifier: MIT
// Arenas: a chain of blocks, each twice as large as the one before until they are large enough.

#include "base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// Under AddressSanitizer what has not been handed out is forbidden ground, with a strip of it after each piece.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARENA_GUARD 16
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define ARENA_GUARD 16
#endif
#ifdef ARENA_GUARD
#include <sanitizer/asan_interface.h>
#else
#define ARENA_GUARD                                0
#define ASAN_POISON_MEMORY_REGION(address, size)   ((void)(address), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#endif

enum { BLOCK_FIRST = 4096, BLOCK_LARGEST = 1 << 20, TEXT_ALIGNMENT = ARENA_GUARD ? 8 : 1 };

typedef struct block {
    struct block *next;
    size_t size; // of memory [bytes]
    size_t used; // of it [bytes]
    alignas(max_align_t) unsigned char memory[];
} block;

struct kane_arena {
    block *blocks; // the one in use comes first
    size_t grow;   // size of the next block [bytes]
    int failed;
};

void *kane_allocate(size_t count, size_t size)
{
    if (size > 0 && count > SIZE_MAX / 2 / size)
        return NULL;
    return calloc(count * size > 0 ? count * size : 1, 1);
}

void kane_release(void *memory)
{
    free(memory);
}

kane_arena *kane_arena_create_sized(size_t size)
{
    kane_arena *arena = kane_allocate(1, sizeof *arena);
    if (arena)
        arena->grow = size;
    return arena;
}

kane_arena *kane_arena_create(void)
{
    return kane_arena_create_sized(BLOCK_FIRST);
}

void kane_arena_free(kane_arena *arena)
{
    if (!arena)
        return;
    for (block *b = arena->blocks; b;) {
        block *next = b->next;
        ASAN_UNPOISON_MEMORY_REGION(b->memory, b->size);
        kane_release(b);
        b = next;
    }
    kane_release(arena);
}

// Bytes to skip in a block so that its next piece is aligned.
static size_t padding(const block *b, size_t alignment)
{
    const uintptr_t at = (uintptr_t)(b->memory + b->used);
    return (size_t)((alignment - at % alignment) % alignment);
}

// A new block with room for `bytes` whatever the alignment.
static block *add_block(kane_arena *arena, size_t bytes, size_t alignment)
{
    const size_t least = bytes + (alignment > alignof(max_align_t) ? alignment : 0);
    const size_t size  = least > arena->grow ? least : arena->grow;

    block *b = size <= SIZE_MAX - sizeof *b ? kane_allocate(1, sizeof *b + size) : NULL;
    if (!b)
        return NULL;
    b->size = size;
    b->next = arena->blocks;
    ASAN_POISON_MEMORY_REGION(b->memory, b->size);
    arena->blocks = b;
    if (arena->grow >= BLOCK_FIRST && arena->grow < BLOCK_LARGEST)
        arena->grow *= 2;
    return b;
}

static void *take(kane_arena *arena, size_t count, size_t size, size_t alignment)
{
    const size_t most = SIZE_MAX / 2; // leaves room for guards and alignment
    if (size > 0 && count > most / size) {
        arena->failed = 1;
        return NULL;
    }
    const size_t bytes = (count * size > 0 ? count * size : 1) + ARENA_GUARD;

    block *b = arena->blocks;
    if (!b || b->size - b->used < bytes || b->size - b->used - bytes < padding(b, alignment))
        b = add_block(arena, bytes, alignment);
    if (!b) {
        arena->failed = 1;
        return NULL;
    }
    unsigned char *piece = b->memory + b->used + padding(b, alignment);
    b->used              = (size_t)(piece - b->memory) + bytes;
    ASAN_UNPOISON_MEMORY_REGION(piece, bytes - ARENA_GUARD);
    return piece;
}

void *kane_arena_alloc(kane_arena *arena, size_t count, size_t size)
{
    return take(arena, count, size, 16);
}

double *kane_arena_doubles(kane_arena *arena, size_t count)
{
    return take(arena, count, sizeof(double), 64);
}

char *kane_arena_text_part(kane_arena *arena, const char *text, size_t length)
{
    char *copy = take(arena, length + 1, 1, TEXT_ALIGNMENT);
    if (copy)
        memcpy(copy, text, length);
    return copy;
}

char *kane_arena_text(kane_arena *arena, const char *text)
{
    return kane_arena_text_part(arena, text, strlen(text));
}

int kane_arena_failed(const kane_arena *arena)
{
    return arena->failed;
}
