// SPDX-License-Identifier: MIT
// Errors of libkane in tests: none, or as people read them.

#ifndef KANE_TESTS_ERRORS_H
#define KANE_TESTS_ERRORS_H

#include "check.h"

#include <kane/base.h>

// All errors that are kept, a line each, without a line end behind the last one.
static inline void errors_text(const kane_errors *errors, size_t size, char *text)
{
    size_t length = 0;
    text[0]       = '\0';
    for (int i = 0; i < errors->kept && length < size; i++) {
        char line[1200];
        (void)kane_error_format(kane_errors_get(errors, i), sizeof line, line);
        length += (size_t)snprintf(text + length, size - length, "%s%s", i ? "\n" : "", line);
    }
}

static inline void check_no_errors(const kane_errors *errors)
{
    static char text[1200 * KANE_ERRORS_KEPT];
    errors_text(errors, sizeof text, text);
    if (errors->count > 0)
        print_error("%s\n", text);
    assert_int_equal(errors->count, 0);
}

#endif
