// SPDX-License-Identifier: MIT
// Names of functions and constants of libkane by their addresses, from the table of symbols of the file that it was loaded from, or, where
// that has been stripped, from a copy of the table that the build has kept (lib/export/symbols.cmake).

#ifndef KANE_EXPORT_SYMBOLS_H
#define KANE_EXPORT_SYMBOLS_H

#include <kane/base.h>

#include "base/arena.h"

#include <stdint.h>

typedef struct kane_symbol {
    const char *name; // as in the source; of constants within functions "names.3"
    const char *file; // "rhs.c"; "": it is visible outside its file
    uintptr_t address;
    size_t size; // [bytes]
    int is_function;
} kane_symbol;

typedef struct kane_symbols kane_symbols;

// In an arena. kept: the file of the build's copy; NULL: there is none. NULL with an error: the file that libkane was loaded from cannot be
// read; or it has been stripped, and there is no copy, or one of another build.
kane_symbols *kane_symbols_read(kane_arena *arena, const char *kept, kane_errors *errors);

// Where an address lies.
typedef enum kane_site {
    KANE_SITE_NOWHERE, // no address of code or constants: a number, or memory that was taken
    KANE_SITE_NAMED,   // in what has a name
    KANE_SITE_TEXT,    // in constants without name: texts
    KANE_SITE_FOREIGN  // in another library, or in what can be written to
} kane_site;

// symbol: what it lies in, if that has a name.
kane_site kane_symbols_find(const kane_symbols *symbols, uintptr_t address, const kane_symbol **symbol);

#endif
