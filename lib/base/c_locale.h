// SPDX-License-Identifier: MIT
// The C locale for the calling thread: a host that has called setlocale(LC_ALL, "") may have a decimal comma, other
// letters and other ranges of characters. POSIX 2008 gives each thread a locale, so that nothing of the host changes.
//
// glibc and musl hold the C locale as a constant: nothing is allocated and nothing can fail. Where newlocale() does
// fail, the locale is unchanged.

#ifndef KANE_BASE_C_LOCALE_H
#define KANE_BASE_C_LOCALE_H

#include <locale.h>

#if defined(__APPLE__)
#include <xlocale.h>
#endif

typedef struct kane_c_locale {
    locale_t own, of_host;
} kane_c_locale;

// Between begin and end no user's function is called.
static inline kane_c_locale kane_c_locale_begin(void)
{
    kane_c_locale c = {.own = newlocale(LC_ALL_MASK, "C", (locale_t)0)};
    c.of_host       = uselocale(c.own); // (locale_t)0 changes nothing
    return c;
}

static inline void kane_c_locale_end(kane_c_locale c)
{
    (void)uselocale(c.of_host);
    if (c.own)
        freelocale(c.own);
}

#endif
