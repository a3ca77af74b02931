// SPDX-License-Identifier: MIT
// Tests in a locale that the environment names: what the library sees is a host with a decimal comma, other letters and
// other messages. Tests themselves read and write numbers in the C locale; stdio's names mean that here.
//
// KANE_TEST_LOCALE, which tests/surroundings.sh sets, names the locale; a test fails if there is none of that name.

#ifndef KANE_TESTS_C_LOCALE_H
#define KANE_TESTS_C_LOCALE_H

#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/c_locale.h"
#include "base/number.h"

#if defined(__GNUC__)
#define KANE_SCANF(format_index, first_argument) __attribute__((format(scanf, format_index, first_argument)))
#else
#define KANE_SCANF(format_index, first_argument)
#endif

// The locale that the environment asks for, or "C". 0: there is none of that name.
static inline int check_set_locale(void)
{
    const char *name = getenv("KANE_TEST_LOCALE");
    if (setlocale(LC_ALL, name ? name : "C"))
        return 1;
    (void)fprintf(stderr, "there is no locale %s\n", name);
    return 0;
}

static inline double check_strtod(const char *text, char **end)
{
    const kane_c_locale c = kane_c_locale_begin();
    const double value    = strtod(text, end);
    kane_c_locale_end(c);
    return value;
}

static inline int check_sscanf(const char *text, const char *format, ...) KANE_SCANF(2, 3);
static inline int check_sscanf(const char *text, const char *format, ...)
{
    const kane_c_locale c = kane_c_locale_begin();
    va_list arguments;
    va_start(arguments, format);
    const int count = vsscanf(text, format, arguments);
    va_end(arguments);
    kane_c_locale_end(c);
    return count;
}

static inline int check_fscanf(FILE *file, const char *format, ...) KANE_SCANF(2, 3);
static inline int check_fscanf(FILE *file, const char *format, ...)
{
    const kane_c_locale c = kane_c_locale_begin();
    va_list arguments;
    va_start(arguments, format);
    const int count = vfscanf(file, format, arguments);
    va_end(arguments);
    kane_c_locale_end(c);
    return count;
}

#undef atof
#undef fprintf
#undef fscanf
#undef snprintf
#undef sscanf
#undef strtod
#undef vsnprintf
#define atof(text)        check_strtod((text), NULL)
#define fprintf(...)      kane_fprintf(__VA_ARGS__)
#define fscanf(...)       check_fscanf(__VA_ARGS__)
#define snprintf(...)     kane_snprintf(__VA_ARGS__)
#define sscanf(...)       check_sscanf(__VA_ARGS__)
#define strtod(text, end) check_strtod((text), (end))
#define vsnprintf(...)    kane_vsnprintf(__VA_ARGS__)

#endif
