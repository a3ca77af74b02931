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

static inline void check_no_errors_at(const kane_errors *errors, const char *file, int line)
{
    static char text[1200 * KANE_ERRORS_KEPT];
    if (errors->count == 0)
        return;
    errors_text(errors, sizeof text, text);
    print_error("%s\n", text);
    _fail(file, line);
}

#define check_no_errors(errors) check_no_errors_at((errors), __FILE__, __LINE__)

// The value of function(arguments ..., &errors), which leaves no errors.
#define CHECK_GOOD(function, ...)                                                                                      \
    __extension__({                                                                                                    \
        CHECK_ERRORS check_left                                    = {0};                                              \
        __typeof__(function(__VA_ARGS__, &check_left)) check_value = function(__VA_ARGS__, &check_left);               \
        check_no_errors_at(&check_left, __FILE__, __LINE__);                                                           \
        check_value;                                                                                                   \
    })

#endif
