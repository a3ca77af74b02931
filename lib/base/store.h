// SPDX-License-Identifier: MIT
// Stores: numbers and texts by name, written at once into one file and read at once.
//
// A file begins with 512 bytes of text: "kane KIND", and the hash of all that follows, which is HDF5 (its user block)
// or flat (kane_store_flatten). The reader compares the hash first, so that nothing of a damaged file is ever looked
// at. The same items give the same bytes.

#ifndef KANE_BASE_STORE_H
#define KANE_BASE_STORE_H

#include <kane/base.h>

#include "base/arena.h"

enum {
    KANE_STORE_RANK = 3,
    KANE_STORE_HEAD = 512 // bytes before the items: a power of two from 512 on, as HDF5 wants it
};

// Numbers, or a list of texts.
typedef struct kane_store_item {
    const char *name;
    const char *unit; // of numbers
    int rank;         // 1 .. 3; of texts 1
    size_t size[KANE_STORE_RANK];
    const double *numbers;    // by rows
    const char *const *texts; // NULL: numbers
} kane_store_item;

typedef struct kane_store {
    const char *file;
    int count;
    kane_store_item *items;
} kane_store;

// Whether a file begins as stores do.
int kane_store_is(const char *file);

// Writes a store of a kind, "flexible body 1", in place of what is there.
kane_status kane_store_write(const char *file, const char *kind, int count, const kane_store_item *items,
                             kane_errors *errors);

// NULL with an error if it is no store of that kind, or not what was written.
const kane_store *kane_store_read(kane_arena *arena, const char *file, const char *kind, kane_errors *errors);

// The same as the bytes of a file that is read without HDF5 (store_flat.c), to be released with kane_release. NULL
// without memory.
unsigned char *kane_store_flatten(const char *kind, int count, const kane_store_item *items, size_t *length);

// For kane_store_read: the items of such bytes, behind the head. 0: they are damaged, or memory is short.
int kane_store_unflatten(kane_arena *arena, const unsigned char *bytes, size_t length, kane_store *store);

// NULL if there is none.
const kane_store_item *kane_store_find(const kane_store *store, const char *name);

#endif
