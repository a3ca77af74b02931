// SPDX-License-Identifier: MIT
// Stores in a form without HDF5, for what has none of it, as units of FMI. Behind the head that all stores have: the
// number of items, then each of them as name, unit ("" for none), rank, sizes, whether it is texts, and its numbers by
// rows or its texts. Counts are 8 bytes, numbers doubles, both as x86-64 and arm64 have them; a text is its length and
// its bytes.

#include "base/store.h"

#include "base/machine.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

// --- writing ---

// Bytes on their way: written where there is room, counted everywhere.
typedef struct sink {
    unsigned char *bytes; // NULL: counted only
    size_t at;
} sink;

static void put_bytes(sink *s, const void *bytes, size_t size)
{
    if (s->bytes && size > 0)
        memcpy(s->bytes + s->at, bytes, size);
    s->at += size;
}

static void put_count(sink *s, size_t count)
{
    const uint64_t value = count;
    put_bytes(s, &value, sizeof value);
}

static void put_text(sink *s, const char *text)
{
    put_count(s, strlen(text));
    put_bytes(s, text, strlen(text));
}

static size_t count_values(const kane_store_item *item)
{
    size_t count = 1;
    for (int i = 0; i < item->rank; i++)
        count *= item->size[i];
    return count;
}

static void put_item(sink *s, const kane_store_item *item)
{
    put_text(s, item->name);
    put_text(s, item->unit ? item->unit : "");
    put_count(s, (size_t)item->rank);
    for (int i = 0; i < item->rank; i++)
        put_count(s, item->size[i]);
    put_count(s, item->texts != NULL);
    if (!item->texts)
        put_bytes(s, item->numbers, count_values(item) * sizeof *item->numbers);
    for (size_t i = 0; item->texts && i < item->size[0]; i++)
        put_text(s, item->texts[i]);
}

static void put_items(sink *s, int count, const kane_store_item *items)
{
    put_count(s, (size_t)count);
    for (int i = 0; i < count; i++)
        put_item(s, &items[i]);
}

unsigned char *kane_store_flatten(const char *kind, int count, const kane_store_item *items, size_t *length)
{
    char hash[KANE_HASH_SIZE];
    sink measure = {NULL, KANE_STORE_HEAD};
    put_items(&measure, count, items);
    unsigned char *bytes = kane_allocate(measure.at, 1);
    if (!bytes)
        return NULL;
    sink s = {bytes, KANE_STORE_HEAD};
    memset(bytes, 0, KANE_STORE_HEAD);
    put_items(&s, count, items);
    kane_hash_bytes(bytes + KANE_STORE_HEAD, s.at - KANE_STORE_HEAD, hash);
    (void)snprintf((char *)bytes, KANE_STORE_HEAD, "kane %s\n%s xxh128 of what follows, flat\n", kind, hash);
    *length = s.at;
    return bytes;
}

// --- reading ---

typedef struct source {
    kane_arena *arena;
    const unsigned char *bytes;
    size_t at, length;
    int is_short; // 1: it ended before it should
} source;

// The next bytes; NULL if there are not as many.
static const unsigned char *take_bytes(source *s, size_t size)
{
    if (s->is_short || size > s->length - s->at) {
        s->is_short = 1;
        return NULL;
    }
    s->at += size;
    return s->bytes + s->at - size;
}

static size_t take_count(source *s)
{
    uint64_t value            = 0;
    const unsigned char *from = take_bytes(s, sizeof value);
    if (from)
        memcpy(&value, from, sizeof value);
    return (size_t)value;
}

static const char *take_text(source *s)
{
    const size_t length       = take_count(s);
    const unsigned char *from = take_bytes(s, length);
    return from ? kane_arena_text_part(s->arena, (const char *)from, length) : NULL;
}

// As many numbers as its sizes say, none of which is 0, if there are as many bytes.
static int take_numbers(source *s, kane_store_item *item)
{
    size_t count = 1;
    for (int i = 0; i < item->rank; i++) {
        if (item->size[i] == 0 || item->size[i] > (s->length - s->at) / count)
            return 0;
        count *= item->size[i];
    }
    const unsigned char *from = count <= SIZE_MAX / sizeof(double) ? take_bytes(s, count * sizeof(double)) : NULL;
    double *numbers           = from ? kane_arena_doubles(s->arena, count) : NULL;
    if (numbers)
        memcpy(numbers, from, count * sizeof *numbers);
    item->numbers = numbers;
    return numbers != NULL;
}

static int take_texts(source *s, kane_store_item *item)
{
    const size_t count = item->size[0];
    const char **texts = item->rank == 1 && count > 0 && count <= s->length - s->at
                             ? kane_arena_alloc(s->arena, count, sizeof *texts)
                             : NULL;
    for (size_t i = 0; texts && i < count; i++) {
        texts[i] = take_text(s);
        if (!texts[i])
            return 0;
    }
    item->texts = texts;
    return texts != NULL;
}

static int take_item(source *s, kane_store_item *item)
{
    item->name        = take_text(s);
    item->unit        = take_text(s);
    const size_t rank = take_count(s);
    if (!item->name || !item->unit || rank < 1 || rank > KANE_STORE_RANK)
        return 0;
    item->rank = (int)rank;
    for (int i = 0; i < item->rank; i++)
        item->size[i] = take_count(s);
    const size_t are_texts = take_count(s);
    return !s->is_short && (are_texts ? take_texts(s, item) : take_numbers(s, item));
}

int kane_store_unflatten(kane_arena *arena, const unsigned char *bytes, size_t length, kane_store *store)
{
    source s           = {.arena = arena, .bytes = bytes, .length = length};
    const size_t count = take_count(&s);
    if (s.is_short || count > length || count > 1000000)
        return 0;
    store->items = kane_arena_alloc(arena, count + 1, sizeof *store->items);
    for (size_t i = 0; store->items && i < count; i++)
        if (!take_item(&s, &store->items[store->count++]))
            return 0;
    return store->items && s.at == s.length && !kane_arena_failed(arena);
}
