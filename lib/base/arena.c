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

// === Records.

struct kane_memory_record {
    int count, room;
    kane_memory_piece *pieces;
    int part;
    int failed;
};

// The recorder of this thread; NULL: none. Thread-local, because every caller that allocates would need it as an
// argument.
static _Thread_local kane_memory_record *recorder;

// Adds an allocation to the thread's recorder, if there is one.
static void record_piece(const void *memory, size_t size, int alignment, kane_memory_kind kind, const void *arena)
{
    kane_memory_record *r = recorder;
    if (!r || !memory)
        return;
    if (r->count == r->room) {
        const int room            = r->room ? 2 * r->room : 1024;
        kane_memory_piece *larger = realloc(r->pieces, (size_t)room * sizeof *larger);
        if (!larger) {
            r->failed = 1;
            return;
        }
        r->pieces = larger;
        r->room   = room;
    }
    r->pieces[r->count++] = (kane_memory_piece){
        .memory = memory, .size = size, .alignment = alignment, .part = r->part, .kind = kind, .arena = arena};
}

// Marks a piece (memory), or all pieces of an arena, as returned.
static void mark_returned(const void *memory, const void *arena)
{
    kane_memory_record *r = recorder;
    for (int i = r ? r->count - 1 : -1; i >= 0; i--) {
        kane_memory_piece *piece = &r->pieces[i];
        const int is_it          = memory ? piece->memory == memory : piece->arena == arena;
        if (is_it)
            piece->is_returned = 1;
        if (is_it && memory)
            return;
    }
}

kane_memory_record *kane_memory_begin(void)
{
    if (recorder)
        return NULL;
    recorder = calloc(1, sizeof *recorder);
    return recorder;
}

void kane_memory_part(kane_memory_record *record, int part)
{
    record->part = part;
}

void kane_memory_end(kane_memory_record *record)
{
    if (recorder == record)
        recorder = NULL;
}

void kane_memory_mark(const void *memory, kane_memory_kind kind)
{
    if (recorder && recorder->count > 0 && recorder->pieces[recorder->count - 1].memory == memory)
        recorder->pieces[recorder->count - 1].kind = kind;
}

const kane_memory_piece *kane_memory_pieces(const kane_memory_record *record, int *count)
{
    *count = record->count;
    return record->failed ? NULL : record->pieces;
}

void kane_memory_free(kane_memory_record *record)
{
    if (!record)
        return;
    kane_memory_end(record);
    free(record->pieces);
    free(record);
}

// === Memory.

static void *allocate_zeros(size_t count, size_t size)
{
    if (size > 0 && count > SIZE_MAX / 2 / size)
        return NULL;
    return calloc(count * size > 0 ? count * size : 1, 1);
}

void *kane_arena_grow(kane_arena *arena, void *array, int count, int *room, size_t size)
{
    if (count < *room)
        return array;
    void *larger = arena ? kane_arena_alloc(arena, 2 * (size_t)count + 16, size) : NULL;
    if (!larger)
        return NULL;
    if (count > 0)
        memcpy(larger, array, (size_t)count * size);
    *room = 2 * count + 16;
    return larger;
}

void *kane_allocate(size_t count, size_t size)
{
    void *memory = allocate_zeros(count, size);
    record_piece(memory, memory ? count * size : 0, 16, KANE_MEMORY_ANY, NULL);
    return memory;
}

void kane_release(void *memory)
{
    if (memory)
        mark_returned(memory, NULL);
    free(memory);
}

kane_arena *kane_arena_create_sized(size_t size)
{
    kane_arena *arena = allocate_zeros(1, sizeof *arena);
    if (arena)
        arena->grow = recorder ? 1 : size; // a block for every piece
    record_piece(arena, sizeof *arena, 16, KANE_MEMORY_ARENA, arena);
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
    mark_returned(NULL, arena);
    for (block *b = arena->blocks; b;) {
        block *next = b->next;
        ASAN_UNPOISON_MEMORY_REGION(b->memory, b->size);
        free(b);
        b = next;
    }
    free(arena);
}

void *kane_arena_object(kane_arena **arena, size_t size, kane_errors *errors)
{
    *arena       = kane_arena_create();
    void *object = *arena ? kane_arena_alloc(*arena, 1, size) : NULL;
    if (object)
        return object;
    kane_arena_free(*arena);
    *arena = NULL;
    (void)kane_no_memory(errors);
    return NULL;
}

// Bytes to skip in a block so that its next piece is aligned.
static size_t alignment_padding(const block *b, size_t alignment)
{
    const uintptr_t at = (uintptr_t)(b->memory + b->used);
    return (size_t)((alignment - at % alignment) % alignment);
}

// A new block with room for `bytes` whatever the alignment.
static block *add_block(kane_arena *arena, size_t bytes, size_t alignment)
{
    const size_t least = bytes + (alignment > alignof(max_align_t) ? alignment : 0);
    const size_t size  = least > arena->grow ? least : arena->grow;

    block *b = size <= SIZE_MAX - sizeof *b ? allocate_zeros(1, sizeof *b + size) : NULL;
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

static void *allocate_piece(kane_arena *arena, size_t count, size_t size, size_t alignment)
{
    const size_t most = SIZE_MAX / 2; // leaves room for guards and alignment
    if (size > 0 && count > most / size) {
        arena->failed = 1;
        return NULL;
    }
    const size_t bytes = (count * size > 0 ? count * size : 1) + ARENA_GUARD;

    block *b = arena->blocks;
    if (!b || b->size - b->used < bytes || b->size - b->used - bytes < alignment_padding(b, alignment))
        b = add_block(arena, bytes, alignment);
    if (!b) {
        arena->failed = 1;
        return NULL;
    }
    unsigned char *piece = b->memory + b->used + alignment_padding(b, alignment);
    b->used              = (size_t)(piece - b->memory) + bytes;
    ASAN_UNPOISON_MEMORY_REGION(piece, bytes - ARENA_GUARD);
    record_piece(piece, count * size, (int)alignment, alignment < 16 ? KANE_MEMORY_TEXT : KANE_MEMORY_ANY, arena);
    return piece;
}

void *kane_arena_alloc(kane_arena *arena, size_t count, size_t size)
{
    return allocate_piece(arena, count, size, 16);
}

double *kane_arena_doubles(kane_arena *arena, size_t count)
{
    return allocate_piece(arena, count, sizeof(double), 64);
}

char *kane_arena_text_part(kane_arena *arena, const char *text, size_t length)
{
    char *copy = allocate_piece(arena, length + 1, 1, TEXT_ALIGNMENT);
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
