// SPDX-License-Identifier: MIT
// Kinds of bytes as ASCII has them. Those of the C library follow the locale of the
// host: other letters, and an I that is none in Turkish.

#ifndef KANE_BASE_LETTER_H
#define KANE_BASE_LETTER_H

#include <stddef.h>
#include <string.h>

static inline int kane_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline int kane_is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static inline int kane_is_letter(char c)
{
    return kane_is_upper(c) || (c >= 'a' && c <= 'z');
}

static inline int kane_is_letter_or_digit(char c)
{
    return kane_is_letter(c) || kane_is_digit(c);
}

// Blank, tab, line feed, vertical tab, form feed, carriage return.
static inline int kane_is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static inline char kane_lower(char c)
{
    return kane_is_upper(c) ? (char)(c - 'A' + 'a') : c;
}

// Whether two texts begin with the same `length` bytes, upper case apart, or are the same and shorter.
static inline int kane_same_letters(const char *a, const char *b, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (kane_lower(a[i]) != kane_lower(b[i]))
            return 0;
        if (a[i] == '\0')
            return 1;
    }
    return 1;
}

// Whether two texts are the same, upper case apart.
static inline int kane_same_word(const char *a, const char *b)
{
    return kane_same_letters(a, b, strlen(a) + 1);
}

#endif
