// SPDX-License-Identifier: MIT
// Tables that contacts share, and the store that keeps them.
//
// Owners are counted by atomic numbers, so that any thread may be the last one. The store's list has a lock that is
// held while keys are compared, never while a table is made: two threads may then make the same one at the same time,
// and the store keeps the first. Both are the same to the last bit.

#include "contact/contact.h"

#include "base/file.h"
#include "contact/table_sources.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

// In front of every table; aligned as memory is (kane_allocate), and so is the table.
typedef struct table_block {
    _Alignas(16) atomic_int owners;
    size_t size; // of the whole block with its key [bytes]
    struct table_block *next;
    unsigned char *key; // [key_size], behind the table
    size_t key_size;
} table_block;

struct kane_tables {
    atomic_int owners;
    atomic_flag lock;   // of all below
    size_t size, most;  // [bytes]
    table_block *first; // most recently used first
    char *folder;       // of files; NULL: none
};

// --- keys ---

void kane_key_add(table_key *key, const void *bytes, size_t size)
{
    if (!key->failed && size > key->room - key->size) {
        const size_t room   = 2 * (key->size + size);
        unsigned char *more = kane_allocate(room, 1);
        if (more && key->size > 0)
            memcpy(more, key->bytes, key->size);
        kane_release(key->bytes);
        key->bytes  = more;
        key->room   = room;
        key->failed = !more;
    }
    if (key->failed || size == 0)
        return;
    memcpy(key->bytes + key->size, bytes, size);
    key->size += size;
}

// Names and places do not count.
void kane_key_add_profile(table_key *key, const kane_profile *p)
{
    const int words[]      = {(int)p->kind, (int)p->shape, p->inclined, p->slice, p->count, p->weight != NULL};
    const double numbers[] = {p->conicity, p->radius, p->flange_to_circle, p->smoothing, p->from, p->to};
    kane_key_add(key, words, sizeof words);
    kane_key_add(key, numbers, sizeof numbers);
    for (int i = 0; p->shape == KANE_SHAPE_PIECES && i < p->count; i++) {
        const double segment[] = {p->pieces[i].radius, p->pieces[i].y, p->pieces[i].z, p->pieces[i].angle};
        kane_key_add(key, segment, sizeof segment);
    }
    if (p->shape != KANE_SHAPE_POINTS)
        return;
    kane_key_add(key, p->y, (size_t)p->count * sizeof *p->y);
    kane_key_add(key, p->z, (size_t)p->count * sizeof *p->z);
    if (p->weight)
        kane_key_add(key, p->weight, (size_t)p->count * sizeof *p->weight);
}

void kane_key_free(table_key *key)
{
    kane_release(key->bytes);
    *key = (table_key){0};
}

// --- tables ---

static table_block *block_of(const void *table)
{
    return (table_block *)(uintptr_t)table - 1;
}

static int has_key(const table_block *b, const table_key *key)
{
    return b->key_size == key->size && memcmp(b->key, key->bytes, key->size) == 0;
}

void *kane_table_create(size_t size, const table_key *key)
{
    const size_t all = sizeof(table_block) + size + key->size;
    table_block *b   = key->failed ? NULL : kane_allocate(all, 1);
    if (!b)
        return NULL;
    atomic_init(&b->owners, 1);
    b->size     = all;
    b->key      = (unsigned char *)(b + 1) + size;
    b->key_size = key->size;
    memcpy(b->key, key->bytes, key->size);
    return b + 1;
}

table_key kane_table_key(const void *table)
{
    const table_block *b = block_of(table);
    return (table_key){.bytes = b->key, .size = b->key_size, .room = b->key_size};
}

void kane_table_release(const void *table)
{
    if (table && atomic_fetch_sub(&block_of(table)->owners, 1) == 1)
        kane_release(block_of(table));
}

// --- the store ---

kane_tables *kane_tables_create(size_t most)
{
    kane_tables *t = kane_allocate(1, sizeof *t);
    if (!t)
        return NULL;
    atomic_init(&t->owners, 1);
    atomic_flag_clear(&t->lock);
    t->most = most;
    return t;
}

kane_tables *kane_tables_share(kane_tables *t)
{
    if (t)
        (void)atomic_fetch_add(&t->owners, 1);
    return t;
}

// Releases a list of tables.
static void release_all(table_block *first)
{
    while (first) {
        table_block *next = first->next;
        kane_table_release(first + 1);
        first = next;
    }
}

void kane_tables_free(kane_tables *t)
{
    if (!t || atomic_fetch_sub(&t->owners, 1) > 1)
        return;
    release_all(t->first);
    kane_release(t->folder);
    kane_release(t);
}

static void lock_tables(kane_tables *t)
{
    while (atomic_flag_test_and_set(&t->lock))
        (void)sched_yield();
}

static void unlock_tables(kane_tables *t)
{
    atomic_flag_clear(&t->lock);
}

// Moves the table with this key to the front of the list and returns it; NULL if there is none. Needs the lock.
static table_block *find_table(kane_tables *t, const table_key *key)
{
    for (table_block **at = &t->first; *at; at = &(*at)->next) {
        table_block *b = *at;
        if (!has_key(b, key))
            continue;
        *at      = b->next;
        b->next  = t->first;
        t->first = b;
        return b;
    }
    return NULL;
}

// Removes the least recently used tables until the rest fits into `most` bytes; returns the removed list. Needs the
// lock.
static table_block *cut_least_recent(kane_tables *t)
{
    size_t size      = 0;
    table_block **at = &t->first;
    while (*at && size + (*at)->size <= t->most) {
        size += (*at)->size;
        at = &(*at)->next;
    }
    table_block *rest = *at;
    *at               = NULL;
    t->size           = size;
    return rest;
}

void *kane_table_find(kane_tables *t, const table_key *key)
{
    if (!t || key->failed)
        return NULL;
    lock_tables(t);
    table_block *b = find_table(t, key);
    if (b)
        (void)atomic_fetch_add(&b->owners, 1);
    unlock_tables(t);
    return b ? b + 1 : NULL;
}

void kane_table_keep(kane_tables *t, void *table)
{
    table_block *b      = block_of(table);
    const table_key key = kane_table_key(table);
    if (!t || b->size > t->most)
        return;
    lock_tables(t);
    table_block *rest = NULL;
    if (!find_table(t, &key)) {
        (void)atomic_fetch_add(&b->owners, 1);
        b->next  = t->first;
        t->first = b;
        rest     = cut_least_recent(t);
    }
    unlock_tables(t);
    release_all(rest);
}

size_t kane_tables_size(kane_tables *t)
{
    lock_tables(t);
    const size_t size = t->size;
    unlock_tables(t);
    return size;
}

// --- files ---

void kane_tables_use_files(kane_tables *t, const char *folder)
{
    char user[KANE_CACHE_PATH];
    if (!t)
        return;
    if (!folder)
        folder = kane_cache_folder(user) ? user : "";
    const size_t length = strlen(folder);
    kane_release(t->folder);
    t->folder = length > 0 && length < KANE_CACHE_PATH ? kane_allocate(length + 1, 1) : NULL;
    if (t->folder)
        memcpy(t->folder, folder, length);
}

// Of a file: a table's, and what makes it.
static table_key key_of_file(const table_block *b)
{
    table_key key = {0};
    kane_key_add(&key, KANE_TABLE_SOURCES, strlen(KANE_TABLE_SOURCES));
    kane_key_add(&key, b->key, b->key_size);
    return key;
}

static size_t size_of_table(const table_block *b)
{
    return b->size - sizeof *b - b->key_size;
}

int kane_table_load(kane_tables *t, void *table)
{
    const table_block *b = block_of(table);
    if (!t || !t->folder)
        return 0;
    table_key key   = key_of_file(b);
    const int found = !key.failed && kane_cache_read(t->folder, key.bytes, key.size, table, size_of_table(b));
    kane_key_free(&key);
    if (!found)
        memset(table, 0, size_of_table(b));
    return found;
}

void kane_table_save(kane_tables *t, const void *table)
{
    const table_block *b = block_of(table);
    if (!t || !t->folder)
        return;
    table_key key = key_of_file(b);
    if (!key.failed)
        kane_cache_write(t->folder, key.bytes, key.size, table, size_of_table(b));
    kane_key_free(&key);
}
