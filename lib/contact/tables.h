// SPDX-License-Identifier: MIT
// Tables that contacts share: blocks of memory, immutable once filled, that the last owner frees; and the store that keeps
// some of them under all that they were made from.

#ifndef KANE_CONTACT_TABLES_H
#define KANE_CONTACT_TABLES_H

#include <kane/contact.h>

#include "base/arena.h"

// What a table was made from, as bytes that are compared in full. Numbers go in as they are stored: 0 and -0 are two, a
// NaN is like itself.
typedef struct table_key {
    unsigned char *bytes; // [size]
    size_t size, room;
    int failed; // 1: no memory
} table_key;

void kane_key_add(table_key *key, const void *bytes, size_t size);
void kane_key_add_number(table_key *key, double number);
void kane_key_add_profile(table_key *key, const kane_profile *profile);
void kane_key_free(table_key *key);

// A table of the store with this key, which gets one more owner; NULL if there is none. tables NULL: none.
void *kane_table_find(kane_tables *tables, const table_key *key);

// Memory for a table, all zero, with one owner; NULL if there is none. Its key is copied.
void *kane_table_create(size_t size, const table_key *key);

// A filled table goes into the store, which becomes an owner of it too, unless there is an equal one, or no room for so
// large a one. tables NULL: nothing happens.
void kane_table_keep(kane_tables *tables, void *table);

// The key that a table was created with; valid as long as the table.
table_key kane_table_key(const void *table);

// An owner is done with it. NULL is allowed.
void kane_table_release(const void *table);

// One more owner of the store itself, who ends with kane_tables_free. NULL is allowed.
kane_tables *kane_tables_share(kane_tables *tables);

#endif
