// SPDX-License-Identifier: MIT
// What exported models have in place of lib/base/c_locale.h, which knows POSIX: they read no numbers, and write them in
// messages alone, which are then in the locale of the host.
//
// Not part of libkane.

#ifndef KANE_BASE_C_LOCALE_H
#define KANE_BASE_C_LOCALE_H

typedef struct kane_c_locale {
    int none;
} kane_c_locale;

static inline kane_c_locale kane_c_locale_begin(void)
{
    return (kane_c_locale){0};
}

static inline void kane_c_locale_end(kane_c_locale c)
{
    (void)c;
}

#endif
